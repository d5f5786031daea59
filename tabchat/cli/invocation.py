"""How an invocation becomes an exit code: a plain question goes to its command, all else through the option parser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.cli.options.typed import STDIN, is_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMANDS: Final[Mapping[str, str]] = {
    "ask": "tabchat.cli.commands.ask",
    "repl": "tabchat.cli.commands.repl",
    "query": "tabchat.cli.commands.compute",
    "sql": "tabchat.cli.commands.compute",
    "analyze": "tabchat.cli.commands.analyze",
    "run": "tabchat.cli.commands.code",
    "edit": "tabchat.cli.commands.edit",
    "profile": "tabchat.cli.commands.look",
    "view": "tabchat.cli.commands.view",
    "check": "tabchat.cli.commands.check",
    "show": "tabchat.cli.commands.kept",
    "results": "tabchat.cli.commands.kept",
    "export": "tabchat.cli.commands.kept",
    "mcp": "tabchat.cli.commands.mcp",
    "rerun": "tabchat.cli.commands.rerun",
    "session": "tabchat.cli.commands.session",
    "test": "tabchat.cli.commands.test",
    "egress": "tabchat.cli.commands.egress",
    "words": "tabchat.cli.commands.words",
    "doctor": "tabchat.cli.commands.doctor",
    "config": "tabchat.cli.commands.config",
    "model": "tabchat.cli.commands.model",
    "cache": "tabchat.cli.commands.cache",
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
    from tabchat.cli.commands.ask import ask
    from tabchat.cli.options.groups import Asking, Drawn, Reading, Running

    return ask(list(words), Reading(), Running(), Asking(), Drawn())


def with_command(argv: Sequence[str]) -> Sequence[str]:
    """Return the arguments with their command: `tabchat FILE "QUESTION"` is `ask`, also for a file that is missing."""
    first = argv[0] if argv else ""
    if not first or first in COMMANDS or (first.startswith("-") and first != STDIN):
        return argv
    is_named = first == STDIN or Path(first).suffix or os.sep in first or is_file(first)
    return ["ask", *argv] if is_named else argv
