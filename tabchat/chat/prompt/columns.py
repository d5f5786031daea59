"""One line on each column of a table: name, kind, and what its values are like as far as that may be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.prompt.wording import count_text, name_text, value_text
from tabchat.engine.cells import inert, quoted
from tabchat.engine.profile.sketch import FEW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.engine.profile.sketch import ColumnSketch
    from tabchat.engine.table import LoadNote
    from tabchat.engine.types import Column

LISTED: Final = 6
"""Values of a column that are listed."""
NOTES: Final = 3
"""Notes on the reading of one column that are told."""
VALUE_LIMIT: Final = 30
"""Values longer than this are texts rather than names, and not listed."""

_MANY: Final = 256
"""More different values than this are called many."""
_UNIT_LIMIT: Final = 12


def column_line(
    column: Column,
    sketch: ColumnSketch | None,
    is_asked: Callable[[str], bool],
    notes: Sequence[LoadNote] = (),
) -> str:
    """Describe `column`; without a sketch by name and kind, and by how its cells were read, of which `notes` tell.

    Of a column with few values, those that `is_asked` says the question names come first.
    """
    head = f"{name_text(column.name)} {column.kind.value}"
    read = "".join(f"; {told}" for told in told_notes(notes, column.name))
    if sketch is None:
        return f"{head}{read}"
    unit = f" {quoted(inert(column.unit)[:_UNIT_LIMIT])}" if column.unit else ""
    missing = f"; {count_text(sketch.missing)} missing" if sketch.missing else ""
    return f"{head}{unit}{_values(sketch, is_asked)}{missing}{read}"


def told_notes(notes: Sequence[LoadNote], column: str | None) -> Iterator[str]:
    """Yield what a model is told of the reading of `column`; with none, of the table as a whole."""
    told = [note.told for note in notes if note.told and note.column == column]
    yield from map(inert, told[:NOTES])


def _values(sketch: ColumnSketch, is_asked: Callable[[str], bool]) -> str:
    if sketch.min is not None and sketch.max is not None:
        low, high = value_text(sketch.min), value_text(sketch.max)
        return f" {low} to {high}" if low != high else f" {low}"
    if sketch.distinct is None or not sketch.distinct:
        return ""
    listed = _listed(sketch.values, is_asked)
    if not listed:
        # Above `FEW` the number is an estimate.
        number = f"~{sketch.distinct}" if sketch.distinct > FEW else str(sketch.distinct)
        return f": {number} values" if sketch.distinct <= _MANY else ": many values"
    if sketch.distinct > len(listed):
        return f": {', '.join(listed)} … {sketch.distinct} values"
    return f": {', '.join(listed)}"


def _listed(values: Sequence[str], is_asked: Callable[[str], bool]) -> list[str]:
    if any(len(value) > VALUE_LIMIT for value in values) or len(values) > FEW:
        return []
    asked_first = sorted(values, key=lambda value: not is_asked(value))
    return [quoted(value) for value in asked_first[:LISTED]]
