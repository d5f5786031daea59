"""Reads numbers and dates as they are written in prose: signs, separators, percent signs, scales, month names."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Literal

from tabchat.answers.languages import ENGLISH, LANGUAGES, SCALES, WRITTEN_SCALES
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.answers.languages import Language

_GAP: Final = " \u00a0\u202f"
_NUMBER: Final = re.compile(
    rf"(?P<sign>(?<![\w.,)\]}}\ufffc%])[-−–+])?(?P<currency>[$€£¥₴₽#№×][{_GAP}]?)?"
    rf"(?<![\d.,])(?P<digits>\d{{1,3}}(?:(?P<group>[{_GAP},.'’])\d{{3}})(?:(?P=group)\d{{3}})*(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
    rf"(?P<percent>[{_GAP}]?%)?"
)
_ORDINAL: Final = re.compile(
    r"(?:st|nd|rd|th)\b|-(?:[йяеї]|ш[аеу]|г[аоеу]|м[уі]|т[аєюі]|ого|ему|ий|ій|ый|ой)\b"
)
_TIMES: Final = re.compile(rf"[{_GAP}]?(?:[x×]\b|[x×](?!\w))")
_CLOCK: Final = re.compile(r"(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?![\d:])")
_CODES: Final = re.compile(r"(?:USD|EUR|UAH|RUB|GBP|[xX×])\Z")
_WORD_BEFORE: Final = re.compile(r"[^\W\d_][\w/-]*\Z")
_MONTHS: Final = {
    name[:cut].casefold(): index
    for language in LANGUAGES
    for names in (language.months, language.months_of)
    for index, name in enumerate(names, 1)
    for cut in (len(name), *((3,) if language is ENGLISH else ()))
} | {
    # Locative forms of Slavic months, which neither list holds.
    name[:-1].casefold(): index
    for language in LANGUAGES[1:]
    for index, name in enumerate(language.months_of, 1)
}
_ENDING: Final = 2
"""Letters by which a Slavic month may differ from its stem."""
_MONTH: Final = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_DATES: Final = (
    re.compile(r"(?<![\w.-])(?P<y>[12]\d{3})-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>[0-3]\d))?(?![\d-])"),
    re.compile(r"(?<![\w.])(?P<d>[0-3]?\d)[./](?P<m>0?[1-9]|1[0-2])[./](?P<y>[12]\d{3})(?![\w])"),
    re.compile(
        rf"(?<!\w)(?:(?P<d>[0-3]?\d)(?:st|nd|rd|th)?\s+)?(?P<m>(?:{_MONTH})[^\W\d_]{{0,{_ENDING}}})\.?\s+(?P<y>[12]\d{{3}})(?!\w)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w)(?P<m>(?:{_MONTH}))\.?\s+(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?:,?\s+(?P<y>[12]\d{{3}}))?(?![\w%]|[.,]\d)",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<!\w)(?P<d>[0-3]?\d)\s+(?P<m>(?:{_MONTH})[^\W\d_]{{0,{_ENDING}}})(?!\w)", re.IGNORECASE),
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
    form: Literal["plain", "ordinal", "times", "clock"] = "plain"

    @property
    def is_year(self) -> bool:
        """Whether it can be the number of a year."""
        return re.fullmatch(r"[12]\d{3}", self.text) is not None and self.scale == 1

    def equals(self, value: Decimal) -> bool:
        """Return whether `value` is this number at the precision that it is written with."""
        return any(
            abs(reading - value) <= Decimal(5).scaleb(-places - 1) * Decimal("1.000001")
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
        return (
            (self.year is None or self.year == year)
            and self.month == month
            and (self.day is None or self.day == day)
        )


def read_dates(text: str) -> Iterator[WrittenDate]:
    """Yield the dates in `text`, none of which overlap."""
    taken: list[tuple[int, int]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            said = match.groupdict()
            name = said["m"].casefold()
            month = int(name) if name.isdigit() else _month(name)
            yield WrittenDate(
                start=match.start(),
                end=match.end(),
                text=match.group(),
                year=int(said["y"]) if said.get("y") else None,
                month=month,
                day=int(said["d"]) if said.get("d") else None,
            )


def read_numbers(text: str, language: Language) -> Iterator[WrittenNumber]:
    """Yield the numbers in `text` from left to right; digits that are part of a name are none."""
    clocks = {match.start(): match for match in _CLOCK.finditer(text)}
    position = 0
    while match := _NUMBER.search(text, position):
        digits_at = match.start("digits")
        if digits_at in clocks:
            clock = clocks[digits_at]
            position = clock.end()
            yield WrittenNumber(
                start=clock.start(), end=clock.end(), text=clock.group(), readings=(), form="clock"
            )
            continue
        position = match.end()
        before = _WORD_BEFORE.search(text, max(0, match.start() - 40), match.start())
        if before and not match["sign"] and not _CODES.search(before.group()):
            continue
        if before and match["sign"]:
            continue
        yield _number(text, match, language)
        position = max(position, match.end())


def _number(text: str, match: re.Match[str], language: Language) -> WrittenNumber:
    end = match.end()
    form: Literal["plain", "ordinal", "times"] = "plain"
    scale = 1
    if found := WRITTEN_SCALES.match(text, end):
        scale = SCALES[str(found.lastgroup)]
        end = found.end()
    elif found := _ORDINAL.match(text, end):
        form, end = "ordinal", found.end()
    elif found := _TIMES.match(text, end):
        form, end = "times", found.end()
    if (match["currency"] or "").strip() in {"#", "№"}:
        form = "ordinal"
    negative = (match["sign"] or "+") != "+"
    readings = tuple(
        (-value if negative else value, places) for value, places in _readings(match["digits"], language)
    )
    return WrittenNumber(
        start=match.start(),
        end=end,
        text=text[match.start() : end],
        readings=readings,
        is_percent=match["percent"] is not None,
        scale=scale,
        form=form,
    )


def _readings(digits: str, language: Language) -> Iterator[tuple[Decimal, int]]:
    """Yield what digits with separators may mean: `1,234` is one thing in English and may be two elsewhere."""
    plain = re.sub(rf"[{_GAP}'’]", "", digits)
    marks = re.findall(r"[.,]", plain)
    if not marks:
        yield Decimal(plain), 0
    elif len(set(marks)) == 2 and marks.count(marks[-1]) == 1:  # noqa: PLR2004 - a comma and a point
        yield _decimal(plain, marks[-1])
    elif len(marks) > 1:
        if len(set(marks)) == 1 and re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", plain):
            yield Decimal(re.sub(r"[.,]", "", plain)), 0
    else:
        is_group = re.fullmatch(r"[1-9]\d{0,2},\d{3}", plain) is not None
        if is_group:
            yield Decimal(plain.replace(",", "")), 0
        if not is_group or language is not ENGLISH:
            yield _decimal(plain, marks[0])


def _decimal(plain: str, mark: str) -> tuple[Decimal, int]:
    whole, _, fraction = plain.rpartition(mark)
    return Decimal(f"{re.sub(r'[.,]', '', whole)}.{fraction}"), len(fraction)


def _month(name: str) -> int:
    longest = max((stem for stem in _MONTHS if name.startswith(stem)), key=len)
    return _MONTHS[longest]
