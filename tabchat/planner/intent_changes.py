"""Changes of an intent: what each phrase of a follow-up exchanges or adds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import intent_parts as parts
from tabchat.planner.intent import Condition, Intent, Key, Measure, Order, Output, Period
from tabchat.planner.readings.effect import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.links import TableColumn, Vocabulary
    from tabchat.planner.readings.effect import Effect

_EMPTY_MARKS: Final = frozenset({"sort", "than", "table"})
_FIRST: Final = frozenset({"rel.first", "edge.first"})
_PLACES: Final = ("edge.", "rel.")
_OPPOSITE: Final = {"low": "high", "high": "low"}
_TWO_WAYS: Final = (".speed", ".duration")
"""How names of ranks end of which nobody knows the direction where no column is named: the fastest are the shortest."""


def is_silent(effect: Effect) -> bool:
    """Tell whether a phrase says nothing about what is wanted."""
    return effect.kind is Kind.MARK and effect.name in _EMPTY_MARKS


class Change:
    """Applies the effects of a question to the intent before; `marks` are how it says that it goes on."""

    def __init__(self, vocabulary: Vocabulary, marks: frozenset[str]) -> None:
        self._columns = vocabulary.columns
        self._marks = marks

    def applied(self, previous: Intent, effects: Sequence[Effect]) -> tuple[Intent, ...]:
        """Return what the intent becomes: several where a change can be made in two ways, none where it cannot."""
        intents: tuple[Intent, ...] = (previous,)
        fresh = True
        ranks = [effect for effect in effects if effect.kind in {Kind.SUPER, Kind.FUNCTION}]
        if len(ranks) > 1 and any(effect.name in _FIRST for effect in ranks):
            # `highest first` is an order, which is told as a direction.
            return ()
        sorts = any(effect.kind is Kind.DIRECTION or effect.name == "sort" for effect in effects)
        for effect in effects:
            if effect.kind in {Kind.ASK, Kind.LIST, Kind.ROWS} or is_silent(effect):
                continue
            if sorts and effect.kind in {Kind.COUNT, Kind.MEASURE, Kind.KEY, Kind.COLUMN}:
                # What the direction stands with is what is sorted by, and is told as an order.
                return ()
            intents = tuple(
                changed for intent in intents for changed in self._with(intent, effect, fresh=fresh)
            )
            fresh = fresh and effect.kind not in {Kind.MEASURE, Kind.COLUMN}
        limits = {effect.count for effect in effects if effect.kind is Kind.SUPER and effect.count}
        # What a phrase takes away must not be what another one of the same question says.
        kept = (intent for intent in intents if limits <= {intent.limit})
        return tuple(marked for intent in kept for marked in self._marked(intent))

    def _marked(self, intent: Intent) -> tuple[Intent, ...]:
        return next(
            (change(intent) for name, change in parts.MARKED.items() if name in self._marks), (intent,)
        )

    def _with(  # noqa: C901, PLR0911 - a table of kinds
        self, intent: Intent, effect: Effect, *, fresh: bool
    ) -> tuple[Intent, ...]:
        match effect.kind:
            case Kind.PERIOD:
                return self._timed(intent, effect.periods)
            case Kind.CLAUSE | Kind.CELLS:
                return self._scoped(intent, effect.clauses)
            case Kind.KEY:
                return self._keyed(intent, effect.keys)
            case Kind.MEASURE:
                return self._measured(intent, effect.measure, fresh=fresh)
            case Kind.FUNCTION:
                return _functioned(intent, effect)
            case Kind.COLUMN:
                column = self._columns[effect.column]
                if effect.name == "which":
                    return parts.values_of(intent, column.name)
                return self._column(intent, column, fresh=fresh)
            case Kind.COUNT:
                return self._measured(intent, Measure(), fresh=fresh)
            case Kind.SUPER:
                return tuple(item for end in _ends(intent, effect) for item in self._ranked(intent, end))
            case Kind.DIRECTION:
                return _directed(intent, descending=effect.descending)
            case Kind.ORDER:
                return self._ordered(intent, effect)
            case _:
                return ()

    # Scope

    def _timed(self, intent: Intent, periods: tuple[Period, ...]) -> tuple[Intent, ...]:
        """Exchange the period; what was said of a part of its year goes with it, or is in doubt."""
        exchanged = replace(intent, periods=periods)
        if not intent.periods:
            return (exchanged,)
        if "too" in self._marks:
            return exchanged, replace(intent, periods=(*intent.periods, *periods))
        bare = tuple(clause for clause in intent.clauses if not parts.is_part(clause))
        (first, *others) = periods
        whole_year = not others and first.unit == "year" and None not in {first.start, first.end}
        if bare != intent.clauses:
            plain = replace(exchanged, clauses=bare)
            return (plain, exchanged) if whole_year else (plain,)
        same = parts.in_year(intent.periods[0], first) if whole_year and len(intent.periods) == 1 else None
        # After March 2023, `and for 2022` may be the year or its March.
        return (exchanged,) if same is None else (exchanged, replace(intent, periods=(same,)))

    def _scoped(self, intent: Intent, clauses: tuple[Clause, ...]) -> tuple[Intent, ...]:
        """Exchange the conditions on the same columns; add the others."""
        named = set(map(parts.column_of, clauses))
        if any(parts.column_of(clause) in named for side in intent.sides for clause in side.clauses):
            return ()
        if any(parts.column_of(clause) in named for measure in intent.measures for clause in measure.part):
            return parts.parted(intent, clauses)
        intents: tuple[Intent, ...] = (intent,)
        for clause in clauses:
            intents = tuple(changed for item in intents for changed in self._with_clause(item, clause))
        return intents

    def _with_clause(self, intent: Intent, clause: Clause) -> tuple[Intent, ...]:
        if isinstance(clause, Condition) and parts.is_part(clause):
            periods = parts.moved(intent.periods, clause)
            if periods is not None:
                return (replace(intent, periods=periods),)
        column, kind = parts.column_of(clause), parts.kind_of(clause)
        same = [
            other
            for other in intent.clauses
            if parts.column_of(other) == column and parts.kind_of(other) == kind
        ]

        def without(dropped: Sequence[Clause], *added: Clause) -> Intent:
            kept = (other for other in intent.clauses if other not in dropped and other not in same)
            return replace(intent, clauses=(*kept, *added))

        exchanged = without((), clause)
        if "too" in self._marks and same and kind == "cell":
            return exchanged, without((), parts.either((*same, clause)))
        others = [other for other in intent.clauses if other not in same]
        bound = _OPPOSITE.get(kind)
        opposite = [
            other for other in others if parts.column_of(other) == column and parts.kind_of(other) == bound
        ]
        if opposite:
            # Over 3000, `and under 4000`: both bounds, or the other one.
            return exchanged, without(opposite, clause)
        if kind == "denied":
            return (without([other for other in others if parts.denies(clause, other)], *same, clause),)
        cells = [other for other in others if parts.kind_of(other) == "cell"]
        goes_on = self._marks & {"start", "more"} and "only" not in self._marks
        if kind == "cell" and cells and not same and goes_on:
            # Of Germany, `and Asia?`: what of the first is in the second, or the second in its place.
            return exchanged, without(cells, clause)
        return (exchanged,)

    # What is computed

    def _keyed(self, intent: Intent, keys: tuple[Key, ...]) -> tuple[Intent, ...]:
        if intent.output is Output.ROWS and intent.limit is None and "only" not in self._marks:
            intent = replace(parts.scope_of(intent), output=Output.GROUPS, measures=(Measure(),))
        if intent.output not in parts.COUNTED or intent.sides or "only" in self._marks:
            return ()
        if not (intent.measures or intent.keys):
            return ()
        output = Output.GROUPS if intent.output is Output.VALUE else intent.output
        bare = replace(intent, output=output, limit_keys=())
        exchanged = replace(bare, keys=tuple(dict.fromkeys(keys)))
        added = replace(bare, keys=tuple(dict.fromkeys((*intent.keys, *keys))))
        if intent.output is Output.GROUPS and intent.limit is not None and "too" not in self._marks:
            # Whether the top 5 are still wanted when something else is grouped is anybody's guess.
            return exchanged, replace(exchanged, limit=None, orders=(), with_ties=False)
        if "too" in self._marks:
            return (added,)
        return (exchanged, added) if "more" in self._marks and intent.keys else (exchanged,)

    def _measured(self, intent: Intent, measure: Measure | None, *, fresh: bool) -> tuple[Intent, ...]:
        if measure is None:
            return ()
        if intent.output not in parts.COUNTED:
            return (
                (replace(parts.scope_of(intent), measures=(measure,)),)
                if intent.output is Output.ROWS
                else ()
            )
        adds = "too" in self._marks or not fresh
        return (replace(intent, measures=(*intent.measures, measure) if adds else (measure,)),)

    def _column(self, intent: Intent, column: TableColumn, *, fresh: bool) -> tuple[Intent, ...]:
        if "only" in self._marks:
            return ()
        if column.measure and intent.output in parts.COUNTED and intent.measures:
            first = intent.measures[0]
            function = first.function if first.column is not None else ("sum" if column.additive else "mean")
            return self._measured(intent, replace(first, column=column.name, function=function), fresh=fresh)
        if intent.measures and intent.measures[0].function == "count_distinct" and not column.measure:
            return (replace(intent, measures=(replace(intent.measures[0], column=column.name),)),)
        if intent.keys and not column.measure:
            return self._keyed(intent, (Key(column=column.name),))
        if intent.output in {Output.ROWS, Output.VALUES} and intent.columns:
            return (replace(intent, columns=(column.name,)),)
        return ()

    # Order

    def _ranked(self, intent: Intent, effect: Effect) -> tuple[Intent, ...]:
        if effect.column >= 0 and effect.measure is None:
            if intent.output is Output.GROUPS:
                return self._extreme(intent, effect)
            column = self._columns[effect.column]
            if intent.output is not Output.ROWS or not (column.numeric or column.dated):
                # `best customers`: no row has the most of a name.
                return ()
            order = Order(column=column.name, descending=effect.descending)
        elif intent.orders:
            order = replace(intent.orders[0], descending=effect.descending)
        elif intent.keys:
            order = Order(descending=effect.descending)
        elif len(intent.measures) == 1 and intent.measures[0].function in {"max", "min"}:
            function = "max" if effect.descending else "min"
            return (replace(intent, measures=(replace(intent.measures[0], function=function),)),)
        else:
            return ()
        kept = intent.orders if effect.name in _FIRST and intent.orders else (order,)
        limit = effect.count or intent.limit or 1
        return (replace(intent, orders=kept, limit=limit, offset=effect.offset),)

    def _extreme(self, intent: Intent, effect: Effect) -> tuple[Intent, ...]:
        """After the ages of each group, `the oldest`: the first of the groups, or the highest age of each."""
        name = self._columns[effect.column].name
        if [measure.column for measure in intent.measures] != [name] or effect.offset:
            return ()
        order = Order(descending=effect.descending)
        first = replace(intent, orders=(order,), limit=effect.count or intent.limit or 1)
        if effect.count:
            return (first,)
        function = "max" if effect.descending else "min"
        each = replace(intent, measures=(Measure(function=function, column=name),))
        return (first, each)

    def _ordered(self, intent: Intent, effect: Effect) -> tuple[Intent, ...]:
        if intent.limit is not None:
            # A limit holds in an order; another order behind it is another query.
            return ()
        if effect.column < 0:
            if effect.measure not in intent.measures:
                return ()
            by_measure = Order(measure=intent.measures.index(effect.measure), descending=effect.descending)
            return (replace(intent, orders=(by_measure,)),)
        name = self._columns[effect.column].name
        order = Order(column=name, descending=effect.descending)
        places = [place for place, measure in enumerate(intent.measures) if measure.column == name]
        if intent.output is Output.GROUPS and places:
            order = Order(measure=places[0], descending=effect.descending)
        elif intent.output is Output.GROUPS:
            if not any(key.column == name for key in intent.keys):
                return ()
        elif intent.output is not Output.ROWS:
            return ()
        return (replace(intent, orders=(order,)),)


def _ends(intent: Intent, effect: Effect) -> tuple[Effect, ...]:
    """Return a rank as each that it can mean: the first of groups in no order may be the best, or the least."""
    if effect.column < 0 and effect.name.endswith(_TWO_WAYS):
        return ()
    if intent.orders or intent.output is not Output.GROUPS or not effect.name.startswith(_PLACES):
        return (effect,)
    timed = any(key.unit for key in intent.keys)
    return () if timed else tuple(replace(effect, descending=down) for down in (True, False))


def _functioned(intent: Intent, effect: Effect) -> tuple[Intent, ...]:
    if not intent.measures or intent.measures[0].column is None:
        return ()
    if intent.orders and intent.limit is not None and effect.name in {"max", "min"}:
        # After the highest, `the lowest` is the other end of the order.
        return ()
    first = replace(intent.measures[0], function=effect.name, parameter=effect.parameter)
    return (replace(intent, measures=(first, *intent.measures[1:])),)


def _directed(intent: Intent, *, descending: bool) -> tuple[Intent, ...]:
    if intent.limit is not None:
        return ()
    if intent.orders:
        orders = tuple(replace(order, descending=descending) for order in intent.orders)
        return (replace(intent, orders=orders),)
    return (replace(intent, orders=(Order(descending=descending),)),) if intent.keys else ()
