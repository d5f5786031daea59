"""The rows that a model may read: those of a small aggregate, and at privacy level `preview` a few of any result."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from tabchat.config import PrivacyLevel
from tabchat.engine.cells import Verbatim, inert, number_text, quoted, rounded, unique_names
from tabchat.engine.result.calendar_numbers import calendar_numbers
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import HELPER_PREFIX
from tabchat.record import record
from tabchat.tools.privacy import told_cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.result.result import Result
    from tabchat.engine.types import JsonValue, Value
    from tabchat.tools.registry import Workspace

AGGREGATE_ROWS: Final = 30
"""An aggregate of no more rows is given in full, when its block is short enough."""
FIRST_ROWS: Final = 10
"""Rows that are given of a longer one."""
AGGREGATE_CHARACTERS: Final = 2_000
"""Characters of the block of rows of an aggregate."""

MAX_ROWS: Final = 10
"""Rows of any other result, at privacy level `preview`."""
MAX_CHARACTERS: Final = 6_000
MAX_CELL: Final = 240

_NUMBER_LIKE: Final = re.compile(r"[-+]?[\d.,]+%?")


@record
class Preview:
    """Some rows of a result, from its first one on."""

    rows: tuple[Mapping[str, JsonValue], ...]
    """Column → cell: numbers rounded, dates as ISO text, and `Verbatim` where a cell is described."""
    of: int
    """How many rows the result has."""
    is_cut: bool
    """Whether a row, or a part of a cell, is left out."""
    unsaid: int = 0
    """Texts among the cells that are not shown."""

    @property
    def fields(self) -> dict[str, JsonValue]:
        """The envelope's `{rows}`."""
        return {"rows": list(map(dict, self.rows))}

    @property
    def size(self) -> int:
        """Characters of the rows as JSON."""
        return len(json.dumps(self.fields["rows"], ensure_ascii=False))


def build_preview(
    workspace: Workspace, result: Result, *, collects: bool, aggregates: bool
) -> Preview | None:
    """Return the rows of `result` that a model may read, nothing where it may read none.

    All of an aggregate, else its first 10 rows, in at most 2,000 characters as `rows_text` writes them. Of another
    result, at privacy level `preview` alone, at most `preview_rows` rows, never over 10 rows, 6,000 characters of JSON
    or 240 characters a cell: a longer text is described, a longer list cut. `collects` says that a cell may hold many others, and is described instead.
    """
    match workspace.privacy:
        case PrivacyLevel.STRICT:
            return None
        case _ if aggregates:
            return _of_aggregates(result, collects=collects)
        case PrivacyLevel.SUMMARY:
            return None
        case PrivacyLevel.PREVIEW:
            return _of_any(result, min(workspace.preview_rows, MAX_ROWS), collects=collects)


def told_alone(result: Result, told: int) -> int | None:
    """Return how many of the first `told` rows of an aggregate may stand for one row of the source each.

    Nothing where the result is made of such rows: of more than `FIRST_ROWS` rows most are, or all as far as is known.
    """
    count, alone = result.frame.row_count, result.metadata.alone
    if result.kind in {ResultKind.SCALAR, ResultKind.DICT}:
        return 0
    alone = count if alone is None else min(alone, count)
    return None if count > FIRST_ROWS and 2 * alone > count else min(alone, told)


def rows_text(preview: Mapping[str, JsonValue] | None, row_count: int) -> str:
    """Write the `preview` of an envelope as a block: `rows:`, a header, and lines `a | b | c`; nothing without rows."""
    listed = preview.get("rows") if preview is not None else None
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, (list, tuple)) else []
    if not rows:
        return ""
    head = "rows:" if len(rows) == row_count else f"rows (first {len(rows)} of {row_count}):"
    lines = (" | ".join(map(_written, row.values())) for row in rows)
    return "\n".join((head, " | ".join(map(quoted, rows[0])), *lines))


def _of_aggregates(result: Result, *, collects: bool) -> Preview | None:
    count = result.frame.row_count
    numbers = calendar_numbers(result)
    names, rows = _rows(result, min(count, AGGREGATE_ROWS))
    told = [
        dict(
            zip(
                unique_names(list(map(inert, names))),
                (
                    _json(told_cell(cell, collects=collects, names=numbers.get(name)))
                    for name, cell in zip(names, row, strict=True)
                ),
                strict=True,
            )
        )
        for row in rows
    ]
    wanted = told if count <= AGGREGATE_ROWS and fits(told, count) else told[:FIRST_ROWS]
    while wanted and not fits(wanted, count):
        wanted.pop()
    return Preview(rows=tuple(wanted), of=count, is_cut=len(wanted) < count) if wanted else None


def fits(rows: Sequence[Mapping[str, JsonValue]], count: int) -> bool:
    """Tell whether rows of `count` are short enough for a model to be told them."""
    return len(rows_text({"rows": list(map(dict, rows))}, count)) <= AGGREGATE_CHARACTERS


def _of_any(result: Result, wanted: int, *, collects: bool) -> Preview:
    names, found = _rows(result, wanted)
    cells = [[_flat(_described(cell, collects=collects)) for cell in row] for row in found]
    cut = any(
        isinstance(cell, str) and (isinstance(cell, Verbatim) or len(cell) > MAX_CELL)
        for row in cells
        for cell in row
    )
    unique = unique_names(list(map(inert, names)))
    rows = [dict(zip(unique, map(_bounded, row), strict=True)) for row in cells]
    preview = Preview(rows=tuple(rows), of=result.frame.row_count, is_cut=cut)
    while preview.rows and preview.size > MAX_CHARACTERS:
        preview = Preview(rows=preview.rows[:-1], of=preview.of, is_cut=True)
    is_cut = preview.is_cut or len(preview.rows) < preview.of
    return Preview(rows=preview.rows, of=preview.of, is_cut=is_cut)


def _rows(result: Result, wanted: int) -> tuple[list[str], list[list[Value]]]:
    """Return the names of the visible columns, and the first rows."""
    columns = result.frame.columns
    places = [place for place, name in enumerate(columns) if not name.startswith(HELPER_PREFIX)]
    rows = result.frame.rows(wanted) if wanted and places else []
    return [columns[place] for place in places], [[row[place] for place in places] for row in rows]


def _json(value: Value) -> JsonValue:
    if isinstance(value, Verbatim):
        return value
    plain = rounded(value)
    return inert(plain) if isinstance(plain, str) else plain


def _flat(value: Value) -> JsonValue:
    plain = _json(value)
    return inert(json.dumps(plain, ensure_ascii=False)) if isinstance(plain, (list, dict)) else plain


def _described(cell: Value, *, collects: bool) -> Value:
    is_long = isinstance(cell, str) and len(cell) > MAX_CELL
    return told_cell(cell, collects=True) if collects or is_long else cell


def _bounded(cell: JsonValue) -> JsonValue:
    long = isinstance(cell, str) and len(cell) > MAX_CELL
    return f"{cell[: MAX_CELL - 1]}…" if long and isinstance(cell, str) else cell


def _written(cell: JsonValue) -> str:
    """Write a cell of the block; a text that could be taken for a number is quoted."""
    match cell:
        case Verbatim():
            return str(cell)
        case str() if _NUMBER_LIKE.fullmatch(cell):
            return f'"{cell}"'
        case str():
            return quoted(cell, limit=MAX_CELL)
        case bool():
            return "true" if cell else "false"
        case int() | float():
            return number_text(cell)
        case _:
            return "null"
