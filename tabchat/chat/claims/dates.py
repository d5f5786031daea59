"""Dates in digits: `2024-03-15`, `15.03.2024`, `03/15/2024 09:30`, `2024-Q1`, `1990s`, and times of day."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.calendar_days import NO_YEAR, day, decade, full_year, months, part_of_year, week
from tabchat.chat.claims.found import FoundDate, FoundNumber
from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.vocabulary import vocabulary
from tabchat.chat.claims.years import is_year
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims.calendar_days import Period
    from tabchat.chat.claims.tokens import Tokens

_ISO_MARKS: Final = frozenset("-/.‑")
_DAY_MARKS: Final = frozenset("-/.‑")
_YEAR: Final = 4
_SHORT: Final = 2
_MIDNIGHT: Final = 24
_SIXTY: Final = 60
_HOUR_DIGITS: Final = Decimal("0.000001")
_HALF_MINUTE: Final = Decimal("0.00834")
_HALF_DAY: Final = 12
_QUARTERS: Final = 4
_HALVES: Final = 2


@record
class Clock:
    """A time of day and the last token of it."""

    last: int
    hour: int
    minute: int
    second: int


def read_date(tokens: Tokens, at: int) -> FoundDate | None:
    """Return the date that begins with the digits `at`."""
    return _year_first(tokens, at) or _year_last(tokens, at) or _decade(tokens, at) or _day_month(tokens, at)


def _year_first(tokens: Tokens, at: int) -> FoundDate | None:
    if not is_year(tokens.text(at)):
        return None
    mark = tokens.text(at + 1)
    letter = at + 1 if mark == "q" else at + 2
    if tokens.text(letter) in {"q", "w", "h"} and (mark in {"q", "-"} or tokens.kind(at + 1) == "gap"):
        return _lettered(tokens, at, letter)
    if mark not in _ISO_MARKS or not _short_digits(tokens, at + 2):
        return None
    if tokens.text(at + 3) == mark and _short_digits(tokens, at + 4):
        whole = day(int(tokens.text(at)), int(tokens.text(at + 2)), int(tokens.text(at + 4)))
        return _dated(tokens, at, at + 4, (whole,) if whole else ())
    return _iso_month(tokens, at) if mark == "-" else None


def _iso_month(tokens: Tokens, at: int) -> FoundDate | None:
    if len(tokens.text(at + 2)) != _SHORT or _runs_on(tokens, at + 2):
        return None
    month = int(tokens.text(at + 2))
    period = months(int(tokens.text(at)), month, month)
    return _dated(tokens, at, at + 2, (period,) if period else ())


def _lettered(tokens: Tokens, first: int, letter: int) -> FoundDate | None:
    """Read `2024-Q1`, `2024 H2`, `2024-W05`."""
    year, number = int(tokens.text(first)), tokens.text(letter + 1)
    if tokens.kind(letter + 1) != "digits" or len(number) > _SHORT:
        return None
    sign = tokens.text(letter)
    period = (
        week(year, int(number))
        if sign == "w"
        else part_of_year(year, int(number), _QUARTERS if sign == "q" else _HALVES)
    )
    return _dated(tokens, first, letter + 1, (period,) if period else ())


def _short_digits(tokens: Tokens, at: int) -> bool:
    return tokens.kind(at) == "digits" and len(tokens.text(at)) <= _SHORT


def _runs_on(tokens: Tokens, last: int) -> bool:
    """Tell whether more digits are joined to the token, so that it is no date."""
    joint = tokens.text(last + 1) in {"-", "/", ".", ","}
    return tokens.kind(last + 1) == "word" or (joint and tokens.kind(last + 2) == "digits")


def _year_last(tokens: Tokens, at: int) -> FoundDate | None:
    """Read `15.03.2024`, `03/15/2024`: which comes first is open where both can be months."""
    mark = tokens.text(at + 1)
    if not _short_digits(tokens, at) or mark not in _DAY_MARKS or not _short_digits(tokens, at + 2):
        return None
    digits = tokens.text(at + 4)
    if tokens.text(at + 3) != mark or tokens.kind(at + 4) != "digits" or _runs_on(tokens, at + 4):
        return None
    if not is_year(digits) and not (len(digits) == _SHORT and len(tokens.text(at + 2)) == _SHORT):
        return None
    one, two, year = int(tokens.text(at)), int(tokens.text(at + 2)), full_year(digits)
    day_first, month_first = day(year, two, one), day(year, one, two)
    order = (month_first, day_first) if mark == "/" else (day_first, month_first)
    periods = [period for period in order if period]
    if mark == "." and day_first:
        periods = [day_first]
    return _dated(tokens, at, at + 4, tuple(dict.fromkeys(periods)))


def _decade(tokens: Tokens, at: int) -> FoundDate | None:
    """Read `1990s`, `2020-х`."""
    digits = tokens.text(at)
    hyphen = tokens.text(at + 1) in {"-", "‑"}
    word = at + 2 if hyphen else at + 1
    if not is_year(digits) or not digits.endswith("0"):
        return None
    if tokens.kind(word) != "word" or not vocabulary()["dates.decade"].holds(tokens.text(word)):
        return None
    return _dated(tokens, at, word, (decade(int(digits)),))


def _day_month(tokens: Tokens, at: int) -> FoundDate | None:
    """Read `03/15`, a date only with its leading zero: `3/15` is a fraction."""
    below = at + 2
    if tokens.text(at + 1) != "/" or not _short_digits(tokens, at) or not _short_digits(tokens, below):
        return None
    one, two = tokens.text(at), tokens.text(below)
    if not (len(one) == len(two) == _SHORT and "0" in {one[0], two[0]}) or _runs_on(tokens, below):
        return None
    periods = [
        period for period in (day(NO_YEAR, int(one), int(two)), day(NO_YEAR, int(two), int(one))) if period
    ]
    return _dated(tokens, at, below, tuple(dict.fromkeys(periods)), has_year=False)


def _dated(
    tokens: Tokens, first: int, last: int, periods: Sequence[Period], *, has_year: bool = True
) -> FoundDate | None:
    """Return the date with the time of day that may follow it."""
    if not periods:
        return None
    clock = _clock_after(tokens, last)
    moment = None
    if clock and has_year and periods[0][0] == periods[0][1]:
        first_day = periods[0][0]
        hour = clock.hour % _MIDNIGHT
        moment = datetime(  # noqa: DTZ001 -- a text names no time zone
            first_day.year, first_day.month, first_day.day, hour, clock.minute, clock.second
        )
        last = clock.last
    return FoundDate(
        first=first,
        last=last,
        span=(tokens.start(first), tokens.end(last)),
        readings=tuple(periods),
        at=moment,
        has_year=has_year,
    )


def _clock_after(tokens: Tokens, last: int) -> Clock | None:
    joint = tokens.text(last + 1) == "t" or (tokens.kind(last + 1) == "gap")
    clock = read_clock(tokens, last + 2) if joint else None
    if clock is None or tokens.text(clock.last + 1) != "z":
        return clock
    return Clock(last=clock.last + 1, hour=clock.hour, minute=clock.minute, second=clock.second)


def read_clock(tokens: Tokens, at: int) -> Clock | None:
    """Return the time of day that begins at the token: `09:30`, `9:30:15`."""
    if not _short_digits(tokens, at) or tokens.text(at + 1) != ":" or len(tokens.text(at + 2)) != _SHORT:
        return None
    if tokens.kind(at + 2) != "digits":
        return None
    hour, minute, second, last = int(tokens.text(at)), int(tokens.text(at + 2)), 0, at + 2
    if tokens.text(at + 3) == ":" and tokens.kind(at + 4) == "digits" and len(tokens.text(at + 4)) == _SHORT:
        second, last = int(tokens.text(at + 4)), at + 4
    if hour > _MIDNIGHT or minute >= _SIXTY or second >= _SIXTY:
        return None
    return Clock(last=last, hour=hour, minute=minute, second=second)


def read_time(tokens: Tokens, at: int) -> FoundNumber | None:
    """Return the time of day that begins with the digits `at`: `14:30`, `9:30 pm`, `5 a.m.`."""
    clock = read_clock(tokens, at)
    short = _short_digits(tokens, at)
    noon = vocabulary()["dates.noon"].starting(tokens, tokens.next_word(clock.last if clock else at))
    if clock is None and noon and short and 1 <= int(tokens.text(at)) <= _HALF_DAY:
        clock = Clock(last=at, hour=int(tokens.text(at)), minute=0, second=0)
    if clock is None or tokens.text(at - 1) == ":":
        return None
    hour, last = clock.hour, clock.last
    if noon and hour <= _HALF_DAY:
        late = tokens.text(noon.first).startswith("p")
        hour, last = hour % _HALF_DAY + (_HALF_DAY if late else 0), noon.last
    seconds = hour * _SIXTY * _SIXTY + clock.minute * _SIXTY + clock.second
    value = (Decimal(seconds) / (_SIXTY * _SIXTY)).quantize(_HOUR_DIGITS).normalize()
    return FoundNumber(
        first=at,
        last=last,
        unit_last=last,
        span=(tokens.start(at), tokens.end(last)),
        readings=((value, _HALF_MINUTE),),
        kind=NumberKind.TIME,
        unit="hour",
    )
