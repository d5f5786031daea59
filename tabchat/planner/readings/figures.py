"""Drafts → intents that compute figures over all rows: values, ratios, how many groups there are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Key, Measure, Output
from tabchat.planner.readings.draft import Figures
from tabchat.planner.readings.effect import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links import TableColumn
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Effect

_MOST_MEASURES: Final = 6
_CALENDAR: Final = frozenset({"year", "quarter", "month", "week", "day"})


def figures(draft: Draft, *, spare: frozenset[int] = frozenset()) -> list[Figures]:
    """Return what the question may measure; `spare` are places of columns that are something else."""
    explicit = draft.places(Kind.MEASURE)
    bare = [p for p in draft.places(Kind.COLUMN) if p not in spare and draft.column_at(p).numeric]
    functions = draft.places(Kind.FUNCTION)
    counts = draft.places(Kind.COUNT)
    if explicit:
        return [*_explicit(draft, explicit, bare)]
    if functions:
        return [*_applied(draft, functions, bare)]
    if counts:
        rows = Figures(measures=(Measure(),), used=frozenset(counts), features=(("count.bare", 1.0),))
        return [rows, *_counted_apart(draft, counts, spare)]
    return [*_defaults(draft, bare), Figures(measures=(Measure(),), features=(("count.default", 1.0),))]


def applied(function: Effect, column: TableColumn) -> Measure:
    """Return a function whose column stands elsewhere."""
    return Measure(function=function.name, column=column.name, parameter=function.parameter)


def _explicit(draft: Draft, places: Sequence[int], bare: Sequence[int]) -> Iterator[Figures]:
    effects = [draft.effects[place] for place in places]
    kept = tuple(effect.measure for effect in effects if effect.measure is not None)
    focus = tuple(effect.column for effect in effects if effect.column >= 0)
    column = next((measure.column for measure in kept if measure.column is not None), None)
    also = draft.places(Kind.FUNCTION) if column is not None else []
    more = tuple(
        Measure(function=effect.name, column=column, parameter=effect.parameter)
        for effect in (draft.effects[place] for place in also)
    )
    yield Figures(
        measures=tuple(dict.fromkeys((*more, *kept)))[:_MOST_MEASURES],
        used=frozenset((*places, *also)),
        focus=focus,
        features=(("measures.functions", float(len(more))), ("measures.ends", float(_are_ends(more, kept)))),
    )
    last = kept[-1]
    said = {measure.column for measure in kept}
    bare = [place for place in bare if draft.column_at(place).name not in said]
    if bare and last.column is not None:
        columns = [draft.column_at(place) for place in bare]
        same = (
            Measure(function=last.function, column=column.name, parameter=last.parameter)
            for column in columns
        )
        yield Figures(
            measures=(*kept, *same)[:_MOST_MEASURES],
            used=frozenset((*places, *bare)),
            focus=(*focus, *(column.place for column in columns)),
            features=(("measures.inherited", 1.0),),
        )


def _are_ends(more: Sequence[Measure], kept: Sequence[Measure]) -> bool:
    """Tell whether both ends of one column are asked for: `the earliest and latest order date`."""
    return len(kept) == len(more) == 1 and {kept[0].function, more[0].function} == {"min", "max"}


def _applied(draft: Draft, functions: Sequence[int], bare: Sequence[int]) -> Iterator[Figures]:
    """Apply functions to columns that stand elsewhere, or to the likeliest one."""
    effects = [draft.effects[place] for place in functions]
    used, names = frozenset(functions), {effect.name for effect in effects}
    if "mode" in names:
        bare = [*bare, *(place for place in draft.places(Kind.COLUMN) if place not in bare)]
    for place in bare[:2]:
        column = draft.column_at(place)
        measures = tuple(applied(effect, column) for effect in effects)
        features = (("function.far", 1.0),)
        yield Figures(measures=measures, used=used | {place}, focus=(column.place,), features=features)
    if bare:
        return
    if "sum" in names:
        yield Figures(measures=(Measure(),), used=used, features=(("count.total", 1.0),))
    for column, told in draft.likeliest():
        measures = tuple(applied(effect, column) for effect in effects)
        yield Figures(
            measures=measures,
            used=used,
            focus=(column.place,),
            features=(("default.measure", 1.0), *told),
        )


def _counted_apart(draft: Draft, counts: Sequence[int], spare: frozenset[int]) -> Iterator[Figures]:
    """Count the different values of a column that stands apart from `how many`."""
    distinct = draft.places(Kind.DISTINCT)
    for place in draft.places(Kind.COLUMN):
        if place in spare:
            continue
        column, used = draft.column_at(place), frozenset((*counts, place))
        yield Figures(
            measures=(Measure(function="count_distinct", column=column.name),),
            used=used.union(distinct),
            features=(("count.apart", 1.0), ("count.explicit", float(bool(distinct)))),
        )
        if column.numeric:
            yield Figures(
                measures=(Measure(function="sum", column=column.name),),
                used=used,
                focus=(column.place,),
                features=(("count.summed_apart", 1.0), ("sum.nonadditive", float(not column.additive))),
            )


def _defaults(draft: Draft, bare: Sequence[int]) -> Iterator[Figures]:
    """Read columns without a function: their sum, where a sum says something, or their mean."""
    bare = [place for place in bare if draft.column_at(place).measure]
    columns = list({draft.column_at(place).place: draft.column_at(place) for place in bare}.values())
    degree = float(any(draft.effects[place].name == "degree" for place in bare))
    for function in ("sum", "mean") if columns else ():
        measures = (Measure(function=function, column=column.name) for column in columns[:_MOST_MEASURES])
        yield Figures(
            measures=tuple(measures),
            used=frozenset(bare),
            focus=tuple(column.place for column in columns),
            features=(*(default(column, function) for column in columns), (f"degree.{function}", degree)),
        )


def default(column: TableColumn, function: str) -> tuple[str, float]:
    """Return the feature of a function that no word says."""
    kind = "name" if not column.measure else "additive" if column.additive else "nonadditive"
    return f"default.{function}.{kind}", 1.0


def value_intents(draft: Draft) -> Iterator[Built]:
    """Measures over the rows in scope."""
    if draft.places(Kind.KEY, Kind.SUPER):
        return
    listed = any((effect.count or 1) > 1 for effect in draft.each(Kind.CELLS))
    for figure in figures(draft):
        # How many rows there are in each row is not what anybody asks.
        each = () if figure.measures[0] == Measure() else ("per_row", "record_of")
        used = draft.idle("exist", "table", "all", *each)
        told = (
            (f"list.{figure.measures[0].function}", float(listed)),
            ("value.counted_each", draft.counts_each),
        )
        for scope in draft.scopes(figure.focus):
            measures = _per_row(draft, figure.measures)
            yield draft.built(
                "value", Output.VALUE, scope, figure=figure, used=used, features=told, measures=measures
            )


def _per_row(draft: Draft, measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Read a sum for each row as the mean over them."""
    if draft.marks.keys().isdisjoint({"per_row", "record_of"}):
        return measures
    return tuple(
        Measure(function="mean", column=measure.column) if measure.function == "sum" else measure
        for measure in measures
    )


