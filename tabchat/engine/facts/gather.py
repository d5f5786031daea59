"""The facts of a stored version, asked of the engine in a few queries over its columns.

Ends and missing cells come from the statistics of the Parquet file, which costs nothing. Columns of few texts
are listed with their counts; of the others the number of different cells is estimated, and exact only where
the order of the rows proves it.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.facts.bounded import bounded
from tabchat.engine.facts.cells import measure_cells
from tabchat.engine.facts.columns import Measures, column_facts
from tabchat.engine.facts.nouns import row_nouns
from tabchat.engine.facts.order import Order, average_length, has_order, order_of
from tabchat.engine.facts.pairs import settled_pairs
from tabchat.engine.facts.records import MOST_TEXTS, TableFacts
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.engine.types import Column, Row, Schema, Value

    Run: TypeAlias = Callable[[exp.Query], list[Row]]

FEW_CELLS: Final = 20_000
"""Cells of a table that is fetched whole: for so few, each query costs more than all of them."""
HEAD_ROWS: Final = 2_048
"""First rows, which tell most columns that are out of order."""
FREQUENT_ROWS: Final = 20_000
"""First rows among which the frequent texts of a column of many are found."""
_DENSE: Final = 100_000
"""Range of whole numbers, or of days, up to which different ones are counted exactly."""
_ESTIMATED: Final = 1.2
"""An estimate of `MOST_TEXTS` may be so much too high."""
_AT_ONCE: Final = 200
"""Columns of one query: the engine's planning grows faster than their number."""
_HISTOGRAMS_AT_ONCE: Final = 40
_PROVEN_ROWS: Final = 200_000
"""Rows up to which it is worth to count nearly different cells exactly."""
_NEARLY: Final = 0.8
_PRECISE: Final = ("TIMESTAMP_NS", "TIME_NS", "TIMESTAMP WITH TIME ZONE", "TIME WITH TIME ZONE")
"""Types of which Python's values drop digits."""


@record
class Source:
    """A stored version, and what runs queries over it."""

    run: Run
    scan: exp.Query
    """Query that yields the columns of `schema`, in the order of the rows."""
    schema: Schema
    row_count: int

    def query(self, *selected: exp.Expr, names: Sequence[str]) -> exp.Select:
        """Return the query of some expressions over the columns called `names`."""
        # The engine plans far longer when it has to drop the other columns of a wide table itself.
        narrow = exp.select(*map(cell_of, names)).from_(self.scan.subquery("stored"))
        return exp.select(*selected).from_(narrow.subquery("narrow"))


def gather_facts(source: Source, *, name: str, path: str) -> TableFacts:
    """Look at every column of a stored version; `path` is the file that it was read from."""
    is_small = source.row_count * len(source.schema) <= FEW_CELLS
    if is_small and not any(column.sql_type in _PRECISE for column in source.schema):
        measures = _fetched(source)
    else:
        measures = _measured(source)
    columns = tuple(column_facts(column, measures[column.name], source.row_count) for column in source.schema)
    return bounded(
        TableFacts(
            name=name,
            row_count=source.row_count,
            columns=columns,
            row_nouns=row_nouns(path, [column.name for column in columns if column.unique]),
            determined=settled_pairs(source, columns),
        )
    )


def cell_of(name: str) -> exp.Column:
    """Refer to a column."""
    return exp.column(name, quoted=True)


def _fetched(source: Source) -> dict[str, Measures]:
    names = [column.name for column in source.schema]
    rows = source.run(exp.select(*map(cell_of, names)).from_(source.scan.subquery("stored"))) if names else []
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return {
        column.name: measure_cells(column, cells)
        for column, cells in zip(source.schema, columns, strict=True)
    }


def _measured(source: Source) -> dict[str, Measures]:
    schema = source.schema
    ordered = [column for column in schema if has_order(column.kind)]
    texts = [column for column in schema if column.kind is ColumnKind.TEXT]
    ends = _aggregated(source, schema, _ends)
    orders = {column.name: _order(source, column, ends[column.name]) for column in _in_order(source, ordered)}
    counted = _counted(source, schema, ends, orders)
    estimated = {name for name, (_, sketched) in counted.items() if sketched}
    few = [column for column in texts if counted[column.name][0] <= MOST_TEXTS * _ESTIMATED]
    listed = {
        name: _texts_of(found[0])
        for name, found in _aggregated(
            source,
            few,
            lambda cell: [exp.Anonymous(this="histogram", expressions=[cell])],
            _HISTOGRAMS_AT_ONCE,
        ).items()
    }
    frequent = _frequent(source, [column for column in texts if column.name not in listed])
    whole = _integral(source, [column for column in schema if column.kind is ColumnKind.NUMBER])
    measures: dict[str, Measures] = {}
    for column in schema:
        name = column.name
        filled, low, high = ends[name]
        order = orders.get(name, Order())
        found = listed.get(name, frequent.get(name))
        measures[name] = Measures(
            filled=_whole(filled),
            distinct=len(found)
            if name in listed and found is not None
            else counted.get(name, (None, False))[0],
            sketched=name in estimated and name not in listed,
            low=low,
            high=high,
            ascending=order.ascending,
            descending=order.descending,
            integral=name in whole,
            texts=found,
            counted=name in listed,
            complete=name in listed,
            average_length=average_length(found),
        )
    return measures


def _ends(cell: exp.Column, column: Column) -> list[exp.Expr]:
    if has_order(column.kind) or column.kind is ColumnKind.TEXT:
        return [exp.Count(this=cell), exp.Min(this=cell.copy()), exp.Max(this=cell.copy())]
    return [exp.Count(this=cell), exp.null(), exp.null()]


