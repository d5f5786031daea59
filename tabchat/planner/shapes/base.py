"""What every shape works with: one question's clauses, the core's nodes by code, and the common refusals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import is_row_label
from tabchat.planner.nodes import Measure
from tabchat.planner.plans import Unreadable

if TYPE_CHECKING:
    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.grammar import Clauses
    from tabchat.planner.nodes import Node
    from tabchat.planner.scene import Scene


_ORDINAL: Final = re.compile(r"\d(st|nd|rd|th|-?[йгм][оу]?)$", re.IGNORECASE)
"""`2nd`, `3-й`: a place, not a number of rows."""


_INTENSIVE: Final = frozenset(
    ["%", "‰", "°", "°c", "°f", "k", "v", "mv", "kv", "hpa", "kpa", "mpa", "pa", "bar", "db", "dbm", "ppm", "hz", "khz", "mhz", "ghz", "rpm"]
)  # fmt: skip
"""Units of what cannot be added up, besides all rates."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Question:
    """One reading in the making."""

    clauses: Clauses
    codes: str
    scene: Scene
    nonadditive: frozenset[str]
    compared: bool = False
    """True when values are set side by side, so that joining them is no guess."""

    @property
    def table(self) -> str:
        """Name of the table."""
        return self.scene.table.name

    def node(self, code: str, nth: int = 0) -> Node:
        """Return the nth node of a code."""
        places = [place for place, found in enumerate(self.codes) if found == code]
        return self.clauses.core[places[nth]]

    def nodes(self, codes: str) -> tuple[Node, ...]:
        """Return the nodes that have one of `codes`, in order."""
        return tuple(node for node, code in zip(self.clauses.core, self.codes, strict=True) if code in codes)

    def has(self, code: str) -> bool:
        """Tell whether the core has a node of this code."""
        return code in self.codes

    def number(self) -> int | None:
        """Return the N of `top N`."""
        if "N" not in self.codes:
            return None
        sense = self.node("N").sense
        if sense is None:
            return None
        word = sense.family("number.")
        value = sense.number if sense.number is not None else float(word) if word else None
        if _ORDINAL.search(self.node("N").text):
            raise Unreadable("that place alone, or all places down to it?")
        if value is None or not value.is_integer() or value < 1 or sense.percent:
            raise Unreadable("how many rows are wanted?")
        return int(value)

    def measures(self) -> tuple[Measure, ...]:
        """Return what is measured: said functions, else bare columns as sums, else the count of rows."""
        found: list[Measure] = []
        for node, code in zip(self.clauses.core, self.codes, strict=True):
            if code == "M":
                found += [
                    self.summed(item.column) if item.bare and item.column is not None else item
                    for item in node.measures
                ]
            elif code == "C" and node.column is not None:
                found.append(self.summed(node.column))
        return tuple(dict.fromkeys(found))

    def ranked_measures(self) -> tuple[Measure, ...]:
        """Return what is ranked by, bare columns marked as such."""
        found: list[Measure] = []
        for node, code in zip(self.clauses.core, self.codes, strict=True):
            if code == "M":
                found += node.measures
            elif code == "C":
                found.append(Measure(function="sum", column=node.column, bare=True))
        return tuple(dict.fromkeys(found))

    def summed(self, column: ColumnFacts) -> Measure:
        """Return the sum of a column that was named without a function; not of prices, rates and the like."""
        if not self.additive(column):
            raise Unreadable(f"sum, mean or another function of {column.name}?")
        return Measure(function="sum", column=column, bare=True)

    def additive(self, column: ColumnFacts) -> bool:
        """Tell whether the sum of a column means something."""
        if column.unit is not None and ("/" in column.unit or column.unit.casefold() in _INTENSIVE):
            return False
        return not self.scene.telling_words(column) & self.nonadditive

    def check_counted(self) -> None:
        """Refuse `sales by region` where a column holds what the sales come to."""
        if not self.has("K") and any(self.scene.holds_sums_of(node) for node in self.nodes("E")):
            raise Unreadable("the number of rows, or the sum of a column?")

    def is_scaled(self, node: Node) -> bool:
        """Tell whether a column was only meant by an adjective such as `cheapest`."""
        return node.names("scaled")

    def is_label(self, column: ColumnFacts) -> bool:
        """Tell whether a column names the rows."""
        return column.index in self.scene.namesakes or is_row_label(self.scene.table, column)

    def plural_rows(self) -> bool:
        """Tell whether the rows were named in the plural; a single row is one row."""
        return self.has("E") and self.node("E").text.casefold().endswith("s")

    def plural(self, node: Node) -> bool:
        """Tell whether a column was said in the plural although its header is not."""
        column = node.column
        typed = node.text.casefold()
        return column is not None and typed.endswith("s") and not column.words[-1].endswith("s")


Builder = "Callable[[Question], Draft | None]"


def no_extras(question: Question, *allowed: str) -> bool:
    """Tell whether the question has no clauses but those of `allowed`."""
    clauses = question.clauses
    found = {
        "keys": bool(clauses.keys),
        "by": bool(clauses.by),
        "bounds": bool(clauses.bounds),
        "order": clauses.order is not None,
        "per_row": clauses.per_row,
        "conditions": bool(clauses.conditions),
        "periods": bool(clauses.periods),
    }
    return not any(present for name, present in found.items() if name not in allowed)
