"""Columns that no model learns of: tables as they look without them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.engine.nearest import nearest
from tabchat.engine.result.labels import fold
from tabchat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tabchat.engine.table import LoadReport, Table


def hidden_columns(
    table: str, columns: Iterable[str], hide: Sequence[str], twins: Mapping[str, str]
) -> frozenset[str]:
    """Return those of the columns of the table called `table` that `hide` names.

    It does so by their names or by the headers that they repeat: `twins` maps a column to that header.
    """
    wanted = {fold(name) for name in hide}
    own = fold(table)

    def is_hidden(name: str) -> bool:
        return not wanted.isdisjoint({fold(name), f"{own}.{fold(name)}"})

    return frozenset(name for name in columns if is_hidden(name) or is_hidden(twins.get(name, name)))


def hidden_twins(tables: Mapping[str, Table], hide: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each name in `hide` that also hides columns which repeat its header."""
    found = []
    for name in hide:
        for table in tables.values():
            also = [twin for twin in table.report.twins if twin in hidden_names(table, [name])]
            also = [twin for twin in also if fold(twin) != fold(name.rpartition(".")[2])]
            if also:
                found.append(
                    f"{name!r} also hides {', '.join(also)} of {table.name}: the header is the same."
                )
    return tuple(found)


def visible_tables(tables: Mapping[str, Table], hide: Sequence[str]) -> Mapping[str, Table]:
    """Return `tables` without the columns that `hide` names, as `column` or `table.column`, whatever their case.

    A table that has no other columns is left out itself. A table that is edited shows so here, too.
    """
    return _VisibleTables(tables, hide)


def check_hidden(tables: Mapping[str, Table], hide: Sequence[str]) -> None:
    """Raise `UsageError` for the first name in `hide` that is no column of any of `tables`."""
    known = [column.name for table in tables.values() for column in table.schema]
    qualified = [f"{table.name}.{column.name}" for table in tables.values() for column in table.schema]
    for name in hide:
        if any(hidden_names(table, [name]) for table in tables.values()):
            continue
        near = nearest(name, dict.fromkeys(qualified if "." in name else known)) or nearest(name, known)
        hint = (
            f"Did you mean {' or '.join(near)}?" if near else f"Columns: {', '.join(dict.fromkeys(known))}."
        )
        raise UsageError(f"There is no column {name!r} to hide.", hint=hint)


def hidden_names(table: Table, hide: Sequence[str]) -> frozenset[str]:
    """Return the columns of a table that `hide` names."""
    return hidden_columns(table.name, table.by_name, hide, table.report.twins)


def without_columns(table: Table, hidden: Collection[str]) -> Table:
    """Return `table` as it looks without the columns called `hidden`."""
    if not hidden:
        return table
    return replace(
        table,
        schema=tuple(column for column in table.schema if column.name not in hidden),
        whole_schema=table.whole_schema or table.schema,
        report=_unsaid(table.report, hidden),
        options=replace(
            table.options,
            types=tuple((name, kind) for name, kind in table.options.types if name not in hidden),
        ),
    )


def _unsaid(report: LoadReport, hidden: Collection[str]) -> LoadReport:
    """Leave out the notes on how the file was read that concern a hidden column, or name one."""
    folded = [fold(name) for name in hidden]
    notes = tuple(
        note
        for note in report.notes
        if note.column not in hidden
        and not any(name in fold(f"{note.message} {note.hint or ''}") for name in folded)
    )
    return replace(report, notes=notes)


class _VisibleTables(Mapping[str, "Table"]):
    """What `visible_tables` returns; each table is narrowed when somebody asks for it."""

    def __init__(self, tables: Mapping[str, Table], hide: Sequence[str]) -> None:
        self._tables = tables
        self._hide = tuple(hide)

    def __getitem__(self, name: str) -> Table:
        table = self._tables[name]
        shown = without_columns(table, hidden_names(table, self._hide))
        if not shown.schema:
            raise KeyError(name)
        return shown

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._tables if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
