"""Calendar years: four digits are a year where the words around them say so."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.vocabulary import vocabulary

if TYPE_CHECKING:
    from tabchat.chat.claims.figures import Reading
    from tabchat.chat.claims.found import FoundNumber
    from tabchat.chat.claims.tokens import Tokens

FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2100
_DIGITS: Final = 4
_SHORT: Final = 2
_CENTURY: Final = 100
_HALF: Final = Decimal("0.5")
_EQUALS: Final = frozenset("=:≈~<>≥≤")


def is_year(digits: str) -> bool:
    """Tell whether the digits can be a year between 1900 and 2100."""
    return len(digits) == _DIGITS and FIRST_YEAR <= int(digits) <= LAST_YEAR


def year_readings(tokens: Tokens, found: FoundNumber) -> tuple[Reading, ...] | None:
    """Return the readings of a year; None where the figure is an amount.

    Where nothing around decides, it is a year that may also be a plain number.
    """
    at = found.first
    if not is_year(tokens.text(at)):
        return None
    year = Decimal(tokens.text(at))
    exact = (year, Decimal(0))
    if _inflected(tokens, at) or _named(tokens, at):
        return (exact,)
    if found.kind is not NumberKind.NUMBER or found.scale or found.unit or _is_amount(tokens, at):
        return None
    before = tokens.last_word(at)
    dated = before is not None and vocabulary()["years.before"].holds(tokens.text(before))
    return (exact,) if dated else (exact, (year, _HALF))


def fiscal_year_end(tokens: Tokens, at: int) -> int:
    """Return the last token of the year `at`: of `2023/24` it is the 24."""
    short = tokens.text(at + 2)
    if (
        tokens.text(at + 1) not in {"/", "-", "–", "‑"}
        or tokens.kind(at + 2) != "digits"
        or len(short) != _SHORT
    ):
        return at
    return at + 2 if int(short) == (int(tokens.text(at)) + 1) % _CENTURY else at


def _is_amount(tokens: Tokens, at: int) -> bool:
    """Tell whether the words before call for an amount: `a total of 2024`, `about 2024`, `= 2024`."""
    if tokens.text(tokens.before(at)) in _EQUALS:
        return not _opens_list(tokens, at)
    before = tokens.last_word(at)
    if before is None:
        return False
    words = vocabulary()
    if _is_base(tokens, before):
        return False
    if any(words[f"around.{name}"].ending(tokens, before) for name in ("approximate", "over", "under")):
        return True
    if words["years.years_of"].holds(tokens.text(before)):
        noun = tokens.last_word(before)
        return noun is not None and words["years.number_before"].holds(tokens.text(noun))
    return words["years.number_before"].holds(tokens.text(before))


def _is_base(tokens: Tokens, before: int) -> bool:
    """Tell whether a percentage is compared with what follows: `2.4% above 2022`."""
    words = vocabulary()
    hits = (words[f"around.{name}"].ending(tokens, before) for name in ("over", "under"))
    return any(hit is not None and tokens.text(tokens.before(hit.first)) == "%" for hit in hits)


def _opens_list(tokens: Tokens, at: int) -> bool:
    """Tell whether another year follows: `above the average: 2016, 2019`."""
    return tokens.text(at + 1) == "," and is_year(tokens.text(tokens.after(at, over=",")))


def _inflected(tokens: Tokens, at: int) -> bool:
    """Tell whether an ending of a year follows: `2024-го`, `2024-й`."""
    return tokens.text(at + 1) in {"-", "‑"} and vocabulary()["ordinal_hints.suffixes"].holds(
        tokens.text(at + 2)
    )


def _named(tokens: Tokens, at: int) -> bool:
    word = tokens.next_word(at)
    hit = vocabulary()["dates.year_after"].starting(tokens, word)
    return hit is not None and word is not None
