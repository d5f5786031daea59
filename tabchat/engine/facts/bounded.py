"""Facts that fit into their bound: where the texts are too many, the most frequent ones of each column stay."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.records import MOST_BYTES, MOST_TEXTS

if TYPE_CHECKING:
    from tabchat.engine.facts.records import ColumnFacts, TableFacts

TEXT_BYTES: Final = MOST_BYTES * 3 // 4
"""Bytes that the texts of all columns may take; the rest is for everything else."""
LONGEST_TEXT: Final = 1_000
"""Characters of the longest text that is kept."""
_BESIDE: Final = 8
"""Bytes that a text takes besides its own: its count, and what parts them."""


def bounded(facts: TableFacts) -> TableFacts:
    """Return `facts` with at most `TEXT_BYTES` of texts; a column that loses one is not `complete` any more.

    Columns whose texts are all there come before those that are known in part, and short ones before long ones.
    """
    room = TEXT_BYTES
    kept: dict[str, ColumnFacts] = {}
    order = sorted(facts.columns, key=lambda column: (not column.complete, _size(column)))
    for done, column in enumerate(order):
        share = room // (len(order) - done)
        kept[column.name] = cut = _cut(column, share)
        room -= _size(cut)
    return replace(facts, columns=tuple(kept[column.name] for column in facts.columns))


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
