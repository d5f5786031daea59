"""What a locked process may still ask of the kernel, as data.

Each entry is there because computing, the memory allocators, or the exchange
over descriptors that are open already needs it. A call that is not here is
answered with EPERM. Source of the constants: Linux `include/uapi/` headers
`asm-generic/mman.h`, `asm-generic/ioctls.h`, `linux/fcntl.h`, `linux/futex.h`,
`linux/prctl.h`.

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

from typing import NamedTuple

ALL_BITS = 0xFFFFFFFF


class Check(NamedTuple):
    """A condition on one argument: its low half under `mask` is one of `values`.

    `wide` says that the kernel reads all 64 bits; then the high half must be
    zero. Where the kernel takes an `int` it ignores the high half, and so does
    the check.
    """

    argument: int
    values: tuple[int, ...]
    mask: int = ALL_BITS
    wide: bool = False


ALWAYS = (
    # Exchange over what is open already.
    "read",
    "write",
    "readv",
    "writev",
    "pread64",
    "lseek",
    "fstat",
    "close",
    # Memory.
    "brk",
    "munmap",
    # Time, chance, and who I am.
    "gettimeofday",
    "time",
    "getrandom",
    "getpid",
    "gettid",
    "getcpu",
    "getrusage",
    # Its own signals, its own end.
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    "restart_syscall",
    "sched_yield",
    "exit",
    "exit_group",
)

_READ_WRITE = 0x1 | 0x2
# Anything beyond PROT_READ and PROT_WRITE, above all PROT_EXEC.
_NOT_READ_WRITE = ALL_BITS & ~_READ_WRITE
_MREMAP_MAYMOVE = 0x1
_FUTEX_WAIT, _FUTEX_WAKE, _FUTEX_WAIT_BITSET, _FUTEX_WAKE_BITSET = 0, 1, 9, 10
_FUTEX_COMMAND = ALL_BITS & ~(128 | 256)  # without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME
# NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP.
# Not among them: HWPOISON and SOFT_OFFLINE, with which root takes pages from the host; MERGEABLE, which leaks
# what other processes hold; REMOVE, which punches holes into files.
_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)
# The 16 clocks with a name; the others are descriptors and the processor time of other processes.
_NAMED_CLOCK = ALL_BITS & ~15
_F_GETFD, _F_GETFL, _F_GET_SEALS = 1, 3, 1034
_TCGETS = 0x5401
_PR_GET_DUMPABLE, _PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS = 3, 21, 39


def conditional(own_pid: int) -> dict[str, tuple[Check, ...]]:
    """Return the calls that are allowed when every check holds, for the process `own_pid`."""
    no_execution = (Check(2, (0,), _NOT_READ_WRITE, wide=True),)
    named_clock = (Check(0, (0,), _NAMED_CLOCK),)
    return {
        "clock_gettime": named_clock,
        "clock_getres": named_clock,
        "mmap": no_execution,
        "mprotect": no_execution,
        "mremap": (Check(3, (0,), ALL_BITS & ~_MREMAP_MAYMOVE, wide=True),),
        "madvise": (Check(2, _ADVICE),),
        "futex": (
            Check(1, (_FUTEX_WAIT, _FUTEX_WAKE, _FUTEX_WAIT_BITSET, _FUTEX_WAKE_BITSET), _FUTEX_COMMAND),
        ),
        "fcntl": (Check(1, (_F_GETFD, _F_GETFL, _F_GET_SEALS)),),
        "ioctl": (Check(1, (_TCGETS,)),),
        "prctl": (Check(0, (_PR_GET_DUMPABLE, _PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS)),),
        "prlimit64": (Check(0, (0, own_pid)), Check(2, (0,), wide=True)),
        "sched_getaffinity": (Check(0, (0, own_pid)),),
        "tgkill": (Check(0, (own_pid,)),),
    }


# The C library then tries `clone`, which gives the error that programs know.
ABSENT = ("clone3",)
