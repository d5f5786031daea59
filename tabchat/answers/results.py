"""The results that an answer may refer to, and the finding of single cells in them.

Small results are fetched once. Of large ones nothing is fetched but the cells that are asked for: the engine looks.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.answers.receipts import CitedCell
from tabchat.engine.cells import inert, number_text
from tabchat.engine.result import ResultKind
from tabchat.engine.types import HELPER_PREFIX, ColumnKind, json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.result import Result
    from tabchat.engine.types import Column, Row, Value

FETCHED: Final = 1_000
"""Rows up to which a result is fetched whole."""
TIES: Final = 3
"""Rows that may share an extreme and still be named."""
SHOWN_WHOLE: Final = 30
"""Rows up to which a model is shown all of a small aggregate."""
SHOWN_FIRST: Final = 10
"""Rows that a model is shown of a longer one."""
_KEYS: Final = 3
_LABEL: Final = 200
_PARTIAL_DATE: Final = re.compile(r"\d{4}(?:-\d\d)?")
_POSITION: Final = "__position__"
_AGGREGATES: Final = {"sum": exp.Sum, "mean": exp.Avg, "median": exp.Median, "min": exp.Min, "max": exp.Max}


@record
class NumberedResult:
    """A result of the conversation under the number that a model knows it by."""

    number: int
    result: Result
    data_key: str | None = None
    is_shown: bool = True
    """Whether the model was told values of it; not at level strict."""


@record
class Line:
    """One row of a result."""

    position: int
    cells: Mapping[str, Value]


@record
class Span:
    """Which rows of a column are meant, by position; all by default."""

    start: int = 0
    stop: int | None = None


@dataclass
class ResultCells:
    """Looks cells up in one result."""

    given: NumberedResult

    @property
    def number(self) -> int:
        """The number of the result."""
        return self.given.number

    @property
    def result(self) -> Result:
        """The result itself."""
        return self.given.result

    @property
    def row_count(self) -> int:
        """Rows of the result."""
        return self.result.frame.row_count

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """The columns that can be referred to, by name."""
        schema = self.result.frame.schema
        return {column.name: column for column in schema if not column.name.startswith(HELPER_PREFIX)}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The columns that name a row: the group keys; without groups what is no quantity."""
        if self.result.group_by:
            return tuple(name for name in self.result.group_by if name in self.columns)
        named = [name for name, column in self.columns.items() if _is_name(column)]
        first = next(iter(self.columns.values()), None)
        if first is not None and first.kind is ColumnKind.INTEGER and self.result.kind is ResultKind.TABLE:
            named = [first.name, *named]
        return tuple(named)

    @cached_property
    def naming(self) -> tuple[str, ...]:
        """The key columns by which a receipt names a row."""
        return self.keys if self.result.group_by else self.keys[:_KEYS]

    def column(self, name: str) -> Column | None:
        """Return the column of that name, whatever its case when that is unambiguous."""
        if name in self.columns:
            return self.columns[name]
        folded = [column for other, column in self.columns.items() if fold(other) == fold(name)]
        return folded[0] if len(folded) == 1 else None

    def line(self, position: int) -> Line | None:
        """Return the row at `position`, counted from the end when negative; nothing when there is none."""
        place = position if position >= 0 else self.row_count + position
        if not 0 <= place < self.row_count:
            return None
        if self._rows is not None:
            return self._line(place, self._rows[place])
        rows = self.result.frame.rows(1, offset=place)
        return self._line(place, rows[0]) if rows else None

    def find(self, labels: Sequence[Value]) -> list[Line]:
        """Return the rows that have every label in one of their key columns; no more than a few of them."""
        exact = self._find(labels, partial=False)
        return exact or self._find(labels, partial=True)

    def aggregate(self, function: str, column: Column, span: Span) -> Value:
        """Return `sum`, `mean`, `median`, `min`, `max` or `count` of the values in a column; nulls do not count."""
        if self._rows is not None:
            return _aggregated(function, self.values(column, span))
        place = exp.column(column.name, quoted=True)
        value: exp.Expr = place
        if column.kind is ColumnKind.NUMBER and not column.sql_type.startswith("DECIMAL"):
            finite = exp.Anonymous(this="isfinite", expressions=[place.copy()])
            value = exp.Case(ifs=[exp.If(this=finite, true=place)])
        call = exp.Count(this=value) if function == "count" else _AGGREGATES[function](this=value)
        inner = self.result.frame.query
        if span != Span():
            stop = self.row_count if span.stop is None else span.stop
            taken = exp.select("*").from_(inner.subquery("frame"))
            inner = taken.limit(max(stop - span.start, 0)).offset(span.start)
        return self.result.frame.engine.rows(exp.select(call).from_(inner.subquery("frame")))[0][0]

    def values(self, column: Column, span: Span) -> list[Value]:
        """Return the values in a column of a small result, without nulls and what is no number of its kind."""
        place = list(self.result.frame.columns).index(column.name)
        rows = (self._rows or [])[span.start : span.stop]
        return [row[place] for row in rows if is_value(row[place])]

    def extremes(self, column: Column, *, largest: bool) -> list[Line]:
        """Return the rows with the largest or smallest value, one more than may be named at most."""
        best = self.aggregate("max" if largest else "min", column, Span())
        if best is None:
            return []
        if self._rows is not None:
            lines = (self._line(place, row) for place, row in enumerate(self._rows))
            return [line for line in lines if line.cells[column.name] == best][: TIES + 1]
        return self._where(exp.EQ(this=exp.column(column.name, quoted=True), expression=exp.convert(best)))

    def shown(self) -> list[Line]:
        """Return the rows that a model was told values of."""
        if not self.given.is_shown or not self.row_count:
            return []
        whole = self.is_aggregate and self.row_count <= SHOWN_WHOLE
        places = range(self.row_count if whole or self.row_count == 1 else min(SHOWN_FIRST, self.row_count))
        lines = [line for place in places if (line := self.line(place)) is not None]
        if not whole and (last := self.line(-1)) is not None:
            lines += [last, *self._ends()]
        return list({line.position: line for line in lines}.values())

    @cached_property
    def is_aggregate(self) -> bool:
        """Whether the rows are aggregates rather than records."""
        return self.result.kind is not ResultKind.TABLE or bool(self.result.group_by) or self.row_count == 1

    def cite(self, column: str | None, line: Line | None, value: Value) -> CitedCell:
        """Return the cell of `column` in `line` for a receipt."""
        row = {} if line is None or self.row_count == 1 else {name: line.cells[name] for name in self.naming}
        return CitedCell(data_key=self.given.data_key, column=column, row=row, value=value)

    def labels_in(self, text: str) -> dict[str, set[str]]:
        """Return key column → the labels of a large result that stand in `text`, letter by letter."""
        if self._rows is not None:
            return {}
        folded = exp.Literal.string(text.lower())
        found: dict[str, set[str]] = {}
        for name in self.naming:
            if self.columns[name].kind is not ColumnKind.TEXT:
                continue
            place = exp.column(name, quoted=True)
            inside = exp.func("contains", folded.copy(), exp.func("lower", place.copy()))
            long = exp.GT(this=exp.func("length", place.copy()), expression=exp.Literal.number(2))
            query = exp.select(place).distinct().from_(self.result.frame.query.subquery("frame"))
            rows = self.result.frame.engine.rows(query.where(long, inside).limit(SHOWN_WHOLE))
            found[name] = {str(row[0]) for row in rows}
        return found

    @cached_property
    def _rows(self) -> list[Row] | None:
        return self.result.frame.rows() if self.row_count <= FETCHED else None

    def _line(self, position: int, row: Row) -> Line:
        cells = dict(zip(self.result.frame.columns, row, strict=False))
        return Line(position=position, cells={name: cells[name] for name in self.columns})

    def _ends(self) -> Iterator[Line]:
        charted = self.result.chart.value if self.result.chart else None
        column = self.columns.get(charted or "")
        if column is None or not column.kind.is_numeric:
            return
        for largest in (False, True):
            yield from self.extremes(column, largest=largest)[:1]

    def _find(self, labels: Sequence[Value], *, partial: bool) -> list[Line]:
        if not self.keys:
            return []
        if self._rows is not None:
            names = [
                place
                for place, texts in enumerate(self._texts)
                if self._matches(texts, labels, partial=partial)
            ]
            return [self._line(place, self._rows[place]) for place in names[: TIES + 1]]
        conditions = [self._condition(label, partial=partial) for label in labels]
        return self._where(exp.and_(*conditions))

    @cached_property
    def _texts(self) -> list[list[str]]:
        """The labels of each row of a small result, as they are compared."""
        places = [list(self.result.frame.columns).index(name) for name in self.keys]
        return [[fold(label_text(row[place])) for place in places] for row in self._rows or ()]

    def _matches(self, texts: Sequence[str], labels: Sequence[Value], *, partial: bool) -> bool:
        def begins(label: str) -> bool:
            return _PARTIAL_DATE.fullmatch(label) is not None and any(
                text.startswith(f"{label}-")
                for text, name in zip(texts, self.keys, strict=True)
                if self.columns[name].kind.is_temporal
            )

        wanted = [fold(label_text(label)) for label in labels]
        return all(label in texts or (partial and begins(label)) for label in wanted)

    def _condition(self, label: Value, *, partial: bool) -> exp.Expr:
        wanted = label_text(label)
        options: list[exp.Expr] = []
        for name in self.keys:
            column = self.columns[name]
            text = exp.cast(exp.column(name, quoted=True), "VARCHAR")
            if partial and column.kind.is_temporal and _PARTIAL_DATE.fullmatch(wanted):
                options.append(exp.Like(this=text, expression=exp.Literal.string(f"{wanted}-%")))
            lowered = exp.func("lower", exp.func("trim", text.copy()))
            options.append(exp.EQ(this=lowered, expression=exp.Literal.string(wanted.strip().lower())))
        return exp.or_(*options)

    def _where(self, condition: exp.Expr) -> list[Line]:
        frame = self.result.frame
        place = exp.Sub(this=exp.Window(this=exp.RowNumber()), expression=exp.Literal.number(1))
        numbered = exp.select(exp.alias_(place, _POSITION, quoted=True), "*").from_(
            frame.query.subquery("frame")
        )
        query = exp.select("*").from_(numbered.subquery("numbered")).where(condition).limit(TIES + 1)
        return [self._line(int(str(row[0])), row[1:]) for row in frame.engine.rows(query)]


