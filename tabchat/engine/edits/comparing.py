"""Two versions of a table side by side, counted in the engine.

Rows are matched by `__row__`, the number that they keep for life. A cell is changed when the row is in both versions
and the two values differ; two missing cells do not. Numbers compare by value whatever their type, and so do dates and
datetimes; where a column became another kind, such as text that became numbers, every cell that holds something
counts as changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.edits.mutation import SAMPLE, ChangedCell, MutationSummary
from tabchat.engine.functions.templates import fill
from tabchat.engine.types import ROW, ColumnKind, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine


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
                (whole(number), place, ChangedCell(row=whole(number), column=new.name, before=was, after=now))
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
