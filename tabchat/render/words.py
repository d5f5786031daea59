"""The person's own words, each with what it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.own_words import OwnWord
    from tabchat.render.terminal.console import Consoles


def render_words(consoles: Consoles, words: Sequence[OwnWord]) -> None:
    """Print a line for each word; says so when there is none."""
    if not words:
        consoles.say("There are no words of your own.")
        return
    columns = [
        GridColumn(header="word", cells=[sanitise(own.word, consoles.glyphs) for own in words], elastic=True),
        GridColumn(
            header="stands for",
            cells=[sanitise(str(own.target), consoles.glyphs) for own in words],
            elastic=True,
        ),
    ]
    draw_fitting(consoles, columns)
