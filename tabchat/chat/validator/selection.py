"""Rows of a frame that a text names, and exact figures over them; large frames are asked in the engine."""

from __future__ import annotations

import datetime as dt
import math
import statistics
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.chat.validator.compare import decimal_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.chat.validator.views import Filters, Wanted
    from tabchat.engine.result import Frame
    from tabchat.engine.types import Row, Value

FEW: Final = 200
"""Rows of a selection that are fetched at the most."""


@record
class Stats:
    """Exact statistics of one column over a selection; none of them when there is no number."""

    count: int = 0
    min: Decimal | None = None
    max: Decimal | None = None
    mean: Decimal | None = None
    median: Decimal | None = None
    sum: Decimal | None = None


@dataclass
class Selection:
    """The rows of `frame` that match `filters`, in the frame's order; each figure is computed once."""

    frame: Frame
    names: tuple[str, ...]
    filters: Filters
    held: list[Row] | None
    _count: int | None = None
    _rows: list[Mapping[str, Value]] | None = None
    _stats: dict[str, Stats] = field(default_factory=dict)
    _top: dict[tuple[str, int, bool], list[Mapping[str, Value]]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many rows there are."""
        if self._count is None:
            if not self.filters:
                self._count = self.frame.row_count
            elif self.held is not None:
                self._count = len(self._matching())
            else:
                found = self.frame.engine.rows(self._query(exp.Count(this=exp.Star())))
                self._count = int(str(found[0][0]))
        return self._count

    def rows(self) -> list[Mapping[str, Value]]:
        """Return the first rows, at most 200."""
        if self._rows is None:
            rows = self._matching() if self.held is not None else self._fetch(self._query(*self._columns()))
            self._rows = [self._named(row) for row in rows[:FEW]]
        return self._rows

    def first(self) -> Mapping[str, Value] | None:
        """Return the first row in the frame's order."""
        rows = self.rows()
        return rows[0] if rows else None

    def last(self) -> Mapping[str, Value] | None:
        """Return the last row in the frame's order."""
        if self.held is not None:
            rows = self._matching()
            return self._named(rows[-1]) if rows else None
        if self.count <= FEW:
            return self.rows()[-1] if self.rows() else None
        found = self._fetch(self._query(*self._columns()).offset(self.count - 1))
        return self._named(found[0]) if found else None

    def stats(self, column: str) -> Stats:
        """Return the statistics of a numeric column."""
        if column not in self._stats:
            self._stats[column] = (
                _of_numbers(self._numbers(column)) if self.held is not None else self._aggregate(column)
            )
        return self._stats[column]

    def top(self, column: str, count: int, *, desc: bool) -> list[Mapping[str, Value]]:
        """Return the `count` rows with the largest (else smallest) numbers in `column`, in that order."""
        known = (column, count, desc)
        if known not in self._top:
            self._top[known] = self._ranked(column, count, desc=desc)
        return self._top[known]

    def beyond(self, column: str, value: Decimal, *, above: bool) -> int:
        """Return how many rows have a larger (else smaller) number in `column`."""
        if self.held is not None:
            numbers = self._numbers(column)
            return sum(number > value if above else number < value for number in numbers)
        kind = exp.GT if above else exp.LT
        condition = kind(this=_finite(column), expression=exp.Literal.number(str(value)))
        query = self._query(exp.Count(this=exp.Star())).where(condition)
        return int(str(self.frame.engine.rows(query)[0][0]))

    def distinct(self, column: str) -> int:
        """Return how many different values `column` has, nulls included."""
        if self.held is not None:
            at = self.names.index(column)
            return len({row[at] for row in self._matching()})
        counted = exp.Count(this=exp.Distinct(expressions=[_column(column)]))
        missing = exp.Count(this=exp.Case(ifs=[exp.If(this=_is_null(column), true=exp.Literal.number(1))]))
        found = self.frame.engine.rows(self._query(counted, missing))[0]
        return int(str(found[0])) + (1 if found[1] else 0)

    def ends(self, column: str) -> tuple[Value, Value]:
        """Return the least and the greatest value of any column that has an order."""
        if self.held is not None:
            at = self.names.index(column)
            values = [row[at] for row in self._matching() if row[at] is not None]
            return (min(values), max(values)) if values else (None, None)  # type: ignore[type-var]
        found = self.frame.engine.rows(
            self._query(exp.Min(this=_column(column)), exp.Max(this=_column(column)))
        )[0]
        return found[0], found[1]

    def _columns(self) -> list[exp.Expr]:
        return [_column(name) for name in self.names]

    def _query(self, *projections: exp.Expr) -> exp.Select:
        query = exp.select(*projections).from_(self.frame.query.subquery("frame"))
        for column, wanted in self.filters:
            query = query.where(_condition(column, wanted))
        return query

    def _fetch(self, query: exp.Select) -> list[Row]:
        return self.frame.engine.rows(query.limit(FEW))

    def _matching(self) -> Sequence[Row]:
        held = self.held or []
        tests = [(self.names.index(column), wanted) for column, wanted in self.filters]
        return [row for row in held if all(_has(row[at], wanted) for at, wanted in tests)]

    def _named(self, row: Row) -> Mapping[str, Value]:
        return dict(zip(self.names, row, strict=True))

    def _numbers(self, column: str) -> list[Decimal]:
        at = self.names.index(column)
        return [number for row in self._matching() if (number := decimal_of(row[at])) is not None]

    def _aggregate(self, column: str) -> Stats:
        value = _finite(column)
        total = exp.Anonymous(this="FSUM", expressions=[value.copy()])
        kinds = (exp.Count, exp.Min, exp.Max, exp.Avg, exp.Median)
        found = self.frame.engine.rows(self._query(*(kind(this=value.copy()) for kind in kinds), total))[0]
        low, high, mean, median, summed = map(decimal_of, found[1:])
        return Stats(count=int(str(found[0])), min=low, max=high, mean=mean, median=median, sum=summed)

    def _ranked(self, column: str, count: int, *, desc: bool) -> list[Mapping[str, Value]]:
        if self.held is not None:
            at = self.names.index(column)
            rows = [(number, row) for row in self._matching() if (number := decimal_of(row[at])) is not None]
            rows.sort(key=lambda pair: pair[0], reverse=desc)
            return [self._named(row) for _, row in rows[:count]]
        query = self._query(*self._columns()).where(
            exp.Not(this=exp.Is(this=_finite(column), expression=exp.Null()))
        )
        query = query.order_by(exp.Ordered(this=_column(column), desc=desc)).limit(count)
        return [self._named(row) for row in self.frame.engine.rows(query)]


def _of_numbers(numbers: Sequence[Decimal]) -> Stats:
    if not numbers:
        return Stats()
    total = Decimal(repr(math.fsum(float(number) for number in numbers)))
    if all(number == number.to_integral_value() for number in numbers):
        total = sum(numbers, Decimal(0))
    return Stats(
        count=len(numbers),
        min=min(numbers),
        max=max(numbers),
        mean=total / len(numbers),
        median=statistics.median(numbers),
        sum=total,
    )


def _has(value: Value, wanted: Wanted) -> bool:
    if not isinstance(wanted, tuple):
        return _hashable(value) in wanted
    day = value.date() if isinstance(value, dt.datetime) else value
    return isinstance(day, dt.date) and wanted[0] <= day <= wanted[1]


def _hashable(value: Value) -> Value:
    return str(value) if isinstance(value, list | dict) else value


def _condition(column: str, wanted: Wanted) -> exp.Expr:
    if isinstance(wanted, tuple):
        day = exp.Cast(this=_column(column), to=exp.DataType.build("DATE"))
        return exp.Between(this=day, low=_literal(wanted[0]), high=_literal(wanted[1]))
    options = [_literal(value) for value in wanted if value is not None]
    condition: exp.Expr = exp.In(this=_column(column), expressions=options) if options else exp.false()
    return exp.or_(condition, _is_null(column)) if None in wanted else condition


def _literal(value: Value) -> exp.Expr:
    if isinstance(value, bool):
        return exp.true() if value else exp.false()
    if isinstance(value, int | float | Decimal):
        return exp.Literal.number(str(value))
    text = exp.Literal.string(str(value))
    if isinstance(value, dt.datetime):
        return exp.Cast(this=text, to=exp.DataType.build("TIMESTAMP"))
    return exp.Cast(this=text, to=exp.DataType.build("DATE")) if isinstance(value, dt.date) else text


def _finite(column: str) -> exp.Expr:
    """Return the column as a number, without NaN and infinities."""
    double = exp.Cast(this=_column(column), to=exp.DataType.build("DOUBLE"))
    finite = exp.Anonymous(this="isfinite", expressions=[double])
    return exp.Case(ifs=[exp.If(this=finite, true=_column(column))])


def _is_null(column: str) -> exp.Expr:
    return exp.Is(this=_column(column), expression=exp.Null())


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)
