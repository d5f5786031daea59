"""Spans of a question → conditions on numbers: comparisons, changes since the row before, signs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import AnyOf, Condition, Operator
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind, clause_said, said
from tabchat.planner.readings.phrases import columns_behind, hop
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.words import Quantity

COMPARED: Final = {
    "cmp.gt": Operator.GT,
    "cmp.ge": Operator.GE,
    "cmp.lt": Operator.LT,
    "cmp.le": Operator.LE,
    "cmp.eq": Operator.EQ,
    "cmp.ne": Operator.NE,
    "limit.ge": Operator.GE,
    "limit.le": Operator.LE,
}
_BEHIND: Final = {"post.ge": Operator.GE, "post.le": Operator.LE}
_LONGEST_LIST: Final = 8
_SCALES: Final = (1e9, 1e6, 1e3)


@record
class Bound:
    """A comparison with one number or several, and where its words end."""

    operator: Operator
    quantities: tuple[Quantity, ...]
    end: int
    features: Features = ()


def bounds_at(lattice: Lattice, place: int) -> Iterator[Bound]:
    """Yield the comparisons that begin at a place: `over 5`, `between 2 and 4`, `5 or more`, `5`."""
    for concept in lattice.concepts(place, *COMPARED):
        for at, skipped in hop(lattice, concept.end, 2):
            for number, end in numbers_at(lattice, at):
                features = (*skipped, (concept.name, 1.0))
                yield Bound(operator=COMPARED[concept.name], quantities=(number,), end=end, features=features)
    for concept in lattice.concepts(place, "between", "from"):
        for low, end in numbers_at(lattice, concept.end):
            for tie in lattice.concepts(end, "and", "to", "until", "sign.dash", "in"):
                yield from _ranges(lattice, low, tie.end, (("between", 1.0),))
    for number, end in numbers_at(lattice, place):
        for concept in lattice.concepts(end, *_BEHIND):
            operator, features = _BEHIND[concept.name], ((concept.name, 1.0),)
            yield Bound(operator=operator, quantities=(number,), end=concept.end, features=features)
        for tie in lattice.concepts(end, "to", "sign.dash"):
            yield from _ranges(lattice, number, tie.end, ())
        bare = (("bound.bare", 1.0),)
        yield Bound(operator=Operator.EQ, quantities=(number,), end=end, features=bare)
        listed, last = _listed(lattice, number, end)
        if len(listed) > 1:
            features = (*bare, ("bound.list", 1.0))
            yield Bound(operator=Operator.IN, quantities=listed, end=last, features=features)


def _ranges(lattice: Lattice, one: Quantity, place: int, features: Features) -> Iterator[Bound]:
    for other, end in numbers_at(lattice, place):
        one = _scaled_like(one, other)
        both = (one, other) if one.value <= other.value else (other, one)
        yield Bound(operator=Operator.BETWEEN, quantities=both, end=end, features=features)


def _scaled_like(one: Quantity, other: Quantity) -> Quantity:
    """Return a number with the thousands that were said with the second alone: `from 300 to 400 thousand`."""
    scale = next((scale for scale in _SCALES if other.value >= scale), 1.0) if other.scaled else 1.0
    return one if one.scaled or one.value >= scale else replace(one, value=one.value * scale, scaled=True)


def _listed(lattice: Lattice, number: Quantity, end: int) -> tuple[tuple[Quantity, ...], int]:
    """Return the numbers that are listed from a number on, `4 or 5`, and the place behind the last."""
    found = [number]
    while len(found) < _LONGEST_LIST:
        ties = [tie.end for tie in lattice.concepts(end, "or", "and", "comma")]
        behind = [more for tie in ties for more in numbers_at(lattice, tie)]
        if not behind:
            break
        number, end = behind[0]
        found.append(number)
    return tuple(found), end


def numbers_at(lattice: Lattice, place: int) -> Iterator[tuple[Quantity, int]]:
    """Yield numbers at a place and the places behind them, with and without their thousands or units."""
    for link in lattice.at(place, LinkKind.NUMBER):
        if link.quantity is not None:
            yield link.quantity, link.end


def bound_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Comparisons, with the column before, behind or elsewhere."""
    for bound in bounds_at(lattice, place):
        yield pending(bound, place, bound.end, (*bound.features, ("bound.pending", 1.0)))
        for at, skipped in hop(lattice, bound.end, 1):
            for link, column in lattice.columns(at):
                if column.numeric:
                    features = (*link.features, *bound.features, *skipped, ("bound.column_behind", 1.0))
                    yield compared(bound, column, place, link.end, features)
            for times in lattice.concepts(at, "times"):
                yield pending(bound, place, times.end, (*bound.features, ("bound.times", 1.0)), "rows")
            for rows in lattice.at(at, LinkKind.ROWS):
                features = (*rows.features, *bound.features, ("bound.rows", 1.0))
                yield pending(bound, place, rows.end, features, "rows")
    for number, end in numbers_at(lattice, place):
        for link, column in lattice.columns(end):
            for concept in lattice.concepts(link.end, *_BEHIND) if column.numeric else ():
                # `100 words or more`
                bound = Bound(operator=_BEHIND[concept.name], quantities=(number,), end=concept.end)
                features = (*link.features, (concept.name, 1.0), ("bound.column_behind", 1.0))
                yield compared(bound, column, place, concept.end, features)
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 3) if column.numeric else ():
            for bound in bounds_at(lattice, at):
                features = (*link.features, *bound.features, *skipped, ("bound.column_before", 1.0))
                yield compared(bound, column, place, bound.end, features)
            for concept in lattice.concepts(at, *COMPARED):
                for other, second, more in columns_behind(lattice, concept.end, 2):
                    if other.column != link.column and second.numeric:
                        features = (*link.features, *other.features, *skipped, *more, ("bound.other", 1.0))
                        operator = COMPARED[concept.name]
                        clause = Condition(column=column.name, operator=operator, other=second.name)
                        yield clause_said(place, other.end, clause, features, link.column)
    for concept in lattice.concepts(place, "times."):
        # `ordered twice`: as many rows.
        fields = {"operator": Operator.EQ, "values": (float(concept.name.removeprefix("times.")),)}
        yield said(
            Kind.BOUND,
            place,
            concept.end,
            (("bound.times", 1.0), ("bound.pending", 1.0)),
            name="rows",
            **fields,
        )


