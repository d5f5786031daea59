"""Drafts → intents about what a measure does over time: series, moving figures, changes since the unit before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import Key, Order, Output
from tabchat.planner.readings.draft import SIZES
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import ADDED, Figures, compared, figures, time_key
from tabchat.planner.readings.groups import DRAWN, TIMELY, picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Features

_TURNED: Final = frozenset({"grow", "growth", "shrink", "change.any", "change.up", "change.down"})
"""Words for what becomes more or less."""
_CALENDAR: Final = ("year", "quarter", "month", "week", "day")
_IMPLIED: Final = {"yoy": "year", "mom": "month", "qoq": "quarter"}
_GROWING: Final = ("growth", "grow", "shrink", *_IMPLIED, "change.any")
_WEEK: Final = 7


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
