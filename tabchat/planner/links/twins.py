"""Dates and states that tell the same of rows: what has a date of closing is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary

FEW: Final = 20
"""Different cells up to which those of a column may be states."""
_ROOT: Final = 4
"""Letters by which a state is known in the name of its date: `closed`, `closed_at`; `решена`, `Дата решения`."""


def twins_of(vocabulary: Vocabulary) -> Mapping[str, Condition]:
    """Return, for dates that some rows have, the condition of the one state that is called alike, if as many rows are in it."""
    rows, found = vocabulary.facts.row_count, {}
    for date in vocabulary.columns:
        if not date.dated or not date.facts.exact or date.facts.filled in {None, rows}:
            continue
        states = [state for column in vocabulary.columns for state in _states(column, date, rows)]
        if len(states) == 1:
            found[date.name] = states[0]
    return found


def _states(column: TableColumn, date: TableColumn, rows: int | None) -> Iterator[Condition]:
    """Yield a condition for each cell of a column without gaps that is called like a date, of as many rows."""
    facts = column.facts
    if not facts.complete or not facts.exact or facts.filled != rows or len(facts.texts) > FEW:
        return
    roots = {word[:_ROOT] for word in date.words if len(word) >= _ROOT}
    for text, count in zip(facts.texts, facts.counts, strict=False):
        if count == date.facts.filled and fold(text)[:_ROOT] in roots:
            yield Condition(column=column.name, operator=Operator.EQ, values=(text,))
