"""The slots of an utterance: `{measure}`, `{category2}` …, and which links of a question may fill them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import Key
from tabchat.planner.links.link import LinkKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.planner.links import Lattice, Link, TableColumn

SLOT: Final = re.compile(r"\{([a-z]+)(\d*)\}")
_MOST_PERCENT: Final = 100
_UNITS: Final = ("unit.", "every.")


@record
class Filling:
    """What a slot was filled with; one of the fields is set."""

    shown: str
    column: str | None = None
    key: Key | None = None
    """A calendar unit."""
    number: float | None = None
    value: str | None = None
    """A cell."""


Fill: TypeAlias = "Callable[[Link, Lattice], Filling | None]"


def kind_of(slot: str) -> str:
    """Return the kind of a slot's name: `measure2` → measure."""
    return slot.rstrip("0123456789")


def fillings(
    slot: str, place: int, lattice: Lattice, weights: Mapping[str, float]
) -> Iterator[tuple[int, Filling]]:
    """Yield (end, filling) for the likeliest ways in which the words from `place` on can fill `slot`, the longest ones."""
    fill = KINDS[kind_of(slot)]
    found = [
        (link.end, sum(weights.get(name, 0.0) * value for name, value in link.features), filling)
        for link in lattice.starts[place]
        if (filling := fill(link, lattice)) is not None
    ]
    best = max((rank[:2] for rank in found), default=None)
    for end, score, filling in found:
        if best == (end, score):
            yield end, filling


def _column(accepts: Callable[[TableColumn], bool]) -> Fill:
    def fill(link: Link, lattice: Lattice) -> Filling | None:
        if link.kind is not LinkKind.COLUMN:
            return None
        column = lattice.vocabulary.columns[link.column]
        return Filling(shown=column.name, column=column.name) if accepts(column) else None

    return fill


def _unit(link: Link, _lattice: Lattice) -> Filling | None:
    if link.kind is not LinkKind.CONCEPT or not link.name.startswith(_UNITS):
        return None
    unit = link.name.partition(".")[2]
    return Filling(shown=unit, key=Key(unit=unit))


def _rows(link: Link, _lattice: Lattice) -> Filling | None:
    return Filling(shown="rows") if link.kind is LinkKind.ROWS else None


def _value(link: Link, lattice: Lattice) -> Filling | None:
    if link.kind is not LinkKind.CELL or len(link.texts) != 1 or not link.whole:
        return None
    column = lattice.vocabulary.columns[link.column].name
    return Filling(shown=link.texts[0], column=column, value=link.texts[0])


def _count(link: Link, _lattice: Lattice) -> Filling | None:
    quantity = link.quantity if link.kind is LinkKind.NUMBER else None
    if quantity is None or quantity.percent or quantity.value < 1 or not quantity.value.is_integer():
        return None
    return Filling(shown=f"{quantity.value:.0f}", number=quantity.value)


def _percent(link: Link, _lattice: Lattice) -> Filling | None:
    quantity = link.quantity if link.kind is LinkKind.NUMBER else None
    if quantity is None or not 0 < quantity.value <= _MOST_PERCENT:
        return None
    return Filling(shown=f"{quantity.value:g}%", number=quantity.value)


KINDS: Final[Mapping[str, Fill]] = {
    "measure": _column(lambda column: column.measure),
    "amount": _column(lambda column: column.measure and column.additive),
    "category": _column(lambda column: column.text or column.kind is ColumnKind.BOOLEAN),
    "text": _column(lambda column: column.text),
    "column": _column(lambda _column: True),
    "date": _column(lambda column: column.temporal or column.facts.years),
    "unit": _unit,
    "rows": _rows,
    "value": _value,
    "n": _count,
    "percent": _percent,
}
"""Kind of slot → what a link must be to fill it.

`measure` is a number column, `amount` one whose sum means something, `category` a text or yes/no column,
`text` a text column, `unit` a calendar unit, `rows` a word for the rows, `value` a cell, `n` a whole number,
`percent` a percentage.
"""
