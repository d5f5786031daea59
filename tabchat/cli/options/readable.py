"""What the reader can be told of a file: encodings, formats and kinds of columns that there are."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from tabchat.engine.reader.source.files import FORMATS
from tabchat.engine.reader.text.plans import KIND_NAMES
from tabchat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_readable(encoding: str | None, input_format: str | None, types: Iterable[tuple[str, str]]) -> None:
    """Raise `UsageError` for a name that means no encoding, no format or no kind of a column."""
    if encoding is not None and not _is_encoding(encoding):
        message = f"--encoding cannot be {encoding!r}."
        raise UsageError(message, hint="Use a name such as utf-8, utf-16, cp1251, cp1252, koi8-r.")
    if input_format is not None and input_format not in FORMATS:
        message = f"--input-format cannot be {input_format!r}."
        raise UsageError(message, hint=f"Use one of {', '.join(FORMATS)}.")
    for name, kind in types:
        if kind.lower() not in KIND_NAMES:
            message = f"--type cannot make {name!r} {kind!r}."
            raise UsageError(message, hint="Kinds: integer, number, boolean, text, date, datetime, time.")


def _is_encoding(name: str) -> bool:
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return True
