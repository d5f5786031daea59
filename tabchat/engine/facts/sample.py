"""The facts of a file that was never read in full: those of some of its rows, and none of them exact."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.bounded import bounded
from tabchat.engine.facts.cells import measure_cells
from tabchat.engine.facts.columns import column_facts
from tabchat.engine.facts.nouns import row_nouns
from tabchat.engine.facts.records import TableFacts
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, Row, Schema, Value

_FEWEST_NUMBERED: Final = 50
"""First rows that are numbered from 0 or 1 without a gap where a column numbers them all."""
HEAD_ROWS: Final = 2_048
"""Rows from the beginning of a file of which nothing else was seen."""


@record
class Ends:
    """What is known of a whole column of which only some cells were seen."""

    filled: int | None = None
    low: Value = None
    high: Value = None


def sample_facts(
    rows: Sequence[Row],
    schema: Schema,
    *,
    name: str,
    path: str,
    row_count: int | None = None,
    ends: Mapping[str, Ends] = MappingProxyType({}),
) -> TableFacts:
    """Return the facts of a file of which `rows`, in order, were seen, and of some columns the `ends`."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    found = tuple(
        _sampled(column, cells, ends.get(column.name)) for column, cells in zip(schema, columns, strict=True)
    )
    return bounded(
        TableFacts(name=name, row_count=row_count, columns=found, row_nouns=row_nouns(path, ()), exact=False)
    )


def _sampled(column: Column, cells: Sequence[Value], ends: Ends | None) -> ColumnFacts:
    seen = measure_cells(column, cells)
    if ends is not None:
        low, high = (seen.low, seen.high) if ends.low is None else (ends.low, ends.high)
        seen = replace(seen, filled=ends.filled, low=low, high=high)
    facts = column_facts(column, seen, None, exact=False)
    first = cells[0] if len(cells) >= _FEWEST_NUMBERED else None
    if column.kind is not ColumnKind.INTEGER or not isinstance(first, int):
        return facts
    numbered = all(cell == first + place for place, cell in enumerate(cells[:_FEWEST_NUMBERED]))
    return replace(facts, numbers_rows=numbered and first in {0, 1} and facts.ascending)


def sampled_head(engine: Engine, table: Table) -> TableFacts:
    """Return the facts of the first rows of a file, which is read no further."""
    schema = table.whole_schema or table.schema
    cells = [exp.column(column.name, quoted=True) for column in schema]
    rows = engine.rows(exp.select(*cells).from_(table.scan.subquery("scanned")).limit(HEAD_ROWS))
    return sample_facts(rows, schema, name=table.name, path=str(table.source))
