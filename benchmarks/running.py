"""A command run to its end, and what the kernel says that it took."""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parent / ".data"
UNIT = 1024 * 1024 if sys.platform == "darwin" else 1024
TABCHAT = (sys.executable, "-m", "tabchat")


@dataclass(frozen=True)
class Measure:
    """What one run took: seconds of wall and of processor time, and its greatest memory."""

    seconds: float
    processor: float
    megabytes: float
    said: str = ""


def compile_package() -> None:
    """Compile the package as its wheel is: sources that were changed since would be compiled anew by every run."""
    root = Path(__file__).parent.parent
    compileall.compile_dir(root / "tabchat", quiet=1)
    subprocess.run([sys.executable, "-m", "tabchat.planner.compiling"], cwd=root, check=True)


def seconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes in this process."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def run(command: list[str], env: dict[str, str] | None = None) -> Measure:
    """Run a command to its end; processes that it waited for count, those that it leaves behind do not."""
    started = time.perf_counter()
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Whatever narrates little fits into the pipe while the answer is read.
    said = process.stdout.read() if process.stdout else ""
    narrated = process.stderr.read() if process.stderr else ""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed with {process.returncode}: {command}\n{narrated[-2000:]}")
    return Measure(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / UNIT, said)


def middle(measures: list[Measure]) -> Measure:
    """Return the median of each figure by itself."""
    return Measure(
        median(item.seconds for item in measures),
        median(item.processor for item in measures),
        median(item.megabytes for item in measures),
    )


def at_home(home: Path, **settings: str) -> dict[str, str]:
    """Return an environment in which tabchat keeps everything below `home`."""
    places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CACHE", "DATA", "CONFIG")}
    return {**os.environ, **places, **settings}


def wait_for_background(home: Path) -> None:
    """Wait until the process that was left behind to read the whole table has let go of its lock."""
    lock = home / "cache" / "tabchat" / "background.lock"
    if lock.exists():
        subprocess.run(["flock", str(lock), "true"], check=True)
