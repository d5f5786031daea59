"""What a follow-up makes of groups: their order, which of them are told, new ones side by side, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import intent_parts as parts
from tabchat.planner.intent import Condition, Having, Intent, Key, Order, Output
from tabchat.planner.intent_periods import in_period

if TYPE_CHECKING:
    from tabchat.planner.readings.effect import Effect

_PLACES: Final = ("edge.", "rel.")
_TWO_WAYS: Final = (".speed", ".duration")
"""How names of ranks end of which nobody knows the direction where no column is named: the fastest are the shortest."""


def ends_of(intent: Intent, effect: Effect) -> tuple[Effect, ...]:
    """Return a rank as each that it can mean: the first of groups in no order may be the best, or the least."""
    if effect.column < 0 and effect.name.endswith(_TWO_WAYS):
        return ()
    if intent.orders or intent.output is not Output.GROUPS or not effect.name.startswith(_PLACES):
        return (effect,)
    timed = any(key.unit for key in intent.keys)
    return () if timed else tuple(replace(effect, descending=down) for down in (True, False))


def directed(intent: Intent, effect: Effect) -> tuple[Intent, ...]:
    """Turn the order, or begin one by the figure, alphabetically by the names of the groups."""
    if intent.limit is not None:
        return ()
    if effect.name == "asc.name":
        names = [key.column for key in intent.keys if key.column is not None and key.unit is None]
        return (replace(intent, orders=(Order(column=names[0], descending=False),)),) if names else ()
    if intent.orders:
        orders = tuple(replace(order, descending=effect.descending) for order in intent.orders)
        return (replace(intent, orders=orders),)
    return (replace(intent, orders=(Order(descending=effect.descending),)),) if intent.keys else ()


def bounded(intent: Intent, effect: Effect, marks: frozenset[str]) -> tuple[Intent, ...]:
    """Keep the groups whose figure is so: `only those over 70`; the rows may be meant where no count was asked for."""
    (measure,) = intent.measures if len(intent.measures) == 1 else (None,)
    plain = all(number.unit is None and not number.percent for number in effect.quantities)
    if intent.output is not Output.GROUPS or parts.is_cut(intent) or measure is None or measure.share:
        return ()
    if effect.operator is None or not plain or (effect.name == "rows" and measure.function != "count"):
        return ()
    having = Having(measure=measure, operator=effect.operator, values=effect.values)
    told = replace(intent, having=(having,))
    if measure.column is None or "those" in marks:
        return (told,)
    cell = Condition(column=measure.column, operator=effect.operator, values=effect.values)
    return told, parts.with_clauses(intent, (), cell)


def versus(intent: Intent, effect: Effect) -> tuple[Intent, ...]:
    """Set cells, or a month, beside the one of before: after Rome, `compared to Oslo`."""
    if intent.output is not Output.VALUE or intent.keys or parts.is_cut(intent):
        return ()
    (period,) = effect.periods if len(effect.periods) == 1 else (None,)
    (other,) = intent.periods if len(intent.periods) == 1 else (None,)
    if period is not None and other is not None and period.unit == other.unit is not None:
        keys = (Key(column=other.column, unit=other.unit),)
        return (replace(intent, output=Output.GROUPS, keys=keys, periods=(other, period)),)
    (clause,) = effect.clauses if len(effect.clauses) == 1 else (None,)
    moved = in_period(intent, clause) if clause is not None and other is not None else ()
    if other is not None and len(moved) == 1 and moved[0].periods[0].unit == other.unit:
        # After March 2024, `compared to April`.
        return versus(intent, replace(effect, clauses=(), periods=moved[0].periods))
    if clause is None or not parts.is_listed(clause) or parts.is_part(clause):
        return ()
    same = [one for one in intent.clauses if parts.column_of(one) == parts.column_of(clause)]
    if len(same) != 1 or not parts.is_listed(same[0]):
        return ()
    both = parts.either((*same, clause))
    beside = parts.with_clauses(intent, same, both)
    return (replace(beside, output=Output.GROUPS, keys=(Key(column=both.column),)),)
