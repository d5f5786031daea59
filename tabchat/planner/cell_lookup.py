"""Cells that the facts of a table do not hold, looked up for the words of a question that nothing explains."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.types import ColumnKind
from tabchat.planner.words.token import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tabchat.engine.facts import ColumnFacts, TableFacts

CellLookup: TypeAlias = "Callable[[str, Sequence[str], Sequence[str]], Sequence[tuple[str, str]]]"
"""(table, columns, texts) → (column, cell) of the cells that are one of the texts, whatever their case."""
_LONGEST: Final = 6
"""Words of a question that may be one cell."""


def with_cells(
    question: str, unknown: Sequence[str], facts: TableFacts, lookup: CellLookup | None
) -> TableFacts | None:
    """Return the facts with the cells that `unknown` words of the question name; None when there is none to add.

    Only columns whose texts the facts hold in part are looked into.
    """
    partial = [
        column.name for column in facts.columns if column.kind is ColumnKind.TEXT and not column.complete
    ]
    texts = spans(question, unknown)
    if lookup is None or not partial or not texts:
        return None
    found: dict[str, list[str]] = {}
    for name, cell in lookup(facts.name, partial, texts):
        found.setdefault(name, []).append(cell)
    columns = tuple(_widened(column, found.get(column.name, ())) for column in facts.columns)
    return None if columns == facts.columns else replace(facts, columns=columns)


def _widened(column: ColumnFacts, cells: Iterable[str]) -> ColumnFacts:
    known = frozenset(column.texts)
    new = tuple(cell for cell in dict.fromkeys(cells) if cell not in known)
    # How many rows a cell that was looked up has is not known.
    return replace(column, texts=(*column.texts, *new), counts=()) if new else column


def spans(question: str, unknown: Sequence[str]) -> tuple[str, ...]:
    """Return every stretch of up to six words of a question that has one of the `unknown` words."""
    words = tokenize(question)
    missed = [place for place, word in enumerate(words) if word.text in unknown]
    found = [words[place].text for place in missed]
    for place in missed:
        for start in range(max(0, place - _LONGEST + 1), place + 1):
            ends = range(place, min(len(words), start + _LONGEST))
            found += [question[words[start].start : words[end].end] for end in ends]
    return tuple(dict.fromkeys(found))
