"""Times that are said in two parts: `June and July 2023`, `the last quarter of 2023`, `March of 2023`."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.nodes import Period

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.planner.nodes import Match

DAY: Final = dt.timedelta(days=1)


def month_of(year: int, month: int) -> Period:
    """Return a month of a year."""
    last = calendar.monthrange(year, month)[1]
    return Period(
        text=f"{year}-{month:02d}",
        start=dt.date(year, month, 1),
        end=dt.date(year, month, last),
        level="month",
    )


def quarter_of(year: int, quarter: int) -> Period:
    """Return a quarter of a year."""
    first = month_of(year, quarter * 3 - 2)
    last = month_of(year, quarter * 3)
    return Period(text=f"{year}-Q{quarter}", start=first.start, end=last.end, level="quarter")


_PARTS: Final[Mapping[str, Callable[[int, int], Period]]] = {"month": month_of, "quarter": quarter_of}


def either(match: Match) -> Period | None:
    """Read `2022 and 2023`, `June 2022 vs June 2023`."""
    first, second = match["a"].period, match["b"].period
    if first is None or second is None:
        return None
    versus = match["tie"].has("compare")
    if first.recurring and second.recurring and first.level == second.level in _PARTS:
        # Months of no said year, of which the data may have one each.
        text = f"{first.text}, {second.text}"
        return Period(text=text, level=first.level, ends=(first, second), versus=versus)
    if first.recurring and second.recurring and not versus:
        return _any_of(first, second)
    if first.start is None or second.start is None or first.end is None or second.end is None:
        return None
    if second.level == "year" and first.level in _PARTS and first.ends == second.ends == ():
        # `June 2023 and 2024` is that month of both years.
        months = 1 if first.level == "month" else 3
        second = _PARTS[first.level](second.start.year, (first.start.month - 1) // months + 1)
    return Period(text=f"{first.text}, {second.text}", level=first.level, ends=(first, second), versus=versus)


def _any_of(first: Period, second: Period) -> Period | None:
    """Read `January and March` without a year: either month of every year."""
    if first.level != second.level:
        return None
    parts = f"{first.recurring} or {second.recurring}"
    return Period(text=f"{first.text}, {second.text}", recurring=f"({parts})", level=first.level)


def longer(match: Match) -> Period | None:
    """Read the first of `January, February and March`, `2021, 2022 and 2024`, when the others are a list already."""
    first, rest = match["a"].period, match["b"].period
    if first is None or rest is None or first.level != rest.level or rest.versus:
        return None
    if rest.recurring and rest.recurring.startswith("("):
        return _any_of(first, rest) if first.recurring else None
    if not rest.ends or rest.start is not None or first.start is None or first.ends:
        return None
    return Period(text=f"{first.text}, {rest.text}", level=first.level, ends=(first, *rest.ends))


def open_ended(match: Match) -> Period | None:
    """Mark `since June` without a year."""
    period = match["a"].period
    yearless = period is not None and period.recurring is not None and period.level != "weekday"
    return replace(period, opened=True) if period is not None and yearless else None


def part_number(period: Period) -> int | None:
    """Return which month or quarter a part of every year is."""
    number = (period.recurring or "").rpartition(" ")[2]
    return int(number) if number.isdigit() else None


def listed_parts(match: Match) -> Period | None:
    """Read `June and July 2023` as two months of that year."""
    part, whole = match["a"].period, match["b"].period
    ends = (whole.ends if whole.start is None else (whole,)) if whole is not None else ()
    if part is None or whole is None or not part.recurring or not ends or part.level != whole.level:
        return None
    first = in_year(part, ends[0].start.year) if ends[0].start is not None else None
    if first is None:
        return None
    versus = match["tie"].has("compare") or whole.versus
    return Period(text=f"{first.text}, {whole.text}", level=first.level, ends=(first, *ends), versus=versus)


def in_year(part: Period, year: int) -> Period | None:
    """Return a month or a quarter that was said without a year in one."""
    number, make = part_number(part), _PARTS.get(part.level)
    return make(year, number) if make is not None and number is not None else None


def end_of(match: Match) -> Period | None:
    """Read `the last quarter of 2023`, `the last 30 days of May 2023`: counted back from the end of that time."""
    last, whole = match["a"].period, match["b"].period
    if last is None or whole is None or last.relative is None or whole.start is None or whole.end is None:
        return None
    parts = last.relative.split("_")
    number, unit = (int(parts[1]), parts[2].rstrip("s")) if len(parts) > 2 else (1, parts[1])  # noqa: PLR2004 - with a number
    start = _back(whole.end, number, unit)
    if whole.ends or start is None or start < whole.start or (start, whole.end) == (whole.start, whole.end):
        return None
    return Period(text=f"{last.text} of {whole.text}", start=start, end=whole.end, level=unit)


def _back(end: dt.date, number: int, unit: str) -> dt.date | None:
    """Return the first day of the last calendar units before and with `end`, which closes a month or a year."""
    months = {"year": 12, "quarter": 3, "month": 1}.get(unit)
    if months is None:
        return end - (number * (7 if unit == "week" else 1) - 1) * DAY
    index = end.year * 12 + end.month - number * months
    return dt.date(index // 12, index % 12 + 1, 1) if index >= 12 else None  # noqa: PLR2004 - months of a year


def inside(match: Match) -> Period | None:
    """Read `March of 2023, 2024` apart from the year that follows: a recurring part of one year."""
    part, year = match["a"].period, match["b"].period
    if part is None or year is None or not part.recurring or year.level != "year" or year.start is None:
        return None
    return in_year(part, year.start.year)
