"""The facts of a stored version: a short table is fetched whole, a long one measured by the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.bounded import bounded
from tabchat.engine.facts.cells import measure_cells
from tabchat.engine.facts.columns import column_facts
from tabchat.engine.facts.nouns import row_nouns
from tabchat.engine.facts.pairs import pairs_in_cells, settled_pairs, short_columns
from tabchat.engine.facts.records import TableFacts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.facts.columns import Measures
    from tabchat.engine.facts.source import Source
    from tabchat.engine.types import Value

FEW_CELLS: Final = 200_000
"""Cells of a table that is fetched whole: for so few, the queries cost more than all of them."""
_PRECISE: Final = frozenset({"TIMESTAMP_NS", "TIME_NS", "TIMESTAMP WITH TIME ZONE", "TIME WITH TIME ZONE"})
"""Types of which Python's values drop digits."""


def gather_facts(source: Source, *, name: str, path: str) -> TableFacts:
    """Look at every column of a stored version; `path` is the file that it was read from."""
    few = source.row_count * len(source.schema) <= FEW_CELLS
    cells = _fetched(source) if few and not any(c.sql_type in _PRECISE for c in source.schema) else None
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
