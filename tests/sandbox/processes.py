"""Which processes live: what the tests see of workers and zygotes from outside."""

from __future__ import annotations

import time
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


def child_of(pid: int, seconds: float = 20.0) -> int:
    """Wait until `pid` has one child and sleeps until that ends; return the child."""
    deadline = time.monotonic() + seconds
    while not (found := children(pid)) or _state(pid) != "S":
        if time.monotonic() > deadline:
            message = f"{pid} started nothing"
            raise AssertionError(message)
        time.sleep(0.005)
    return found[0]
