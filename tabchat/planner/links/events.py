"""Verbs of a question → the dates of what they tell: of what came in, the date on which it was received.

Dates and states tell the same of rows: what has a date of closing is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Concept, Sentence

_NOUNS: Final = frozenset({"order", "date", "test", "return", "reserve"})
"""Events whose words are nouns as well: `orders` are rows."""
_OF_ALL: Final = frozenset({"arrive", "create", "place", "open"})
"""What every row has done, so that it tells nothing but when."""
_STATE: Final = "open"
_DONE: Final = "ed"
"""What was opened in April was so then; what is `open in April`, `відкриті`, `открыты`, may have been opened before."""
_EVENT: Final = "event."
_ROOT: Final = 5
"""Letters by which a date is known to be that of what rows are called."""
FEW: Final = 20
"""Different cells up to which those of a column may be states."""
_STATE_ROOT: Final = 4
"""Letters by which a state is known in the name of its date: `closed`, `closed_at`; `решена`, `Дата решения`."""


def default_dates_of(vocabulary: Vocabulary) -> tuple[TableColumn, ...]:
    """Return the dates that may be meant where none is named.

    The one that is called like the rows (returns are of their `return_date`), or on which every row began, where others have
    gaps; when something is due is no date of what happened.
    """
    rows, due = vocabulary.facts.row_count, vocabulary.evidence("due")
    personal = vocabulary.evidence("birth")
    if not vocabulary.holds_people and any(not column.kept_unique for column in vocabulary.people):
        # Who stands in several rows signed up once, and who is paid each month was hired once.
        paid = any("salary" in column.kinds for column in vocabulary.measures)
        personal |= vocabulary.evidence("register") | (vocabulary.evidence("hire") if paid else frozenset())
    # The day on which somebody was born is none of what rows are of.
    dates = (
        tuple(column for column in vocabulary.dates if personal.isdisjoint(column.words)) or vocabulary.dates
    )
    happened = tuple(column for column in dates if due.isdisjoint(column.words))
    dates = (*happened, *(column for column in dates if column not in happened))
    # Payments are not of when they were due.
    openings = tuple(column for column in vocabulary.openings if column in happened)
    nouns = {noun[:_ROOT] for noun in vocabulary.facts.row_nouns if len(noun) >= _ROOT}
    own = [column for column in dates if any(word[:_ROOT] in nouns for word in column.words)]
    if len(own) == 1 and own[0] not in openings:
        return tuple(own) if own[0].facts.filled == rows else dates
    later = [column for column in happened if column not in openings]
    gaps = all(column.facts.filled is not None and column.facts.filled != rows for column in later)
    is_one = len(openings) == 1 and openings[0].facts.filled == rows
    others = bool(later) or len(happened) < len(dates)
    return openings if is_one and others and gaps else dates


class EventDates:
    """The dates of a table, by what happened on them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._dates = [column for column in vocabulary.columns if column.dated]
        due = vocabulary.evidence("due")
        self._due = {column.place for column in self._dates if not due.isdisjoint(column.words)}
        self._known: dict[str, TableColumn | None] = {}

    def named(
        self, sentence: Sentence, said: Sequence[tuple[int, int, int]]
    ) -> Iterator[tuple[Concept, TableColumn]]:
        """Yield the verbs that tell of one date, unless a header says another column there, or begins before.

        `said` is (first word, word behind the last one, place of the column) of what headers name.
        """
        for concept in sentence.concepts if self._dates else ():
            _, happened, deed = concept.name.partition(_EVENT)
            if not happened or deed in _NOUNS or (deed in _OF_ALL and not sentence.times):
                continue
            if deed == _STATE and not sentence.words[concept.start].norm.endswith(_DONE):
                continue
            column = self._of(deed)
            if column is not None and all(
                start == concept.start and (place == column.place or place in self._due)
                for start, end, place in said
                if start <= concept.start < end
            ):
                yield concept, column

    def _of(self, deed: str) -> TableColumn | None:
        """Return the only date whose header says what happened, or with which everything began."""
        if deed not in self._known:
            found = self._said(deed)
            # What was received in May may be what was ordered then, or what was delivered.
            if not found and deed in _OF_ALL and not (deed == "arrive" and self._said("deliver")):
                found = list(self._vocabulary.openings)
            self._known[deed] = found[0] if len(found) == 1 else None
        return self._known[deed]

    def _said(self, deed: str) -> list[TableColumn]:
        words = self._vocabulary.evidence(deed)
        found = [column for column in self._dates if not words.isdisjoint(column.words)]
        if not found and deed == "leave":
            found = self._ends_of_work()
        # A date of return is when it was returned, and the term of return when it should be.
        return [column for column in found if column.place not in self._due] or found

    def _ends_of_work(self) -> list[TableColumn]:
        """Return the dates on which the work of some of the staff came to an end: they have left."""
        vocabulary = self._vocabulary
        words, staff = vocabulary.evidence("end"), vocabulary.evidence("person.employee")
        if staff.isdisjoint(vocabulary.header_stock) or not any(one.kept_unique for one in vocabulary.people):
            return []
        return [one for one in self._dates if vocabulary.lacks(one) and not words.isdisjoint(one.words)]


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
    roots = {word[:_STATE_ROOT] for word in date.words if len(word) >= _STATE_ROOT}
    for text, count in zip(facts.texts, facts.counts, strict=False):
        if count == date.facts.filled and fold(text)[:_STATE_ROOT] in roots:
            yield Condition(column=column.name, operator=Operator.EQ, values=(text,))