def pending(bound: Bound, start: int, end: int, features: Features, name: str = "") -> Item:
    """Return a comparison whose column stands elsewhere, or one of the number of `rows`."""
    fields = {"operator": bound.operator, "quantities": bound.quantities}
    values = tuple(quantity.value for quantity in bound.quantities)
    return said(Kind.BOUND, start, end, features, name=name, values=values, **fields)


def compared(bound: Bound, column: TableColumn, start: int, end: int, features: Features) -> Item:
    """Return a comparison of a column, its numbers in the column's unit."""
    values = tuple(column.in_unit(quantity) for quantity in bound.quantities)
    clause = Condition(column=column.name, operator=bound.operator, values=values)
    more: Features = () if column.measure else (("bound.on_name", 1.0),)
    told = (*features, *more, *outside(column, values), ("bound", 1.0))
    return clause_said(start, end, clause, told, column.place)


def outside(column: TableColumn, values: Sequence[float]) -> Features:
    """Tell whether no cell of a column can equal any of the numbers."""
    low, high = column.facts.low, column.facts.high
    if not column.facts.exact or not isinstance(low, int | float) or not isinstance(high, int | float):
        return ()
    return (("bound.outside", 1.0),) if all(value < low or value > high for value in values) else ()


_DENIED: Final = {
    Operator.EQ: Operator.NE,
    Operator.NE: Operator.EQ,
    Operator.IN: Operator.NOT_IN,
    Operator.NOT_IN: Operator.IN,
    Operator.GT: Operator.LE,
    Operator.GE: Operator.LT,
    Operator.LT: Operator.GE,
    Operator.LE: Operator.GT,
    Operator.BETWEEN: Operator.NOT_BETWEEN,
    Operator.CONTAINS: Operator.NOT_CONTAINS,
    Operator.MISSING: Operator.PRESENT,
    Operator.PRESENT: Operator.MISSING,
}


def denied(clause: Clause) -> Clause | None:
    """Return the opposite of a condition; None where there is no simple one."""
    if isinstance(clause, AnyOf) or clause.operator not in _DENIED:
        return None
    return replace(clause, operator=_DENIED[clause.operator])
