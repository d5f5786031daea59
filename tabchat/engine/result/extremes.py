"""What is told of the rows of a frame without telling them all: the first and the last, the extremes, statistics."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlglot import exp

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Column, Row, Value

_STATS_AT_ONCE: Final = 200
_POSITION: Final = "__position__"


def ends(frame: Frame, shown: Sequence[Column]) -> tuple[Mapping[str, Value], Mapping[str, Value]]:
    """Return the shown columns of the first row, and of the last row when there is more than one."""
    if not shown or frame.row_count == 0:
        return {}, {}
    if frame.is_few:
        rows = frame.few
        return (
            _cells(frame, shown, rows[0]) if rows else {},
            _cells(frame, shown, rows[-1]) if len(rows) > 1 else {},
        )
    from sqlglot import exp

    names = [column.name for column in shown]
    query = exp.select(*map(_column, names)).from_(frame.query.subquery("frame")).limit(1)
    first: list[Row] = frame.engine.rows(query)
    last = frame.engine.rows(query.offset(frame.row_count - 1)) if frame.row_count > 1 else []
    low, high = (dict(zip(names, rows[0], strict=True)) if rows else {} for rows in (first, last))
    return low, high


def extreme(
    frame: Frame, shown: Sequence[Column], ranked: Column, *, desc: bool
) -> Mapping[str, Value] | None:
    """Return the first row, in the frame's order, that has the smallest or largest value of `ranked`."""
    if frame.is_few and ranked.kind.is_numeric:
        return _extreme_of_few(frame, shown, ranked, desc=desc)
    from sqlglot import exp

    names = [column.name for column in shown]
    numbered = exp.select("*", exp.alias_(exp.Window(this=exp.RowNumber()), _POSITION, quoted=True))
    inner = numbered.from_(frame.query.subquery("frame"))
    value = _finite(ranked)
    query = (
        exp.select(*map(_column, names))
        .from_(inner.subquery("numbered"))
        .where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())))
        .order_by(exp.Ordered(this=value, desc=desc), exp.Ordered(this=_column(_POSITION)))
        .limit(1)
    )
    rows = frame.engine.rows(query)
    return dict(zip(names, rows[0], strict=True)) if rows else None


def _extreme_of_few(
    frame: Frame, shown: Sequence[Column], ranked: Column, *, desc: bool
) -> Mapping[str, Value] | None:
    place = frame.columns.index(ranked.name)
    values = [(value, row) for row in frame.few if (value := number(row[place])) is not None]
    finite = [(value, row) for value, row in values if not isinstance(value, float) or isfinite(value)]
    # Both give the first of several that are alike.
    found = (max if desc else min)(finite, key=itemgetter(0), default=None)
    return _cells(frame, shown, found[1]) if found is not None else None


def _cells(frame: Frame, shown: Sequence[Column], row: Row) -> dict[str, Value]:
    # Of two columns of one name the first is meant, as in SQL.
    by_name = dict(reversed([*zip(frame.columns, row, strict=False)]))
    return {column.name: by_name[column.name] for column in shown}


def statistics(frame: Frame, columns: Sequence[Column]) -> Mapping[str, Row]:
    """Return column → smallest, largest and mean value, over its finite values; nothing of a frame without rows."""
    names = [column.name for column in columns] if frame.row_count else []
    known = frame.held.stats if frame.held is not None else {}
    if all(name in known for name in names):
        return {name: known[name] for name in names}
    return _aggregated(frame, columns)


def _aggregated(frame: Frame, columns: Sequence[Column]) -> dict[str, Row]:
    """Aggregate `columns`, some at a time so that a very wide frame stays within one query's limits."""
    from sqlglot import exp

    found: dict[str, Row] = {}
    for start in range(0, len(columns), _STATS_AT_ONCE):
        some = columns[start : start + _STATS_AT_ONCE]
        values = [_finite(column) for column in some]
        aggregates = [call(this=value.copy()) for value in values for call in (exp.Min, exp.Max, exp.Avg)]
        (cells,) = frame.engine.rows(exp.select(*aggregates).from_(frame.query.subquery("frame")))
        found |= {column.name: cells[3 * place : 3 * place + 3] for place, column in enumerate(some)}
    return found


def number(value: Value) -> int | float | Decimal | None:
    """Return a value that is a number, and nothing for another."""
    return value if isinstance(value, (int, float, Decimal)) else None


def _finite(column: Column) -> exp.Expr:
    """Return the column, without NaN and infinities where its type has them."""
    from sqlglot import exp

    if column.kind is not ColumnKind.NUMBER or column.sql_type.startswith("DECIMAL"):
        return _column(column.name)
    finite = exp.Anonymous(this="isfinite", expressions=[_column(column.name)])
    return exp.Case(ifs=[exp.If(this=finite, true=_column(column.name))])


def _column(name: str) -> exp.Column:
    from sqlglot import exp

    return exp.column(name, quoted=True)
