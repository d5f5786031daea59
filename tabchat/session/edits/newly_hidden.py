"""Which columns of an edited table would show what is hidden from models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.tools.hiding import hidden_names

if TYPE_CHECKING:
    from tabchat.engine.edits.versions import EditedTable


def newly_hidden(found: EditedTable, hide: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of the new version that would show what `hide` keeps from models.

    A hidden column under a new name, and cells that were computed from one.
    """
    before = hidden_names(found.before, hide)
    if not before:
        return ()
    summary = found.summary
    shown = {new for old, new in summary.renamed_columns.items() if old in before}
    if found.reads & before:
        shown |= {*summary.added_columns, *summary.changed_columns, *summary.retyped_columns}
    shown -= hidden_names(found.after, hide)
    return tuple(f"{found.after.name}.{name}" for name in found.after.by_name if name in shown)
