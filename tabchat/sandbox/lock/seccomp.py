"""The seccomp wall: an allowlist of system calls that the process cannot take off again.

Source: Linux `Documentation/userspace-api/seccomp_filter.rst` and seccomp(2).

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from tabchat.sandbox.lock.allowlist import ABSENT, ALL_BITS, ALWAYS, Check, conditional
from tabchat.sandbox.lock.bpf import (
    ARCHITECTURE_OFFSET,
    NUMBER_OFFSET,
    Assembler,
    Instruction,
    argument_offset,
    encode,
)
from tabchat.sandbox.lock.syscalls import Architecture, LockError, call, known_architecture, number_of

ALLOW = 0x7FFF0000  # SECCOMP_RET_ALLOW
KILL_PROCESS = 0x80000000  # SECCOMP_RET_KILL_PROCESS
_ERRNO = 0x00050000  # SECCOMP_RET_ERRNO
REFUSE = _ERRNO | errno.EPERM
MISSING = _ERRNO | errno.ENOSYS

_SET_MODE_FILTER = 1
_GET_ACTION_AVAIL = 2
_TSYNC = 1
_NOT_OFFERED = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)


def offered() -> bool:
    """Say whether this kernel filters system calls as the lock needs it (Linux 4.14 or later)."""
    action = ctypes.c_uint32(KILL_PROCESS)
    answer = call("seccomp", _GET_ACTION_AVAIL, 0, ctypes.addressof(action))
    if answer < 0 and -answer not in _NOT_OFFERED:
        raise LockError("seccomp", "cannot ask the kernel what it offers", number=-answer)
    return answer == 0


def build_filter(architecture: Architecture, own_pid: int) -> tuple[Instruction, ...]:
    """Return the filter for a process `own_pid` on `architecture`.

    A call from another processor mode (32 bits, x32) ends the process: its
    numbers mean other calls, so that no list of ours holds for them.
    """
    program = Assembler()
    program.load(ARCHITECTURE_OFFSET)
    program.jump_equal(architecture.audit, otherwise="kill")
    program.load(NUMBER_OFFSET)
    if architecture.foreign_bit is not None:
        program.jump_at_least(architecture.foreign_bit, then="kill")
    for name in ALWAYS:
        _answer_call(program, name, architecture, "allow")
    for name in ABSENT:
        _answer_call(program, name, architecture, "missing")
    for name, checks in conditional(own_pid).items():
        _answer_checked(program, name, architecture, checks)
    for label, action in (("refuse", REFUSE), ("allow", ALLOW), ("missing", MISSING), ("kill", KILL_PROCESS)):
        program.label(label)
        program.answer(action)
    return program.assemble()


def _answer_call(program: Assembler, name: str, architecture: Architecture, label: str) -> None:
    number = number_of(name, architecture)
    if number is not None:
        program.jump_equal(number, then=label)


def _answer_checked(
    program: Assembler, name: str, architecture: Architecture, checks: tuple[Check, ...]
) -> None:
    number = number_of(name, architecture)
    if number is None:
        return
    program.jump_equal(number, otherwise=f"after {name}")
    for place, check in enumerate(checks):
        if check.wide:
            program.load(argument_offset(check.argument, high=True))
            program.jump_equal(0, otherwise="refuse")
        program.load(argument_offset(check.argument))
        if check.mask != ALL_BITS:
            program.keep_bits(check.mask)
        for value in check.values[:-1]:
            program.jump_equal(value, then=f"{name} {place}")
        program.jump_equal(check.values[-1], otherwise="refuse")
        program.label(f"{name} {place}")
    program.answer(ALLOW)
    program.label(f"after {name}")


def install(program: tuple[Instruction, ...]) -> None:
    """Put the filter on every thread of this process; LockError unless the kernel says exactly 0.

    A positive answer is the thread that could not be reached: also a failure.
    """
    code = ctypes.create_string_buffer(encode(program))
    descriptor = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    answer = call("seccomp", _SET_MODE_FILTER, _TSYNC, ctypes.addressof(descriptor))
    if answer > 0:
        raise LockError("seccomp", f"thread {answer} cannot be locked along")
    if answer < 0:
        raise LockError("seccomp", "the kernel refused the filter", number=-answer)


def restrict() -> None:
    """Leave this process the calls of the allowlist; LockError when the kernel refuses."""
    install(build_filter(known_architecture(), os.getpid()))
