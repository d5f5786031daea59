"""Texts that name a month or a quarter of a year: `2024-03`, `Mar 2024`, `березень 2024`, `Q1 2024`."""

from __future__ import annotations

import datetime as dt
import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

YEAR: Final = "(?:1[89]|2[01])[0-9]{2}"
"""Pattern of a year; no other digits of these texts look like one."""
_OTHERS: Final = (
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
)
"""Months in German, French and Spanish, which tables are written in although answers are not."""
_SHORTEST: Final = 3
"""Letters of an abbreviation."""
_ROMAN: Final = ("[iі]", "[iі]{2}", "[iі]{3}", "[iі]v")
"""With the Cyrillic letter of the same look."""
BEHIND: Final = "(?: ?[рг][.]?)?"
"""`2024 р.`, `2024 г.`"""
_FEWEST: Final = 2
"""Different texts from which on a column of them is one of months."""


def month_patterns() -> tuple[str, ...]:
    """Return for each month what its texts look like in small letters, those of the quarter that it begins among them.

    The expressions say the same to Python and to RE2.
    """
    return tuple(f"(?:{'|'.join(_spellings(month))})" for month in range(1, 13))


def _spellings(month: int) -> Iterator[str]:
    names = f"(?:{'|'.join(month_names()[month - 1])})"
    yield f"{YEAR}[-/.]0?{month}"
    yield f"0?{month}[-/.]{YEAR}"
    yield f"{names}[.]?[ ,/-]{{0,2}}{YEAR}{BEHIND}"
    yield f"{YEAR}[ /-]?{names}[.]?"
    if month % 3 == 1:
        yield _quarter(month)


def _quarter(month: int) -> str:
    number = (month + 2) // 3
    said = f"(?:q{number}|{number}q|(?:{number}|{_ROMAN[number - 1]}) ?(?:кв[.]?|квартал))"
    return f"{said}[ ,/-]{{0,2}}{YEAR}{BEHIND}|{YEAR}[ /-]{{0,2}}{said}"


@cache
def month_names() -> tuple[tuple[str, ...], ...]:
    """Return for each month its names, whole and shortened, as far as they are of no other month."""
    from tabchat.languages.notation import LANGUAGES

    lists = [
        *(names for language in LANGUAGES for names in (language.months, language.months_of)),
        *(names.split() for names in _OTHERS),
    ]
    found: list[set[str]] = [
        {
            name[:length].lower()
            for names in lists
            for name in (names[place],)
            for length in range(min(_SHORTEST, len(name)), len(name) + 1)
        }
        for place in range(12)
    ]
    # The longest first: RE2 and Python take the first alternative that fits.
    return tuple(
        tuple(
            sorted(
                own.difference(*(other for other in found if other is not own)), key=lambda n: (-len(n), n)
            )
        )
        for own in found
    )


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str]]:
    quarters = "|".join(map(_quarter, (1, 4, 7, 10)))
    return tuple(map(re.compile, month_patterns())), re.compile(quarters)


def span_of(text: str) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day of the month or quarter that a text names; None where it names none."""
    said = re.search(YEAR, text)
    if said is None:
        return None
    year, folded = int(said[0]), text.strip(" ").lower()
    months, quarters = _compiled()
    first = next((place for place, known in enumerate(months, start=1) if known.fullmatch(folded)), None)
    if first is None:
        return None
    last = first + 2 if quarters.fullmatch(folded) else first
    return dt.date(year, first, 1), month_end(year, last)


def month_end(year: int, month: int) -> dt.date:
    """Return the last day of a month."""
    # Loaded here, as few questions name a month and the module loads `locale`.
    from calendar import monthrange

    return dt.date(year, month, monthrange(year, month)[1])


def shift_months(day: dt.date, months: int) -> dt.date:
    """Return the same day some months later, or the last one of a shorter month.

    Raises `OverflowError` beyond the years of the calendar, 1 to 9999, as the arithmetic of dates does.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise OverflowError(f"There is no year {year}.")
    end = month_end(year, month + 1)
    return end.replace(day=min(day.day, end.day))


def unit_of(texts: Iterable[str]) -> str | None:
    """Return the calendar unit, `month` or `quarter`, that every one of some texts names, each another one; or None."""
    found: dict[tuple[dt.date, dt.date], str] = {}
    for text in texts:
        span = span_of(text)
        if span is None or span in found:
            return None
        found[span] = text
    units = {"month" if start.month == end.month else "quarter" for start, end in found}
    return units.pop() if len(units) == 1 and len(found) >= _FEWEST else None
