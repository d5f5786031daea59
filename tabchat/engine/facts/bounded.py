"""Facts that fit into their bound: where the texts are too many, the most frequent ones of each column stay."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.records import MOST_BYTES, MOST_TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.facts.records import ColumnFacts, TableFacts

TEXT_BYTES: Final = MOST_BYTES * 3 // 4
"""Bytes that the texts of all columns may take; the rest is for everything else."""
PARTLY_BYTES: Final = TEXT_BYTES // 4
"""Bytes of those that texts may take which are not all of their columns': they are read at each start."""
LONGEST_TEXT: Final = 1_000
"""Characters of the longest text that is kept."""
_BESIDE: Final = 8
"""Bytes that a text takes besides its own: its count, and what parts them."""


def bounded(facts: TableFacts) -> TableFacts:
    """Return `facts` with at most `TEXT_BYTES` of texts; a column that loses one is not `complete` any more.

    Short columns come before long ones; those that are known in part have at most `PARTLY_BYTES`.
    """
    whole = _cut_all([column for column in facts.columns if column.complete], TEXT_BYTES - PARTLY_BYTES)
    partly = _cut_all([column for column in facts.columns if not column.complete], PARTLY_BYTES)
    kept = whole | partly
    return replace(facts, columns=tuple(kept[column.name] for column in facts.columns))


def _cut_all(columns: Sequence[ColumnFacts], room: int) -> dict[str, ColumnFacts]:
    """Share `room` among columns: what short ones do not need is for the long ones."""
    kept: dict[str, ColumnFacts] = {}
    order = sorted(columns, key=_size)
    for done, column in enumerate(order):
        kept[column.name] = cut = _cut(column, room // (len(order) - done))
        room -= _size(cut)
    return kept


def _cut(column: ColumnFacts, room: int) -> ColumnFacts:
    short = [place for place, text in enumerate(column.texts) if len(text) <= LONGEST_TEXT]
    sizes = accumulate(map(_bytes, (column.texts[place] for place in short)))
    places = [place for place, size in zip(short, sizes, strict=True) if size <= room][:MOST_TEXTS]
    if len(places) == len(column.texts):
        return column
    return replace(
        column,
        texts=tuple(column.texts[place] for place in places),
        counts=tuple(column.counts[place] for place in places) if column.counts else (),
        complete=False,
    )


def _size(column: ColumnFacts) -> int:
    return sum(map(_bytes, column.texts))


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace")) + _BESIDE
