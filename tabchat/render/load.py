"""What reading a file inferred, repaired or rejected, told to the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.layout.text import sanitise
from tabchat.render.layout.wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.engine.table import LoadNote, Table
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

_STYLES = {"warning": "yellow", "rejected": "yellow", "repaired": "", "inferred": "dim"}
_PRESSING = 3
"""Notes that are told in words each time."""


def render_load_report(consoles: Consoles, table: Table) -> None:
    """Print all notes of a table's load report to stderr."""
    for note in table.report.notes:
        style = _STYLES.get(note.action, "")
        line = f"{_name(consoles, table)}: {describe_note(note, consoles.glyphs)}"
        _print_wrapped(consoles, line, style)


def narrate_load_report(consoles: Consoles, table: Table, listing: str) -> None:
    """Say in one line on stderr how many notes there are, and that `listing` lists them.

    The only warning is told itself, and what skews figures always is. What was merely inferred, and nothing repaired,
    is not worth a line.
    """
    notes, alarms, pressing = table.report.notes, table.report.alarms, table.report.pressing[:_PRESSING]
    if all(note.action == "inferred" for note in notes):
        return
    lines = [describe_note(note, consoles.glyphs) for note in pressing]
    count = f"{len(notes):,} note{'' if len(notes) == 1 else 's'} on reading"
    if len(alarms) > 1:
        count += f", {len(alarms):,} of them warnings"
    if not lines:
        lines = [f"{count}: {listing}"]
    elif len(notes) > len(lines):
        lines[-1] += f" ({count}: {listing})"
    for line in lines:
        style = "yellow" if alarms else "dim"
        _print_wrapped(consoles, f"{_name(consoles, table)}: {line}", style)


def alarms_of(tables: Iterable[Table]) -> list[str]:
    """Return what a program should know of reading the tables, a sentence for each warning and for what was rejected."""
    return [f"{table.source.name}: {note.message}" for table in tables for note in table.report.alarms]


def _print_wrapped(consoles: Consoles, line: str, style: str) -> None:
    for row in wrap_text(line, consoles.width):
        consoles.err.print(row, style=style)


def _name(consoles: Consoles, table: Table) -> str:
    return sanitise(table.source.name or str(table.source), consoles.glyphs)


def describe_note(note: LoadNote, glyphs: Glyphs) -> str:
    """Return a note as one line: what was done, to which records, and the flag that changes it."""
    parts = [f"{note.action}: {note.message}"]
    if note.rows:
        listed = ", ".join(f"{row:,}" for row in note.rows)
        more = f" {glyphs.ellipsis} ({note.count:,} in all)" if note.count > len(note.rows) else ""
        parts.append(f"Record{'' if note.count == 1 else 's'} {listed}{more}.")
    if note.hint:
        parts.append(note.hint)
    return sanitise(" ".join(parts), glyphs)
