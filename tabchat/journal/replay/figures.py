"""The figures of a result as plain values, and what is different between two of them.

A result of at most `MOST_ROWS` rows is held cell by cell; of a longer one, totals of every column that any changed
cell changes. Numbers are the same when they differ by less than `TOLERANCE` of themselves: sums of fractions depend
on the order in which an engine with several threads adds them.

The totals are, of text, dates and whole numbers, a sum of hashes (MD5, of which 64 bits are added), which does not depend on the order
of rows, and of all these columns together one of whole rows. Fractions differ in their last digits from run to run,
so of them the sum, and the sum of logarithms, in which each counts by how much it changes relative to itself.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.types import ColumnKind, json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import Column, JsonValue, Schema

WHOLE = "whole rows"
"""Name of the totals over all columns that hold no fractions."""


def totals_of(frame: Frame) -> Mapping[str, Mapping[str, JsonValue]]:
    """Return column → totals of a frame, read in one pass of the engine."""
    columns = [column for column in frame.schema if frame.columns.count(column.name) == 1]
    exact = [column for column in columns if column.kind is not ColumnKind.NUMBER]
    cells: list[tuple[str, str, exp.Expr]] = []
    for column in columns:
        cells += [(column.name, what, value) for what, value in _totals(column).items()]
    if exact:
        cells.append(
            (WHOLE, "hash", _hash(exp.func("concat_ws", exp.Literal.string("\x1f"), *map(_text, exact))))
        )
    query = exp.select(
        *(exp.alias_(value, f"t{index}", quoted=True) for index, (_, _, value) in enumerate(cells))
    ).from_(frame.query.copy().subquery("frame"))
    (row,) = frame.engine.rows(query)
    found: dict[str, dict[str, JsonValue]] = {}
    for (name, what, _), value in zip(cells, row, strict=True):
        found.setdefault(name, {})[what] = str(value) if what == "hash" else json_value(value)
    return found


def _totals(column: Column) -> Mapping[str, exp.Expr]:
    cell = exp.column(column.name, quoted=True)
    missing = exp.func("count_if", exp.Is(this=cell.copy(), expression=exp.Null()))
    if column.kind is ColumnKind.NUMBER:
        number = exp.cast(cell, "DOUBLE", dialect="duckdb")
        size = exp.func("nullif", exp.func("abs", number.copy()), exp.Literal.number(0))
        below = exp.func("count_if", exp.LT(this=number.copy(), expression=exp.Literal.number(0)))
        return {
            "sum": exp.func("sum", number),
            "sum of logarithms": exp.func("sum", exp.func("ln", size, dialect="duckdb")),
            "below zero": below,
            "missing": missing,
        }
    if column.kind is ColumnKind.INTEGER:
        return {"sum": exp.func("sum", cell), "hash": _hash(_text(column)), "missing": missing}
    return {"hash": _hash(_text(column)), "missing": missing}


def _text(column: Column) -> exp.Expr:
    text = exp.cast(exp.column(column.name, quoted=True), "VARCHAR", dialect="duckdb")
    return exp.func("coalesce", text, exp.Literal.string("\x00"))


def _hash(text: exp.Expr) -> exp.Expr:
    number = exp.cast(exp.Anonymous(this="md5_number_lower", expressions=[text]), "HUGEINT", dialect="duckdb")
    return exp.func("sum", number)


MOST_ROWS: Final = 200
TOLERANCE: Final = 1e-9
_SMALL_PERCENT: Final = 0.01


@record
class Figures:
    """What a result came to."""

    type: str
    columns: tuple[str, ...]
    row_count: int | None = None
    """Absent for figures that a person wrote down, of which there may be more rows and columns than these."""
    keys: tuple[str, ...] = ()
    """Columns that tell its rows apart; without any, rows are matched by their place."""
    rows: tuple[tuple[JsonValue, ...], ...] | None = None
    """Every row, of a result that is not too long for it."""
    totals: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)
    """Column → its totals, of a longer one."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the figures as plain JSON."""
        told: dict[str, JsonValue] = {
            "type": self.type,
            "row_count": self.row_count,
            "columns": list(self.columns),
        }
        if self.row_count is None:
            del told["row_count"]
        if self.keys:
            told["keys"] = list(self.keys)
        if self.rows is not None:
            told["rows"] = [list(row) for row in self.rows]
        if self.totals:
            told["totals"] = {name: dict(total) for name, total in self.totals.items()}
        return told

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Figures:
        """Build figures from what `to_json` returned, or a person wrote; `KeyError`, `TypeError` or `ValueError`."""
        rows = fields.get("rows")
        columns = tuple(map(str, fields["columns"]))
        if rows is not None and any(len(row) != len(columns) for row in rows):
            raise ValueError(f"a row of `rows` has not {len(columns)} cells, one for each of `columns`")
        return cls(
            type=str(fields.get("type", "table")),
            row_count=None if fields.get("row_count") is None else int(fields["row_count"]),
            columns=columns,
            keys=tuple(map(str, fields.get("keys", ()))),
            rows=None if rows is None else tuple(map(tuple, rows)),
            totals={str(name): dict(total) for name, total in fields.get("totals", {}).items()},
        )


