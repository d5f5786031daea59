"""Where a person is on a sheet: pure values; every move returns the next one."""

from __future__ import annotations

from dataclasses import replace

from tabchat.record import record


@record
class State:
    """Cursor, window, and what is frozen, hidden or selected."""

    columns: tuple[str, ...]
    """Every column, in order."""
    row_count: int
    row: int = 0
    """Row of the cursor, from 0."""
    top: int = 0
    """First row on the screen."""
    column: int = 0
    """Column of the cursor, as a place in `shown`."""
    left: int = 0
    """First column on the screen after the frozen ones, as a place in `shown`."""
    frozen: int = 0
    """Columns at the left that stay on the screen."""
    hidden: frozenset[str] = frozenset()
    anchor: int | None = None
    """Row where the selection began; it goes on to the cursor."""

    @property
    def shown(self) -> tuple[str, ...]:
        """Columns that are not hidden, in order."""
        return tuple(name for name in self.columns if name not in self.hidden)

    @property
    def name(self) -> str:
        """Column of the cursor."""
        return self.shown[self.column]

    @property
    def selected(self) -> tuple[int, int] | None:
        """First row of the selection and how many there are."""
        if self.anchor is None:
            return None
        first, last = sorted((self.anchor, self.row))
        return first, last - first + 1


def at_row(state: State, row: int, height: int) -> State:
    """Put the cursor on `row`, or on the nearest one that there is; the window of `height` rows follows."""
    row = max(min(row, state.row_count - 1), 0)
    lowest = max(state.row_count - height, 0)
    top = min(max(state.top, row - height + 1, 0), row, max(lowest, 0))
    return replace(state, row=row, top=top)


def by_page(state: State, pages: int, height: int) -> State:
    """Move the cursor and the window by whole pages."""
    lowest = max(state.row_count - height, 0)
    moved = replace(state, top=max(min(state.top + pages * height, lowest), 0))
    return at_row(moved, state.row + pages * height, height)


def at_column(state: State, column: int) -> State:
    """Put the cursor on a column, or on the nearest one that there is."""
    return replace(state, column=max(min(column, len(state.shown) - 1), 0))


def with_hidden(state: State) -> State:
    """Hide the column of the cursor; the last one stays."""
    if len(state.shown) == 1:
        return state
    frozen = state.frozen - (state.column < state.frozen)
    hidden = replace(state, hidden=state.hidden | {state.name}, frozen=frozen)
    return at_column(replace(hidden, left=max(min(state.left, len(hidden.shown) - 1), frozen)), state.column)


def with_all_columns(state: State) -> State:
    """Show every column again; the cursor stays on its column."""
    every = replace(state, hidden=frozenset())
    return at_column(every, every.shown.index(state.name))


def with_frozen(state: State) -> State:
    """Freeze the columns up to the cursor's, or none when these are frozen already."""
    frozen = 0 if state.frozen == state.column + 1 else state.column + 1
    return replace(state, frozen=frozen, left=frozen)


def with_anchor(state: State) -> State:
    """Begin a selection at the cursor, or drop the one that there is."""
    return replace(state, anchor=state.row if state.anchor is None else None)


def with_rows(state: State, row_count: int) -> State:
    """Stand at the top of other rows with the same columns."""
    return replace(state, row_count=row_count, row=0, top=0, anchor=None)
