"""The tools that change tables: declared edits, undo and redo. The person agrees first, and the file stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.config import PrivacyLevel
from tabchat.engine.cells import cell_text, quoted
from tabchat.engine.edits.vocabulary import KEEP, METHODS, OPERATIONS, TYPES
from tabchat.errors import PlanError
from tabchat.tools.arguments import TABLE, TEXT, table_argument
from tabchat.tools.envelope import SUMMARY_LIMIT
from tabchat.tools.hiding import hidden_columns
from tabchat.tools.registry import TextOutput, Tool
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.edits.mutation import MutationSummary
    from tabchat.engine.types import JsonValue
    from tabchat.tools.editing import AppliedEdit, Editor
    from tabchat.tools.registry import Workspace

_SCALAR: Final[Mapping[str, JsonValue]] = {
    "anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}]
}
_NAMES: Final[Mapping[str, JsonValue]] = {"anyOf": [{"type": "string"}, {"type": "array", "items": TEXT}]}

EDIT_FIELDS: Final[Mapping[str, Mapping[str, JsonValue]]] = {
    "operation": {"type": "string", "enum": list(OPERATIONS), "description": "What to do."},
    "where": {
        "type": "string",
        "description": "Boolean expression, as in run_query: rows to delete (delete_rows), or to change (update, "
        "fill_missing; all rows when absent).",
    },
    "set": {
        "type": "object",
        "properties": {},
        "additionalProperties": _SCALAR,
        "description": "update: column to expression; a text value takes single quotes inside the expression.",
    },
    "name": {"type": "string", "description": "add_column: name of the new column."},
    "expression": {"type": "string", "description": "add_column: its expression."},
    "columns": {
        **_NAMES,
        "description": "drop_columns, fill_missing, deduplicate (all columns when absent).",
    },
    "names": {
        "type": "object",
        "properties": {},
        "additionalProperties": TEXT,
        "description": "rename_columns: old name to new name.",
    },
    "column": {"type": "string", "description": "cast, replace_values: the column."},
    "type": {"type": "string", "enum": list(TYPES), "description": "cast: the new type."},
    "value": {**_SCALAR, "description": "fill_missing: what to fill with; a date is its ISO text."},
    "method": {
        "type": "string",
        "enum": list(METHODS),
        "description": "fill_missing: how to fill, instead of value; mean, median, mode, min and max are of the whole column.",
    },
    "values": {
        "type": "array",
        "items": closed_object({"from": _SCALAR, "to": _SCALAR}, required=("from", "to")),
        "description": "replace_values: whole cells to replace; null is a missing cell.",
    },
    "keep": {
        "type": "string",
        "enum": list(KEEP),
        "description": "deduplicate: the row that stays; first when absent.",
    },
}


def edit_table(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Change a table, once the person agrees."""
    table = table_argument(workspace, arguments)
    if table.name not in workspace.tables:
        message = "An earlier result cannot be edited."
        raise PlanError(message, hint=f"Edit an open table: {', '.join(workspace.tables)}.")
    fields = {name: value for name, value in arguments.items() if name != "table"}
    return told_edit(workspace, editor_of(workspace).edit(table, fields), "Done")


def undo(workspace: Workspace, _arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Take the last edit back."""
    return told_edit(workspace, editor_of(workspace).go_back(), "Undone")


def redo(workspace: Workspace, _arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Make the edit again that was undone last."""
    return told_edit(workspace, editor_of(workspace).go_forward(), "Done again")


def editor_of(workspace: Workspace) -> Editor:
    """Return who changes tables; raises `PlanError` where nobody does."""
    if workspace.editor is None:
        raise PlanError("Tables cannot be changed here.", hint="Answer from the table as it is.")
    return workspace.editor


def told_edit(workspace: Workspace, applied: AppliedEdit, how: str) -> TextOutput:
    """Say what an edit did: counts at every level, cells at `preview` alone, hidden columns never."""
    summary = applied.summary.without(_hidden(workspace, applied))
    shape = f"{how}: table {quoted(applied.table)} has {'; '.join(summary.to_lines())}."
    shape = shape[: SUMMARY_LIMIT - 1]
    facts: dict[str, JsonValue] = {"tool": "edit_table", "table": applied.table, **_figures(summary)}
    table = workspace.tables.get(applied.table)
    columns: list[JsonValue] = [column.name for column in table.schema] if table is not None else []
    return TextOutput(
        text=_with_cells(shape, summary) if workspace.privacy is PrivacyLevel.PREVIEW else shape,
        shape=shape,
        facts=facts,
        metrics={
            "table": applied.table,
            "columns": columns,
            "structure_changed": summary.structure_changed,
            "mutation_summary": _counts(summary),
        },
    )


def _hidden(workspace: Workspace, applied: AppliedEdit) -> frozenset[str]:
    """Return the hidden columns of the version before and after."""
    names = {
        *applied.summary.added_columns,
        *applied.summary.removed_columns,
        *applied.summary.changed_columns,
        *applied.summary.retyped_columns,
        *(name for pair in applied.summary.renamed_columns.items() for name in pair),
    }
    return hidden_columns(applied.table, names, workspace.hide, applied.twins)


def _counts(summary: MutationSummary) -> dict[str, JsonValue]:
    """Return the summary without a cell."""
    return {name: value for name, value in summary.to_json().items() if name != "changed_cells"}


def _figures(summary: MutationSummary) -> dict[str, JsonValue]:
    """Return the counts that an answer may repeat."""
    changes = {
        "removed": summary.removed_rows,
        "added": summary.added_rows,
        "changed": summary.changed_cells_count,
    }
    made = {name: count for name, count in changes.items() if count}
    return {"rows": summary.rows_after, "rows_before": summary.rows_before, **made}


def _with_cells(text: str, summary: MutationSummary) -> str:
    """Add as many changed cells as there is room for."""
    lines = [text]
    for cell in summary.changed_cells:
        line = (
            f"row {cell.row}, {quoted(cell.column)}: {cell_text(cell.before)} became {cell_text(cell.after)}"
        )
        if sum(map(len, lines)) + len(lines) + len(line) > SUMMARY_LIMIT:
            break
        lines.append(line)
    return "\n".join(lines)


EDIT_TABLE: Final = Tool(
    name="edit_table",
    description="Change a table: delete_rows (where) · update (set, where) · add_column (name, expression) · "
    "drop_columns (columns) · rename_columns (names) · cast (column, type) · fill_missing (columns, value or method, "
    "where) · replace_values (column, values) · deduplicate (columns, keep). Only when the person asks for a change: "
    "they see what it does and confirm it. Their file is never changed, and undo takes it back.",
    parameters=closed_object({**EDIT_FIELDS, "table": TABLE}, required=("operation",)),
    handler=edit_table,
)

UNDO: Final = Tool(
    name="undo",
    description="Take the last edit back, when the person asks for it.",
    parameters=closed_object({}),
    handler=undo,
)

REDO: Final = Tool(
    name="redo",
    description="Make the edit again that was undone last, when the person asks for it.",
    parameters=closed_object({}),
    handler=redo,
)
