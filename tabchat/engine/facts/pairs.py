"""Which columns of few texts settle others: every city has one country. A missing cell counts as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.source import cell_of
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.types import Value

MOST_COLUMNS: Final = 12
"""Columns that are looked at, those of the fewest texts first."""
LOOKED_AT: Final = 1_000
"""Rows that are looked at before all of them are."""


def short_columns(columns: Sequence[ColumnFacts]) -> Sequence[ColumnFacts]:
    """Return the columns among which pairs are looked for, those of the fewest texts first."""
    short = [
        column
        for column in columns
        if column.kind is ColumnKind.TEXT and column.complete and (column.distinct or 0) > 1
    ]
    return sorted(short, key=lambda column: column.distinct or 0)[:MOST_COLUMNS]


def settled_pairs(source: Source, short: Sequence[ColumnFacts]) -> dict[str, tuple[str, ...]]:
    """Return column → columns with one cell beside each of its own; asked of the engine once for each column."""
    names = [column.name for column in short]
    rows = source.spread_rows(names, LOOKED_AT)
    seen = dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}
    # Most pairs are refuted by a few rows.
    left = pairs_in_cells(seen, short) if seen else {}
    return {name: settled for name, others in left.items() if (settled := _asked(source, name, others))}


def pairs_in_cells(
    cells: Mapping[str, Sequence[Value]], short: Sequence[ColumnFacts]
) -> dict[str, tuple[str, ...]]:
    """Return the same of a table whose cells are in memory."""
    names = [column.name for column in short]
    return {
        name: settled
        for name in names
        if (
            settled := tuple(
                other for other in names if other != name and _settles(cells[name], cells[other])
            )
        )
    }


def _settles(keys: Sequence[Value], cells: Sequence[Value]) -> bool:
    beside: dict[Value, Value] = {}
    return all(
        key is None or beside.setdefault(key, cell) == cell for key, cell in zip(keys, cells, strict=True)
    )


def _asked(source: Source, name: str, others: Sequence[str]) -> tuple[str, ...]:
    tests = [_alone(cell_of(other)) for other in others]
    groups = (
        source.query(*(exp.alias_(test, f"t{i}") for i, test in enumerate(tests)), names=[name, *others])
        .where(cell_of(name).is_(exp.null()).not_())
        .group_by(cell_of(name))
    )
    holds = (exp.func("bool_and", exp.column(f"t{i}"), dialect="duckdb") for i in range(len(others)))
    (row,) = source.run(exp.select(*holds).from_(groups.subquery("groups")))
    return tuple(other for other, held in zip(others, row, strict=True) if held)


def _alone(cell: exp.Column) -> exp.Expr:
    """Return the condition that a group has one cell only, or none."""
    same = exp.NullSafeEQ(this=exp.Min(this=cell), expression=exp.Max(this=cell.copy()))
    counts = [exp.Literal.number(0), exp.Count(this=exp.Star())]
    return exp.and_(same, exp.In(this=exp.Count(this=cell.copy()), expressions=counts))
