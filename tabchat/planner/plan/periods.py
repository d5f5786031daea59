"""The periods of an intent as a plan takes them, and back."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

from tabchat.engine.months import month_end
from tabchat.planner.intent import Period, calendar_name
from tabchat.planner.plan.expressions import Unplannable

_UNITS: Final = "year|quarter|month|week|day"
_BACK: Final = re.compile(rf"(?:last_(?=\d+_days)|previous_)(\d+)_({_UNITS})s")
_AGO: Final = re.compile(rf"(\d+)_({_UNITS})s_ago")
_NEAR: Final = re.compile(rf"(this|last)_({_UNITS})")


class UnknownPeriod(Exception):  # noqa: N818 - says what a text is, not that the program failed
    """No intent says this period."""


def is_relative(period: Period) -> bool:
    """Tell whether a period hangs on the last date of the data."""
    return period.ago is not None or period.count is not None


def written_period(period: Period) -> str:
    """Write a period as the `period` of a plan takes it, as short as it can be said."""
    unit, start, end = period.unit or "day", period.start, period.end
    if period.count is not None:
        if period.count < 1:
            raise Unplannable("a period of no length holds nothing")
        return f"last_{period.count}_{unit}s"
    if period.ago is not None:
        near = {0: f"this_{unit}", 1: "yesterday" if unit == "day" else f"last_{unit}"}
        return near.get(period.ago, f"{period.ago}_{unit}s_ago")
    if start is None and end is None:
        raise Unplannable("a period needs a beginning or an end")
    if start is None or end is None:
        return f"{start or ''}:{end or ''}"
    if start > end:
        raise Unplannable(f"the period from {start} to {end} ends before it starts")
    return calendar_name(start, end) or f"{start}:{end}"


def period_of(text: str, column: str | None) -> Period:
    """Read the `period` of a plan over a date; raises `UnknownPeriod`."""
    if found := _BACK.fullmatch(text):
        return Period(column=column, unit=found[2], count=int(found[1]))
    if found := _AGO.fullmatch("1_days_ago" if text == "yesterday" else text):
        return Period(column=column, unit=found[2], ago=int(found[1]))
    if found := _NEAR.fullmatch(text):
        return Period(column=column, unit=found[2], ago=int(found[1] == "last"))
    start, colon, end = text.partition(":")
    if not colon:
        first, last, unit = _stretch(text)
        return Period(start=first, end=last, column=column, unit=unit)
    return Period(
        start=_stretch(start)[0] if start else None, end=_stretch(end)[1] if end else None, column=column
    )


def _stretch(text: str) -> tuple[dt.date, dt.date, str]:
    try:
        if re.fullmatch(r"\d{4}", text):
            return dt.date(int(text), 1, 1), dt.date(int(text), 12, 31), "year"
        if re.fullmatch(r"\d{4}-\d{2}", text):
            first = dt.date.fromisoformat(f"{text}-01")
            return first, month_end(first.year, first.month), "month"
        day = dt.date.fromisoformat(text)
    except ValueError as error:
        raise UnknownPeriod(text) from error
    return day, day, "day"
