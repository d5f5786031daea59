"""The filter allows exactly what is stated here, by number, for both processors."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabchat.sandbox.lock.bpf import encode
from tabchat.sandbox.lock.seccomp import build_filter
from tabchat.sandbox.lock.syscalls import AARCH64, X86_64, Architecture
from tests.effort import examples
from tests.sandbox.kernel.bpf_machine import record, run

Predicate = Callable[[tuple[int, ...]], bool]

PID = 4321
ALLOWED, EPERM, ENOSYS, KILLED = 0x7FFF0000, 0x50001, 0x50026, 0x80000000
LOW = 2**32 - 1


def readable_writable(arguments: tuple[int, ...]) -> bool:
    return arguments[2] in {0, 1, 2, 3}


def named_clock(arguments: tuple[int, ...]) -> bool:
    return arguments[0] & LOW < 16


def self_or_zero(arguments: tuple[int, ...]) -> bool:
    return arguments[0] & LOW in {0, PID}


CONDITIONS: dict[str, Predicate] = {
    "mmap": readable_writable,
    "mprotect": readable_writable,
    "mremap": lambda given: given[3] in {0, 1},
    "madvise": lambda given: given[2] & LOW in {0, 1, 2, 3, 4, 8, 14, 15, 16, 17},
    "futex": lambda given: (given[1] & LOW) - (given[1] & 0x180) in {0, 1, 9, 10},
    "fcntl": lambda given: given[1] & LOW in {1, 3, 1034},
    "ioctl": lambda given: given[1] & LOW == 0x5401,
    "prctl": lambda given: given[0] & LOW in {3, 21, 39},
    "prlimit64": lambda given: self_or_zero(given) and given[2] == 0,
    "sched_getaffinity": self_or_zero,
    "tgkill": lambda given: given[0] & LOW == PID,
    "clock_gettime": named_clock,
    "clock_getres": named_clock,
}


@dataclass(frozen=True)
class Stated:
    """What one processor allows: numbers, numbers under a condition, the number that is missing."""

    architecture: Architecture
    always: frozenset[int]
    under: dict[int, str]
    missing: int = 435

    def expected(self, number: int, arguments: tuple[int, ...]) -> int:
        if self.architecture.name == "x86_64" and number >= 0x40000000:
            return KILLED
        if number == self.missing:
            return ENOSYS
        condition = self.under.get(number)
        allowed = CONDITIONS[condition](arguments) if condition else number in self.always
        return ALLOWED if allowed else EPERM


X86 = Stated(
    X86_64,
    # read write close fstat lseek munmap brk rt_sigaction rt_sigprocmask rt_sigreturn pread64 readv writev
    # sched_yield getpid exit gettimeofday getrusage sigaltstack gettid time restart_syscall exit_group getcpu
    # getrandom
    frozenset(
        [0, 1, 3, 5, 8, 11, 12, 13, 14, 15, 17, 19, 20, 24, 39, 60, 96, 98, 131, 186, 201, 219, 231, 309, 318]
    ),
    {
        9: "mmap",
        10: "mprotect",
        16: "ioctl",
        25: "mremap",
        28: "madvise",
        72: "fcntl",
        157: "prctl",
        202: "futex",
        204: "sched_getaffinity",
        228: "clock_gettime",
        229: "clock_getres",
        234: "tgkill",
        302: "prlimit64",
    },
)
ARM = Stated(
    AARCH64,
    # close lseek read write readv writev pread64 fstat exit exit_group sched_yield restart_syscall sigaltstack
    # rt_sigaction rt_sigprocmask rt_sigreturn getrusage getcpu gettimeofday getpid gettid brk munmap getrandom
    frozenset(
        [
            57,
            62,
            63,
            64,
            65,
            66,
            67,
            80,
            93,
            94,
            124,
            128,
            132,
            134,
            135,
            139,
            165,
            168,
            169,
            172,
            178,
            214,
            215,
            278,
        ]
    ),
    {
        25: "fcntl",
        29: "ioctl",
        98: "futex",
        113: "clock_gettime",
        114: "clock_getres",
        123: "sched_getaffinity",
        131: "tgkill",
        167: "prctl",
        216: "mremap",
        222: "mmap",
        226: "mprotect",
        233: "madvise",
        261: "prlimit64",
    },
)
BOTH = pytest.mark.parametrize("stated", [X86, ARM], ids=["x86_64", "aarch64"])

VARIATIONS = [
    (),
    (2**64 - 1,) * 6,
    (PID, PID, 0, PID),
    (0, 0, 2**32, 2**32),
    *(
        (0, word, word, word)
        for word in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 100, 129, 137, 0x5401, 0x5412, 1034)
    ),
    *((word, 0, 0, 0) for word in (1, 3, 4, 15, 16, 21, 22, 38, 39, PID + 2**32, PID - 1)),
]


def answer(program: bytes, stated: Stated, number: int, arguments: tuple[int, ...]) -> int:
    return run(program, record(number, stated.architecture.audit, arguments))


def filter_of(stated: Stated) -> bytes:
    return encode(build_filter(stated.architecture, PID))


def padded(arguments: tuple[int, ...]) -> tuple[int, ...]:
    return (*arguments, *[0] * (6 - len(arguments)))


@BOTH
def test_every_number_is_answered_as_stated(stated: Stated) -> None:
    program = filter_of(stated)
    wrong = [
        (number, arguments)
        for number, arguments in itertools.product(range(601), map(padded, VARIATIONS))
        if answer(program, stated, number, arguments) != stated.expected(number, arguments)
    ]
    assert wrong == []


@BOTH
def test_every_stated_call_is_allowed_for_some_arguments(stated: Stated) -> None:
    program = filter_of(stated)
    never = [
        number
        for number in (*stated.always, *stated.under)
        if not any(answer(program, stated, number, padded(given)) == ALLOWED for given in VARIATIONS)
    ]
    assert never == []


def test_numbers_of_x32_and_minus_one_end_the_process() -> None:
    program = filter_of(X86)
    x32 = [0x40000000 + number for number in range(601)]
    answers = {answer(program, X86, number, ()) for number in (*x32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)}
    assert answers == {KILLED}


@BOTH
def test_another_processor_mode_ends_the_process(stated: Stated) -> None:
    program = filter_of(stated)
    other = {X86_64.audit, AARCH64.audit} - {stated.architecture.audit}
    # i386, 32-bit ARM, big-endian aarch64, nothing, one bit off.
    modes = [*other, 0x40000003, 0x40000028, 0x800000B7, 0, stated.architecture.audit ^ 1, 0xFFFFFFFF]
    answers = {run(program, record(number, mode, ())) for mode in modes for number in range(601)}
    assert answers == {KILLED}


NUMBER = st.one_of(
    st.sampled_from(sorted({*X86.under, *ARM.under, 435})), st.integers(0, 600), st.integers(0, 2**32 - 1)
)
WORD = st.one_of(
    st.integers(0, 20),
    st.sampled_from([0x5401, 1034, PID, 0x100, 0x80, 2**31, 2**32]),
    st.builds(lambda low, high: low + 2**32 * high, st.integers(0, 16), st.integers(0, 3)),
    st.integers(0, 2**64 - 1),
)


@BOTH
@settings(max_examples=examples(400), deadline=None)
@given(number=NUMBER, arguments=st.tuples(*[WORD] * 6))
@example(number=9, arguments=(0, 4096, 2**32 + 3, 0x22, 0, 0))
@example(number=234, arguments=(PID + 2**32, 0, 0, 0, 0, 0))
def test_arguments_are_judged_by_the_bits_that_the_kernel_reads(
    stated: Stated, number: int, arguments: tuple[int, ...]
) -> None:
    assert answer(filter_of(stated), stated, number, arguments) == stated.expected(number, arguments)
