"""Why nothing is left: which filter of a question removes every row, counted over the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.engine.plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.errors import TabchatError
from tabchat.planner.catalog import EngineTable
from tabchat.planner.parts import parts_of
from tabchat.planner.plans import Unreadable, joined
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.parts import Parts
    from tabchat.planner.plans import Draft
    from tabchat.values import JsonValue


@record
class Removal:
    """A filter that no row of the table meets."""

    text: str
    others: int
    """Rows that meet every other filter."""


@record
class Removals:
    """The filters of a question that leaves nothing."""

    never: tuple[Removal, ...]
    """Those that no row meets; empty when only all of them together leave nothing."""
    alone: tuple[tuple[str, int], ...]
    """Each filter with the rows that meet it."""


def removed_by(draft: Draft, table: PlannerTable) -> Removals | None:
    """Count what each filter leaves alone and what the others leave; None when there are no several to compare."""
    if draft.tool != "run_query" or not isinstance(table, EngineTable):
        return None
    try:
        parts = parts_of(draft.arguments)
    except (TabchatError, Unreadable):
        return None
    filters = [item.expr for item in parts.filters]
    texts = draft.scope[: len(draft.scope) - 1] if parts.period else draft.scope
    if len(filters) == len(texts) + 1 and filters[-1].endswith(" is not null"):
        filters = filters[:-1]
    if len(filters) != len(texts) or len(draft.scope) <= 1:
        return None
    return _counted(draft.scope, filters, parts, table)


def _counted(scope: Sequence[str], filters: Sequence[str], parts: Parts, table: EngineTable) -> Removals:
    others = [[item for item in filters if item is not left] for left in filters]
    if parts.period is None:
        counts = _counts([*([item] for item in filters), *others], parts, table, within=False)
        alone, rest = counts[: len(filters)], counts[len(filters) :]
    else:
        free = _counts([*([item] for item in filters), filters], parts, table, within=False)
        bound = _counts([[], *others], parts, table, within=True)
        alone, rest = [*free[:-1], bound[0]], [*bound[1:], free[-1]]
    found = list(zip(scope, alone, rest, strict=True))
    return Removals(
        never=tuple(Removal(text=text, others=other) for text, count, other in found if not count),
        alone=tuple((text, count) for text, count, _ in found),
    )


def _counts(wanted: Sequence[Sequence[str]], parts: Parts, table: EngineTable, *, within: bool) -> list[int]:
    """Count the rows that meet all of each list of conditions, in one pass; `within` the period."""
    names = [f"rows_{place}" for place in range(len(wanted))]
    select: list[JsonValue] = [
        f"count_if({joined(conditions)}) as {name}" if conditions else f"count() as {name}"
        for name, conditions in zip(names, wanted, strict=True)
    ]
    plan: dict[str, JsonValue] = {"select": select}
    if parts.map:
        plan["map"] = dict(parts.map)
    if within and parts.period is not None:
        plan |= {"period": parts.period, "time_column": parts.time_column}
    result = run_plan(table.engine, table.table, parse_plan(plan))
    found = result.values or {names[0]: result.value}
    return [int(str(found[name])) for name in names]
