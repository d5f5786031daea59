"""How a result came about, back to the files: what of it a model may use, and what its cells are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.result.aggregate_rows import holds_aggregates, spreads
from tabchat.errors import DataKeyError, TabchatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot import exp

    from tabchat.engine.result.result import ResultKind
    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue, Schema
    from tabchat.store import DataStore, ResultRecipe, StoredResult
    from tabchat.tools.registry import Workspace


FOR_MODEL: Final = "model"
"""What the recipe of a model's own code says; the names in its result were checked."""


def may_use(workspace: Workspace, recipe: ResultRecipe) -> bool:
    """Return whether the caller may see a result: the person every one, a model none that a hidden column is in.

    For a model, everything behind the result must have been computed without the columns that are hidden now,
    and its columns must not be named after cells.
    """
    if workspace.is_person:
        return True
    try:
        return all(_is_clear(workspace, step) for step in lineage(workspace, recipe))
    except DataKeyError:
        return False


def collects(workspace: Workspace, recipe: ResultRecipe) -> bool:
    """Return whether a text in the result may hold many cells, because something on the way collected them."""
    try:
        return any(
            step.kind == "code" or (step.sql is not None and _collects(step.sql))
            for step in lineage(workspace, recipe)
        )
    except DataKeyError:
        return True


def _collects(sql: str) -> bool:
    from tabchat.engine.sql.functions import COLLECTING
    from tabchat.engine.sql.policy import called_functions

    return not COLLECTING.isdisjoint(called_functions(sql))


def are_aggregates(workspace: Workspace, recipe: ResultRecipe, kind: ResultKind) -> bool:
    """Return whether the rows of a result are aggregates: by its own plan or SQL, or as rows of such results alone."""
    if holds_aggregates(kind, recipe.plan if recipe.kind != "code" else None, recipe.sql or ""):
        return True
    keys = [reference.result_key for reference in recipe.tables]
    if recipe.kind not in {"plan", "sql"} or not all(keys) or (recipe.sql and spreads(recipe.sql)):
        return False
    try:
        entries = [stored(workspace.store, workspace.scratch, key) for key in keys if key is not None]
    except TabchatError:
        return False
    return bool(entries) and all(are_aggregates(workspace, entry.recipe, entry.kind) for entry in entries)


def rows_alone(workspace: Workspace, recipe: ResultRecipe, alone: int | None) -> int | None:
    """Return how many rows of a result stand for one row of the files each, as far as is known.

    `alone` is that number, taken from the tables of the recipe as they lie, which may be earlier results themselves.
    """
    keys = [reference.result_key for reference in recipe.tables]
    if not any(keys):
        return alone
    try:
        entries = [stored(workspace.store, workspace.scratch, key) for key in keys if key is not None]
        gather = all(entry.metadata.alone == 0 for entry in entries) and all(keys)
        singles = [entry.metadata.alone for entry in entries]
        if recipe.kind == "code" and all(keys) and None not in singles:
            # The rows that it may hold are groups, of which no more stand for one row each.
            return min(alone or 0, sum(filter(None, singles))) or None
        if (
            gather
            and recipe.kind in {"plan", "sql"}
            and not (recipe.sql and _spreads_or_collects(recipe.sql))
        ):
            return 0
        return alone if all(_stands_apart(workspace, entry.recipe) for entry in entries) else None
    except TabchatError:
        return None


def _spreads_or_collects(sql: str) -> bool:
    return spreads(sql) or _collects(sql)


def _stands_apart(workspace: Workspace, recipe: ResultRecipe) -> bool:
    """Return whether no two rows of a result stand for the same row of a file."""
    if recipe.kind == "sql":
        import sqlglot

        from tabchat.engine.sql.gathered import rows_stand_apart

        tree = sqlglot.parse_one(recipe.sql or "", dialect="duckdb")
        is_apart = isinstance(tree, sqlglot.exp.Query) and rows_stand_apart(tree)
    else:
        is_apart = recipe.kind == "plan" and "recipe" not in (recipe.plan or {})
    keys = [reference.result_key for reference in recipe.tables if reference.result_key is not None]
    return is_apart and all(
        _stands_apart(workspace, stored(workspace.store, workspace.scratch, key).recipe) for key in keys
    )


