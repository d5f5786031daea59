"""Which columns stand on the screen, and how wide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.record import record
from tabchat.render.layout.text import CODE_POINTS_PER_CELL, sanitise, width_of
from tabchat.render.layout.values import format_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Row, Schema
    from tabchat.viewer.state import State

GAP: Final = 2
TEXT_WIDTH: Final = 32
"""Cells that a column takes at most."""
HEADER_WIDTH: Final = 20
_SEEN_ROWS: Final = 200


class Widths:
    """Cells that each column takes; a width grows with what was seen, so that scrolling back finds it as it was."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        # The sign of the sort order stands behind a name.
        self._widths = [min(width_of(sanitise(column.name)) + 2, HEADER_WIDTH) for column in schema]

    def see(self, rows: Sequence[Row]) -> None:
        """Make room for these rows."""
        longest = CODE_POINTS_PER_CELL * TEXT_WIDTH
        for place, cells in enumerate(zip(*rows[:_SEEN_ROWS], strict=True)):
            shown = format_column(cells)
            widest = max((width_of(cell[:longest]) for cell in shown), default=0)
            self._widths[place] = max(self._widths[place], min(widest, TEXT_WIDTH))

    def of(self, name: str) -> int:
        """Return the width of a column."""
        return next(
            width for width, column in zip(self._widths, self.schema, strict=True) if column.name == name
        )

    def is_elastic(self, name: str) -> bool:
        """Return whether cells of a column may be cut: only text is."""
        kind = next(column.kind for column in self.schema if column.name == name)
        return kind in {ColumnKind.TEXT, ColumnKind.OTHER}


@record
class Placed:
    """A column on the screen."""

    name: str
    place: int
    """Its place among the shown columns."""
    width: int


def placed(state: State, widths: Widths, room: int) -> list[Placed]:
    """Return the columns that have room: the frozen ones, then those from `left` on; the last may be cut if it is text."""
    shown = state.shown
    places = [*range(min(state.frozen, len(shown))), *range(max(state.left, state.frozen), len(shown))]
    found: list[Placed] = []
    for place in places:
        if room <= GAP and found:
            break
        width = min(widths.of(shown[place]), max(room, 1))
        if found and width < widths.of(shown[place]) and not widths.is_elastic(shown[place]):
            break
        found.append(Placed(name=shown[place], place=place, width=width))
        room -= width + GAP
    return found


def scrolled(state: State, widths: Widths, room: int) -> State:
    """Return `state` with as many columns passed over as it takes for the cursor's to be on the screen whole."""
    if state.column < state.frozen:
        return state
    left = min(max(state.left, state.frozen), state.column)
    while left < state.column:
        tried = replace(state, left=left)
        found = next((item for item in placed(tried, widths, room) if item.place == state.column), None)
        if found is not None and found.width == widths.of(found.name):
            break
        left += 1
    return replace(state, left=left)
