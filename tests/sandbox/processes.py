"""Which processes live: what the tests see of workers and zygotes from outside."""

import time
from contextlib import suppress
from pathlib import Path


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that waits to be collected does not."""
    return _state(pid) not in {"Z", "X"}


def _state(pid: int) -> str:
    """Return the kernel's letter for the state of a process, X when there is none."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return "X"
    return status.rpartition(")")[2].split()[0]


def gone(*pids: int, seconds: float = 20.0) -> bool:
    """Wait until none of the processes runs; False when one still does at the end."""
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def children(pid: int) -> list[int]:
    """Return the processes that `pid` started and that still run."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [child for child in map(int, listed) if alive(child)]


def watched_worker(session: int, standby: int, seconds: float = 20.0) -> int:
    """Wait until the process `session` waits for the worker that `standby` started; return the worker.

    Only then has it taken the worker over: it holds its handle, and sleeps.
    """
    worker = child_of(standby, seconds)
    deadline = time.monotonic() + seconds
    while not (_holds_handle(session) and _state(session) == "S"):
        if time.monotonic() > deadline:
            message = f"{session} watches nothing"
            raise AssertionError(message)
        time.sleep(0.005)
    return worker


def _holds_handle(pid: int) -> bool:
    links = []
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            links.append(str(descriptor.readlink()))
    return any("pidfd" in link for link in links)


def child_of(pid: int, seconds: float = 20.0) -> int:
    """Wait until `pid` has one child and sleeps until that ends; return the child."""
    deadline = time.monotonic() + seconds
    while not (found := children(pid)) or _state(pid) != "S":
        if time.monotonic() > deadline:
            message = f"{pid} started nothing"
            raise AssertionError(message)
        time.sleep(0.005)
    return found[0]
