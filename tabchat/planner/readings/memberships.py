"""Drafts → the groups that have rows of one kind and none of another: who never bought tea, or bought tea but no coffee, or both."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import (
    COUNT,
    EXCLUDING,
    Condition,
    Having,
    Key,
    Measure,
    Operator,
    single_conditions,
)
from tabchat.planner.links.link import told
from tabchat.planner.readings.bounds import denied
from tabchat.planner.readings.effect import DENIED, Kind
from tabchat.planner.readings.figures import figures
from tabchat.planner.readings.groups import Grouping, groupings_of
from tabchat.planner.readings.times import years_within
from tabchat.planner.words.calendar import year_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabchat.planner.intent import Clause, Intent, Period
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Effect, Scope
    from tabchat.planner.readings.figures import Figures

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


def newcomer_intents(draft: Draft) -> Iterator[Built]:
    """Read the groups whose first row lies in a period, or how many there are: new customers in 2023, who came for the first time in May."""
    places = draft.places(Kind.PERIOD)
    if "newcomer" not in draft.marks or len(places) != 1 or draft.places(*_ORDERED):
        return
    having = _first_within(draft.effects[places[0]])
    if having:
        yield from _having(
            draft, {*places}, having, draft.idle("newcomer", "exist", "table", "all"), is_said=True
        )


def _first_within(effect: Effect) -> tuple[Having, ...]:
    """Return that a group has rows in the only period of an effect and none before it; nothing where it has no column or no start."""
    period = effect.periods[0] if len(effect.periods) == 1 and not effect.clauses else None
    if period is None or period.column is None or period.start is None:
        return ()
    before = Condition(column=period.column, operator=Operator.LT, values=(period.start,))
    years = _whole_years(effect.periods)
    within = [years or Condition(column=period.column, operator=Operator.GE, values=(period.start,))]
    if not years and period.end is not None:
        after = period.end + dt.timedelta(days=1)
        within.append(Condition(column=period.column, operator=Operator.LT, values=(after,)))
    return _some_of((*within,)), _none_of((before,))


def denies_others(intent: Intent) -> bool:
    """Tell whether rows are kept that are tea and no coffee, as all tea is."""
    single = [clause for clause in intent.clauses if isinstance(clause, Condition)]
    pinned: set[tuple[str | None, str | None]] = {
        (one.column, "year") for one in intent.periods if year_of(one)
    }
    pinned |= {(one.column, one.part) for one in single if one.operator is Operator.EQ}
    return any((one.column, one.part) in pinned for one in single if one.operator in EXCLUDING)


def _having(
    draft: Draft, places: set[int], having: tuple[Having, ...], idle: frozenset[int], *, is_said: bool
) -> Iterator[Built]:
    """Yield the groups whose rows meet some bounds, of whatever the question may group by, or how many different things do."""
    parts = chain.from_iterable(one.measure.part for one in having)
    told_of = {(one.column, one.part) for one in single_conditions((*parts,))}
    for name, figure, grouping in _asked(draft):
        # No city has rows of another one.
        if {column for column, _ in told_of} & {key.column for key in grouping.keys}:
            continue
        if ("groups.unique", 1.0) in grouping.features and (len(having) > 1 or not is_said):
            continue
        used = {*grouping.places, *places, *idle}
        fields = {"measures": (COUNT,), "keys": grouping.keys, "having": having}
        features = (*grouping.features, *told({"never.denied": not is_said}))
        for scope in draft.scopes(without=frozenset(places)):
            if not _is_settled(scope, told_of):
                yield draft.built(name, scope, figure, used, features, **fields)


def _asked(draft: Draft) -> Iterator[tuple[str, Figures | None, Grouping]]:
    """Yield what may be told of groups, the name of its construction first: how many there are, or which."""
    if draft.places(Kind.MEASURE, Kind.COUNT):
        for figure in figures(draft):
            if [one.function for one in figure.measures] == ["count_distinct"]:
                yield "group_count", figure, Grouping(keys=(Key(column=figure.measures[0].column),))
        return
    for grouping in groupings_of(draft):
        yield "never", None, grouping


def _is_settled(scope: Scope, told_of: set[tuple[str, str | None]]) -> bool:
    """Tell whether the rows in question are some by what is asked of all of them: none of 2022 is one of 2023."""
    told: set[tuple[str, str | None]] = {(one.column, one.part) for one in single_conditions(scope.clauses)}
    told |= {(one.column, "year") for one in scope.periods if one.column and year_of(one)}
    return not told_of.isdisjoint(told)


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
    return isinstance(clause, Condition) and clause.operator in EXCLUDING


def _whole_years(periods: Iterable[Period]) -> Condition | None:
    """Return whole years of a column of dates as a condition on their numbers; None for anything finer, or without an end."""
    years = [years_within(one.column, one) for one in periods if one.column is not None]
    if not years or any(one is None or one.operator is not Operator.EQ for one in years):
        return None
    values = tuple(value for one in years if one is not None for value in one.values)
    operator = Operator.EQ if len(values) == 1 else Operator.IN
    return replace(years[0], part="year", operator=operator, values=values) if years[0] else None
