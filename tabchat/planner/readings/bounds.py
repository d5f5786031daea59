"""Spans of a question → conditions on numbers: comparisons, changes since the row before, signs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from tabchat.planner.intent import AnyOf, Condition, Measure, Operator
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind, clause_said, said
from tabchat.planner.readings.phrases import hop, paths

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
_ORDERED: Final = frozenset({Operator.GT, Operator.GE, Operator.LT, Operator.LE})
BEHIND: Final = {"post.ge": Operator.GE, "post.le": Operator.LE}
_CALLED: Final = frozenset({"noun", "entity", "table"})
"""What rows are called, as `ticket 1092` is."""
_LONGEST_LIST: Final = 8
_SCALES: Final = (1e9, 1e6, 1e3)


class Bound(NamedTuple):
    """A comparison with one number or several, and where its words end."""

    operator: Operator
    quantities: tuple[Quantity, ...]
    end: int
    features: Features = ()


def bounds_at(lattice: Lattice, place: int) -> Iterator[Bound]:
    """Yield the comparisons that begin at a place: `over 5`, `between 2 and 4`, `5 or more`, `5`."""
    for concept in lattice.concepts(place, *COMPARED):
        for at, skipped in hop(lattice, concept.end, 2):
            for number, end in lattice.numbers(at):
                yield Bound(COMPARED[concept.name], (number,), end, (*skipped, (concept.name, 1.0)))
    for concept in lattice.concepts(place, "between", "from"):
        for low, end in lattice.numbers(concept.end):
            yield from _ranges(lattice, low, end, ("and", "to", "until", "sign.dash"), ("between", 1.0))
    for number, end in lattice.numbers(place):
        for concept in lattice.concepts(end, *BEHIND):
            yield Bound(BEHIND[concept.name], (number,), concept.end, ((concept.name, 1.0),))
        yield from _ranges(lattice, number, end, ("to", "sign.dash"))
        yield Bound(Operator.EQ, (number,), end, (("bound.bare", 1.0),))
        listed, last = _listed(lattice, number, end)
        if len(listed) > 1:
            yield Bound(Operator.IN, listed, last, (("bound.bare", 1.0), ("bound.list", 1.0)))


def _denied_at(lattice: Lattice, place: int) -> Iterator[Bound]:
    """Yield what a number is not: `is not 3`, `not between 3 and 5`."""
    for concept in lattice.concepts(place, "not"):
        for bound in bounds_at(lattice, concept.end):
            if bound.operator in {Operator.EQ, Operator.IN, Operator.BETWEEN}:
                yield bound._replace(operator=_DENIED[bound.operator], features=(("cmp.ne", 1.0),))


def _ranges(
    lattice: Lattice, one: Quantity, place: int, ties: Sequence[str], *features: tuple[str, float]
) -> Iterator[Bound]:
    for tie in lattice.concepts(place, *ties):
        for other, end in lattice.numbers(tie.end):
            low, high = sorted((_said_like(one, other), _said_like(other, one)), key=_size)
            yield Bound(Operator.BETWEEN, (low, high), end, features)


def _said_like(one: Quantity, other: Quantity) -> Quantity:
    """Return a number with what was said with the other one alone: `from 300 to 400 thousand`, `1 to 2 hours`."""
    scale = next((scale for scale in _SCALES if other.value >= scale), 1.0) if other.scaled else 1.0
    if not one.scaled and one.value < scale:
        one = replace(one, value=one.value * scale, scaled=True)
    if one.unit is not None or one.percent or not other.value:
        return one
    seconds = None if other.seconds is None else one.value * (other.seconds / other.value)
    return replace(one, unit=other.unit, percent=other.percent, seconds=seconds)


def _size(quantity: Quantity) -> tuple[float, float]:
    return (quantity.value, 0.0) if quantity.seconds is None else (quantity.seconds, quantity.value)


def _listed(lattice: Lattice, number: Quantity, end: int) -> tuple[tuple[Quantity, ...], int]:
    """Return the numbers that are listed from a number on, `4 or 5`, and the place behind the last."""
    found = [number]
    while len(found) < _LONGEST_LIST:
        ties = [tie.end for tie in lattice.concepts(end, "or", "and", "comma")]
        behind = [more for tie in ties for more in lattice.numbers(tie)]
        if not behind:
            break
        number, end = behind[0]
        found.append(number)
    return tuple(_said_like(one, number) for one in found), end


def bound_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Comparisons, with the column before, behind or elsewhere."""
    for bound in bounds_at(lattice, place):
        yield pending(bound, place, bound.end, (*bound.features, ("bound.pending", 1.0)))
        for at, skipped in hop(lattice, bound.end, 1):
            for link, column in lattice.columns(at):
                if skipped and paths(lattice, link.end, 2, tuple(COMPARED)):
                    # `an average fee over 3 with a weight of at least 4`
                    continue
                features = (*link.features, *bound.features, *skipped, ("bound.column_behind", 1.0))
                yield from compared(bound, column, place, link.end, features)
            for rows in lattice.at(at, LinkKind.ROWS):
                features = (*rows.features, *bound.features, ("bound.rows", 1.0))
                yield pending(bound, place, rows.end, features, "rows")
    for number, end in lattice.numbers(place):
        for (link, concept), last, told in paths(lattice, end, LinkKind.COLUMN, tuple(BEHIND)):
            # `100 words or more`
            bound = Bound(BEHIND[concept.name], (number,), last)
            features = (*told, (concept.name, 1.0), ("bound.column_behind", 1.0))
            yield from compared(bound, lattice.column(link), place, last, features)
    columns = lattice.links(LinkKind.COLUMN)
    for (link,), at, told in paths(lattice, place, LinkKind.COLUMN, 3):
        column = lattice.column(link)
        for bound in (*bounds_at(lattice, at), *_denied_at(lattice, at)) if column.numeric else ():
            features = (*told, *bound.features, ("bound.column_before", 1.0))
            yield from compared(bound, column, place, bound.end, features)
        for (concept, other), end, more in paths(lattice, at, tuple(COMPARED), 2, LinkKind.COLUMN):
            word = lattice.sentence.words[concept.start].norm
            if any(concept.start in one.span and word in lattice.column(one).words for one in columns):
                continue  # the `from` of `valid from` compares nothing
            operator, second = COMPARED[concept.name], lattice.column(other)
            yield from against(operator, column, second, place, end, (*told, *more))
    yield from _numbered(lattice, place)
    yield from _limited(lattice, place)


