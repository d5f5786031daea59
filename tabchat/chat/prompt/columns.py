"""One line on each column of a table: name, kind, and what its values are like as far as that may be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.prompt.wording import figure_text, name_text, value_text
from tabchat.engine.cells import inert, quoted
from tabchat.engine.sketch import FEW

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.sketch import ColumnSketch
    from tabchat.engine.types import Column

LISTED: Final = 6
"""Values of a column that are listed."""
VALUE_LIMIT: Final = 30
"""Values longer than this are texts rather than names, and not listed."""

_MANY: Final = 256
"""More different values than this are called many."""
_UNIT_LIMIT: Final = 12


def column_line(column: Column, sketch: ColumnSketch | None, is_asked: Callable[[str], bool]) -> str:
    """Describe `column`; without a sketch by name and kind alone.

    Of a column with few values, those that `is_asked` says the question names come first.
    """
    head = f"{name_text(column.name)} {column.kind.value}"
    if sketch is None:
        return head
    unit = f" {quoted(inert(column.unit)[:_UNIT_LIMIT])}" if column.unit else ""
    missing = f"; {figure_text(sketch.missing)} missing" if sketch.missing else ""
    return f"{head}{unit}{_values(sketch, is_asked)}{missing}"


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
