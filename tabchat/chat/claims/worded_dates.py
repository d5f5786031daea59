"""Dates with words: `March 15, 2024`, `15 березня`, `в марте 2024 года`, `Q1 2024`, `перший квартал 2024`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.calendar_days import NO_YEAR, day, days, full_year, months, part_of_year
from tabchat.chat.claims.found import FoundDate
from tabchat.chat.claims.vocabulary import vocabulary
from tabchat.chat.claims.years import is_year

if TYPE_CHECKING:
    from tabchat.chat.claims.calendar_days import Period
    from tabchat.chat.claims.tokens import Tokens
    from tabchat.chat.claims.vocabulary import Hit

_ROMAN: Final = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "і": 1, "іі": 2, "ііі": 3}
"""Quarters in Roman figures, also those typed with the Ukrainian letter."""
_PARTS: Final = {"q": 4, "h": 2}
_DASHES: Final = frozenset("-–—‑")
_SHORT: Final = 2
_ALSO: Final = frozenset({"and", "та", "і", "й", "и"})
_CAPITALISED: Final = frozenset({"may", "march", "mar"})


def read_date_with_day_first(tokens: Tokens, at: int) -> FoundDate | None:
    """Return `15 March 2024`, `5–7 березня`, `1 квартал 2024`, `1Q 2024`: those that begin with digits."""
    if tokens.kind(at) != "digits" or len(tokens.text(at)) > _SHORT:
        return None
    number, last, second = int(tokens.text(at)), _past_ordinal(tokens, at), None
    part = _part_after(tokens, at, last, number)
    if part:
        return part
    dash = last + 1 if tokens.kind(last + 1) == "mark" else last + 2
    if tokens.text(dash) in _DASHES:
        other = tokens.after(dash)
        if tokens.kind(other) == "digits" and len(tokens.text(other)) <= _SHORT:
            second, last = int(tokens.text(other)), _past_ordinal(tokens, other)
    month = _month_after(tokens, last)
    if month is None:
        return None
    end, year = _year_after(tokens, month.last, over=",-‑.")
    return _day_of(tokens, at, end, (int(month.value), number, second, year))


def _past_ordinal(tokens: Tokens, at: int) -> int:
    """Return the last token of `15th`, `15-го`."""
    hyphen = tokens.text(at + 1) in {"-", "‑"}
    word = at + 2 if hyphen else at + 1
    known = tokens.kind(word) == "word" and vocabulary()["ordinal_hints.suffixes"].holds(tokens.text(word))
    return word if known else at


def _month_after(tokens: Tokens, last: int) -> Hit | None:
    """Return the month after a day: `15 March`, `15-Mar`, `15th of March`."""
    word = tokens.after(last, over="-‑")
    if tokens.kind(word) != "word":
        return None
    if vocabulary()["dates.of"].holds(tokens.text(word)):
        following = tokens.next_word(word)
        if following is None:
            return None
        word = following
    return month_at(tokens, word)


def month_at(tokens: Tokens, at: int) -> Hit | None:
    """Return the month at the token; English `may` and `march` are verbs in lower case."""
    hit = vocabulary()["months"].starting(tokens, at)
    if hit and tokens.text(at) in _CAPITALISED and tokens.written(at).islower():
        return None
    return hit


def _year_after(tokens: Tokens, last: int, *, over: str = "-‑.") -> tuple[int, int | None]:
    """Return the year after a month, with the word for year behind it, and the last token."""
    at = tokens.after(last, over=over)
    if tokens.kind(at) == "word" and vocabulary()["dates.of"].holds(tokens.text(at)):
        at = tokens.after(at)
    if tokens.kind(at) != "digits" or not is_year(tokens.text(at)):
        return last, None
    return past_year_word(tokens, at), int(tokens.text(at))


def past_year_word(tokens: Tokens, at: int) -> int:
    """Return the last token of `2024 року`, `2024 г.`, `2024-го`."""
    last = _past_ordinal(tokens, at) if tokens.text(at + 1) in {"-", "‑"} else at
    hit = vocabulary()["dates.year_after"].starting(tokens, tokens.next_word(last))
    return hit.last if hit else last


def _day_of(
    tokens: Tokens, first: int, last: int, parts: tuple[int, int, int | None, int | None]
) -> FoundDate | None:
    month, number, second, year = parts
    known = NO_YEAR if year is None else year
    period = day(known, month, number) if second is None else days(known, month, number, second)
    return _found(tokens, first, last, period, has_year=year is not None)


def _found(
    tokens: Tokens, first: int, last: int, period: Period | None, *, has_year: bool = True
) -> FoundDate | None:
    if period is None:
        return None
    return FoundDate(
        first=first,
        last=last,
        span=(tokens.start(first), tokens.end(last)),
        readings=(period,),
        has_year=has_year,
    )


def _part_after(tokens: Tokens, first: int, last: int, number: int) -> FoundDate | None:
    """Read `1 квартал 2024`, `1st quarter of 2024`, `1Q24`, `1H 2024`."""
    sign = tokens.text(last + 1)
    if sign in _PARTS and last == first:
        end, year = _year_glued(tokens, last + 1)
        return _found(tokens, first, end, part_of_year(year, number, _PARTS[sign])) if year else None
    return _named_part(tokens, first, tokens.next_word(last), number)


def _named_part(tokens: Tokens, first: int, word: int | None, number: int) -> FoundDate | None:
    words = vocabulary()
    for name, parts in (("dates.quarter", 4), ("dates.half", 2)):
        hit = words[name].starting(tokens, word)
        if hit:
            end, year = _year_after(tokens, hit.last)
            return _found(tokens, first, end, part_of_year(year, number, parts)) if year else None
    return None


def _year_glued(tokens: Tokens, last: int) -> tuple[int, int | None]:
    """Return the year after `Q1` or `1Q`: `2024`, `-2024`, `/2024`, `'24`, ` of 2024`, `24`."""
    after = last + 1
    if tokens.text(after) in {"'", "’", "/", "-", "‑"}:
        after += 1
    digits = tokens.text(after)
    if tokens.kind(after) == "digits" and (is_year(digits) or len(digits) == _SHORT):
        return past_year_word(tokens, after), full_year(digits)
    apostrophe = tokens.after(last, over=",")
    if tokens.text(apostrophe) in {"'", "’"} and len(tokens.text(apostrophe + 1)) == _SHORT:
        digits = tokens.text(apostrophe + 1)
        return (apostrophe + 1, full_year(digits)) if digits.isdecimal() else (last, None)
    return _year_after(tokens, last, over=",-‑")


def read_date_with_word_first(tokens: Tokens, at: int) -> FoundDate | None:
    """Return `March 15, 2024`, `March 2024`, `Q1 2024`, `II квартал 2024`, `first half of 2024`."""
    return _lettered(tokens, at) or _worded_part(tokens, at) or _month_first(tokens, at)


def _lettered(tokens: Tokens, at: int) -> FoundDate | None:
    sign, digits = tokens.text(at), tokens.text(at + 1)
    if sign not in _PARTS or tokens.kind(at + 1) != "digits" or len(digits) > 1:
        return None
    end, year = _year_glued(tokens, at + 1)
    return _found(tokens, at, end, part_of_year(year, int(digits), _PARTS[sign])) if year else None


def _worded_part(tokens: Tokens, at: int) -> FoundDate | None:
    ordinal = vocabulary()["ordinals"].starting(tokens, at)
    number = int(ordinal.value) if ordinal else _ROMAN.get(tokens.text(at))
    return None if number is None else _named_part(tokens, at, tokens.next_word(at), number)


def _month_first(tokens: Tokens, at: int) -> FoundDate | None:
    month = vocabulary()["months"].starting(tokens, at)
    if month is None:
        return None
    end, year = _year_after(tokens, at, over=",-‑.")
    if year is not None:
        return _found(tokens, at, end, months(year, int(month.value), int(month.value)))
    until = _months_until(tokens, at)
    if until:
        closing, year_end, until_year = until
        period = months(until_year, int(month.value), int(closing.value))
        return _found(tokens, at, year_end, period)
    number = tokens.after(at, over=".")
    if month_at(tokens, at) is None or tokens.kind(number) != "digits" or len(tokens.text(number)) > _SHORT:
        return None
    if not tokens.written(at)[0].isascii():
        return None
    return _month_day(tokens, at, number, int(month.value))


def _months_until(tokens: Tokens, at: int) -> tuple[Hit, int, int] | None:
    """Return the month that ends `January–March 2024`, the last token and the year."""
    joint = tokens.after(at)
    to = vocabulary()["ranges.to"].starting(tokens, joint) if tokens.kind(joint) == "word" else None
    if to is None and tokens.text(joint) not in _DASHES:
        return None
    word = tokens.next_word(to.last if to else joint)
    closing = vocabulary()["months"].starting(tokens, word)
    if closing is None or (to and tokens.text(to.first) in _ALSO):
        return None
    end, year = _year_after(tokens, closing.last)
    return None if year is None else (closing, end, year)


def _month_day(tokens: Tokens, first: int, number: int, month: int) -> FoundDate | None:
    """Read the day behind an English month: `March 15`, `March 15th, 2024`, `March 5–7`."""
    last, second = _past_ordinal(tokens, number), None
    dash = last + 1 if tokens.kind(last + 1) == "mark" else last + 2
    other = tokens.after(dash)
    if tokens.text(dash) in _DASHES and tokens.kind(other) == "digits" and len(tokens.text(other)) <= _SHORT:
        second, last = int(tokens.text(other)), _past_ordinal(tokens, other)
    if tokens.glued(last + 1) or tokens.text(last + 1) in {"%", ":"}:
        return None
    if tokens.text(last + 1) in {".", ","} and tokens.kind(last + 2) == "digits":
        return None
    end, year = _year_after(tokens, last, over=",")
    if year is None and vocabulary()["counts"].starting(tokens, tokens.next_word(last)):
        return None
    return _day_of(tokens, first, end, (month, int(tokens.text(number)), second, year))
