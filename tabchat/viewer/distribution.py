"""How the cells of a column are spread: a sheet of its values by frequency, a histogram of its numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.chart.bins import histogram
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.relation import OrderKey
from tabchat.engine.result.result import Frame
from tabchat.engine.types import Column, ColumnKind
from tabchat.errors import UsageError
from tabchat.render.charts.plot import histogram_lines as histogram_text
from tabchat.viewer.arranged import arrange, count_rows
from tabchat.viewer.filters import same_as
from tabchat.viewer.ground import ground_of
from tabchat.viewer.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import Value
    from tabchat.render.layout.text import Glyphs
    from tabchat.viewer.arranged import Arranged

MOST_VALUES: Final = 100_000
"""Values that a sheet of frequencies lists, the most frequent ones."""


def frequencies(sheet: Sheet, arranged: Arranged, column: Column) -> Sheet:
    """Return the values of a column with their counts, the most frequent first; behind each are its rows."""
    taken = {column.name.casefold()}
    count, share = (_free(name, taken) for name in ("count", "percent"))
    cell = exp.column(column.name, quoted=True)
    counted = fill("COUNT(*)")
    part = fill("100.0 * COUNT(*) / SUM(COUNT(*)) OVER ()")
    left = arranged.rows_unordered().subquery("left_rows")
    query = (
        exp.select(cell, exp.alias_(counted, count, quoted=True), exp.alias_(part, share, quoted=True))
        .from_(left)
        .group_by(cell.copy())
        .order_by(
            OrderKey(sql_name=count, descending=True).ordered(), OrderKey(sql_name=column.name).ordered()
        )
        .limit(MOST_VALUES)
    )
    engine = sheet.ground.engine
    made = engine.materialise(query)
    listed = count_rows(engine, made)
    # Only a list that is full can lack values.
    every = listed
    if listed == MOST_VALUES:
        every = count_rows(engine, exp.select(cell.copy()).from_(left.copy()).group_by(cell.copy()))
    schema = (
        column,
        Column(name=count, kind=ColumnKind.INTEGER, sql_type="BIGINT"),
        Column(name=share, kind=ColumnKind.NUMBER, sql_type="DOUBLE"),
    )
    frame = Frame(engine=engine, query=made, schema=schema, row_count=listed)

    def behind(cells: Mapping[str, Value]) -> Sheet:
        wanted = (*arranged.filters, same_as(column, cells[column.name]))
        return replace(sheet, arranged=arrange(sheet.ground, wanted))

    part_of = f"first {listed:,} of {every:,} values" if every > listed else ""
    title = f"{column.name} by frequency"
    return Sheet(
        title=f"{title}, {part_of}" if part_of else title,
        ground=ground_of(frame),
        behind=behind,
        part_of=part_of,
    )


def _free(name: str, taken: set[str]) -> str:
    return f"{name}_" if name in taken else name


def histogram_lines(arranged: Arranged, column: Column, width: int, glyphs: Glyphs) -> list[str]:
    """Return the histogram of a column of numbers as lines; raises `UsageError` for another column."""
    if not column.kind.is_numeric:
        message = f"Cells of {column.name!r} are {column.kind.value}: a histogram needs numbers."
        raise UsageError(message, hint="c counts its values.")
    found = histogram(arranged.ground.engine, arranged.rows_unordered(), column.name)
    if found is None:
        return ["No cell holds a number."]
    return histogram_text(found, width, glyphs)
