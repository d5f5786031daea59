"""The edits of a table: one record for each operation, and their canonical form."""

from __future__ import annotations

from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue

Scalar: TypeAlias = "bool | int | float | str | None"
"""A cell as JSON writes it; a date is its ISO text."""


@record
class DeleteRows:
    """Take away the rows that meet a condition."""

    where: str


@record
class Update:
    """Compute cells anew, in the rows that meet a condition; every expression sees the row as it was."""

    set: tuple[tuple[str, str], ...]
    """(column, expression) pairs."""
    where: str | None = None


@record
class AddColumn:
    """Append a computed column."""

    name: str
    expression: str


@record
class DropColumns:
    """Take columns away."""

    columns: tuple[str, ...]


@record
class RenameColumns:
    """Give columns other names, all at once, so that two can be exchanged."""

    names: tuple[tuple[str, str], ...]
    """(old, new) pairs."""


@record
class CastColumn:
    """Read the cells of a column as another type; a cell that cannot be read so is an error."""

    column: str
    type: str


@record
class FillMissing:
    """Fill missing cells with a value or by a method, in the rows that meet a condition."""

    columns: tuple[str, ...]
    value: Scalar = None
    method: str | None = None
    where: str | None = None


@record
class ReplaceValues:
    """Put other values in the place of some, all at once; null stands for a missing cell."""

    column: str
    values: tuple[tuple[Scalar, Scalar], ...]
    """(from, to) pairs."""


@record
class Deduplicate:
    """Take away rows that are equal to another one in some columns, all of them by default."""

    columns: tuple[str, ...] = ()
    keep: str = "first"


Edit: TypeAlias = (
    DeleteRows
    | Update
    | AddColumn
    | DropColumns
    | RenameColumns
    | CastColumn
    | FillMissing
    | ReplaceValues
    | Deduplicate
)

_NAMES: Final[Mapping[type, str]] = MappingProxyType(
    {
        DeleteRows: "delete_rows",
        Update: "update",
        AddColumn: "add_column",
        DropColumns: "drop_columns",
        RenameColumns: "rename_columns",
        CastColumn: "cast",
        FillMissing: "fill_missing",
        ReplaceValues: "replace_values",
        Deduplicate: "deduplicate",
    }
)


def operation_of(edit: Edit) -> str:
    """Return the name of an edit's operation."""
    return _NAMES[type(edit)]


def edit_json(edit: Edit) -> dict[str, JsonValue]:
    """Return the canonical form of an edit: its operation and the fields that say something."""
    found: dict[str, JsonValue] = {"operation": operation_of(edit)}
    for item in fields(edit):
        value = getattr(edit, item.name)
        if value is not None and value != ():
            found[item.name] = _field_json(item.name, value)
    return found


def _field_json(name: str, value: object) -> JsonValue:
    match value:
        case tuple() if name in {"set", "names"}:
            return dict(value)
        case tuple() if name == "values":
            return [{"from": before, "to": after} for before, after in value]
        case tuple():
            return list(value)
        case _:
            return value  # type: ignore[return-value] # the other fields hold JSON scalars
