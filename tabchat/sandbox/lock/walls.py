"""What stands between code from a stranger and this machine: which walls the system offers.

Found out by questions to the kernel that change nothing. A worker reports for
itself which walls it stood behind.
"""

from __future__ import annotations

import os
import sys
from enum import StrEnum

from tabchat.record import record
from tabchat.sandbox.lock import landlock, seccomp
from tabchat.sandbox.lock.syscalls import LockError, this_architecture


class Wall(StrEnum):
    """One layer of the sandbox."""

    LANDLOCK = "landlock"
    """The kernel refuses every path, TCP port and signal to others."""
    LIMITS = "limits"
    """The kernel bounds descriptors, processes, processor time and memory."""
    SECCOMP = "seccomp"
    """The kernel refuses every system call but those that computing needs."""
    GUARD = "guard"
    """The code is read before it runs, and refused when it does more than compute."""
    SANDBOX_EXEC = "sandbox_exec"
    """macOS refuses files, network and programs."""
    MEMORY_WATCHDOG = "memory_watchdog"
    """The parent ends a worker that takes too much memory."""


@record
class WallProbe:
    """What this machine offers, and whether code may run behind it."""

    walls: tuple[Wall, ...]
    missing: tuple[Wall, ...]
    """Walls of the full lock that this machine lacks."""
    landlock_abi: int
    """Landlock's version, 0 without it."""
    offered: bool
    """Code can run here, perhaps only with the person's consent."""
    degraded: bool
    """Code runs here only with the person's consent (`allow_degraded`)."""
    reason: str
    """One sentence for the person."""


_SANDBOX_EXEC = "/usr/bin/sandbox-exec"
# The version of Landlock that keeps signals inside.
_SIGNALS_ABI = 6
_FULL = (Wall.LANDLOCK, Wall.LIMITS, Wall.SECCOMP, Wall.GUARD)
MACOS = WallProbe(
    walls=(Wall.LIMITS, Wall.GUARD, Wall.SANDBOX_EXEC, Wall.MEMORY_WATCHDOG),
    missing=(Wall.LANDLOCK, Wall.SECCOMP),
    landlock_abi=0,
    offered=False,
    degraded=False,
    reason="macOS has other walls than Linux, and tabchat starts no worker behind them yet: code does not run here.",
)
"""Of a macOS that has `sandbox-exec`: its walls are there to be asked for, but workers start on Linux only."""
ELSEWHERE = WallProbe(
    walls=(Wall.GUARD,),
    missing=(Wall.LANDLOCK, Wall.LIMITS, Wall.SECCOMP),
    landlock_abi=0,
    offered=False,
    degraded=False,
    reason="This system has no lock that tabchat knows: code does not run here.",
)
"""Of a system that has no wall but the guard."""


def probe() -> WallProbe:
    """Ask this machine what it offers; changes nothing and starts nothing."""
    if sys.platform.startswith("linux") and this_architecture() is not None:
        return judge_linux(landlock_abi=_landlock_abi(), filtered=_filtered(), root=os.geteuid() == 0)
    return MACOS if sys.platform == "darwin" and os.access(_SANDBOX_EXEC, os.X_OK) else ELSEWHERE


def judge_linux(*, landlock_abi: int, filtered: bool, root: bool) -> WallProbe:
    """Judge a Linux by its Landlock version (0: none), its filter of system calls, and the user.

    Without the filter only the limit on processes keeps code from starting
    some, and that limit does not bind root.
    """
    absent = {Wall.LANDLOCK: not landlock_abi, Wall.SECCOMP: not filtered}
    missing = tuple(wall for wall in _FULL if absent.get(wall, False))
    offered = filtered or (landlock_abi > 0 and not root)
    return WallProbe(
        walls=tuple(wall for wall in _FULL if wall not in missing),
        missing=missing,
        landlock_abi=landlock_abi,
        offered=offered,
        degraded=offered and bool(missing),
        reason=_reason(missing, offered=offered, signals=not filtered and landlock_abi < _SIGNALS_ABI),
    )


def _reason(missing: tuple[Wall, ...], *, offered: bool, signals: bool) -> str:
    if not missing:
        return "The kernel lock is complete: Landlock, limits and the system-call filter."
    names = " and ".join(f"no {wall}" for wall in missing)
    if offered:
        reach = " and could end your other programs" if signals else ""
        return f"The kernel offers {names}: code runs only with your consent{reach}."
    if len(missing) == 1:
        return f"The kernel offers {names}, and the other walls do not hold root: code does not run here."
    return f"The kernel offers {names}: nothing would hold the code, so it does not run here."


def _landlock_abi() -> int:
    try:
        return landlock.abi()
    except LockError:  # a kernel that cannot say what it offers offers nothing to rely on
        return 0


def _filtered() -> bool:
    try:
        return seccomp.offered()
    except LockError:  # as above
        return False
