"""Finding the one cell of a result that a short path names, such as `max.region` or `revenue[region=Asia]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.result import ResultKind
from tabchat.engine.types import HELPER_PREFIX, ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.result import Frame, Result
    from tabchat.engine.types import Column, Row, Value

TIES: Final = 3
"""As many rows as share an extreme are named; more are not one answer."""

_EXTREME: Final = re.compile(r"(?P<end>max|min)(?:\((?P<by>.+?)\))?\.(?P<column>.+)", re.DOTALL)
_PLACE: Final = re.compile(r"(?P<place>first|last|\d{1,9})\.(?P<column>.+)", re.DOTALL)
_LABELLED: Final = re.compile(r"(?P<column>.+?)\[(?P<labels>.+)\]", re.DOTALL)
_LABEL: Final = re.compile(r"\s*(?P<key>[^=,]+?)\s*=\s*(?P<label>\"[^\"]*\"|'[^']*'|[^,]*?)\s*(?:,|$)")
_NAMING: Final = re.compile(r"(?:^|_)(?:year|id|code|no|рік|год|код)(?:_|$)", re.IGNORECASE)
"""Columns whose whole numbers name something."""
_KEYS: Final = 3
"""Columns that name a row of a table without groups."""
_POSITION: Final = "__position__"


@record
class Found:
    """A value of a result, and where it stands."""

    value: Value
    column: str | None = None
    row: Mapping[str, Value] | None = None
    """Key columns of the row; absent for a value of the whole result."""
    is_label: bool = False
    """True for what names a row: its digits are no quantity."""
    unit: str | None = None
    others: tuple[Value, ...] = ()
    """Labels of the other rows that share the extreme."""


def find_cell(result: Result, path: str) -> Found | None:
    """Return what `path` names in `result`; nothing when it names no cell, or more than one."""
    return _of_the_whole(result, path) or _of_a_row(result, path)


def _of_the_whole(result: Result, path: str) -> Found | None:
    """Find the number of rows, the value of a scalar, or a named value."""
    if path == "rows":
        return Found(value=result.frame.row_count)
    if path == "value" and result.kind is ResultKind.SCALAR:
        return Found(value=result.value, column="value", unit=_only_unit(result.frame))
    name = _same(path, result.values)
    if name is not None:
        return Found(value=result.values[name], column=name, unit=_unit(result.frame, name))
    return None


def _of_a_row(result: Result, path: str) -> Found | None:
    if match := _EXTREME.fullmatch(path):
        return _extreme(result, match["column"], match["by"], desc=match["end"] == "max")
    if match := _PLACE.fullmatch(path):
        return _placed(result, match["place"], match["column"])
    if match := _LABELLED.fullmatch(path):
        return _labelled(result, match["column"], match["labels"])
    column = _column(result.frame, path)
    if column is not None and result.frame.row_count == 1:
        return _found(result, column, result.frame.rows(1)[0])
    return None


def _extreme(result: Result, name: str, by: str | None, *, desc: bool) -> Found | None:
    column = _column(result.frame, name)
    ranked = _column(result.frame, by) if by is not None else _ranked(result)
    if column is None or ranked is None or not _has_order(ranked):
        return None
    rows = _extreme_rows(result.frame, ranked, desc=desc)
    if not rows or len(rows) > TIES:
        return None
    cells = [_found(result, column, row) for row in rows]
    if by is None and not _says_the_same(result, column, ranked, cells[0], desc=desc):
        return None
    if len({cell.value for cell in cells if _is_plain(cell.value)}) == 1:
        return cells[0]
    if not cells[0].is_label:
        return None
    return Found(
        value=cells[0].value,
        column=column.name,
        row=cells[0].row,
        is_label=True,
        others=tuple(cell.value for cell in cells[1:]),
    )


def _says_the_same(result: Result, column: Column, ranked: Column, cell: Found, *, desc: bool) -> bool:
    """Return whether `max.x` has one meaning.

    It may mean x in the row that ranks first, or the largest x: unless both are
    the same value, neither is taken.
    """
    if column.name == ranked.name or cell.is_label or not column.kind.is_numeric:
        return True
    rows = _extreme_rows(result.frame, column, desc=desc)
    return bool(rows) and rows[0][result.frame.columns.index(column.name)] == cell.value


def _placed(result: Result, place: str, name: str) -> Found | None:
    column = _column(result.frame, name)
    count = result.frame.row_count
    number = {"first": 1, "last": count}.get(place) or int(place)
    if column is None or not 1 <= number <= count:
        return None
    return _found(result, column, result.frame.rows(1, offset=number - 1)[0])


def _labelled(result: Result, name: str, labels: str) -> Found | None:
    column = _column(result.frame, name)
    wanted = {match["key"]: match["label"].strip("\"'") for match in _LABEL.finditer(labels)}
    if not wanted and len(result.group_by) == 1:
        wanted = {result.group_by[0]: labels.strip().strip("\"'")}
    keys = {_column(result.frame, key): label for key, label in wanted.items()}
    if column is None or not keys:
        return None
    conditions = []
    for key, label in keys.items():
        if key is None:
            return None
        text = exp.func("lower", exp.cast(_place(key), "VARCHAR"))
        conditions.append(exp.EQ(this=text, expression=exp.Literal.string(label.lower())))
    query = exp.select("*").from_(result.frame.query.subquery("frame")).where(*conditions).limit(2)
    rows = result.frame.engine.rows(query)
    return _found(result, column, rows[0]) if len(rows) == 1 else None


def _extreme_rows(frame: Frame, ranked: Column, *, desc: bool) -> list[Row]:
    """Return the rows with the largest or smallest finite value, in the frame's order, one more than are named."""
    numbered = exp.select("*", exp.alias_(exp.Window(this=exp.RowNumber()), _POSITION, quoted=True))
    names = [_place(column) for column in frame.schema]
    value = _finite(ranked)
    end = exp.Max if desc else exp.Min
    best = exp.select(end(this=value.copy())).from_(frame.query.subquery("frame")).subquery()
    query = (
        exp.select(*names)
        .from_(numbered.from_(frame.query.subquery("frame")).subquery("numbered"))
        .where(exp.EQ(this=value, expression=best))
        .order_by(exp.column(_POSITION, quoted=True))
        .limit(TIES + 1)
    )
    return frame.engine.rows(query)


