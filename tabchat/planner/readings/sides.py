"""What a question sets against one another: cells, what is so and what is not, times, parts of the calendar."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tabchat.planner.intent import MONTH_DAY, Condition, Operator, Side
from tabchat.planner.readings.bounds import denied
from tabchat.planner.readings.effect import Kind
from tabchat.planner.words.calendar import calendar_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.intent import Period, Scalar
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.readings.draft import Draft
    from tabchat.planner.readings.effect import Features

    Sides = tuple[tuple[Side, ...], Sequence[int], Features]

_T = TypeVar("_T")
COMPARED: Final = {
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
"""Words that compare → what of two sides is told."""
_MOST_SIDES: Final = 6
_QUARTER_DAYS: Final = 92
_YEAR_DAYS: Final = 365
_TURNS: Final = {"month": 12, "quarter": 4}
"""Part of the calendar → after how many it comes again."""
_TWO: Final = 2


def comparison_said(draft: Draft) -> str | None:
    """Return how the question says that sides are compared."""
    said = (kind for name, kind in COMPARED.items() if name in draft.marks)
    return next((kind for kind in said if kind is not None), None)


def sides_of(draft: Draft) -> Iterator[Sides]:
    """Yield sides, the places of the effects that name them, and the features of that."""
    paired = _paired_sides(draft)
    if paired is not None:
        yield paired
        return
    by_column: dict[int, list[int]] = {}
    for place in draft.places(Kind.CELLS):
        by_column.setdefault(draft.effects[place].column, []).append(place)
    for column, places in by_column.items():
        effects = [draft.effects[place] for place in places]
        texts = list(dict.fromkeys(text for effect in effects for text in effect.texts))
        if len(texts) == sum(effect.count or 1 for effect in effects) and _TWO <= len(texts) <= _MOST_SIDES:
            name = draft.vocabulary.columns[column].name
            texts = texts[::-1] if _is_base_behind(draft, "than", "more", "fewer") else texts
            yield tuple(_side(text, name, text) for text in texts), places, (("sides.cells", 1.0),)
    timed = draft.places(Kind.PERIOD)
    periods = [period for place in timed for period in draft.effects[place].periods]
    if len(periods) == _TWO and periods[0] == periods[1] and periods[0].ago is not None:
        # `last month vs the month before`
        periods[1] = replace(periods[1], ago=periods[0].ago + 1)
    # `відношення 2024 до 2023` is no ratio to all until 2023.
    opened = comparison_said(draft) == "ratio" and any(one.start is None is not one.end for one in periods)
    if len({*periods}) == _TWO == len(periods) and not opened:
        sides = tuple(
            Side(label=_label(period), period=period) for period in _ordered(draft, periods, _began)
        )
        yield sides, timed, (("sides.periods", 1.0),)
    yield from _equal_sides(draft)
    yield from _opposite_sides(draft)


def _opposite_sides(draft: Draft) -> Iterator[Sides]:
    """Yield what is so and what is not: `open and non-open orders`, `insured and uninsured`."""
    said = [(place, draft.effects[place].clauses) for place in draft.places(Kind.CELLS, Kind.CLAUSE)]
    for (one, (first, *more)), (other, (second, *others)) in pairwise(said):
        if more or others or not isinstance(second, Condition) or not isinstance(first, Condition):
            continue
        flags = {first.values, second.values} == {(True,), (False,)} and first.column == second.column
        if first == denied(second) or (flags and first.operator is second.operator is Operator.EQ):
            name = (
                first.column
                if draft.vocabulary.by_name[first.column].flag
                else ", ".join(map(str, first.values))
            )
            sides = Side(label=name, clauses=(first,)), Side(label=f"not {name}", clauses=(second,))
            yield sides, (one, other), (("sides.cells", 1.0),)


def _paired_sides(draft: Draft) -> Sides | None:
    """Return cells that each have a time of their own: `Ann in 2023 and Bob in 2024`."""
    places = draft.places(Kind.CELLS, Kind.PERIOD)
    effects = [draft.effects[place] for place in places]
    pairs = list(zip(effects[::2], effects[1::2], strict=False))
    if len(effects) != _TWO * _TWO or any(one.kind is two.kind for one, two in pairs):
        return None
    ordered = [sorted(pair, key=lambda effect: effect.kind is Kind.PERIOD) for pair in pairs]
    sides = tuple(
        Side(
            label=f"{', '.join(cell.texts)} {_label(time.periods[0])}",
            clauses=cell.clauses,
            period=time.periods[0],
        )
        for cell, time in ordered
    )
    return sides, places, (("sides.cells", 1.0), ("sides.periods", 1.0))


def _side(label: str, column: str, value: Scalar, part: str | None = None) -> Side:
    clause = Condition(column=column, operator=Operator.EQ, values=(value,), part=part)
    return Side(label=label, clauses=(clause,))


def _equal_sides(draft: Draft) -> Iterator[Sides]:
    """Yield sides that are parts of the calendar, `in July compared with June`, or numbers of a column of years or of names."""
    columns = draft.vocabulary.by_name
    found: dict[tuple[str, str | None], list[tuple[int, Condition]]] = {}
    for place in draft.places(Kind.CLAUSE):
        for clause in draft.effects[place].clauses:
            if isinstance(clause, Condition) and clause.operator in {Operator.EQ, Operator.IN}:
                found.setdefault((clause.column, clause.part), []).append((place, clause))
    for (column, part), said in found.items():
        values = [value for _, clause in said for value in clause.values]
        if part is not None and len(said) == _TWO < len(values) == len({*values}):
            # `weekends and weekdays`
            several = (
                Side(
                    label=f"{part} {'-'.join(map(str, clause.values[:: len(clause.values) - 1 or 1]))}",
                    clauses=(clause,),
                )
                for _, clause in said
            )
            yield tuple(several), [place for place, _ in said], (("sides.parts", 1.0),)
        values = _ordered(draft, values, _in_turn(columns[column], part))
        if len(values) != _TWO or len({*values}) != _TWO:
            continue
        named = columns[column].numeric and not (columns[column].measure or columns[column].flag)
        if part is not None or named:
            sides = (_side(_part_label(part, one), column, one, part) for one in values)
            feature = "sides.parts" if part else "sides.years"
            yield tuple(sides), list(dict.fromkeys(place for place, _ in said)), ((feature, 1.0),)


def _in_turn(column: TableColumn, part: str | None) -> Callable[[Scalar], Any]:
    """Return the order of parts of the calendar in the data: of one winter, December comes before January."""
    first, length, low, high = 1, _TURNS.get(part or ""), column.facts.low, column.facts.high
    if length is None or not (isinstance(low, dt.date) and isinstance(high, dt.date)):
        return lambda value: str(value).zfill(4)
    if column.facts.exact and (high - low).days < _YEAR_DAYS:
        first = low.month if part == "month" else (low.month + 2) // 3
    return lambda value: (value - first) % length if isinstance(value, int) else 0


def _part_label(part: str | None, value: Scalar) -> str:
    """Return what a side that is a part of the calendar is called: `month 3`, `03-15`, 2024."""
    if part == MONTH_DAY and isinstance(value, int):
        month, day = divmod(value, 100)
        return f"{month:02}-{day:02}"
    return f"{part} {value}" if part else str(value)


def _is_base_behind(draft: Draft, *marks: str) -> bool:
    """Tell whether the first of two sides is told in percent of the second: `by what percent is A higher than B`."""
    return comparison_said(draft) == "percent" and draft.has(*marks)


def _ordered(draft: Draft, times: list[_T], began: Callable[[_T], Any]) -> list[_T]:
    """Return two times in the order of their comparison.

    The first is compared with the second as said, `by how much was January higher than July`, `the ratio of 2024 to
    2023`. Else the later one is, of which the earlier is taken away, or by which it is divided.
    """
    if _is_base_behind(draft, "than", "fewer"):
        return times[::-1]
    kind = comparison_said(draft)
    if (kind == "difference" and "than" in draft.marks) or (kind == "ratio" and draft.has("than", "ratio")):
        return times
    return sorted(times, key=began, reverse=kind in {"difference", "ratio"})


def _began(period: Period) -> tuple[int, str]:
    if period.start is not None:
        return 0, period.start.isoformat()
    return 1, f"{9999 - (period.ago or 0):05d}"


def _label(period: Period) -> str:
    """Return what a side that is a stretch of time is called: `last month`, `2024-03`, `2024-Q1`, its first and last day."""
    start, end, unit = period.start, period.end, period.unit or "time"
    if start is None or end is None:
        near = {None: unit, 0: f"this {unit}", 1: f"last {unit}"}
        return near.get(period.ago, f"{period.ago} {unit}s ago")
    if unit == "quarter" and (end - start).days < _QUARTER_DAYS:
        return f"{start.year}-Q{(start.month + 2) // 3}"
    return calendar_name(start, end) or f"{start}..{end}"
