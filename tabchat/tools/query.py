"""The tools that compute: a declarative plan, or one SELECT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.plan.query_plan import read_plan
from tabchat.errors import SqlRefusedError
from tabchat.store import ResultRecipe, TableRef
from tabchat.tools.arguments import TABLE, TEXT, TITLE, table_argument, text_argument
from tabchat.tools.lineage import hidden_settings, names_columns_after_cells
from tabchat.tools.registry import DataOutput, Tool
from tabchat.tools.results import NamedTables, computed_before
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.tools.registry import Workspace

_TEXTS: Final[Mapping[str, JsonValue]] = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
}

PLAN_FIELDS: Final[Mapping[str, Mapping[str, JsonValue]]] = {
    "period": {
        "type": "string",
        "description": "2024, 2024-03, 2024-03-15, a:b, a:, :b, last_UNIT and this_UNIT (day, week, month, "
        "quarter, year), last_N_days (they end on the last date), previous_N_months (whole months before its own), "
        "N_months_ago; relative ones count from the last date in the data.",
    },
    "time_column": {"type": "string", "description": "Date column that period and row order refer to."},
    "session": {
        "anyOf": [{"type": "string"}, closed_object({"from": TEXT, "to": TEXT}, required=("from", "to"))],
        "description": "Time-of-day window: a configured name, or from and to as HH:MM.",
    },
    "resample": {
        "type": "string",
        "description": "1m 5m 15m 30m 1h 2h 4h daily weekly monthly quarterly yearly.",
    },
    "from": {"type": "string", "description": "Another name of resample."},
    "within": {
        **_TEXTS,
        "description": "Columns in whose groups rank, prev, cumsum and the like start anew.",
    },
    "map": {
        "type": "object",
        "properties": {},
        "additionalProperties": {"type": "string"},
        "description": "New columns, name to expression, computed in order.",
    },
    "where": {"type": "string", "description": "Boolean expression that keeps rows."},
    "group_by": {**_TEXTS, "description": "Column or columns; put functions into map first."},
    "select": {**_TEXTS, "description": "Aggregate or aggregates, such as mean(price) or count()."},
    "having": {"type": "string", "description": "Boolean expression over the aggregated columns."},
    "sort": {**_TEXTS, "description": "column asc, or column desc."},
    "limit": {"type": "integer", "minimum": 1, "description": "Rows to keep."},
    "columns": {**_TEXTS, "description": "Columns to show."},
    "steps": {
        "type": "array",
        "items": {"type": "object", "properties": {}, "additionalProperties": True},
        "description": "Plans run one after another, each on the rows of the one before.",
    },
}


def run_query(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> DataOutput:
    """Run a QueryPlan on one table, unless its rows are few and kept."""
    table = table_argument(workspace, arguments)
    fields = {name: value for name, value in arguments.items() if name not in {"table", "title"}}
    plan, issues = read_plan(fields)
    recipe = ResultRecipe(
        kind="plan",
        tables=(table_reference(table),),
        plan=plan.to_json(),
        sql=None,
        settings={
            "week_start": workspace.week_start,
            "sessions": {name: list(window) for name, window in workspace.sessions.items()},
            **hidden_settings((table,)),
        },
    )
    result = computed_before(workspace, table, recipe) if not issues else None
    if result is None:
        # A database starts outside Python: it is there when what builds the query has loaded.
        workspace.engine.begin()
        from tabchat.engine.query import plan_for, run_plan

        plan = plan_for(fields, table.schema, sessions=workspace.sessions)
        result = run_plan(
            workspace.engine, table, plan, sessions=workspace.sessions, week_start=workspace.week_start
        )
    return DataOutput(result=result, recipe=recipe, title=text_argument(arguments, "title"))


def run_select(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> DataOutput:
    """Run one SELECT over the open tables and earlier results."""
    from tabchat.engine.sql.query import read_sql, run_checked
    from tabchat.engine.sql.spelled import check_spelled

    checked = read_sql(str(arguments["sql"]), NamedTables(workspace))
    if not workspace.is_person and names_columns_after_cells(checked.query):
        message = "PIVOT without a list of values would name columns after cells."
        raise SqlRefusedError(message, hint="List the values: PIVOT (sum(x) FOR column IN ('a', 'b')).")
    if not workspace.is_person:
        check_spelled(checked.query)
    result = run_checked(workspace.engine, checked, written=workspace.sql_engine)
    tables = tuple(checked.tables.values())
    recipe = ResultRecipe(
        kind="sql",
        tables=tuple(table_reference(table) for table in tables),
        plan=None,
        sql=result.sql,
        settings=hidden_settings(tables),
    )
    return DataOutput(result=result, recipe=recipe, title=text_argument(arguments, "title"))


def table_reference(table: Table) -> TableRef:
    """Return what a recipe keeps of a table."""
    return TableRef(
        name=table.name,
        source=str(table.source),
        version=table.version,
        options=table.options.to_json(),
        edits=table.edits,
    )


RUN_QUERY: Final = Tool(
    name="run_query",
    description="Filter, compute, group, sort or aggregate one table. Steps run in this order: period, session, "
    "resample, within, map, where, group_by, select, having, sort, limit, columns.",
    parameters=closed_object({**PLAN_FIELDS, "table": TABLE, "title": TITLE}),
    handler=run_query,
)

RUN_SQL: Final = Tool(
    name="run_sql",
    description="Run one read-only SELECT in DuckDB's dialect over the open tables and earlier results (FROM _, FROM ds_…), "
    "for what run_query cannot say.",
    parameters=closed_object({"sql": TEXT, "title": TITLE}, required=("sql",)),
    handler=run_select,
)
