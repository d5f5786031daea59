"""The test's side: a program is asked for, watched, sent signals, and waited for."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from tests.forkserver.children import BOOTS, CHILDREN, ENVIRONMENTS, ask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT: Final = Path(__file__).parent.parent.parent
_PLAIN: Final = "PLAIN_PROCESSES"
_HEAVY: Final = frozenset({"-m", "--api-base", "--chart-out", "mcp", "TABCHAT_API_BASE", "TABCHAT_MODEL"})
"""Words and variables of programs that need a library that takes seconds to import."""


class Program:
    """A program that was forked, with what tests need of `subprocess.Popen`."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._told = connection.makefile("r", encoding="ascii")
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()

    def poll(self) -> int | None:
        """Return the exit code, nothing while it runs."""
        if self.returncode is None:
            self._connection.settimeout(0)
            try:
                ready = self._connection.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                return None
            finally:
                self._connection.settimeout(None)
            del ready
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code when it has ended; raises `subprocess.TimeoutExpired`."""
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                status = self._told.readline()
            except TimeoutError:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0) from None
            self.returncode = os.waitstatus_to_exitcode(int(status))
            self._told.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def start(
    words: Sequence[str],
    *,
    streams: tuple[int, int, int],
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    leads: bool = False,
) -> Program | subprocess.Popen[bytes]:
    """Start `python -m` with these words, the three descriptors as its standard streams.

    A program that `leads` has a session of its own, and takes the terminal that its streams are. Where forking would
    differ from starting it is started.
    """
    given = dict(os.environ if environment is None else environment)
    if not forks(given):
        return _started(words, streams, given, folder, leads=leads)
    request = {
        "words": list(words),
        "environment": given,
        "folder": str(folder or Path.cwd()),
        "leads": leads,
    }
    return Program(ask(address("heavy" if _is_heavy(words, given) else "light"), request, streams))


def program(environment: Mapping[str, str], *, heavy: bool = False) -> list[str]:
    """Return a command that stands for `python -m`, for whoever can start nothing but a command."""
    if not forks(environment):
        return [sys.executable, "-m"]
    return [
        sys.executable,
        "-I",
        "-S",
        str(Path(__file__).with_name("shim.py")),
        address("heavy" if heavy else "light"),
    ]


def script(environment: Mapping[str, str]) -> str:
    """Return a shell script that is `tabchat`."""
    words = [*program(environment, heavy=_is_heavy((), environment)), "tabchat"]
    return f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n'


def _is_heavy(words: Sequence[str], environment: Mapping[str, str]) -> bool:
    return not _HEAVY.isdisjoint(words) or not _HEAVY.isdisjoint(environment)


def forks(environment: Mapping[str, str]) -> bool:
    """Tell whether a program with this environment can be forked: it is no different to its interpreter from ours."""
    if os.environ.get(_PLAIN) or not hasattr(os, "pidfd_open"):
        return False
    names = {
        name for name in {*environment, *os.environ} if name.startswith(("PYTHON", "LC_")) or name == "LANG"
    }
    benign = {"PYTHONUTF8": {None, "1"}, "PYTHONPATH": {None, str(ROOT)}}
    return all(
        environment.get(name) == os.environ.get(name) or environment.get(name) in benign.get(name, ())
        for name in names
    )


_TAKE_TERMINAL: Final = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"


def _started(
    words: Sequence[str],
    streams: tuple[int, int, int],
    environment: Mapping[str, str],
    folder: Path | None,
    *,
    leads: bool,
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", *words]
    if leads and os.isatty(streams[0]):
        command = [sys.executable, "-c", _TAKE_TERMINAL, *command]
    return subprocess.Popen(
        command,
        stdin=streams[0],
        stdout=streams[1],
        stderr=streams[2],
        env=dict(environment),
        cwd=folder,
        start_new_session=leads,
    )


@functools.cache
def address(kind: str) -> str:
    """Start a server of this process, and return where it listens."""
    folder = tempfile.mkdtemp(prefix="fork-")
    at = f"{folder}/server"
    # Its own libraries are not to have threads when it forks.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"}
    if kind in BOOTS:
        environment |= ENVIRONMENTS[kind] | {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
    else:
        environment[CHILDREN] = json.dumps({boot: address(kind) for kind, boot in BOOTS.items()})
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forkserver.server", at, kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"

    def end() -> None:
        assert server.stdin is not None
        server.stdin.close()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return at


def server_of_child(boot: str) -> str | None:
    """Return where the server of what the program starts by `boot` listens, if that can be forked."""
    kinds = [kind for kind, known in BOOTS.items() if known == boot]
    return address(*kinds) if kinds and forks(os.environ) else None
