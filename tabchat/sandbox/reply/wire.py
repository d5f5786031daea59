"""The bytes between the parent and its worker: one framed reply, and values that name their type.

Both sides import this module; it uses the standard library only. Nothing is
pickled, in either direction.
"""

from __future__ import annotations

import datetime as dt
import json
import struct
from decimal import Decimal
from typing import Any, Final

MAGIC: Final = b"tabchat\x01"
PREFIX: Final = struct.Struct("<8sQQ")
"""Magic, bytes of the JSON header, bytes of the Arrow body."""
HEADER_LIMIT: Final = 2_000_000
"""Bytes of a header. The longest honest one holds `NAMED_LIMIT` characters of named values, each escaped."""
NAMED_LIMIT: Final = 200_000
"""Characters of all named values together; more of them become a table."""
TEXT_LIMIT: Final = 8_000
"""Characters of a result that is text, and of a message."""
COLUMN_LIMIT: Final = 5_000
"""Columns of a table that crosses."""
TOLD_LIMIT: Final = 100
"""Names of columns that the header lists."""
ENTRY_LIMIT: Final = 1_000
"""Entries of a dict that is shown as named values; a larger one becomes a table."""

_FORMS: Final[dict[str, tuple[type, Any, Any]]] = {
    "int": (int, str, int),
    "float": (float, repr, float),
    "str": (str, str, str),
    "decimal": (Decimal, str, Decimal),
    "datetime": (dt.datetime, dt.datetime.isoformat, dt.datetime.fromisoformat),
    "date": (dt.date, dt.date.isoformat, dt.date.fromisoformat),
    "time": (dt.time, dt.time.isoformat, dt.time.fromisoformat),
}
"""Name → the type of a value, what writes it as text, and what reads that."""
_NAMES: Final = {kind: name for name, (kind, _, _) in _FORMS.items()}


def framed(header: dict[str, Any], body: Any) -> tuple[bytes, Any]:
    """Return the first bytes of a reply, and its body."""
    text = json.dumps(header, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
    return PREFIX.pack(MAGIC, len(text), len(body)) + text, body


def tagged(value: object) -> list[str]:
    """Return a plain Python value as `[type, text]`; TypeError for any other."""
    if value is None:
        return ["none", ""]
    if isinstance(value, bool):
        return ["bool", "true" if value else "false"]
    if isinstance(value, dt.timedelta):
        return ["timedelta", f"{value.days},{value.seconds},{value.microseconds}"]
    name = _NAMES.get(type(value))
    if name is None:
        raise TypeError(f"{type(value).__name__} is not a plain value")
    _, write, _ = _FORMS[name]
    return [name, write(value)]


def untagged(pair: object) -> Any:
    """Return the value of `[type, text]`; ValueError for anything that `tagged` does not write."""
    match pair:
        case ["none", ""]:
            return None
        case ["bool", "true" | "false" as text]:
            return text == "true"
        case ["timedelta", str(text)]:
            days, seconds, microseconds = (int(part) for part in text.split(","))
            return dt.timedelta(days=days, seconds=seconds, microseconds=microseconds)
        case [str(name), str(text)] if name in _FORMS:
            _, _, read = _FORMS[name]
            try:
                return read(text)
            except ArithmeticError as error:  # how Decimal refuses a text
                raise ValueError("not a decimal") from error
        case _:
            raise ValueError("not a tagged value")
