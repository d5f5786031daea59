"""Writing results and tables to files: `/export` and `/save`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import ExitCode, UsageError
from tabchat.render.block import narrate_written
from tabchat.repl.registry import Command
from tabchat.store import is_key
from tabchat.store.naming import is_short

if TYPE_CHECKING:
    from tabchat.repl.shell import Shell

_FLAGS: Final = {
    "--source": "the rows behind the result instead",
    "--force": "over a file that is there",
    "--guard-formulas": "mark cells that a spreadsheet would run",
}
_OUTPUT: Final = frozenset({"-o", "--output"})
"""What names the file at the shell, and may here."""
FORCE: Final = {"--force": _FLAGS["--force"]}
"""The option of every command that writes a file, with what it does."""


def export(shell: Shell, argument: str) -> ExitCode:
    """Write a result, the last one by default, or the rows behind it, to a file."""
    words = words_of(argument, "/export [KEY] FILE [--source] [--force]", at_least=1)
    names = [word for word in words if word not in _FLAGS and word not in _OUTPUT]
    unknown = [word for word in names if word.startswith("--")]
    if unknown or not 1 <= len(names) <= 2:  # noqa: PLR2004 - a key and a file
        message = f"/export cannot use {unknown[0]!r}." if unknown else "/export needs a file to write."
        raise UsageError(message, hint=f"/export [KEY] FILE, with {' '.join(_FLAGS)} as wanted.")
    key = names[0] if len(names) > 1 or _is_result(names[0]) else shell.require_block().data_key
    if key is None or _is_result(names[-1]):
        message = "/export needs a file to write." if key else "The last result could not be kept."
        raise UsageError(message, hint="/export [KEY] FILE")
    target = Path(names[-1]).expanduser()
    with shell.activity.working("writing"):
        written = shell.session.export(
            key,
            target,
            source="--source" in words,
            force="--force" in words,
            guard_formulas="--guard-formulas" in words,
        )
    narrate_written(shell.consoles, written.rows, target, written.warnings)
    return ExitCode.ANSWERED


def _is_result(name: str) -> bool:
    return is_key(name) or is_short(name)


def save(shell: Shell, argument: str) -> ExitCode:
    """Write the current table, edits included, to another file."""
    usage = "/save FILE [--force]"
    words = words_of(argument, usage, at_least=1)
    names = [word for word in words if word != "--force"]
    if len(names) != 1 or names[0].startswith("--"):
        raise UsageError("/save needs one file to write.", hint=usage)
    target = Path(names[0]).expanduser()
    with shell.activity.working("writing"):
        written = shell.session.save(target, force="--force" in words)
    narrate_written(shell.consoles, written.rows, target, written.warnings)
    return ExitCode.ANSWERED


def words_of(argument: str, usage: str, *, at_least: int, at_most: int | None = None) -> list[str]:
    """Return the words of a command that takes a file, as a shell splits them; `usage` is the hint of an error."""
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise UsageError(f"A quotation mark in {argument!r} is never closed.", hint=usage) from error
    if len(words) < at_least or (at_most is not None and len(words) > at_most):
        message = f"{usage.split(maxsplit=1)[0]} needs {'one file' if at_most else 'a file'}."
        raise UsageError(message, hint=usage)
    return words


EXPORT: Final = Command(
    name="export",
    arguments="[KEY] FILE",
    summary="write a whole result; --source --force --guard-formulas",
    run=export,
    takes=("key", "path"),
    flags={**_FLAGS, "-o": "the file to write"},
)
