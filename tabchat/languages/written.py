"""Reads numbers and dates as they are written in prose: signs, separators, percent signs, scales, month names."""

from __future__ import annotations

import itertools
import re
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tabchat.languages.notation import (
    CURRENCY,
    CURRENCY_CODES,
    ENGLISH,
    GAP,
    LANGUAGES,
    MINUS,
    MINUS_WORDS,
    PERCENT_WORDS,
    scale_after,
)
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.languages.notation import Language

Form: TypeAlias = Literal["plain", "ordinal", "times", "clock"]

_NUMBER: Final = re.compile(
    rf"(?P<sign>(?<![\w.,)\]}}\ufffc%])[{MINUS}+＋]"
    rf"|(?<!\w)(?<![\d%)][{GAP}])(?i:{MINUS_WORDS})[{GAP}])?"
    rf"(?P<mark>(?:(?<![^\W\d_])[A-Z]{{1,3}})?[{CURRENCY}][{GAP}]?|(?<!\w)(?:{CURRENCY_CODES})[{GAP}]?|[#№×][{GAP}]?)?"
    r"(?P<point>(?<![\w.,:;)\]}%…\ufffc])[.,](?=\d))?(?P<digits>"
    r"(?P<clock>(?<!:)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:]))"
    rf"|\d{{1,3}}(?P<group>[{GAP},.'’])\d{{3}}(?:(?P=group)\d{{3}})*(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
    rf"(?:(?P<percent>[{GAP}]?%|[{GAP}](?i:{PERCENT_WORDS}))|(?P<mille>[{GAP}]?[‰‱]))?"
)
_ORDINAL: Final = re.compile(
    r"(?:st|nd|rd|th)\b|-(?:[йяеї]|ш[аеу]|г[аоеу]|м[уі]|т[аєюі]|ого|ему|ий|ій|ый|ой)\b"
)
_TIMES: Final = re.compile(rf"[{GAP}]?[x×](?!\w)|[{GAP}](?i:times|раз[иаів]?|разів)\b")
_NAME_BEFORE: Final = re.compile(r"[^\W\d_][\w/-]*\Z")
_TIMES_BEFORE: Final = frozenset({"x", "X"})
_YEARS_BEFORE: Final = frozenset({"FY", "CY"})
"""Letters that stand before a year without making another word of it."""
_GLUED: Final = re.compile(r"\w+\Z")
_WORD_END: Final = re.compile(r"(?!\w)")
_MONEY: Final = re.compile(rf"[{CURRENCY}][{GAP}]?\Z")
_LONGEST_NAME: Final = 40
_NOTHING: Final = Decimal("1e-9")
"""What arithmetic leaves of two equal numbers."""
_MONTHS: Final = {
    name[:letters].casefold(): number
    for language in LANGUAGES
    for names in (language.months, language.months_of)
    for number, name in enumerate(names, 1)
    # An English month may be abbreviated, a Slavic one ends as its case asks.
    for letters in (len(name), 3 if language is ENGLISH else max(len(name) - 1, 3))
}
_MONTH: Final = rf"(?P<m>(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})[^\W\d_]{{0,2}})\.?"
_ENGLISH_MONTH: Final = rf"(?P<m>{'|'.join(name for name in _MONTHS if name.isascii())})\.?"
_DAY: Final = r"(?P<d>[0-3]?\d)(?:st|nd|rd|th)?"
_DATES: Final = tuple(
    re.compile(rf"(?<![\w.-]){pattern}(?![\w%-]|[.,]\d)", re.IGNORECASE)
    for pattern in (
        r"(?P<y>[12]\d{3})-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>[0-3]\d))?",
        r"(?P<d>[0-3]?\d)[./](?P<m>0?[1-9]|1[0-2])[./](?P<y>[12]\d{3})",
        rf"(?:{_DAY}\s+)?{_MONTH}\s+(?P<y>[12]\d{{3}})",
        rf"{_ENGLISH_MONTH}\s+{_DAY}(?:,?\s+(?P<y>[12]\d{{3}}))?",
        rf"{_DAY}\s+{_MONTH}",
    )
)


@record
class WrittenNumber:
    """One number in a text."""

    start: int
    end: int
    text: str
    readings: tuple[tuple[Decimal, int], ...]
    """What it may mean: its value as written, before percent and scale, and its decimals; none for a code."""
    is_percent: bool = False
    scale: int = 1
    form: Form = "plain"

    @property
    def is_year(self) -> bool:
        """Whether it can be the number of a year."""
        return re.fullmatch(r"[12]\d{3}", self.text) is not None

    @property
    def is_count(self) -> bool:
        """Whether it is a plain whole number."""
        return not self.is_percent and self.scale == 1 and not any(places for _, places in self.readings)

    def equals(self, value: Decimal) -> bool:
        """Return whether `value` is this number at the precision that it is written with; a part of one is no whole."""
        is_part = _NOTHING < abs(value) < 1
        return any(
            abs(reading - value) <= Decimal("5.000001").scaleb(-places - 1)
            and (places > 0 or not is_part or abs(reading - value) * 20 <= abs(value))
            for reading, places in self.readings
        )

    def is_near(self, value: Decimal) -> bool:
        """Return whether rounding changed `value` by no more than a twentieth."""
        return any(abs(reading - value) * 20 <= abs(value) for reading, _ in self.readings)


