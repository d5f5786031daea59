"""The edits of a version that is not kept any more, made again from the file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.engine.edits.reading import read_edit_json
from tabchat.engine.edits.versions import FRAME, edit_version, next_version
from tabchat.errors import PlanError, PlanValidationError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tabchat.engine.reader import TableCache
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, JsonValue


def replay_edits(
    engine: Engine, cache: TableCache, table: Table, edits: Sequence[Mapping[str, JsonValue]], version: str
) -> Table:
    """Make the edits of a lost version again, one after the other, and return the version.

    `table` itself is returned when its file has changed, so that the edits would not lead to `version`.
    Raises `PlanError` where rows came from code, which is not run again.
    """
    if any(_operation(record_of_edit) == FRAME for record_of_edit in edits):
        raise PlanError("Code made its rows, and is not run again on its own.", hint="Run the code again.")
    end = table
    for record_of_edit in edits:
        end = replace(end, version=next_version(end, record_of_edit))
    if end.version != version:
        return table
    for record_of_edit in edits:
        edit, issues = read_edit_json(record_of_edit.get("edit"))
        if edit is None or issues:
            raise PlanValidationError(issues)
        hidden = record_of_edit.get("hidden")
        seen = _without(table, hidden) if isinstance(hidden, list) else table
        week_start = str(record_of_edit.get("week_start", "monday"))
        table = edit_version(engine, cache, seen, edit, week_start=week_start).after
    return table


def _operation(record_of_edit: Mapping[str, JsonValue]) -> JsonValue:
    edit = record_of_edit.get("edit")
    return edit.get("operation") if isinstance(edit, dict) else None


def _without(table: Table, hidden: Collection[JsonValue]) -> Table:
    """Return `table` as it looked to whoever could not see the columns in `hidden`."""
    shown = tuple(column for column in table.schema if column.name not in hidden)
    return replace(table, schema=shown, whole_schema=table.schema)
