"""Drafts → intents that set things against one another: sides, changes over time, parts of a whole, correlation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Key, Measure, Operator, Order, Output, Side
from tabchat.planner.readings.draft import Figures
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import default, figures, time_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Clause, Period, Scalar
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Features

    Sides = tuple[tuple[Side, ...], Sequence[int], Features]

_COMPARED: Final = {
    "diff": "difference",
    "byhowmuch": "difference",
    "bypercent": "percent",
    "bytimes": "ratio",
    "ratio": "ratio",
    "growth": "percent",
    "grow": "difference",
    "shrink": "difference",
    "compare": None,
    "than": None,
    "more": "difference",
    "change.any": "difference",
}
_HOW_FAR: Final = frozenset({"byhowmuch", "bypercent", "bytimes"})
"""Words that ask how far sides differ, not which is more."""
_CALENDAR: Final = ("year", "quarter", "month", "week", "day")
_IMPLIED: Final = {"yoy": "year", "mom": "month", "qoq": "quarter"}
_GROWING: Final = ("growth", "grow", "shrink", *_IMPLIED, "change.any")
_MOST_SIDES: Final = 6
_TWO: Final = 2


def _comparison(draft: Draft) -> str | None:
    """Return how the question says that sides are compared."""
    said = (kind for name, kind in _COMPARED.items() if name in draft.marks)
    return next((kind for kind in said if kind is not None), None)


def comparison_intents(draft: Draft) -> Iterator[Built]:
    """Two or more sides of one measure: cells of one column, or periods."""
    ranked = draft.places(Kind.SUPER)
    either = {"more", "fewer"} & draft.marks.keys()
    marks = [name for name in (*_COMPARED, *either) if name in draft.marks]
    kind, asked = _comparison(draft), draft.opener in {"which", "who", "where", "yesno", "none"}
    if ranked or (kind is None and draft.opener in {"which", "who", "where"}):
        kind = "which"
    elif either and asked and draft.marks.keys().isdisjoint(_HOW_FAR):
        # `who won more, A or B`, `were there more in A or in B`.
        kind = "which"
    descending = draft.effects[ranked[0]].descending if ranked else "fewer" not in draft.marks
    for sides, used, features in _sides(draft):
        without = frozenset(used)
        by = [place for place in draft.places(Kind.ORDER, Kind.MARK) if place not in without]
        explicit = marks or ranked or any(draft.effects[place].name == "versus" for place in used)
        for figure in (*_ordered_figures(draft, by), *figures(draft, spare=without)):
            if len(figure.measures) > 1:
                # One measure is compared; two of each side are groups.
                continue
            for scope in draft.scopes(figure.focus, without=without):
                yield draft.built(
                    "comparison",
                    Output.COMPARISON,
                    scope,
                    figure=figure,
                    used={*used, *ranked[:1], *(draft.marks[name] for name in marks)},
                    features=(
                        *features,
                        ("sides.unmarked", float(not explicit)),
                        ("sides.counted_each", draft.counts_each),
                        (f"sides.{kind}", 1.0),
                    ),
                    measures=figure.measures,
                    sides=sides,
                    comparison=kind,
                    orders=(Order(descending=descending),) if kind == "which" else (),
                )


def _ordered_figures(draft: Draft, places: Sequence[int]) -> Iterator[Figures]:
    """Yield what sides are said to be compared by: `compare Berlin and Paris by revenue`, `is Berlin dearer than Paris`."""
    for place in places:
        effect = draft.effects[place]
        if effect.column < 0 or effect.measure is not None or not draft.column(effect).measure:
            continue
        column = draft.column(effect)
        for function in ("sum", "mean") if effect.kind is Kind.ORDER else ("mean",):
            yield Figures(
                measures=(Measure(function=function, column=column.name),),
                used=frozenset({place}),
                focus=(column.place,),
                features=(("sides.by", 1.0), default(column, function)),
            )


def _sides(draft: Draft) -> Iterator[Sides]:
    """Yield sides, the places of the effects that name them, and the features of that."""
    by_column: dict[int, list[int]] = {}
    for place in draft.places(Kind.CELLS):
        by_column.setdefault(draft.effects[place].column, []).append(place)
    for column, places in by_column.items():
        effects = [draft.effects[place] for place in places]
        texts = list(dict.fromkeys(text for effect in effects for text in effect.texts))
        if len(texts) == sum(effect.count or 1 for effect in effects) and _TWO <= len(texts) <= _MOST_SIDES:
            name = draft.vocabulary.columns[column].name
            yield tuple(_side(text, name, text) for text in texts), places, (("sides.cells", 1.0),)
    places = draft.places(Kind.PERIOD)
    periods = [period for place in places for period in draft.effects[place].periods]
    if len(periods) == _TWO:
        ordered = sorted(periods, key=_began, reverse=_is_difference(draft))
        sides = tuple(Side(label=_label(period), period=period) for period in ordered)
        yield sides, places, (("sides.periods", 1.0),)
    yield from _equal_sides(draft, "sides.parts")
    yield from _equal_sides(draft, "sides.years")


def _side(label: str, column: str, value: Scalar, part: str | None = None) -> Side:
    clause = Condition(column=column, operator=Operator.EQ, values=(value,), part=part)
    return Side(label=label, clauses=(clause,))


def _equal_sides(draft: Draft, kind: str) -> Iterator[Sides]:
    """Yield sides that are parts of the calendar, `in July compared with June`, or years of a column of years."""
    found = [
        (place, clause)
        for place in draft.places(Kind.CLAUSE)
        for clause in draft.effects[place].clauses
        if isinstance(clause, Condition) and clause.operator in {Operator.EQ, Operator.IN}
        if (clause.part is not None if kind == "sides.parts" else _is_of_years(draft, clause))
    ]
    values = [(clause.column, clause.part, value) for _, clause in found for value in clause.values]
    if len(values) != _TWO or values[0][:2] != values[1][:2] or values[0] == values[1]:
        return
    ordered = sorted(values, key=lambda item: str(item[2]).zfill(2), reverse=_is_difference(draft))
    sides = tuple(
        _side(f"{part} {value}" if part else str(value), column, value, part)
        for column, part, value in ordered
    )
    yield sides, list(dict.fromkeys(place for place, _ in found)), ((kind, 1.0),)


def _is_of_years(draft: Draft, clause: Condition) -> bool:
    return draft.vocabulary.by_name[clause.column].facts.years


def _is_difference(draft: Draft) -> bool:
    """Tell whether sides are subtracted: a later time minus an earlier one, whichever was named first."""
    return _comparison(draft) == "difference"


def _began(period: Period) -> tuple[int, str]:
    if period.start is not None:
        return 0, period.start.isoformat()
    return 1, f"{9999 - (period.ago or 0):05d}"


def _label(period: Period) -> str:
    if period.start is None or period.end is None:
        return f"{period.unit or 'time'} {period.ago if period.ago is not None else ''}".strip()
    if period.unit == "year":
        return str(period.start.year)
    return f"{period.start:%Y-%m}" if period.unit == "month" else f"{period.start}..{period.end}"


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
    finest = max(units, key=lambda key: _CALENDAR.index(key.unit or "year"))
    percent = not draft.marks.keys().isdisjoint({"growth", "bypercent", *_IMPLIED})
    used = {*draft.places(Kind.KEY), *(draft.marks[name] for name in said)}
    for figure in figures(draft):
        for scope in draft.scopes(figure.focus):
            yield draft.built(
                "change",
                Output.CHANGE,
                scope,
                figure=figure,
                used=used | draft.idle("bypercent", "trend", *_IMPLIED),
                measures=figure.measures[:1],
                keys=(finest,),
                against=None
                if running
                else "year"
                if "yoy" in said and finest.unit != "year"
                else "previous",
                change="total" if running else "percent" if percent else "difference",
            )


def _dated(draft: Draft, key: Key) -> Key:
    """Return the calendar unit that the texts of a key name: growth by `Month`, whose cells are `Mar 2024`."""
    column = draft.vocabulary.by_name.get(key.column or "")
    return Key(unit=column.facts.span) if column is not None and column.facts.span is not None else key


def share_intents(draft: Draft) -> Iterator[Built]:
    """Read what part of a whole the rows that are named make: in rows, or in a measure."""
    place = draft.marks.get("share", draft.marks.get("rate"))
    if place is None or draft.places(Kind.KEY):
        return
    for figure in figures(draft):
        for places, part in _parts(draft):
            first = figure.measures[0]
            measure = Measure(function=first.function, column=first.column, part=part)
            for scope in draft.scopes(figure.focus, without=frozenset(places)):
                yield draft.built(
                    "share",
                    Output.VALUE,
                    scope,
                    figure=figure,
                    used={place, *places, *draft.idle("table", "all")},
                    features=(("share.rest", float(bool(scope.clauses))),),
                    measures=(measure,),
                )
    yield from _bounded_shares(draft, place)


def _bounded_shares(draft: Draft, place: int) -> Iterator[Built]:
    """Read the part that a comparison makes of all rows, or of those that the other conditions leave."""
    bounds, columns = frozenset(draft.places(Kind.BOUND)), draft.places(Kind.COLUMN)
    if not bounds:
        return
    whole = len(draft.scopes(without=bounds)[0].clauses)
    for scope in draft.scopes([draft.effects[other].column for other in columns]):
        for split in {0, whole}:
            if scope.clauses[split:]:
                yield draft.built(
                    "share",
                    Output.VALUE,
                    replace(scope, clauses=scope.clauses[:split]),
                    used=(place, *columns),
                    features=(("share.rest", float(bool(split))),),
                    measures=(Measure(part=scope.clauses[split:]),),
                )


def share_group_intents(draft: Draft) -> Iterator[Built]:
    """Read what part of each group meets a condition: the cancellation rate by channel."""
    place = draft.marks.get("share", draft.marks.get("rate"))
    asked = [other for other in draft.places(Kind.COLUMN) if draft.effects[other].asked]
    keys = draft.keys or tuple(Key(column=draft.column_at(other).name) for other in asked)
    if place is None or not keys:
        return
    ranked = draft.places(Kind.SUPER)[:1]
    rank = draft.effects[ranked[0]] if ranked else None
    used = {place, *asked, *draft.places(Kind.KEY, Kind.COUNT), *ranked, *draft.idle("table", "all")}
    for places, part in _parts(draft):
        for scope in draft.scopes(without=frozenset(places)):
            yield draft.built(
                "share",
                Output.GROUPS,
                scope,
                used=used.union(places),
                features=(("share.grouped", 1.0),),
                measures=(Measure(part=part),),
                keys=keys,
                orders=(Order(descending=rank.descending),) if rank is not None else (),
                limit=(rank.count or 1) if rank is not None else None,
                with_ties=rank is not None and rank.count is None,
            )


def _parts(draft: Draft) -> Iterator[tuple[Sequence[int], tuple[Clause, ...]]]:
    """Yield which conditions make the part, as places and as clauses; the others are the whole."""
    places = draft.places(Kind.CELLS, Kind.CLAUSE)
    choices = [places, places[-1:], places[:1]] if len(places) > 1 else [places] if places else []
    for chosen in choices:
        yield chosen, tuple(clause for place in chosen for clause in draft.effects[place].clauses)


def correlation_intents(draft: Draft) -> Iterator[Built]:
    """Pearson's correlation of two columns of numbers."""
    place = draft.marks.get("corr")
    columns = [other for other in draft.places(Kind.COLUMN) if draft.column_at(other).numeric]
    names = draft.names(columns)
    if place is None or len(columns) != _TWO or len(names) != _TWO:
        return
    used = (place, *columns, *draft.places(Kind.KEY))
    for scope in draft.scopes():
        yield draft.built(
            "correlation", Output.CORRELATION, scope, used=used, rows=False, columns=names, keys=draft.keys
        )
