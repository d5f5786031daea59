"""Mentions that meet: two in one place become one, and a quarter takes the year of its column."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.mentions import Mention, Named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.engine.types import Value

_YEAR: Final = 4


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


def within_year(item: Mention, years: Sequence[Mention]) -> Mention:
    """Return the quarter or month that a row names, of the year that the header of its cell names."""
    wide = {
        (named.view, named.column): named.wanted
        for year in years
        for named in year.named
        if isinstance(named.wanted, frozenset)
    }
    if not wide or not item.is_date:
        return item
    return replace(
        item, named=tuple(_moved(named, wide.get((named.view, named.column))) for named in item.named)
    )


def _moved(named: Named, year: frozenset[Value] | None) -> Named:
    if year is None or not isinstance(named.wanted, frozenset) or named.wanted <= year:
        return named
    ends = {str(value)[_YEAR:] for value in named.wanted}
    return replace(named, wanted=frozenset(value for value in year if str(value)[_YEAR:] in ends))
