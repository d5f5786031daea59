"""Days that are said without a year, and parts of the calendar that the data hold but once."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.nodes import Node, Period, match_at, replaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene

_LONGEST_MONTH: Final = 31
_RANKED: Final = ("top.", "super.", "rel.", "cmp.", "agg.", "count", "month.", "sort")
"""Words behind which a number counts something else than days of the month that follows."""
_JOINING: Final = ("in", "to", "until", "and", "comma", "sign.dash")
_RANGE: Final = "since|from|between|in? low=num to|until|and|sign.dash high=num month=month. year=num?"
_DAY: Final = "day=num month=month."
_TURNED: Final = "month=month. day=num"


def read_days(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Exchange `5 марта` and `с 1 по 15 марта` for those days of every year, or of the year that is named."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at(_RANGE, row, position)
        period = _range(match) if match is not None else None
        if period is None:
            match = match_at(_DAY, row, position) or _turned(row, position)
            ranked = position > 0 and row[position - 1].has(*_RANKED)
            dated = match is not None and not ranked and not _followed_by_year(row, match.end)
            period = _day(match) if match is not None and dated else None
        if match is not None and period is not None:
            row = replaced(row, match, Node(period=period))
        position += 1
    return row


def _turned(row: Sequence[Node], position: int) -> Match | None:
    """Match `March 5` where no noun follows that there may be five of."""
    match = match_at(_TURNED, row, position)
    closed = match is not None and (match.end == len(row) or row[match.end].has(*_JOINING))
    return match if closed else None


def _followed_by_year(row: Sequence[Node], position: int) -> bool:
    match = match_at("comma? year=num", row, position)
    return match is not None and len(match["year"].text) == 4  # noqa: PLR2004 - four digits make a year


def _range(match: Match) -> Period | None:
    low, high, month = _number(match["low"]), _number(match["high"]), _month(match["month"])
    if low is None or high is None or month is None or low >= high:
        return None
    text = f"{low}–{high} {match['month'].text.casefold()}"
    said = match.get("year")
    if said is None:
        recurring = f"month({{t}}) == {month} and {low} <= day({{t}}) and day({{t}}) <= {high}"
        return Period(text=text, recurring=recurring, level="day")
    year = said.sense.number if said.sense is not None else None
    if year is None or len(said.text) != 4:  # noqa: PLR2004 - four digits make a year
        return None
    first, last = _date(int(year), month, low), _date(int(year), month, high)
    return Period(text=f"{first} to {last}", start=first, end=last) if first and last else None


def _day(match: Match) -> Period | None:
    day, month = _number(match["day"]), _month(match["month"])
    if day is None or month is None:
        return None
    return Period(
        text=f"{day} {match['month'].text.casefold()}",
        recurring=f"month({{t}}) == {month} and day({{t}}) == {day}",
        level="day",
    )


def _number(node: Node) -> int | None:
    number = node.sense.number if node.sense is not None and not node.sense.percent else None
    whole = number is not None and number.is_integer() and 1 <= number <= _LONGEST_MONTH
    return int(number) if number is not None and whole else None


def _month(node: Node) -> int | None:
    found = node.sense.family("month.") if node.sense is not None else None
    return int(found) if found is not None else None


def _date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def pinned(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Give a month, a quarter or a day its year, where the dates of the table hold it in one year only."""
    said = [node.period for node in nodes if node.period is not None]
    if not any(period.recurring for period in said) or not all(period.recurring for period in said):
        # A year that is said besides is that of the month.
        return nodes
    extremes = [scene.table.extremes(column) for column in scene.table.columns if column.kind.is_temporal]
    days = [_as_day(end) for ends in extremes for end in ends if end is not None]
    known = [day for day in days if day is not None]
    if not known or scene.year_column is not None:
        return nodes
    low, high = min(known), max(known)
    return tuple(
        replace(node, period=_pinned(node.period, low, high)) if node.period is not None else node
        for node in nodes
    )


def _as_day(value: object) -> dt.date | None:
    return value.date() if isinstance(value, dt.datetime) else value if isinstance(value, dt.date) else None


def _pinned(period: Period, low: dt.date, high: dt.date) -> Period:
    if not period.recurring or period.level not in {"month", "quarter", "day"}:
        return period
    spans = [(year, _span(period, year)) for year in range(low.year, high.year + 1)]
    held = [(year, span) for year, span in spans if span is not None and span[0] <= high and low <= span[1]]
    if len(held) != 1 or low.year + 1 < high.year:
        return period
    _, (start, end) = held[0]
    return replace(period, recurring=None, start=start, end=end, text=_text(period, start, end))


def _span(period: Period, year: int) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day of a part of the calendar in one year."""
    figures = [int(word) for word in (period.recurring or "").split() if word.isdigit()]
    if period.level == "day":
        month, low, high = figures[0], figures[1], figures[-1]
        first, last = _date(year, month, low), _date(year, month, high)
        return (first, last) if first is not None and last is not None else None
    if len(figures) != 1:
        return None
    months = (figures[0], figures[0]) if period.level == "month" else (figures[0] * 3 - 2, figures[0] * 3)
    last_day = calendar.monthrange(year, months[1])[1]
    return dt.date(year, months[0], 1), dt.date(year, months[1], last_day)


def _text(period: Period, start: dt.date, end: dt.date) -> str:
    if period.level == "month":
        return f"{start:%Y-%m}"
    if period.level == "quarter":
        return f"{start.year}-Q{(start.month + 2) // 3}"
    return start.isoformat() if start == end else f"{start} to {end}"
