"""What reading a file inferred, repaired or rejected, told to the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.layout.text import sanitise

if TYPE_CHECKING:
    from tabchat.engine.table import LoadNote, Table
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

_STYLES = {"warning": "yellow", "rejected": "yellow", "repaired": "", "inferred": "dim"}


def render_load_report(consoles: Consoles, table: Table) -> None:
    """Print all notes of a table's load report to stderr."""
    for note in table.report.notes:
        style = _STYLES.get(note.action, "")
        line = f"{_name(consoles, table)}: {describe_note(note, consoles.glyphs)}"
        consoles.err.print(line, style=style, soft_wrap=False)


def narrate_load_report(consoles: Consoles, table: Table, listing: str) -> None:
    """Say in one line on stderr how many notes there are, and that `listing` lists them.

    The only warning is told itself. What was merely inferred, and nothing repaired, is not worth a line.
    """
    notes, alarms = table.report.notes, table.report.alarms
    if all(note.action == "inferred" for note in notes):
        return
    count = f"{len(notes):,} note{'' if len(notes) == 1 else 's'} on reading"
    if len(alarms) == 1:
        told = describe_note(alarms[0], consoles.glyphs)
        told += f" ({count}: {listing})" if len(notes) > 1 else ""
    else:
        told = f"{count}{f', {len(alarms):,} of them warnings' if alarms else ''}: {listing}"
    style = "yellow" if alarms else "dim"
    consoles.err.print(f"{_name(consoles, table)}: {told}", style=style, soft_wrap=False)


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
