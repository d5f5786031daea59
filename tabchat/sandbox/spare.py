"""The parent's side of a zygote: start it, wait until it is warm, hand it a job, end it."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, Final, Self

from tabchat.engine.bounded.starting import start_child
from tabchat.errors import SandboxUnavailableError
from tabchat.record import record
from tabchat.sandbox.reply.exchange import readable

if TYPE_CHECKING:
    import subprocess

    from tabchat.sandbox.worker.warmth import Warmth

_BOOT: Final = (
    "import sys; sys.path += sys.argv[4:]; from tabchat.sandbox.worker.warmth import Warmth; "
    "from tabchat.sandbox.worker.zygote import main; "
    "main(int(sys.argv[1]), int(sys.argv[2]), Warmth(int(sys.argv[3])))"
)
_ENVIRONMENT: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ARROW_NUM_THREADS": "1",
    "ARROW_IO_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    # Arrow loads the allocator that it brings along even when it uses another, and that one starts a thread.
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "MALLOC_CONF": "background_thread:false",
}
_MESSAGE: Final = 65_536
_ANSWER_SECONDS: Final = 30.0
"""How long a living zygote may take to fork, or to report that its worker ended."""


class ZygoteLostError(Exception):
    """The zygote ended, or no longer answers; the next run starts another."""


@record
class Worker:
    """A running worker."""

    pid: int
    handle: int
    """Its pidfd: kills this process and no later one of the same number."""

    def kill(self) -> None:
        """End it; nothing happens when it has ended."""
        try:
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)
        except ProcessLookupError:
            return

    def close(self) -> None:
        """Let go of the handle."""
        os.close(self.handle)


@record
class Exit:
    """How a worker's process ended: its exit code, negative for a signal; and the CPU time it took."""

    code: int
    cpu_seconds: float


class Zygote:
    """A process that loads the libraries once and forks a fresh worker for every job."""

    def __init__(
        self, process: subprocess.Popen[bytes], channel: socket.socket, lifeline: int, warmth: Warmth
    ) -> None:
        self.warmth = warmth
        """What it loads."""
        self._process = process
        self._channel = channel
        self._lifeline = lifeline
        self._warm = False
        self._busy = False
        self._guard = threading.Lock()
        self._running: Worker | None = None
        self.unloaded: tuple[str, ...] = ()
        """What did not load, with the reason; known when it is warm."""

    @classmethod
    def start(cls, warmth: Warmth) -> Self:
        """Start the process and return at once; its libraries load in the background.

        Raises `SandboxUnavailableError`.
        """
        try:
            started = start_child(
                _BOOT,
                str(int(warmth)),
                libraries=("tabchat", "pandas", "numpy", "pyarrow", "scipy"),
                environment=_environment(),
                kind=socket.SOCK_SEQPACKET,
            )
        except OSError as error:
            raise SandboxUnavailableError(
                f"The process that runs code cannot be started: {error.strerror}.",
                hint="Run `tabchat doctor`.",
            ) from error
        return cls(*started, warmth)

    @property
    def pid(self) -> int:
        """Process number of the zygote."""
        return self._process.pid

    def loaded(self) -> bool:
        """Tell, without waiting, whether the libraries are loaded or failed to."""
        return self._warm or readable(self._channel.fileno(), time.monotonic() + 0.001)

    def usable(self) -> bool:
        """Tell whether the process runs and no interrupted job left it in the middle of one."""
        return not self._busy and self._process.poll() is None

    def await_warm(self, seconds: float) -> None:
        """Wait until the libraries are loaded; raises `SandboxUnavailableError` when they do not load."""
        if self._warm:
            return
        try:
            message, _ = self._receive(seconds)
        except ZygoteLostError as error:
            raise SandboxUnavailableError(
                f"The process that runs code did not start: {error}.", hint="Run `tabchat doctor`."
            ) from error
        if "failed" in message:
            raise SandboxUnavailableError(
                f"The libraries for code do not load: {message['failed']}.", hint="Run `tabchat doctor`."
            )
        self._warm = True
        self.unloaded = tuple(message["unloaded"])

    def fork(self, request: int, table: int, reply: int) -> Worker:
        """Start a worker on these descriptors; raises `ZygoteLostError`."""
        self._busy = True
        try:
            socket.send_fds(self._channel, [b"run"], [request, table, reply])
            return self._started()
        except BaseException as error:
            # Also when a person interrupts just now: a worker that nobody watches must not run on.
            self._process.kill()
            if isinstance(error, OSError):
                raise ZygoteLostError(f"it takes no job ({error.strerror})") from error
            raise

    def _started(self) -> Worker:
        message, handles = self._receive(_ANSWER_SECONDS)
        if "started" not in message or len(handles) != 1:
            raise ZygoteLostError("it did not start a worker")
        worker = Worker(pid=message["started"], handle=handles[0])
        with self._guard:
            self._running = worker
        return worker

    def finish(self, worker: Worker) -> Exit:
        """End the worker and return how it ended; raises `ZygoteLostError` when nobody can tell."""
        worker.kill()
        try:
            message, _ = self._receive(_ANSWER_SECONDS)
        finally:
            with self._guard:
                self._running = None
                worker.close()
        self._busy = False
        return Exit(code=message["code"], cpu_seconds=message["cpu_seconds"])

    def kill_worker(self) -> None:
        """End the worker that runs now, from any thread; nothing happens when none does."""
        with self._guard:
            if self._running is not None:
                self._running.kill()

    def close(self) -> None:
        """End the process, and with it any worker."""
        self._channel.close()
        os.close(self._lifeline)
        self._process.kill()
        self._process.wait()

    def _receive(self, seconds: float) -> tuple[dict[str, Any], list[int]]:
        if not readable(self._channel.fileno(), time.monotonic() + seconds):
            raise ZygoteLostError(f"it did not answer within {seconds:.0f} s")
        try:
            message, handles, _, _ = socket.recv_fds(self._channel, _MESSAGE, 1)
        except OSError as error:
            raise ZygoteLostError(error.strerror or "the connection broke") from error
        if not message:
            raise ZygoteLostError("it ended")
        return json.loads(message), list(handles)


def _environment() -> dict[str, str]:
    # The clock of the person: `now()` would otherwise answer in another zone than the shell.
    zone = os.environ.get("TZ")
    return _ENVIRONMENT | ({"TZ": zone} if zone else {})
