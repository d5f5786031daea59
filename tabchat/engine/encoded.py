"""Cells as JSON and back, exactly: what JSON has no form for is an object with one tagged field."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.types import JsonValue, Value


def encode_value(value: Value) -> JsonValue:
    """Turn a cell into JSON that `decode_value` turns back into an equal cell of the same type."""
    if isinstance(value, list):
        return [encode_value(item) for item in value]
    if isinstance(value, dict):
        return {"map": [[encode_value(key), encode_value(item)] for key, item in value.items()]}
    if (tag := _TAGS.get(type(value))) is not None:
        _, write, _ = _FORMS[tag]
        return {tag: write(value)}
    if isinstance(value, float) and value - value != 0:
        return {"float": repr(value)}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def decode_value(encoded: Any) -> Value:
    """Turn what `encode_value` returned back into a cell; `ValueError` for anything else."""
    match encoded:
        case None | bool() | int() | float() | str():
            return encoded
        case list():
            return [decode_value(item) for item in encoded]
        case dict() if len(encoded) == 1:
            ((tag, content),) = encoded.items()
            if tag in _READERS:
                return _READERS[tag](content)
    raise ValueError(f"{encoded!r:.80} is not an encoded cell")


def _decode_map(pairs: Any) -> Value:
    return {decode_value(key): decode_value(item) for key, item in pairs}  # type: ignore[misc]  # keys of MAP columns need not be text


_FORMS: Final[Mapping[str, tuple[type, Callable[[Any], JsonValue], Callable[[Any], Value]]]] = {
    "decimal": (Decimal, str, Decimal),
    "datetime": (dt.datetime, dt.datetime.isoformat, dt.datetime.fromisoformat),
    "date": (dt.date, dt.date.isoformat, dt.date.fromisoformat),
    "time": (dt.time, dt.time.isoformat, dt.time.fromisoformat),
    "timedelta": (
        dt.timedelta,
        lambda span: [span.days, span.seconds, span.microseconds],
        lambda parts: dt.timedelta(*parts),
    ),
    "bytes": (bytes, bytes.hex, bytes.fromhex),
}
"""Tag → the type of a cell, what turns one into JSON, and what reads that."""
_TAGS: Final = {kind: tag for tag, (kind, _, _) in _FORMS.items()}
_READERS: Final[Mapping[str, Callable[[Any], Value]]] = {
    **{tag: read for tag, (_, _, read) in _FORMS.items()},
    "float": float,
    "map": _decode_map,
}
