"""Weekdays, months, quarters, yes and no, and missing values as names of rows."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind, WrittenDate, WrittenNumber
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.mentions import Mention, Named
from tabchat.chat.validator.periods import end_of
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import WrittenClaim
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.chat.validator.words import Word
    from tabchat.engine.types import Value

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SHORT: Final = 3
_MONTHS_OF: Final = {"month": 1, "quarter": 3, "halve": 6}
_NEAR: Final = 2
_QUARTER: Final = re.compile(r"\d{4}-Q[1-4]")
_MONTH: Final = re.compile(r"\d{4}-\d{2}")


def years_said(claims: Sequence[WrittenClaim]) -> list[tuple[int, int]]:
    """Return (place, year) of every year in the text."""
    dates = [
        (item.start, item.first.year) for item in claims if isinstance(item, WrittenDate) and item.has_year
    ]
    numbers = [item for item in claims if isinstance(item, WrittenNumber) and item.kind is NumberKind.YEAR]
    return sorted(dates + [(item.start, int(item.value)) for item in numbers])


def word_mentions(
    text: str, words: Sequence[Word], views: Sequence[View], years: Sequence[tuple[int, int]]
) -> Iterator[Mention]:
    """Yield weekdays, months, quarters, missing values and flags that the words of `text` name."""
    found = shipped_lexicon().labels
    for at in range(len(words)):
        for sighting in found.find(words, at):
            before = [year for place, year in years if place < sighting.start]
            year = before[-1] if before else (years[0][1] if years else None)
            named = tuple(
                Named(view=number, column=column, wanted=wanted)
                for number, view in enumerate(views)
                for column, wanted in (*_by_word(view, sighting.name), *_by_month(view, sighting.name, year))
            )
            if named:
                start, end = sighting.start, sighting.end
                is_date = sighting.name.partition(".")[0] in {"weekday", *_MONTHS_OF}
                yield Mention(start=start, end=end, text=text[start:end], named=named, is_date=is_date)
                break
    for number, view in enumerate(views):
        yield from _flags(text, words, number, view)


def _by_word(view: View, name: str) -> Iterator[tuple[str, frozenset[Value]]]:
    if view.held is None:
        return
    kind, _, index = name.partition(".")
    for column in view.keys:
        held = view.labels(column)
        if kind == "null" and None in held and column in view.block.result.group_by:
            yield column, frozenset({None})
        elif kind == "weekday":
            yield from _spelled(column, held, _WEEKDAYS[int(index)])
        elif kind == "month":
            yield from _spelled(column, held, _MONTHS[int(index) - 1])
            if held <= frozenset(range(1, 13)) and "month" in _concepts(view, column):
                yield column, frozenset({int(index)})
        elif kind == "quarter" and held <= frozenset(range(1, 5)) and "quarter" in _concepts(view, column):
            yield column, frozenset({int(index)})


def _by_month(view: View, name: str, year: int | None) -> Iterator[tuple[str, Wanted]]:
    """Yield the month or quarter that a bare name means: of the only year of the data, else of the year said."""
    kind, _, index = name.partition(".")
    months = _MONTHS_OF.get(kind)
    for column in view.keys if months else ():
        of_kind = next(item.kind for item in view.columns if item.name == column)
        number = int(index)
        if of_kind.is_temporal and view.row_count:
            low, high = view.whole().ends(column)
            if isinstance(low, dt.date) and isinstance(high, dt.date):
                meant = low.year if low.year == high.year else year
                if meant is not None:
                    first = dt.date(meant, (months or 1) * (number - 1) + 1, 1)
                    yield column, (first, end_of(first, months or 1))
        elif kind == "halve" and of_kind is ColumnKind.TEXT and view.held is not None:
            yield from _of_months(view, column, range(6 * number - 5, 6 * number + 1), year)
            yield from _of_quarters(view, column, number, year)
        elif of_kind is ColumnKind.TEXT and view.held is not None:
            pattern = _MONTH if kind == "month" else _QUARTER
            held = [
                value for value in view.labels(column) if isinstance(value, str) and pattern.fullmatch(value)
            ]
            years = {value[:4] for value in held}
            meant = int(years.pop()) if len(years) == 1 else year
            value = f"{meant}-{number:02d}" if kind == "month" else f"{meant}-Q{number}"
            if value in held:
                yield column, frozenset({value})
            elif kind == "quarter":
                yield from _of_months(view, column, range(3 * number - 2, 3 * number + 1), year)


def _of_quarters(view: View, column: str, half: int, year: int | None) -> Iterator[tuple[str, Wanted]]:
    """Yield the two quarters of a half of a year, among rows of quarters."""
    held = {value for value in view.labels(column) if isinstance(value, str) and _QUARTER.fullmatch(value)}
    years = {value[:4] for value in held}
    meant = years.pop() if len(years) == 1 else year
    quarters = frozenset(f"{meant}-Q{quarter}" for quarter in (2 * half - 1, 2 * half))
    if quarters <= held:
        yield column, frozenset(quarters)


def _of_months(view: View, column: str, numbers: range, year: int | None) -> Iterator[tuple[str, Wanted]]:
    """Yield the months of a quarter or of a half of a year, among rows of months."""
    held = {value for value in view.labels(column) if isinstance(value, str) and _MONTH.fullmatch(value)}
    years = {value[:4] for value in held}
    meant = years.pop() if len(years) == 1 else year
    months = frozenset(f"{meant}-{month:02d}" for month in numbers)
    if months <= held:
        yield column, frozenset(months)


def _concepts(view: View, column: str) -> frozenset[str]:
    quality = view.qualities.get(column)
    return quality.concepts if quality else frozenset()


def _spelled(column: str, held: frozenset[Value], name: str) -> Iterator[tuple[str, frozenset[Value]]]:
    meant = frozenset(
        value for value in held if isinstance(value, str) and value.casefold() in {name, name[:_SHORT]}
    )
    if meant:
        yield column, meant


def _flags(text: str, words: Sequence[Word], number: int, view: View) -> Iterator[Mention]:
    """Yield mentions of a yes-or-no column by its own name: `returned`, `not returned`."""
    labels = shipped_lexicon().labels
    flags = [
        column.name
        for column in view.columns
        if column.kind is ColumnKind.BOOLEAN and column.name in view.block.result.group_by
    ]
    if not flags:
        return
    named = view.key_words(words)
    for at, word in enumerate(words):
        if named.get(at) in flags:
            before = max(0, at - _NEAR)
            after = min(len(words), at + _NEAR)
            said = [item.name for place in range(before, after) for item in labels.find(words, place)]
            joined = re.search(r"\b(?:non|un|not|не)[-\s]*$", text[: word.start].casefold())
            negative = "false" in said or joined is not None
            yield Mention(
                start=word.start,
                end=word.end,
                text=word.text,
                named=(Named(view=number, column=named[at], wanted=frozenset({not negative})),),
            )
