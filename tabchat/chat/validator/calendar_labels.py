"""Dates, weekdays, months, numbers, yes and no, and missing values as names of rows."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind, WrittenDate, WrittenNumber
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.mentions import Mention, Named, key_columns
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
_YEARS: Final = range(1900, 2101)
_NEAR: Final = 2
_LEADS: Final = re.compile(r"[\s*_`\"»”')]*(?::|=|—|–|-\s|\||→)")
_PART: Final = re.compile(r"(\d{4})-(\d{2})|(\d{4})-?Q([1-4])|(\d{4})")
_QUARTER: Final = re.compile(r"\d{4}-Q[1-4]")
_MONTH: Final = re.compile(r"\d{4}-\d{2}")


def calendar_mentions(
    text: str, words: Sequence[Word], views: Sequence[View], claims: Sequence[WrittenClaim]
) -> Iterator[Mention]:
    """Yield every date, calendar name, number and truth value of `text` that names rows of a result."""
    for claim in claims:
        if isinstance(claim, WrittenDate):
            named = tuple(item for at, view in enumerate(views) for item in _by_date(at, view, claim))
        else:
            named = tuple(_by_number(text, words, views, claim))
        if named:
            is_date = isinstance(claim, WrittenDate) or claim.kind is NumberKind.YEAR
            yield Mention(start=claim.start, end=claim.end, text=claim.text, named=named, is_date=is_date)
    yield from _words(text, words, views, _years_said(claims))


def _by_date(at: int, view: View, claim: WrittenDate) -> Iterator[Named]:
    kinds = {column.name: column.kind for column in view.columns}
    for column in view.keys:
        if kinds[column].is_temporal:
            span = _dated(view, column, claim)
            if span is not None and view.select({column: span}).count:
                yield Named(view=at, column=column, wanted=span)
        elif kinds[column] in {ColumnKind.TEXT, ColumnKind.INTEGER} and view.held is not None:
            values = frozenset(value for value in _held(view, column) if _covers(claim, value))
            if values:
                yield Named(view=at, column=column, wanted=values)
    period = view.query.period
    if period is not None and any(_same_period(span, period) for span in claim.readings):
        yield Named(view=at, column="period", wanted=None)


def _dated(view: View, column: str, claim: WrittenDate) -> tuple[dt.date, dt.date] | None:
    if claim.has_year:
        return next((span for span in claim.readings if view.select({column: span}).count), claim.readings[0])
    low, high = view.whole().ends(column)
    if not isinstance(low, dt.date) or not isinstance(high, dt.date) or low.year != high.year:
        return None
    return claim.first.replace(year=low.year), claim.last.replace(year=low.year)


def _same_period(span: tuple[dt.date, dt.date], period: tuple[dt.date, dt.date]) -> bool:
    # An open end (`since 2024`) leaves the other end to name the period.
    return span == period or (span[0] == period[0] and period[1].year == dt.MAXYEAR)


def _covers(claim: WrittenDate, value: Value) -> bool:
    """Tell whether a text or number such as `2024-03`, `2024-Q1` or 2024 lies in the period of `claim`."""
    found = _PART.fullmatch(str(value))
    if found is None or not claim.has_year:
        return False
    year, month, quarter_year, quarter, alone = found.groups()
    if month and year and 1 <= int(month) <= 12:  # noqa: PLR2004 - months of a year
        first = dt.date(int(year), int(month), 1)
        return _contains(claim, first, 1)
    if quarter_year:
        first = dt.date(int(quarter_year), 3 * int(quarter) - 2, 1)
        return _contains(claim, first, 3)
    if alone and int(alone) in _YEARS:
        first = dt.date(int(alone), 1, 1)
        return _contains(claim, first, 12)
    return False


def _contains(claim: WrittenDate, first: dt.date, months: int) -> bool:
    return any(low <= first and _end(first, months) <= high for low, high in claim.readings)


def _end(first: dt.date, months: int) -> dt.date:
    month = first.month - 1 + months
    return dt.date(first.year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)


def _by_number(
    text: str, words: Sequence[Word], views: Sequence[View], claim: WrittenNumber
) -> Iterator[Named]:
    if claim.value != claim.value.to_integral_value() or claim.unit in {"%", "pp"}:
        return
    value = int(claim.value)
    for at, view in enumerate(views):
        kinds = {column.name: column.kind for column in view.columns}
        for column in view.keys:
            if kinds[column] is ColumnKind.INTEGER:
                if (
                    _names_row(text, words, view, column, claim)
                    and view.select({column: frozenset({value})}).count
                ):
                    yield Named(view=at, column=column, wanted=frozenset({value}))
            elif kinds[column] is ColumnKind.TEXT and claim.kind is NumberKind.TIME:
                hour = f"{value:02d}:00"
                if view.select({column: frozenset({hour})}).count:
                    yield Named(view=at, column=column, wanted=frozenset({hour}))
            elif kinds[column] is ColumnKind.TEXT and claim.kind is NumberKind.YEAR and view.held is not None:
                parts = frozenset(item for item in _held(view, column) if _is_in_year(item, value))
                if parts:
                    yield Named(view=at, column=column, wanted=parts)
            elif kinds[column].is_temporal and claim.kind is NumberKind.YEAR:
                span = (dt.date(value, 1, 1), dt.date(value, 12, 31))
                if view.select({column: span}).count:
                    yield Named(view=at, column=column, wanted=span)
        period = view.query.period
        if period is not None and claim.kind is NumberKind.YEAR:
            year = (dt.date(value, 1, 1), dt.date(value, 12, 31))
            if _same_period(year, period):
                yield Named(view=at, column="period", wanted=None)
        for column, texts in view.query.equal_to.items():
            if str(value) in texts and (claim.kind is NumberKind.YEAR or _beside(words, claim, column)):
                yield Named(view=at, column=column, wanted=None)


def _is_in_year(value: Value, year: int) -> bool:
    found = _PART.fullmatch(str(value))
    return found is not None and str(year) in {found.group(1), found.group(3), found.group(4)}


def _names_row(text: str, words: Sequence[Word], view: View, column: str, claim: WrittenNumber) -> bool:
    """Tell whether a whole number stands where the name of a row stands."""
    if claim.kind is NumberKind.YEAR:
        return True
    named = key_columns(words, view)
    near = [
        at
        for at, word in enumerate(words)
        if named.get(at) == column and (word.end <= claim.start or word.start >= claim.end)
    ]
    place = next((at for at, word in enumerate(words) if word.start >= claim.start), len(words))
    after = next((at for at, word in enumerate(words) if word.start >= claim.end), len(words))
    if any(place - _NEAR <= at < place or at == after for at in near) and not claim.direction:
        return column in view.block.result.group_by or claim.kind is not NumberKind.COUNT
    if column not in view.block.result.group_by or claim.kind is NumberKind.MONEY:
        return False
    line = text.rfind("\n", 0, claim.start) + 1
    opens = not text[line : claim.start].strip(" \t-*•|_`\"'«“(+")
    return opens and _LEADS.match(text, claim.end) is not None


def _beside(words: Sequence[Word], claim: WrittenNumber, column: str) -> bool:
    name = column.casefold().replace("_", " ").split()
    near = [word.text for word in words if claim.start - 30 <= word.start <= claim.end + 20]
    return any(part in near for part in name)


def _years_said(claims: Sequence[WrittenClaim]) -> list[tuple[int, int]]:
    """Return (place, year) of every year in the text."""
    dates = [
        (item.start, item.first.year) for item in claims if isinstance(item, WrittenDate) and item.has_year
    ]
    numbers = [item for item in claims if isinstance(item, WrittenNumber) and item.kind is NumberKind.YEAR]
    return sorted(dates + [(item.start, int(item.value)) for item in numbers])


def _words(
    text: str, words: Sequence[Word], views: Sequence[View], years: Sequence[tuple[int, int]]
) -> Iterator[Mention]:
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
                is_date = sighting.name.partition(".")[0] in {"weekday", "month", "quarter"}
                yield Mention(start=start, end=end, text=text[start:end], named=named, is_date=is_date)
                break
    for number, view in enumerate(views):
        yield from _flags(text, words, number, view)


def _by_word(view: View, name: str) -> Iterator[tuple[str, frozenset[Value]]]:
    if view.held is None:
        return
    kind, _, index = name.partition(".")
    for column in view.keys:
        held = _held(view, column)
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
    months = {"month": 1, "quarter": 3}.get(kind)
    for column in view.keys if months else ():
        of_kind = next(item.kind for item in view.columns if item.name == column)
        number = int(index)
        if of_kind.is_temporal and view.row_count:
            low, high = view.whole().ends(column)
            if isinstance(low, dt.date) and isinstance(high, dt.date):
                meant = low.year if low.year == high.year else year
                if meant is not None:
                    first = dt.date(meant, (months or 1) * (number - 1) + 1, 1)
                    yield column, (first, _end(first, months or 1))
        elif of_kind is ColumnKind.TEXT and view.held is not None:
            pattern = _MONTH if kind == "month" else _QUARTER
            held = [
                value for value in _held(view, column) if isinstance(value, str) and pattern.fullmatch(value)
            ]
            years = {value[:4] for value in held}
            meant = int(years.pop()) if len(years) == 1 else year
            value = f"{meant}-{number:02d}" if kind == "month" else f"{meant}-Q{number}"
            if value in held:
                yield column, frozenset({value})


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
    named = key_columns(words, view)
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


def _held(view: View, column: str) -> frozenset[Value]:
    at = [item.name for item in view.columns].index(column)
    return frozenset(row[at] for row in view.held or () if not isinstance(row[at], list | dict))


def merged(found: Iterable[Mention]) -> list[Mention]:
    """Join mentions that overlap: one phrase may name a row here and a period there."""
    kept: list[Mention] = []
    for item in sorted(found, key=lambda mention: (mention.start, -mention.end)):
        if kept and item.start < kept[-1].end:
            last = kept[-1]
            # A name within a longer name is no name of its own: `May` in `15 May 2024`.
            inside = item.end <= last.end and (item.start, item.end) != (last.start, last.end)
            extra = tuple(more for more in item.named if (more.view, more.column) not in last.columns())
            if inside and not last.is_date:
                continue
            kept[-1] = Mention(
                start=last.start,
                end=max(last.end, item.end),
                text=last.text,
                named=last.named + extra,
                is_date=last.is_date or item.is_date,
            )
        else:
            kept.append(item)
    return kept
