"""What an intent does with which sort of column: features that the fit learns from, whatever they are.

A sum of money is asked for all the time, a sum of room numbers never, and one of weights where a word says so. No rule tells
these apart: what is done (`value.sum`) and the sort of column it is done to (`plain.whole`) is a feature, and its weight is learned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import single_conditions
from tabchat.planner.links.link import is_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Intent, Order
    from tabchat.planner.links import Lattice, TableColumn

_SAYING: Final = ("agg.", "share", "rate")
"""Concepts that say how an amount is told of."""
_DIMENSIONS: Final = ("super.scale", "scale.most.")
"""Superlatives that name a dimension: longest, oldest, dearest."""


def sort_of(column: TableColumn) -> str:
    """Return what a column holds, as far as it matters for what is done with it."""
    if column.flag:
        return "flag"
    if column.dated:
        return "date"
    if column.facts.years:
        return "year"
    if column.numeric:
        return _sort_of_numbers(column)
    return "person" if column.named else "name" if column.kept_unique else "kind"


def _sort_of_numbers(column: TableColumn) -> str:
    if column.identifying:
        return "code"
    whole = ".whole" if column.kind is ColumnKind.INTEGER else ""
    single = ".single" if column.facts.unique else ""
    if not column.additive:
        return f"state{whole}"
    if column.monetary:
        return f"money{single}"
    known = column.seconds is not None or column.units or column.facts.unit or column.kinds
    return f"{'amount' if known else 'plain'}{whole}{single}"


class ColumnUses:
    """The features of one question; what its words say of all readings is looked up once."""

    def __init__(self, lattice: Lattice) -> None:
        vocabulary, names = lattice.vocabulary, lattice.names
        self._sorts = {column.name: sort_of(column) for column in vocabulary.columns}
        self._unsaid = "" if any(is_named(name, _SAYING) for name in names) else ".unsaid"
        self._dimension = ".dimension" if any(is_named(name, _DIMENSIONS) for name in names) else ""

    def of(self, intent: Intent) -> Iterator[tuple[str, float]]:
        """Yield the features of an intent."""
        sorts, output = self._sorts, intent.output
        for measure in intent.measures:
            if measure.column is not None:
                yield f"use.{output}.{measure.function}.{sorts[measure.column]}{self._unsaid}", 1.0
        for key in intent.keys:
            yield f"use.key.{'time' if key.column is None else sorts[key.column]}", 1.0
        for order in intent.orders:
            yield f"use.{output}.{self._ordered(order, intent)}{self._dimension}", 1.0
        for one in single_conditions(intent.clauses):
            part = "" if one.part is None else ".part"
            yield f"use.where.{one.operator}.{sorts[one.column]}{part}", 1.0
        for name in intent.columns:
            yield f"use.{output}.shown.{sorts[name]}", 1.0

    def _ordered(self, order: Order, intent: Intent) -> str:
        """Return what comes first: the rows with the most of a column, or the groups with the most of a measure."""
        limited = ".all" if intent.limit is None else ""
        if order.column is not None:
            return f"order{limited}.{self._sorts[order.column]}"
        if order.measure >= len(intent.measures):
            # The first and the last rows of the file.
            return f"order{limited}"
        measure = intent.measures[order.measure]
        of = "rows" if measure.column is None else self._sorts[measure.column]
        return f"rank{limited}.{measure.function}.{of}"
