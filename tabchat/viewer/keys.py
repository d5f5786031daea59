"""The keys of the viewer, for its help and its documentation."""

from __future__ import annotations

from typing import Final

from tabchat.record import record


@record
class KeyHelp:
    """What a key does."""

    keys: str
    summary: str


HELP: Final = (
    KeyHelp(keys="arrows, h j k l", summary="move"),
    KeyHelp(keys="PgUp PgDn, Ctrl-B Ctrl-F", summary="move by a screen"),
    KeyHelp(keys="Home End, 0 $", summary="first or last column"),
    KeyHelp(keys="g N Enter", summary="go to row N; g Enter to the first one"),
    KeyHelp(keys="G", summary="go to the last row"),
    KeyHelp(keys="/ TEXT Enter", summary="search all columns; n the next, N the one before"),
    KeyHelp(keys="f CONDITION Enter", summary="filter by the column: > 100, = Asia, part of a text, empty"),
    KeyHelp(keys="=", summary="filter by the cell under the cursor"),
    KeyHelp(keys="F", summary="drop all filters"),
    KeyHelp(keys="s", summary="sort by the column: ascending, descending, as they lie"),
    KeyHelp(keys="z", summary="freeze the columns up to this one, or free them"),
    KeyHelp(keys="-", summary="hide the column; + shows all again"),
    KeyHelp(keys="Enter", summary="the whole cell, or the rows behind a row of a result"),
    KeyHelp(keys="t", summary="the whole text of the cell"),
    KeyHelp(keys="c", summary="how often each value of the column occurs"),
    KeyHelp(keys="i", summary="histogram of the column"),
    KeyHelp(keys="r", summary="the rows behind the row"),
    KeyHelp(keys="v", summary="begin or drop a selection of rows"),
    KeyHelp(
        keys="e FILE Enter", summary="export the selection, or all rows, with the columns that are shown"
    ),
    KeyHelp(keys="Esc, Backspace", summary="back to the sheet before"),
    KeyHelp(keys="Ctrl-C", summary="stop what runs"),
    KeyHelp(keys="q", summary="back, and from the first sheet leave; Q leaves at once"),
)


def help_lines() -> list[str]:
    """Return the keys, one a line."""
    width = max(len(item.keys) for item in HELP) + 2
    return [f"{item.keys:<{width}}{item.summary}" for item in HELP]
