"""Reading the checked arguments of a tool call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.errors import PlanError
from tabchat.tools.results import NamedTables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, JsonValue
    from tabchat.tools.registry import Workspace

TEXT: Final[Mapping[str, JsonValue]] = {"type": "string"}
TABLE: Final[Mapping[str, JsonValue]] = {
    "type": "string",
    "description": "Table; r1 (a result of this conversation), _ (the last one) or a data_key runs on that result's rows. "
    "Needed when several tables are open.",
}
TITLE: Final[Mapping[str, JsonValue]] = {
    "type": "string",
    "description": "Three to six words for the result.",
}


def text_argument(arguments: Mapping[str, JsonValue], name: str) -> str | None:
    """Return a text argument, or nothing when it was not given."""
    value = arguments.get(name)
    return value if isinstance(value, str) else None


def table_argument(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> Table:
    """Return the table or the earlier result that a call names; a call need not name the only table.

    Raises `PlanError` for an unknown name and `DataKeyError` for an unknown key.
    """
    name = text_argument(arguments, "table")
    if name is None and len(workspace.tables) == 1:
        return next(iter(workspace.tables.values()))
    known = ", ".join(workspace.tables)
    if name is None:
        raise PlanError("Several tables are open and the call names none.", hint=f"Give `table`: {known}.")
    tables = NamedTables(workspace)
    found = tables[name] if name in tables else table_called(name, workspace.tables)
    if found is None:
        raise PlanError(f"There is no table {name!r}.", hint=f"Open tables: {known}.")
    return found


def table_called(name: str, tables: Mapping[str, Table]) -> Table | None:
    """Return the table of that name; else the only one that is called so, or whose file is, whatever the case."""
    if name in tables:
        return tables[name]
    wanted = name.casefold()
    alike = [
        table for own, table in tables.items() if wanted in {own.casefold(), table.source.name.casefold()}
    ]
    return alike[0] if len(alike) == 1 else None


def column_argument(table: Table, name: str) -> Column:
    """Return the column called `name`, whatever its case when that is unambiguous."""
    exact = table.by_name.get(name)
    if exact is not None:
        return exact
    folded = [column for column in table.schema if column.name.casefold() == name.casefold()]
    if len(folded) == 1:
        return folded[0]
    from difflib import get_close_matches

    close = get_close_matches(name, table.by_name, n=3, cutoff=0.5)
    names = ", ".join(close or table.by_name)
    message = f"Table {table.name!r} has no column {name!r}."
    raise PlanError(message, hint=f"{'Nearest' if close else 'Columns'}: {names}.")
