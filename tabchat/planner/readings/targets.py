"""The columns that a number may be of where no word names one: `flats under 1000`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import Operator
from tabchat.planner.links.link import told
from tabchat.planner.links.units import RANKS
from tabchat.planner.readings.effect import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.links import TableColumn, Vocabulary
    from tabchat.planner.readings.draft import Draft
    from tabchat.planner.readings.effect import Effect, Features

_CODES: Final = frozenset({"status"})  # groups of columns whose numbers stand for something


def targets_of(effect: Effect, focus: Sequence[int], draft: Draft) -> list[tuple[TableColumn, Features]]:
    """Return the columns that a bare number may be of, the likeliest first."""
    quantity = effect.quantities[0] if effect.quantities else None
    columns = draft.vocabulary.columns
    if quantity is not None and (quantity.seconds is not None or quantity.unit is not None):
        fitting = [column for column in columns if column.numeric and column.takes(quantity)]
        features = told({"bound.unit": 1, "bound.rivals": len(fitting) > 1})
        if fitting:
            return [(column, features) for column in fitting[:2]]
        return [(column, (("bound.no_unit", 1.0),)) for column in draft.measures[:1]]
    named = [columns[place] for place in focus if columns[place].numeric]
    if named:
        return [(column, (("bound.focus", 1.0),)) for column in named[:2]]
    within = [column for column in draft.measures if _reaches(column, effect)]
    coded = [column for column in columns if _is_code(column, effect)]
    if len(draft.measures) == 1 and not coded:
        return [(draft.measures[0], (("bound.only_measure", 1.0),))]
    # Members over 60 are that old, whatever else is told of them; orders over 60 are not.
    people = draft.vocabulary.holds_people and bool(draft.places(Kind.ROWS))
    aged = [column for column in within if people and column.measures("age")]
    first = [*coded, *aged]
    likely = [*first, *(column for column in within or draft.measures if column not in first)][:2]
    return [
        (column, told({"bound.default": 1, "default.rank": rank, "bound.of_age": column in aged[:1]}))
        for rank, column in enumerate(likely)
    ]


def _is_code(column: TableColumn, effect: Effect) -> bool:
    """Tell whether a number that nothing compares may be a code of a column: 404, of a status."""
    compared = effect.operator not in {None, Operator.EQ} or len(effect.quantities) != 1
    if compared or _CODES.isdisjoint(column.groups) or column.kind is not ColumnKind.INTEGER:
        return False
    return parts_at(column, effect.quantities[0].value) is True


def _reaches(column: TableColumn, effect: Effect) -> bool:
    """Tell whether some cells of a column are on each side of a bound: all flats have less than 1000 rooms."""
    if effect.operator in {None, Operator.EQ}:
        return False
    return all(parts_at(column, column.in_unit(quantity)) for quantity in effect.quantities)


def parts_at(column: TableColumn, value: float) -> bool | None:
    """Tell whether a number lies among the cells of a column; None where nobody has looked at all of them."""
    low, high = column.facts.low, column.facts.high
    if not (column.facts.exact and isinstance(low, int | float) and isinstance(high, int | float)):
        return None
    return low <= value <= high


def placings(vocabulary: Vocabulary) -> list[TableColumn]:
    """Return the columns of numbers that tell who came first."""
    numbers = (column for column in vocabulary.columns if column.numeric and column.facts.low == 1)
    return [column for column in numbers if not RANKS.isdisjoint(column.words)]


def names_rows(column: TableColumn) -> bool:
    """Tell whether numbers only name rows: the biggest orders are not those of the highest `order_id`."""
    return column.identifying and RANKS.isdisjoint(column.words)
