"""What a phrase of a question contributes to its reading, before the whole is composed."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import Condition, Operator
from tabchat.planner.links.link import Features
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.planner.intent import Clause, Having, Key, Measure, Period
    from tabchat.planner.words import Quantity

__all__ = ["DENIED", "Effect", "Features", "Item", "Kind", "clause_said", "merged_clauses", "said"]


class Kind(StrEnum):
    """What a phrase says."""

    MEASURE = "measure"
    """A function of a column, or a count."""
    FUNCTION = "function"
    """A function whose column stands elsewhere."""
    COLUMN = "column"
    """A column, without a word that says what for."""
    LISTED = "listed"
    """Columns that are listed, to be shown: `name, city and salary`."""
    COUNT = "count"
    """`how many`, of what stands elsewhere."""
    ROWS = "rows"
    KEY = "key"
    CLAUSE = "clause"
    CELLS = "cells"
    """Cells of one column: a condition, or what is compared or asked about."""
    BOUND = "bound"
    """A comparison with a number whose column stands elsewhere."""
    PERIOD = "period"
    SUPER = "super"
    """A superlative: the greatest or the smallest, perhaps of a column, perhaps several."""
    ORDER = "order"
    DIRECTION = "direction"
    """ascending, descending, of what stands elsewhere."""
    ASK = "ask"
    """which, who, when, how much, is there …"""
    LIST = "list"
    MARK = "mark"
    """A word that chooses the output: share, growth, difference, missing, outliers, chart …"""
    DISTINCT = "distinct"
    DENIAL = "denial"
    """A denial of what stands elsewhere."""


DENIED: Final = "denied"
"""Name of a condition that was turned round."""


@record
class Effect:
    """One contribution; which fields are set depends on the kind."""

    kind: Kind
    start: int
    end: int
    name: str = ""
    """Of a mark, an ask, a function; of rows how they are named; of a condition whether it was denied."""
    column: int = -1
    measure: Measure | None = None
    keys: tuple[Key, ...] = ()
    clauses: tuple[Clause, ...] = ()
    periods: tuple[Period, ...] = ()
    operator: Operator | None = None
    quantities: tuple[Quantity, ...] = ()
    values: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """Names: of the columns that are listed; of those that a direction can order, by the dimension that it says, or any."""
    count: int | None = None
    offset: int = 0
    descending: bool = True
    parameter: float | None = None
    many: bool = False
    """Of rows and columns: whether the word is in the plural."""
    asked: bool = False
    """Of a column: whether `which`, `what` or `whose` stands right before it."""

    def __hash__(self) -> int:
        # Each phrase is looked up among those that begin where it does; these fields tell most of them apart.
        return hash((self.kind, self.end, self.name, self.column, self.count, self.clauses, self.texts))

    @property
    def counts(self) -> bool:
        """Whether it asks for a number of something."""
        counts = self.measure is None or self.measure.function.startswith("count")
        return self.kind is Kind.COUNT or (self.kind is Kind.MEASURE and counts)


@record
class Item:
    """An effect with the features of how it was read."""

    effect: Effect
    features: Features = ()

    @property
    def end(self) -> int:
        """Place behind the last word."""
        return self.effect.end


@record
class Scope:
    """The rows in question."""

    clauses: tuple[Clause, ...]
    periods: tuple[Period, ...]
    having: tuple[Having, ...]
    used: frozenset[int]
    features: Features = ()


def said(kind: Kind, start: int, end: int, features: Features = (), **fields: Any) -> Item:
    """Return what the words from `start` to `end` contribute; `fields` are those of the effect."""
    return Item(effect=Effect(kind=kind, start=start, end=end, **fields), features=features)


def clause_said(start: int, end: int, clause: Clause, features: Features, column: int = -1) -> Item:
    """Return a condition that some words say; `column` is the place of the column that they name."""
    return said(Kind.CLAUSE, start, end, features, column=column, clauses=(clause,))


def merged_clauses(clauses: Iterable[Clause]) -> tuple[tuple[Clause, ...], int]:
    """Join conditions that ask for different cells of one column into one that allows each of them."""
    found: list[Clause] = []
    merged = 0
    for clause in clauses:
        other = next((known for known in found if _joins(clause, known)), None)
        if isinstance(clause, Condition) and isinstance(other, Condition):
            values = tuple(dict.fromkeys((*other.values, *clause.values)))
            found[found.index(other)] = replace(clause, operator=Operator.IN, values=values)
            merged += 1
        elif clause not in found:
            found.append(clause)
    return tuple(found), merged


def _joins(one: Clause, other: Clause) -> bool:
    if not isinstance(one, Condition) or not isinstance(other, Condition):
        return False
    same = one.column == other.column and one.part == other.part
    return same and {one.operator, other.operator} <= {Operator.EQ, Operator.IN}
