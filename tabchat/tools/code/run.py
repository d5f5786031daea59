"""The tool that runs pandas code in the sandbox, for what a plan or SQL cannot say."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.config import PrivacyLevel
from tabchat.engine.nearest import nearest
from tabchat.engine.types import ROW
from tabchat.errors import CodeFailedError, PlanError, SandboxUnavailableError
from tabchat.sandbox.worker.libraries import names_of_code, stats_installed
from tabchat.store import ResultRecipe
from tabchat.tools.arguments import TABLE, TEXT, TITLE, table_argument, text_argument
from tabchat.tools.code.result_names import ChosenNames, cell_names
from tabchat.tools.edit import editor_of, told_edit
from tabchat.tools.lineage import FOR_MODEL, hidden_settings
from tabchat.tools.query import table_reference
from tabchat.tools.registry import DataOutput, Tool
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.errors import TabchatError
    from tabchat.sandbox.reply.outcome import SandboxOutcome
    from tabchat.tools.registry import TextOutput, ToolOutput, Workspace

_OF_NAMES: Final = frozenset(("KeyError", "UndefinedVariableError"))
"""Exceptions of pandas for a column that is not there."""
_QUOTED: Final = re.compile(r"""'([^']+)'|"([^"']+)\"""")
_LISTED: Final = 20


def run_python(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> ToolOutput:
    """Run pandas code over one table, for an answer or to change the table once the person agrees.

    Raises `CodeRefusedError`, `CodeFailedError`, `QueryTimeoutError`, or `DeclinedError`.
    """
    table = table_argument(workspace, arguments)
    code = str(arguments["code"])
    if arguments.get("op") == "edit":
        return _edit(workspace, table, code)
    from tabchat.tools.code.result import as_result
    from tabchat.tools.code.table_rows import rows_of_table

    outcome = run_sandboxed(workspace, table, code)
    result = as_result(workspace.engine, table, outcome, is_person=workspace.is_person)
    chosen = None
    if not workspace.is_person:
        names = list(dict.fromkeys((*result.frame.columns, *result.values)))
        untold = cell_names(names, table.by_name, code)
        if workspace.privacy is PrivacyLevel.STRICT:
            chosen = ChosenNames.of(names, list(table.by_name), untold)
        alone = rows_of_table(table, result) if workspace.privacy is not PrivacyLevel.STRICT else None
        result = replace(result, metadata=replace(result.metadata, cell_names=untold, alone=alone))
    recipe = ResultRecipe(
        kind="code",
        tables=(table_reference(table),),
        plan={"code": code},
        sql=None,
        settings={**({} if workspace.is_person else {"for": FOR_MODEL}), **hidden_settings((table,))},
    )
    return DataOutput(
        result=result,
        recipe=recipe,
        title=text_argument(arguments, "title"),
        printed=outcome.stdout,
        chosen=chosen,
    )


def run_sandboxed(workspace: Workspace, table: Table, code: str, *, edits: bool = False) -> SandboxOutcome:
    """Run `code` over the visible columns of `table`, in the order of its rows; raises what its ending stands for."""
    from tabchat.sandbox.policy import Purpose, SandboxRequest

    if workspace.run_code is None:
        message = "No sandbox is open here, so no code runs."
        raise SandboxUnavailableError(message, hint="Use run_query or run_sql.")
    from sqlglot import exp

    from tabchat.engine.plan.relation import visible_rows

    batches = workspace.engine.execute(visible_rows(table).order_by(exp.column(ROW, quoted=True)))
    first = next(batches)
    outcome = workspace.run_code(
        SandboxRequest(
            code=code,
            purpose=Purpose.EDIT if edits else Purpose.READ,
            batches=itertools.chain((first,), batches),
            schema=first.schema,
        )
    )
    if (error := outcome.error()) is not None:
        raise _with_names(error, outcome, first.schema.names)
    return outcome


def _with_names(error: TabchatError, outcome: SandboxOutcome, columns: Sequence[str]) -> TabchatError:
    """Return `error` with the nearest of `columns` as its hint where the code named one that is not there."""
    failure = outcome.failure
    if failure is None or failure.kind not in _OF_NAMES or not isinstance(error, CodeFailedError):
        return error
    quoted = [single or double for single, double in _QUOTED.findall(failure.message)]
    missing = [name for name in quoted if name not in columns]
    if not missing:
        return error
    near = nearest(missing[0], columns, count=1)
    hint = f"Did you mean the column {near[0]!r}?" if near else f"Columns: {_listed(columns)}."
    return CodeFailedError(error.message, hint=hint, plain=error.plain)


def _listed(columns: Sequence[str]) -> str:
    more = len(columns) - _LISTED
    return ", ".join(columns[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def edited_rows(workspace: Workspace, table: Table, code: str) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the rows that `code` makes of `table`, with the numbers in `__row__` of those that it kept.

    A row that was added has none. The notes beside them are for the person. Raises as `run_sandboxed` does.
    """
    import pyarrow as pa

    from tabchat.sandbox.worker.placing import PLACE
    from tabchat.tools.code.result import remarks_on

    outcome = run_sandboxed(workspace, table, code, edits=True)
    rows = outcome.table
    if rows is None or PLACE not in rows.column_names:
        message = "The code ended without a table in `df`."
        raise CodeFailedError(
            message, hint="Leave a DataFrame in `df` and set `COMMIT_DF = True`.", plain=message
        )
    place = rows.column(PLACE).combine_chunks().to_numpy()
    from sqlglot import exp

    numbered = exp.select(exp.column(ROW, quoted=True)).from_(
        exp.Table(this=exp.to_identifier(table.name, quoted=True))
    )
    batches = list(workspace.engine.execute(numbered.order_by(exp.column(ROW, quoted=True))))
    numbers = pa.Table.from_batches(batches).column(0).combine_chunks()
    kept = numbers.take(pa.array(place, mask=(place < 0) | (place >= len(numbers))))
    notes = (*outcome.repairs, *remarks_on(outcome, is_person=True))
    return rows.drop_columns([PLACE]).append_column(ROW, kept), notes


