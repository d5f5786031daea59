"""Drafts → intents that compute figures: values, groups, shares of a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Intent, Key, Measure, Order, Output
from tabchat.planner.readings.draft import Built
from tabchat.planner.readings.effect import Kind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links import TableColumn
    from tabchat.planner.readings.draft import Draft
    from tabchat.planner.readings.effect import Effect, Features

_MOST_MEASURES: Final = 6


@record
class Figures:
    """What may be measured, and the effects that said so."""

    measures: tuple[Measure, ...]
    used: frozenset[int]
    focus: tuple[int, ...] = ()
    """Places of the columns that are measured."""
    features: Features = ()


def figures(draft: Draft, *, spare: frozenset[int] = frozenset()) -> list[Figures]:
    """Return what the question may measure; `spare` are places of columns that are something else."""
    explicit = draft.places(Kind.MEASURE)
    bare = [
        place
        for place in draft.places(Kind.COLUMN)
        if place not in spare and draft.column(draft.effects[place]).numeric
    ]
    functions = draft.places(Kind.FUNCTION)
    counts = draft.places(Kind.COUNT)
    found: list[Figures] = []
    if explicit:
        found += _explicit(draft, explicit, bare)
    elif functions:
        found += _applied(draft, functions, bare)
    elif counts:
        found.append(Figures(measures=(Measure(),), used=frozenset(counts), features=(("count.bare", 1.0),)))
        found += _counted_apart(draft, counts, spare)
    elif bare:
        found += _defaults(draft, bare)
    else:
        found.append(Figures(measures=(Measure(),), used=frozenset(), features=(("count.default", 1.0),)))
    return found


def _explicit(draft: Draft, places: Sequence[int], bare: Sequence[int]) -> Iterator[Figures]:
    measures = [draft.effects[place].measure for place in places]
    kept = tuple(measure for measure in measures if measure is not None)
    focus = tuple(draft.effects[place].column for place in places if draft.effects[place].column >= 0)
    also = draft.places(Kind.FUNCTION)
    columns = [measure.column for measure in kept if measure.column is not None]
    more = tuple(
        Measure(
            function=draft.effects[place].name, column=columns[0], parameter=draft.effects[place].parameter
        )
        for place in also
        if columns
    )
    yield Figures(
        measures=(*more, *kept)[:_MOST_MEASURES],
        used=frozenset((*places, *(also if columns else ()))),
        focus=focus,
        features=(("measures.functions", float(len(more))),) if more else (),
    )
    if bare and kept[-1].column is not None:
        last = kept[-1]
        same = tuple(
            Measure(
                function=last.function,
                column=draft.column(draft.effects[place]).name,
                parameter=last.parameter,
            )
            for place in bare
        )
        yield Figures(
            measures=(*kept, *same)[:_MOST_MEASURES],
            used=frozenset((*places, *bare)),
            focus=(*focus, *(draft.effects[place].column for place in bare)),
            features=(("measures.inherited", 1.0),),
        )


def _applied(draft: Draft, functions: Sequence[int], bare: Sequence[int]) -> Iterator[Figures]:
    """Apply functions to columns that stand elsewhere, or to the likeliest one."""
    effects = [draft.effects[place] for place in functions]
    if any(effect.name == "mode" for effect in effects):
        bare = [*bare, *(place for place in draft.places(Kind.COLUMN) if place not in bare)]
    for place in bare[:2]:
        column = draft.column(draft.effects[place])
        yield Figures(
            measures=tuple(
                Measure(function=effect.name, column=column.name, parameter=effect.parameter)
                for effect in effects
            ),
            used=frozenset((*functions, place)),
            focus=(column.place,),
            features=(("function.far", 1.0),),
        )
    if bare:
        return
    if any(effect.name == "sum" for effect in effects):
        yield Figures(measures=(Measure(),), used=frozenset(functions), features=(("count.total", 1.0),))
    for rank, column in enumerate(draft.measures[:2]):
        yield Figures(
            measures=tuple(
                Measure(function=effect.name, column=column.name, parameter=effect.parameter)
                for effect in effects
            ),
            used=frozenset(functions),
            focus=(column.place,),
            features=(("default.measure", 1.0), ("default.rank", float(rank)), *_only(draft)),
        )


def _only(draft: Draft) -> Features:
    return (("default.only", 1.0),) if len(draft.measures) == 1 else ()


def _counted_apart(draft: Draft, counts: Sequence[int], spare: frozenset[int]) -> Iterator[Figures]:
    """Count the different values of a column that stands apart from `how many`."""
    for place in draft.places(Kind.COLUMN):
        if place in spare:
            continue
        column = draft.column(draft.effects[place])
        distinct = draft.places(Kind.DISTINCT)
        yield Figures(
            measures=(Measure(function="count_distinct", column=column.name),),
            used=frozenset((*counts, place, *distinct)),
            features=(("count.apart", 1.0), ("count.explicit", float(bool(distinct)))),
        )
        if column.numeric:
            yield Figures(
                measures=(Measure(function="sum", column=column.name),),
                used=frozenset((*counts, place)),
                focus=(column.place,),
                features=(
                    ("count.summed_apart", 1.0),
                    *(() if column.additive else (("sum.nonadditive", 1.0),)),
                ),
            )


def _defaults(draft: Draft, bare: Sequence[int]) -> Iterator[Figures]:
    """Read columns without a function: their sum, where a sum says something, or their mean."""
    bare = [place for place in bare if draft.column(draft.effects[place]).measure] or []
    columns = [draft.column(draft.effects[place]) for place in bare]
    for function in ("sum", "mean") if columns else ():
        yield Figures(
            measures=tuple(
                Measure(function=function, column=column.name) for column in columns[:_MOST_MEASURES]
            ),
            used=frozenset(bare),
            focus=tuple(column.place for column in columns),
            features=tuple(_default(column, function) for column in columns),
        )
    yield Figures(measures=(Measure(),), used=frozenset(), features=(("count.default", 1.0),))


def _default(column: TableColumn, function: str) -> tuple[str, float]:
    if not column.measure:
        return f"default.{function}.name", 1.0
    return f"default.{function}.{'additive' if column.additive else 'nonadditive'}", 1.0


def value_intents(draft: Draft) -> Iterator[Built]:
    """Measures over the rows in scope."""
    if draft.places(Kind.KEY, Kind.SUPER):
        return
    listed = any((draft.effects[place].count or 1) > 1 for place in draft.places(Kind.CELLS))
    for figure in figures(draft):
        told = (f"list.{figure.measures[0].function}", float(listed))
        for scope in draft.scopes(figure.focus):
            intent = Intent(
                output=Output.VALUE,
                measures=_per_row(draft, figure.measures),
                clauses=scope.clauses,
                periods=scope.periods,
            )
            yield Built(
                intent=intent,
                used=figure.used
                | scope.used
                | draft.asks
                | draft.rows
                | _idle(draft, "exist", "table", "all", "per_row", "record_of"),
                features=(*figure.features, *scope.features, told, *_opened(draft, "value")),
            )


def group_count_intents(draft: Draft) -> Iterator[Built]:
    """How many groups meet a condition on each: how many customers have more than five orders."""
    for figure in figures(draft):
        first = figure.measures[0]
        if first.function != "count_distinct" or first.column is None or draft.places(Kind.KEY, Kind.SUPER):
            continue
        for scope in draft.scopes(measure=Measure()):
            if scope.having:
                yield Built(
                    intent=Intent(
                        output=Output.VALUE,
                        measures=(Measure(),),
                        keys=(Key(column=first.column),),
                        clauses=scope.clauses,
                        periods=scope.periods,
                        having=scope.having,
                    ),
                    used=figure.used | scope.used | draft.asks | draft.rows | _idle(draft, "exist", "table"),
                    features=(*figure.features, *scope.features, *_opened(draft, "group_count")),
                )


def ratio_intents(draft: Draft) -> Iterator[Built]:
    """Read a total for each of the different values of a column: the average number of orders per customer."""
    if draft.places(Kind.SUPER):
        return
    means = [place for place in draft.places(Kind.FUNCTION) if draft.effects[place].name == "mean"]
    for place in draft.places(Kind.KEY):
        keys = draft.effects[place].keys
        if len(keys) != 1 or keys[0].column is None or keys[0].unit is not None:
            continue
        column = draft.vocabulary.by_name[keys[0].column]
        if column.measure:
            continue
        for figure in figures(draft):
            first = figure.measures[0]
            total = first.function in {"count", "sum"}
            mean = first.function == "mean" and first.column is not None
            if (first.column is None and first.function != "count") or not (total or mean):
                continue
            measure = Measure(
                function="sum" if mean else first.function, column=first.column, per=column.name
            )
            for scope in draft.scopes(figure.focus):
                yield Built(
                    intent=Intent(
                        output=Output.VALUE, measures=(measure,), clauses=scope.clauses, periods=scope.periods
                    ),
                    used=frozenset({place, *means} | figure.used | scope.used | draft.asks | draft.rows),
                    features=(
                        *figure.features,
                        *scope.features,
                        ("ratio.mean", float(mean or bool(means))),
                        (f"ratio.of_{'count' if first.column is None else 'sum'}", 1.0),
                        *_opened(draft, "ratio"),
                    ),
                )


def _per_row(draft: Draft, measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Read a sum for each row as the mean over them."""
    if not {"per_row", "record_of"} & set(draft.marks):
        return measures
    return tuple(
        Measure(function="mean", column=measure.column) if measure.function == "sum" else measure
        for measure in measures
    )


