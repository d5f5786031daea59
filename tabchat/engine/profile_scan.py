"""The queries behind a profile: exact for small tables, at most about one scan for large ones."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sqlglot import exp, parse_one

from tabchat.engine.types import ROW, ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, Row, Value

EXACT_ROWS: Final = 200_000
"""Tables of up to so many rows are described exactly."""
SAMPLE_ROWS: Final = 64_000
SAMPLE_BLOCKS: Final = 16
"""A sample is so many runs of rows, evenly spread: whole runs are cheap to read, single rows are not."""
SEEN_OFTEN: Final = 30
"""A value seen less often in the sample is not called frequent."""
TOP_VALUES: Final = 10
COUNTED: Final = 256
"""Columns with up to so many values, in a large table by its sample, are counted value by value."""
PREVIEW_ROWS: Final = 5

_COLUMNS_AT_ONCE: Final = 60
_RESERVOIR: Final = "SELECT * FROM scanned USING SAMPLE reservoir(64000 ROWS)"
_DIGITS: Final = 3
"""Significant digits that an estimated count keeps."""

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
    approximate: tuple[str, ...] = ()


@record
class TableScan:
    """What the queries found of a table."""

    rows: int
    figures: Mapping[str, Figures]
    preview: tuple[Row, ...]


def scan_table(engine: Engine, table: Table, columns: Sequence[Column]) -> TableScan:
    """Run the queries for `columns` of `table`."""
    relation = exp.to_table(exp.to_identifier(table.name, quoted=True).sql("duckdb"), dialect="duckdb")
    scan = _Scan(engine, exp.select("*").from_(relation), columns)
    if table.row_count <= EXACT_ROWS:
        figures = _exact(scan)
    else:
        sample = _Scan(engine, engine.materialise(_sample(relation, table)), columns)
        figures = _estimated(scan, sample, table)
    names = [_column(column) for column in columns]
    preview = engine.rows(exp.select(*names).from_(relation).limit(PREVIEW_ROWS)) if columns else []
    return TableScan(rows=table.row_count, figures=figures, preview=tuple(preview))


def _exact(scan: _Scan) -> dict[str, Figures]:
    measured = scan.measure(
        {
            "filled": _count,
            "distinct": _distinct,
            "min": _ordered(exp.Min),
            "max": _ordered(exp.Max),
            "mean": _numeric(exp.Avg),
            "median": _numeric(exp.Median),
            "std": _numeric(exp.StddevSamp),
        }
    )
    repeating = [column for column in scan.columns if _repeats(measured[column.name])]
    few = [column for column in repeating if measured[column.name].distinct <= COUNTED]
    names = [column for column in repeating if column.kind is ColumnKind.TEXT and column not in few]
    tops = scan.histograms(few) | {name: top for name, (_, top) in scan.counted_values(names).items()}
    return {name: replace(figures, top_values=tops.get(name, ())) for name, figures in measured.items()}


def _estimated(scan: _Scan, sample: _Scan, table: Table) -> dict[str, Figures]:
    """Describe a large table: figures of its stored version that cost nothing, one scan, and a sample."""
    sampled = _exact(sample)
    narrow = [column for column in scan.columns if table.stored and sampled[column.name].distinct <= COUNTED]
    wide = [column for column in scan.columns if column not in narrow]
    bounds: dict[str, Measure] = {"min": _ordered(exp.Min), "max": _ordered(exp.Max)}
    # Stored versions know the bounds and counts of their parts, as long as nothing else is asked with them.
    figures = scan.measure(bounds, {"filled": _count}, together=not table.stored)
    mean = _numeric(exp.Avg)
    # Texts that repeat are read far faster when no other column is asked for with them.
    sketches = scan.only(wide).measure({"distinct": _sketched, "mean": mean}, at_once=1)
    means = sketches | scan.only(narrow).measure({"mean": mean})
    counted = scan.counted_values(narrow)
    estimated = {}
    for column in scan.columns:
        name = column.name
        found = replace(figures[name], mean=means[name].mean)
        if name in counted:
            distinct, top_values = counted[name]
            found = replace(found, distinct=distinct, top_values=top_values)
        else:
            found = _with_estimates(found, sketches[name].distinct, sampled[name])
        estimated[name] = _with_spread(found, sampled[name]) if column.kind.is_numeric else found
    return estimated


def _with_estimates(found: Figures, sketched: int, sampled: Figures) -> Figures:
    distinct = min(_rounded(sketched), found.filled)
    share = found.filled / sampled.filled if sampled.filled else 0
    seen = [(value, count) for value, count in sampled.top_values if count >= SEEN_OFTEN]
    top_values = tuple((value, _rounded(round(count * share))) for value, count in seen)
    shaky = ("distinct", "top_values") if top_values else ("distinct",)
    return replace(found, distinct=distinct, top_values=top_values, approximate=shaky)


def _with_spread(found: Figures, sampled: Figures) -> Figures:
    if sampled.median is None:
        return found
    shaky = (*found.approximate, "median", "std")
    return replace(found, median=sampled.median, std=sampled.std, approximate=shaky)


def _rounded(estimate: int) -> int:
    """Keep three digits of an estimate, so that it does not look exact."""
    return round(estimate, min(0, _DIGITS - len(str(estimate))))


def _repeats(figures: Figures) -> bool:
    return figures.distinct < figures.filled or figures.distinct <= TOP_VALUES


class _Scan:
    """Queries over some columns of one relation, a batch of columns at a time."""

    def __init__(self, engine: Engine, relation: exp.Select, columns: Sequence[Column]) -> None:
        self.engine = engine
        self.relation = relation
        self.columns = columns

    def only(self, columns: Sequence[Column]) -> _Scan:
        """Return the same scan over some of its columns."""
        return _Scan(self.engine, self.relation, columns)

    def measure(
        self, *groups: Mapping[str, Measure], together: bool = False, at_once: int = _COLUMNS_AT_ONCE
    ) -> dict[str, Figures]:
        """Compute the named figures of every column; groups are separate queries unless `together`."""
        found: dict[str, dict[str, Value]] = {column.name: {} for column in self.columns}
        merged = [{name: measure for group in groups for name, measure in group.items()}]
        for group in merged if together else groups:
            for batch in _batches(self.columns, at_once):
                wanted = [
                    (column.name, figure, aggregate)
                    for column in batch
                    for figure, measure in group.items()
                    if (aggregate := measure(column)) is not None
                ]
                if wanted:
                    cells = self._row([aggregate for _, _, aggregate in wanted])
                    for (name, figure, _), cell in zip(wanted, cells, strict=True):
                        found[name][figure] = cell
        return {name: _figures(cells) for name, cells in found.items()}

    def histograms(self, columns: Sequence[Column]) -> dict[str, tuple[tuple[Value, int], ...]]:
        """Return the most frequent values of columns with few of them, many columns in one query."""
        tops: dict[str, tuple[tuple[Value, int], ...]] = {}
        for batch in _batches([column for column in columns if column.kind is not ColumnKind.OTHER]):
            cells = self._row(
                [exp.Anonymous(this="histogram", expressions=[_column(column)]) for column in batch]
            )
            for column, cell in zip(batch, cells, strict=True):
                tops[column.name] = _most_frequent(cell)
        return tops

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
            top_values = tuple((_finite(value), _whole(count)) for value, count, _ in rows)
            # A nested value has no plain text that could be listed.
            counted[column.name] = (distinct, top_values if column.kind is not ColumnKind.OTHER else ())
        return counted

    def _row(self, projections: Sequence[exp.Expr]) -> Row:
        (row,) = self.engine.rows(exp.select(*projections).from_(self.relation.subquery("scanned")))
        return row


def _top_groups(relation: exp.Select, column: Column) -> exp.Select:
    value = _column(column)
    return (
        exp.select(exp.alias_(value, "value"), exp.alias_(_star_count(), "n"))
        .from_(relation.subquery("scanned"))
        .where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())))
        .group_by(value.copy())
        .order_by(exp.Ordered(this=exp.column("n"), desc=True), exp.Ordered(this=value.copy()))
        .limit(TOP_VALUES)
    )


def _sample(relation: exp.Table, table: Table) -> exp.Query:
    """Return about 64,000 rows of a large table, spread evenly over it."""
    if not table.stored:
        sampled = parse_one(_RESERVOIR, dialect="duckdb")
        sampled.set("from_", exp.From(this=relation.copy()))
        return sampled  # type: ignore[return-value] # the text above is a SELECT
    size = SAMPLE_ROWS // SAMPLE_BLOCKS
    stride = (table.row_count - size) / (SAMPLE_BLOCKS - 1)
    starts = [round(index * stride) + 1 for index in range(SAMPLE_BLOCKS)]
    blocks = [
        exp.select("*")
        .from_(relation.copy())
        .where(exp.column(ROW, quoted=True).between(start, start + size - 1))
        for start in starts
    ]
    return exp.union(*blocks, distinct=False)


def _batches(columns: Sequence[Column], at_once: int = _COLUMNS_AT_ONCE) -> Iterator[Sequence[Column]]:
    for start in range(0, len(columns), at_once):
        yield columns[start : start + at_once]


def _column(column: Column) -> exp.Column:
    return exp.column(column.name, quoted=True)


def _star_count() -> exp.Count:
    return exp.Count(this=exp.Star())


def _comparable(column: Column) -> exp.Expr:
    """Return the column so that it can be told apart by value: nested ones as text."""
    value = _column(column)
    return exp.cast(value, "VARCHAR", dialect="duckdb") if column.kind is ColumnKind.OTHER else value


def _count(column: Column) -> exp.Expr:
    return exp.Count(this=_column(column))


def _distinct(column: Column) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[_comparable(column)]))


def _sketched(column: Column) -> exp.Expr:
    return exp.ApproxDistinct(this=_comparable(column))


def _ordered(aggregate: type[exp.Func]) -> Measure:
    def measure(column: Column) -> exp.Expr | None:
        has_order = column.kind.is_numeric or column.kind.is_temporal or column.kind is ColumnKind.TIME
        return aggregate(this=_column(column)) if has_order else None

    return measure


def _numeric(aggregate: type[exp.Func]) -> Measure:
    def measure(column: Column) -> exp.Expr | None:
        return aggregate(this=_column(column)) if column.kind.is_numeric else None

    return measure


def _figures(cells: Mapping[str, Value]) -> Figures:
    return Figures(
        filled=_whole(cells.get("filled")),
        distinct=_whole(cells.get("distinct")),
        min=_finite(cells.get("min")),
        max=_finite(cells.get("max")),
        mean=_float(cells.get("mean")),
        median=_float(cells.get("median")),
        std=_float(cells.get("std")),
    )


def _most_frequent(histogram: Value) -> tuple[tuple[Value, int], ...]:
    counts: dict[Any, Value] = histogram if isinstance(histogram, dict) else {}
    ordered = sorted(
        ((value, _whole(count)) for value, count in counts.items()), key=lambda pair: (-pair[1], pair[0])
    )
    return tuple((_finite(value), count) for value, count in ordered[:TOP_VALUES])


def _whole(value: Value) -> int:
    return int(value) if isinstance(value, (int, float, Decimal)) else 0


def _float(value: Value) -> float | None:
    return _finite(float(value)) if isinstance(value, (int, float, Decimal)) else None  # type: ignore[return-value] # a finite float or None


def _finite(value: Value) -> Value:
    return None if isinstance(value, float) and value - value != 0 else value
