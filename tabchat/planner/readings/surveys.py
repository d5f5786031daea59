"""Drafts → intents about the table as such: its columns, values, first rows, missing cells, repeats, spread; series and changes over time; whether it has rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import AnyOf, Condition, Having, Key, Measure, Operator, Order, Output
from tabchat.planner.links.link import told
from tabchat.planner.readings.draft import SIZES
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import ADDED, Figures, compared, figures, time_key
from tabchat.planner.readings.groups import DRAWN, TIMELY, picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Features, Scope

_OUTPUTS: Final = {
    "missing": Output.MISSING,
    "unusual": Output.ODDITIES,
    "outlier": Output.OUTLIERS,
    "stats": Output.PROFILE,
    **dict.fromkeys(("dup", "dup.more"), Output.DUPLICATES),
    **dict.fromkeys(("distribution", "chart.hist", "bins"), Output.DISTRIBUTION),
    **dict.fromkeys(("columns", "types", "schema"), Output.SCHEMA),
    **dict.fromkeys(("head", "tail"), Output.HEAD),
}
_COUNTABLE: Final = frozenset({Output.SCHEMA, Output.DUPLICATES, Output.OUTLIERS})
_IDLE: Final = (
    *("exist", "table", "all", "values", "columns", "types", "schema", "dup", "dup.more", "stats", "bins"),
    *("chart", "chart.hist"),
)
_TURNED: Final = frozenset({"grow", "growth", "shrink", "change.any", "change.up", "change.down"})
"""Words for what becomes more or less."""
_CALENDAR: Final = ("year", "quarter", "month", "week", "day")
_IMPLIED: Final = {"yoy": "year", "mom": "month", "qoq": "quarter"}
_GROWING: Final = ("growth", "grow", "shrink", *_IMPLIED, "change.any")
_HEAD: Final = 5
_WEEK: Final = 7


def survey_intents(draft: Draft) -> Iterator[Built]:
    """Read an output that a word of the question names by itself."""
    for name in draft.marks:
        # `head 3` says how many, and of nothing else that it is 3.
        counted = frozenset(_numbers(draft) if _OUTPUTS.get(name) is Output.HEAD else ())
        for scope in draft.scopes(without=counted) if name in _OUTPUTS else ():
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
    if name == "schema" and names and all(draft.vocabulary.by_name[column].numeric for column in names):
        output = Output.PROFILE
    if name == "chart.hist":
        fields["chart"] = "hist"
    gaps = [column for column in draft.vocabulary.columns if draft.vocabulary.lacks(column)]
    rows = {place for place in draft.places(Kind.MEASURE) if draft.effects[place].measure == Measure()}
    rows.update(draft.places(Kind.ROWS) if draft.opener == "howmany" else ())
    if output is Output.MISSING and not names and gaps and rows:
        # How many rows, not how many cells of each column.
        missing = tuple(Condition(column=column.name, operator=Operator.MISSING) for column in gaps)
        clause = AnyOf(conditions=missing) if len(missing) > 1 else missing[0]
        scope, output = replace(scope, clauses=(*scope.clauses, clause)), Output.VALUE
        used |= rows
        fields = {"measures": (Measure(),)}
    if output is Output.HEAD:
        numbers = _numbers(draft)
        limit = next((int(draft.effects[other].values[0]) for other in numbers), _HEAD)
        fields |= {"orders": (Order(descending=name == "tail"),), "limit": limit}
        used.update(numbers)
    counted = bool(draft.places(Kind.COUNT)) or draft.opener == "howmany"
    if name == "dup.more" and names:
        # Texts that stand in several rows, or how many they are, rather than the rows.
        having = (Having(measure=Measure(), operator=Operator.GT, values=(1.0,)),)
        keys = tuple(Key(column=column) for column in names)
        repeated: Mapping[str, Any] = {"measures": (Measure(),), "keys": keys, "having": having}
        features = (("survey.repeated", 1.0),)
        found = Output.VALUE if counted else Output.GROUPS
        yield draft.built("survey", scope, None, used, features, output=found, **repeated)
    for measures in ((Measure(),), ()) if counted and output in _COUNTABLE else ((),):
        said = {
            f"survey.{output.value}": 1,
            "survey.columns": bool(names),
            "survey.counted": counted and bool(measures),
            "survey.uncounted": counted and not measures,
        }
        fields |= {"output": output} if output is Output.VALUE else {"output": output, "measures": measures}
        yield draft.built("survey", scope, None, used, told(said), **fields)


def _numbers(draft: Draft) -> list[int]:
    """Return the place of the first bare number, if there is one."""
    return [other for other in draft.places(Kind.BOUND) if draft.effects[other].values][:1]


def series_intents(draft: Draft) -> Iterator[Built]:
    """Read a measure over time: a trend, a chart, a moving mean, or whether it grows."""
    marks = draft.marks
    charts = [name for name in marks if name in DRAWN]
    moving = [name for name in ("moving", "rolling") if name in marks]
    asked = any(effect.name == "yesno" for effect in draft.each(Kind.ASK))
    turned = bool(_TURNED & marks.keys()) and (asked or "how" in marks)
    timely = turned or not TIMELY.isdisjoint(marks)
    if not (charts or timely or moving):
        return
    used = {*draft.places(Kind.KEY), *(marks[name] for name in (*charts, *moving))}
    used |= draft.idle("trend", "overtime", "table", "all", *(("how", *_TURNED) if timely else ()))
    used |= draft.idle("window") if moving else set()
    for figure in figures(draft):
        texts = [place for place in draft.places(Kind.COLUMN) if place not in figure.used]
        keys, features = _series_keys(draft, texts, timely=timely)
        window = _window(draft, figure, keys) if moving else {}
        for scope in draft.scopes(figure.focus) if keys and window is not None else ():
            # A line is drawn of one series; of several there are bars beside the figures.
            drawn = charts or (timely and len(keys) == 1)
            fields: dict[str, Any] = {"measures": figure.measures, "keys": keys}
            fields["chart"] = picture(draft, charts, keys) if drawn else None
            fields |= window or {}
            more = (*features, ("series.turned", float(turned)))
            yield draft.built("series", scope, figure, used.union(texts), more, **fields)


def _series_keys(draft: Draft, texts: list[int], *, timely: bool) -> tuple[tuple[Key, ...], Features]:
    keys = draft.keys
    features: Features = ()
    if "window" in draft.marks:
        # `3 month moving average by shop`
        keys = tuple(dict.fromkeys((*draft.effects[draft.marks["window"]].keys, *keys)))
    if not keys and texts:
        keys, features = (Key(column=draft.column_at(texts[0]).name),), (("series.bare_key", 1.0),)
    if not keys or (timely and not any(map(draft.vocabulary.is_timed, keys))):
        if not (draft.vocabulary.dates or draft.vocabulary.year_columns):
            return (), ()
        keys, features = (time_key(draft), *keys), (*features, ("series.default_key", 1.0))
    return keys, features


def _window(draft: Draft, figure: Figures, keys: Sequence[Key]) -> dict[str, Any] | None:
    """Return the fields of a moving mean of so many units, or of their sum where no mean is said; None for other figures."""
    function = figure.measures[0].function
    mean = "moving" in draft.marks or function == "mean"
    length = draft.effects[draft.marks["window"]].count if "window" in draft.marks else _WEEK
    lost = "window" not in draft.marks and any(effect.count for effect in draft.effects)
    if lost or not (mean or function in ADDED) or sum(map(draft.vocabulary.is_timed, keys)) > 1:
        return None
    return {"output": Output.CHANGE, "window": length, "change": None if mean else "total"}


def change_intents(draft: Draft) -> Iterator[Built]:
    """Read a measure by calendar units, each with its change since the one before (or a year before)."""
    said = [name for name in (*_GROWING, "running") if name in draft.marks]
    units = [key for key in (_dated(draft, key) for key in draft.keys) if key.unit in _CALENDAR]
    units += [Key(unit=_IMPLIED[name]) for name in said if name in _IMPLIED]
    if "running" in said and not units and draft.vocabulary.dates:
        units = [time_key(draft)]
    if not said or not units:
        return
    running = "running" in said
    others = [key for key in draft.keys if _dated(draft, key).unit not in _CALENDAR]
    finest = max(units, key=lambda key: _CALENDAR.index(key.unit or "year"))
    # `by how much`, `how did it change` ask for a difference, `month over month` alone for a part.
    differs = draft.has("byhowmuch", "change.any")
    percent = draft.has("growth", "bypercent") or (draft.has(*_IMPLIED) and not differs)
    used = {*draft.places(Kind.KEY), *(draft.marks[name] for name in said)}
    used |= draft.idle("bypercent", "byhowmuch", "trend", *_IMPLIED)
    yearly = "yoy" in said and finest.unit != "year"
    fields: dict[str, Any] = {
        "keys": (finest, *others),
        "against": None if running else "year" if yearly else "previous",
        "change": "total" if running else "percent" if percent else "difference",
    }
    ranked = frozenset() if running else _ranked_changes(draft, min(draft.marks[name] for name in said))
    for place in ranked:
        # `the biggest drop` is the lowest change.
        least = draft.effects[place].name == "min" or not draft.effects[place].descending
        falls = any(not draft.effects[draft.marks[name]].descending for name in said)
        if least and falls:
            return
        fields |= {"orders": (Order(descending=not (least or falls)),), "limit": 1, "with_ties": True}
    found = compared(draft, ranked)
    told = [one for one in found if not running or one.measures[0].function in ADDED]
    for figure, scope in draft.scoped(told):
        yield draft.built("change", scope, figure, used | ranked, measures=figure.measures[:1], **fields)


def _ranked_changes(draft: Draft, end: int) -> frozenset[int]:
    """Return the place before `end` of a superlative of the change itself: `the highest growth of revenue`."""
    places = [
        place
        for place in draft.places(Kind.SUPER, Kind.FUNCTION)
        if place < end and (draft.effects[place].name in {*SIZES, "max", "min"})
    ]
    return frozenset(places[:1])


def _dated(draft: Draft, key: Key) -> Key:
    """Return the calendar unit that the texts of a key name: growth by `Month`, whose cells are `Mar 2024`."""
    column = draft.vocabulary.by_name.get(key.column or "")
    return Key(unit=column.facts.span) if column is not None and column.facts.span is not None else key


def value_list_intents(draft: Draft) -> Iterator[Built]:
    """Read the different values of a column."""
    columns = draft.places(Kind.COLUMN)
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE, Kind.FUNCTION) or len(columns) not in {1, 2}:
        return
    first, distinct = draft.column_at(columns[0]), draft.places(Kind.DISTINCT)
    said = ("values", "exist", "all", "also")
    used = {*columns, *distinct, *draft.idle(*said, "table")}
    for scope in draft.scopes():
        features = {
            "values.distinct": bool(distinct),
            "values.said": draft.has(*said),
            "values.numeric": first.measure,
            "values.unique": first.kept_unique,
            "values.scoped": bool(scope.clauses or scope.periods),
        }
        yield draft.built("values", scope, None, used, told(features), columns=draft.names(columns))


def exists_intents(draft: Draft) -> Iterator[Built]:
    """Whether there are rows in scope."""
    if draft.opener != "yesno" and "exist" not in draft.marks:
        return
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE, Kind.FUNCTION, Kind.COUNT):
        return
    for scope in draft.scopes([effect.column for effect in draft.each(Kind.COLUMN)]):
        if scope.clauses or scope.periods:
            yield draft.built("exists", scope, None, draft.idle("exist", "table"))
