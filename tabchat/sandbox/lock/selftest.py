"""Proves from inside a locked process that the walls stand, by trying what they forbid.

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal

from tabchat.sandbox.lock.syscalls import LockError, call

_AT_FDCWD = -100
_AF_UNIX = 1
_SOCK_STREAM = 1
_READ_AND_EXECUTE = 0x1 | 0x4
_PRIVATE_ANONYMOUS = 0x02 | 0x20
_PAGE = 4096
_PR_GET_DUMPABLE, _PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS = 3, 21, 39
_FILTERING = 2
_STEP = "self-test"


def self_test(*, filtered: bool) -> None:
    """Try to open, connect and fork, and behind the filter to execute; LockError when one succeeds.

    With `filtered` each must be refused by the filter itself: EPERM. Without
    it, any refusal counts.
    """
    for what, answer in _forbidden_answers(filtered=filtered):
        if answer >= 0:
            raise LockError(_STEP, f"{what} still works")
        if filtered and -answer != errno.EPERM:
            raise LockError(_STEP, f"{what} was refused by something other than the filter", number=-answer)
    _prove_state("no new privileges", _PR_GET_NO_NEW_PRIVS, 1)
    _prove_state("not dumpable", _PR_GET_DUMPABLE, 0)
    if filtered:
        _prove_state("seccomp", _PR_GET_SECCOMP, _FILTERING)


def _forbidden_answers(*, filtered: bool) -> list[tuple[str, int]]:
    path = ctypes.create_string_buffer(b"/")
    answers = [
        ("opening a file", call("openat", _AT_FDCWD, ctypes.addressof(path), os.O_RDONLY)),
        ("making a socket", call("socket", _AF_UNIX, _SOCK_STREAM, 0)),
        ("starting a process", _fork()),
    ]
    if filtered:
        # Without a path the call cannot succeed, and without the filter it fails in another way.
        answers += [
            ("executing a program", call("execve", 0, 0, 0)),
            (
                "mapping executable memory",
                call("mmap", 0, _PAGE, _READ_AND_EXECUTE, _PRIVATE_ANONYMOUS, -1, 0),
            ),
        ]
    return answers


def _fork() -> int:
    child = call("clone", signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child


def _prove_state(what: str, option: int, wanted: int) -> None:
    found = call("prctl", option, 0, 0, 0, 0)
    if found != wanted:
        raise LockError(_STEP, f"the state '{what}' is {found}, not {wanted}")
