"""Columns that no file has and that questions mean all the same: days from one date to another, a quantity at its price."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.records import ColumnFacts
from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.words.token import header_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.engine.facts.records import TableFacts

_MOST_DATES: Final = 4
"""Columns of dates from which on it is open which two are meant."""
_LONGEST: Final = 3_660
"""Days between the first cells of two columns, beyond which one is no end of the other: a birthday and a visit."""
_CAREER: Final = 3 * _LONGEST
"""Days that one column may span where the other has gaps: dates of hiring do, those of birth span more."""


SPANS: Final = {"d": ("day", 86_400.0), "h": ("hour", 3_600.0)}
"""Unit of a derived column of what lasts → its name and its seconds."""
_COUNTED: Final = frozenset({"quantity"})
_STOCKED: Final = frozenset({"stock"})
_UNITS: Final = frozenset({"kilograms", "grams", "tonnes", "litres", "metres", "hours"})
"""Groups of headers of units that things are sold by."""
_BRIEF: Final = dt.timedelta(days=2)
"""Distance between the first or the last moments of two columns up to which hours tell more than days."""
_TOTALS: Final = frozenset(
    {"revenue", "amount", "total", "gross", "sales", "cost", "paid", "payment", "charged"}
)
"""Groups of headers that say what a row comes to, so that nothing has to be multiplied."""


def with_derived(facts: TableFacts, groups_of: Callable[[str], frozenset[str]]) -> TableFacts:
    """Return the facts with the columns that plans can compute of those of the file; `groups_of` a header say what it is called."""
    found = (*_durations(facts), *_amounts(facts, groups_of))
    return replace(facts, columns=(*facts.columns, *found)) if found else facts


def _durations(facts: TableFacts) -> Iterator[ColumnFacts]:
    """Yield the days between two columns of dates, from the start to the end; of moments, what they are apart exactly."""
    dates = [
        column for column in facts.columns if column.kind.is_temporal and column.kind is not ColumnKind.TIME
    ]
    for one, other in combinations(dates if len(dates) <= _MOST_DATES else (), 2):
        if not _are_near(one, other, facts.row_count):
            continue
        ordered = _ordered(one, other, facts.row_count)
        if ordered is None:
            continue
        start, end = ordered
        timed = start.kind is end.kind is ColumnKind.DATETIME
        days = write.call("days_between", write.name(start.name), write.name(end.name))
        unit, formula = _lasting(start, end) if timed else ("d", days)
        yield ColumnFacts(
            name=f"{start.name} → {end.name}",
            kind=ColumnKind.NUMBER if timed else ColumnKind.INTEGER,
            unit=unit,
            exact=False,
            integral=not timed,
            operands=(start.name, end.name),
            formula=formula,
        )


def _are_near(one: ColumnFacts, other: ColumnFacts, rows: int | None) -> bool:
    """Tell whether one date can be the end of the other: what few rows came to may begin much later, but in no lifetime."""
    begun, ended = (_day(one.low), _day(other.low)), (_day(one.high), _day(other.high))
    if begun[0] is None or begun[1] is None:
        return False
    apart = abs((begun[1] - begun[0]).days)
    if ended[0] is not None and ended[1] is not None and any(c.filled != rows for c in (one, other)):
        between = max((begun[1] - ended[0]).days, (begun[0] - ended[1]).days, 0)
        longest = max((ended[0] - begun[0]).days, (ended[1] - begun[1]).days)
        apart = between if longest <= _CAREER else apart
    return apart <= _LONGEST


def _ordered(
    one: ColumnFacts, other: ColumnFacts, rows: int | None
) -> tuple[ColumnFacts, ColumnFacts] | None:
    """Return the start and the end of two columns; None where their bounds contradict one another and no gap explains it.

    What is still open has no end, so the last start may lie behind the last end.
    """
    first, last = _apart(one.low, other.low), _apart(one.high, other.high)
    # Where both begin on one day, the one with gaps has not ended everywhere, and the file tells it second or it ends later.
    gaps = (one.filled == rows) - (other.filled == rows) if first == 0 and rows is not None else 0
    if gaps < 0 < last:
        return None
    start, end = (one, other) if (first or gaps or last) >= 0 else (other, one)
    closed = end.filled is not None and end.filled == rows
    return None if first * last < 0 and closed else (start, end)


def _apart(one: object, other: object) -> int:
    """Return 1 where the other moment is the later one, -1 where it is the earlier one, else 0."""
    begun, ended = _moment(one), _moment(other)
    return (ended > begun) - (ended < begun)


def _lasting(start: ColumnFacts, end: ColumnFacts) -> tuple[str, str]:
    """Return the unit and the formula of the time between two moments: a ride of 40 minutes takes no calendar day."""
    pairs = ((start.low, end.low), (start.high, end.high))
    brief = all(abs(_moment(one) - _moment(other)) <= _BRIEF for one, other in pairs)
    days = f"{write.name(end.name)} - {write.name(start.name)}"
    return ("h", f"({days}) * 24") if brief else ("d", days)


def _amounts(facts: TableFacts, groups_of: Callable[[str], frozenset[str]]) -> Iterator[ColumnFacts]:
    """Yield what a row comes to, where it has one quantity and one price, and nothing says it."""
    groups = {column.name: groups_of(column.name) for column in facts.columns if column.kind.is_numeric}
    prices = [name for name, known in groups.items() if "price" in known]
    if len(prices) > 1 or not _TOTALS.isdisjoint(frozenset().union(*groups.values())):
        return
    for price in prices:
        quantities = _quantities(price, groups, groups_of)
        known = facts.column(price)
        if len(quantities) == 1:
            yield ColumnFacts(
                name=f"{quantities[0]} × {price}",
                kind=ColumnKind.NUMBER,
                unit=None if known is None else known.unit,
                exact=False,
                operands=(quantities[0], price),
                formula=f"{write.name(quantities[0])} * {write.name(price)}",
            )


def _quantities(
    price: str, groups: Mapping[str, frozenset[str]], groups_of: Callable[[str], frozenset[str]]
) -> list[str]:
    """Return the columns of how many, else of how much in stock, else of how much in the unit that a price is for: `price per kg`."""
    unit = _UNITS & frozenset().union(*map(groups_of, header_words(price)))
    for kinds in (_COUNTED, _STOCKED, unit):
        found = [name for name, known in groups.items() if kinds & known and name != price]
        if found:
            return found
    return []


def _moment(bound: object) -> dt.datetime:
    """Return a bound of a column as a moment; those of no date are all the same."""
    if isinstance(bound, dt.datetime):
        return bound.replace(tzinfo=None)
    return dt.datetime.combine(bound if isinstance(bound, dt.date) else dt.date.min, dt.time.min)


def _day(bound: object) -> dt.date | None:
    if isinstance(bound, dt.datetime):
        return bound.date()
    return bound if isinstance(bound, dt.date) else None