_LIMITS: Final = frozenset(
    ("budget", "plan", "planned", "limit", "target", "quota", "estimate", "estimated")
) | {"бюджет", "план", "ліміт", "лимит", "норма", "норматив", "кошторис", "смета", "ціль", "цель"}
"""Words of headers of what is not to be gone beyond."""
_REACHED: Final = frozenset({"actual", "actuals", "fact", "факт", "фактично", "фактически"})
"""Words of headers of what came of it."""
_HOW_FAR: Final = frozenset({"byhowmuch", "bypercent", "bytimes"})
_SPENT: Final = frozenset({"cost", "expense", "amount", "payment", "paid"})
"""Groups of headers of what was spent."""


def _limited(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield the rows that went beyond what was planned for them: `over budget`, вышли за бюджет."""
    # By how much it did is a figure, and no condition.
    how_far = not _HOW_FAR.isdisjoint(lattice.names)
    for concept in lattice.concepts(place, "exceed.") if not how_far else ():
        for at, skipped in hop(lattice, concept.end, 2):
            for end, limit, features in _limits(lattice, at):
                reached = _reached(lattice, limit)
                if reached is not None:
                    operator, told = COMPARED[concept.name.replace("exceed.", "cmp.")], (*features, *skipped)
                    yield from against(operator, reached, limit, place, end, told)
                    # Of each group: departments over budget.
                    measure = Measure(function="sum", column=reached.name, less=limit.name)
                    fields = {"operator": operator, "values": (0.0,), "measure": measure}
                    yield said(Kind.BOUND, place, end, (*told, ("less.columns", 1.0)), **fields)


def _limits(lattice: Lattice, place: int) -> Iterator[tuple[int, TableColumn, Features]]:
    """Yield the columns of a limit that are named at a place, or the only one where the word is another for it."""
    named = lattice.columns(place)
    yield from ((link.end, column, link.features) for link, column in named)
    word = lattice.sentence.words[place].norm if place < len(lattice.skips) else ""
    limits = [one for one in lattice.vocabulary.measures if not _LIMITS.isdisjoint(one.words)]
    if word in _LIMITS and len(limits) == 1 and not named:
        yield place + 1, limits[0], ()


def _reached(lattice: Lattice, limit: TableColumn) -> TableColumn | None:
    """Return the one column of what was spent beside a budget, or of what came of a plan."""
    if not limit.numeric or _LIMITS.isdisjoint(limit.words):
        return None
    others = [
        column
        for column in lattice.vocabulary.measures
        if _LIMITS.isdisjoint(column.words)
        and column.units == limit.units
        and not (_REACHED.isdisjoint(column.words) and _SPENT.isdisjoint(column.kinds))
    ]
    return others[0] if len(others) == 1 else None


def _numbered(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield the one row whose number stands right behind a word for rows: `episode 17`, of a column `No`.

    `Orders 2024` are those of the year, where times are told and no header says what is numbered.
    """
    codes = [column for column in lattice.vocabulary.columns if column.identifying and column.kept_unique]
    for rows in lattice.at(place, LinkKind.ROWS) if codes else ():
        starts = (rows.end, *(sign.end for sign in lattice.concepts(rows.end, "count")))
        for number, end in (found for start in starts for found in lattice.numbers(start)):
            plain = number.unit is None and not (number.percent or number.ordinal)
            named = rows.name in _CALLED and plain and not lattice.at(end - 1, LinkKind.TIME)
            bound = Bound(Operator.EQ, (number,), end)
            for column in codes if named else ():
                if not outside(column, (number.value,)):
                    yield from compared(bound, column, place, end, (("rows.numbered", 1.0),))


def pending(bound: Bound, start: int, end: int, features: Features, name: str = "") -> Item:
    """Return a comparison whose column stands elsewhere, or one of the number of `rows`."""
    fields = {"operator": bound.operator, "quantities": bound.quantities}
    values = tuple(quantity.value for quantity in bound.quantities)
    return said(Kind.BOUND, start, end, features, name=name, values=values, **fields)


def compared(bound: Bound, column: TableColumn, start: int, end: int, features: Features) -> Iterator[Item]:
    """Yield a comparison of a column of numbers, those of the comparison in the column's unit."""
    if column.numeric:
        values = tuple(column.in_unit(quantity) for quantity in bound.quantities)
        beyond, fitting = outside(column, values), _fitting(column, bound)
        if fitting == _MISFITS and (column.identifying or column.facts.operands):
            # `rides over an hour` bounds no `ride_id`, `longer than 15 km` no days.
            return
        if beyond and bound.operator in _ORDERED and "column.identifier" in dict(features):
            # `visits over 300` are no visits with an id over 300, where ids begin at 1000.
            return
        clause = Condition(column=column.name, operator=bound.operator, values=values)
        on_name = ("bound.on_name", float(not column.measure))
        told = (*features, on_name, *fitting, *beyond, ("bound", 1.0))
        yield clause_said(start, end, clause, told, column.place)


_MISFITS: Final = (("bound.misfits", 1.0),)


def _fitting(column: TableColumn, bound: Bound) -> Features:
    """Tell whether the unit of a number is that of the column."""
    measured = [
        number for number in bound.quantities if number.unit is not None or number.seconds is not None
    ]
    if not measured:
        return ()
    return (("bound.fits", 1.0),) if all(map(column.takes, measured)) else _MISFITS


def against(
    operator: Operator, one: TableColumn, other: TableColumn, start: int, end: int, features: Features
) -> Iterator[Item]:
    """Yield a comparison of two columns of numbers, or of dates."""
    if one is not other and ((one.numeric and other.numeric) or (one.dated and other.dated)):
        clause = Condition(column=one.name, operator=operator, other=other.name)
        yield clause_said(start, end, clause, (*features, ("bound.other", 1.0)), one.place)


def outside(column: TableColumn, values: Sequence[float]) -> Features:
    """Tell whether no cell of a column can equal any of the numbers."""
    low, high = column.facts.low, column.facts.high
    if not column.facts.exact or not isinstance(low, int | float) or not isinstance(high, int | float):
        return ()
    return (("bound.outside", 1.0),) if all(value < low or value > high for value in values) else ()


_OPPOSITES: Final = (
    *((Operator.EQ, Operator.NE), (Operator.IN, Operator.NOT_IN), (Operator.MISSING, Operator.PRESENT)),
    *((Operator.GT, Operator.LE), (Operator.GE, Operator.LT)),
)
_DENIED: Final = {
    **dict(_OPPOSITES),
    **{other: one for one, other in _OPPOSITES},
    Operator.BETWEEN: Operator.NOT_BETWEEN,
    Operator.CONTAINS: Operator.NOT_CONTAINS,
}


def denied(clause: Clause) -> Clause | None:
    """Return the opposite of a condition; None where there is no simple one."""
    if isinstance(clause, AnyOf) or clause.operator not in _DENIED:
        return None
    return replace(clause, operator=_DENIED[clause.operator])
