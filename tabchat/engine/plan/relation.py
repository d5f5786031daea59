"""What a step of a plan reads: named fields with their kinds, and the order of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from sqlglot import exp

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.engine.functions.signature import Label
    from tabchat.engine.table import Table
    from tabchat.engine.types import ColumnKind, Schema


@record
class Field:
    """One column that expressions of a step can name."""

    name: str
    sql_name: str
    """Its name in the query; differs from `name` where a computed column replaced one of the same name."""
    kind: ColumnKind | None
    """None when its expression has errors, so that they are reported once."""
    sql_type: str | None = None
    unit: str | None = None
    label: Label | None = None
    computed: bool = False
    """True for columns that the plan made."""

    def column(self) -> exp.Column:
        """Return a reference to it."""
        return exp.column(self.sql_name, quoted=True)


@record
class OrderKey:
    """One key of the order of rows; nulls come last either way."""

    sql_name: str
    descending: bool = False

    def ordered(self, table: str | None = None) -> exp.Ordered:
        """Return the ORDER BY item."""
        column = exp.column(self.sql_name, table=table, quoted=True)
        return exp.Ordered(this=column, desc=self.descending, nulls_first=False)


Order: TypeAlias = "tuple[OrderKey, ...]"

_Query = TypeVar("_Query", bound=exp.Query)


@record
class Relation:
    """Rows under a name, as one step hands them to the next."""

    name: str
    fields: tuple[Field, ...]
    order: Order
    """Order in which row functions see the rows; it tells every two rows apart."""
    shown: Order
    """Order in which the rows are shown when nothing sorts them."""
    has_row: bool
    """True while each row is still a record of the file, with its number."""
    time: str | None = None
    """Name of the date column."""
    behind: str | None = None
    """SQL name of the column that tells how many rows of the table each stands for; none while it is one."""

    def find(self, name: str) -> Field | None:
        """Return the field of that name: the exact one, else the only one that differs by case."""
        return find_field(self.fields, name)


def find_field(fields: Iterable[Field], name: str) -> Field | None:
    """Return the field of that name: the exact one, else the only one that differs by case."""
    folded = name.casefold()
    alike = [field for field in fields if field.name.casefold() == folded]
    exact = next((field for field in alike if field.name == name), None)
    return exact or (alike[0] if len(alike) == 1 else None)


def source_fields(schema: Schema) -> tuple[Field, ...]:
    """Return a table's columns as fields."""
    return tuple(
        Field(
            name=column.name,
            sql_name=column.name,
            kind=column.kind,
            sql_type=column.sql_type,
            unit=column.unit,
        )
        for column in schema
    )


def visible_rows(table: Table, *extra: str) -> exp.Select:
    """Return the query of a table's visible columns, after those named in `extra`."""
    names = [*extra, *(column.name for column in table.schema)]
    columns = [exp.column(name, quoted=True) for name in names]
    return exp.select(*columns).from_(exp.Table(this=exp.to_identifier(table.name, quoted=True)))


def narrow(query: exp.Select, table: Table, *extra: str) -> exp.Select:
    """Return `query` with `table` replaced by its visible columns and those named in `extra`."""
    narrowed = query.copy()
    for node in [node for node in narrowed.find_all(exp.Table) if node.name == table.name]:
        alias = node.alias or table.name
        node.replace(visible_rows(table, *extra).subquery(exp.to_identifier(alias, quoted=True), copy=False))
    return narrowed


def pinned(query: _Query, tables: Iterable[Table]) -> _Query:
    """Return `query` over the very versions in `tables`, whatever their names come to stand for later.

    A table that is still scanned where its file lies keeps its name, and so does an earlier result, which
    has no other version. No CTE of the query bears a table's name.
    """
    scans = {table.name: table.scan for table in tables if table.stored and table.name != table.version}
    fixed = query.copy()
    for node in [node for node in fixed.find_all(exp.Table) if node.name in scans]:
        alias = exp.to_identifier(node.alias or node.name, quoted=True)
        node.replace(scans[node.name].copy().subquery(alias, copy=False))
    return fixed