def _found(result: Result, column: Column, row: Row) -> Found:
    cells = dict(zip(result.frame.columns, row, strict=True))
    keys = _keys(result)
    return Found(
        value=cells[column.name],
        column=column.name,
        row={name: cells[name] for name in keys},
        is_label=column.name in keys or _NAMING.search(column.name) is not None,
        unit=column.unit,
    )


def _keys(result: Result) -> Sequence[str]:
    """Return the columns that name a row: the group keys, else what is neither a number nor computed."""
    if result.group_by:
        return result.group_by
    return [
        column.name
        for column in result.frame.schema
        if column.kind in {ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.DATETIME}
        and not column.name.startswith(HELPER_PREFIX)
    ][:_KEYS]


def _ranked(result: Result) -> Column | None:
    """Return the column whose extremes are told: the charted one, else the first number that is no key."""
    charted = result.chart.value if result.chart else None
    numbers = [
        column
        for column in result.frame.schema
        if column.kind.is_numeric
        and column.name not in result.group_by
        and not column.name.startswith(HELPER_PREFIX)
    ]
    focused = [column for column in numbers if column.name in result.focus]
    return next((column for column in numbers if column.name == charted), None) or next(
        iter([*focused, *numbers]), None
    )


def _column(frame: Frame, name: str) -> Column | None:
    bare = name.strip().strip('"`')
    by_name = {column.name: column for column in frame.schema if not column.name.startswith(HELPER_PREFIX)}
    same = _same(bare, by_name)
    return by_name[same] if same is not None else None


def _same(name: str, known: Mapping[str, object]) -> str | None:
    """Return the one of `known` that is called `name`, whatever its case when that is unambiguous."""
    if name in known:
        return name
    folded = [other for other in known if other.casefold() == name.casefold()]
    return folded[0] if len(folded) == 1 else None


def _unit(frame: Frame, name: str) -> str | None:
    return next((column.unit for column in frame.schema if column.name == name), None)


def _only_unit(frame: Frame) -> str | None:
    return frame.schema[0].unit if len(frame.schema) == 1 else None


def _has_order(column: Column) -> bool:
    return column.kind.is_numeric or column.kind.is_temporal or column.kind is ColumnKind.TIME


def _is_plain(value: Value) -> bool:
    return not isinstance(value, (list, dict))


def _finite(column: Column) -> exp.Expr:
    """Return the column, without NaN and infinities where its type has them."""
    if column.kind is not ColumnKind.NUMBER or column.sql_type.startswith("DECIMAL"):
        return _place(column)
    finite = exp.Anonymous(this="isfinite", expressions=[_place(column)])
    return exp.Case(ifs=[exp.If(this=finite, true=_place(column))])


def _place(column: Column) -> exp.Column:
    return exp.column(column.name, quoted=True)