def lineage(workspace: Workspace, recipe: ResultRecipe) -> Iterator[ResultRecipe]:
    """Yield `recipe` and those of every result that it was computed from; raises `DataKeyError` for a lost one."""
    yield recipe
    for reference in recipe.tables:
        if reference.result_key is not None:
            entry = stored(workspace.store, workspace.scratch, reference.result_key)
            yield from lineage(workspace, entry.recipe)


def stored(store: DataStore, scratch: DataStore, key: str) -> StoredResult:
    """Return the entry behind `key`, also when it could be kept for this session only; raises `DataKeyError`."""
    try:
        return store.get(key)
    except TabchatError:
        try:
            return scratch.get(key)
        except DataKeyError:
            pass
        raise


def names_columns_after_cells(query: exp.Expr) -> bool:
    """Return whether a PIVOT without a list of values stands in `query`."""
    from sqlglot import exp

    return any(_is_open(pivot) for pivot in query.find_all(exp.Pivot) if not pivot.args.get("unpivot"))


def hidden_settings(tables: tuple[Table, ...]) -> dict[str, JsonValue]:
    """Return what a recipe must say of the columns that were hidden, table by table; nothing when none was."""
    hidden = [list(table.hidden) for table in tables]
    return {"hidden": hidden} if any(hidden) else {}


def hidden_in(recipe: ResultRecipe) -> list[tuple[str, ...]]:
    """Return the columns that were hidden when a result was computed, for each table of its recipe."""
    recorded = recipe.settings.get("hidden")
    if not isinstance(recorded, list):
        return [()] * len(recipe.tables)
    return [tuple(map(str, names)) if isinstance(names, list) else () for names in recorded]


def _is_open(pivot: exp.Pivot) -> bool:
    from sqlglot import exp

    listed = [*(pivot.args.get("fields") or ())] or [
        item for item in pivot.expressions if not isinstance(item, exp.AggFunc)
    ]
    return not all(
        isinstance(item, exp.In)
        and item.expressions
        and all(isinstance(value.unalias(), exp.Literal) for value in item.expressions)
        for item in listed
    )


def _is_clear(workspace: Workspace, recipe: ResultRecipe) -> bool:
    if recipe.sql is not None and _has_open_pivot(recipe.sql):
        return False
    if recipe.kind == "code" and recipe.settings.get("for") != FOR_MODEL:
        # The person's own code may name columns after cells.
        return False
    if not workspace.hide:
        return True
    versions = {table.version: table for table in workspace.tables.values()}
    for reference, before in zip(recipe.tables, hidden_in(recipe), strict=True):
        if reference.result_key is not None:
            continue
        table = versions.get(reference.version)
        # What is hidden of a file that is not open cannot be known.
        if table is None or not (set(table.hidden) <= set(before) or _does_without(recipe, table)):
            return False
    return True


def _has_open_pivot(sql: str) -> bool:
    if "pivot" not in sql.casefold():
        return False
    import sqlglot

    return names_columns_after_cells(sqlglot.parse_one(sql, dialect="duckdb"))


def _does_without(recipe: ResultRecipe, table: Table) -> bool:
    """Return whether a plan means the very same query when the hidden columns do not exist."""
    if recipe.kind != "plan" or table.whole_schema is None:
        return False
    seeing, blind = (_compiled(recipe, schema) for schema in (table.whole_schema, table.schema))
    return blind is not None and seeing == blind


def _compiled(recipe: ResultRecipe, schema: Schema) -> tuple[str, ...] | None:
    from tabchat.engine.compile import compile_plan
    from tabchat.engine.plan.query_plan import parse_plan

    sessions, week_start = plan_settings(recipe)
    try:
        compiled = compile_plan(
            parse_plan(recipe.plan or {}), schema, relation="rows", sessions=sessions, week_start=week_start
        )
    except TabchatError:
        return None
    return (compiled.query.sql(), *compiled.columns)


def plan_settings(recipe: ResultRecipe) -> tuple[dict[str, tuple[str, str]], str]:
    """Return the named time windows and the first day of the week that a plan was run with."""
    named = recipe.settings.get("sessions")
    sessions = {
        name: (str(window[0]), str(window[1]))
        for name, window in (named.items() if isinstance(named, dict) else ())
        if isinstance(window, list)
    }
    return sessions, str(recipe.settings.get("week_start", "monday"))