def _aggregated(
    source: Source,
    columns: Sequence[Column],
    aggregates: Callable[..., list[exp.Expr]],
    at_once: int = _AT_ONCE,
) -> dict[str, tuple[Value, ...]]:
    """Return the aggregates of each column, many columns in one query."""
    found: dict[str, tuple[Value, ...]] = {}
    wants_column = aggregates is _ends
    for start in range(0, len(columns), at_once):
        batch = columns[start : start + at_once]
        asked = [
            aggregates(cell_of(column.name), column) if wants_column else aggregates(cell_of(column.name))
            for column in batch
        ]
        query = source.query(*(item for items in asked for item in items), names=[c.name for c in batch])
        values = iter(source.run(query)[0])
        for column, items in zip(batch, asked, strict=True):
            found[column.name] = tuple(next(values) for _ in items)
    return found


def _in_order(source: Source, columns: Sequence[Column]) -> Iterator[Column]:
    """Yield the columns whose first cells never fall, or never rise."""
    names = [column.name for column in columns]
    if not names:
        return
    rows = source.run(exp.select(*map(cell_of, names)).from_(source.scan.subquery("stored")).limit(HEAD_ROWS))
    for column, cells in zip(columns, zip(*rows, strict=True), strict=False):
        found = order_of(cells)
        if found.ascending or found.descending:
            yield column


def _order(source: Source, column: Column, ends: tuple[Value, ...]) -> Order:
    """Return how the cells of a whole column follow one another."""
    filled, low, high = ends
    if not filled:
        return Order()
    if low == high:
        return Order(ascending=True, descending=True, strict=filled == 1)
    cell, before = cell_of(column.name), exp.column("before", quoted=True)
    earlier = exp.Window(this=exp.Lag(this=cell.copy()))
    steps = (
        exp.select(exp.alias_(cell, "after", quoted=True), exp.alias_(earlier, "before", quoted=True))
        .from_(source.scan.subquery("stored"))
        .where(cell.copy().is_(exp.null()).not_())
    )
    after = exp.column("after", quoted=True)
    counts = (
        exp.CountIf(this=test)
        for test in (
            exp.LT(this=after, expression=before),
            exp.GT(this=after.copy(), expression=before.copy()),
            exp.EQ(this=after.copy(), expression=before.copy()),
        )
    )
    falls, rises, same = source.run(exp.select(*counts).from_(steps.subquery("steps")))[0]
    return Order(ascending=not falls, descending=not rises, strict=not (falls and rises) and not same)


def _counted(
    source: Source,
    schema: Schema,
    ends: Mapping[str, tuple[Value, ...]],
    orders: Mapping[str, Order],
) -> dict[str, tuple[int, bool]]:
    """Return how many different cells each column has, and whether that is an estimate."""
    proven = {name: (_whole(ends[name][0]), False) for name, order in orders.items() if order.strict}
    rest = [column for column in schema if column.name not in proven and column.kind is not ColumnKind.OTHER]
    exact = [column for column in rest if _is_dense(column, *ends[column.name][1:])]
    sketched = [column for column in rest if column not in exact]
    estimates = _aggregated(source, sketched, lambda cell: [exp.ApproxDistinct(this=cell)])
    near = [
        column
        for column in sketched
        if source.row_count <= _PROVEN_ROWS
        and _whole(estimates[column.name][0]) >= _NEARLY * _whole(ends[column.name][0])
    ]
    counts = _aggregated(
        source, [*exact, *near], lambda cell: [exp.Count(this=exp.Distinct(expressions=[cell]))]
    )
    found = {name: (_whole(value), True) for name, (value,) in estimates.items()}
    # An estimate may be above what is possible.
    found = {name: (min(count, _whole(ends[name][0])), True) for name, (count, _) in found.items()}
    return {**found, **{name: (_whole(value), False) for name, (value,) in counts.items()}, **proven}


def _is_dense(column: Column, low: Value, high: Value) -> bool:
    if column.kind is ColumnKind.BOOLEAN:
        return True
    if isinstance(low, int) and isinstance(high, int):
        return high - low <= _DENSE
    if isinstance(low, dt.datetime) or not isinstance(low, dt.date) or not isinstance(high, dt.date):
        return low is None or low == high
    return (high - low).days <= _DENSE


def _frequent(source: Source, columns: Sequence[Column]) -> dict[str, Mapping[str, int]]:
    """Return the texts of columns that have many, as often as they are among the first rows."""
    found: dict[str, Mapping[str, int]] = {}
    for column in columns:
        cell = cell_of(column.name)
        rows = source.run(exp.select(cell).from_(source.scan.subquery("stored")).limit(FREQUENT_ROWS))
        found[column.name] = Counter(text for (text,) in rows if isinstance(text, str))
    return found


def _integral(source: Source, columns: Sequence[Column]) -> set[str]:
    """Return the columns of numbers whose cells are all whole."""

    def fractions(cell: exp.Column) -> list[exp.Expr]:
        return [
            exp.CountIf(this=exp.NEQ(this=cell, expression=exp.func("trunc", cell.copy(), dialect="duckdb")))
        ]

    return {name for name, (count,) in _aggregated(source, columns, fractions).items() if not count}


def _texts_of(histogram: Value) -> dict[str, int]:
    if not isinstance(histogram, dict):
        return {}
    return {str(text): _whole(count) for text, count in histogram.items()}


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
