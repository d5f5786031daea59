"""The facts of a file that was never read in full: those of some of its rows, and none of them exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.bounded import bounded
from tabchat.engine.facts.cells import measure_cells
from tabchat.engine.facts.columns import column_facts
from tabchat.engine.facts.nouns import row_nouns
from tabchat.engine.facts.records import TableFacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Row, Schema

HEAD_ROWS: Final = 2_048
"""Rows from the beginning of a file of which nothing else was seen."""


def sample_facts(rows: Sequence[Row], schema: Schema, *, name: str, path: str) -> TableFacts:
    """Return the facts of a file of which `rows`, in order, were seen; how many there are is not known."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    found = tuple(
        column_facts(column, measure_cells(column, cells), None, exact=False)
        for column, cells in zip(schema, columns, strict=True)
    )
    return bounded(
        TableFacts(
            name=name,
            row_count=None,
            columns=found,
            row_nouns=row_nouns(path, ()),
            exact=False,
            sampled_rows=len(rows),
        )
    )


def sampled_head(engine: Engine, table: Table) -> TableFacts:
    """Return the facts of the first rows of a file, which is read no further."""
    schema = table.whole_schema or table.schema
    cells = [exp.column(column.name, quoted=True) for column in schema]
    rows = engine.rows(exp.select(*cells).from_(table.scan.subquery("scanned")).limit(HEAD_ROWS))
    return sample_facts(rows, schema, name=table.name, path=str(table.source))
