"""Drafts → the groups that have rows of one kind and none of another: who never bought tea, or bought tea but no coffee, or both."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.planner.intent import COUNT, Condition, Having, Key, Measure, Operator, single_conditions
from tabchat.planner.links.link import told
from tabchat.planner.readings.bounds import denied
from tabchat.planner.readings.effect import DENIED, Kind
from tabchat.planner.readings.figures import figures
from tabchat.planner.readings.groups import groupings_of
from tabchat.planner.readings.times import years_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Effect, Scope

_Told: TypeAlias = "tuple[str, str | None]"
"""A column that a condition is of, and the part of its dates."""
_NAMING: Final = frozenset({"which", "who", "where"})
"""Beginnings of a question that is answered by names."""
_ORDERED: Final = (Kind.KEY, Kind.SUPER, Kind.FUNCTION)
_MEASURING: Final = (*_ORDERED, Kind.MEASURE, Kind.COUNT)
"""What asks for another figure of groups than whether they have such rows."""


def never_intents(draft: Draft) -> Iterator[Built]:
    """Read the groups no row of which meets a condition: customers who never bought coffee, which towns have no members."""
    places = draft.places(Kind.CELLS, Kind.CLAUSE)
    if not places or draft.places(*_MEASURING):
        return
    said = [clause for place in places for clause in draft.effects[place].clauses]
    never = draft.marks.get("never")
    asked = draft.opener in _NAMING or any(one.name == "who" for one in draft.each(Kind.ASK))
    if never is None and not (asked and all(map(_is_denied, said))):
        return
    # Ukrainian and Russian deny twice: who never did not buy.
    part = tuple(clause for place in places for clause in _undenied(draft.effects[place]))
    idle = draft.idle("never", "exist", "table", "all")
    yield from _having(draft, {*places}, (_none_of(part),), idle, is_said=never is not None)


def membership_intents(draft: Draft) -> Iterator[Built]:
    """Read the groups that have rows of one kind and none of another, or rows of each of both kinds; or how many there are."""
    places = draft.places(Kind.CELLS, Kind.CLAUSE, Kind.PERIOD)
    if not places or draft.places(*_ORDERED):
        return
    conditions = {place: clause for place in places if (clause := _condition(draft.effects[place]))}
    idle, both = draft.idle("never", "exist", "table", "all", "both"), "both" in draft.marks
    for place, clause in conditions.items():
        others = {
            other
            for other, one in conditions.items()
            if _is_denied(one) and (one.column, one.part) == (clause.column, clause.part)
        }
        several = clause.operator is Operator.IN
        if _is_denied(clause) or not (others or (both and several)):
            continue
        none = [_none_of((*_undenied(draft.effects[other]),)) for other in sorted(others)]
        if several:
            # `tea and coffee but no cocoa` may be each of them.
            each = (replace(clause, operator=Operator.EQ, values=(value,)) for value in clause.values)
            having = (*(_some_of((one,)) for one in each), *none)
            yield from _having(draft, {place, *others}, having, idle, is_said=True)
        if not (both and several):
            yield from _having(draft, {place, *others}, (_some_of((clause,)), *none), idle, is_said=True)


def _having(
    draft: Draft, places: set[int], having: tuple[Having, ...], idle: frozenset[int], *, is_said: bool
) -> Iterator[Built]:
    """Yield the groups whose rows meet some bounds, of whatever the question may group by."""
    parts = chain.from_iterable(one.measure.part for one in having)
    told_of = {(one.column, one.part) for one in single_conditions((*parts,))}
    columns = {column for column, _ in told_of}
    if draft.places(Kind.MEASURE, Kind.COUNT):
        yield from _counted(draft, places, having, idle, told_of)
        return
    for grouping in groupings_of(draft):
        # No city has rows of another one.
        if columns & {key.column for key in grouping.keys}:
            continue
        if ("groups.unique", 1.0) in grouping.features and (len(having) > 1 or not is_said):
            continue
        fields = {"measures": (COUNT,), "keys": grouping.keys, "having": having}
        features = (*grouping.features, *told({"never.denied": not is_said}))
        for scope in draft.scopes(without=frozenset(places)):
            if not _is_settled(scope, told_of):
                yield draft.built(
                    "never", scope, None, {*grouping.places, *places, *idle}, features, **fields
                )


def _counted(
    draft: Draft, places: set[int], having: tuple[Having, ...], idle: frozenset[int], told_of: set[_Told]
) -> Iterator[Built]:
    """Yield how many different things have rows that meet some bounds."""
    for figure in figures(draft):
        column = figure.measures[0].column
        if [one.function for one in figure.measures] != ["count_distinct"] or column in {
            name for name, _ in told_of
        }:
            continue
        fields: dict[str, Any] = {"measures": (COUNT,), "keys": (Key(column=column),), "having": having}
        for scope in draft.scopes(without=frozenset(places)):
            if not _is_settled(scope, told_of):
                yield draft.built("group_count", scope, figure, {*places, *idle}, **fields)


def _is_settled(scope: Scope, told_of: set[_Told]) -> bool:
    """Tell whether the rows in question are some by what is asked of all of them: none of 2022 is one of 2023."""
    told: set[_Told] = {(one.column, one.part) for one in single_conditions(scope.clauses)}
    return not told_of.isdisjoint(told | {(one.column, "year") for one in scope.periods if one.column})


def _none_of(part: tuple[Clause, ...]) -> Having:
    return Having(measure=Measure(part=part), operator=Operator.EQ, values=(0.0,))


def _some_of(part: tuple[Clause, ...]) -> Having:
    return Having(measure=Measure(part=part), operator=Operator.GT, values=(0.0,))


def _condition(effect: Effect) -> Condition | None:
    """Return the only condition that an effect sets; of whole years, as one on their number."""
    if effect.periods and not effect.clauses:
        return _whole_years(effect.periods)
    first = effect.clauses[0] if len(effect.clauses) == 1 else None
    return first if isinstance(first, Condition) else None


def _undenied(effect: Effect) -> Iterator[Clause]:
    """Yield the conditions of a phrase as they were before a denial turned them: `(not) more than 2000`."""
    for clause in effect.clauses:
        yield (denied(clause) or clause) if effect.name == DENIED or _is_denied(clause) else clause


def _is_denied(clause: Clause) -> bool:
    return isinstance(clause, Condition) and clause.operator in {Operator.NE, Operator.NOT_IN}


def _whole_years(periods: Iterable[Period]) -> Condition | None:
    """Return whole years of a column of dates as a condition on their numbers; None for anything finer, or without an end."""
    years = [years_within(one.column, one) for one in periods if one.column is not None]
    if not years or any(one is None or one.operator is not Operator.EQ for one in years):
        return None
    values = tuple(value for one in years if one is not None for value in one.values)
    operator = Operator.EQ if len(values) == 1 else Operator.IN
    return replace(years[0], part="year", operator=operator, values=values) if years[0] else None
