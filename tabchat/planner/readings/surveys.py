"""Drafts → intents about the table as such: its columns, first rows, missing cells, repeats, spread, and series."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from tabchat.planner.intent import Having, Key, Measure, Operator, Order, Output
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.readings.draft import Built, Draft, Scope
    from tabchat.planner.readings.effect import Features

_OUTPUTS = {
    "missing": Output.MISSING,
    "dup": Output.DUPLICATES,
    "dup.more": Output.DUPLICATES,
    "outlier": Output.OUTLIERS,
    "distribution": Output.DISTRIBUTION,
    "bins": Output.DISTRIBUTION,
    "columns": Output.SCHEMA,
    "types": Output.SCHEMA,
    "schema": Output.SCHEMA,
    "stats": Output.PROFILE,
    "head": Output.HEAD,
    "tail": Output.HEAD,
}
_COUNTABLE = frozenset({Output.SCHEMA, Output.DUPLICATES, Output.OUTLIERS})
_IDLE = ("exist", "table", "all", "values", "columns", "types", "schema", "dup", "dup.more", "stats", "bins")
_HEAD = 5
_WEEK = 7


def survey_intents(draft: Draft) -> Iterator[Built]:
    """Read an output that a word of the question names by itself."""
    for name in draft.marks:
        for scope in draft.scopes() if name in _OUTPUTS else ():
            yield from _survey(draft, name, scope)


def _survey(draft: Draft, name: str, scope: Scope) -> Iterator[Built]:
    output, names = _OUTPUTS[name], draft.names(draft.places(Kind.COLUMN))
    used = {draft.marks[name], *draft.places(Kind.COLUMN, Kind.COUNT, Kind.DISTINCT), *draft.idle(*_IDLE)}
    fields: dict[str, Any] = {"columns": names}
    if output is Output.DISTRIBUTION:
        if not names:
            return
        fields, names = {"keys": (Key(column=names[0]),)}, ()
    if output is Output.OUTLIERS and not names:
        names = tuple(column.name for column in draft.measures[:1])
        fields = {"columns": names}
    if output is Output.HEAD:
        numbers = [other for other in draft.places(Kind.BOUND) if draft.effects[other].values][:1]
        limit = next((int(draft.effects[other].values[0]) for other in numbers), _HEAD)
        fields |= {"orders": (Order(descending=name == "tail"),), "limit": limit}
        used.update(numbers)
    counted = bool(draft.places(Kind.COUNT)) or draft.opener == "howmany"
    if name == "dup.more" and names:
        # Texts that stand in several rows, rather than the rows.
        yield draft.built(
            "survey",
            Output.GROUPS,
            scope,
            used=used,
            features=(("survey.repeated", 1.0),),
            measures=(Measure(),),
            keys=tuple(Key(column=column) for column in names),
            having=(Having(measure=Measure(), operator=Operator.GT, values=(1.0,)),),
        )
    for measures in ((Measure(),), ()) if counted and output in _COUNTABLE else ((),):
        features: Features = (
            (f"survey.{output.value}", 1.0),
            ("survey.columns", float(bool(names))),
            ("survey.counted", float(counted and bool(measures))),
            ("survey.uncounted", float(counted and not measures)),
        )
        yield draft.built("survey", output, scope, used=used, features=features, measures=measures, **fields)


def series_intents(draft: Draft) -> Iterator[Built]:
    """Read a measure over time: a trend, a chart, a moving mean."""
    marks = draft.marks
    charts = [name for name in marks if name == "chart" or name.startswith("chart.")]
    moving = [name for name in ("moving", "rolling") if name in marks]
    drawn = charts or "trend" in marks
    if not (drawn or moving):
        return
    used = {*draft.places(Kind.KEY), *(marks[name] for name in (*charts, *moving))}
    used |= draft.idle("trend", "table", "all")
    output = Output.CHANGE if moving else Output.GROUPS
    for figure in figures(draft):
        texts = [place for place in draft.places(Kind.COLUMN) if place not in figure.used]
        keys, features = _series_keys(draft, texts)
        for scope in draft.scopes(figure.focus) if keys else ():
            dated = draft.vocabulary.by_name.get(keys[0].column or "") in draft.vocabulary.dates
            plain = "line" if keys[0].unit is not None or dated else "bar"
            chart = next((name.partition(".")[2] for name in charts if "." in name), plain)
            yield draft.built(
                "series",
                output,
                scope,
                figure=figure,
                used=used.union(texts),
                features=features,
                measures=figure.measures,
                keys=keys,
                chart=chart if drawn else None,
                window=_window(draft) if moving else None,
            )


def _series_keys(draft: Draft, texts: list[int]) -> tuple[tuple[Key, ...], Features]:
    if draft.keys:
        return draft.keys, ()
    if texts:
        return (Key(column=draft.column_at(texts[0]).name),), (("series.bare_key", 1.0),)
    if draft.vocabulary.dates or draft.vocabulary.year_columns:
        return (_time_key(draft),), (("series.default_key", 1.0),)
    return (), ()


def _window(draft: Draft) -> int:
    counts = [effect.values for effect in draft.each(Kind.BOUND)]
    return int(counts[0][0]) if counts and counts[0] else _WEEK


def _time_key(draft: Draft) -> Key:
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
