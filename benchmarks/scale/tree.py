"""What a command and every process that it starts hold at once, those that it leaves behind included (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

_SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER`: whoever loses its parent becomes a child of this process, and is waited for here."""
_TICK = 0.1
_KIB = 1024
_MB = 1_000_000


@dataclass
class Tree:
    """Figures of one command: seconds, and bytes of memory and of a folder that it fills."""

    seconds: float = 0.0
    processor: float = 0.0
    together: int = 0
    """Greatest sum of what all processes held in memory at one moment; what they share counts for each."""
    largest: dict[str, int] = field(default_factory=dict)
    """Process → the most that it ever held (`VmHWM`)."""
    folder: int = 0
    """Greatest size of the folder."""
    said: str = ""

    def told(self) -> str:
        """Return the figures as a line."""
        each = ", ".join(f"{name} {size / _MB:,.0f}" for name, size in sorted(self.largest.items()))
        return (
            f"{self.processor:,.1f} s of processor, {self.seconds:,.1f} s; MB together {self.together / _MB:,.0f}; "
            f"each {each}; on disk {self.folder / _MB:,.0f}"
        )


def run_tree(command: list[str], env: dict[str, str], folder: Path) -> Tree:
    """Run a command until it and all that it leaves behind have ended; `folder` is where it keeps things."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    tree = Tree()
    before, started = _waited_for(), time.perf_counter()
    with (folder / "said").open("w+") as said, (folder / "narrated").open("w+") as narrated:
        process = subprocess.Popen(command, env=env, stdout=said, stderr=narrated)
        left = True
        while left:
            _look(tree, folder)
            time.sleep(_TICK)
            left = process.poll() is None or _reaped()
        tree.seconds = time.perf_counter() - started
        tree.processor = _waited_for() - before
        said.seek(0)
        narrated.seek(0)
        tree.said = said.read(100_000)
        if process.returncode:
            sys.exit(f"failed with {process.returncode}: {command}\n{tree.told()}\n{narrated.read()[-2000:]}")
    return tree


def _waited_for() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _reaped() -> bool:
    """Wait for whoever has ended, and tell whether anybody is left."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _look(tree: Tree, folder: Path) -> None:
    together = 0
    for pid in _descendants(os.getpid()):
        facts = _facts(pid)
        together += _bytes(facts, "VmRSS")
        name = f"{facts.get('Name', '?')}-{pid}"
        tree.largest[name] = max(tree.largest.get(name, 0), _bytes(facts, "VmHWM"))
    tree.together = max(tree.together, together)
    tree.folder = max(tree.folder, _size(folder))


def _facts(pid: int) -> dict[str, str]:
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return {}


def _bytes(facts: dict[str, str], name: str) -> int:
    return int(facts.get(name, "0 kB").split()[0]) * _KIB


def _descendants(pid: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *_descendants(child)]
    return found


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_blocks * 512
    return total
