"""What the rows of a result are called, and how such names are compared."""

from __future__ import annotations

import datetime as dt
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import inert, number_text
from tabchat.engine.types import json_value

if TYPE_CHECKING:
    from tabchat.engine.types import Value

_LABEL: Final = 200
"""Characters of a label."""


def label_text(value: Value) -> str:
    """Return how a result writes a label: dates in ISO form, whole numbers without a point."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return number_text(value)
        case dt.datetime():
            return value.isoformat(sep=" ").removesuffix(" 00:00:00")
        case dt.date() | dt.time():
            return value.isoformat()
        case _:
            plain = inert(str(json_value(value)))
            return plain if len(plain) <= _LABEL else plain[: _LABEL - 1] + "…"


def fold(text: str) -> str:
    """Return `text` as labels and names are compared."""
    return unicodedata.normalize("NFC", text.strip()).casefold()
