"""What a file that was written holds, on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.block import counted
from tabchat.render.layout.text import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tabchat.render.terminal.console import Consoles


def narrate_written(consoles: Consoles, rows: int, target: Path | None, warnings: Iterable[str]) -> None:
    """Say how many rows were written to `target`, or to stdout, and what was lost on the way."""
    for warning in warnings:
        told = f"warning: {sanitise(warning, consoles.glyphs)}"
        consoles.prose(consoles.err, told, style="yellow", hang=2)
    place = "stdout" if target is None else sanitise(str(target), consoles.glyphs)
    consoles.say(f"{counted(rows, 'row')} written to {place}.")
