"""How the conditions of a follow-up go together with those before: what takes whose place, and what both hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import intent_parts as parts
from tabchat.planner.intent import AnyOf, Condition, Intent, Operator
from tabchat.planner.intent_periods import in_period, is_year
from tabchat.planner.readings.effect import merged_clauses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.intent import Clause

_OPPOSITE: Final = {"low": "high", "high": "low"}
_PINNED: Final = frozenset({Operator.EQ, Operator.IN, Operator.BETWEEN})


def scoped(intent: Intent, clauses: tuple[Clause, ...], marks: frozenset[str]) -> tuple[Intent, ...]:
    """Exchange the conditions on the same columns; add the others."""
    named = set(map(_column, clauses))
    if any(side.period is not None and not is_year(side.period) for side in intent.sides) and any(
        map(parts.is_part, clauses)
    ):
        return ()
    if any(_column(clause) in named for side in intent.sides for clause in side.clauses):
        return ()
    if any(_column(clause) in named for measure in intent.measures for clause in measure.part):
        return _parted(intent, clauses)
    placed = set(map(_column, intent.placed))
    if not named.isdisjoint(placed):
        # Whose place is told is another question; those who are ranked stay.
        told = merged_clauses((*intent.placed, *clauses))[0] if "too" in marks else clauses
        fits = named == placed and all(map(parts.is_listed, told))
        return (replace(intent, placed=told),) if fits else ()
    intents: tuple[Intent, ...] = (intent,)
    for clause in clauses:
        intents = tuple(changed for item in intents for changed in _with(item, clause, marks))
    return intents


def _parted(intent: Intent, clauses: tuple[Clause, ...]) -> tuple[Intent, ...]:
    """Return the share of another part, named by the same column."""
    first, *rest = intent.measures
    if [*map(_column, first.part)] != [*map(_column, clauses)]:
        return ()
    return (replace(intent, measures=(replace(first, part=clauses), *rest)),)


def _with(  # noqa: PLR0911 - a list of cases
    intent: Intent, clause: Clause, marks: frozenset[str]
) -> tuple[Intent, ...]:
    moved = in_period(intent, clause)
    if moved:
        return moved
    kind, goes_on = parts.kind_of(clause), parts.goes_on(marks)
    about = [other for other in intent.clauses if _place(other) == _place(clause)]
    same = [other for other in about if parts.kind_of(other) == kind]
    if kind == "denied":
        return (parts.with_clauses(intent, [other for other in about if _denies(clause, other)], clause),)
    exchanged = parts.with_clauses(intent, same, clause)
    if "too" in marks and same and all(map(parts.is_listed, (*same, clause))):
        return exchanged, parts.with_clauses(intent, same, _either((*same, clause)))
    pinned = [other for other in about if isinstance(other, Condition) and other.operator in _PINNED]
    rivals = [*pinned, *(other for other in about if parts.kind_of(other) == _OPPOSITE.get(kind))]
    if kind in _OPPOSITE and rivals:
        # Over 3000, `and under 4000`: both bounds, or the other one.
        return exchanged, parts.with_clauses(intent, (*same, *rivals), clause)
    if isinstance(clause, Condition) and clause.operator in _PINNED:
        bounds = [other for other in about if parts.kind_of(other) in _OPPOSITE]
        denied = [other for other in about if parts.is_listed(clause) and parts.is_denied(other, clause.part)]
        exchanged = parts.with_clauses(intent, (*same, *bounds, *denied), clause)
        if denied and goes_on:
            return exchanged, _less_denied(intent, clause, denied)
        if parts.is_part(clause) and any(_overlaps(clause, other) for other in same):
            return exchanged, parts.with_clauses(intent, (), clause)
    cells = [other for other in intent.clauses if parts.kind_of(other) == "cell" and not parts.is_part(other)]
    if kind == "cell" and not parts.is_part(clause) and cells and not about and goes_on:
        # Of Germany, `and Asia?`: what of the first is in the second, or the second in its place.
        return exchanged, parts.with_clauses(intent, cells, clause)
    return (exchanged,)


def _less_denied(intent: Intent, clause: Condition, denied: Sequence[Clause]) -> Intent:
    """Return what else is meant than a cell by itself: without Asia, `and Asia?` may be all; `and Europe?`, neither."""
    if any(_denies(other, clause) for other in denied):
        return parts.with_clauses(intent, denied)
    operator = Operator.NE if len(clause.values) == 1 else Operator.NOT_IN
    return parts.with_clauses(intent, (), replace(clause, operator=operator))


def _overlaps(clause: Condition, other: Clause) -> bool:
    """Tell whether months that were told by their bounds may be those of both: before March, `after January`."""
    if not isinstance(other, Condition) or other.part != clause.part:
        return False
    mine, theirs = set(clause.values), set(other.values)
    return bool(mine & theirs) and not (mine <= theirs or theirs <= mine)


def _either(clauses: Iterable[Clause]) -> Condition:
    """Return the condition that allows the cells of any of several conditions on one column."""
    conditions = [clause for clause in clauses if isinstance(clause, Condition)]
    values = tuple(dict.fromkeys(value for condition in conditions for value in condition.values))
    return replace(conditions[0], operator=Operator.IN, values=values)


def _denies(clause: Clause, other: Clause) -> bool:
    """Tell whether `other` asks for just the cells that `clause` excludes."""
    return (
        isinstance(clause, Condition)
        and isinstance(other, Condition)
        and clause.part == other.part
        and other.operator in {Operator.EQ, Operator.IN}
        and set(other.values) <= set(clause.values)
    )


def _column(clause: Clause) -> str:
    """Return the column of a condition, the first one of alternatives."""
    return clause.conditions[0].column if isinstance(clause, AnyOf) else clause.column


def _place(clause: Clause) -> tuple[str, str | None]:
    """Return what is compared: months and quarters of one date are of the same thing."""
    part = clause.part if isinstance(clause, Condition) else None
    return _column(clause), "month" if part in parts.MONTHS else part
