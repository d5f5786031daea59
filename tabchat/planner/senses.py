"""What a stretch of a question can mean: the values that the linker gives to the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt

    from tabchat.planner.catalog import ColumnFacts


class SenseKind(StrEnum):
    """The families of meaning."""

    CONCEPT = "concept"
    COLUMN = "column"
    VALUE = "value"
    NUMBER = "number"
    DATE = "date"
    QUOTED = "quoted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Sense:
    """One meaning of one stretch of a question."""

    kind: SenseKind
    cost: float = 0.0
    """0 for what was written out; more for inflections, parts of a name, synonyms and typos."""
    concepts: frozenset[str] = frozenset()
    column: ColumnFacts | None = None
    """The column, or the column that holds the value."""
    value: str | None = None
    inflected: bool = False
    """True when the value was written in another form (a plural, a case)."""
    timed: bool = False
    """True for a value whose word also is one of the calendar, such as a shift called `day`."""
    number: float | None = None
    percent: bool = False
    date: dt.date | None = None

    def has(self, *concepts: str) -> bool:
        """Tell whether any of `concepts` is meant; a name that ends in `.` stands for its family."""
        return any(
            concept in self.concepts
            or (concept.endswith(".") and any(item.startswith(concept) for item in self.concepts))
            for concept in concepts
        )

    def starting(self, prefix: str) -> tuple[str, ...]:
        """Return every concept of a family, without its prefix, sorted."""
        return tuple(sorted(item.removeprefix(prefix) for item in self.concepts if item.startswith(prefix)))

    def family(self, prefix: str) -> str | None:
        """Return the first concept of a family, without its prefix."""
        found = sorted(item for item in self.concepts if item.startswith(prefix))
        return found[0].removeprefix(prefix) if found else None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Item:
    """A stretch of the question with everything that it can mean."""

    start: int
    """First token."""
    end: int
    """One past the last token."""
    text: str
    """As it was typed."""
    senses: tuple[Sense, ...]

    @property
    def unknown(self) -> bool:
        """True when nothing is known that it could mean."""
        return all(sense.kind is SenseKind.UNKNOWN for sense in self.senses)
