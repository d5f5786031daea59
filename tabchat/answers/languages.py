"""How English, Ukrainian and Russian write numbers, scales and dates; data, and the choice of a language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

NBSP: Final = "\u00a0"

SCALES: Final[Mapping[str, int]] = {"k": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
"""Scale letters of a format."""


@record
class Language:
    """How one language writes figures."""

    code: str
    thousands: str
    decimal: str
    scales: Mapping[str, str]
    """Scale letter → what follows the number."""
    nothing: str
    """What stands for an empty cell."""
    months: tuple[str, ...]
    """Names of the months as they stand alone."""
    months_of: tuple[str, ...]
    """Names of the months after a day."""
    days: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ENGLISH_MONTHS: Final = _words(
    "January February March April May June July August September October November December"
)

ENGLISH: Final = Language(
    code="en",
    thousands=",",
    decimal=".",
    scales={"k": "K", "M": "M", "B": "B", "T": "T"},
    nothing="no value",
    months=_ENGLISH_MONTHS,
    months_of=_ENGLISH_MONTHS,
    days=_words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
)
UKRAINIAN: Final = Language(
    code="uk",
    thousands=NBSP,
    decimal=",",
    scales={"k": f"{NBSP}тис.", "M": f"{NBSP}млн", "B": f"{NBSP}млрд", "T": f"{NBSP}трлн"},
    nothing="немає значення",
    months=_words(
        "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень"
    ),
    months_of=_words(
        "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"
    ),
    days=_words("понеділок вівторок середа четвер п’ятниця субота неділя"),
)
RUSSIAN: Final = Language(
    code="ru",
    thousands=NBSP,
    decimal=",",
    scales={"k": f"{NBSP}тыс.", "M": f"{NBSP}млн", "B": f"{NBSP}млрд", "T": f"{NBSP}трлн"},
    nothing="нет значения",
    months=_words("январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"),
    months_of=_words("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    days=_words("понедельник вторник среда четверг пятница суббота воскресенье"),
)
LANGUAGES: Final = (ENGLISH, UKRAINIAN, RUSSIAN)

WRITTEN_SCALES: Final = re.compile(
    r"[ \u00a0\u202f]?(?:(?P<k>k\b|K\b|thousand\b|тис(?:\.|яч\w*)|тыс(?:\.|яч\w*))"
    r"|(?P<M>M\b|mln\b|million\b|млн\b\.?|мільйон\w*|миллион\w*)"
    r"|(?P<B>B\b|bn\b|billion\b|млрд\b\.?|мільярд\w*|миллиард\w*)"
    r"|(?P<T>T\b|trillion\b|трлн\b\.?|трильйон\w*|триллион\w*))"
)
"""A scale as it is written after a number."""

_SCALED_NAME: Final = re.compile(
    r"(?:^|[\W_])(?:(?P<k>k|тис|тыс|thousands?)|(?P<M>m|mn|mln|mio|млн|millions?)|(?P<B>b|bn|млрд|billions?))"
    r"(?:[\W_]|usd|eur|uah|gbp|rub|грн|руб|$)",
    re.IGNORECASE,
)


def language_of(text: str, fallback: str = "") -> Language:
    """Return the language that `text` is written in, by its letters; of `fallback` when it has none."""
    for candidate in (text, fallback):
        letters = candidate.casefold()
        cyrillic = sum("а" <= letter <= "ґ" for letter in letters)
        latin = sum("a" <= letter <= "z" for letter in letters)
        if cyrillic > latin:
            return UKRAINIAN if any(letter in "іїєґ" for letter in letters) else RUSSIAN
        if latin:
            return ENGLISH
    return ENGLISH


def named_scale(name: str) -> int:
    """Return what the name or unit of a column says that its values are counted in: 1 unless thousands or more."""
    found = _SCALED_NAME.search(name)
    return SCALES[str(found.lastgroup)] if found else 1
