"""The words and signs that cells of real files use: missing values, truths, currencies, spaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

NULL_WORDS: Final = frozenset({"", "нет данных", "немає даних"}) | word_set("""
    - -- --- – — . .. ... … ? #n/a #na #null! #div/0! #value! #ref! <na> <null> (null) \\n n/a n.a. n/d na nan nat nil
    none null missing unknown н/д н.д. б/д немає невідомо неизвестно
    """)
"""Lower-case cells that mean a missing value among numbers, dates and truths."""

TEXT_NULL_WORDS: Final = frozenset(
    {"", "-", "--", "–", "—", "#n/a", "<na>", "\\n", "n/a", "nan", "null", "н/д"}
)
"""Those of them that mean a missing value in a column of words too: `none` or `NA` may be words there."""

DOUBTFUL_NULL_WORDS: Final = ("na", "none", "nil", "n.a.", "?")
"""Null words that a column of words keeps, with a note."""

TRUTHS: Final = (
    ("true", "false"),
    ("yes", "no"),
    ("так", "ні"),
    ("да", "нет"),
    # As spreadsheets write them.
    ("істина", "хиба"),
    ("истина", "ложь"),
)
"""Pairs of lower-case words that mean true and false."""

LETTER_TRUTHS: Final = (("t", "f"), ("y", "n"))
"""Pairs that are truths only when both letters occur."""

_WITH_TAIL: Final = (
    *("total", "totals", "grand total", "total general", "gesamt", "gesamtsumme", "razem"),
    *("итого", "всего", "итог", "общий итог", "итого общий", "разом", "всього", "усього", "підсумок"),
    *("загальний підсумок", "загалом", "сумарно", "суммарно"),
)
TOTAL_WORDS: Final = frozenset({*_WITH_TAIL, "overall", "sum", "summe", "suma", "totale", "totaal"})
"""Lower-case labels of a record that sums up the others."""

AVERAGE_WORDS: Final = frozenset(
    {"average", "avg", "mean", "durchschnitt", "mittelwert", "moyenne", "media", "среднее", "середнє"}
)
"""Lower-case labels of a record that averages the others."""

_BEFORE_NAMES: Final = "for|of|in|by|per|on|at|from|without|with|incl\\.?|für|за|по|на|с|со|в|во|до|без|з|із|зі|у|для|від|от|год|рік"

CURRENCIES: Final = {
    "$": "$",
    "€": "€",
    "£": "£",
    "¥": "¥",
    "₴": "₴",
    "₽": "₽",
    "₹": "₹",
    "₺": "₺",
    "₩": "₩",
    "₪": "₪",
    "₸": "₸",
    "US$": "$",
    "USD": "$",
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
    "UAH": "₴",
    "RUB": "₽",
    "INR": "₹",
    "PLN": "zł",
    "CHF": "CHF",
    "CZK": "Kč",
    "Kč": "Kč",
    "zł": "zł",
    "kr": "kr",
    "грн.": "₴",
    "грн": "₴",
    "руб.": "₽",
    "руб": "₽",
    "р.": "₽",
}
"""Signs written before or after an amount, and the unit that they mean."""

_SIGNS_BEHIND: Final = "|".join(re.escape(sign.lower()) for sign in CURRENCIES)
TOTAL_LABEL: Final = (
    rf"(?:{'|'.join(TOTAL_WORDS)}|(?:{'|'.join(_WITH_TAIL)})"
    rf"(?:\s*[,:(].*|\s+(?:[0-9–—-].*|(?:{_BEFORE_NAMES})\s.*|{_SIGNS_BEHIND}|шт\.?)))\s*:?"
)
"""What such a label looks like in lower case with what it is the total of: `total for march`, `итого, руб.`"""
SUBTOTAL_LABEL: Final = (
    r"(?:sub[ -]?totals?|zwischensumme|sous-total|промежуточный итог|проміжний підсумок)(?:[\s:.,(–—-].*)?"
)
PERIOD_LABEL: Final = (
    r"(?:(?:[1-4]|i{1,3}|iv)(?:-?й|-?ий)?\s*(?:кв\.?|квартал)|q[1-4]|(?:[12]|i{1,2})(?:-?[ое]?е)?\s*(?:полугодие|півріччя)"
    r"|(?:1st|2nd|3rd|4th)\s+quarter|h[12]|(?:за )?(?:год|рік|year)|(?:за )?(?:19|20)[0-9]{2}\s*(?:год|рік|г\.|р\.))(?:[\s:.,(–—-].*)?"
)
"""A period of several months, which may sum up those above it."""
TURNOVER_LABEL: Final = r"(?:оборот[иы]?|turnover)(?:\s+(?:за|for)\s.*)?:?"

BLANKS: Final = " \t\r\n\v\f\u00a0\u2007\u2009\u202f\u3000\ufeff"
"""Characters that pad a cell."""

NOTE_MARKS: Final = (
    r"(?i)(\S)(?:\s*(?:\[(?:[a-zа-яіїєґ]|[0-9]{1,3}|(?:note|nb|n|прим\.?|сноска)\s?[0-9]{1,3})\]|[*†‡§]+))+$"
)
"""Footnote marks at the end of a text, and the character before them; Python reads it as the engine does."""

DIGIT_SPACES: Final = " \u00a0\u2009\u202f"
"""Spaces that separate thousands."""


_BEGINNINGS: Final = tuple({word[:3] for word in (*TOTAL_WORDS, *AVERAGE_WORDS, "sub", "zwi", "sou", "про")})


LOOK_ALIKES: Final = r"[ABCEHIKMOPTXYaceiopxy]\p{Cyrillic}|\p{Cyrillic}[ABCEHIKMOPTXYaceiopxy]|[A-Za-z][АВЕКМНОРСТУХІаеорсухі]+[A-Za-z]"
"""A letter of one alphabet in a word of the other, which it looks like: RE2 alone reads it."""


def is_total(cell: str) -> bool:
    """Tell whether a cell is the label of a record that sums up others, or averages them, wherever it stands."""
    label = cell.strip(BLANKS).lower()
    # Few cells begin like one, and the pattern takes long to compile.
    return label.startswith(_BEGINNINGS) and (
        label.rstrip(":") in AVERAGE_WORDS
        or re.fullmatch(f"{TOTAL_LABEL}|{SUBTOTAL_LABEL}", label) is not None
    )


def spellings(words: Iterable[str]) -> tuple[str, ...]:
    """Return the usual spellings of lower-case `words`; `Nan` is left out, being a name."""
    found = {form for word in words for form in (word, word.upper(), word.capitalize())}
    if "nan" in found:
        found = found - {"Nan", "NAN"} | {"NaN"}
    return tuple(sorted(found - {""}))
