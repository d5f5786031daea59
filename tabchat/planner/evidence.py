"""What the headers of a table show of the things and events that its rows record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.catalog import is_daily, is_row_label, table_words
from tabchat.planner.inflection import is_family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.inflection import Inflection
    from tabchat.planner.lexicon import Lexicon

_PEOPLE: Final = "who"
"""The name under which lexicons list the headers that name persons."""
_LINES: Final = "sale"
"""What each row of a receipt or an order is, too."""
_THINGS: Final = "product"
"""What has a name of its own, which rows of sales repeat."""
_NAMED: Final = "named"
"""The same of headers over names of persons of any role."""
_YEARS: Final = (1000, 2300)
_NAMESAKES: Final = 0.8
"""Different names for each row from which on repeated ones are namesakes, not rows of one person."""

_DATED: Final = ("found", "build", "open", "close", "birth", "death", "release", "publish")
"""Events whose one-word header (`Opened`) stands over years when the numbers are such."""


_OUTCOMES: Final = (
    *("pay", "close", "ship", "deliver", "resolve", "cancel", "return", "complete", "update"),
    *("expire", "renew", "leave", "inspect", "approve", "reject"),
)
"""Events that only some rows come to; without a date of them, their word asks for more than the table shows."""

_BEGINNINGS: Final = frozenset(
    {"found", "build", "open", "release", "publish", "create", "start", "complete"}
)
"""Events that stand for one another where a thing begins to be there."""


class Evidence:
    """The signs of things and events in one table, by the words that the lexicons list for each."""

    def __init__(self, table: PlannerTable, lexicons: Sequence[Lexicon], inflection: Inflection) -> None:
        self._table = table
        self._inflection = inflection
        self._listed = _listed(lexicons)
        self._naming = frozenset().union(*(lexicon.naming for lexicon in lexicons))
        self._identifying = frozenset().union(*(lexicon.identifying for lexicon in lexicons))
        self._years = frozenset(
            word
            for lexicon in lexicons
            for word, *more in lexicon.phrases
            if not more and _is_year(lexicon, word)
        )
        self._own = table_words(table)
        self._by_stem: dict[str, list[int]] = {}
        for column in table.columns:
            for stem in self._stems_of(column.base):
                self._by_stem.setdefault(stem, []).append(column.index)
        self._dated = {column.index for name in _DATED for column in self.columns(name)}
        self._firsts = frozenset(
            word
            for column in table.columns
            for word in column.words[:1]
            if any({"rel.first", "rel.last"} & lexicon.find((word,)) for lexicon in lexicons)
        )
        participles = tuple(ending for lexicon in lexicons for ending in lexicon.participles)
        self._dated |= {
            column.index
            for column in table.columns
            if participles and column.words and column.words[-1].endswith(participles)
        }
        self._dates = {
            name: self._stems_of(frozenset().union(*(lexicon.dates.get(name, ()) for lexicon in lexicons)))
            for name in ("first", "later")
        }
        self._known: dict[str, bool] = {}

    def shows(self, concept: str) -> bool:
        """Tell whether the table has what `entity.order` or `event.hire` stands for, once in each row."""
        if concept not in self._known:
            self._known[concept] = self._shows(concept)
        return self._known[concept]

    def _shows(self, concept: str) -> bool:
        kind, _, name = concept.partition(".")
        if concept == "entity.day":
            return is_daily(self._table)
        if concept == "entity.rows":
            return True
        columns = self.columns(name)
        if kind == "event" and name in _OUTCOMES:
            return any(column.kind.is_temporal for column in columns)
        if not columns and not self._is_named(name):
            return False
        return kind != "entity" or not self._repeats(name, columns)

    def _repeats(self, name: str, columns: Sequence[ColumnFacts]) -> bool:
        """Tell whether a column says which thing a row is about, and one thing has several rows."""
        if name == _LINES:
            return False
        if name == "person":
            people = self.people()
            if len(people) != 1:
                return False
            spread = self._table.spread(people[0])
            return spread.distinct < _NAMESAKES * spread.filled
        names = [column for column in columns if column.kind is ColumnKind.TEXT]
        if name == _THINGS and names and not any(is_row_label(self._table, column) for column in names):
            return True
        identifiers = (column for column in columns if set(column.words) & self._identifying)
        return not all(is_row_label(self._table, column) for column in identifiers)

    def columns(self, name: str) -> tuple[ColumnFacts, ...]:
        """Return the columns whose headers show a thing or an event."""
        found = {index for stem in self._wanted(name) for index in self._by_stem.get(stem, ())}
        return tuple(self._table.columns[index] for index in sorted(found))

    def _is_named(self, name: str) -> bool:
        return bool(self._stems_of(self._own) & self._wanted(name))

    def times(self, name: str) -> tuple[ColumnFacts, ...]:
        """Return the columns that say when an event was: dates, else whole numbers that are years."""
        columns = self.columns(name)
        dates = tuple(column for column in columns if column.kind.is_temporal)
        return dates or tuple(column for column in columns if self.holds_years(column))

    def families(self, word: str) -> frozenset[str]:
        """Return the families of words of one root that a word belongs to."""
        return frozenset(stem for stem in self._inflection.stems(word) if is_family(stem))

    def namesakes(self) -> frozenset[int]:
        """Return the text columns of names whose bearers another column tells apart: `Candidate` beside `Candidate ID`."""
        found: set[int] = set()
        for column in self._table.columns:
            words = set(column.base)
            if not words & self._identifying or len(words) == 1:
                continue
            called = self._stems_of(frozenset(words - self._identifying))
            named = [other for other in self._table.columns if self._is_called(other, called)]
            if named and is_row_label(self._table, column):
                found.update(other.index for other in named)
        return frozenset(found)

    def _is_called(self, column: ColumnFacts, stems: frozenset[str]) -> bool:
        words = frozenset(word for word in column.base if word not in self._naming)
        if column.kind is not ColumnKind.TEXT or len(words) != 1 or set(column.base) & self._identifying:
            return False
        return bool(self._stems_of(words) & stems)

    def first_date(self) -> ColumnFacts | None:
        """Return the one date on which rows begin, where all the others are of what became of them later."""
        dates = [column for column in self._table.columns if column.kind.is_temporal]
        stems = {column.index: self._stems_of(column.base) for column in dates}
        first = [column for column in dates if not stems[column.index] & self._dates["later"]]
        own = [column for column in dates if stems[column.index] & self._stems_of(self._own)]
        if len(own) == 1:
            # The day of a return, in a table of returns, is where they begin.
            return own[0]
        begins = len(first) == 1 and (
            stems[first[0].index] & self._dates["first"] or self._is_plain(first[0])
        )
        return first[0] if begins else None

    def _is_plain(self, column: ColumnFacts) -> bool:
        """Tell whether a header says no more than that it is a date."""
        return len(column.words) == 1 and column in self.columns("date")

    def holds_years(self, column: ColumnFacts) -> bool:
        """Tell whether a column of whole numbers is one of years, by its name and its numbers."""
        dated = set(column.words) & self._years or (self._is_alone(column) and column.index in self._dated)
        if column.kind is not ColumnKind.INTEGER or not dated:
            return False
        low, high = self._table.extremes(column)
        return isinstance(low, int) and isinstance(high, int) and _YEARS[0] <= low and high <= _YEARS[1]

    def may_tell(self, column: ColumnFacts, event: str) -> bool:
        """Tell whether years under the name of an event can be those of another one: `built` beside `Opened`."""
        if column.index not in self._dated or set(column.words) & self._years:
            return True
        return event in _BEGINNINGS or column in self.columns(event)

    def _is_alone(self, column: ColumnFacts) -> bool:
        """Tell whether a header is one word, or `first` and one word: `First published`."""
        return len(column.words) == 1 or (len(column.words) == 2 and column.words[0] in self._firsts)  # noqa: PLR2004 - two words

    def people(self) -> tuple[ColumnFacts, ...]:
        """Return the text columns that name persons."""
        found = [column for column in self.columns(_PEOPLE) if column.kind is ColumnKind.TEXT]
        return tuple(column for column in found if not set(column.words) & self._identifying)

    def stems(self, name: str) -> frozenset[str]:
        """Return the stems of the header words that show a thing."""
        return self._wanted(name)

    def named(self) -> tuple[ColumnFacts, ...]:
        """Return the text columns whose cells are names of persons, whoever they are to the rows."""
        found = [column for column in self.columns(_NAMED) if column.kind is ColumnKind.TEXT]
        return tuple(column for column in found if not set(column.words) & self._identifying)

    def _wanted(self, name: str) -> frozenset[str]:
        return self._stems_of(self._listed.get(name, frozenset()))

    def _stems_of(self, words: Sequence[str] | frozenset[str]) -> frozenset[str]:
        return frozenset().union(*(self._inflection.stems(word) for word in words))


def _listed(lexicons: Sequence[Lexicon]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for lexicon in lexicons:
        for name, words in lexicon.evidence.items():
            found[name] = found.get(name, frozenset()) | words
    return found


def _is_year(lexicon: Lexicon, word: str) -> bool:
    return "unit.year" in lexicon.find((word,))