def label_text(value: Value) -> str:
    """Return how a result writes a label: dates in ISO form, whole numbers without a point."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return number_text(value)
        case dt.datetime():
            return value.isoformat(sep=" ").removesuffix(" 00:00:00")
        case dt.date() | dt.time():
            return value.isoformat()
        case _:
            plain = inert(str(json_value(value)))
            return plain if len(plain) <= _LABEL else plain[: _LABEL - 1] + "…"


def fold(text: str) -> str:
    """Return `text` as labels and names are compared."""
    return unicodedata.normalize("NFC", text.strip()).casefold()


def is_value(value: Value) -> bool:
    """Return whether a cell holds anything: neither null nor NaN nor an infinity."""
    return value is not None and json_value(value) is not None


def _is_name(column: Column) -> bool:
    kinds = {ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.DATETIME, ColumnKind.TIME, ColumnKind.BOOLEAN}
    return column.kind in kinds


def _aggregated(function: str, values: Sequence[Value]) -> Value:
    if function == "count":
        return len(values)
    if not values:
        return None
    if function in {"min", "max"}:
        return min(values) if function == "min" else max(values)  # type: ignore[type-var] # one column, one kind
    numbers = [value for value in values if isinstance(value, (int, float, Decimal))]
    total = _total(numbers)
    if function == "sum":
        return total
    if function == "mean":
        return total / len(numbers)
    ordered = sorted(numbers)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else _total([low, high]) / 2


def _total(numbers: Sequence[float | Decimal]) -> float | Decimal:
    if any(isinstance(number, float) for number in numbers):
        return math.fsum(numbers)
    return sum(numbers)
