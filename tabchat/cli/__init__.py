"""The command line: arguments to settings, to a session, to the renderer; no logic of its own."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(argv: Sequence[str]) -> int:
    """Run one command and return its exit code; whatever fails is reported, never raised."""
    try:
        # Ctrl-C while it loads is no traceback, either.
        code = _completed(argv) if argv[:1] == ["--complete"] else _invoked(argv)
        # A full disk shows only when the last bytes are written.
        sys.stdout.flush()
    except BaseException as raised:  # noqa: BLE001 - the last seam: nothing may reach a person as a traceback
        from tabchat.render.diagnostics import report

        error = _unwrapped(raised)
        _tell_programs(error, argv)
        code = report(error)
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    return code


def _invoked(argv: Sequence[str]) -> int:
    from tabchat.cli.invocation import invoke

    return invoke(argv)


def _completed(argv: Sequence[str]) -> int:
    """Answer a shell whose user presses Tab; nothing of the commands is loaded."""
    from tabchat.cli.completion import answer

    sys.stdout.write(answer(argv[1:]))
    return 0


def _unwrapped(error: BaseException) -> BaseException:
    """Return the Ctrl-C in `error`: Python 3.11 wraps one that comes while a class is being made."""
    if isinstance(error, RuntimeError) and isinstance(error.__cause__, KeyboardInterrupt):
        return error.__cause__
    return error


def _tell_programs(error: BaseException, argv: Sequence[str]) -> None:
    """Print the error as JSON for those who asked for it, wherever it happened: in the options, too."""
    from tabchat.render.diagnostics import as_told

    told = as_told(error)
    if told is None or not {"--json", "--events"}.intersection(argv):
        return
    from tabchat.chat.turn.answer import Answer
    from tabchat.render.layout.formats import json_line

    value = Answer(question="", error=told).to_json()
    if "--events" in argv:
        value = {"event": "error", "error": told.to_json()}
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(json_line(value) + "\n")
        sys.stdout.flush()
