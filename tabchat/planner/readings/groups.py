"""Drafts → intents that compute figures for each group, in an order, the first few, or the one that has the most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import Condition, Having, Key, Measure, Operator, Order, Output
from tabchat.planner.readings.bounds import denied
from tabchat.planner.readings.draft import Figures
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import applied, default, figures
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.readings.draft import Built, Draft, Scope
    from tabchat.planner.readings.effect import Effect, Features

_MEASURING = (Kind.MEASURE, Kind.FUNCTION, Kind.COUNT)
DRAWN: Final = {
    "chart": None,
    "chart.line": "line",
    "chart.bar": "bar",
    "chart.scatter": "scatter",
    "chart.pie": "bar",
}
"""Words for pictures of groups → their kind; parts of a whole are shown as bars."""
SEVERAL: Final = 10
"""Rows or groups that a superlative in the plural asks for, where it has no number."""
TIMELY: Final = frozenset({"trend", "overtime"})
"""Words that ask for a measure over time."""


@record
class _Keyed:
    """What the rows may be grouped by, and the places of the effects that said so."""

    keys: tuple[Key, ...]
    places: tuple[int, ...] = ()
    features: Features = ()


def group_intents(draft: Draft) -> Iterator[Built]:
    """Measures for each group, in an order, the first few, or the one that has the most."""
    for keyed in _keyed(draft):
        for figure in _figures(draft, frozenset(keyed.places)):
            for scope in draft.scopes(figure.focus, measure=figure.measures[0]):
                yield _grouped(draft, keyed, figure, scope)


def never_intents(draft: Draft) -> Iterator[Built]:
    """Read the groups no row of which meets a condition: customers who never bought coffee."""
    places = draft.places(Kind.CELLS, Kind.CLAUSE)
    if "never" not in draft.marks or not places or draft.places(Kind.KEY, Kind.SUPER, *_MEASURING):
        return
    said = (clause for place in places for clause in draft.effects[place].clauses)
    # Ukrainian and Russian deny twice: who never did not buy.
    part = tuple((denied(clause) or clause) if _is_denied(clause) else clause for clause in said)
    for keyed in _keyed(draft):
        for scope in draft.scopes(without=frozenset(places)):
            having = Having(measure=Measure(part=part), operator=Operator.EQ, values=(0.0,))
            yield draft.built(
                "never",
                Output.GROUPS,
                scope,
                used={*keyed.places, *places, draft.marks["never"], *draft.idle("exist", "table", "all")},
                features=keyed.features,
                measures=(Measure(),),
                keys=keyed.keys,
                having=(having,),
            )


def _keyed(draft: Draft) -> Iterator[_Keyed]:
    """Yield what the rows may be grouped by."""
    places, keys = tuple(draft.places(Kind.KEY)), tuple(dict.fromkeys(draft.keys))
    within: Features = (("groups.within", 1.0),) if keys else ()
    if keys:
        yield _Keyed(keys=keys, places=places)
    ranked = [
        Key(column=draft.column(effect).name)
        for effect in draft.each(Kind.SUPER)
        if effect.column >= 0 and not draft.column(effect).numeric and effect.measure is None
    ]
    if ranked and ranked[0] not in keys:
        features = (("groups.of_super", 1.0), *within)
        yield _Keyed(keys=(*keys, ranked[0]), places=places, features=features)
    for place in draft.places(Kind.COLUMN):
        column, own = draft.column_at(place), Key(column=draft.column_at(place).name)
        if column.measure or own in keys:
            continue
        called = draft.opener == "who" and column in draft.vocabulary.people
        kind = "groups.asked" if draft.effects[place].asked else "groups.called" if called else "groups.bare"
        features = ((kind, 1.0), ("groups.unique", float(column.kept_unique)), *within)
        yield _Keyed(keys=(*keys, own), places=(*places, place), features=features)
    if not keys and draft.opener == "who":
        for column in draft.vocabulary.people[:1]:
            yield _Keyed(keys=(Key(column=column.name),), features=(("groups.who", 1.0),))


def _is_denied(clause: Clause) -> bool:
    return isinstance(clause, Condition) and clause.operator in {Operator.NE, Operator.NOT_IN}


def _figures(draft: Draft, spare: frozenset[int]) -> list[Figures]:
    """Return what groups may be told by."""
    supers = draft.each(Kind.SUPER)
    said = draft.places(Kind.FUNCTION)
    for effect in supers if said else ():
        if effect.measure is None and effect.column >= 0 and draft.column(effect).numeric:
            measure = applied(draft.effects[said[0]], draft.column(effect))
            told = (("groups.super_function", 1.0),)
            return [_figure(effect, measure, told, used=frozenset(said[:1]))]
    for effect in supers:
        if effect.measure is not None or (effect.column >= 0 and draft.column(effect).numeric):
            return [
                *_named(draft, effect, "groups.super_measure", ("sum",)),
                # Its mean is that of the first superlative, whichever the sum is of.
                *_named(draft, supers[0], "groups.super_measure", ("mean",) if not supers[0].measure else ()),
            ]
    if supers and not draft.places(*_MEASURING, Kind.ORDER):
        return [*figures(draft, spare=spare), *_defaults(draft)]
    for place in draft.places(Kind.ORDER) if not draft.places(*_MEASURING) else ():
        effect = draft.effects[place]
        if effect.measure is not None or (effect.column >= 0 and draft.column(effect).numeric):
            used = frozenset({place})
            return _named(draft, effect, "groups.ordered_measure", ("sum", "mean"), used=used)
    return figures(draft, spare=spare)


def _figure(effect: Effect, measure: Measure, features: Features, *, used: frozenset[int]) -> Figures:
    focus = (effect.column,) if effect.column >= 0 else ()
    return Figures(measures=(measure,), used=used, focus=focus, features=features)


def _named(
    draft: Draft, effect: Effect, kind: str, functions: Sequence[str], *, used: frozenset[int] = frozenset()
) -> list[Figures]:
    """Return the measure that a superlative or an order says, or the functions of its column."""
    told: Features = ((kind, 1.0),)
    if effect.measure is not None and functions:
        return [_figure(effect, effect.measure, told, used=used)]
    found = []
    for function in functions:
        column = draft.column(effect)
        measure = Measure(function=function, column=column.name)
        found.append(_figure(effect, measure, (*told, default(column, function)), used=used))
    return found


def _defaults(draft: Draft) -> Iterator[Figures]:
    for column, told in draft.likeliest():
        measure = Measure(function="sum" if column.additive else "mean", column=column.name)
        features = (("groups.default_measure", 1.0), *told)
        yield Figures(measures=(measure,), focus=(column.place,), features=features)


def _grouped(draft: Draft, keyed: _Keyed, figure: Figures, scope: Scope) -> Built:
    supers, keys = draft.places(Kind.SUPER)[:1], keyed.keys
    used = {*keyed.places, *supers, *draft.idle("exist", "table", "all", "values")}
    features: list[tuple[str, float]] = []
    fields: dict[str, Any] = {}
    orders: tuple[Order, ...] = ()
    for place in supers:
        rank = draft.effects[place]
        count = draft.counted(rank)
        many = count is None and not rank.offset and _asks_for_several(draft, keyed)
        ties = count is None and not rank.offset and not many
        fields |= {"limit": SEVERAL if many else count or 1, "offset": rank.offset, "with_ties": ties}
        features.append(("groups.many", float(many)))
        orders = (Order(descending=draft.descends(rank, figure.measures[0].column)),)
        features.append(("groups.ranked", 1.0))
        if _loses_its_column(draft, rank, keys, figure):
            features.append(("groups.lost_column", 1.0))
    if supers and len(keys) > 1 and ("groups.within", 1.0) in keyed.features:
        fields["limit_keys"] = keys[:-1]
    said, ordering = _ordered(draft, () if supers else keys, figure)
    orders, used = orders or said, used | ordering
    if orders and not supers:
        # `3 hosts by viewers`
        counts = (draft.effects[place].count for place in keyed.places)
        fields["limit"] = next((count for count in counts if count), None)
    shares = [name for name in ("share", "pctword") if name in draft.marks]
    share = bool(shares) and figure.measures[0].function in {"sum", "count"}
    if supers and len(keys) == 1 and any(draft.effects[place].name == "each" for place in keyed.places):
        # `the best of each` asks for a row of every group, not for the best group.
        features.append(("groups.each_ranked", 1.0))
    measures = figure.measures
    if share:
        used |= {draft.marks[name] for name in shares}
        first = measures[0]
        measures = (Measure(function=first.function, column=first.column, share=True), *measures[1:])
        features.append(("groups.share", 1.0))
    # A trend is over time: bars of regions show none.
    timely = TIMELY & draft.marks.keys() if any(map(draft.vocabulary.is_timed, keys)) else set()
    charts = [name for name in draft.marks if name in DRAWN or name in timely]
    used |= {draft.marks[name] for name in (*charts, "distribution", "compare") if name in draft.marks}
    return draft.built(
        "groups",
        Output.GROUPS,
        scope,
        figure=figure,
        used=used,
        features=(*keyed.features, *features),
        measures=measures,
        keys=keys,
        having=scope.having,
        orders=orders,
        chart=_chart(draft, charts, keys) if charts else None,
        **fields,
    )


def _asks_for_several(draft: Draft, keyed: _Keyed) -> bool:
    """Tell whether a superlative without a number asks for several groups: `best customers`."""
    named = [*draft.each(Kind.SUPER)[:1], *(draft.effects[place] for place in keyed.places)]
    return draft.opener in {"none", "list"} and any(effect.many for effect in named)


def _loses_its_column(draft: Draft, rank: Effect, keys: Sequence[Key], figure: Figures) -> bool:
    if rank.column < 0 or rank.measure is not None or rank.column in figure.focus:
        return False
    return Key(column=draft.column(rank).name) not in keys


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
        elif effect.name == "sort" and not orders:
            orders = (Order(descending=True),)
    return orders, used


def _chart(draft: Draft, charts: Sequence[str], keys: Sequence[Key]) -> str:
    """Return the picture that was asked for: a line over time and bars of anything else, unless its kind was said."""
    said = next((DRAWN[name] for name in charts if DRAWN.get(name)), None)
    return said or ("line" if draft.vocabulary.is_timed(keys[0]) else "bar")
