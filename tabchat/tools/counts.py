"""How exactly a model is told a number of rows where it is told no value.

A number of rows is no value, and is told at every level. Code, and SQL that makes rows of its own, can give as many
of them as a cell says; so of these, and of whatever was computed from them, only the order of magnitude is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.errors import TabchatError
from tabchat.record import record
from tabchat.store import is_key
from tabchat.tools.lineage import lineage, stored

if TYPE_CHECKING:
    from tabchat.engine.result.result import Result
    from tabchat.engine.table import Table
    from tabchat.store import ResultRecipe
    from tabchat.tools.registry import Workspace

BOUNDS: Final = (10, 100, 1_000)
"""Up to where the classes of numbers go; in the first one they are told as they are."""


@record
class ToldCounts:
    """The numbers of a result as a model is told them."""

    rows: int | str
    scanned: int | str | None
    """Of the rows that it was computed from."""


def told_counts(
    workspace: Workspace, recipe: ResultRecipe, result: Result, *, exact: bool = False
) -> ToldCounts:
    """Return the numbers of the result of `recipe` as they are told, all of them as they are where they are `exact`."""
    rows, scanned = result.frame.row_count, result.source_row_count
    if exact:
        return ToldCounts(rows=rows, scanned=scanned)
    return ToldCounts(
        rows=told_count(workspace, recipe, rows),
        scanned=_told_source_count(workspace, recipe, scanned) if scanned is not None else None,
    )


def told_count(workspace: Workspace, recipe: ResultRecipe | None, count: int) -> int | str:
    """Return a number that the result of `recipe` has, as it is told; one of a file that is open has no recipe.

    Exact is one that no query can raise above the rows of a file: of plans, recipes, and SQL over rows that are there.
    """
    if recipe is None or (count <= _most_rows(workspace) and not _makes_rows(workspace, recipe)):
        return count
    return classed(count)


def told_count_of_table(workspace: Workspace, table: Table, count: int) -> int | str:
    """Return a number that a table has, which may be an earlier result, as it is told."""
    if not is_key(table.version):
        return count
    try:
        entry = stored(workspace.store, workspace.scratch, table.version)
    except TabchatError:
        return classed(count)
    return told_count(workspace, entry.recipe, count)


def _told_source_count(workspace: Workspace, recipe: ResultRecipe, count: int) -> int | str:
    """Return how many rows a result was computed from, as it is told; code reads all rows of its table."""
    if recipe.kind == "code" and not any(table.result_key for table in recipe.tables):
        return count
    return told_count(workspace, recipe, count)


def classed(count: int) -> int | str:
    """Return the class of a number: itself up to ten, and else between which round numbers it lies."""
    least, *bounds = BOUNDS
    if count <= least:
        return count
    for bound in bounds:
        if count <= bound:
            return f"{least + 1:,} to {bound:,}"
        least = bound
    return f"more than {least:,}"


def _most_rows(workspace: Workspace) -> int:
    return max((table.row_count for table in workspace.tables.values()), default=0)


def _makes_rows(workspace: Workspace, recipe: ResultRecipe) -> bool:
    from tabchat.engine.sql.spelled import makes_rows

    try:
        return any(
            step.kind == "code" or (step.sql is not None and makes_rows(step.sql))
            for step in lineage(workspace, recipe)
        )
    except TabchatError:
        return True
