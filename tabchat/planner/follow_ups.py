"""A question that goes on from the one before: its words as changes of the intent of the last answer.

What a question is certain to mean alone, it always means. Only a fragment, or a question that opens like a follow-up, is
read as changes; every word of it must be accounted for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import AnyOf, Condition, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.links.lattice import Skip
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.search import HEAVY, ways_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.readings.effect import Effect
    from tabchat.planner.readings.search import Way

_COUNTED: Final = frozenset({Output.VALUE, Output.GROUPS, Output.COMPARISON, Output.CHANGE})


@record
class Opening:
    """How a follow-up says what it is, and the words that say so."""

    marks: frozenset[str]
    """start, more, only, instead, too, rows, share, those, reverse."""
    places: frozenset[int]
    """Places of the words that say so."""


def opening_of(lattice: Lattice) -> Opening:
    """Return the phrases by which a question says that it goes on, the longest at each place."""
    words = [word.norm for word in lattice.sentence.words]
    marks: set[str] = set()
    places: set[int] = set()
    for start in range(len(words)):
        if start in places:
            continue
        best = max(
            (
                (len(phrase), name)
                for lexicon in lattice.lexicons
                for name, phrases in lexicon.follow_ups.items()
                for phrase in phrases
                if tuple(words[start : start + len(phrase)]) == phrase
                and (start == 0 or name not in {"start", "more"})
            ),
            default=None,
        )
        if best is not None:
            marks.add(best[1])
            places |= set(range(start, start + best[0]))
    return Opening(marks=frozenset(marks), places=frozenset(places))


def followed(
    lattice: Lattice, previous: Intent, weights: Mapping[str, float], opening: Opening
) -> list[tuple[float, Intent]]:
    """Return (score, what a question changes `previous` to), the likeliest first; nothing where words are left over."""
    found: dict[Intent, float] = {}
    for way in ways_of(lattice, weights, idle=opening.places):
        if any(lattice.skips[place] in HEAVY and place not in opening.places for place in way.skipped):
            continue
        changed = _Change(lattice, previous, opening).applied(way.effects)
        if changed is not None and changed != previous:
            found.setdefault(changed, way.score)
    return [(score, intent) for intent, score in found.items()]


class _Change:
    """The changes that the effects of a follow-up make."""

    def __init__(self, lattice: Lattice, previous: Intent, opening: Opening) -> None:
        self._columns = lattice.vocabulary.columns
        self._by_name = lattice.vocabulary.by_name
        self._previous = previous
        self._marks = opening.marks

    def applied(self, effects: Sequence[Effect]) -> Intent | None:
        """Return the changed intent; None when an effect changes nothing of it."""
        intent: Intent | None = self._previous
        fresh = True
        for effect in effects:
            if effect.kind in {Kind.ASK, Kind.LIST}:
                continue
            if intent is None:
                return None
            intent = self._with(intent, effect, fresh=fresh)
            fresh = fresh and effect.kind not in {Kind.MEASURE, Kind.COLUMN}
        if intent is None:
            return None
        return self._marked(intent)

    def _marked(self, intent: Intent) -> Intent | None:
        if "rows" in self._marks:
            scope = replace(
                Intent(output=Output.ROWS), clauses=intent.clauses, periods=intent.periods, table=intent.table
            )
            return scope if intent.output in _COUNTED else None
        if "share" in self._marks:
            return self._share(intent)
        if "reverse" in self._marks:
            if not intent.orders:
                return None
            orders = tuple(replace(order, descending=not order.descending) for order in intent.orders)
            return replace(intent, orders=orders)
        return intent

    def _share(self, intent: Intent) -> Intent | None:
        if not intent.measures:
            return None
        first, *rest = intent.measures
        if intent.keys:
            return replace(intent, measures=(replace(first, share=True), *rest))
        if not intent.clauses:
            return None
        return replace(intent, measures=(replace(first, part=intent.clauses), *rest), clauses=())

    def _with(self, intent: Intent, effect: Effect, *, fresh: bool) -> Intent | None:
        match effect.kind:
            case Kind.PERIOD:
                return replace(intent, periods=self._periods(intent, effect.periods))
            case Kind.CLAUSE | Kind.CELLS:
                return self._scoped(intent, effect)
            case Kind.KEY:
                return self._keyed(intent, effect.keys)
            case Kind.MEASURE:
                return self._measured(intent, effect.measure, fresh=fresh)
            case Kind.FUNCTION:
                return self._functioned(intent, effect)
            case Kind.COLUMN:
                return self._column(intent, self._columns[effect.column], fresh=fresh)
            case Kind.COUNT:
                return self._measured(intent, Measure(), fresh=fresh)
            case Kind.ROWS:
                return intent
            case Kind.SUPER:
                return self._ranked(intent, effect)
            case Kind.DIRECTION:
                return _directed(intent, effect)
            case Kind.ORDER:
                return self._ordered(intent, effect)
            case _:
                return None

    def _periods(self, intent: Intent, periods: tuple[Period, ...]) -> tuple[Period, ...]:
        if "too" in self._marks:
            return (*intent.periods, *periods)
        return periods

    def _scoped(self, intent: Intent, effect: Effect) -> Intent:
        """Exchange the conditions on the same columns; add the others."""
        kept: list[Clause] = list(intent.clauses)
        periods = intent.periods
        for clause in effect.clauses:
            column = _column_of(clause)
            same = [
                other for other in kept if _column_of(other) == column and _kind_of(other) == _kind_of(clause)
            ]
            if (
                "too" in self._marks
                and same
                and isinstance(clause, Condition)
                and isinstance(same[0], Condition)
            ):
                values = (*same[0].values, *clause.values)
                clause = Condition(column=clause.column, operator=Operator.IN, values=values)  # noqa: PLW2901
            kept = [other for other in kept if other not in same]
            kept.append(clause)
            if isinstance(clause, Condition) and clause.part is not None:
                periods = self._fitted(periods, clause)
        return replace(intent, clauses=tuple(kept), periods=periods)

    def _fitted(self, periods: tuple[Period, ...], clause: Condition) -> tuple[Period, ...]:
        """Leave out a period that a part of the calendar takes the place of, unless it is a whole year."""
        return tuple(period for period in periods if period.unit == "year" or period.column != clause.column)

    def _keyed(self, intent: Intent, keys: tuple[Key, ...]) -> Intent | None:
        if intent.output not in _COUNTED or not intent.measures:
            return None
        own = (*intent.keys, *keys) if "too" in self._marks else keys
        return replace(
            intent,
            output=Output.GROUPS if intent.output is Output.VALUE else intent.output,
            keys=tuple(dict.fromkeys(own)),
            limit_keys=(),
        )

    def _measured(self, intent: Intent, measure: Measure | None, *, fresh: bool) -> Intent | None:
        if measure is None:
            return None
        if intent.output not in _COUNTED:
            scope = Intent(
                output=Output.VALUE, measures=(measure,), clauses=intent.clauses, periods=intent.periods
            )
            return replace(scope, table=intent.table)
        adds = "too" in self._marks or not fresh
        return replace(intent, measures=(*intent.measures, measure) if adds else (measure,))

    def _functioned(self, intent: Intent, effect: Effect) -> Intent | None:
        if not intent.measures or intent.measures[0].column is None:
            return None
        first = replace(intent.measures[0], function=effect.name, parameter=effect.parameter)
        return replace(intent, measures=(first, *intent.measures[1:]))

    def _column(self, intent: Intent, column: TableColumn, *, fresh: bool) -> Intent | None:
        if column.measure and intent.output in _COUNTED and intent.measures:
            first = intent.measures[0]
            function = first.function if first.column is not None else ("sum" if column.additive else "mean")
            return self._measured(intent, replace(first, column=column.name, function=function), fresh=fresh)
        if intent.measures and intent.measures[0].function == "count_distinct" and not column.measure:
            return replace(intent, measures=(replace(intent.measures[0], column=column.name),))
        if intent.keys and not column.measure:
            return self._keyed(intent, (Key(column=column.name),))
        if intent.output in {Output.ROWS, Output.VALUES} and intent.columns:
            return replace(intent, columns=(column.name,))
        return None

    def _ranked(self, intent: Intent, effect: Effect) -> Intent | None:
        if effect.column >= 0 and effect.measure is None:
            column = self._columns[effect.column].name
            if intent.output is not Output.ROWS:
                return None
            order = Order(column=column, descending=effect.descending)
        elif intent.orders:
            order = replace(intent.orders[0], descending=effect.descending)
        elif intent.keys:
            order = Order(descending=effect.descending)
        else:
            return None
        first_of = effect.name == "rel.first" and intent.orders
        limit = effect.count or intent.limit or 1
        return replace(
            intent, orders=intent.orders if first_of else (order,), limit=limit, offset=effect.offset
        )

    def _ordered(self, intent: Intent, effect: Effect) -> Intent | None:
        if effect.column < 0:
            return None
        name = self._columns[effect.column].name
        if intent.output is Output.GROUPS:
            for place, measure in enumerate(intent.measures):
                if measure.column == name:
                    return replace(intent, orders=(Order(measure=place, descending=effect.descending),))
            if not any(key.column == name for key in intent.keys):
                return None
        return replace(intent, orders=(Order(column=name, descending=effect.descending),))


def _directed(intent: Intent, effect: Effect) -> Intent | None:
    if intent.orders:
        return replace(
            intent, orders=tuple(replace(order, descending=effect.descending) for order in intent.orders)
        )
    return replace(intent, orders=(Order(descending=effect.descending),)) if intent.keys else None


def _column_of(clause: Clause) -> str:
    return clause.conditions[0].column if isinstance(clause, AnyOf) else clause.column


def _kind_of(clause: Clause) -> str:
    """Return what conditions that take one another's place share: lower bounds do not replace upper ones."""
    if isinstance(clause, AnyOf):
        return "any"
    if clause.part is not None:
        return clause.part
    if clause.operator in {Operator.GT, Operator.GE}:
        return "low"
    if clause.operator in {Operator.LT, Operator.LE}:
        return "high"
    return "cell"
