"""How English, Ukrainian and Russian write numbers, scales and dates, by `notation.toml`; and the choice of a language."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

SCALES: Final[Mapping[str, int]] = {"k": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
"""Scale letters of a format."""


@record
class Language:
    """How one language writes figures."""

    thousands: str
    decimal: str
    nothing: str
    """What stands for an empty cell."""
    scales: Mapping[str, str]
    """Scale letter → what follows the number."""
    months: tuple[str, ...]
    """Names of the months as they stand alone."""
    months_of: tuple[str, ...]
    """Names of the months after a day."""
    days: tuple[str, ...]


def _languages() -> tuple[Language, ...]:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    lists = ("months", "months_of", "days")
    return tuple(
        Language(**one | {name: tuple(one[name].split()) for name in lists}) for one in data.values()
    )


LANGUAGES: Final = _languages()
ENGLISH, UKRAINIAN, RUSSIAN = LANGUAGES

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
