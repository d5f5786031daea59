"""Changes of what an intent shows: its rows, what was counted, shares, the other order, all rows again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Intent, Output
from tabchat.planner.scope_changes import column_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.planner.intent import Clause

COUNTED: Final = frozenset({Output.VALUE, Output.GROUPS, Output.COMPARISON, Output.CHANGE})
"""Outputs that compute a figure."""


def scope_of(intent: Intent) -> Intent:
    """Return a figure yet to be named over the rows that an intent is about."""
    return Intent(output=Output.VALUE, clauses=intent.clauses, periods=intent.periods)


def values_of(intent: Intent, column: str) -> tuple[Intent, ...]:
    """Return which cells of a column are among the rows before: `which cities?`."""
    if intent.limit is not None or intent.having or intent.sides:
        return ()
    return (replace(scope_of(intent), output=Output.VALUES, columns=(column,)),)


def _rows(intent: Intent) -> tuple[Intent, ...]:
    """Return the rows behind a figure; those of groups that a limit chose are no condition."""
    if intent.output not in COUNTED or intent.limit is not None or intent.having or intent.sides:
        return ()
    return (replace(scope_of(intent), output=Output.ROWS),)


def _items(intent: Intent) -> tuple[Intent, ...]:
    """Return what was counted; after groups nobody knows whether `them` are the groups or their rows."""
    if intent.output is not Output.VALUE:
        return ()
    counted = [measure.column for measure in intent.measures if measure.function == "count_distinct"]
    if counted and len(intent.measures) == 1:
        return values_of(intent, str(counted[0]))
    return _rows(intent)


def _shared(intent: Intent) -> tuple[Intent, ...]:
    if not intent.measures:
        return ()
    first, *rest = intent.measures
    if intent.keys:
        return (replace(intent, measures=(replace(first, share=True), *rest)),)
    if not intent.clauses:
        return ()
    return (replace(intent, measures=(replace(first, part=intent.clauses), *rest), clauses=()),)


def parted(intent: Intent, clauses: tuple[Clause, ...]) -> tuple[Intent, ...]:
    """Return the share of another part, named by the same column."""
    first, *rest = intent.measures
    if [*map(column_of, first.part)] != [*map(column_of, clauses)]:
        return ()
    return (replace(intent, measures=(replace(first, part=clauses), *rest)),)


def _reversed(intent: Intent) -> tuple[Intent, ...]:
    """Return the other order; of the top 5 the other way round, nobody knows whether the other 5 are meant."""
    if not intent.orders or intent.limit is not None:
        return ()
    orders = tuple(replace(order, descending=not order.descending) for order in intent.orders)
    return (replace(intent, orders=orders),)


def _unfiltered(intent: Intent) -> tuple[Intent, ...]:
    return (replace(intent, clauses=(), periods=()),)


MARKED: Final[Mapping[str, Callable[[Intent], tuple[Intent, ...]]]] = {
    "unfiltered": _unfiltered,
    "rows": _rows,
    "items": _items,
    "share": _shared,
    "reverse": _reversed,
}
"""What a mark makes of an intent."""
