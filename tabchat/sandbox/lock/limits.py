"""The limits wall: no descriptor, process, file or locked memory more; so much time and memory.

Source: setrlimit(2). Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import errno
import math
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tabchat.sandbox.lock.syscalls import LockError

if sys.platform != "win32":
    import resource

_MIB = 1024 * 1024
_NOTHING = ("RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_MEMLOCK")


@dataclass(frozen=True, kw_only=True, slots=True)
class LockLimits:
    """What a locked process may use up; ValueError unless both are at least 1.

    `cpu_seconds` counts from the lock on, `memory_bytes` on top of the address
    space that the process has by then.
    """

    cpu_seconds: int = 120
    memory_bytes: int = 1024 * _MIB

    def __post_init__(self) -> None:
        if self.cpu_seconds < 1 or self.memory_bytes < 1:
            raise ValueError(f"limits start at 1, not at {self.cpu_seconds} s and {self.memory_bytes} bytes")


def address_space() -> int:
    """Return the bytes of address space that this process holds; LockError when it cannot be read."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    except (OSError, ValueError, IndexError) as error:
        raise LockError("limits", f"cannot read the size of this process: {error}") from error
    return pages * os.sysconf("SC_PAGE_SIZE")


def restrict(limits: LockLimits, address_space_now: int) -> None:
    """Set every limit, hard and soft; LockError when the kernel refuses one or does not keep it.

    The CPU limit sends SIGXCPU at the soft limit and, to who ignores that,
    SIGKILL a second later. A limit that is lower already stays.
    """
    cpu = limits.cpu_seconds + math.ceil(time.process_time())
    for name in _NOTHING:
        _set(name, 0, 0)
    _set("RLIMIT_CPU", cpu, cpu + 1)
    memory = address_space_now + limits.memory_bytes
    _set("RLIMIT_AS", memory, memory)


def _set(name: str, soft: int, hard: int) -> None:
    kind: int = getattr(resource, name)
    try:
        _, before = resource.getrlimit(kind)
        highest = hard if before == resource.RLIM_INFINITY else min(before, hard)
        wanted = (min(soft, highest), highest)
        resource.setrlimit(kind, wanted)
        kept = resource.getrlimit(kind)
    except OSError as error:
        raise LockError("limits", f"{name} cannot be set", number=error.errno) from error
    except ValueError as error:  # how the module reports EPERM and EINVAL
        raise LockError("limits", f"{name} cannot be set, {error}", number=errno.EPERM) from error
    if kept != wanted:
        raise LockError("limits", f"{name} is {kept} after it was set to {wanted}")
