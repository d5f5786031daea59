"""Drafts → intents that compute figures for each group, in an order, the first few, or the one that has the most."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import Key, Measure, Order
from tabchat.planner.links.link import told
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import Figures, applied, counted_times, default, figures
from tabchat.planner.readings.surveys import kinds_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Effect, Features, Scope

_MEASURING = (Kind.MEASURE, Kind.FUNCTION, Kind.COUNT)
DRAWN: Final = {
    "chart": None,
    "chart.line": "line",
    "chart.bar": "bar",
    "chart.scatter": "scatter",
    "chart.pie": "bar",
}
"""Words for pictures of groups → their kind; parts of a whole are shown as bars."""
_PERSONS: Final = 3
"""Columns of persons that are looked at for `who`."""
_SPANS: Final = frozenset({"year", "quarter", "month", "week", "day"})
"""Units of time that rows are grouped by."""
TIMELY: Final = frozenset({"trend", "overtime"})
"""Words that ask for a measure over time."""


@record
class Grouping:
    """What the rows may be grouped by, and the places of the effects that said so."""

    keys: tuple[Key, ...]
    places: tuple[int, ...] = ()
    features: Features = ()


def group_intents(draft: Draft) -> Iterator[Built]:
    """Measures for each group, in an order, the first few, or the one that has the most."""
    for grouping in groupings_of(draft):
        for figure in group_figures(draft, frozenset(grouping.places)):
            for scope in draft.scopes(figure.focus, measure=figure.measures[0]):
                yield _grouped(draft, grouping, figure, scope)


def groupings_of(draft: Draft) -> Iterator[Grouping]:
    """Yield what the rows may be grouped by."""
    places, keys = tuple(draft.places(Kind.KEY)), tuple(dict.fromkeys(draft.keys))
    within: Features = (("groups.within", 1.0),) if keys else ()
    if keys:
        yield Grouping(keys=keys, places=places)
    columns = filter(None, map(draft.own_column, draft.each(Kind.SUPER)))
    ranked = next((Key(column=column.name) for column in columns if not column.numeric), None)
    if ranked is not None and ranked not in keys:
        yield Grouping(keys=(*keys, ranked), places=places, features=(("groups.of_super", 1.0), *within))
    if draft.opener == "which" and not (keys or draft.places(Kind.COLUMN)):
        # `what do they complain of most often`
        frequent = any(effect.name in {"agg.mode", "count.max"} for effect in draft.each(Kind.SUPER))
        for column in kinds_of(draft.vocabulary)[:2] if frequent else ():
            yield Grouping(keys=(Key(column=column.name),), features=(("values.unsaid", 1.0),))
    who = draft.vocabulary.people if draft.opener == "who" else ()
    for place in draft.places(Kind.COLUMN):
        column, own = draft.column_at(place), Key(column=draft.column_at(place).name)
        if column.measure or own in keys:
            continue
        asked = draft.effects[place].asked
        kind = "groups.asked" if asked else "groups.called" if column in who else "groups.bare"
        features = (*told({kind: 1, "groups.unique": column.kept_unique}), *within)
        yield Grouping(keys=(*keys, own), places=(*places, place), features=features)
    if keys and who and Key(column=who[0].name) not in keys and draft.places(Kind.SUPER):
        # `who spent the most hours for each client`
        features = (("groups.who", 1.0), *within)
        yield Grouping(keys=(*keys, Key(column=who[0].name)), places=places, features=features)
    where = draft.vocabulary.places if draft.opener == "where" else ()
    for column in (*who[:1], *where[:1]) if not keys else ():
        yield Grouping(keys=(Key(column=column.name),), features=((f"groups.{draft.opener}", 1.0),))
    # Of several columns of persons the first is the likeliest; `who closed the most tickets` may be another.
    for column in draft.vocabulary.called_persons[:_PERSONS] if who and not keys else ():
        if column != who[0]:
            features = (("groups.who", 1.0), ("groups.who.other", 1.0))
            yield Grouping(keys=(Key(column=column.name),), features=features)


def group_figures(draft: Draft, spare: frozenset[int]) -> list[Figures]:
    """Return what groups may be told by; `spare` are places of columns that are something else."""
    supers, said = draft.each(Kind.SUPER), draft.places(Kind.FUNCTION)[:1]
    for effect in supers if said else ():
        column = draft.own_column(effect)
        if column is not None and column.numeric:
            measure = applied(draft.effects[said[0]], column.name)
            told_by = (("groups.super_function", 1.0),)
            return [_figure(effect, measure, told_by, used=frozenset(said))]
    for effect in supers:
        if _measures(draft, effect):
            return [
                *_named(draft, effect, "groups.super_measure", ("sum",)),
                # Its mean is that of the first superlative, whichever the sum is of.
                *_named(draft, supers[0], "groups.super_measure", ("mean",) if not supers[0].measure else ()),
            ]
    orders = draft.places(Kind.ORDER) if not draft.places(*_MEASURING) else []
    if supers and not orders and not draft.places(*_MEASURING):
        return [*figures(draft, spare=spare), *_defaults(draft)]
    for place in orders:
        if _measures(draft, draft.effects[place]):
            used = frozenset({place})
            return _named(draft, draft.effects[place], "groups.ordered_measure", ("sum", "mean"), used=used)
    return figures(draft, spare=spare)


def _measures(draft: Draft, effect: Effect) -> bool:
    """Tell whether a superlative or an order is of a figure, or of a column of numbers."""
    return effect.measure is not None or (effect.column >= 0 and draft.column(effect).numeric)


def _figure(effect: Effect, measure: Measure, features: Features, *, used: frozenset[int]) -> Figures:
    focus = (effect.column,) if effect.column >= 0 else ()
    return Figures(measures=(measure,), used=used, focus=focus, features=features)


def _named(
    draft: Draft, effect: Effect, kind: str, functions: Sequence[str], *, used: frozenset[int] = frozenset()
) -> list[Figures]:
    """Return the measure that a superlative or an order says, or the functions of its column."""
    said = ((kind, 1.0),)
    if effect.measure is not None:
        return [_figure(effect, effect.measure, said, used=used)] if functions else []
    column = draft.column(effect)
    measures = [Measure(function=function, column=column.name) for function in functions]
    return [
        _figure(effect, measure, (*said, default(column, measure.function)), used=used)
        for measure in measures
    ]


def _defaults(draft: Draft) -> Iterator[Figures]:
    for column, ranked in draft.likeliest():
        measure = Measure(function="sum" if column.additive else "mean", column=column.name)
        features = (("groups.default_measure", 1.0), *ranked)
        yield Figures(measures=(measure,), focus=(column.place,), features=features)


def _grouped(draft: Draft, grouping: Grouping, figure: Figures, scope: Scope) -> Built:
    supers, measures = draft.places(Kind.SUPER)[:1], figure.measures
    apart = () if supers else _apart(draft, grouping.keys)
    keys = (*grouping.keys, *apart)
    if apart:
        scope = replace(scope, features=tuple(told for told in scope.features if told[0] != "scope.versus"))
    used = {*grouping.places, *supers, *draft.idle("exist", "table", "all", "values")}
    orders, ordering = _ordered(draft, () if supers else keys, figure)
    fields: dict[str, Any] = {"orders": orders}
    counted = bool(scope.having and counted_times(draft))
    features: Features = (*grouping.features, *told({"groups.counted": counted}))
    for place in supers:
        ranked, more = _ranked(draft, draft.effects[place], grouping, figure)
        fields, features = {**fields, **ranked}, (*features, *more)
    if orders and not supers:
        # `3 hosts by viewers`
        counts = (draft.effects[place].count for place in grouping.places)
        fields["limit"] = next((count for count in counts if count), None)
    shares = [name for name in ("share", "pctword") if name in draft.marks]
    if shares and measures[0].function in {"sum", "count"}:
        used |= {draft.marks[name] for name in shares}
        first = Measure(function=measures[0].function, column=measures[0].column, share=True)
        measures, features = (first, *measures[1:]), (*features, ("groups.share", 1.0))
    # A trend is over time: bars of regions show none.
    timely = TIMELY & draft.marks.keys() if any(map(draft.vocabulary.is_timed, keys)) else set()
    charts = [name for name in draft.marks if name in DRAWN or name in timely]
    used |= {draft.marks[name] for name in (*charts, "distribution", "compare") if name in draft.marks}
    fields |= {"measures": measures, "keys": keys, "having": scope.having}
    fields["chart"] = picture(draft, charts, keys) if charts else None
    return draft.built("groups", scope, figure, used | ordering, features, **fields)


def _apart(draft: Draft, keys: Sequence[Key]) -> tuple[Key, ...]:
    """Return what keeps apart in each group what is compared: `revenue by region, 2023 vs 2024`, `online vs store revenue by region`."""
    found: list[Key] = []
    for effect in draft.effects:
        if effect.name == "versus" and effect.kind is Kind.CELLS:
            found.append(Key(column=draft.column(effect).name))
        elif effect.name == "versus" and effect.kind is Kind.PERIOD:
            first = effect.periods[0]
            timed = any(map(draft.vocabulary.is_timed, keys)) or first.unit not in _SPANS
            found += [] if timed else [Key(column=first.column, unit=first.unit)]
    return tuple(key for key in found if key not in keys)


def _ranked(
    draft: Draft, rank: Effect, grouping: Grouping, figure: Figures
) -> tuple[Mapping[str, Any], Features]:
    """Return how many groups a superlative asks for, and in which order, with the features of that."""
    keys, named = grouping.keys, [rank, *(draft.effects[place] for place in grouping.places)]
    # `best customers`
    several = draft.opener in {"none", "list"} and any(effect.many for effect in named)
    fields, many = draft.limits(rank, several=several)
    fields["orders"] = (Order(descending=draft.descends(rank, figure.measures[0].column)),)
    if len(keys) > 1 and ("groups.within", 1.0) in grouping.features:
        fields["limit_keys"] = keys[:-1]
    column = draft.own_column(rank)
    lost = column is not None and column.place not in figure.focus and Key(column=column.name) not in keys
    each = any(effect.name == "each" for effect in named[1:])
    features = {
        "groups.many": many,
        "groups.ranked": 1,
        "groups.lost_column": lost,
        # `the best of each` asks for a row of every group, not for the best group.
        "groups.each_ranked": each and len(keys) == 1,
    }
    return fields, told(features)


def _ordered(draft: Draft, keys: Sequence[Key], figure: Figures) -> tuple[tuple[Order, ...], set[int]]:
    """Return the order that the groups are said to have, and the places of what says it."""
    orders: tuple[Order, ...] = ()
    used: set[int] = set()
    for place in draft.places(Kind.ORDER):
        effect = draft.effects[place]
        if place in figure.used or effect.measure is not None or effect.column < 0:
            orders = (Order(descending=effect.descending or effect.name != "directed"),)
            used.add(place)
        elif Key(column=draft.column(effect).name) in keys:
            orders = (Order(column=draft.column(effect).name, descending=effect.descending),)
            used.add(place)
    for place in draft.places(Kind.DIRECTION):
        effect = draft.effects[place]
        used.add(place)
        if effect.name in {"asc", "desc"}:
            columns = [order.column for order in orders] or [None]
            orders = tuple(Order(column=column, descending=effect.descending) for column in columns)
        elif effect.name == "asc.name":
            # What is alphabetical is the names of the groups, never a figure; those of a calendar have an order.
            orders = tuple(Order(column=key.column, descending=False) for key in keys[:1] if key.column)
        elif effect.name == "sort" and not orders:
            orders = (Order(descending=True),)
    return orders, used


def picture(draft: Draft, charts: Sequence[str], keys: Sequence[Key]) -> str:
    """Return the picture that was asked for: a line over time and bars of anything else, unless its kind was said."""
    said = next((DRAWN[name] for name in charts if DRAWN.get(name)), None)
    return said or ("line" if draft.vocabulary.is_timed(keys[0]) else "bar")
