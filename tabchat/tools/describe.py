"""The tools that describe: a table, a column, an earlier result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.config import PrivacyLevel
from tabchat.tools.arguments import TABLE, TEXT, column_argument, table_argument
from tabchat.tools.registry import TextOutput, Tool
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.tools.registry import Workspace


def describe_table(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Describe every column of a table."""
    table = table_argument(workspace, arguments)
    facts: dict[str, JsonValue] = {"table": table.name, "rows": table.row_count, "cols": len(table.schema)}
    if workspace.privacy is PrivacyLevel.STRICT:
        return TextOutput(text=_names_and_types(table), facts=facts)
    from tabchat.engine.profile import profile_table

    profile = profile_table(workspace.engine, table)
    return TextOutput(
        text=profile.to_text(preview=workspace.privacy is PrivacyLevel.PREVIEW),
        facts=facts | {"exact": profile.exact},
    )


def describe_column(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Describe one column of a table."""
    table = table_argument(workspace, arguments)
    column = column_argument(table, str(arguments["column"]))
    facts: dict[str, JsonValue] = {"table": table.name, "column": column.name, "kind": column.kind.value}
    if workspace.privacy is PrivacyLevel.STRICT:
        return TextOutput(text=f"{column.name}: {column.kind.value}", facts=facts)
    from tabchat.engine.profile import profile_table

    profile = profile_table(workspace.engine, table, columns=(column.name,))
    return TextOutput(text=profile.to_text(), facts=facts | {"exact": profile.exact})


def describe_result(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Describe an earlier result by its key."""
    entry = workspace.store.get(str(arguments["data_key"]))
    facts: dict[str, JsonValue] = {
        "data_key": entry.key,
        "kind": entry.kind.value,
        "row_count": entry.row_count,
        "columns": [column.name for column in entry.schema],
    }
    if workspace.privacy is PrivacyLevel.STRICT:
        names = ", ".join(column.name for column in entry.schema)
        return TextOutput(
            text=f"{entry.kind.value}: {entry.row_count} rows with columns {names}", facts=facts
        )
    return TextOutput(text=entry.summary, facts=facts)


def _names_and_types(table: Table) -> str:
    listed = ", ".join(f"{column.name} ({column.kind.value})" for column in table.schema)
    return f"Found {table.row_count} records. Columns: {listed}"


DESCRIBE_TABLE: Final = Tool(
    name="describe_table",
    description="Describe a table: its columns with kinds, ranges, distinct counts and missing values.",
    parameters=closed_object({"table": TABLE}),
    handler=describe_table,
)

DESCRIBE_COLUMN: Final = Tool(
    name="describe_column",
    description="Describe one column: its kind, range, distinct values and missing values.",
    parameters=closed_object({"column": TEXT, "table": TABLE}, required=("column",)),
    handler=describe_column,
)

DESCRIBE_RESULT: Final = Tool(
    name="describe_result",
    description="Describe an earlier result by its data_key.",
    parameters=closed_object({"data_key": TEXT}, required=("data_key",)),
    handler=describe_result,
)
