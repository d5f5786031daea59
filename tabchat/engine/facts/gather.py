"""The facts of a stored version: a short table is fetched whole, a long one measured by the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.bounded import bounded
from tabchat.engine.facts.cells import measure_cells
from tabchat.engine.facts.columns import column_facts
from tabchat.engine.facts.nouns import row_nouns
from tabchat.engine.facts.records import TableFacts
from tabchat.engine.facts.source import cell_of
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.columns import Measures
    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.types import Value

_FEW_CELLS: Final = 200_000
"""Cells of a table that is fetched whole: for so few, the queries cost more than all of them."""
_FEW_ROWS: Final = 3_600
"""Rows of a wide table that is fetched whole: there the engine takes longer to plan the queries of a column, and to count its
different cells, than all of its cells take to come."""
_MOST_CELLS: Final = 8_000_000
"""Cells that are held in memory at once."""
_PRECISE: Final = frozenset({"TIMESTAMP_NS", "TIME_NS", "TIMESTAMP WITH TIME ZONE", "TIME WITH TIME ZONE"})
"""Types of which Python's values drop digits."""
MOST_COLUMNS: Final = 12
"""Columns that are looked at, those of the fewest texts first."""
LOOKED_AT: Final = 1_000
"""Rows that are looked at before all of them are."""


def gather_facts(source: Source, *, name: str, path: str) -> TableFacts:
    """Look at every column of a stored version; `path` is the file that it was read from."""
    precise = any(column.sql_type in _PRECISE for column in source.schema)
    cells = _fetched(source) if is_short(source) and not precise else None
    measures = _measured(source, cells)
    columns = tuple(column_facts(column, measures[column.name], source.row_count) for column in source.schema)
    short = short_columns(columns)
    return bounded(
        TableFacts(
            name=name,
            row_count=source.row_count,
            columns=columns,
            row_nouns=row_nouns(path, [column.name for column in columns if column.unique]),
            determined=settled_pairs(source, short) if cells is None else pairs_in_cells(cells, short),
        )
    )


def is_short(source: Source) -> bool:
    """Tell whether fetching all cells costs less than asking the engine about each column."""
    cells = source.row_count * len(source.schema)
    return cells <= _FEW_CELLS or (source.row_count <= _FEW_ROWS and cells <= _MOST_CELLS)


def _measured(source: Source, cells: Mapping[str, tuple[Value, ...]] | None) -> Mapping[str, Measures]:
    if cells is None:
        # What a short table does not need is not loaded for it.
        from tabchat.engine.facts.measured import measure_columns

        return measure_columns(source)
    return {column.name: measure_cells(column, cells[column.name]) for column in source.schema}


def _fetched(source: Source) -> dict[str, tuple[Value, ...]]:
    names = [column.name for column in source.schema]
    rows = source.rows(names)
    columns: list[tuple[Value, ...]] = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return dict(zip(names, columns, strict=True))


def short_columns(columns: Sequence[ColumnFacts]) -> Sequence[ColumnFacts]:
    """Return the columns among which pairs are looked for, those of the fewest texts first."""
    short = [
        column
        for column in columns
        if column.kind is ColumnKind.TEXT and column.complete and (column.distinct or 0) > 1
    ]
    return sorted(short, key=lambda column: column.distinct or 0)[:MOST_COLUMNS]


def settled_pairs(source: Source, short: Sequence[ColumnFacts]) -> dict[str, tuple[str, ...]]:
    """Return column → columns with one cell beside each of its own (every city has one country).

    A missing cell counts as one. The engine is asked once for each column.
    """
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
