"""Earlier results as tables: found by key, attached to the engine, and held back where they may not be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.engine.result.result import Result
from tabchat.engine.table import LoadReport, Table
from tabchat.engine.types import HELPER_PREFIX, ROW
from tabchat.errors import DataKeyError, PlanError, TabchatError
from tabchat.record import later
from tabchat.store import is_key
from tabchat.store.naming import full_key, is_short
from tabchat.store.program import this_program
from tabchat.tools.code.result_numbers import LAST
from tabchat.tools.hiding import without_columns
from tabchat.tools.lineage import may_use, stored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Column, Engine
    from tabchat.store import ResultRecipe, StoredResult
    from tabchat.tools.registry import Workspace


class NamedTables(Mapping[str, Table]):
    """The tables that a call can name: those that are open, and on demand every earlier result by its key."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def __getitem__(self, name: str) -> Table:
        table = self._workspace.tables.get(name)
        return table if table is not None else result_table(self._workspace, name)

    def __contains__(self, name: object) -> bool:
        named = isinstance(name, str) and names_a_result(self._workspace, name)
        return named or name in self._workspace.tables

    def __iter__(self) -> Iterator[str]:
        return iter(self._workspace.tables)

    def __len__(self) -> int:
        return len(self._workspace.tables)


def names_a_result(workspace: Workspace, name: str) -> bool:
    """Return whether `name` stands for an earlier result: `_`, `r1` of this conversation, or a data key.

    For the person also the beginning of a key does.
    """
    return (
        name == LAST
        or is_key(name)
        or workspace.numbers.key_of(name) is not None
        or (workspace.is_person and is_short(name))
    )


def earlier_result(workspace: Workspace, name: str) -> StoredResult:
    """Return the entry behind a key, `r1` or `_`; raises `DataKeyError`, also for one that the caller may not use."""
    key = _key(workspace, name)
    entry = stored(workspace.store, workspace.scratch, key)
    if not may_use(workspace, entry.recipe):
        # The words of a key that does not exist: why this one is held back is not told.
        message = f"There is no result {name}."
        raise DataKeyError(message, hint=f"Query the open tables: {', '.join(workspace.tables)}.")
    return entry


def result_table(workspace: Workspace, name: str) -> Table:
    """Return an earlier result as a table that is attached to the engine under its key."""
    entry = earlier_result(workspace, name)
    frame = frame_in(workspace.engine, workspace, entry)
    table = attach_result(workspace.engine, entry.key, frame)
    return table if workspace.is_person else without_columns(table, entry.metadata.cell_names)


def attach_result(engine: Engine, key: str, frame: Frame) -> Table:
    """Make `frame`, whose rows are in `engine`, a table called `key`; its rows are numbered in their order."""
    from sqlglot import exp

    from tabchat.engine.projection import project

    columns = _unique(frame.schema)
    number = exp.alias_(exp.Window(this=exp.RowNumber()), ROW, quoted=True)
    scan = project(
        frame.query,
        frame.schema,
        lambda places: [
            number,
            *(
                exp.alias_(place, column.name, quoted=True)
                for place, column in zip(places, columns, strict=True)
                if not column.name.startswith(HELPER_PREFIX)
            ),
        ],
    )
    engine.attach(key, scan)
    return Table(
        name=key,
        version=key,
        source=Path(key),
        scan=scan,
        stored=True,
        schema=tuple(column for column in columns if not column.name.startswith(HELPER_PREFIX)),
        row_count=frame.row_count,
        report=LoadReport(input_format="result"),
    )


def computed_before(workspace: Workspace, table: Table, recipe: ResultRecipe) -> Result | None:
    """Return the result of `recipe` over `table` as this very program kept it, where its rows are few.

    Nothing where it must be computed: a key stands for one result, but for the meaning that a program gives to a plan.
    Raises `DataKeyError` (`source_changed`) when files of the table are not what they were.
    """
    if not (workspace.reuses and table.stored):
        return None
    try:
        key = workspace.store.key_for(recipe)
        entry, frame = workspace.store.get(key), workspace.store.frame(key, workspace.engine)
    except TabchatError:
        return None
    if frame is None or frame.held is None or frame.held.by != this_program():
        return None
    if table.files is not None:
        table.files.require_unchanged()
    behind = workspace.behind
    source = later(lambda: behind(key)) if behind is not None else None
    return replace(kept_result(entry, frame), source=source)


def kept_result(entry: StoredResult, frame: Frame) -> Result:
    """Return a kept result as it was computed, over its kept rows."""
    return Result(
        kind=entry.kind,
        frame=frame,
        value=entry.value,
        values=entry.values,
        source_row_count=entry.source_row_count,
        chart=entry.chart,
        group_by=entry.group_by,
        focus=entry.focus,
        metadata=entry.metadata,
        plan=entry.recipe.plan,
        sql=entry.sql,
    )


def frame_in(engine: Engine, workspace: Workspace, entry: StoredResult) -> Frame:
    """Return the rows of `entry` in `engine`; computes them again when they were evicted."""
    frame = _kept_frame(workspace, entry, engine)
    if frame is None and workspace.recompute is not None:
        frame = workspace.recompute(entry.key).frame
        if frame.engine is not engine:
            workspace.store.put(entry, frame)
            frame = workspace.store.frame(entry.key, engine)
    if frame is None or frame.engine is not engine:
        message = f"The rows of {entry.key} are not kept any more."
        raise DataKeyError(message, hint="Compute it again from its table.", code="key_expired")
    return frame


def _kept_frame(workspace: Workspace, entry: StoredResult, engine: Engine) -> Frame | None:
    try:
        return workspace.store.frame(entry.key, engine)
    except TabchatError:
        return workspace.scratch.frame(entry.key, engine)


def _key(workspace: Workspace, name: str) -> str:
    key = workspace.numbers.key_of(name)
    if key is None and workspace.is_person:
        try:
            return full_key(name, workspace.store, workspace.scratch)
        except DataKeyError:
            if name != LAST:
                raise
    if key is None and name == LAST:
        message = "There is no earlier result that `_` could stand for."
        raise PlanError(message, hint=f"Name a table: {', '.join(workspace.tables)}.")
    return key or name


def _unique(schema: Sequence[Column]) -> list[Column]:
    """Give columns of one name, which a result may have, names that tell them apart."""
    taken: set[str] = set()
    unique = []
    for column in schema:
        name, number = column.name, 1
        while name.casefold() in taken:
            name, number = f"{column.name}_{number}", number + 1
        taken.add(name.casefold())
        unique.append(replace(column, name=name))
    return unique