def _idle(draft: Draft, *names: str) -> frozenset[int]:
    """Return the places of marks that add nothing to an output."""
    return frozenset(place for place in draft.places(Kind.MARK) if draft.effects[place].name in names)


def _opened(draft: Draft, output: str) -> Features:
    return ((f"out.{output}", 1.0), (f"open.{draft.opener}.{output}", 1.0))


def group_intents(draft: Draft) -> Iterator[Built]:
    """Measures for each group, in an order, the first few, or the one that has the most."""
    for keys, key_places, key_features in _keyed(draft):
        supers = draft.places(Kind.SUPER)
        for figure in _grouped_figures(draft, frozenset(key_places)):
            for scope in draft.scopes(figure.focus, measure=figure.measures[0]):
                yield from _ranked(draft, keys, frozenset(key_places), key_features, figure, scope, supers)


def _keyed(draft: Draft) -> Iterator[tuple[tuple[Key, ...], list[int], Features]]:
    """Yield what the rows may be grouped by."""
    places = draft.places(Kind.KEY)
    keys = tuple(dict.fromkeys(key for place in places for key in draft.effects[place].keys))
    supers = [draft.effects[place] for place in draft.places(Kind.SUPER)]
    ranked = [
        effect
        for effect in supers
        if effect.column >= 0 and not draft.column(effect).numeric and effect.measure is None
    ]
    columns = [place for place in draft.places(Kind.COLUMN) if not draft.column(draft.effects[place]).measure]
    if keys:
        yield keys, places, ()
    if ranked:
        own = Key(column=draft.column(ranked[0]).name)
        if own not in keys:
            features: Features = (("groups.of_super", 1.0),)
            yield (*keys, own), places, (*features, *((("groups.within", 1.0),) if keys else ()))
    for place in columns:
        effect = draft.effects[place]
        own = Key(column=draft.column(effect).name)
        if own in keys:
            continue
        kind = "groups.asked" if effect.asked else "groups.bare"
        unique: Features = (("groups.unique", 1.0),) if draft.column(effect).kept_unique else ()
        yield (
            (*keys, own),
            [*places, place],
            ((kind, 1.0), *unique, *((("groups.within", 1.0),) if keys else ())),
        )
    if not keys and draft.opener == "who":
        for column in draft.vocabulary.people[:1]:
            yield (Key(column=column.name),), [], (("groups.who", 1.0),)