def label_of(code: str) -> str:
    """Return code in a line, for the list of edits."""
    lines = [
        line.strip()
        for line in code.splitlines()
        if line.strip() and not line.strip().startswith("COMMIT_DF")
    ]
    first = lines[0] if lines else code.strip()
    more = len(lines) - 1
    return f"{first} (and {more} more line{'s' if more > 1 else ''})" if more > 0 else first


def _edit(workspace: Workspace, table: Table, code: str) -> TextOutput:
    if table.name not in workspace.tables:
        message = "An earlier result cannot be edited."
        raise PlanError(message, hint=f"Edit an open table: {', '.join(workspace.tables)}.")
    editor = editor_of(workspace)
    rows, _ = edited_rows(workspace, table, code)
    return told_edit(workspace, editor.edit_rows(table, rows, label_of(code)), "Done")


def _fitted(tool: Tool, workspace: Workspace) -> Tool | None:
    """Return the tool with the libraries that are there in its description, and without edits where there are none."""
    if workspace.run_code is None:
        return None
    names = names_of_code(with_stats=stats_installed())
    fields = {name: value for name, value in _FIELDS.items() if name != "op" or workspace.editor is not None}
    edits = _EDITS if workspace.editor is not None else ""
    return replace(
        tool,
        description=f"{tool.description} No import needed: {names}.{edits}",
        parameters=closed_object(fields, required=("code",)),
    )


_FIELDS: Final[Mapping[str, Mapping[str, JsonValue]]] = {
    "code": TEXT,
    "op": {"type": "string", "enum": ["read", "edit"]},
    "table": TABLE,
    "title": TITLE,
}
_EDITS: Final = (
    " op edit, only when the person asks for a change: change `df` and set COMMIT_DF = True, and no `result`."
)

RUN_PYTHON: Final = Tool(
    name="run_python",
    description="Run pandas code over a table, its rows in `df`, for what queries cannot say: tests, models, reshaping. "
    "Put a DataFrame with named columns, Series, number, text or dict into `result`.",
    parameters=closed_object(_FIELDS, required=("code",)),
    handler=run_python,
    fit=_fitted,
)
