"""Drafts → intents that compute figures over all rows: values, how many groups there are."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import COUNT, Key, Measure, Order, Output
from tabchat.planner.links.link import told
from tabchat.planner.links.units import HELD
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.keys import date_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links import TableColumn
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Effect, Features

_MOST_MEASURES: Final = 6
ADDED: Final = frozenset({"sum", "count"})
"""Functions whose figures of parts add up to that of the whole."""
_EACH_ROW: Final = ("per_row", "record_of")
_UNSAID: Final = (("count.default", 1.0),)


@record
class Figures:
    """What may be measured, and the effects that said so."""

    measures: tuple[Measure, ...]
    used: frozenset[int] = frozenset()
    focus: tuple[int, ...] = ()
    """Places of the columns that are measured."""
    features: Features = ()


@lru_cache(maxsize=8)
def figures(draft: Draft, *, spare: frozenset[int] = frozenset()) -> list[Figures]:
    """Return what the question may measure; `spare` are places of columns and functions that are something else."""
    explicit, functions, counts = (
        [place for place in draft.places(kind) if place not in spare]
        for kind in (Kind.MEASURE, Kind.FUNCTION, Kind.COUNT)
    )
    bare = [p for p in draft.places(Kind.COLUMN) if p not in spare and draft.column_at(p).numeric]
    if explicit:
        return [*_explicit(draft, explicit, bare)]
    if functions:
        return [*_applied(draft, functions, bare)]
    within = tuple(effect.measure for effect in draft.each(Kind.BOUND) if effect.measure)
    if within and not counts:
        # What groups are chosen by is told of them.
        return [Figures(measures=within, features=(("less.columns", 1.0),))]
    if counts:
        rows = Figures(measures=(COUNT,), used=frozenset(counts), features=(("count.bare", 1.0),))
        return [rows, *_counted_apart(draft, counts, spare), *_held(draft, counts)]
    return [
        *_defaults(draft, bare),
        *_owned(draft, bare),
        Figures(measures=(COUNT,), features=_UNSAID),
    ]


def compared(draft: Draft, spare: frozenset[int] = frozenset()) -> Iterator[Figures]:
    """Yield what may be compared: where nothing says what, the money of rows beside the number of them."""
    found = figures(draft, spare=spare)
    yield from found
    unsaid = [one.features for one in found] == [_UNSAID] and not draft.places(Kind.ROWS)
    for column in draft.vocabulary.money[:1] if unsaid else ():
        function = "sum" if column.additive else "mean"
        features = (("default.measure", 1.0), default(column, function))
        measures = (Measure(function=function, column=column.name),)
        yield Figures(measures=measures, focus=(column.place,), features=features)


def _owned(draft: Draft, bare: Sequence[int]) -> Iterator[Figures]:
    """Yield the money of some rows where nothing says how much of what: `how much have we won`."""
    money = draft.vocabulary.money
    if money and not bare and draft.opener == "howmuch" and draft.places(Kind.CELLS, Kind.CLAUSE):
        total = (Measure(function="sum", column=money[0].name),)
        yield Figures(measures=total, focus=(money[0].place,), features=(("default.measure", 1.0),))


def applied(function: Effect, column: str | None) -> Measure:
    """Return a function whose column stands elsewhere."""
    return Measure(function=function.name, column=column, parameter=function.parameter)


def _explicit(draft: Draft, places: Sequence[int], bare: Sequence[int]) -> Iterator[Figures]:
    effects = [draft.effects[place] for place in places]
    kept = tuple(effect.measure for effect in effects if effect.measure is not None)
    focus = tuple(effect.column for effect in effects if effect.column >= 0)
    column = next((measure.column for measure in kept if measure.column is not None), None)
    also = draft.places(Kind.FUNCTION) if column is not None else []
    more = tuple(applied(draft.effects[place], column) for place in also)
    ends = len(kept) == len(more) == 1 and {kept[0].function, more[0].function} == {"min", "max"}
    yield Figures(
        measures=tuple(dict.fromkeys((*more, *kept)))[:_MOST_MEASURES],
        used=frozenset((*places, *also)),
        focus=focus,
        features=told({"measures.functions": len({*more} - {*kept}), "measures.ends": ends}),
    )
    counts = draft.places(Kind.COUNT)
    if counts and column is not None and {one.function for one in kept} == {"sum"}:
        # `how many were bought, and for what sum`
        features = (("default.measure", 1.0),)
        both, said = (COUNT, *kept)[:_MOST_MEASURES], frozenset((*places, *counts))
        yield Figures(measures=both, used=said, focus=focus, features=features)
    last = kept[-1]
    bare = [place for place in bare if draft.column_at(place).name not in {one.column for one in kept}]
    if bare and last.column is not None and not draft.vocabulary.by_name[last.column].dated:
        same = (
            Measure(function=last.function, column=draft.column_at(place).name, parameter=last.parameter)
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
    used, names = frozenset(functions), {effect.name for effect in effects}
    if "mode" in names:
        bare = [*bare, *(place for place in draft.places(Kind.COLUMN) if place not in bare)]

    def of(column: TableColumn, features: Features, places: frozenset[int] = frozenset()) -> Figures:
        measures = tuple(applied(effect, column.name) for effect in effects)
        return Figures(measures=measures, used=used | places, focus=(column.place,), features=features)

    for place in bare[:2]:
        yield of(draft.column_at(place), (("function.far", 1.0),), frozenset({place}))
    if not bare and names == {"sum"}:
        yield Figures(measures=(COUNT,), used=used, features=(("count.total", 1.0),))
    for column, ranked in draft.likeliest() if not bare else ():
        yield of(column, (("default.measure", 1.0), *ranked))


def _held(draft: Draft, counts: Sequence[int]) -> Iterator[Figures]:
    """Yield how many there are of what cells name, where one column counts it: `how much laminate went out`."""
    held = [one for one in draft.vocabulary.measures if one.additive and not HELD.isdisjoint(one.groups)]
    if len(held) == 1 and draft.places(Kind.CELLS):
        total = (Measure(function="sum", column=held[0].name),)
        features = (("default.measure", 1.0), ("count.summed_apart", 1.0))
        yield Figures(measures=total, used=frozenset(counts), focus=(held[0].place,), features=features)


def _counted_apart(draft: Draft, counts: Sequence[int], spare: frozenset[int]) -> Iterator[Figures]:
    """Count the different values of a column that stands apart from `how many`."""
    distinct = draft.places(Kind.DISTINCT)
    for place in (place for place in draft.places(Kind.COLUMN) if place not in spare):
        column, used = draft.column_at(place), frozenset((*counts, place))
        different = (Measure(function="count_distinct", column=column.name),)
        features = told({"count.apart": 1, "count.explicit": bool(distinct)})
        yield Figures(measures=different, used=used.union(distinct), features=features)
        if column.numeric:
            total = (Measure(function="sum", column=column.name),)
            features = told({"count.summed_apart": 1, "sum.nonadditive": not column.additive})
            yield Figures(measures=total, used=used, focus=(column.place,), features=features)


def _defaults(draft: Draft, bare: Sequence[int]) -> Iterator[Figures]:
    """Read columns without a function: their sum, where a sum says something, or their mean."""
    bare = [place for place in bare if draft.column_at(place).measure]
    columns = list({draft.effects[place].column: draft.column_at(place) for place in bare}.values())
    degree = any(draft.effects[place].name == "degree" for place in bare)
    # What each thing has has no sum that anybody asks for without a word for it.
    summed = any(one.additive or one.identifying or draft.opener == "howmuch" for one in columns)
    for function in (*(("sum",) if summed else ()), *(("mean",) if columns else ())):
        yield Figures(
            measures=tuple(Measure(function=function, column=one.name) for one in columns[:_MOST_MEASURES]),
            used=frozenset(bare),
            focus=tuple(column.place for column in columns),
            features=(*(default(one, function) for one in columns), (f"degree.{function}", float(degree))),
        )


def default(column: TableColumn, function: str) -> tuple[str, float]:
    """Return the feature of a function that no word says."""
    kind = "name" if not column.measure else "additive" if column.additive else "nonadditive"
    return f"default.{function}.{kind}", 1.0


def value_intents(draft: Draft) -> Iterator[Built]:
    """Measures over the rows in scope; a sum for each row is the mean over them."""
    if draft.places(Kind.KEY, Kind.SUPER):
        return
    listed = any((effect.count or 1) > 1 for effect in draft.each(Kind.CELLS))
    for figure, scope in draft.scoped(figures(draft)):
        measures = figure.measures
        features = {f"list.{measures[0].function}": listed, "value.counted_each": draft.counts_each}
        # How many rows there are in each row is not what anybody asks.
        each = () if measures[0] == COUNT else _EACH_ROW
        used = draft.idle("exist", "table", "all", *each)
        if draft.has(*_EACH_ROW):
            measures = tuple(
                Measure(function="mean", column=one.column) if one.function == "sum" else one
                for one in measures
            )
        fields = {"measures": measures, **_ranked(draft, measures)}
        yield draft.built("value", scope, figure, used, told(features), **fields)


def limited_intents(draft: Draft) -> Iterator[Built]:
    """Read figures of the first few things of an order, each of one row: the average population of the 3 largest cities."""
    explicit, supers = draft.places(Kind.MEASURE), draft.places(Kind.SUPER)
    if len(supers) != 1 or draft.places(Kind.KEY) or not explicit or explicit[0] > supers[0]:
        return
    rank, things = draft.effects[supers[0]], draft.places(Kind.COLUMN)
    limit = draft.counted(rank)
    single = all(
        draft.column_at(place).kept_unique or draft.column_at(place).facts.unique for place in things
    )
    for figure in figures(draft, spare=frozenset(things)) if limit and limit > 1 and single else ():
        own = draft.own_column(rank) or draft.vocabulary.by_name.get(figure.measures[0].column or "")
        if own is None or not own.numeric:
            continue
        order = Order(column=own.name, descending=draft.descends(rank, own.name))
        fields: dict[str, Any] = {"orders": (order,), "limit": limit, "offset": rank.offset}
        for scope in draft.scopes(figure.focus):
            used = {*supers, *things}
            yield draft.built("value", scope, figure, used, measures=figure.measures, **fields)


def _ranked(draft: Draft, measures: Sequence[Measure]) -> dict[str, Any]:
    """Return the names with the most rows for the most frequent one, as there may be several."""
    column = draft.vocabulary.by_name.get(measures[0].column or "")
    if column is None or measures != (Measure(function="mode", column=column.name),):
        return {}
    first = {"orders": (Order(),), "limit": 1, "with_ties": True}
    return {
        "output": Output.GROUPS,
        "measures": (COUNT,),
        "keys": (Key(column=column.name),),
        **first,
    }


def counted_times(draft: Draft) -> frozenset[int]:
    """Return the places of what asks for a number of days, or of other times: on how many different days did it rain."""
    key = next(iter(draft.places(Kind.KEY)), 0)
    timed = len(draft.keys) == 1 and draft.keys[0].unit is not None
    before = key - (2 if key > 1 and draft.effects[key - 1].kind is Kind.DISTINCT else 1)
    counts = timed and before >= 0 and draft.effects[before].kind is Kind.COUNT
    return frozenset(range(before, key + 1)) if counts else frozenset()


def group_count_intents(draft: Draft) -> Iterator[Built]:
    """How many groups meet a condition on each: how many customers have more than five orders, on how many days."""
    if draft.places(Kind.SUPER):
        return
    counted: list[tuple[tuple[Key, ...], Figures | None, frozenset[int]]]
    times, share = counted_times(draft), draft.marks.get("share")
    if share is not None:
        things = [at for at in draft.places(Kind.COLUMN) if draft.column_at(at).text]
        counted = [((Key(column=draft.column_at(at).name),), None, frozenset({share, at})) for at in things]
    elif times:
        counted = [(draft.keys, None, times)]
    elif draft.places(Kind.KEY):
        return
    else:
        distinct = (one for one in figures(draft) if one.measures[0].function == "count_distinct")
        counted = [((Key(column=one.measures[0].column),), one, frozenset()) for one in distinct]
    # `how many days had repairs` are those of their rows; `how many repairs each day` are repairs.
    bare = any(draft.effects[place].name == "bare" for place in times)
    for keys, figure, places in counted:
        for scope in draft.scopes(measure=COUNT):
            if scope.having or bare:
                used = {*places, *draft.idle("exist", "table")}
                measures = (Measure(share=share is not None),)
                fields: dict[str, Any] = {"measures": measures, "keys": keys, "having": scope.having}
                if not scope.having and (days := date_of(draft.vocabulary, keys[0])) is not None:
                    fields = {"measures": (Measure(function="count_distinct", column=days),)}
                told_of = () if scope.having else (("group_count.times", 1.0),)
                yield draft.built("group_count", scope, figure, used, told_of, **fields)


def time_key(draft: Draft) -> Key:
    """Return the calendar unit that gives a series of readable length."""
    dates = draft.vocabulary.dates
    if not dates:
        return Key(column=draft.vocabulary.year_columns[0].name)
    if dates[0].facts.span is not None:
        return Key(column=dates[0].name)
    low, high = dates[0].facts.low, dates[0].facts.high
    days = 0
    if isinstance(low, date) and isinstance(high, date) and type(low) is type(high):
        days = (high - low).days
    if days > 365 * 12:
        return Key(unit="year")
    return Key(unit="month" if days > 62 else "day")  # noqa: PLR2004
