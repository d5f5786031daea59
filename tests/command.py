"""Running the command line as a person does: a process of its own, with nothing but its streams, home and exit code."""

import contextlib
import json
import os
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.forkserver.client import start


@dataclass(frozen=True)
class Finished:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def tabchat(
    *arguments: str | Path,
    stdin: str | bytes = b"",
    env: dict[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 120,
) -> Finished:
    """Run `tabchat` with `arguments`; the caller's isolated home is inherited."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    finished = run(
        ["tabchat", *map(str, arguments)], given, env={**os.environ, **(env or {})}, cwd=cwd, timeout=timeout
    )
    assert "Traceback" not in finished.err + finished.out, finished.err
    return finished


def run(words: list[str], stdin: bytes, *, env: dict[str, str], cwd: Path | None, timeout: float) -> Finished:
    """Run `python -m` with `words`; raises `subprocess.TimeoutExpired`, and ends it then."""
    taken: dict[str, bytes] = {}

    def give(pipe: int) -> None:
        # What is left in the buffer is written when the pipe is closed.
        with contextlib.suppress(BrokenPipeError), os.fdopen(pipe, "wb") as sink:
            sink.write(stdin)

    def take(name: str, pipe: int) -> None:
        with os.fdopen(pipe, "rb") as source:
            taken[name] = source.read()

    (read_in, write_in), (read_out, write_out), (read_err, write_err) = (os.pipe() for _ in range(3))
    theirs = (read_in, write_out, write_err)
    try:
        program = start(words, streams=theirs, environment=env, folder=cwd)
    finally:
        for pipe in theirs:
            os.close(pipe)
    threads = [
        threading.Thread(target=give, args=(write_in,)),
        threading.Thread(target=take, args=("out", read_out)),
        threading.Thread(target=take, args=("err", read_err)),
    ]
    for thread in threads:
        thread.start()
    try:
        code = program.wait(timeout)
    except subprocess.TimeoutExpired:
        program.kill()
        raise
    finally:
        for thread in threads:
            thread.join()
    return Finished(code, taken["out"].decode("utf-8", "replace"), taken["err"].decode("utf-8", "replace"))
