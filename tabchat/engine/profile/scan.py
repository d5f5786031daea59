"""The queries behind a profile: exact for small tables, at most about one scan for large ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp, parse_one

from tabchat.engine.facts.source import Source
from tabchat.engine.profile.queries import (
    COLUMNS_AT_ONCE,
    TOP_VALUES,
    Scan,
    cell_of,
    count_of,
    distinct_of,
    numeric,
    ordered,
    sketched_of,
)
from tabchat.engine.profile.spread import spreads_of
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.profile.queries import Figures, Measure
    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, Row

EXACT_ROWS: Final = 200_000
"""Tables of up to so many rows are described exactly."""
SAMPLE_ROWS: Final = 64_000
SAMPLE_BLOCKS: Final = 16
"""A sample is so many runs of rows, evenly spread."""
SEEN_OFTEN: Final = 30
"""A value seen less often in the sample is not called frequent."""
COUNTED: Final = 256
"""Columns with up to so many values, in a large table by its sample, are counted value by value."""
PREVIEW_ROWS: Final = 5

_FEW_CELLS: Final = 4_000_000
"""Tables of many columns and so few cells are turned on their side: planning queries over them takes the time."""
_RESERVOIR: Final = "SELECT * FROM scanned USING SAMPLE reservoir(64000 ROWS)"
_DIGITS: Final = 3
"""Significant digits that an estimated count keeps."""


@record
class TableScan:
    """What the queries found of a table."""

    rows: int
    figures: Mapping[str, Figures]
    preview: tuple[Row, ...]


def scan_table(
    engine: Engine, table: Table, columns: Sequence[Column], *, spreads: bool = False
) -> TableScan:
    """Run the queries for `columns` of `table`, and with `spreads` those that count their cells by steps."""
    relation = exp.to_table(exp.to_identifier(table.name, quoted=True).sql("duckdb"), dialect="duckdb")
    scan = Scan(engine, exp.select("*").from_(relation), columns)
    if len(columns) > COLUMNS_AT_ONCE and len(columns) * max(0, table.row_count) <= _FEW_CELLS:
        kept = engine.materialise(exp.select(*map(cell_of, columns)).from_(relation.copy()))
        scan = Scan(engine, kept, columns, tall=True)
    seen = scan
    if table.row_count <= EXACT_ROWS:
        figures = _exact(scan)
    else:
        seen = Scan(engine, engine.materialise(_sample(engine, relation, table)), columns)
        figures = _estimated(scan, seen, table)
    if spreads:
        figures = _with_spreads(figures, seen, is_sample=seen is not scan)
    names = [cell_of(column) for column in columns]
    preview = engine.rows(exp.select(*names).from_(relation).limit(PREVIEW_ROWS)) if columns else []
    return TableScan(rows=table.row_count, figures=figures, preview=tuple(preview))


def _exact(scan: Scan) -> dict[str, Figures]:
    measured = scan.measure(
        {
            "filled": count_of,
            "distinct": distinct_of,
            "min": ordered(exp.Min),
            "max": ordered(exp.Max),
            "mean": numeric(exp.Avg),
            "median": numeric(exp.Median),
            "std": numeric(exp.StddevSamp),
        }
    )
    repeating = [column for column in scan.columns if _repeats(measured[column.name])]
    few = [column for column in repeating if measured[column.name].distinct <= COUNTED]
    names = [column for column in repeating if column.kind is ColumnKind.TEXT and column not in few]
    tops = scan.histograms(few) | {name: top for name, (_, top) in scan.counted_values(names).items()}
    return {name: replace(figures, top_values=tops.get(name, ())) for name, figures in measured.items()}


def _estimated(scan: Scan, sample: Scan, table: Table) -> dict[str, Figures]:
    """Describe a large table: figures of its stored version that cost nothing, one scan, and a sample."""
    sampled = _exact(sample)
    narrow = [column for column in scan.columns if table.stored and sampled[column.name].distinct <= COUNTED]
    wide = [column for column in scan.columns if column not in narrow]
    bounds: dict[str, Measure] = {"min": ordered(exp.Min), "max": ordered(exp.Max)}
    # Stored versions know the bounds and counts of their parts, as long as nothing else is asked with them.
    figures = scan.measure(bounds, {"filled": count_of}, together=not table.stored)
    mean = numeric(exp.Avg)
    # Texts that repeat are read far faster when no other column is asked for with them.
    sketches = scan.only(wide).measure({"distinct": sketched_of, "mean": mean}, at_once=1)
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


def _with_spreads(figures: dict[str, Figures], seen: Scan, *, is_sample: bool) -> dict[str, Figures]:
    found = dict(figures)
    for name, spread in spreads_of(seen, figures).items():
        shaky = (*figures[name].approximate, *(("spread",) if is_sample else ()))
        found[name] = replace(figures[name], spread=spread, approximate=shaky)
    return found


def _with_estimates(found: Figures, sketched: int, sampled: Figures) -> Figures:
    distinct = min(_rounded(sketched), found.filled)
    share = found.filled / sampled.filled if sampled.filled else 0
    seen = [(value, count) for value, count in sampled.top_values if count >= SEEN_OFTEN]
    top_values = tuple((value, min(_rounded(round(count * share)), found.filled)) for value, count in seen)
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


def _sample(engine: Engine, relation: exp.Table, table: Table) -> exp.Query:
    """Return about 64,000 rows of a large table, spread evenly over it."""
    if not table.stored:
        sampled = parse_one(_RESERVOIR, dialect="duckdb")
        sampled.set("from_", exp.From(this=relation.copy()))
        return sampled  # type: ignore[return-value] # the text above is a SELECT
    source = Source.of(engine, table, exp.select("*").from_(relation.copy()))
    return source.spread([column.name for column in table.schema], SAMPLE_ROWS, SAMPLE_BLOCKS)
