"""The tools that describe: a table, a column, an earlier result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.config import PrivacyLevel
from tabchat.engine.cells import cell_text, joined, quoted
from tabchat.engine.types import json_value
from tabchat.store import is_key
from tabchat.tools.arguments import TABLE, TEXT, column_argument, table_argument
from tabchat.tools.counts import told_count_of_table
from tabchat.tools.lineage import collects
from tabchat.tools.privacy import told_summary
from tabchat.tools.registry import EarlierOutput, TextOutput, Tool
from tabchat.tools.results import earlier_result, frame_in, kept_result
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.profile.profile import ColumnProfile, TableProfile
    from tabchat.engine.result.summary import Summary
    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue, Value
    from tabchat.tools.registry import Workspace

DESCRIBED: Final = 60
"""Columns of a wide table that are looked into; there is room for fewer."""

LOW_CARDINALITY: Final = 100
"""A column with more different values than this does not list them."""

_NAMES_LIMIT: Final = 900
_SHORT: Final = 30
"""Characters of a text value that is listed among the frequent ones."""


def describe_table(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Describe the columns of a table, as many as there is room for, and name the others."""
    table = table_argument(workspace, arguments)
    rows = told_count_of_table(workspace, table, table.row_count)
    shape = _names_and_kinds(table, rows)
    facts: dict[str, JsonValue] = {"table": table.name, "rows": table.row_count, "cols": len(table.schema)}
    if workspace.privacy is PrivacyLevel.STRICT:
        return TextOutput(text=shape, shape=shape, facts=facts, metrics={**facts, "rows": rows})
    from tabchat.engine.profile.profile import profile_table

    names = [column.name for column in table.schema]
    profile = _tellable(profile_table(workspace.engine, table, columns=names[:DESCRIBED]), workspace, table)
    text = profile.to_text(preview=workspace.privacy is PrivacyLevel.PREVIEW, more=names[DESCRIBED:])
    told = [column for column in profile.columns if f"\n  {quoted(column.name)}: " in text]
    return TextOutput(
        text=text,
        shape=shape,
        facts={**facts, "columns": [_column_facts(column) for column in told]},
        metrics={**facts, "exact": profile.exact},
    )


