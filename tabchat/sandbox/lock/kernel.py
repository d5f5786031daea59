"""The kernel lock: what a process gives up, for good, before it runs code that nobody vouches for.

The order is fixed: no new privileges, no dump, no capability, Landlock, limits,
the system-call filter, and a self-test that tries what must fail. A step that
fails is a LockError; the caller then must not run the code.

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
from dataclasses import dataclass
from pathlib import Path

from tabchat.sandbox.lock import landlock, seccomp, selftest
from tabchat.sandbox.lock import limits as resource_limits
from tabchat.sandbox.lock.limits import LockLimits
from tabchat.sandbox.lock.syscalls import LockError, call, known_architecture

__all__ = ["LockError", "LockLimits", "LockReport", "die_with_parent", "lock"]

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_ASK_PERSONALITY = 0xFFFFFFFF
_READ_IMPLIES_EXEC = 0x0400000
_CAPABILITY_VERSION_3 = 0x20080522


@dataclass(frozen=True, kw_only=True, slots=True)
class LockReport:
    """The walls that stand: `landlock`, `limits`, `seccomp`; Landlock's version, 0 without it."""

    walls: tuple[str, ...]
    landlock_abi: int
    degraded: bool
    """A wall that Linux can offer is missing."""


def die_with_parent(parent_pid: int) -> None:
    """Have the kernel kill this process when its parent ends; LockError when it has ended already.

    The kernel watches the thread that started this process: it must live as
    long as the process shall.
    """
    _require("parent", "prctl", _PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have ended before the kernel was asked to watch it.
    if os.getppid() != parent_pid:
        raise LockError("parent", f"the parent {parent_pid} has ended")


def lock(limits: LockLimits, *, allow_degraded: bool = False) -> LockReport:
    """Lock this process for good and return what stands; LockError when a step fails.

    To be called in a fresh process with one thread that has loaded all it needs:
    afterwards it can open nothing, load nothing and start nothing. A kernel
    without seccomp or without Landlock is an error unless `allow_degraded`;
    one without both always is.
    """
    known_architecture()
    _one_thread()
    _readable_is_not_executable()
    abi, filtered = _offered(allow_degraded=allow_degraded)
    _give_up_privileges()
    _build_walls(limits, landlocked=abi > 0, filtered=filtered)
    selftest.self_test(filtered=filtered)
    standing = (("landlock", abi > 0), ("limits", True), ("seccomp", filtered))
    return LockReport(
        walls=tuple(name for name, stands in standing if stands),
        landlock_abi=abi,
        degraded=not (abi and filtered),
    )


def _one_thread() -> None:
    try:
        threads = list(Path("/proc/self/task").iterdir())
    except OSError as error:
        raise LockError("threads", "cannot count the threads", number=error.errno) from error
    if len(threads) != 1:
        raise LockError("threads", f"{len(threads)} threads are alive, only one can be locked")


def _readable_is_not_executable() -> None:
    flags = call("personality", _ASK_PERSONALITY)
    if flags < 0:
        raise LockError("personality", "cannot ask the kernel", number=-flags)
    if flags & _READ_IMPLIES_EXEC:
        raise LockError("personality", "every readable page of this process is executable")


def _offered(*, allow_degraded: bool) -> tuple[int, bool]:
    abi, filtered = landlock.abi(), seccomp.offered()
    missing = [name for name, found in (("landlock", abi), ("seccomp", filtered)) if not found]
    if missing and not (allow_degraded and len(missing) == 1):
        raise LockError(missing[-1], "this kernel does not offer it")
    return abi, filtered


def _give_up_privileges() -> None:
    _require("no new privileges", "prctl", _PR_SET_NO_NEW_PRIVS, 1)
    _require("not dumpable", "prctl", _PR_SET_DUMPABLE, 0)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)
    _require("capabilities", "capset", ctypes.addressof(header), ctypes.addressof(nothing))


def _build_walls(wanted: LockLimits, *, landlocked: bool, filtered: bool) -> None:
    before = resource_limits.address_space()
    if landlocked:
        landlock.restrict()
    resource_limits.restrict(wanted, before)
    if filtered:
        seccomp.restrict()


def _require(step: str, name: str, *arguments: int) -> None:
    answer = call(name, *arguments)
    if answer != 0:
        raise LockError(step, "the kernel refused", number=-answer)
