"""The slots of an utterance: `{measure}`, `{category2}` …, which words of a question may fill them, and with what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.types import ColumnKind
from tabchat.planner.catalog import is_row_label
from tabchat.planner.nodes import Key
from tabchat.planner.senses import SenseKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.scene import Scene
    from tabchat.planner.senses import Item, Sense

Fill: TypeAlias = "Callable[[Sense, Item, Surroundings], Filling | None]"
SLOT: Final = re.compile(r"\{([a-z]+)(\d*)\}")
MOST_PERCENT: Final = 100


@record
class Filling:
    """What a slot was filled with; one of the fields is set."""

    shown: str
    column: ColumnFacts | None = None
    key: Key | None = None
    """A calendar unit."""
    number: float | None = None
    value: str | None = None
    """A cell value, of `column`."""


@record
class Surroundings:
    """What decides whether a word fits a slot, besides the word."""

    scene: Scene
    nonadditive: frozenset[str]
    """Words of headers whose columns are not summed."""
    percent: bool = False
    """True when the utterance has a word for percent."""


def kind_of(slot: str) -> str:
    """Return the kind of a slot's name: `measure2` → measure."""
    return slot.rstrip("0123456789")


def fillings(slot: str, item: Item, around: Surroundings) -> list[tuple[float, Filling]]:
    """Return (cost, filling) for each way in which `item` can fill `slot`."""
    fill = KINDS[kind_of(slot)]
    found = [
        (sense.cost, filling) for sense in item.senses if (filling := fill(sense, item, around)) is not None
    ]
    return sorted(found, key=lambda pair: pair[0])


def _column(accepts: Callable[[ColumnFacts, Surroundings], bool]) -> Fill:
    def fill(sense: Sense, _item: Item, around: Surroundings) -> Filling | None:
        column = sense.column
        if sense.kind is not SenseKind.COLUMN or column is None or not accepts(column, around):
            return None
        return Filling(shown=column.name, column=column)

    return fill


def _is_measure(column: ColumnFacts, around: Surroundings) -> bool:
    scene = around.scene
    return column.kind.is_numeric and not scene.is_identifier(column) and not scene.is_year(column)


def _is_amount(column: ColumnFacts, around: Surroundings) -> bool:
    additive = column.unit != "%" and not set(column.words) & around.nonadditive
    return additive and _is_measure(column, around)


def _is_category(column: ColumnFacts, _around: Surroundings) -> bool:
    return column.kind in {ColumnKind.TEXT, ColumnKind.BOOLEAN}


def _is_date(column: ColumnFacts, around: Surroundings) -> bool:
    return column.kind.is_temporal or around.scene.is_year(column)


def _unit(sense: Sense, _item: Item, _around: Surroundings) -> Filling | None:
    name = sense.family("unit.") or sense.family("every.")
    return Filling(shown=name, key=Key(unit=name)) if name and sense.kind is SenseKind.CONCEPT else None


def names_rows(sense: Sense | None, scene: Scene) -> bool:
    """Tell whether a word is a noun for the rows of the table, or the column that names them."""
    if sense is None:
        return False
    if sense.kind is SenseKind.CONCEPT:
        return sense.has("rows", "entity.") and all(
            concept.startswith(("rows", "entity.", "event.", "verb.")) for concept in sense.concepts
        )
    named = (
        sense.kind is SenseKind.COLUMN and sense.column is not None and sense.column.kind is ColumnKind.TEXT
    )
    return named and sense.column is not None and is_row_label(scene.table, sense.column)


def _rows(sense: Sense, item: Item, around: Surroundings) -> Filling | None:
    return Filling(shown=item.text, number=0) if names_rows(sense, around.scene) else None


def _value(sense: Sense, _item: Item, _around: Surroundings) -> Filling | None:
    if sense.kind is not SenseKind.VALUE or sense.value is None:
        return None
    return Filling(shown=sense.value, column=sense.column, value=sense.value)


def _number(sense: Sense) -> float | None:
    if sense.kind is SenseKind.NUMBER:
        return sense.number
    word = sense.family("number.") if sense.kind is SenseKind.CONCEPT else None
    return float(word) if word else None


def _count(sense: Sense, _item: Item, _around: Surroundings) -> Filling | None:
    number = _number(sense)
    if number is None or sense.percent or number < 1 or not number.is_integer():
        return None
    return Filling(shown=f"{number:.0f}", number=number)


def _percent(sense: Sense, _item: Item, around: Surroundings) -> Filling | None:
    number = _number(sense)
    if number is None or not (sense.percent or around.percent) or not 0 < number <= MOST_PERCENT:
        return None
    return Filling(shown=f"{number:g}%", number=number)


KINDS: Final[Mapping[str, Fill]] = {
    "measure": _column(_is_measure),
    "amount": _column(_is_amount),
    "category": _column(_is_category),
    "text": _column(lambda column, _around: column.kind is ColumnKind.TEXT),
    "column": _column(lambda _column, _around: True),
    "date": _column(_is_date),
    "unit": _unit,
    "rows": _rows,
    "value": _value,
    "n": _count,
    "percent": _percent,
}
"""Kind of slot → what a word of the question must mean to fill it.

`measure` is a number column, `amount` one whose sum means something, `category` a text or yes/no column,
`text` a text column, `unit` a calendar unit, `rows` a noun for the rows, `value` a cell, `n` a whole number,
`percent` a percentage.
"""
