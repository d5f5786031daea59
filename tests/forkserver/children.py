"""Processes that the program itself starts, forked warm as well: those that run queries, and those that run code.

Tests of these processes, of their limits, their walls and their ends, start real ones (`started_children`).
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.bounded import process, starting
from tabchat.sandbox import spare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

LENGTH: Final = struct.Struct("!Q")
"""The head of a request: how many bytes follow it."""
CHILDREN: Final = "FORKED_CHILDREN"
"""The variable by which a server of programs knows those of their children: boot → where its server listens."""
BOOTS: Final = {"query": process._BOOT, "code": spare._BOOT}
_STARTS: Final = "subprocess"
"""What the program starts them by."""
ENVIRONMENTS: Final = {"query": process._ENVIRONMENT, "code": spare._ENVIRONMENT}


class Child:
    """A process that was forked, with what the program needs of `subprocess.Popen`; safe for threads."""

    def __init__(self, connection: socket.socket) -> None:
        self._guard = threading.Lock()
        self._connection = connection
        self._told = connection.makefile("r", encoding="ascii")
        self.pid = int(self._told.readline())
        self.returncode: int | None = None
        try:
            self._handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            # It has ended already, which the server is about to tell.
            self._handle = -1

    def poll(self) -> int | None:
        """Return the exit code, nothing while it runs."""
        return self.wait() if self._ended(0) else None

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code when it has ended; raises `subprocess.TimeoutExpired`."""
        if not self._ended(timeout):
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        with self._guard:
            if self.returncode is None:
                self.returncode = os.waitstatus_to_exitcode(int(self._told.readline()))
                self._told.close()
                self._connection.close()
                if self._handle >= 0:
                    os.close(self._handle)
                    self._handle = -1
        return self.returncode

    def kill(self) -> None:
        """End it at once; nothing happens when it has ended."""
        with self._guard, contextlib.suppress(ProcessLookupError):
            if self.returncode is None and self._handle >= 0:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def _ended(self, seconds: float | None) -> bool:
        with self._guard:
            if self.returncode is not None or self._handle < 0:
                return True
            handle = os.dup(self._handle)
        try:
            watched = select.poll()
            watched.register(handle, select.POLLIN)
            return bool(watched.poll(None if seconds is None else seconds * 1000))
        finally:
            os.close(handle)


def forked_children(server_of: Callable[[str], str | None]) -> None:
    """Fork what the program starts from here on, where there is a server for its boot: boot → where it listens."""

    def popen(command: Sequence[str], **given: Any) -> Child | subprocess.Popen[bytes]:
        boot, *words = command[command.index("-c") + 1 :]
        at = server_of(boot)
        if at is None:
            return subprocess.Popen(command, **given)
        ends = given["pass_fds"]
        request = {"boot": boot, "words": words, "places": ends, "environment": given["env"]}
        return Child(ask(at, request, ends))

    setattr(starting, _STARTS, SimpleNamespace(Popen=popen, DEVNULL=subprocess.DEVNULL))


@contextlib.contextmanager
def started_children() -> Iterator[None]:
    """Start what the program starts meanwhile, as it does itself."""
    forking = getattr(starting, _STARTS)
    setattr(starting, _STARTS, subprocess)
    try:
        yield
    finally:
        setattr(starting, _STARTS, forking)


def ask(address: str, request: Mapping[str, Any], descriptors: Sequence[int]) -> socket.socket:
    """Send a server a request and descriptors; returns the connection by which it tells of the process."""
    asked = json.dumps(request).encode()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(address)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
    connection.sendmsg([LENGTH.pack(len(asked))], rights)
    connection.sendall(asked)
    return connection
