"""Aggregates of many columns in few queries, and the figures that they make."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.types import ColumnKind, finite
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tabchat.engine.profile.spread import Spread
    from tabchat.engine.types import Column, Engine, Value

TOP_VALUES: Final = 10
COLUMNS_AT_ONCE: Final = 60

Measure: TypeAlias = "Callable[[Column], exp.Expr | None]"


@record
class Figures:
    """What the queries found of one column."""

    filled: int = 0
    distinct: int = 0
    min: Value = None
    max: Value = None
    mean: float | None = None
    median: float | None = None
    std: float | None = None
    top_values: tuple[tuple[Value, int], ...] = ()
    spread: Spread | None = None
    approximate: tuple[str, ...] = ()


class Scan:
    """Queries over some columns of one relation: a batch of columns at a time, or if `tall` all of one type."""

    def __init__(
        self, engine: Engine, relation: exp.Select, columns: Sequence[Column], *, tall: bool = False
    ) -> None:
        self.engine = engine
        self.relation = relation
        self.columns = columns
        self.tall = tall

    def only(self, columns: Sequence[Column]) -> Scan:
        """Return the same scan over some of its columns."""
        return Scan(self.engine, self.relation, columns, tall=self.tall)

    def measure(
        self, *groups: Mapping[str, Measure], together: bool = False, at_once: int = COLUMNS_AT_ONCE
    ) -> dict[str, Figures]:
        """Compute the named figures of every column; groups are separate queries unless `together`."""
        found: dict[str, dict[str, Value]] = {column.name: {} for column in self.columns}
        merged = [{name: measure for group in groups for name, measure in group.items()}]
        for group in merged if together else groups:
            for name, figure, cell in self._aggregates(self.columns, group, at_once):
                found[name][figure] = cell
        return {name: _figures(cells) for name, cells in found.items()}

    def histograms(self, columns: Sequence[Column]) -> dict[str, tuple[tuple[Value, int], ...]]:
        """Return the most frequent values of columns with few of them, many columns in one query."""
        plain = [column for column in columns if column.kind is not ColumnKind.OTHER]
        found = self._aggregates(plain, {"top_values": _histogram}, COLUMNS_AT_ONCE)
        return {name: _most_frequent(cell) for name, _, cell in found}

    def frequencies(self) -> dict[str, dict[int, int]]:
        """Return how often each whole number stands in each column, which has few of them."""
        found = self._aggregates(self.columns, {"counts": _histogram}, COLUMNS_AT_ONCE)
        return {
            name: {_whole(number): _whole(count) for number, count in cell.items()}
            for name, _, cell in found
            if isinstance(cell, dict)
        }

    def _aggregates(
        self, columns: Sequence[Column], measures: Mapping[str, Measure], at_once: int
    ) -> Iterator[tuple[str, str, Value]]:
        """Yield (column, figure, cell) of every measure that a column has."""
        if self.tall:
            yield from self._on_their_side(columns, measures)
            return
        for batch in _batches(columns, at_once):
            wanted = [
                (column.name, figure, aggregate)
                for column in batch
                for figure, measure in measures.items()
                if (aggregate := measure(column)) is not None
            ]
            if wanted:
                # The engine plans far longer when it has to drop the other columns of a wide table itself.
                narrow = exp.select(*map(cell_of, batch)).from_(self.relation.subquery("scanned"))
                query = exp.select(*(aggregate for _, _, aggregate in wanted)).from_(narrow.subquery("batch"))
                (row,) = self.engine.rows(query)
                for (name, figure, _), cell in zip(wanted, row, strict=True):
                    yield name, figure, cell

    def _on_their_side(
        self, columns: Sequence[Column], measures: Mapping[str, Measure]
    ) -> Iterator[tuple[str, str, Value]]:
        """Yield the same from rows of one cell each, grouped by the cell's column."""
        by_type: dict[str, list[Column]] = {}
        for column in columns:
            by_type.setdefault(column.sql_type, []).append(column)
        for alike in by_type.values():
            cell = replace(alike[0], name="cell")
            figures = {
                figure: aggregate for figure, m in measures.items() if (aggregate := m(cell)) is not None
            }
            if figures:
                cells = _unnested(map(cell_of, alike), "cell")
                places = _unnested(map(exp.Literal.number, range(len(alike))), "place")
                tall = exp.select(places, cells).from_(self.relation.subquery("scanned")).subquery("tall")
                query = exp.select("place", *figures.values()).from_(tall).group_by("place")
                for place, *found in self.engine.rows(query):
                    for figure, value in zip(figures, found, strict=True):
                        yield alike[_whole(place)].name, figure, value

    def counted_values(
        self, columns: Sequence[Column]
    ) -> dict[str, tuple[int, tuple[tuple[Value, int], ...]]]:
        """Return the exact number of distinct values of each column, and its most frequent ones."""
        counted = {}
        for column in columns:
            groups = _top_groups(self.relation, column).select(
                exp.alias_(exp.Window(this=_star_count()), "all_")
            )
            rows = self.engine.rows(groups)
            distinct = _whole(rows[0][2]) if rows else 0
            top_values = tuple((finite(value), _whole(count)) for value, count, _ in rows)
            # A nested value has no plain text that could be listed.
            counted[column.name] = (distinct, top_values if column.kind is not ColumnKind.OTHER else ())
        return counted


