"""What is different on another file, on a person's screen: columns, figures side by side, rows that came and went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.journal.replay.testing import describe_difference
from tabchat.render.block import counted
from tabchat.render.commands import short_key
from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise
from tabchat.render.layout.values import format_column, format_value
from tabchat.render.layout.wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.types import JsonValue
    from tabchat.journal.replay.figures import Difference
    from tabchat.journal.replay.rerun import Rerun, SchemaDrift
    from tabchat.render.terminal.console import Consoles


def render_schema(consoles: Consoles, drifts: Sequence[SchemaDrift]) -> None:
    """Print how the columns differ, to stdout; nothing where they are the same."""
    for drift in drifts:
        for line in _schema_lines(drift):
            for part in wrap_text(sanitise(line, consoles.glyphs), consoles.width):
                consoles.out.print(part)


def _schema_lines(drift: SchemaDrift) -> Iterator[str]:
    if not drift.is_known:
        yield f"{drift.table}: the columns that there were are not kept any more, so they are not compared."
    if drift.missing:
        yield f"{drift.table}: columns missing: {', '.join(drift.missing)}"
    if drift.new:
        yield f"{drift.table}: columns new: {', '.join(drift.new)}"
    for name, was, now in drift.kinds:
        yield f"{drift.table}: {name} was {was}, is {now}"


def render_drift(consoles: Consoles, done: Rerun, *, rows: int) -> None:
    """Print every figure that is another one now, the first `rows` of each sort, to stdout."""
    changed = [item for item in done.differences if item.kind == "changed"]
    others = [item for item in done.differences if item.kind != "changed"]
    if changed:
        _draw(consoles, changed[:rows])
    if len(changed) > rows:
        consoles.out.print(
            f"+{len(changed) - rows:,} more changed figures; --rows or --json has them", style="dim"
        )
    for item in others[:rows]:
        for part in wrap_text(sanitise(describe_difference(item), consoles.glyphs), consoles.width):
            consoles.out.print(part)
    if len(others) > rows:
        consoles.out.print(f"+{len(others) - rows:,} more; --rows or --json has them", style="dim")
    block = done.answer.block
    if block is None:
        return
    count = counted(block.result.frame.row_count, "row")
    said = [
        "No figure is another one." if not done.differences else counted(len(done.differences), "difference"),
        f"{count}, {done.was.row_count:,} before",
        *([short_key(block.data_key)] if block.data_key is not None else []),
    ]
    consoles.say(consoles.glyphs.separator.join(said))


def _draw(consoles: Consoles, changed: Sequence[Difference]) -> None:
    glyphs = consoles.glyphs
    names = list(dict.fromkeys(name for item in changed for name in item.row))
    columns = [
        GridColumn(
            header=sanitise(name, glyphs),
            cells=[_cell(item.row.get(name), consoles) if name in item.row else "" for item in changed],
            elastic=True,
        )
        for name in names
    ]
    columns += [
        GridColumn(header="figure", cells=[sanitise(item.column, glyphs) for item in changed], elastic=True),
        GridColumn(header="was", cells=_cells([item.was for item in changed], consoles), right=True),
        GridColumn(header="is", cells=_cells([item.now for item in changed], consoles), right=True),
        GridColumn(
            header="difference",
            cells=format_column([item.change for item in changed], glyphs),
            right=True,
        ),
        GridColumn(header="%", cells=[item.share for item in changed], right=True),
    ]
    draw_fitting(consoles, columns)


def _cells(values: Sequence[JsonValue], consoles: Consoles) -> list[str]:
    """Return the cells of a column; its figures share one number of decimals."""
    plain = [value for value in values if value is None or isinstance(value, (bool, int, float, str))]
    if len(plain) == len(values):
        return format_column(plain, consoles.glyphs)
    return [_cell(value, consoles) for value in values]


def _cell(value: JsonValue, consoles: Consoles) -> str:
    if value is None or isinstance(value, (bool, int, float, str)):
        return format_value(value, consoles.glyphs)
    return sanitise(str(value), consoles.glyphs)
