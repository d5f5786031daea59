"""Days, months, quarters and years as the labels of rows write them."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.chat.claims import WrittenDate
    from tabchat.engine.types import Value

Period: TypeAlias = tuple[dt.date, dt.date]
"""First and last day."""

_FIRST_DAY: Final = dt.date(1, 1, 1)
_LAST_DAY: Final = dt.date(9999, 12, 31)
_DAY: Final = dt.timedelta(days=1)
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_YEARS: Final = range(1900, 2101)
_PART: Final = re.compile(r"(\d{4})-(\d{2})|(\d{4})-?Q([1-4])|(\d{4})")


def same_period(span: Period, period: Period) -> bool:
    """Tell whether a span of days is the period of a filter."""
    # An open end (`since 2024`) leaves the other end to name the period.
    return span == period or (span[0] == period[0] and period[1].year == dt.MAXYEAR)


def covers(claim: WrittenDate, value: Value) -> bool:
    """Tell whether a text or number such as `2024-03`, `2024-Q1` or 2024 lies in the period of `claim`."""
    found = _PART.fullmatch(str(value))
    if found is None or not claim.has_year:
        return False
    year, month, quarter_year, quarter, alone = found.groups()
    if month and year and 1 <= int(month) <= 12:  # noqa: PLR2004 - months of a year
        first = dt.date(int(year), int(month), 1)
        return _contains(claim, first, 1)
    if quarter_year:
        first = dt.date(int(quarter_year), 3 * int(quarter) - 2, 1)
        return _contains(claim, first, 3)
    if alone and int(alone) in _YEARS:
        first = dt.date(int(alone), 1, 1)
        return _contains(claim, first, 12)
    return False


def _contains(claim: WrittenDate, first: dt.date, months: int) -> bool:
    return any(low <= first and end_of(first, months) <= high for low, high in claim.readings)


def end_of(first: dt.date, months: int) -> dt.date:
    """Return the last day of so many months from `first` on."""
    month = first.month - 1 + months
    return dt.date(first.year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)


def is_in_year(value: Value, year: int) -> bool:
    """Tell whether a text such as `2024-03` lies in a year."""
    found = _PART.fullmatch(str(value))
    return found is not None and str(year) in {found.group(1), found.group(3), found.group(4)}


def days_of(conditions: Iterable[exp.Expr]) -> Period | None:
    """Return the days that all of some comparisons with dates leave; none when none compares with a date."""
    first, last = _FIRST_DAY, _LAST_DAY
    for node in conditions:
        if isinstance(node, exp.Between):
            low, high = day_of(node.args["low"]), day_of(node.args["high"])
            first, last = max(first, low or first), min(last, high or last)
            continue
        day = day_of(node.expression)
        if day is None:
            continue
        match node:
            case exp.GTE():
                first = max(first, day)
            case exp.GT():
                first = max(first, day + _DAY)
            case exp.LT():
                last = min(last, day - _DAY)
            case _:
                last = min(last, day)
    return None if (first, last) == (_FIRST_DAY, _LAST_DAY) else (first, last)


def day_of(node: exp.Expr) -> dt.date | None:
    """Return the day that a literal writes; none for anything else."""
    literal = node if isinstance(node, exp.Literal) else node.find(exp.Literal)
    if literal is None or not literal.is_string or not _ISO.match(literal.name):
        return None
    try:
        return dt.date.fromisoformat(literal.name[:10])
    except ValueError:
        return None
