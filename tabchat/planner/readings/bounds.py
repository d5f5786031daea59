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
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.words import Quantity

_COMPARED: Final = {
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
_TURNED: Final = {
    Operator.GT: Operator.LT,
    Operator.GE: Operator.LE,
    Operator.LT: Operator.GT,
    Operator.LE: Operator.GE,
}
"""A fall of more than 2 is a change below -2."""
_LONGEST_LIST: Final = 8
_SCALES: Final = (1e9, 1e6, 1e3)
_ROOT: Final = 4
"""Letters by which a word is known in one with a number."""


@record
class Bound:
    """A comparison with one number or several, and where its words end."""

    operator: Operator
    quantities: tuple[Quantity, ...]
    end: int
    features: Features = ()


def bounds_at(lattice: Lattice, place: int) -> Iterator[Bound]:
    """Yield the comparisons that begin at a place: `over 5`, `between 2 and 4`, `5 or more`, `5`."""
    for concept in lattice.concepts(place, *_COMPARED):
        for at, skipped in hop(lattice, concept.end, 2):
            for number, end in _numbers(lattice, at):
                features = (*skipped, (concept.name, 1.0))
                yield Bound(
                    operator=_COMPARED[concept.name], quantities=(number,), end=end, features=features
                )
    for concept in lattice.concepts(place, "between", "from"):
        for low, end in _numbers(lattice, concept.end):
            for tie in lattice.concepts(end, "and", "to", "until", "sign.dash", "in"):
                yield from _ranges(lattice, low, tie.end, (("between", 1.0),))
    for number, end in _numbers(lattice, place):
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
    for other, end in _numbers(lattice, place):
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
        behind = [more for tie in ties for more in _numbers(lattice, tie)]
        if not behind:
            break
        number, end = behind[0]
        found.append(number)
    return tuple(found), end


def _numbers(lattice: Lattice, place: int) -> Iterator[tuple[Quantity, int]]:
    """Yield numbers at a place and the places behind them, with and without their thousands or units."""
    for link in lattice.at(place, LinkKind.NUMBER):
        if link.quantity is not None:
            yield link.quantity, link.end


def bound_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Comparisons, with the column before, behind or elsewhere."""
    for bound in bounds_at(lattice, place):
        yield _pending(bound, place, bound.end, (*bound.features, ("bound.pending", 1.0)))
        for at, skipped in hop(lattice, bound.end, 1):
            for link, column in lattice.columns(at):
                if column.numeric:
                    features = (*link.features, *bound.features, *skipped, ("bound.column_behind", 1.0))
                    yield _compared(bound, column, place, link.end, features)
            for times in lattice.concepts(at, "times"):
                yield _pending(bound, place, times.end, (*bound.features, ("bound.times", 1.0)), "rows")
            for rows in lattice.at(at, LinkKind.ROWS):
                features = (*rows.features, *bound.features, ("bound.rows", 1.0))
                yield _pending(bound, place, rows.end, features, "rows")
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 3) if column.numeric else ():
            for bound in bounds_at(lattice, at):
                features = (*link.features, *bound.features, *skipped, ("bound.column_before", 1.0))
                yield _compared(bound, column, place, bound.end, features)
            for concept in lattice.concepts(at, *_COMPARED):
                for other, second, more in columns_behind(lattice, concept.end, 2):
                    if other.column != link.column and second.numeric:
                        features = (*link.features, *other.features, *skipped, *more, ("bound.other", 1.0))
                        operator = _COMPARED[concept.name]
                        clause = Condition(column=column.name, operator=operator, other=second.name)
                        yield clause_said(place, other.end, clause, features, link.column)
    yield from _moved(lattice, place)
    yield from _outnumbered(lattice, place)
    yield from _dimensioned(lattice, place)
    yield from _signed(lattice, place)
    yield from _compounded(lattice, place)
    yield from _averaged(lattice, place)
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


def _pending(bound: Bound, start: int, end: int, features: Features, name: str = "") -> Item:
    """Return a comparison whose column stands elsewhere, or one of the number of `rows`."""
    fields = {"operator": bound.operator, "quantities": bound.quantities}
    values = tuple(quantity.value for quantity in bound.quantities)
    return said(Kind.BOUND, start, end, features, name=name, values=values, **fields)


def _compared(bound: Bound, column: TableColumn, start: int, end: int, features: Features) -> Item:
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


def _moved(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `the close fell by more than 2 %`: a condition on the change since the row before."""
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 2) if column.measure else ():
            own = (*link.features, *skipped)
            for concept in lattice.concepts(at, "change.down", "change.up"):
                down = concept.name == "change.down"
                ends = [concept.end, *(by.end for by in lattice.concepts(concept.end, "by", "in"))]
                for bound in (bound for end in ends for bound in bounds_at(lattice, end)):
                    if len(bound.quantities) == 1:
                        clause = _movement(column, bound, down=down)
                        features = (*own, *bound.features, ("bound.moved", 1.0))
                        yield clause_said(place, bound.end, clause, features, link.column)
                operator = Operator.LT if down else Operator.GT
                clause = Condition(column=column.name, operator=operator, values=(0,), part="change")
                features = (*own, ("bound.moved_at_all", 1.0))
                yield clause_said(place, concept.end, clause, features, link.column)


def _movement(column: TableColumn, bound: Bound, *, down: bool) -> Condition:
    (size,) = bound.quantities
    value = -size.value if down else size.value
    return Condition(
        column=column.name,
        operator=_TURNED.get(bound.operator, bound.operator) if down else bound.operator,
        values=(int(value) if float(value).is_integer() else value,),
        part="change_pct" if size.percent else "change",
    )


