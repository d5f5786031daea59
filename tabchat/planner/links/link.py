"""One thing that a span of a question can stand for."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.planner.words import Quantity, TimeSpan

Features: TypeAlias = "tuple[tuple[str, float], ...]"

_REMOTE: Final = frozenset({"column.kin", "near.behind"})
OF_THE_TABLE: Final = ("entity.", "header.", "country.", "measure.", "cell.")
"""Beginnings of concepts that mean nothing unless the table has what they name."""
_LOOSE: Final = _REMOTE | {"column.missing", "column.synonym"}


class LinkKind(StrEnum):
    """What a span stands for."""

    COLUMN = "column"
    CELL = "cell"
    ROWS = "rows"
    CONCEPT = "concept"
    NUMBER = "number"
    TIME = "time"


@record
class Link:
    """A span of words (end exclusive) and what it may mean, with the features of how well it fits."""

    start: int
    end: int
    kind: LinkKind
    name: str = ""
    """Of a concept; of rows: how they are named (`noun`, `generic`, `entity`, `label`)."""
    column: int = -1
    """Place of the column, of a column or a cell."""
    texts: tuple[str, ...] = ()
    """The cells, as the file writes them; several where a part of each was named."""
    whole: bool = True
    """Whether all words of the cell were said."""
    quantity: Quantity | None = None
    time: TimeSpan | None = None
    features: Features = ()

    @property
    def span(self) -> tuple[int, int]:
        """Place of its first word, and that behind its last one."""
        return self.start, self.end

    @cached_property
    def signs(self) -> frozenset[str]:
        """Names of its features."""
        return frozenset(name for name, _ in self.features)

    @property
    def is_near(self) -> bool:
        """Whether nothing but its vector tells what the word means here."""
        return "near.behind" in self.signs

    @property
    def is_remote(self) -> bool:
        """Whether the word may as well mean something that the table does not have."""
        return not _REMOTE.isdisjoint(self.signs)

    @property
    def is_loose(self) -> bool:
        """Whether a column was named by a part of its header, by a synonym, or by a word of one root."""
        return not _LOOSE.isdisjoint(self.signs)


PERSONS: Final = ("entity.person", "entity.person.employee")
"""Words for whoever rows may be about, and for those who work."""
CALLED: Final = frozenset({"noun", "label", "table"})
"""Names of links of words by which the table itself calls its rows."""


def cell_link(
    start: int, end: int, column: int, texts: Sequence[str], features: Features, *, whole: bool = True
) -> Link:
    """Return the link of a span to cells of a column."""
    return Link(
        start=start,
        end=end,
        kind=LinkKind.CELL,
        column=column,
        texts=tuple(texts),
        whole=whole,
        features=features,
    )


def told(features: Mapping[str, float]) -> Features:
    """Return the features that say something: those that are not 0."""
    return tuple((name, float(value)) for name, value in features.items() if value)


@cache
def forms_of(name: str) -> frozenset[str]:
    """Return what names a concept: its name, and each beginning of it that ends in a point: `scale.`, `scale.more.`."""
    return frozenset({name, *(name[: at + 1] for at, letter in enumerate(name) if letter == ".")})


def is_named(name: str, names: Iterable[str]) -> bool:
    """Tell whether a concept is one of `names`, or begins with one that ends in a point."""
    return not forms_of(name).isdisjoint(names)


def is_vague(link: Link) -> bool:
    """Tell whether a link leaves open what its word means in this table."""
    if link.kind is LinkKind.CONCEPT:
        return link.name == "stop.deed" or link.name.startswith(OF_THE_TABLE)
    return link.name == "stranger" or "column.kin" in link.signs
