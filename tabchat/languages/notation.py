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

GAP: Final = " \u00a0\u202f\u2009"
"""Spaces that stand between a number and what belongs to it."""
MINUS: Final = "-−–‐‑‒﹣－"
"""Signs that are read as a minus before a number."""
MINUS_WORDS: Final = "minus|мінус|минус"
CURRENCY: Final = "$€£¥₴₽₹₩₪₺₫₦₱₸₾"
CURRENCY_CODES: Final = "USD|EUR|UAH|RUB|GBP|CHF|JPY|CNY|INR|PLN|CZK|HUF|RON|SEK|NOK|DKK|CAD|AUD|NZD|BRL|MXN|ZAR|TRY|KZT|GEL|HKD|SGD|KRW"
PERCENT_WORDS: Final = (
    r"percent\b|per cent\b|відсотк(?:а|и|ів|ам|ами|ах)\b|процент(?:а|ов|ы|у|и|ів|ам|ами|ах)?\b"
)

_SIZES: Final[Mapping[str, int]] = {
    **SCALES,
    "ten": 10,
    "dozen": 12,
    "hundred": 100,
    "lakh": 10**5,
    "crore": 10**7,
    "Q": 10**15,
}
_WRITTEN_SCALE: Final = re.compile(
    rf"[*_~`]{{0,3}}[{GAP}]{{0,2}}(?:(?P<k>k\b|K\b)|(?P<M>M\b)|(?P<B>B\b)|(?P<T>T\b)"
    r"|-?(?i:(?P<k_word>thousands?\b|thou\b|тис\b\.?|тисяч\w*|тыс\b\.?|тысяч\w*)"
    r"|(?P<M_word>m(?:ln|n|io|il)\b|millions?\b|млн\b\.?|мільйон\w*|миллион\w*)"
    r"|(?P<B_word>b(?:n|ln|il)\b|mrd\b|billions?\b|milliards?\b|млрд\b\.?|мільярд\w*|миллиард\w*)"
    r"|(?P<T_word>trn\b|trillions?\b|трлн\b\.?|трильйон\w*|триллион\w*)"
    r"|(?P<Q_word>quadrillions?\b|квадрильйон\w*|квадриллион\w*)"
    r"|(?P<hundred_word>hundreds?\b|сот(?:ень|ні|ня|ню|ен|ни)\b)"
    r"|(?P<ten_word>десят(?:ок|ків|ки|ков)\b)"
    r"|(?P<dozen_word>dozens?\b|дюжин\w*)"
    r"|(?P<lakh_word>lakhs?\b|lacs?\b|лакх\w*)"
    r"|(?P<crore_word>crores?\b|cr\b|крор\w*)))"
)
"""A scale as it is written after a number, also one in bold letters."""
_MONEY_SCALE: Final = re.compile(rf"[{GAP}]?(?:(?P<k>th)|(?P<M>mm?)|(?P<B>b)|(?P<T>tn?))\b", re.IGNORECASE)
"""Letters that are a scale after an amount of money, where elsewhere they may be a unit: `$5m`."""
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


def scale_after(text: str, at: int, *, is_money: bool = False) -> tuple[int, int] | None:
    """Return what the word at `at` multiplies the number before it by, and where the word ends."""
    found = _WRITTEN_SCALE.match(text, at) or (_MONEY_SCALE.match(text, at) if is_money else None)
    return (_SIZES[str(found.lastgroup).removesuffix("_word")], found.end()) if found else None
