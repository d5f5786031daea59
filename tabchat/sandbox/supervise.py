"""Watches one worker from its first byte to its end: the clock, the size of its reply, the way it ends."""

from __future__ import annotations

import dataclasses
import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.policy import Purpose
from tabchat.sandbox.reply.exchange import BrokenReplyError, Reply, read_reply, readable
from tabchat.sandbox.reply.outcome import CodeFailure, Ending, SandboxOutcome
from tabchat.sandbox.reply.untrusted import Expected, read_outcome
from tabchat.sandbox.spare import Exit, ZygoteLostError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.sandbox.policy import SandboxPolicy, SandboxRequest
    from tabchat.sandbox.spare import Worker, Zygote

_PIPE_BYTES: Final = 1 << 20
_MIB: Final = 1024 * 1024


def supervised(
    zygote: Zygote,
    job: int,
    table: int,
    *,
    policy: SandboxPolicy,
    request: SandboxRequest,
    cancelled: Callable[[], bool],
) -> SandboxOutcome:
    """Run one job on a fresh worker and return how it ended; the worker is gone by then, whatever happens.

    Raises `ZygoteLostError` when the zygote cannot start a worker.
    """
    import fcntl

    started = time.monotonic()
    reader, writer = os.pipe()
    try:
        try:
            # The kernel may grant a user no more large pipes; small ones do, only slower.
            with suppress(PermissionError):
                fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            worker = zygote.fork(job, table, writer)
            # From here on `Zygote.kill_worker` reaches it; who cancelled before did not.
            if cancelled():
                worker.kill()
        finally:
            os.close(writer)
        seen, ended = _watched(zygote, worker, reader, started + policy.wall_seconds, policy)
    finally:
        os.close(reader)
    outcome = _outcome(seen, ended, policy, request)
    return dataclasses.replace(outcome, seconds=time.monotonic() - started)


def _watched(
    zygote: Zygote, worker: Worker, reader: int, deadline: float, policy: SandboxPolicy
) -> tuple[Reply | SandboxOutcome | None, Exit]:
    """Return a reply, an ending that was seen from outside, or None when the process ended by itself."""
    try:
        seen = _seen(worker, reader, deadline, policy)
    finally:
        # Also when a person interrupts: nothing of the run stays behind.
        try:
            ended = zygote.finish(worker)
        except ZygoteLostError:
            # The kernel ends the worker with it, and the next run starts another.
            ended = Exit(code=-signal.SIGKILL, cpu_seconds=0.0)
    return seen, ended


def _seen(
    worker: Worker, reader: int, deadline: float, policy: SandboxPolicy
) -> Reply | SandboxOutcome | None:
    try:
        reply = read_reply(reader, deadline, policy.max_reply_mb * _MIB)
    except BrokenReplyError as error:
        return _broken(error)
    except TimeoutError:
        return _timed_out(policy)
    # A process may close its end and go on.
    if reply is None and not readable(worker.handle, deadline):
        return _timed_out(policy)
    return reply


def _outcome(
    seen: Reply | SandboxOutcome | None, ended: Exit, policy: SandboxPolicy, request: SandboxRequest
) -> SandboxOutcome:
    if isinstance(seen, SandboxOutcome):
        return seen
    if seen is None:
        return _ended_early(ended, policy)
    try:
        expected = Expected(
            max_rows=None if request.purpose is Purpose.EDIT else policy.max_rows,
            max_stdout=policy.max_stdout,
            names=frozenset(request.schema.names),
        )
        outcome = read_outcome(seen, expected)
    except BrokenReplyError as error:
        return _broken(error)
    return _explained(outcome, policy, request.purpose)


def _explained(outcome: SandboxOutcome, policy: SandboxPolicy, purpose: Purpose) -> SandboxOutcome:
    """Add the sentence to endings that the worker only names."""
    message = {
        Ending.NO_RESULT: "The code left no table in `df`."
        if purpose is Purpose.EDIT
        else "The code left no value in `result`.",
        Ending.OUT_OF_MEMORY: f"The code needs more memory than the {policy.memory_mb:,} MB it may use.",
        Ending.EXITED: "The code ended the process instead of leaving a value in `result`.",
    }.get(outcome.ending)
    if message is None:
        return outcome
    return dataclasses.replace(outcome, failure=_failure(outcome.ending, message))


def _ended_early(ended: Exit, policy: SandboxPolicy) -> SandboxOutcome:
    if ended.code >= 0:
        return _without(Ending.EXITED, "The code ended the process before it left a value in `result`.")
    overtime = ended.code == -signal.SIGKILL and ended.cpu_seconds >= policy.cpu_seconds
    if ended.code == -signal.SIGXCPU or overtime:
        return _without(
            Ending.OUT_OF_CPU, f"The code used more than the {policy.cpu_seconds} s of processor time it has."
        )
    try:
        name = signal.Signals(-ended.code).name
    except ValueError:  # a real-time signal has no name
        name = str(-ended.code)
    why = ", perhaps because the machine has no memory left" if ended.code == -signal.SIGKILL else ""
    return _without(Ending.CRASHED, f"The process of the code crashed (signal {name}{why}).")


def _timed_out(policy: SandboxPolicy) -> SandboxOutcome:
    return _without(Ending.TIMED_OUT, f"The code ran longer than {policy.wall_seconds:g} s and was stopped.")


def _broken(error: BrokenReplyError) -> SandboxOutcome:
    return _without(
        Ending.BROKE_PROTOCOL, f"The reply of the process that ran the code is not used: {error}."
    )


def _without(ending: Ending, message: str) -> SandboxOutcome:
    return SandboxOutcome(ending=ending, failure=_failure(ending, message))


def _failure(ending: Ending, message: str) -> CodeFailure:
    return CodeFailure(kind=ending.value, message=message)