def _outnumbered(lattice: Lattice, place: int) -> Iterator[Item]:
    """`more assists than goals`: a comparison of two columns."""
    for concept in lattice.concepts(place, "more", "fewer", "degree.more", "degree.less"):
        operator = Operator.GT if concept.name.endswith("more") else Operator.LT
        for one, first in lattice.columns(concept.end):
            for than in lattice.concepts(one.end, "than"):
                for other, second in lattice.columns(than.end):
                    if other.column != one.column and first.numeric and second.numeric:
                        clause = Condition(column=first.name, operator=operator, other=second.name)
                        features = (*one.features, *other.features, ("bound.other", 1.0))
                        yield clause_said(place, other.end, clause, features, one.column)


def _dimensioned(lattice: Lattice, place: int) -> Iterator[Item]:
    """`longer than 80 minutes`: the comparative names the column."""
    for concept in lattice.concepts(place, "scale.more."):
        _, _, way, dimension = concept.name.split(".", 3)
        operator = Operator.GT if way == "max" else Operator.LT
        start = concept.end
        for than in lattice.concepts(start, "than"):
            start = than.end
        for at, skipped in hop(lattice, start, 2):
            for number, end in _numbers(lattice, at):
                bound = Bound(operator=operator, quantities=(number,), end=end)
                pending = (("bound.comparative", 1.0), *skipped, ("bound.pending", 1.0))
                yield _pending(bound, place, end, pending)
                for column in lattice.vocabulary.columns:
                    if column.numeric and column.measures(dimension):
                        told = (("bound.dimension", 1.0), *skipped)
                        yield _compared(bound, column, place, end, told)
                        for noun, named in lattice.columns(end):
                            if named is column:
                                # `stays longer than 5 nights`, over a column of nights.
                                both = (*noun.features, *told, ("bound.column_behind", 1.0))
                                yield _compared(bound, column, place, noun.end, both)


def _compounded(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a number that is one word with what it counts: двокімнатні, over a column Кімнат."""
    word = lattice.sentence.words[place].norm if place < len(lattice.skips) else ""
    for start, number in (pair for lexicon in lattice.lexicons for pair in lexicon.compounds):
        root = word.removeprefix(start)[:_ROOT]
        for column in lattice.vocabulary.columns if word.startswith(start) and len(root) == _ROOT else ():
            if column.numeric and any(part.startswith(root) for part in column.words):
                clause = Condition(column=column.name, operator=Operator.EQ, values=(int(number),))
                yield clause_said(place, place + 1, clause, (("bound.compound", 1.0),), column.place)


def _averaged(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `above average revenue`, `revenue over the average`: a comparison with the mean of the column itself."""
    told: Features = (("bound.mean", 1.0),)
    for concept in lattice.concepts(place, "scale.more."):
        # `dearer than average`
        _, _, way, dimension = concept.name.split(".", 3)
        operator = Operator.GT if way == "max" else Operator.LT
        ends = [concept.end, *(than.end for than in lattice.concepts(concept.end, "than"))]
        for mean in (
            mean
            for end in ends
            for at, _ in hop(lattice, end, 1)
            for mean in lattice.concepts(at, "agg.mean")
        ):
            for column in lattice.vocabulary.columns:
                if column.measure and column.measures(dimension):
                    yield clause_said(
                        place,
                        mean.end,
                        _against_mean(operator, column),
                        (*told, ("bound.dimension", 1.0)),
                        column.place,
                    )
    for operator, end in _mean_bounds(lattice, place):
        for link, column, skipped in columns_behind(lattice, end, 1):
            if column.measure:
                yield clause_said(
                    place,
                    link.end,
                    _against_mean(operator, column),
                    (*told, *link.features, *skipped),
                    link.column,
                )
        likely = dict.fromkeys(
            column.place for column in (*lattice.vocabulary.money, *lattice.vocabulary.measures)
        )
        for rank, column in enumerate(lattice.vocabulary.columns[other] for other in [*likely][:2]):
            unsaid: Features = (*told, ("bound.default", 1.0), ("default.rank", float(rank)))
            yield clause_said(place, end, _against_mean(operator, column), unsaid, column.place)
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 2) if column.measure else ():
            for operator, end in _mean_bounds(lattice, at):
                yield clause_said(
                    place,
                    end,
                    _against_mean(operator, column),
                    (*told, *link.features, *skipped),
                    link.column,
                )


def _mean_bounds(lattice: Lattice, place: int) -> Iterator[tuple[Operator, int]]:
    for concept in lattice.concepts(place, *_COMPARED):
        for at, _ in hop(lattice, concept.end, 2):
            for mean in lattice.concepts(at, "agg.mean"):
                yield _COMPARED[concept.name], mean.end


def _against_mean(operator: Operator, column: TableColumn) -> Condition:
    return Condition(column=column.name, operator=operator, values=(0,), part="mean")


def _signed(lattice: Lattice, place: int) -> Iterator[Item]:
    """`negative temperature`, `profit was negative`."""
    signs = ("polar.positive", "polar.negative")
    for concept in lattice.concepts(place, *signs):
        for link, column, skipped in columns_behind(lattice, concept.end, 1):
            yield _sign(concept, link, column, place, link.end, skipped)
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 2):
            for concept in lattice.concepts(at, *signs):
                yield _sign(concept, link, column, place, concept.end, skipped)


def _sign(concept: Link, link: Link, column: TableColumn, start: int, end: int, features: Features) -> Item:
    operator = Operator.GT if concept.name.endswith("positive") else Operator.LT
    clause = Condition(column=column.name, operator=operator, values=(0,))
    more: Features = () if column.numeric else (("measure.unfit", 1.0),)
    return clause_said(
        start, end, clause, (*link.features, *features, *more, ("bound.sign", 1.0)), link.column
    )


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