def describe_column(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """Describe one column of a table in more detail."""
    table = table_argument(workspace, arguments)
    column = column_argument(table, str(arguments["column"]))
    from tabchat.engine.profile.profile import profile_table

    profile = _tellable(profile_table(workspace.engine, table, columns=(column.name,)), workspace, table)
    (found,) = profile.columns
    facts: dict[str, JsonValue] = {"table": table.name, "rows": table.row_count}
    metrics: dict[str, JsonValue] = {"table": table.name, "column": column.name, "kind": column.kind.value}
    distinct, missing = (
        told_count_of_table(workspace, table, count) for count in (found.distinct, found.nulls)
    )
    number = f"{'' if found.distinct_is_exact else '~'}{distinct}"
    shape = f"{quoted(column.name)}: {column.kind.value}, {number} distinct, {missing} missing"
    counts: JsonValue = {"name": found.name, "nulls": found.nulls, "distinct": found.distinct}
    if workspace.privacy is PrivacyLevel.STRICT:
        return TextOutput(text=shape, shape=shape, facts={**facts, "columns": [counts]}, metrics=metrics)
    frequent = _frequent(found)
    return TextOutput(
        text="\n".join((*_column_lines(profile, found), *_frequent_line(frequent))),
        shape=shape,
        facts={**facts, "columns": [{**_column_facts(found), **_detail_facts(found, frequent)}]},
        metrics={**metrics, "exact": profile.exact},
    )


def describe_result(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> EarlierOutput:
    """Tell of an earlier result as when it was computed."""
    from tabchat.engine.result.summary import summarise

    entry = earlier_result(workspace, str(arguments["data_key"]))
    result = kept_result(entry, frame_in(workspace.engine, workspace, entry))
    facts: dict[str, JsonValue] = {
        "data_key": entry.key,
        "kind": entry.kind.value,
        "rows": entry.row_count,
        "rows_scanned": entry.source_row_count,
    }
    if workspace.privacy is PrivacyLevel.STRICT:
        return EarlierOutput(entry=entry, result=result, facts=facts)
    summary = told_summary(summarise(result), collects=collects(workspace, entry.recipe))
    return EarlierOutput(entry=entry, result=result, facts={**facts, **_summary_facts(summary)})


def _names_and_kinds(table: Table, rows: int | str) -> str:
    listed = [f"{quoted(column.name)} ({column.kind.value})" for column in table.schema]
    return f"Found {rows} records. Columns: {joined(listed, _NAMES_LIMIT, 'columns')}"


def _column_lines(profile: TableProfile, column: ColumnProfile) -> tuple[str, ...]:
    figures = (("median", column.median), ("standard deviation", column.std))
    spread = [f"{name} {cell_text(value)}" for name, value in figures if value is not None]
    number = f"{'' if column.distinct_is_exact else '~'}{column.distinct} distinct"
    return (profile.to_text(), "  " + ", ".join((column.kind.value, number, *spread)))


def _tellable(profile: TableProfile, workspace: Workspace, table: Table) -> TableProfile:
    """Leave out what may not be told: preview rows beyond the limit, and of a result its rows as `top values`."""
    columns = profile.columns
    if is_key(table.version):
        columns = tuple(
            replace(column, top_values=()) if column.distinct >= profile.rows - column.nulls else column
            for column in columns
        )
    return replace(profile, columns=columns, preview=profile.preview[: workspace.preview_rows])


def _frequent(column: ColumnProfile) -> Sequence[tuple[Value, int]]:
    """Return the most frequent values that may be listed, with their counts."""
    if column.distinct > LOW_CARDINALITY:
        return ()
    return tuple(
        (value, count)
        for value, count in column.top_values
        if not isinstance(value, str) or len(value) <= _SHORT
    )


def _frequent_line(frequent: Sequence[tuple[Value, int]]) -> tuple[str, ...]:
    listed = [f"{cell_text(value)} ({count} rows)" for value, count in frequent]
    return (f"  most frequent: {joined(listed, 500, 'values')}",) if listed else ()


def _column_facts(column: ColumnProfile) -> dict[str, JsonValue]:
    """Return the figures of a column that its line in a profile tells."""
    return {
        "name": column.name,
        "kind": column.kind.value,
        "unit": column.unit,
        "nulls": column.nulls,
        "distinct": column.distinct,
        "min": json_value(column.min),
        "max": json_value(column.max),
        "mean": json_value(column.mean),
    }


def _detail_facts(column: ColumnProfile, frequent: Sequence[tuple[Value, int]]) -> dict[str, JsonValue]:
    return {
        "median": json_value(column.median),
        "std": json_value(column.std),
        "top_values": [{"value": json_value(value), "count": count} for value, count in frequent],
    }


def _summary_facts(summary: Summary) -> dict[str, JsonValue]:
    """Return the values of a summary at full precision."""
    stats: dict[str, JsonValue] = {
        name: {"min": json_value(of.min), "max": json_value(of.max), "mean": json_value(of.mean)}
        for name, of in summary.stats.items()
    }
    rows = {
        "first": summary.first,
        "last": summary.last,
        "min_row": summary.min_row or {},
        "max_row": summary.max_row or {},
        "values": summary.values,
    }
    return {
        "value": json_value(summary.value),
        "stats": stats,
        **{name: {key: json_value(value) for key, value in row.items()} for name, row in rows.items()},
    }


DESCRIBE_TABLE: Final = Tool(
    name="describe_table",
    description="Describe a table: its columns with kinds, ranges, distinct counts and missing values.",
    parameters=closed_object({"table": TABLE}),
    handler=describe_table,
)

DESCRIBE_COLUMN: Final = Tool(
    name="describe_column",
    description="Describe one column: its kind, range, spread, distinct and frequent values, missing values.",
    parameters=closed_object({"column": TEXT, "table": TABLE}, required=("column",)),
    handler=describe_column,
)

DESCRIBE_RESULT: Final = Tool(
    name="describe_result",
    description="Tell of an earlier result again, by r1, by its data_key, or of the last one by _.",
    parameters=closed_object({"data_key": TEXT}, required=("data_key",)),
    handler=describe_result,
)
