"""The measures of a long table's columns, asked of the engine in as few and as cheap queries as there can be.

Ends and missing cells come from the statistics of the Parquet file, which costs nothing. Columns of few texts are
listed with their counts. Of the others the number of different cells is estimated where nothing proves it.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.cells import Order, average_length, order_of
from tabchat.engine.facts.columns import Measures
from tabchat.engine.facts.figures import figures_of
from tabchat.engine.facts.records import MOST_TEXTS
from tabchat.engine.facts.source import cell_of
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.facts.records import Figures
    from tabchat.engine.facts.source import Source
    from tabchat.engine.types import Column, Value

HEAD_ROWS: Final = 2_048
"""First rows, which tell most columns that are out of order."""
SPREAD_ROWS: Final = 10_000
"""Rows among which the frequent texts of a column of many are found."""
SPREAD_CELLS: Final = 400_000
MOST_FIGURES: Final = 20_000
"""Distinct texts up to which all of them are looked at to tell whether they are figures."""
_DENSE: Final = 100_000
"""Range of whole numbers, or of days, up to which counting different ones costs no more than estimating."""
_FEW: Final = 3_600
"""An estimate that `MOST_TEXTS` may have, and up to which counting exactly is cheap."""
_PROVEN_CELLS: Final = 500_000
"""Cells up to which it is worth to count nearly different ones exactly."""
_NEARLY: Final = 0.8
_HISTOGRAMS_AT_ONCE: Final = 40
LONG: Final = 1_000_000
"""Rows from which on reading a column costs more than another query."""
_COUNTED_ALONE: Final = 60


@record
class _Texts:
    """The texts of one column, and how often each was met."""

    counts: Mapping[str, int]
    complete: bool
    figures: Figures | None = None


def measure_columns(source: Source) -> dict[str, Measures]:
    """Return column → its measures."""
    ends, filled = _ends_and_filled(source)
    head = _head(source)
    orders = {
        column.name: _order(source, column, filled[column.name], *ends[column.name])
        for column in source.schema
        if column.name in head and _may_be_in_order(head[column.name])
    }
    distinct = _distinct(source, filled, ends, orders)
    texts = _texts(source, {name: count for name, (count, _) in distinct.items()})
    numbers = [column for column in source.schema if column.kind is ColumnKind.NUMBER]
    fractions = source.aggregates(
        [column for column in numbers if not any(map(_is_fraction, head.get(column.name, ())))], _fractions
    )
    measures = {}
    for column in source.schema:
        name = column.name
        count, sketched = distinct.get(name, (None, False))
        order, found = orders.get(name, Order()), texts.get(name)
        is_listed = found is not None and found.complete
        measures[name] = Measures(
            filled=filled[name],
            distinct=len(found.counts) if found is not None and is_listed else count,
            sketched=sketched and not is_listed,
            low=ends[name][0],
            high=ends[name][1],
            ascending=order.ascending,
            integral=name in fractions and not fractions[name][0],
            texts=found.counts if found is not None else None,
            complete=is_listed,
            figures=found.figures if found is not None else None,
            average_length=average_length(found.counts) if found is not None else None,
        )
    return measures


def _ends_and_filled(source: Source) -> tuple[dict[str, tuple[Value, ...]], dict[str, int]]:
    """Return column → its lowest and its highest cell, and column → how many cells are not missing.

    The statistics of a version tell the ends, and the number where no cell is missing; a query that asks for anything
    else reads all of its columns. So those of a long one are counted one by one. A person's own files may lack statistics.
    """
    if source.files is None and source.row_count > LONG and len(source.schema) <= _COUNTED_ALONE:
        ends = source.aggregates(source.schema, _ends)
        counts = source.aggregates(source.schema, _filled, at_once=1)
    else:
        found = source.aggregates(
            source.schema, lambda cell, column: (*_filled(cell, column), *_ends(cell, column))
        )
        ends = {name: values[1:] for name, values in found.items()}
        counts = {name: values[:1] for name, values in found.items()}
    return ends, {name: _whole(count) for name, (count,) in counts.items()}


def _ends(cell: exp.Column, column: Column) -> Sequence[exp.Expr]:
    if column.kind.is_ordered or column.kind is ColumnKind.TEXT:
        return exp.Min(this=cell.copy()), exp.Max(this=cell.copy())
    return exp.null(), exp.null()


def _filled(cell: exp.Column, _: Column) -> Sequence[exp.Expr]:
    return (exp.Count(this=cell),)


def _fractions(cell: exp.Column, _: Column) -> Sequence[exp.Expr]:
    whole = exp.func("trunc", cell.copy(), dialect="duckdb")
    return (exp.CountIf(this=exp.NEQ(this=cell, expression=whole)),)


def _is_fraction(cell: Value) -> bool:
    return isinstance(cell, float | Decimal) and math.isfinite(cell) and cell != int(cell)


# Order


def _head(source: Source) -> dict[str, tuple[Value, ...]]:
    """Return column → its first cells, of the columns whose cells lie on a line."""
    names = [column.name for column in source.schema if column.kind.is_ordered]
    return dict(zip(names, zip(*source.rows(names, HEAD_ROWS), strict=True), strict=False))


def _may_be_in_order(cells: Sequence[Value]) -> bool:
    """Tell whether first cells never fall, or never rise."""
    found = order_of(cells)
    return found.ascending or found.descending or all(cell is None for cell in cells)


def _order(source: Source, column: Column, filled: Value, low: Value, high: Value) -> Order:
    """Return how the cells of a whole column follow one another."""
    if not filled:
        return Order()
    if low == high:
        return Order(ascending=True, descending=True, strict=filled == 1)
    cell = cell_of(column.name)
    after, before = cell_of("after"), cell_of("before")
    steps = (
        exp.select(
            exp.alias_(cell, "after", quoted=True),
            # A window without an order runs over the rows as they come, and streams.
            exp.alias_(exp.Window(this=exp.Lag(this=cell.copy())), "before", quoted=True),
        )
        .from_(source.scan.subquery("stored"))
        .where(cell.copy().is_(exp.null()).not_())
    )
    tests = (
        exp.LT(this=after, expression=before),
        exp.GT(this=after.copy(), expression=before.copy()),
        exp.EQ(this=after.copy(), expression=before.copy()),
    )
    counts = exp.select(*(exp.CountIf(this=test) for test in tests)).from_(steps.subquery("steps"))
    ((falls, rises, same),) = source.run(counts)
    return Order(ascending=not falls, descending=not rises, strict=not same and not (falls and rises))


# Different cells


def _distinct(
    source: Source,
    filled: Mapping[str, int],
    ends: Mapping[str, tuple[Value, ...]],
    orders: Mapping[str, Order],
) -> dict[str, tuple[int, bool]]:
    """Return column → how many different cells it has, and whether that is an estimate."""
    proven = {name: (filled[name], False) for name, order in orders.items() if order.strict}
    rest = [
        column
        for column in source.schema
        if column.name not in proven and column.kind is not ColumnKind.OTHER
    ]
    dense = [column for column in rest if _is_dense(column, *ends[column.name])]
    sparse = [column for column in rest if column not in dense]
    found = source.aggregates(sparse, lambda cell, _: (exp.ApproxDistinct(this=cell),))
    # An estimate may be above what is possible.
    estimates = {name: min(_whole(count), filled[name]) for name, (count,) in found.items()}
    cheap = [
        column for column in sparse if column.kind is not ColumnKind.TEXT and estimates[column.name] <= _FEW
    ]
    near = [column for column in sparse if estimates[column.name] >= _NEARLY * filled[column.name]]
    cheap += near if len(near) * source.row_count <= _PROVEN_CELLS else []
    counts = source.aggregates(
        [*dense, *cheap], lambda cell, _: (exp.Count(this=exp.Distinct(expressions=[cell])),)
    )
    return {
        **{name: (count, True) for name, count in estimates.items()},
        **{name: (_whole(count), False) for name, (count,) in counts.items()},
        **proven,
    }


def _is_dense(column: Column, low: Value, high: Value) -> bool:
    """Tell whether the cells of a column can only be so many."""
    if column.kind is ColumnKind.BOOLEAN or low is None or low == high:
        return True
    if isinstance(low, int) and isinstance(high, int):
        return high - low <= _DENSE
    if column.kind is ColumnKind.DATE and isinstance(low, dt.date) and isinstance(high, dt.date):
        return (high - low).days <= _DENSE
    return False


# Texts


def _texts(source: Source, distinct: Mapping[str, int]) -> dict[str, _Texts]:
    """Return text column → its texts: all of few, and the frequent ones of many."""
    columns = [column for column in source.schema if column.kind is ColumnKind.TEXT]
    few = [column for column in columns if distinct[column.name] <= _FEW]
    many = [column for column in columns if distinct[column.name] > _FEW]
    found = source.aggregates(
        few, lambda cell, _: (exp.Anonymous(this="histogram", expressions=[cell]),), _HISTOGRAMS_AT_ONCE
    )
    listed = {name: _Texts(counts=_counts(histogram), complete=True) for name, (histogram,) in found.items()}
    return {**listed, **{column.name: texts for column, texts in _frequent(source, many)}}


def _frequent(source: Source, columns: Sequence[Column]) -> Iterator[tuple[Column, _Texts]]:
    if not columns:
        return
    rows = source.spread_rows(
        [column.name for column in columns], min(SPREAD_ROWS, SPREAD_CELLS // len(columns))
    )
    cells = zip(*rows, strict=True) if rows else ((),) * len(columns)
    for column, seen in zip(columns, cells, strict=True):
        counts = dict(Counter(str(cell) for cell in seen if cell is not None).most_common(MOST_TEXTS))
        yield column, _Texts(counts=counts, complete=False, figures=_figures(source, column, counts))


def _figures(source: Source, column: Column, seen: Mapping[str, int]) -> Figures | None:
    """Return how a column of many texts is read as figures, when those that were seen and all others are."""
    if figures_of([*seen], column.name) is None:
        return None
    rows = source.run(
        source.query(cell_of(column.name), names=[column.name]).distinct().limit(MOST_FIGURES + 1)
    )
    texts = [str(text) for (text,) in rows if text is not None]
    return figures_of(texts, column.name) if len(rows) <= MOST_FIGURES else None


def _counts(histogram: Value) -> dict[str, int]:
    if not isinstance(histogram, dict):
        return {}
    return {str(text): _whole(count) for text, count in histogram.items()}


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
