"""Parts of an intent that a follow-up changes: what is shown of the same rows, and what conditions have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import AnyOf, Condition, Intent, Operator, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.links import TableColumn

MONTHS: Final = {"month": 1, "quarter": 3}
"""Months of a calendar part."""
_KINDS: Final = {
    Operator.GT: "low",
    Operator.GE: "low",
    Operator.LT: "high",
    Operator.LE: "high",
    Operator.NE: "denied",
    Operator.NOT_IN: "denied",
    Operator.NOT_CONTAINS: "denied",
    Operator.NOT_BETWEEN: "denied",
}
COUNTED: Final = frozenset({Output.VALUE, Output.GROUPS, Output.STANDING, Output.COMPARISON, Output.CHANGE})
"""Outputs that compute a figure."""

_ADDING: Final = frozenset({"count", "sum", "count_distinct"})
"""Functions whose figure of a part is a share of that of the whole."""


def scope_of(intent: Intent) -> Intent:
    """Return a figure yet to be named over the rows that an intent is about."""
    return Intent(output=Output.VALUE, clauses=intent.clauses, periods=intent.periods)


def is_untimely(name: str, intent: Intent, columns: Sequence[TableColumn]) -> bool:
    """Tell whether `the oldest` follows what is ranked by a figure, of which it is no lowest one."""
    ranked = [order.column for order in intent.orders] or [measure.column for measure in intent.measures]
    dated = {column.name for column in columns if column.dated or column.facts.years}
    return name in {"super.early", "super.late"} and dated.isdisjoint(ranked[:1])


def is_cut(intent: Intent) -> bool:
    """Tell whether the rows behind an intent are more, or others, than its conditions say."""
    return intent.limit is not None or bool(intent.having) or bool(intent.sides)


def _scopes(intent: Intent) -> tuple[Intent, ...]:
    """Return the rows that an intent is about: after a percentage, those of the part, or all; after a place, its own."""
    bare = with_clauses(scope_of(intent), (), *intent.placed)
    part = tuple(clause for item in intent.measures for clause in item.part)
    found = (replace(bare, clauses=(*bare.clauses, *part)), bare) if part else (bare,)
    return () if is_cut(intent) else found


def values_of(intent: Intent, column: str) -> tuple[Intent, ...]:
    """Return which cells of a column are among the rows before: `which cities?`."""
    return tuple(replace(item, output=Output.VALUES, columns=(column,)) for item in _scopes(intent))


def _rows(intent: Intent) -> tuple[Intent, ...]:
    """Return the rows behind a figure; those of groups that a limit chose are no condition."""
    if intent.output not in COUNTED:
        return ()
    return tuple(replace(item, output=Output.ROWS) for item in _scopes(intent))


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
    if first.function not in _ADDING:
        return ()
    if intent.keys:
        return (replace(intent, measures=(replace(first, share=True), *rest)),)
    if not intent.clauses or first.part:
        return ()
    # Of the paid ones in Asia as a percentage: of all, of those in Asia, or of the paid ones.
    wholes = ((), *intent.clauses) if len(intent.clauses) > 1 else ((),)
    return tuple(
        replace(
            intent,
            measures=(replace(first, part=tuple(one for one in intent.clauses if one != whole)), *rest),
            clauses=(whole,) if whole else (),
        )
        for whole in wholes
    )


def _reversed(intent: Intent) -> tuple[Intent, ...]:
    """Return the other order; of the top 5 the other way round, nobody knows whether the other 5 are meant."""
    if not intent.orders or intent.limit is not None:
        return ()
    orders = tuple(replace(order, descending=not order.descending) for order in intent.orders)
    return (replace(intent, orders=orders),)


def _ungrouped(intent: Intent) -> tuple[Intent, ...]:
    """Return one figure of all: after groups without them, after some rows of every row; of a mean the sum may be meant."""
    shared = any(measure.share or measure.part for measure in intent.measures)
    if is_cut(intent) or shared or intent.output not in {Output.GROUPS, Output.VALUE}:
        return ()
    bare = replace(intent, output=Output.VALUE, keys=(), orders=())
    told = bare if intent.keys else replace(bare, clauses=(), periods=())
    if all(item.function in _ADDING for item in intent.measures):
        return (told,)
    added = tuple(replace(item, function="sum") if item.column else item for item in intent.measures)
    return told, replace(bare, measures=added)


def _rest(intent: Intent) -> tuple[Intent, ...]:
    """Return what was asked of all other cells: after Rome, `and the others`."""
    listed = [clause for clause in intent.clauses if isinstance(clause, Condition) and is_listed(clause)]
    if len(listed) != 1 or is_cut(intent) or is_part(listed[0]):
        return ()
    operator = Operator.NE if len(listed[0].values) == 1 else Operator.NOT_IN
    return (with_clauses(intent, listed, replace(listed[0], operator=operator)),)


MARKED: Final[Mapping[str, Callable[[Intent], tuple[Intent, ...]]]] = {
    "unfiltered": lambda intent: (replace(intent, clauses=(), periods=()),),
    "rows": _rows,
    "items": _items,
    "share": _shared,
    "reverse": _reversed,
    "ungrouped": _ungrouped,
    "rest": _rest,
}
"""What a mark makes of an intent."""


def goes_on(marks: frozenset[str]) -> bool:
    """Tell whether a question begins with `and`, `what about`, and does not keep to what it says."""
    return bool(marks & {"start", "more"}) and "only" not in marks


def with_clauses(intent: Intent, dropped: Sequence[Clause], *added: Clause) -> Intent:
    """Return an intent with some conditions fewer, and others behind them."""
    kept = (clause for clause in intent.clauses if clause not in dropped)
    return replace(intent, clauses=tuple(dict.fromkeys((*kept, *added))))


def is_denied(clause: Clause, part: str | None) -> bool:
    """Tell whether cells, or a calendar part of them, are excluded."""
    return isinstance(clause, Condition) and clause.part == part and kind_of(clause) == "denied"


def is_listed(clause: Clause) -> bool:
    """Tell whether a condition lists what cells are."""
    return isinstance(clause, Condition) and clause.operator in {Operator.EQ, Operator.IN}


def is_part(clause: Clause) -> bool:
    """Tell whether a condition is that rows are of a month or a quarter of all years."""
    return isinstance(clause, Condition) and clause.part in MONTHS and is_listed(clause)


def kind_of(clause: Clause) -> str:
    """Return what conditions that take one another's place share: lower bounds do not replace upper ones."""
    return "any" if isinstance(clause, AnyOf) else _KINDS.get(clause.operator, "cell")


def either(clauses: Iterable[Clause]) -> Condition:
    """Return the condition that allows the cells of any of several conditions on one column."""
    conditions = [clause for clause in clauses if isinstance(clause, Condition)]
    values = tuple(dict.fromkeys(value for condition in conditions for value in condition.values))
    return replace(conditions[0], operator=Operator.IN, values=values)


def column_of(clause: Clause) -> str:
    """Return the column of a condition, the first one of alternatives."""
    return clause.conditions[0].column if isinstance(clause, AnyOf) else clause.column
