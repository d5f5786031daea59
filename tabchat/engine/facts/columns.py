"""What a column's measures say of it: whether it numbers the rows, holds years, or figures with notes."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.figures import figures_of
from tabchat.engine.facts.nouns import folded_words
from tabchat.engine.facts.records import ColumnFacts
from tabchat.engine.months import unit_of
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.facts.records import Bound, Figures
    from tabchat.engine.types import Column, Value

LONGEST_BOUND: Final = 200
"""Characters of the smallest and the greatest text that are kept."""
_FEWEST_NUMBERED: Final = 5
"""Rows from which numbers in a row without a gap, from 0 or 1, are no accident."""
_FEWEST_RECEIPTS: Final = 20
"""The same of numbers that begin anywhere."""
_YEARS: Final = (1000, 2200)
"""Whole numbers that may be years where the header says that they are."""
_PLAIN_YEARS: Final = (1800, 2100)
"""Whole numbers that are years even if the header does not say so."""
_YEAR_WORDS: Final = frozenset(
    (
        *("year", "years", "yr", "fy", "рік", "року", "рока", "год", "года", "année", "jahr", "año"),
        *("born", "built", "established", "founded", "published"),
        *("видано", "засновано", "збудовано", "опубліковано"),
        *("издано", "основано", "построено", "опубликовано"),
    )
)
"""Words of headers whose whole numbers are years."""


@record
class Measures:
    """What was counted of one column."""

    filled: int | None = None
    distinct: int | None = None
    sketched: bool = False
    """Whether `distinct` is an estimate."""
    low: Value = None
    high: Value = None
    ascending: bool = False
    integral: bool = False
    texts: Mapping[str, int] | None = None
    """Text → its rows; None for a column of no texts."""
    complete: bool = True
    """Whether `texts` are all that there are, and their rows those of the whole table."""
    average_length: float | None = None
    figures: Figures | None = None
    """How texts that were looked at elsewhere are read as figures; `texts` are judged when they are complete."""


def column_facts(
    column: Column, found: Measures, row_count: int | None, *, exact: bool = True
) -> ColumnFacts:
    """Return the facts of `column`; not `exact` for measures of some of the rows."""
    known = exact and not found.sketched
    unique = known and row_count is not None and found.filled == found.distinct == row_count > 0
    texts = _by_count(found.texts or {})
    complete = column.kind is not ColumnKind.TEXT or (exact and found.complete)
    figures = found.figures
    if figures is None and column.kind is ColumnKind.TEXT and found.complete:
        figures = figures_of(texts, column.name)
    return ColumnFacts(
        name=column.name,
        kind=column.kind,
        unit=column.unit,
        filled=found.filled,
        distinct=found.distinct,
        exact=known,
        low=bound(found.low),
        high=bound(found.high),
        ascending=found.ascending,
        unique=unique,
        numbers_rows=unique and _numbers_rows(column, found, row_count or 0),
        texts=texts,
        counts=tuple((found.texts or {})[text] for text in texts) if exact and found.complete else (),
        complete=complete,
        figures=figures.decimal if figures is not None else None,
        noted=figures,
        years=_holds_years(column, found),
        span=unit_of(texts) if column.kind is ColumnKind.TEXT and found.complete else None,
        integral=column.kind is ColumnKind.INTEGER or (column.kind is ColumnKind.NUMBER and found.integral),
        average_length=found.average_length,
    )


def bound(value: Value) -> Bound:
    """Return a cell as the end of a column: a text cut, a decimal as a number; None for what has no order."""
    match value:
        case str():
            return value[:LONGEST_BOUND]
        case Decimal() if value.is_finite():
            return int(value) if value == value.to_integral_value() else float(value)
        case float() if value - value == 0:
            return value
        case int() if not isinstance(value, bool):
            return value
        case dt.datetime() | dt.date() | dt.time():
            return value
        case _:
            return None


def _by_count(texts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(texts, key=lambda text: (-texts[text], text)))


def _numbers_rows(column: Column, found: Measures, row_count: int) -> bool:
    if column.kind is not ColumnKind.INTEGER or row_count < _FEWEST_NUMBERED:
        return False
    if not isinstance(found.low, int) or not isinstance(found.high, int):
        return False
    if found.low not in {0, 1} and row_count < _FEWEST_RECEIPTS:
        return False
    return found.high - found.low + 1 == row_count


def _holds_years(column: Column, found: Measures) -> bool:
    low, high = found.low, found.high
    if column.kind is not ColumnKind.INTEGER or not isinstance(low, int) or not isinstance(high, int):
        return False
    if _YEARS[0] <= low <= high <= _YEARS[1] and _YEAR_WORDS & set(folded_words(column.name)):
        return True
    return column.unit is None and _PLAIN_YEARS[0] <= low <= high <= _PLAIN_YEARS[1]
