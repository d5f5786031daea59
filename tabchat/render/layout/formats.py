"""JSON for programs that a terminal can show safely, with rows as arrays or as objects by column."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

from tabchat.engine.cells import unique_names
from tabchat.inert import UNSAFE

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping

    from tabchat.engine.types import JsonValue


def json_line(value: JsonValue) -> str:
    """Return `value` as one line of JSON that is safe on a terminal: the same document, invisible characters escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return UNSAFE.sub(_json_escape, text)


def json_pieces(value: Mapping[str, JsonValue], name: str, items: Iterable[JsonValue]) -> Iterator[str]:
    """Yield one line of JSON in pieces: `value`, with `items`, of which one is held at a time, as its `name`.

    What goes wrong before the first item does so before anything is yielded.
    """
    iterator = iter(items)
    first = list(itertools.islice(iterator, 1))
    yield f"{json_line({**value, name: []})[:-2]}"
    for number, item in enumerate(itertools.chain(first, iterator)):
        yield f"{', ' if number else ''}{json_line(item)}"
    yield "]}"


def _json_escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))


def with_row_objects(value: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return `value` with the rows of its `table`, also of one in `result` or `data`, as objects by column.

    Of two columns of one name, the second is told apart by a number.
    """
    return {name: _converted(name, item) for name, item in value.items()}


def _converted(name: str, item: JsonValue) -> JsonValue:
    if not isinstance(item, dict):
        return item
    if name in {"result", "data"}:
        return with_row_objects(item)
    columns, rows = item.get("columns"), item.get("rows")
    if name != "table" or not isinstance(columns, list) or not isinstance(rows, list):
        return item
    names = unique_names([str(column) for column in columns])
    cells = [dict(zip(names, row, strict=True)) for row in rows if isinstance(row, (list, tuple))]
    return {**item, "columns": [*names], "rows": [*cells]}
