"""What the grammar knows of the table while it reads one question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import folded_value, is_ordinal, is_row_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.evidence import Evidence
    from tabchat.planner.nodes import Node

_MONEY: Final = ("revenue", "amount", "gross")
"""What the columns mean that the sales of a group add up to."""


_MINUTES: Final = "min"
_LARGEST: Final = "max"
"""Beside a column of maxima, `min` is no unit of time."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Scene:
    """What the grammar knows of the table while it reads one question."""

    table: PlannerTable
    year_column: ColumnFacts | None
    """A whole-number column of years, in a table without dates."""
    meanings: dict[str, tuple[ColumnFacts, ...]]
    """Header meaning (`price`) → the columns that have it."""

    evidence: Evidence
    """What the headers show of things, persons and events."""
    identifiers: frozenset[int] = frozenset()
    """Columns of whole numbers that only name the rows, such as `order_id`."""

    countable: frozenset[int] = frozenset()
    """Columns of whole numbers that count things, such as `nights`: their number is the sum."""

    nonadditive: frozenset[str] = frozenset()
    """Words of headers whose figures are never added up: prices, rates."""

    magnitudes: Mapping[int, float] = field(default_factory=dict)
    """Columns whose headers say that their figures are thousands or more → how much one is."""

    spans: Mapping[int, float] = field(default_factory=dict)
    """Columns whose headers state a unit of time → its seconds."""

    def is_identifier(self, column: ColumnFacts | None) -> bool:
        """Tell whether a number column holds names of things; such numbers are never added up."""
        return column is not None and (column.index in self.identifiers or is_ordinal(self.table, column))

    def telling_words(self, column: ColumnFacts) -> set[str]:
        """Return the words of a header without a `min` that stands for minutes, as in `downtime_min`."""
        words = set(column.words)
        lasting = column.index in self.spans and len(column.words) > 1 and column.words[-1] == _MINUTES
        smallest = any(_LARGEST in other.words for other in self.table.columns)
        return words - {_MINUTES} if lasting and not smallest else words

    def counts(self, column: ColumnFacts) -> bool:
        """Tell whether the cells of a column are numbers of things, which can be added up."""
        return column.index in self.countable and not self.is_identifier(column)

    def is_year(self, column: ColumnFacts | None) -> bool:
        """Tell whether a column holds years as numbers."""
        return column is not None and self.year_column is not None and column.index == self.year_column.index

    better: frozenset[str] = frozenset()
    """Words of headers of which more is better: `revenue`, `rating`."""
    worse: frozenset[str] = frozenset()
    """Words of headers of which less is better: `defects`, `delay`."""
    namesakes: frozenset[int] = frozenset()
    """Text columns of names that other columns number: each row is one bearer, though names repeat."""
    dates: tuple[ColumnFacts, ...] = ()
    """Date columns of the events that the question mentions."""

    participles: tuple[str, ...] = ()
    """Endings of headers that say what happened to a row: `survived`."""

    ways: tuple[frozenset[str], ...] = ()
    """Words of cells for what came in, and for what went out."""
    located: tuple[str, ...] = ()
    """Endings of a noun behind `на` that says where something is, not what it is counted by."""
    mass: tuple[str, ...] = ()
    """Endings of a noun that stands in the singular after `how many`: what is measured, not counted."""
    stated: tuple[str, ...] = ()
    """Endings of words that are no such nouns although they end like them."""

    def is_participle(self, column: ColumnFacts) -> bool:
        """Tell whether a header says what happened to a row."""
        return bool(self.participles) and column.words[-1].endswith(self.participles)

    def repeats(self, column: ColumnFacts) -> bool:
        """Tell whether the cells of a column name groups of rows, rather than the rows."""
        return not is_row_label(self.table, column)

    def directions(self) -> tuple[ColumnFacts, ...]:
        """Return the text columns that say which way something moved, with cells for both ways."""
        found = []
        for column in self.table.columns:
            cells = [folded_value(cell) for cell in self.table.values().get(column.index, ())]
            if all(any(set(cell) & words for cell in cells) for words in self.ways):
                found.append(column)
        return tuple(found) if self.ways else ()

    def holds_sums_of(self, node: Node) -> bool:
        """Tell whether a noun such as `sales` may as well ask for a column of money as for the number of rows."""
        return node.has("summed_noun") and any(self.meanings.get(name) for name in _MONEY)

    def is_participle_at(self, column: ColumnFacts, place: int) -> bool:
        """Tell whether one word of a header says what happened to a row: `Assigned To`."""
        return bool(self.participles) and column.words[place].endswith(self.participles)

    def meant(self, meaning: str) -> ColumnFacts | None:
        """Return the only column of a meaning."""
        found = self.meanings.get(meaning, ())
        return found[0] if len(found) == 1 else None