def _top_groups(relation: exp.Select, column: Column) -> exp.Select:
    value = cell_of(column)
    return (
        exp.select(exp.alias_(value, "value"), exp.alias_(_star_count(), "n"))
        .from_(relation.subquery("scanned"))
        .where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())))
        .group_by(value.copy())
        .order_by(exp.Ordered(this=exp.column("n"), desc=True), exp.Ordered(this=value.copy()))
        .limit(TOP_VALUES)
    )


def _batches(columns: Sequence[Column], at_once: int = COLUMNS_AT_ONCE) -> Iterator[Sequence[Column]]:
    for start in range(0, len(columns), at_once):
        yield columns[start : start + at_once]


def cell_of(column: Column) -> exp.Column:
    """Refer to a column."""
    return exp.column(column.name, quoted=True)


def _star_count() -> exp.Count:
    return exp.Count(this=exp.Star())


def _comparable(column: Column) -> exp.Expr:
    """Return the column so that it can be told apart by value: nested ones as text."""
    value = cell_of(column)
    return exp.cast(value, "VARCHAR", dialect="duckdb") if column.kind is ColumnKind.OTHER else value


def count_of(column: Column) -> exp.Expr:
    """Count its cells that are there."""
    return exp.Count(this=cell_of(column))


def distinct_of(column: Column) -> exp.Expr:
    """Count its different cells."""
    return exp.Count(this=exp.Distinct(expressions=[_comparable(column)]))


def sketched_of(column: Column) -> exp.Expr:
    """Estimate its different cells."""
    return exp.ApproxDistinct(this=_comparable(column))


def _histogram(column: Column) -> exp.Expr:
    return exp.Anonymous(this="histogram", expressions=[cell_of(column)])


def _unnested(items: Iterable[exp.Expr], name: str) -> exp.Expr:
    """Make a row of each item."""
    return exp.alias_(exp.Anonymous(this="unnest", expressions=[exp.Array(expressions=list(items))]), name)


def ordered(aggregate: type[exp.Func]) -> Measure:
    """Apply an aggregate to columns of numbers, dates and times."""

    def measure(column: Column) -> exp.Expr | None:
        return aggregate(this=cell_of(column)) if column.kind.is_ordered else None

    return measure


def numeric(aggregate: type[exp.Func]) -> Measure:
    """Apply an aggregate to columns of numbers."""

    def measure(column: Column) -> exp.Expr | None:
        return aggregate(this=cell_of(column)) if column.kind.is_numeric else None

    return measure


def _figures(cells: Mapping[str, Value]) -> Figures:
    return Figures(
        filled=_whole(cells.get("filled")),
        distinct=_whole(cells.get("distinct")),
        min=finite(cells.get("min")),
        max=finite(cells.get("max")),
        mean=_float(cells.get("mean")),
        median=_float(cells.get("median")),
        std=_float(cells.get("std")),
    )


def _most_frequent(histogram: Value) -> tuple[tuple[Value, int], ...]:
    counts: dict[Any, Value] = histogram if isinstance(histogram, dict) else {}
    ordered = sorted(
        ((value, _whole(count)) for value, count in counts.items()), key=lambda pair: (-pair[1], pair[0])
    )
    return tuple((finite(value), count) for value, count in ordered[:TOP_VALUES])


def _whole(value: Value) -> int:
    return int(value) if isinstance(value, (int, float, Decimal)) else 0


def _float(value: Value) -> float | None:
    return finite(float(value)) if isinstance(value, (int, float, Decimal)) else None  # type: ignore[return-value] # a finite float or None
