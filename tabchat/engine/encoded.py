"""Cells as JSON and back, exactly: what JSON has no form for is an object with one tagged field."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.types import FROM_ISO

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.types import JsonValue, Value


def encode_value(value: Value) -> JsonValue:
    """Turn a cell into JSON that `decode_value` turns back into an equal cell of the same type."""
    if isinstance(value, list):
        return [encode_value(item) for item in value]
    if isinstance(value, dict):
        return {"map": [[encode_value(key), encode_value(item)] for key, item in value.items()]}
    if type(value) in _TAGS:
        tag = _TAGS[type(value)]
        return {tag: _ENCODERS[tag](value)}
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
            if tag in _DECODERS:
                return _DECODERS[tag](content)
    message = f"{encoded!r:.80} is not an encoded cell"
    raise ValueError(message)


def _decode_map(pairs: Any) -> Value:
    return {decode_value(key): decode_value(item) for key, item in pairs}  # type: ignore[misc]  # keys of MAP columns need not be text


_TAGS: Final[Mapping[type, str]] = {
    Decimal: "decimal",
    dt.datetime: "datetime",
    dt.date: "date",
    dt.time: "time",
    dt.timedelta: "timedelta",
    bytes: "bytes",
}

_ENCODERS: Final[Mapping[str, Callable[[Any], JsonValue]]] = {
    "decimal": str,
    "datetime": dt.datetime.isoformat,
    "date": dt.date.isoformat,
    "time": dt.time.isoformat,
    "timedelta": lambda span: [span.days, span.seconds, span.microseconds],
    "bytes": bytes.hex,
}

_DECODERS: Final[Mapping[str, Callable[[Any], Value]]] = {
    "float": float,
    "decimal": Decimal,
    **FROM_ISO,
    "timedelta": lambda parts: dt.timedelta(*parts),
    "bytes": bytes.fromhex,
    "map": _decode_map,
}
