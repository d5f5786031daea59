"""What an edit changed: the counts, which are exact, and the first changed cells."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from tabchat.engine import cells
from tabchat.engine.types import json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tabchat.engine.types import JsonValue, Value

SAMPLE: Final = 20
"""Changed cells that a summary shows at most."""

_NAMES_LIMIT: Final = 300
"""Characters that a list of columns may take in a line."""


@record
class ChangedCell:
    """One cell before and after an edit."""

    row: int
    """Number of the row, as source rows show it."""
    column: str
    """Name after the edit."""
    before: Value
    after: Value

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{row, column, before, after}`."""
        return {
            "row": self.row,
            "column": self.column,
            "before": json_value(self.before),
            "after": json_value(self.after),
        }


@record
class MutationSummary:
    """What an edit did to a table; every count is exact."""

    rows_before: int
    rows_after: int
    added_rows: int = 0
    removed_rows: int = 0
    added_columns: tuple[str, ...] = ()
    removed_columns: tuple[str, ...] = ()
    renamed_columns: Mapping[str, str] = field(default_factory=dict)
    """Old name → new name."""
    retyped_columns: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Name after the edit → type before and after, as the engine calls them."""
    changed_columns: Mapping[str, int] = field(default_factory=dict)
    """Name after the edit → cells of it that changed; columns without any are left out."""
    changed_cells: tuple[ChangedCell, ...] = ()
    """The first of them, by row and then by column; at most `SAMPLE`."""

    @property
    def changed_cells_count(self) -> int:
        """Cells of rows and columns that are in both versions, and differ."""
        return sum(self.changed_columns.values())

    @property
    def structure_changed(self) -> bool:
        """Whether the columns or their types are others than before."""
        return bool(
            self.added_columns or self.removed_columns or self.renamed_columns or self.retyped_columns
        )

    @property
    def changes_nothing(self) -> bool:
        """Whether the table is the same as before."""
        counts = self.added_rows, self.removed_rows, self.changed_cells_count
        return not (any(counts) or self.structure_changed)

    def inverted(self) -> MutationSummary:
        """Return what taking the edit back does."""
        old_names = {new: old for old, new in self.renamed_columns.items()}

        def old(name: str) -> str:
            return old_names.get(name, name)

        return MutationSummary(
            rows_before=self.rows_after,
            rows_after=self.rows_before,
            added_rows=self.removed_rows,
            removed_rows=self.added_rows,
            added_columns=self.removed_columns,
            removed_columns=self.added_columns,
            renamed_columns=old_names,
            retyped_columns={old(name): (now, was) for name, (was, now) in self.retyped_columns.items()},
            changed_columns={old(name): count for name, count in self.changed_columns.items()},
            changed_cells=tuple(
                replace(cell, column=old(cell.column), before=cell.after, after=cell.before)
                for cell in self.changed_cells
            ),
        )

    def without(self, hidden: Collection[str]) -> MutationSummary:
        """Return what may be said of the edit to somebody who does not know the columns in `hidden`."""
        return replace(
            self,
            added_columns=tuple(name for name in self.added_columns if name not in hidden),
            removed_columns=tuple(name for name in self.removed_columns if name not in hidden),
            renamed_columns={
                old: new
                for old, new in self.renamed_columns.items()
                if old not in hidden and new not in hidden
            },
            retyped_columns={
                name: types for name, types in self.retyped_columns.items() if name not in hidden
            },
            changed_columns={
                name: count for name, count in self.changed_columns.items() if name not in hidden
            },
            changed_cells=tuple(cell for cell in self.changed_cells if cell.column not in hidden),
        )

    def to_lines(self) -> tuple[str, ...]:
        """Return the counts and the columns in words, a line for each matter; no cell is quoted."""
        rows = f"{self.rows_after:,} row{'' if self.rows_after == 1 else 's'}"
        moved = [f"{self.removed_rows:,} removed"] if self.removed_rows else []
        moved += [f"{self.added_rows:,} added"] if self.added_rows else []
        lines = [
            f"{rows}, {self.rows_before:,} before: {', '.join(moved)}" if moved else f"{rows}, as before"
        ]
        named = (("added", self.added_columns), ("removed", self.removed_columns))
        lines += [f"columns {what}: {_names(columns)}" for what, columns in named if columns]
        if self.renamed_columns:
            pairs = [
                f"{cells.quoted(old)} is {cells.quoted(new)}" for old, new in self.renamed_columns.items()
            ]
            lines.append(f"columns renamed: {cells.joined(pairs, _NAMES_LIMIT, 'columns')}")
        if self.retyped_columns:
            pairs = [
                f"{cells.quoted(name)} {was} to {now}" for name, (was, now) in self.retyped_columns.items()
            ]
            lines.append(f"types changed: {cells.joined(pairs, _NAMES_LIMIT, 'columns')}")
        if self.changed_columns:
            counts = [f"{cells.quoted(name)} {count:,}" for name, count in self.changed_columns.items()]
            listed = cells.joined(counts, _NAMES_LIMIT, "columns")
            lines.append(f"cells changed: {self.changed_cells_count:,} ({listed})")
        return tuple(lines)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the summary as plain JSON."""
        return {
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "added_rows": self.added_rows,
            "removed_rows": self.removed_rows,
            "added_columns": list(self.added_columns),
            "removed_columns": list(self.removed_columns),
            "renamed_columns": dict(self.renamed_columns),
            "retyped_columns": {name: list(types) for name, types in self.retyped_columns.items()},
            "changed_cells_count": self.changed_cells_count,
            "changed_columns": dict(self.changed_columns),
            "changed_cells": [cell.to_json() for cell in self.changed_cells],
            "structure_changed": self.structure_changed,
        }


def _names(columns: Iterable[str]) -> str:
    return cells.joined(map(cells.quoted, columns), _NAMES_LIMIT, "columns")
