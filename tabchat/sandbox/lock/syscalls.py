"""System calls by number on the two processors that the lock knows, and the one way to make them.

Sources of the numbers: Linux `arch/x86/entry/syscalls/syscall_64.tbl` (x86_64)
and `include/uapi/asm-generic/unistd.h` (aarch64); of the audit values
`include/uapi/linux/audit.h`. Numbers of Linux never change once given out.

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_POINTER_BYTES = 8


class LockError(Exception):
    """A step of the lock failed: whoever sees it must not run foreign code.

    `step` names the step; `errno` is the kernel's error number where there is one.
    """

    def __init__(self, step: str, message: str, *, number: int | None = None) -> None:
        cause = f": {errno.errorcode.get(number, number)} ({os.strerror(number)})" if number else ""
        super().__init__(f"{step}: {message}{cause}")
        self.step = step
        self.errno = number


class Architecture(NamedTuple):
    """A processor as seccomp sees it: the audit value, and the bit that marks a foreign call table."""

    name: str
    audit: int
    column: int
    foreign_bit: int | None


X86_64 = Architecture("x86_64", 0xC000003E, 0, 0x40000000)
AARCH64 = Architecture("aarch64", 0xC00000B7, 1, None)

# The number on x86_64, then the one on aarch64.
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "brk": (12, 214),
    "capset": (126, 91),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clone": (56, 220),
    "clone3": (435, 435),
    "close": (3, 57),
    "execve": (59, 221),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "fcntl": (72, 25),
    "fstat": (5, 80),
    "futex": (202, 98),
    "getcpu": (309, 168),
    "getpid": (39, 172),
    "getrandom": (318, 278),
    "getrusage": (98, 165),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "ioctl": (16, 29),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "lseek": (8, 62),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "openat": (257, 56),
    "personality": (135, 92),
    "prctl": (157, 167),
    "pread64": (17, 67),
    "prlimit64": (302, 261),
    "read": (0, 63),
    "readv": (19, 65),
    "restart_syscall": (219, 128),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_getaffinity": (204, 123),
    "sched_yield": (24, 124),
    "seccomp": (317, 277),
    "sigaltstack": (131, 132),
    "socket": (41, 198),
    "tgkill": (234, 131),
    "time": (201, None),
    "write": (1, 64),
    "writev": (20, 66),
}


def number_of(name: str, architecture: Architecture) -> int | None:
    """Return the number of the call `name`, or None where the processor has no such call."""
    return NUMBERS[name][architecture.column]


# Kept, because a locked process may not ask for the system's name.
@cache
def this_architecture() -> Architecture | None:
    """Return the processor this process runs on, or None when the lock has no table for it."""
    if not sys.platform.startswith("linux") or struct.calcsize("P") != _POINTER_BYTES:
        return None
    machine = os.uname().machine
    return next((known for known in (X86_64, AARCH64) if known.name == machine), None)


def known_architecture() -> Architecture:
    """Return the processor this process runs on; raise LockError when the lock has no table for it."""
    found = this_architecture()
    if found is None:
        raise LockError("system", "the lock knows Linux on x86_64 and aarch64 only")
    return found


def call(name: str, *arguments: int) -> int:
    """Make a system call; return its value, or the negative error number as the kernel does."""
    number = number_of(name, known_architecture())
    if number is None:
        return -errno.ENOSYS
    return raw_call(number, *arguments)


def raw_call(number: int, *arguments: int) -> int:
    """Make the system call `number`; return its value, or the negative error number."""
    value = _libc_syscall()(number, *arguments, *[0] * (6 - len(arguments)))
    return -ctypes.get_errno() if value == -1 else value


@cache
def _libc_syscall() -> Callable[..., int]:
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    function.argtypes = [ctypes.c_long] * 7
    return function
