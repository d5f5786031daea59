"""Changes of an intent: what each phrase of a follow-up exchanges or adds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import intent_parts as parts
from tabchat.planner.intent import COUNT, Condition, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.intent_groups import bounded, directed, ends_of, versus
from tabchat.planner.intent_periods import scoped, timed
from tabchat.planner.readings.effect import Kind
from tabchat.planner.words.calendar import calendar_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.links import Vocabulary
    from tabchat.planner.readings.effect import Effect

_EMPTY_MARKS: Final = frozenset({"sort", "than", "table"})
_SILENT: Final = frozenset({Kind.ASK, Kind.LIST, Kind.ROWS})
_BESIDE: Final = _SILENT | {Kind.MEASURE, Kind.FUNCTION, Kind.COLUMN, Kind.MARK}
"""What may be asked of the groups that a limit has chosen."""
_FIRST: Final = frozenset({"rel.first", "edge.first"})


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
        if (
            "those" in self._marks
            and parts.is_cut(previous)
            and any(effect.kind not in _BESIDE for effect in effects)
        ):
            # `How many of them` after the top 3 may count the three, or what is theirs; nobody is to rank others.
            return ()
        intents: tuple[Intent, ...] = (previous,)
        fresh = True
        ranks = [effect for effect in effects if effect.kind in {Kind.SUPER, Kind.FUNCTION}]
        if len(ranks) > 1 and any(effect.name in _FIRST for effect in ranks):
            # `highest first` is an order, which is told as a direction.
            return ()
        sorts = any(effect.kind is Kind.DIRECTION or effect.name == "sort" for effect in effects)
        for effect in self._denied(effects):
            if effect.kind in _SILENT or is_silent(effect):
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
        marks = [change for name, change in parts.MARKED.items() if name in self._marks]
        return tuple(marked for intent in kept for marked in (marks[0](intent) if marks else (intent,)))

    def _denied(self, effects: Sequence[Effect]) -> list[Effect]:
        """Return `without a phone` as the condition that it is, and `all cities` as one phrase."""
        found: list[Effect] = []
        for effect in effects:
            column = self._columns[effect.column] if effect.kind is Kind.COLUMN else None
            if column is not None and not column.measure and found and found[-1].name in {"without", "no"}:
                gap = Condition(column=column.name, operator=Operator.MISSING)
                found[-1] = replace(effect, kind=Kind.CLAUSE, clauses=(gap,))
            elif column is not None and found and found[-1].name == "all":
                found[-1] = replace(effect, name="all")
            else:
                found.append(effect)
        return found

    def _with(  # noqa: C901, PLR0911 - a table of kinds
        self, intent: Intent, effect: Effect, *, fresh: bool
    ) -> tuple[Intent, ...]:
        match effect.kind:
            case Kind.PERIOD | Kind.CLAUSE | Kind.CELLS:
                return self._narrowed(intent, effect)
            case Kind.KEY:
                return self._keyed(intent, effect.keys)
            case Kind.MEASURE:
                return self._measured(intent, effect.measure, fresh=fresh)
            case Kind.FUNCTION:
                return self._functioned(intent, effect)
            case Kind.COLUMN:
                return self._column(intent, effect, fresh=fresh)
            case Kind.COUNT:
                return self._measured(intent, COUNT, fresh=fresh, counts=True)
            case Kind.SUPER:
                return tuple(item for end in ends_of(intent, effect) for item in self._ranked(intent, end))
            case Kind.DIRECTION:
                return directed(intent, effect)
            case Kind.ORDER:
                return self._ordered(intent, effect)
            case Kind.BOUND:
                return bounded(intent, effect, self._marks)
            case _:
                return ()

    def _narrowed(self, intent: Intent, effect: Effect) -> tuple[Intent, ...]:
        if "against" in self._marks:
            return versus(intent, effect)
        try:
            if effect.kind is Kind.PERIOD:
                return timed(intent, effect, self._marks)
            return scoped(intent, effect.clauses, self._marks)
        except OverflowError:
            # There is no day before the year 1 or behind the year 9999 to be meant.
            return ()

    # What is computed

    def _keyed(self, intent: Intent, keys: tuple[Key, ...]) -> tuple[Intent, ...]:
        if intent.output is Output.ROWS and intent.limit is None and "only" not in self._marks:
            intent = replace(parts.scope_of(intent), output=Output.GROUPS, measures=(COUNT,))
        if intent.output not in parts.COUNTED or intent.sides or intent.placed or "only" in self._marks:
            return ()
        measured = {measure.column for measure in intent.measures} - {None}
        if (
            not intent.measures
            or (intent.keys and intent.output is Output.VALUE)
            or any(key.column in measured for key in keys)
        ):
            # `Top 3 by revenue` after the revenue of groups says the order.
            return ()
        output = Output.GROUPS if intent.output is Output.VALUE else intent.output
        bare = replace(intent, output=output, limit_keys=())
        added = replace(bare, keys=tuple(dict.fromkeys((*intent.keys, *keys))))
        exchanged = added if "too" in self._marks else replace(bare, keys=tuple(dict.fromkeys(keys)))
        if intent.output is Output.GROUPS and intent.limit is not None:
            # Whether the top 5 are still wanted when something else is grouped is anybody's guess.
            return exchanged, replace(exchanged, limit=None, orders=(), with_ties=False)
        if any(_is_one(period, key) for period in intent.periods[:1] for key in keys):
            # After 2024, `by year`: there is but one.
            return exchanged, replace(exchanged, periods=())
        pinned = [clause for clause in exchanged.clauses if parts.is_listed(clause) and _is_of(clause, keys)]
        if pinned:
            # Of Rome, `by city`: there is but one, so that all may be meant.
            return parts.with_clauses(exchanged, pinned), exchanged
        return (exchanged, added) if "more" in self._marks and intent.keys else (exchanged,)

    def _measured(
        self, intent: Intent, measure: Measure | None, *, fresh: bool, counts: bool = False
    ) -> tuple[Intent, ...]:
        listed = intent.output is Output.ROWS
        cut = (listed or intent.output is Output.VALUE) and (parts.is_cut(intent) or intent.keys)
        if measure is None or cut or not (listed or intent.output in parts.COUNTED):
            return ()
        if listed:
            return (replace(parts.scope_of(intent), measures=(measure,)),)
        exchanged = replace(intent, measures=(measure,))
        part = [clause for item in intent.measures[:1] for clause in item.part]
        if "too" in self._marks or not fresh:
            return (replace(intent, measures=(*intent.measures, measure)),)
        if intent.limit is not None:
            # After the top 3 by revenue, `and average price`: of these, or the top 3 by that.
            orders = tuple(replace(order, measure=order.measure + 1) for order in intent.orders)
            beside = replace(intent, measures=(measure, *intent.measures), orders=orders)
            return (beside,) if "those" in self._marks else (exchanged, beside)
        if part and not measure.part:
            # After a percentage, `how many` asks for that of the part; what another figure is of is open.
            whole = replace(exchanged, clauses=(*intent.clauses, *part))
            return (whole,) if counts else (whole, exchanged)
        return (exchanged,)

    def _functioned(self, intent: Intent, effect: Effect) -> tuple[Intent, ...]:
        if not intent.measures or intent.measures[0].column is None or intent.measures[0].part:
            return ()
        if intent.orders and intent.limit is not None and effect.name in {"max", "min"}:
            # After the highest, `the lowest` is the other end of the order.
            return ()
        first = replace(intent.measures[0], function=effect.name, parameter=effect.parameter)
        if intent.limit is not None:
            return self._measured(intent, first, fresh=True)
        return (replace(intent, measures=(first, *intent.measures[1:])),)

    def _column(  # noqa: PLR0911 - a list of cases
        self, intent: Intent, effect: Effect, *, fresh: bool
    ) -> tuple[Intent, ...]:
        column = self._columns[effect.column]
        if effect.name == "all":
            dropped = [clause for clause in intent.clauses if parts.column_of(clause) == column.name]
            return (parts.with_clauses(intent, dropped),) if dropped else ()
        if effect.name == "which":
            return parts.values_of(intent, column.name)
        if "only" in self._marks:
            # `only cities with more than 5` names the groups that there are.
            return (intent,) if [key.column for key in intent.keys] == [column.name] else ()
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
        if effect.column < 0 and parts.is_untimely(effect.name, intent, self._columns):
            return ()
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
            by = [intent.measures[order.measure].column for order in intent.orders if order.column is None]
            named = effect.column >= 0 and by == [self._columns[effect.column].name]
            return (intent,) if named else ()
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


def _is_one(period: Period, key: Key) -> bool:
    """Tell whether a period is one of the years or months that rows are grouped by."""
    if period.start is None or period.end is None:
        return period.ago is not None and period.unit == key.unit
    return key.unit == period.unit and calendar_name(period.start, period.end) is not None


def _is_of(clause: Clause, keys: Sequence[Key]) -> bool:
    """Tell whether a condition leaves one group of a key."""
    pinned = isinstance(clause, Condition) and clause.part is None and len(clause.values) == 1
    return pinned and any(key.column == parts.column_of(clause) and key.unit is None for key in keys)