@record
class WrittenDate:
    """One date in a text; what is not said is absent."""

    start: int
    end: int
    text: str
    year: int | None
    month: int
    day: int | None

    def fits(self, year: int, month: int, day: int) -> bool:
        """Return whether a day can be the one that is meant."""
        return self.year in {None, year} and self.month == month and self.day in {None, day}


def read_dates(text: str) -> Iterator[WrittenDate]:
    """Yield the dates in `text`, none of which overlap."""
    taken: list[tuple[int, int]] = []
    for match in (match for pattern in _DATES for match in pattern.finditer(text)):
        start, end = match.span()
        if any(start < high and low < end for low, high in taken):
            continue
        taken.append((start, end))
        said = {"y": None, "d": None} | match.groupdict()
        name = match["m"].casefold()
        stem = max((stem for stem in _MONTHS if name.startswith(stem)), key=len, default="")
        yield WrittenDate(
            start=start,
            end=end,
            text=match.group(),
            year=int(said["y"]) if said["y"] else None,
            month=_MONTHS[stem] if stem else int(name),
            day=int(said["d"]) if said["d"] else None,
        )


def is_numeral(char: str) -> bool:
    """Return whether a character is a digit of any script, a fraction, a raised or a circled digit, or a Roman numeral."""
    return char.isdecimal() if char.isascii() else unicodedata.category(char).startswith("N")


def has_numeral(text: str) -> bool:
    """Return whether any character of `text` is a numeral."""
    return any(map(is_numeral, text))


def read_numbers(text: str, language: Language) -> Iterator[WrittenNumber]:
    """Yield the numbers in `text` from left to right; every numeral of it is in one of them.

    What is part of a word, or is written in other numerals than digits, may mean anything: it is a number without readings.
    """
    position = 0
    while match := _NUMBER.search(text, position):
        number = _number(text, match, position, language)
        yield from _bare_numerals(text, position, number.start)
        yield number
        position = number.end
    yield from _bare_numerals(text, position, len(text))


def _number(text: str, match: re.Match[str], position: int, language: Language) -> WrittenNumber:
    """Return the number that was found, with the word that it is part of from `position` on, and what multiplies it."""
    start, end, scale, form = match.start(), match.end(), 1, _form(match)
    name = None if match["mark"] else _NAME_BEFORE.search(text, max(position, start - _LONGEST_NAME), start)
    if name and name.group() in _TIMES_BEFORE:
        name = None
    if name and name.group() not in _YEARS_BEFORE and (glued := _GLUED.search(name.group())):
        start, end = name.start() + glued.start(), _WORD_END.search(text, end).end()  # type: ignore[union-attr] # matches anywhere
    elif found := scale_after(text, end, is_money=_MONEY.search(match["mark"] or "") is not None):
        scale, end = found
    elif ordinal := _ORDINAL.match(text, end):
        form, end = "ordinal", ordinal.end()
    elif times := _TIMES.match(text, end):
        form, end = "times", times.end()
    is_readable = name is None and form != "clock" and match["mille"] is None
    sign = 1 if (match["sign"] or "+") in "+＋" else -1
    readings = _readings(match["digits"], language, is_part=match["point"] is not None) if is_readable else ()
    return WrittenNumber(
        start=start,
        end=end,
        text=text[start:end],
        readings=tuple((sign * value, places) for value, places in readings),
        is_percent=match["percent"] is not None,
        scale=scale,
        form=form,
    )


def _bare_numerals(text: str, low: int, high: int) -> Iterator[WrittenNumber]:
    """Yield the numerals in a piece of `text` without digits: `½`, `³⁴`, `①`."""
    if text[low:high].isascii():
        return
    for is_one, places in itertools.groupby(range(low, high), key=lambda place: is_numeral(text[place])):
        if is_one:
            start, *rest = places
            end = start + len(rest) + 1
            yield WrittenNumber(start=start, end=end, text=text[start:end], readings=())


def _form(match: re.Match[str]) -> Form:
    if match["clock"]:
        return "clock"
    return "ordinal" if (match["mark"] or " ")[0] in "#№" else "plain"


def _readings(digits: str, language: Language, *, is_part: bool) -> Iterator[tuple[Decimal, int]]:
    """Yield what digits with separators may mean: `1,234` is one thing in English and may be two elsewhere.

    With `is_part`, a point stands before the first of them.
    """
    if is_part:
        if digits.isdecimal():
            yield Decimal(f"0.{digits}"), len(digits)
        return
    plain = re.sub(rf"[{GAP}'’]", "", digits)
    marks = re.findall(r"[.,]", plain)
    whole, _, fraction = plain.rpartition(marks[-1]) if marks else (plain, "", "")
    is_grouped = re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:\.\d{3}){2,}", plain) is not None
    if not marks or is_grouped:
        yield Decimal(re.sub(r"[.,]", "", plain)), 0
    if len(marks) == 1 and not (is_grouped and language is ENGLISH):
        yield Decimal(f"{whole}.{fraction}"), len(fraction)
    elif len(marks) > 1 and marks[-1] not in marks[:-1]:
        yield Decimal(f"{re.sub(r'[.,]', '', whole)}.{fraction}"), len(fraction)