def group_count_intents(draft: Draft) -> Iterator[Built]:
    """How many groups meet a condition on each: how many customers have more than five orders."""
    if draft.places(Kind.KEY, Kind.SUPER):
        return
    used = draft.idle("exist", "table")
    for figure in figures(draft):
        first = figure.measures[0]
        if first.function != "count_distinct" or first.column is None:
            continue
        for scope in draft.scopes(measure=Measure()):
            if scope.having:
                yield draft.built(
                    "group_count",
                    Output.VALUE,
                    scope,
                    figure=figure,
                    used=used,
                    measures=(Measure(),),
                    keys=(Key(column=first.column),),
                    having=scope.having,
                )


def ratio_intents(draft: Draft) -> Iterator[Built]:
    """Read a total for each of the different values of a column, or for each month: the average number of orders per customer."""
    if draft.places(Kind.SUPER):
        return
    means = [place for place in draft.places(Kind.FUNCTION) if draft.effects[place].name == "mean"]
    for place in draft.places(Kind.KEY):
        keys = draft.effects[place].keys
        per = _divisor(draft, keys[0]) if len(keys) == 1 else None
        if per is None:
            continue
        for figure in (*figures(draft), *_counted_rows(draft, means)):
            first = figure.measures[0]
            if first.function not in {"count", "sum", "mean"} or (
                first.column is None and first.function != "count"
            ):
                continue
            mean = first.function == "mean"
            if keys[0].unit is not None and not (mean or means):
                continue
            features = (
                ("ratio.mean", float(mean or bool(means))),
                ("ratio.unit", float(keys[0].unit is not None)),
                (f"ratio.of_{'count' if first.column is None else 'sum'}", 1.0),
            )
            measures = (replace(per, function="sum" if mean else first.function, column=first.column),)
            for scope in draft.scopes(figure.focus):
                yield draft.built(
                    "ratio",
                    Output.VALUE,
                    scope,
                    figure=figure,
                    used=(place, *means),
                    features=features,
                    measures=measures,
                )


def _divisor(draft: Draft, key: Key) -> Measure | None:
    """Return what a total is divided by, as a measure without its function."""
    if key.unit is not None:
        return Measure(per_unit=key.unit) if key.column is None and key.unit in _CALENDAR else None
    if key.column is None or draft.vocabulary.by_name[key.column].measure:
        return None
    return Measure(per=key.column)


def _counted_rows(draft: Draft, means: Sequence[int]) -> Iterator[Figures]:
    """Yield the number of rows where the mean of them is asked for: the average orders per month."""
    if means and draft.rows:
        yield Figures(measures=(Measure(),), used=frozenset(means), features=(("ratio.rows", 1.0),))


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
