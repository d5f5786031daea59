"""Dates, years and numbers as names of rows."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind, WrittenDate
from tabchat.chat.validator.calendar_words import word_mentions, years_said
from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.mentions import Mention, Named
from tabchat.chat.validator.other_periods import says_other_period
from tabchat.chat.validator.periods import covers, is_in_year, same_period
from tabchat.chat.validator.stretches import stretch_mentions
from tabchat.chat.validator.words import word_from
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import WrittenClaim, WrittenNumber
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.chat.validator.words import Word

_NEAR: Final = 2
_BESIDE: Final = 6
_SIZES: Final = frozenset({ColumnKind.NUMBER})
_DIGITS: Final = 4
_RANKED: Final = 32
_STOPS: Final = re.compile(r"[*_]*\s*(?:[(,.;:)—–|]|$)", re.MULTILINE)
_LEADS: Final = re.compile(r"[\s*_`\"»”')]*(?::|=|—|–|-\s|\||→)")


def calendar_mentions(
    text: str, words: Sequence[Word], views: Sequence[View], claims: Sequence[WrittenClaim]
) -> Iterator[Mention]:
    """Yield every date, calendar name, number and truth value of `text` that names rows of a result."""
    for claim in claims:
        if isinstance(claim, WrittenDate):
            named = tuple(
                item for at, view in enumerate(views) for item in _by_date(text, words, at, view, claim)
            )
        else:
            named = tuple(_by_number(text, words, views, claim))
        if named:
            is_date = (
                isinstance(claim, WrittenDate)
                or claim.kind is NumberKind.YEAR
                or _is_ranked_year(text, claim)
            )
            yield Mention(start=claim.start, end=claim.end, text=claim.text, named=named, is_date=is_date)
    days = [item for item in claims if isinstance(item, WrittenDate) and item.first == item.last]
    for mention in word_mentions(text, words, views, years_said(claims)):
        # The month within `5 June 2024` names nothing by itself.
        if not any(day.start <= mention.start and mention.end <= day.end for day in days):
            yield mention
    yield from stretch_mentions(text, words, views)


def _by_date(text: str, words: Sequence[Word], at: int, view: View, claim: WrittenDate) -> Iterator[Named]:
    kinds = {column.name: column.kind for column in view.columns}
    for column in view.keys:
        if kinds[column].is_temporal:
            span = _dated(view, column, claim)
            if span is not None and view.select({column: span}).count:
                yield Named(view=at, column=column, wanted=span)
        elif kinds[column] in {ColumnKind.TEXT, ColumnKind.INTEGER} and view.held is not None:
            values = frozenset(value for value in view.labels(column) if covers(claim, value))
            if values:
                yield Named(view=at, column=column, wanted=values)
    period = view.query.period
    if period is not None and any(same_period(span, period) for span in claim.readings):
        yield Named(view=at, column="period", wanted=None)
    elif claim.has_year and says_other_period(text, words, view, claim, claim.readings):
        yield Named(view=at, column="period", wanted=None, is_outside=True)


def _dated(view: View, column: str, claim: WrittenDate) -> tuple[dt.date, dt.date] | None:
    if claim.has_year:
        return next((span for span in claim.readings if view.select({column: span}).count), claim.readings[0])
    low, high = view.whole().ends(column)
    if not isinstance(low, dt.date) or not isinstance(high, dt.date) or low.year != high.year:
        return None
    return claim.first.replace(year=low.year), claim.last.replace(year=low.year)


def _by_number(
    text: str, words: Sequence[Word], views: Sequence[View], claim: WrittenNumber
) -> Iterator[Named]:
    yield from _by_size(words, views, claim)
    if claim.value != claim.value.to_integral_value() or claim.unit in {"%", "pp"}:
        return
    for at, view in enumerate(views):
        for column in view.keys:
            wanted = _wanted(text, words, view, column, claim)
            if wanted and view.select({column: wanted}).count:
                yield Named(view=at, column=column, wanted=wanted)
        yield from _of_filters(text, words, at, view, claim)


def _by_size(words: Sequence[Word], views: Sequence[View], claim: WrittenNumber) -> Iterator[Named]:
    """Yield rows that are grouped by a size, such as a discount, where its name stands beside: `discount of 30 %`."""
    for at, view in enumerate(views):
        sizes = [item.name for item in view.columns if item.kind in _SIZES and item.name in view.keys]
        named = view.key_words(words) if sizes and view.held is not None else {}
        near = {
            column
            for place, column in named.items()
            if 0 <= claim.start - words[place].end <= _BESIDE or 0 <= words[place].start - claim.end <= _NEAR
        }
        for column in (name for name in sizes if name in near):
            value = claim.value / 100 if claim.unit == "%" else claim.value
            wanted = frozenset(label for label in view.labels(column) if decimal_of(label) == value)
            if wanted:
                yield Named(view=at, column=column, wanted=wanted)


def _wanted(text: str, words: Sequence[Word], view: View, column: str, claim: WrittenNumber) -> Wanted | None:
    """Return which values of a key column a whole number, a year or a time of day names."""
    value = int(claim.value)
    kind = next(item.kind for item in view.columns if item.name == column)
    is_year = claim.kind is NumberKind.YEAR
    if kind is ColumnKind.INTEGER:
        return frozenset({value}) if _names_row(text, words, view, column, claim) else None
    if kind.is_temporal and is_year:
        return dt.date(value, 1, 1), dt.date(value, 12, 31)
    if kind is ColumnKind.TEXT and claim.kind is NumberKind.TIME:
        return frozenset({f"{value:02d}:00"})
    if kind is ColumnKind.TEXT and is_year:
        return frozenset(item for item in view.labels(column) if is_in_year(item, value))
    return None


def _of_filters(
    text: str, words: Sequence[Word], at: int, view: View, claim: WrittenNumber
) -> Iterator[Named]:
    """Yield the period or the value that the whole result was filtered by."""
    value, is_year = int(claim.value), claim.kind is NumberKind.YEAR
    period = view.query.period
    if period is not None and is_year and same_period((dt.date(value, 1, 1), dt.date(value, 12, 31)), period):
        yield Named(view=at, column="period", wanted=None)
    elif is_year and says_other_period(
        text, words, view, claim, [(dt.date(value, 1, 1), dt.date(value, 12, 31))]
    ):
        yield Named(view=at, column="period", wanted=None, is_outside=True)
    for column, texts in view.query.equal_to.items():
        if str(value) in texts and (is_year or _beside(words, claim, column)):
            yield Named(view=at, column=column, wanted=None)


def _names_row(text: str, words: Sequence[Word], view: View, column: str, claim: WrittenNumber) -> bool:
    """Tell whether a whole number stands where the name of a row stands."""
    if claim.kind is NumberKind.YEAR or _is_ranked_year(text, claim):
        return True
    named = view.key_words(words)
    place = word_from(words, claim.start)
    after = word_from(words, claim.end)
    near = (*range(max(place - _NEAR, 0), place), after)
    if any(named.get(at) == column for at in near) and not claim.direction:
        return column in view.block.result.group_by or claim.kind is not NumberKind.COUNT
    if column not in view.block.result.group_by or claim.kind is NumberKind.MONEY:
        return False
    line = text.rfind("\n", 0, claim.start) + 1
    opens = not text[line : claim.start].strip(" \t-*•|_`\"'«“(+")
    return opens and _LEADS.match(text, claim.end) is not None


def _is_ranked_year(text: str, claim: WrittenNumber) -> bool:
    """Tell whether four digits name the best or the worst year: `the weakest was 2015 (73.7)`."""
    if not claim.text.isdigit() or len(claim.text) != _DIGITS or _STOPS.match(text, claim.end) is None:
        return False
    before = text[max(text.rfind("\n", 0, claim.start) + 1, claim.start - _RANKED) : claim.start]
    return bool(shipped_lexicon().roles.names(before) & {"max", "min"})


def _beside(words: Sequence[Word], claim: WrittenNumber, column: str) -> bool:
    name = column.casefold().replace("_", " ").split()
    near = [
        word.text for word in words[word_from(words, claim.start - 30) : word_from(words, claim.end + 21)]
    ]
    return any(part in near for part in name)
