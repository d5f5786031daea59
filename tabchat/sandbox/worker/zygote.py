"""The zygote: a process that has loaded every library and forks one worker for each request.

It holds no table, runs no code of anybody, and serves one request after the
other. It ends when its parent does, however that ends: the kernel signals it
when the last writer of the lifeline is gone, even while a library loads.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import select
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tabchat.sandbox.worker.warm import warm
from tabchat.sandbox.worker.worker import run_job

if TYPE_CHECKING:
    from tabchat.sandbox.worker.warmth import Warmth

_MESSAGE: Final = 4096
_REQUEST, _TABLE, _REPLY = range(100, 103)
"""Where a worker finds its descriptors; every other one is closed."""


def main(control: int, lifeline: int, warmth: Warmth) -> NoReturn:
    """Warm up, say so, and serve requests until the parent is gone."""
    end_with(lifeline)
    channel = socket.socket(fileno=control)
    # What loading makes stays: looking for garbage in it would take a tenth of the time.
    gc.disable()
    try:
        loaded = warm(warmth)
        _settle()
    except BaseException as error:
        _say(channel, {"failed": f"{type(error).__name__}: {error}"[:1000]})
        raise
    _say(channel, {"ready": os.getpid(), "unloaded": loaded.unloaded})
    while True:
        _serve(channel, warmth)


def end_with(lifeline: int) -> None:
    """Have the kernel kill this process when no writer of the pipe `lifeline` is left."""
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    watched = select.poll()
    watched.register(lifeline, select.POLLHUP)
    # The parent may have ended before the kernel was asked to signal.
    if watched.poll(0):
        os._exit(0)


def _settle() -> None:
    """Leave the forks as little to copy as can be; raises RuntimeError when a library started a thread."""
    threads = sum(1 for _ in Path("/proc/self/task").iterdir())
    if threads != 1:
        raise RuntimeError(f"{threads} threads are alive after loading")
    gc.collect()
    gc.freeze()
    gc.enable()


def _serve(channel: socket.socket, warmth: Warmth) -> None:
    message, descriptors, _, _ = socket.recv_fds(channel, _MESSAGE, 3)
    if not message:
        os._exit(0)
    zygote = os.getpid()
    worker = os.fork()
    if worker == 0:
        _become_worker(descriptors, zygote, warmth)
    for descriptor in descriptors:
        os.close(descriptor)
    handle = os.pidfd_open(worker)
    socket.send_fds(channel, [json.dumps({"started": worker}).encode()], [handle])
    os.close(handle)
    _say(channel, _ended(worker))


def _become_worker(descriptors: list[int], zygote: int, warmth: Warmth) -> NoReturn:
    """Drop every descriptor but those of the job, and run it; never returns into the loop."""
    try:
        for descriptor, place in zip(descriptors, (_REQUEST, _TABLE, _REPLY), strict=True):
            os.dup2(descriptor, place)
        os.closerange(3, _REQUEST)
        os.closerange(_REPLY + 1, os.sysconf("SC_OPEN_MAX"))
        run_job(_REQUEST, _TABLE, _REPLY, zygote=zygote, warmth=warmth)
    finally:
        os._exit(1)


def _ended(worker: int) -> dict[str, Any]:
    """Wait for the worker, end what is left of its session, and return how it ended."""
    # The worker stays a zombie meanwhile, so that its number belongs to nobody else.
    os.waitid(os.P_PID, worker, os.WEXITED | os.WNOWAIT)
    # It is mostly alone, and may have ended before it had a session.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    _, status, used = os.wait4(worker, 0)
    return {
        "ended": worker,
        "code": os.waitstatus_to_exitcode(status),
        "cpu_seconds": used.ru_utime + used.ru_stime,
    }


def _say(channel: socket.socket, message: dict[str, Any]) -> None:
    channel.send(json.dumps(message).encode())
