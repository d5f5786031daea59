"""Finding single cells of a result: by position, by the labels of their row, by an extreme; and figures over a column.

Small results are fetched once. Of large ones nothing is fetched but what is asked for: the engine looks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.cells import inert, unique_names
from tabchat.engine.projection import project
from tabchat.engine.result.aggregation import aggregated, is_value
from tabchat.engine.result.calendar_numbers import calendar_numbers
from tabchat.engine.result.labels import fold, label_text
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import HELPER_PREFIX, ColumnKind, whole
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Column, Row, Value

FETCHED: Final = 1_000
"""Rows up to which a result is fetched whole."""
TIES: Final = 3
"""Rows that may share an extreme and still be named."""
_KEYS: Final = 3
"""Columns that name a row of a table without groups."""
_SHORT: Final = 3
"""Labels up to this length are not looked for in a text among very many: they stand everywhere."""
_NAMES: Final = frozenset(
    {ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.DATETIME, ColumnKind.TIME, ColumnKind.BOOLEAN}
)
_PARTIAL_DATE: Final = re.compile(r"\d{4}(?:-\d\d)?")
_POSITION: Final = "__position__"
_AGGREGATES: Final = {
    "sum": exp.Sum,
    "mean": exp.Avg,
    "median": exp.Median,
    "min": exp.Min,
    "max": exp.Max,
    "count": exp.Count,
}


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
class CellLookup:
    """Looks cells up in one result."""

    result: Result
    unnamed: Collection[str] = ()
    """Columns and values that cannot be asked for by name."""

    @property
    def row_count(self) -> int:
        """Rows of the result."""
        return self.result.frame.row_count

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """The columns that are shown, by the names that they are shown under: of two called `n` the second is `n_1`."""
        schema = self.result.frame.schema
        return {name: replace(schema[place], name=name) for name, place in self._places.items()}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The columns that a row can be found by: the group keys; without groups what is no quantity."""
        if self.result.group_by:
            return tuple(name for name in map(inert, self.result.group_by) if name in self.columns)
        first = next(iter(self.columns), None)
        return tuple(
            name
            for name, column in self.columns.items()
            if column.kind in _NAMES
            or name in self._calendar
            or (name == first and column.kind is ColumnKind.INTEGER and self.result.kind is ResultKind.TABLE)
        )

    @property
    def naming(self) -> tuple[str, ...]:
        """The key columns by which a row is named."""
        return self.keys if self.result.group_by else self.keys[:_KEYS]

    @property
    def values(self) -> Mapping[str, Value]:
        """The figures of the whole result that a recipe computed, by name."""
        return {name: value for name, value in self.result.values.items() if name not in self.unnamed}

    @property
    def told_names(self) -> list[str]:
        """Names of columns and of such figures that a message may list: none that may be a cell."""
        names = dict.fromkeys((*self.columns, *self.result.values))
        return [name for name in names if name not in self.result.metadata.cell_names]

    def column(self, name: str) -> Column | None:
        """Return the column of that name, whatever its case when that is unambiguous."""
        named = {other: column for other, column in self.columns.items() if other not in self.unnamed}
        if name in named:
            return named[name]
        folded = [column for other, column in named.items() if fold(other) == fold(inert(name))]
        return folded[0] if len(folded) == 1 else None

    def line(self, position: int) -> Line | None:
        """Return the row at `position`, counted from the end when negative; nothing when there is none."""
        place = position if position >= 0 else self.row_count + position
        if not 0 <= place < self.row_count:
            return None
        if self._rows is not None:
            return self._line(place, self._rows[place])
        rows = [self._shown(row) for row in self.result.frame.rows(1, offset=place)]
        return self._line(place, rows[0]) if rows else None

    def find(self, labels: Sequence[Value]) -> list[Line]:
        """Return the rows that have every label in one of their key columns; a few of them when they are many.

        Case does not matter; a date may be given by its year or month where no row has just that label.
        """
        if not self.keys:
            return []
        return self._find(labels, partial=False) or self._find(labels, partial=True)

    def aggregate(self, function: str, column: Column, span: Span | None = None) -> Value:
        """Return `sum`, `mean`, `median`, `min`, `max` or `count` of a column; null, NaN and infinities do not count."""
        span = span or Span()
        if self._rows is not None:
            place = list(self.columns).index(column.name)
            cells = [row[place] for row in self._rows[span.start : span.stop]]
            return aggregated(function, [cell for cell in cells if is_value(cell)])
        value: exp.Expr = exp.column(column.name, quoted=True)
        if column.kind is ColumnKind.NUMBER and not column.sql_type.startswith("DECIMAL"):
            finite = exp.Anonymous(this="isfinite", expressions=[value.copy()])
            value = exp.Case(ifs=[exp.If(this=finite, true=value)])
        inner = exp.select("*").from_(self._relation.subquery("frame"))
        if span != Span():
            stop = self.row_count if span.stop is None else span.stop
            inner = inner.limit(max(stop - span.start, 0)).offset(span.start)
        query = exp.select(_AGGREGATES[function](this=value)).from_(inner.subquery("taken"))
        return self.result.frame.engine.rows(query)[0][0]

    def extremes(self, column: Column, *, largest: bool) -> list[Line]:
        """Return the rows with the largest or smallest value, no more than one beyond `TIES`."""
        best = self.aggregate("max" if largest else "min", column)
        if best is None:
            return []
        if self._rows is not None:
            lines = (self._line(place, row) for place, row in enumerate(self._rows))
            return [line for line in lines if line.cells[column.name] == best][: TIES + 1]
        return self._where(exp.EQ(this=exp.column(column.name, quoted=True), expression=exp.convert(best)))

    def labels(self, column: str, text: str) -> dict[str, Value]:
        """Return the labels in a key column, folded; of a large result only those that stand in `text`."""
        if self._rows is not None:
            place = list(self.columns).index(column)
            values = [row[place] for row in self._rows]
        elif self.columns[column].kind is not ColumnKind.TEXT:
            return {}
        else:
            label = exp.column(column, quoted=True)
            inside = exp.func("contains", exp.Literal.string(text.lower()), exp.func("lower", label.copy()))
            query = exp.select(label).distinct().from_(self._relation.subquery("frame"))
            long = exp.GT(this=exp.func("length", label.copy()), expression=exp.Literal.number(_SHORT))
            values = [
                row[0] for row in self.result.frame.engine.rows(query.where(long, inside).limit(FETCHED))
            ]
        return {fold(label_text(value)): value for value in values if value is not None}

    def called(self, column: str, value: Value) -> str:
        """Return what a row with `value` in a key column is called: `March` where 3 is the number of a month."""
        names = self._calendar.get(column, {})
        return names.get(value, "") if isinstance(value, int) and value in names else label_text(value)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """Where the columns that are shown stand in the frame."""
        names = self.result.frame.columns
        places = [place for place, name in enumerate(names) if not name.startswith(HELPER_PREFIX)]
        return dict(zip(unique_names([inert(names[place]) for place in places]), places, strict=True))

    @cached_property
    def _calendar(self) -> Mapping[str, Mapping[int, str]]:
        return {inert(name): names for name, names in calendar_numbers(self.result).items()}

    @cached_property
    def _relation(self) -> exp.Query:
        """The rows with the columns that are shown, under the names that they are shown under."""
        frame = self.result.frame
        return project(
            frame.query,
            frame.schema,
            lambda cells: [
                exp.alias_(cells[place], name, quoted=True) for name, place in self._places.items()
            ],
        )

    @cached_property
    def _rows(self) -> list[Row] | None:
        return [self._shown(row) for row in self.result.frame.rows()] if self.row_count <= FETCHED else None

    def _shown(self, row: Row) -> Row:
        return tuple(row[place] for place in self._places.values())

    @cached_property
    def _texts(self) -> list[list[str]]:
        """The labels of each row of a small result, as they are compared."""
        places = [list(self.columns).index(name) for name in self.keys]
        return [[fold(label_text(row[place])) for place in places] for row in self._rows or ()]

    def _line(self, position: int, row: Row) -> Line:
        return Line(position=position, cells=dict(zip(self.columns, row, strict=True)))

    def _find(self, labels: Sequence[Value], *, partial: bool) -> list[Line]:
        wanted = [fold(label_text(label)) for label in labels]
        if self._rows is None:
            # A cell with invisible characters is only found as it stands.
            plain = [
                label.strip().lower() if isinstance(label, str) else label_text(label) for label in labels
            ]
            return self._where(exp.and_(*(self._condition(label, partial=partial) for label in plain)))
        places = [
            place
            for place, texts in enumerate(self._texts)
            if all(self._has(texts, label, partial=partial) for label in wanted)
        ]
        return [self._line(place, self._rows[place]) for place in places[: TIES + 1]]

    def _has(self, texts: Sequence[str], label: str, *, partial: bool) -> bool:
        if any(self._number(name, label) == text for text, name in zip(texts, self.keys, strict=True)):
            return True
        return (partial and _PARTIAL_DATE.fullmatch(label) is not None) and any(
            text.startswith(f"{label}-") and self.columns[name].kind.is_temporal
            for text, name in zip(texts, self.keys, strict=True)
        )

    def _condition(self, label: str, *, partial: bool) -> exp.Expr:
        options: list[exp.Expr] = []
        for name in self.keys:
            text = exp.cast(exp.column(name, quoted=True), "VARCHAR")
            if partial and self.columns[name].kind.is_temporal and _PARTIAL_DATE.fullmatch(label):
                options.append(exp.Like(this=text.copy(), expression=exp.Literal.string(f"{label}-%")))
            folded = exp.func("lower", exp.func("trim", text))
            options.append(exp.EQ(this=folded, expression=exp.Literal.string(self._number(name, label))))
        return exp.or_(*options)

    def _number(self, column: str, label: str) -> str:
        """Return the number that `march` or `3 (march)` stands for in a column of such numbers, else `label` itself."""
        for number, name in self._calendar.get(column, {}).items():
            if label in {fold(name), fold(f"{number} ({name})")}:
                return str(number)
        return label

    def _where(self, condition: exp.Expr) -> list[Line]:
        place = exp.Sub(this=exp.Window(this=exp.RowNumber()), expression=exp.Literal.number(1))
        numbered = exp.select(exp.alias_(place, _POSITION, quoted=True), "*").from_(
            self._relation.subquery("frame")
        )
        query = exp.select("*").from_(numbered.subquery("numbered")).where(condition).limit(TIES + 1)
        return [self._line(whole(row[0]), row[1:]) for row in self.result.frame.engine.rows(query)]
