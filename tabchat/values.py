"""What JSON can hold, in the type checker's words, and records as JSON; and how lists of words are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"


_SHOWN: Final = 80
"""Characters of a name that an error quotes."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of `text`, parted by blanks and ends of lines."""
    return frozenset(text.split())


def fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of a JSON text, as its `object_pairs_hook`; raises `ValueError` where a field stands there twice.

    Of two fields of one name, Python's reader takes the last without a word.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"a field is given twice: {twice[:_SHOWN]!r}")
    return found


class PlainRecord:
    """A record whose JSON is its fields by name, in their order; records inside it by their own `to_json`."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the fields as plain JSON."""
        return {name: _plain(value) for name, value in vars(self).items()}


def _plain(value: Any) -> Any:
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
