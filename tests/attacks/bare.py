"""The worker without its lock: a warm process that forks for each piece of code, for positive controls.

Every line on its standard input is a job, every line on its standard output
the answer.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from tabchat.sandbox.worker import names
from tabchat.sandbox.worker.names import close_holes
from tabchat.sandbox.worker.warm import warm
from tabchat.sandbox.worker.warmth import Warmth
from tabchat.sandbox.worker.worker import Job, execution

_SECONDS: Final = 60.0
_LONGEST: Final = 60_000
"""Bytes that fit into a pipe that nobody empties meanwhile."""


def main() -> None:
    """Serve jobs over the Arrow stream in the file that the first argument names."""
    table = Path(sys.argv[1]).read_bytes()
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    # What the guard changes in the libraries belongs to the guard: only guarded code gets it.
    vars(names)["close_holes"] = _leave_holes
    kept = warm(Warmth.STATISTICS if sys.argv[2] == "True" else Warmth.USED)
    for line in jobs:
        answer = _forked(Job(**json.loads(line)), table, own=(jobs.fileno(), answers))
        os.write(answers, json.dumps(answer).encode() + b"\n")
    del kept


def _leave_holes(*, with_stats: bool) -> None:
    """Do nothing."""


def _forked(job: Job, table: bytes, own: tuple[int, int]) -> dict[str, Any]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        for descriptor in (*own, reader):
            os.close(descriptor)
        _run(job, table, writer)
    os.close(writer)
    ended = os.pidfd_open(child)
    select.select([ended], [], [], _SECONDS)
    # A child that hangs, and whatever it has left behind.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.set_blocking(reader, False)
    try:
        said = os.read(reader, _LONGEST)
    except BlockingIOError:
        said = b""
    os.close(ended)
    os.close(reader)
    return {"code": os.waitstatus_to_exitcode(status), "said": said.decode("latin-1")}


def _run(job: Job, table: bytes, writer: int) -> NoReturn:
    if job.guarded:
        vars(names)["close_holes"] = close_holes
    try:
        header, body = execution(job, table)
        said = json.dumps([header["ending"], repr(header)[: _LONGEST // 2], bytes(body).decode("latin-1")])
        os.write(writer, said.encode("ascii")[:_LONGEST])
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
