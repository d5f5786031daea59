"""What JSON can hold, in the type checker's words, and records as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"


def fields_json(record: object) -> dict[str, JsonValue]:
    """Return the fields of a record by name, in their order; records inside it by their own `to_json`."""
    return {name: _plain(value) for name, value in vars(record).items()}


def _plain(value: Any) -> Any:
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
