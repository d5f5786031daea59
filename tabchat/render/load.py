"""What reading a file inferred, repaired or rejected, told to the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.text import sanitise

if TYPE_CHECKING:
    from tabchat.engine.table import LoadNote, Table
    from tabchat.render.console import Consoles
    from tabchat.render.text import Glyphs

_STYLES = {"warning": "yellow", "rejected": "yellow", "repaired": "", "inferred": "dim"}


def render_load_report(consoles: Consoles, table: Table, *, everything: bool = False) -> None:
    """Print the notes of a table's load report to stderr: only the alarms, or all of them."""
    notes = table.report.notes if everything else table.report.alarms
    name = sanitise(table.source.name or str(table.source), consoles.glyphs)
    for note in notes:
        style = _STYLES.get(note.action, "")
        line = f"{name}: {describe_note(note, consoles.glyphs)}"
        consoles.err.print(line, style=style, soft_wrap=False)


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
