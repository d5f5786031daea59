"""Arguments that stand for a text: the text itself, `@FILE`, or `-` for stdin."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import InputError, UsageError
from tabchat.private_files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable

STDIN: Final = "-"


def typed_text(argument: str) -> str:
    """Return the text that `argument` stands for; raises `InputError` for one that cannot be read."""
    try:
        if argument == STDIN:
            return read_text(sys.stdin)
        if argument.startswith("@"):
            return read_text(Path(argument[1:]).expanduser())
    except (OSError, UnicodeDecodeError) as error:
        where = "stdin" if argument == STDIN else repr(argument[1:])
        message = f"{where} cannot be read as text: {getattr(error, 'strerror', None) or error}."
        raise InputError(message, hint="Give the text itself, @FILE, or - for stdin.") from error
    return argument


def check_stdin(arguments: Iterable[str]) -> None:
    """Raise `UsageError` when more than one argument would be read from stdin: the second would find nothing."""
    if sum(argument == STDIN for argument in arguments) > 1:
        message = "Only one argument can be -: stdin is read once."
        raise UsageError(message, hint="Put the other one into a file.")


def is_file(argument: str) -> bool:
    """Return whether an argument names a file; a text that is too long for a name does not."""
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):
        return False
