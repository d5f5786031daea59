"""The owner of error messages and exit codes: every failure becomes a few lines on stderr and one code."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from typing import TYPE_CHECKING, Final

from tabchat.errors import (
    ExitCode,
    InterruptedByUserError,
    NotUnderstoodError,
    OutputError,
    PlanIssue,
    PlanValidationError,
    TabchatError,
)
from tabchat.render.layout.text import cut, sanitise, sanitise_lines
from tabchat.render.terminal.console import make_consoles

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

PROGRAM: Final = "tabchat"
_FURTHER: Final = " " * len("  try: ")
"""Before each further line of a hint."""
_HANG: Final = 5
"""Columns by which the further lines of a reading or of questions to ask are set in."""


def report(error: BaseException, consoles: Consoles | None = None) -> ExitCode:
    """Say on stderr what went wrong and what to try, and return the exit code; never shows a traceback."""
    if _is_closed_pipe(error):
        # The reader of our output has seen enough.
        _silence_stdout()
        return ExitCode.ANSWERED
    if isinstance(error, SystemExit):
        return _exit_code(error)
    _settle_stdout()
    consoles = consoles or make_consoles()
    known = _known(error)
    if known is None:
        return _report_internal(error, consoles)
    for line in _describe(known, consoles.glyphs):
        if line.startswith(PROGRAM) or (
            isinstance(known, NotUnderstoodError) and not line.startswith(_FURTHER)
        ):
            consoles.prose(consoles.err, line, hang=2 if line.startswith(PROGRAM) else _HANG)
        else:
            # A hint may hold a command, which is copied as it stands.
            consoles.err.print(line)
    return known.exit_code


def as_told(error: BaseException) -> TabchatError | None:
    """Return what is told of `error`; nothing for a closed pipe or a request to leave, which are no failures."""
    if _is_closed_pipe(error) or isinstance(error, SystemExit):
        return None
    return _known(error) or TabchatError(_internal_message(error))


def _is_closed_pipe(error: BaseException) -> bool:
    # The option parser's own answer to a closed pipe is to leave.
    cause = error.__context__ if isinstance(error, SystemExit) else error
    return isinstance(cause, BrokenPipeError)


def _known(error: BaseException) -> TabchatError | None:
    """Return `error` as one of this program's own; nothing for a bug."""
    match error:
        case TabchatError():
            return error
        case KeyboardInterrupt():
            return InterruptedByUserError("Interrupted.")
        case MemoryError():
            hint = "Set TABCHAT_MEMORY_LIMIT, or ask for less."
            return TabchatError("There is not enough memory.", hint=hint)
        case OSError(errno=errno.ENOSPC | errno.EIO | errno.EDQUOT):
            return OutputError(f"The output cannot be written: {error.strerror}.", hint="Free some space.")
        case OSError(errno=errno.EBADF):
            return OutputError(
                "The output cannot be written: it is closed.", hint="Open it, such as with > FILE."
            )
        case _:
            return None


def _internal_message(error: BaseException) -> str:
    lines = str(error).splitlines() or [""]
    return f"internal error: {type(error).__name__}: {lines[0]}"


def _describe(error: TabchatError, glyphs: Glyphs) -> Iterator[str]:
    if isinstance(error, PlanValidationError) and len(error.issues) > 1:
        yield f"{PROGRAM}: error: the plan has {len(error.issues)} errors"
        for issue in error.issues:
            yield from _describe_issue(issue, glyphs)
        return
    message = sanitise_lines(error.message, glyphs).rstrip()
    is_offer = isinstance(error, NotUnderstoodError) and bool(error.readings)
    # Readings to choose from are an answer of a kind, and nothing that the person did wrong.
    yield f"{PROGRAM}: {message}" if is_offer else f"{PROGRAM}: error: {message}"
    if isinstance(error, NotUnderstoodError):
        if any(word not in error.message for word in error.words):
            words = ", ".join(f'"{sanitise(word, glyphs)}"' for word in error.words)
            yield f"  not understood: {words}"
        for reading in error.readings:
            yield f"  {reading.n}. {sanitise(reading.interpretation, glyphs)}"
    if error.hint:
        first, *more = sanitise_lines(error.hint, glyphs).split("\n")
        yield f"  try: {first}"
        yield from (f"{_FURTHER}{line}" for line in more)


def _describe_issue(issue: PlanIssue, glyphs: Glyphs) -> Iterator[str]:
    step, expression = sanitise(issue.step, glyphs), sanitise(issue.expression, glyphs)
    where = f"{step} '{expression}'" if expression not in {"", step} else step
    yield f"  {where}: {sanitise(issue.message, glyphs)}"
    if issue.hint:
        yield f"    try: {sanitise(issue.hint, glyphs)}"


def _exit_code(stop: SystemExit) -> ExitCode:
    wanted = stop.code or 0
    return next((code for code in ExitCode if code == wanted), ExitCode.INTERNAL)


def _report_internal(error: BaseException, consoles: Consoles) -> ExitCode:
    message = cut(sanitise(f"{PROGRAM}: {_internal_message(error)}", consoles.glyphs), 400)
    consoles.err.print(message)
    kept = _keep_traceback(error)
    if kept is not None:
        consoles.err.print(f"  try: report it with the details in {sanitise(str(kept), consoles.glyphs)}")
    return ExitCode.INTERNAL


def _keep_traceback(error: BaseException) -> Path | None:
    """Write the traceback to a file that only its owner can read; nothing when no file can be written."""
    import traceback

    from tabchat.config import Settings

    try:
        folder = Settings().data_dir
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
        text = "".join(traceback.format_exception(error))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except (OSError, RuntimeError):
        return None
    return path


def _settle_stdout() -> None:
    """Write out what waits for stdout; what cannot be written must not fail again when the interpreter ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _silence_stdout()


def _silence_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's own flush at exit finds no closed pipe."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
