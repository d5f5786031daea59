"""The words and signs that cells of real files use: missing values, truths, currencies, spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NULL_WORDS: Final = frozenset(
    {
        "",
        "-",
        "--",
        "---",
        "–",
        "—",
        ".",
        "..",
        "...",
        "…",
        "?",
        "#n/a",
        "#na",
        "#null!",
        "#div/0!",
        "#value!",
        "#ref!",
        "<na>",
        "<null>",
        "(null)",
        "\\n",
        "n/a",
        "n.a.",
        "n/d",
        "na",
        "nan",
        "nat",
        "nil",
        "none",
        "null",
        "missing",
        "unknown",
        "н/д",
        "н.д.",
        "б/д",
        "нет данных",
        "немає",
        "немає даних",
        "невідомо",
        "неизвестно",
    }
)
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
)
"""Pairs of lower-case words that mean true and false."""

LETTER_TRUTHS: Final = (("t", "f"), ("y", "n"))
"""Pairs that are truths only when both letters occur."""

TOTAL_WORDS: Final = frozenset(
    {
        "total",
        "totals",
        "grand total",
        "total general",
        "overall",
        "sum",
        "summe",
        "gesamt",
        "gesamtsumme",
        "suma",
        "totale",
        "totaal",
        "razem",
        "итого",
        "всего",
        "итог",
        "разом",
        "всього",
        "усього",
        "підсумок",
    }
)
"""Lower-case labels of a record that sums up the others."""

AVERAGE_WORDS: Final = frozenset(
    {"average", "avg", "mean", "durchschnitt", "mittelwert", "moyenne", "media", "среднее", "середнє"}
)
"""Lower-case labels of a record that averages the others."""

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

BLANKS: Final = " \t\r\n\v\f\u00a0\u2007\u2009\u202f\u3000\ufeff"
"""Characters that pad a cell."""

NOTE_MARKS: Final = (
    r"(?i)(\S)(?:\s*(?:\[(?:[a-zа-яіїєґ]|[0-9]{1,3}|(?:note|nb|n|прим\.?|сноска)\s?[0-9]{1,3})\]|[*†‡§]+))+$"
)
"""Footnote marks at the end of a text, and the character before them; Python reads it as the engine does."""

DIGIT_SPACES: Final = " \u00a0\u2009\u202f"
"""Spaces that separate thousands."""


def spellings(words: Iterable[str]) -> tuple[str, ...]:
    """Return the usual spellings of lower-case `words`; `Nan` is left out, being a name."""
    found = {form for word in words for form in (word, word.upper(), word.capitalize())}
    if "nan" in found:
        found = found - {"Nan", "NAN"} | {"NaN"}
    return tuple(sorted(found - {""}))