@record
class Difference:
    """One figure that is not what it was."""

    column: str
    was: JsonValue
    now: JsonValue
    row: Mapping[str, JsonValue] = field(default_factory=dict)
    """The key cells of its row, or `row` and its place; empty for what is not of one row."""
    kind: str = "changed"
    """`changed`, `appeared` or `vanished`, of a row; `column` for a column that came or went."""

    @property
    def change(self) -> float | None:
        """How much more it is now; nothing for what are not two numbers."""
        was, now = self.was, self.now
        if isinstance(was, bool) or isinstance(now, bool):
            return None
        if isinstance(was, (int, float)) and isinstance(now, (int, float)):
            return now - was
        return None

    @property
    def percent(self) -> float | None:
        """The change in per cent of what it was; nothing where that was zero."""
        change, was = self.change, self.was
        return (
            100 * change / abs(was) if change is not None and isinstance(was, (int, float)) and was else None
        )

    @property
    def share(self) -> str:
        """The change in per cent as text, with the digits that a small one takes; empty where there is none."""
        if self.percent is None:
            return ""
        return f"{self.percent:+,.2f}" if abs(self.percent) >= _SMALL_PERCENT else f"{self.percent:+.1g}"

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{kind, row, column, was, is, difference, percent}`."""
        return {
            "kind": self.kind,
            "row": dict(self.row),
            "column": self.column,
            "was": self.was,
            "is": self.now,
            "difference": self.change,
            "percent": self.percent,
        }


def figures_of(result: Result, *, most: int = MOST_ROWS) -> Figures:
    """Return the figures of a result; one of more than `most` rows is read in the engine alone."""
    frame = result.frame
    short = frame.row_count <= most
    rows = tuple(tuple(map(json_value, row)) for row in frame.rows()) if short else None
    return Figures(
        type=result.kind.value,
        row_count=frame.row_count,
        columns=frame.columns,
        keys=_keys(result.group_by, frame.schema, rows),
        rows=rows,
        totals={} if short else totals_of(frame),
    )


def _keys(
    group_by: Sequence[str], schema: Schema, rows: Sequence[Sequence[JsonValue]] | None
) -> tuple[str, ...]:
    """Return the columns that tell rows apart: those it was grouped by, else those that hold no numbers, if they do."""
    names = [column.name for column in schema]
    found = [name for name in group_by if name in names] or [
        column.name for column in schema if not column.kind.is_numeric
    ]
    if not found or rows is None or len(rows) < 2 or len(set(names)) < len(names):  # noqa: PLR2004 - one row needs no name
        return ()
    places = [names.index(name) for name in found]
    return tuple(found) if _unique(rows, places) else ()


def _unique(rows: Sequence[Sequence[JsonValue]], places: Sequence[int]) -> bool:
    seen = {_label(row, places) for row in rows}
    return len(seen) == len(rows)


def _label(row: Sequence[JsonValue], places: Sequence[int]) -> str:
    return repr([row[place] for place in places])


def same(was: JsonValue, now: JsonValue) -> bool:
    """Return whether two cells are the same: numbers within the tolerance, everything else exactly."""
    if isinstance(was, bool) or isinstance(now, bool) or (isinstance(was, int) and isinstance(now, int)):
        return type(was) is type(now) and was == now
    if isinstance(was, (int, float)) and isinstance(now, (int, float)):
        return math.isclose(was, now, rel_tol=TOLERANCE)
    return type(was) is type(now) and was == now


def differences(was: Figures, now: Figures) -> Iterator[Difference]:
    """Yield every figure of `was` that is another one in `now`, and what is in one of them alone."""
    for name in was.columns:
        if name not in now.columns:
            yield Difference(kind="column", column=name, was="there", now=None)
    if was.row_count is not None:
        for name in now.columns:
            if name not in was.columns:
                yield Difference(kind="column", column=name, was=None, now="there")
        if was.row_count != now.row_count:
            yield Difference(column="rows", was=was.row_count, now=now.row_count)
    if was.rows is not None and now.rows is not None:
        yield from _row_differences(was, now)
    elif was.rows is None and now.rows is None:
        yield from _total_differences(was, now)


def _total_differences(was: Figures, now: Figures) -> Iterator[Difference]:
    for name, total in was.totals.items():
        other = now.totals.get(name, {})
        for what, value in total.items():
            if what in other and not same(value, other[what]):
                yield Difference(column=f"{what} of {name}", was=value, now=other[what])


def _row_differences(was: Figures, now: Figures) -> Iterator[Difference]:
    old, new = _by_key(was, now), _by_key(now, was)
    shared = [name for name in was.columns if name in now.columns]
    for label, row in old.items():
        other = new.get(label)
        named = _named(was, row, label)
        if other is None:
            yield Difference(
                kind="vanished", column="", was=dict(zip(was.columns, row, strict=True)), now=None, row=named
            )
            continue
        for name in shared:
            before, after = row[was.columns.index(name)], other[now.columns.index(name)]
            if not same(before, after):
                yield Difference(column=name, was=before, now=after, row=named)
    for label, row in new.items():
        if label not in old and was.row_count is not None:
            cells = dict(zip(now.columns, row, strict=True))
            yield Difference(kind="appeared", column="", was=None, now=cells, row=_named(now, row, label))


def _by_key(figures: Figures, other: Figures) -> Mapping[str, Sequence[JsonValue]]:
    """Return the rows of `figures` by what they are matched with those of `other` by."""
    rows, keys = figures.rows or (), _matching(figures, other)
    if not keys:
        return {str(number): row for number, row in enumerate(rows, start=1)}
    places = [figures.columns.index(name) for name in keys]
    return {_label(row, places): row for row in rows}


def _matching(figures: Figures, other: Figures) -> tuple[str, ...]:
    """Return the columns that rows of both are matched by: keys of the longer one, else of the other, that do for both."""
    longer, shorter = sorted((figures, other), key=lambda item: (-len(item.rows or ()), item.keys))
    for keys in (longer.keys, shorter.keys):
        known = all(name in figures.columns and name in other.columns for name in keys)
        if keys and known and all(_tells_apart(item, keys) for item in (figures, other)):
            return keys
    return ()


def _tells_apart(figures: Figures, keys: Sequence[str]) -> bool:
    return _unique(figures.rows or (), [figures.columns.index(name) for name in keys])


def _named(figures: Figures, row: Sequence[JsonValue], label: str) -> Mapping[str, JsonValue]:
    if figures.keys:
        return {name: row[figures.columns.index(name)] for name in figures.keys}
    return {"row": int(label)} if label.isdecimal() and len(figures.rows or ()) > 1 else {}
