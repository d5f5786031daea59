"""How an invocation becomes an exit code: a plain question goes to its command, all else through the option parser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.cli.typed import STDIN, is_file
from tabchat.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMANDS: Final[Mapping[str, str]] = {
    "ask": "tabchat.cli.ask",
    "repl": "tabchat.cli.repl",
    "query": "tabchat.cli.compute",
    "sql": "tabchat.cli.compute",
    "analyze": "tabchat.cli.analyze",
    "run": "tabchat.cli.code",
    "edit": "tabchat.cli.edit",
    "profile": "tabchat.cli.look",
    "view": "tabchat.cli.view",
    "check": "tabchat.cli.check",
    "show": "tabchat.cli.kept",
    "results": "tabchat.cli.kept",
    "export": "tabchat.cli.kept",
    "mcp": "tabchat.cli.mcp",
    "rerun": "tabchat.cli.rerun",
    "session": "tabchat.cli.session",
    "test": "tabchat.cli.test",
    "egress": "tabchat.cli.egress",
    "doctor": "tabchat.cli.doctor",
    "config": "tabchat.cli.config",
    "model": "tabchat.cli.model",
    "cache": "tabchat.cli.cache",
}
"""Every command and the module of its function; `session`, `config`, `model` and `cache` are groups of commands."""


def invoke(argv: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    argv = with_command(argv)
    if _is_plain_question(argv):
        return _asked(argv[1:])
    from tabchat.cli.app import parsed

    return parsed(argv)


def _is_plain_question(argv: Sequence[str]) -> bool:
    """Whether there are only words to `ask`: without an option there is nothing to parse, and no parser to load."""
    return len(argv) > 1 and argv[0] == "ask" and not any(word.startswith("-") for word in argv)


def _asked(words: Sequence[str]) -> int:
    from tabchat.cli.ask import ask
    from tabchat.cli.groups import Asking, Drawn, Reading, Running

    try:
        return ask(list(words), Reading(), Running(), Asking(), Drawn())
    except KeyboardInterrupt:
        # As the option parser does it.
        return ExitCode.INTERRUPTED


def with_command(argv: Sequence[str]) -> Sequence[str]:
    """Return the arguments with their command: `tabchat FILE "QUESTION"` is `ask`, also for a file that is missing."""
    first = argv[0] if argv else ""
    if not first or first in COMMANDS or (first.startswith("-") and first != STDIN):
        return argv
    is_named = first == STDIN or Path(first).suffix or os.sep in first or is_file(first)
    return ["ask", *argv] if is_named else argv
