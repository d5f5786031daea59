"""Reads the JSON header of a reply that nobody vouches for; whatever is not as it must be is a `BrokenReplyError`."""

from __future__ import annotations

import json
from typing import Any, Final

from tabchat.sandbox.reply.exchange import BrokenReplyError

_LIST_LIMIT: Final = 6_000


class Fields:
    """The fields of a JSON object; asking for one of the wrong type is a `BrokenReplyError`."""

    def __init__(self, stated: object) -> None:
        if not isinstance(stated, dict):
            raise BrokenReplyError("its header is no object")
        self._stated = stated

    def get(self, name: str) -> object:
        """Return the field, None when it is absent."""
        return self._stated.get(name)

    def text(self, name: str, limit: int) -> str:
        """Return a text of at most `limit` characters."""
        value = self._stated.get(name)
        if not isinstance(value, str) or len(value) > limit:
            raise _wrong(name)
        return value

    def number(self, name: str, most: int) -> int:
        """Return a whole number from 0 to `most`."""
        value = self._stated.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise _wrong(name)
        return value

    def items(self, name: str) -> list[Any]:
        """Return a list, empty when it is absent."""
        value = self._stated.get(name, [])
        if not isinstance(value, list) or len(value) > _LIST_LIMIT:
            raise _wrong(name)
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        items = self.items(name)
        if not all(isinstance(item, str) for item in items):
            raise _wrong(name)
        return items

    def member(self, name: str, kind: Any) -> Any:
        """Return the member of an enumeration that the field names."""
        try:
            return kind(self._stated.get(name))
        except ValueError as error:
            raise _wrong(name) from error


def _wrong(name: str) -> BrokenReplyError:
    return BrokenReplyError(f"its field `{name}` is not what it must be")


def parsed(header: memoryview) -> object:
    """Return the JSON of a header, in which no field is named twice and every number is finite."""
    try:
        return json.loads(str(header, "utf-8"), object_pairs_hook=_unrepeated, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BrokenReplyError("its header is not JSON") from error


def _unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise BrokenReplyError("its header repeats a field")
    return made


def _no_constant(name: str) -> object:
    raise BrokenReplyError(f"its header holds {name}")
