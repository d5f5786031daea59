"""What an edit changed, counted exactly: rows are matched by `__row__`, the number that they keep for life.

A cell is changed when the row is in both versions and the two values differ; two missing cells do not. Numbers
compare by value whatever their type, and so do dates and datetimes; where a column became another kind, such as
text that became numbers, every cell that holds something counts as changed.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine import cells
from tabchat.engine.functions.templates import fill
from tabchat.engine.types import ROW, ColumnKind, json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, JsonValue, Value

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


def compare_versions(
    engine: Engine,
    before: Table,
    after: Table,
    *,
    renamed: Mapping[str, str],
    written: Sequence[str] | None = None,
    adds_rows: bool = False,
) -> MutationSummary:
    """Return what is different in `after`, which was made of `before`.

    `written` are the columns of both, by their new names, that may differ, all of them when absent; `renamed`
    maps old names to new ones. Without `adds_rows`, every row of `after` is one of `before`.
    """
    pairs = _pairs(before, after, renamed)
    compared = [(old, new) for old, new in pairs if written is None or new.name in written]
    rows = _Rows(engine, before, after, compared)
    common = rows.common() if adds_rows else after.row_count
    counts = rows.changed() if compared else []
    changed = {new.name: count for (_, new), count in zip(compared, counts, strict=True) if count}
    kept = {new.name for _, new in pairs}
    return MutationSummary(
        rows_before=before.row_count,
        rows_after=after.row_count,
        added_rows=after.row_count - common,
        removed_rows=before.row_count - common,
        added_columns=tuple(column.name for column in after.schema if column.name not in kept),
        removed_columns=_removed(before, pairs),
        renamed_columns={old: new for old, new in renamed.items() if old != new},
        retyped_columns={
            new.name: (old.sql_type, new.sql_type) for old, new in pairs if old.sql_type != new.sql_type
        },
        changed_columns=changed,
        changed_cells=rows.sample(changed) if changed else (),
    )


def _pairs(before: Table, after: Table, renamed: Mapping[str, str]) -> list[tuple[Column, Column]]:
    """Return each column that is in both versions, as it was and as it is."""
    found = after.by_name
    taken = set(renamed.values())
    return [
        (column, found[name])
        for column in before.schema
        if (name := renamed.get(column.name, column.name)) in found
        and (column.name in renamed or name not in taken)
    ]


def _removed(before: Table, pairs: Sequence[tuple[Column, Column]]) -> tuple[str, ...]:
    kept = {old.name for old, _ in pairs}
    return tuple(column.name for column in before.schema if column.name not in kept)


class _Rows:
    """The rows of two versions side by side."""

    def __init__(
        self, engine: Engine, before: Table, after: Table, compared: Sequence[tuple[Column, Column]]
    ) -> None:
        self._engine = engine
        self._before = before
        self._after = after
        self._compared = compared

    def common(self) -> int:
        """Count the rows that are in both."""
        return whole(self._engine.rows(self._joined(exp.Count(this=exp.Star())))[0][0])

    def changed(self) -> list[int]:
        """Count the changed cells of each column."""
        counts = [
            fill("COUNT(*) FILTER (WHERE :differs)", differs=_differs(old, new))
            for old, new in self._compared
        ]
        return [whole(count) for count in self._engine.rows(self._joined(*counts))[0]]

    def sample(self, changed: Mapping[str, int]) -> tuple[ChangedCell, ...]:
        """Return the first changed cells."""
        found: list[tuple[int, int, ChangedCell]] = []
        for place, (old, new) in enumerate(self._compared):
            if new.name not in changed:
                continue
            row = exp.column(ROW, table="after", quoted=True)
            query = self._joined(row, _cell("before", old), _cell("after", new))
            query = query.where(_differs(old, new)).order_by(row.copy()).limit(SAMPLE)
            found += [
                (
                    whole(number),
                    place,
                    ChangedCell(row=whole(number), column=new.name, before=was, after=now),
                )
                for number, was, now in self._engine.rows(query)
            ]
        ordered = sorted(found, key=lambda item: item[:2])
        return tuple(cell for _, _, cell in ordered[:SAMPLE])

    def _joined(self, *cells: exp.Expr) -> exp.Select:
        same = fill(":b = :a", b=exp.column(ROW, table="before"), a=exp.column(ROW, table="after"))
        return (
            exp.select(*cells)
            .from_(self._before.scan.copy().subquery("before"))
            .join(self._after.scan.copy().subquery("after"), on=same)
        )


def _names(columns: Iterable[str]) -> str:
    return cells.joined(map(cells.quoted, columns), _NAMES_LIMIT, "columns")


def _cell(side: str, column: Column) -> exp.Expr:
    return exp.column(column.name, table=side, quoted=True)


def _differs(old: Column, new: Column) -> exp.Expr:
    before, after = _cell("before", old), _cell("after", new)
    if _comparable(old, new):
        return fill(":before IS DISTINCT FROM :after", before=before, after=after)
    return fill("NOT (:before IS NULL AND :after IS NULL)", before=before, after=after)


def _comparable(old: Column, new: Column) -> bool:
    if old.kind is ColumnKind.OTHER or new.kind is ColumnKind.OTHER:
        return old.sql_type == new.sql_type
    both_numeric = old.kind.is_numeric and new.kind.is_numeric
    return old.kind is new.kind or both_numeric or (old.kind.is_temporal and new.kind.is_temporal)


def whole(value: Value) -> int:
    """Return a count or a row number, whatever the engine's type for it."""
    return int(value)  # type: ignore[arg-type] # counts and row numbers are whole numbers
