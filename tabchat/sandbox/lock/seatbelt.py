"""The macOS stand-in for the kernel lock: a `sandbox-exec` profile around the worker, and limits inside it.

Weaker than the lock on Linux, for it bounds no memory (the parent watches
that) and rests on a tool that Apple calls deprecated. It was written from the
manual pages sandbox-exec(1), sandbox(7) and setrlimit(2), and has not been run
on macOS.
"""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

from tabchat.sandbox.lock import limits as resource_limits
from tabchat.sandbox.lock.syscalls import LockError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.sandbox.lock.limits import LockLimits

SANDBOX_EXEC = "/usr/bin/sandbox-exec"

_SYSTEM_FOLDERS = (
    "/System/Library",
    "/usr/lib",
    "/Library/Apple",
    "/private/var/db/timezone",
    "/usr/share/zoneinfo",
)
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")


def profile(interpreter: str, readable: Sequence[str]) -> str:
    """Return the profile: start `interpreter`, read the folders `readable` and the system's libraries; no more.

    No network, no writing, no other program, no signal to others. Paths must be
    absolute and resolved, for the system compares real paths; ValueError otherwise.
    """
    for path in (interpreter, *readable):
        if os.path.realpath(path) != path:
            raise ValueError(f"{path} is not an absolute path without links")
    folders = "\n".join(f"  (subpath {_quoted(path)})" for path in (*_SYSTEM_FOLDERS, *readable))
    devices = "\n".join(f"  (literal {_quoted(path)})" for path in _DEVICES)
    return f"""(version 1)
(deny default)
(allow process-exec (literal {_quoted(interpreter)}))
(allow process-info* (target self))
(allow signal (target self))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read*
  (literal "/")
  (literal {_quoted(interpreter)})
{devices}
{folders})
"""


def command(arguments: Sequence[str], readable: Sequence[str]) -> list[str]:
    """Return `arguments`, a command that starts with an interpreter's real path, wrapped in the profile."""
    return [SANDBOX_EXEC, "-p", profile(arguments[0], readable), *arguments]


def lock_by_limits(limits: LockLimits) -> None:
    """Set the limits but the one on memory, then prove that nothing opens, connects or forks; else LockError."""
    import _socket

    resource_limits.restrict(limits, None)
    _must_fail("opening a file", lambda: os.close(os.open("/", os.O_RDONLY)))
    _must_fail("making a socket", lambda: _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM).close())
    _must_fail("starting a process", _fork)


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _must_fail(what: str, attempt: Callable[[], None]) -> None:
    try:
        attempt()
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.EAGAIN, errno.EPERM, errno.EACCES):
            return
        raise LockError("self-test", f"{what} failed in another way", number=error.errno) from error
    raise LockError("self-test", f"{what} still works")


def _quoted(path: str) -> str:
    # The profile's strings escape quotes and backslashes as JSON does.
    return json.dumps(path, ensure_ascii=False)
