"""Finding which values of the text columns a word stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.config import PrivacyLevel
from tabchat.engine.types import ColumnKind
from tabchat.errors import PlanError
from tabchat.tools.arguments import TABLE, TEXT, column_argument, table_argument, text_argument
from tabchat.tools.registry import TextOutput, Tool
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, JsonValue
    from tabchat.tools.registry import Workspace

SIMILARITY: Final = 0.87
"""Least Jaro-Winkler similarity of a value that does not contain the text; typos stay above, other words below."""

PER_COLUMN: Final = 5
LOW_CARDINALITY: Final = 100
"""Columns with more distinct values than this show their values to a model only at level `preview`."""

VALUE_LENGTH: Final = 60


def find_values(workspace: Workspace, arguments: Mapping[str, JsonValue]) -> TextOutput:
    """List the values that contain `text` or are spelled like it, with their counts."""
    table = table_argument(workspace, arguments)
    text = str(arguments["text"]).strip()
    if not text:
        message = "There is no text to look for."
        raise PlanError(message, hint="Give `text`: a word or a part of a value.")
    lines: list[str] = []
    matches: dict[str, JsonValue] = {}
    for column in _columns(table, text_argument(arguments, "column")):
        found = workspace.engine.rows(_query(table, column, text))
        if not found:
            continue
        values = [(str(value), count) for value, count, _ in found if isinstance(count, int)]
        shown = _may_show(workspace, found[0][2])
        lines.append(f"{column.name}: {_listed(values) if shown else f'{len(values)} values match'}")
        matches[column.name] = len(values)
    return TextOutput(
        text="\n".join(lines) or f"No value of table {table.name} is like {text[:80]!r}.",
        facts={"table": table.name, "matching_columns": matches, "no_data": not matches},
    )


def _may_show(workspace: Workspace, distinct: object) -> bool:
    if workspace.privacy is PrivacyLevel.PREVIEW:
        return True
    return (
        workspace.privacy is PrivacyLevel.SUMMARY
        and isinstance(distinct, int)
        and distinct <= LOW_CARDINALITY
    )


def _listed(values: list[tuple[str, int]]) -> str:
    return ", ".join(f"'{_inert(value)}' ({count} rows)" for value, count in values)


def _inert(value: str) -> str:
    plain = "".join(char if char.isprintable() else " " for char in value)
    return plain if len(plain) <= VALUE_LENGTH else plain[: VALUE_LENGTH - 1] + "…"


def _columns(table: Table, name: str | None) -> tuple[Column, ...]:
    if name is not None:
        return (column_argument(table, name),)
    return tuple(column for column in table.schema if column.kind is ColumnKind.TEXT)


def _query(table: Table, column: Column, text: str) -> exp.Select:
    """Build: distinct values with their counts and the number of distinct values, nearest first."""
    cell = exp.cast(exp.column(column.name, quoted=True), "VARCHAR")
    grouped = (
        exp.select(exp.alias_(cell, "value"), exp.alias_(exp.Count(this=exp.Star()), "n"))
        .from_(exp.Table(this=exp.to_identifier(table.name, quoted=True)))
        .where(exp.Not(this=exp.Is(this=cell.copy(), expression=exp.null())))
        .group_by(exp.Literal.number(1))
    )
    lowered = exp.func("lower", exp.column("value"))
    wanted = exp.Literal.string(text.lower())
    contains = exp.Anonymous(this="contains", expressions=[lowered, wanted])
    likeness = exp.Anonymous(this="jaro_winkler_similarity", expressions=[lowered.copy(), wanted.copy()])
    total = exp.select(exp.Count(this=exp.Star())).from_("grouped").subquery()
    return (
        exp.select(exp.column("value"), exp.column("n"), exp.alias_(total, "total"))
        .with_("grouped", as_=grouped)
        .from_("grouped")
        .where(exp.or_(contains, exp.GTE(this=likeness, expression=exp.Literal.number(SIMILARITY))))
        .order_by(exp.Ordered(this=likeness.copy(), desc=True), exp.Ordered(this=exp.column("value")))
        .limit(PER_COLUMN)
    )


FIND_VALUES: Final = Tool(
    name="find_values",
    description="Find how a word is spelled in the text columns before filtering on it; typos are tolerated.",
    parameters=closed_object({"text": TEXT, "column": TEXT, "table": TABLE}, required=("text",)),
    handler=find_values,
)