def _grouped_figures(draft: Draft, spare: frozenset[int]) -> list[Figures]:
    supers = [draft.effects[place] for place in draft.places(Kind.SUPER)]
    said = draft.places(Kind.FUNCTION)
    if said:
        function = draft.effects[said[0]]
        averaged = [
            Figures(
                measures=(
                    Measure(
                        function=function.name, column=draft.column(effect).name, parameter=function.parameter
                    ),
                ),
                used=frozenset(said[:1]),
                focus=(effect.column,),
                features=(("groups.super_function", 1.0),),
            )
            for effect in supers
            if effect.measure is None and effect.column >= 0 and draft.column(effect).numeric
        ]
        if averaged:
            return averaged[:1]
    measured = [
        Figures(
            measures=(effect.measure or _measure_of(draft, effect),),
            used=frozenset(),
            focus=(effect.column,) if effect.column >= 0 else (),
            features=(("groups.super_measure", 1.0), *_default_of(draft, effect)),
        )
        for effect in supers
        if effect.measure is not None or (effect.column >= 0 and draft.column(effect).numeric)
    ]
    if measured:
        return measured[:1] + [
            Figures(
                measures=(Measure(function="mean", column=draft.column(effect).name),),
                used=frozenset(),
                focus=(effect.column,),
                features=(("groups.super_measure", 1.0), _default(draft.column(effect), "mean")),
            )
            for effect in supers[:1]
            if effect.measure is None
        ]
    if supers and not draft.places(Kind.MEASURE, Kind.FUNCTION, Kind.COUNT, Kind.ORDER):
        return [
            *figures(draft, spare=spare),
            *(
                Figures(
                    measures=(Measure(function="sum" if column.additive else "mean", column=column.name),),
                    used=frozenset(),
                    focus=(column.place,),
                    features=(("groups.default_measure", 1.0), ("default.rank", float(rank)), *_only(draft)),
                )
                for rank, column in enumerate(draft.measures[:2])
            ),
        ]
    ordered = [
        place
        for place in draft.places(Kind.ORDER)
        if draft.effects[place].measure is not None
        or (draft.effects[place].column >= 0 and draft.column(draft.effects[place]).numeric)
    ]
    found = figures(draft, spare=spare)
    if ordered and not draft.places(Kind.MEASURE, Kind.FUNCTION, Kind.COUNT):
        effect = draft.effects[ordered[0]]
        measures = (
            [effect.measure]
            if effect.measure is not None
            else [
                Measure(function=function, column=draft.column(effect).name) for function in ("sum", "mean")
            ]
        )
        found = [
            Figures(
                measures=(measure,),
                used=frozenset(ordered[:1]),
                focus=(effect.column,) if effect.column >= 0 else (),
                features=(
                    ("groups.ordered_measure", 1.0),
                    *(() if effect.measure else (_default(draft.column(effect), measure.function),)),
                ),
            )
            for measure in measures
        ]
    return found


def _measure_of(draft: Draft, effect: Effect) -> Measure:
    return Measure(function="sum", column=draft.column(effect).name)


def _default_of(draft: Draft, effect: Effect) -> Features:
    return () if effect.measure is not None else (_default(draft.column(effect), "sum"),)


def _chart(draft: Draft, charts: Sequence[str], keys: Sequence[Key]) -> str:
    """Return the picture that was asked for: a line over time and bars of anything else, unless its kind was said."""
    said = next((name.partition(".")[2] for name in charts if "." in name), None)
    column = draft.vocabulary.by_name.get(keys[0].column or "")
    timed = keys[0].unit is not None or (column is not None and (column.temporal or column.facts.years))
    return said or ("line" if timed else "bar")


def _ranked(
    draft: Draft,
    keys: tuple[Key, ...],
    key_places: frozenset[int],
    key_features: Features,
    figure: Figures,
    scope: object,
    supers: Sequence[int],
) -> Iterator[Built]:
    from tabchat.planner.readings.draft import Scope

    assert isinstance(scope, Scope)  # noqa: S101 - narrows for the checker
    directions = draft.places(Kind.DIRECTION)
    orders_said = draft.places(Kind.ORDER)
    limit, offset, ties = None, 0, False
    orders: tuple[Order, ...] = ()
    features: list[tuple[str, float]] = []
    used = set(
        figure.used
        | scope.used
        | key_places
        | draft.asks
        | draft.rows
        | _idle(draft, "exist", "table", "all", "values")
    )
    if supers:
        rank = draft.effects[supers[0]]
        used.add(supers[0])
        count = draft.counted(rank)
        limit, offset = count or 1, rank.offset
        ties = count is None and not rank.offset
        orders = (Order(descending=draft.descends(rank, figure.measures[0].column)),)
        features.append(("groups.ranked", 1.0))
    lost = [
        effect
        for effect in (draft.effects[place] for place in supers[:1])
        if effect.column >= 0
        and effect.measure is None
        and Key(column=draft.column(effect).name) not in keys
        and effect.column not in figure.focus
    ]
    if lost:
        features.append(("groups.lost_column", 1.0))
    within = len(keys) > 1 and any(name == "groups.within" for name, _ in key_features) and bool(supers)
    for place in orders_said:
        effect = draft.effects[place]
        if place in figure.used or effect.measure is not None or effect.column < 0:
            descending = (
                effect.descending if effect.name == "directed" or not supers else orders[0].descending
            )
            if not supers:
                orders = (Order(descending=descending or effect.name != "directed"),)
            used.add(place)
        elif Key(column=draft.column(effect).name) in keys and not supers:
            orders = (Order(column=draft.column(effect).name, descending=effect.descending),)
            used.add(place)
    for place in directions:
        effect = draft.effects[place]
        used.add(place)
        if effect.name in {"asc", "desc"} and not supers:
            orders = tuple(Order(column=order.column, descending=effect.descending) for order in orders) or (
                Order(descending=effect.descending),
            )
        elif effect.name == "sort" and not orders:
            orders = (Order(descending=True),)
    share = "share" in draft.marks and figure.measures[0].function in {"sum", "count"}
    if supers and len(keys) == 1 and any(draft.effects[place].name == "each" for place in key_places):
        # `the best of each` asks for a row of every group, not for the best group.
        features.append(("groups.each_ranked", 1.0))
    measures = figure.measures
    if share:
        used.add(draft.marks["share"])
        first = measures[0]
        measures = (Measure(function=first.function, column=first.column, share=True), *measures[1:])
        features.append(("groups.share", 1.0))
    spread = draft.marks.get("distribution")
    if spread is not None:
        used.add(spread)
    charts = [name for name in draft.marks if name.partition(".")[0] in {"chart", "trend"}]
    used |= {draft.marks[name] for name in charts}
    intent = Intent(
        output=Output.GROUPS,
        measures=measures,
        keys=keys,
        clauses=scope.clauses,
        periods=scope.periods,
        having=scope.having,
        orders=orders,
        limit=limit,
        offset=offset,
        limit_keys=keys[:-1] if within else (),
        with_ties=ties,
        chart=_chart(draft, charts, keys) if charts else None,
    )
    yield Built(
        intent=intent,
        used=frozenset(used),
        features=(*figure.features, *scope.features, *key_features, *features, *_opened(draft, "groups")),
    )
