"""Spans of a question → conditions: comparisons with numbers, cells, missing cells, parts of texts, denials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tabchat.planner.intent import AnyOf, Condition, Operator
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Effect, Item, Kind
from tabchat.planner.readings.phrases import hop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Clause
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features
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
_LONGEST_LIST: Final = 8
_TURNED: Final = {
    Operator.GT: Operator.LT,
    Operator.GE: Operator.LE,
    Operator.LT: Operator.GT,
    Operator.LE: Operator.GE,
}
"""A fall of more than 2 is a change below -2."""
_BEHIND: Final = {"post.ge": Operator.GE, "post.le": Operator.LE}
_TEXTS: Final = {
    "text.contains": Operator.CONTAINS,
    "text.starts": Operator.STARTS,
    "text.ends": Operator.ENDS,
}
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


class Bound:
    """A comparison with one number or two, and where its words end."""

    def __init__(
        self, operator: Operator, quantities: tuple[Quantity, ...], end: int, features: Features
    ) -> None:
        self.operator, self.quantities, self.end, self.features = operator, quantities, end, features


def denied(clause: Clause) -> Clause | None:
    """Return the opposite of a condition; None where there is no simple one."""
    if isinstance(clause, AnyOf):
        return None
    operator = _DENIED.get(clause.operator)
    if operator is None:
        return None
    return Condition(
        column=clause.column, operator=operator, values=clause.values, part=clause.part, other=clause.other
    )


def bounds_at(lattice: Lattice, place: int) -> Iterator[Bound]:
    """Yield the comparisons that begin at a place: `over 5`, `between 2 and 4`, `5 or more`, `5`."""
    for concept in lattice.concepts(place, *_COMPARED):
        for at, skipped in hop(lattice, concept.end, 2):
            for number in _numbers(lattice, at):
                yield Bound(
                    _COMPARED[concept.name], (number.quantity,), number.end, (*skipped, (concept.name, 1.0))
                )
    for concept in lattice.concepts(place, "between", "from"):
        for low in _numbers(lattice, concept.end):
            for tie in lattice.concepts(low.end, "and", "to", "until", "sign.dash", "in"):
                for high in _numbers(lattice, tie.end):
                    yield Bound(
                        Operator.BETWEEN, _sorted(low.quantity, high.quantity), high.end, (("between", 1.0),)
                    )
    for number in _numbers(lattice, place):
        for concept in lattice.concepts(number.end, *_BEHIND):
            yield Bound(_BEHIND[concept.name], (number.quantity,), concept.end, ((concept.name, 1.0),))
        for tie in lattice.concepts(number.end, "to", "sign.dash"):
            for high in _numbers(lattice, tie.end):
                yield Bound(
                    Operator.BETWEEN,
                    _sorted(number.quantity, high.quantity),
                    high.end,
                    (("between.bare", 1.0),),
                )
        yield Bound(Operator.EQ, (number.quantity,), number.end, (("bound.bare", 1.0),))
        listed = _listed(lattice, number)
        if len(listed) > 1:
            quantities = tuple(each.quantity for each in listed)
            yield Bound(Operator.IN, quantities, listed[-1].end, (("bound.bare", 1.0), ("bound.list", 1.0)))


def _listed(lattice: Lattice, number: _Number) -> list[_Number]:
    """Return the numbers that are listed from a number on: `4 or 5`."""
    found = [number]
    while len(found) < _LONGEST_LIST:
        ties = [tie.end for tie in lattice.concepts(found[-1].end, "or", "and", "comma")]
        behind = [more for end in ties for more in _numbers(lattice, end)]
        if not behind:
            break
        found.append(behind[0])
    return found


class _Number(NamedTuple):
    """A number of a question, and the place behind it."""

    quantity: Quantity
    end: int


def _numbers(lattice: Lattice, place: int) -> Iterator[_Number]:
    """Yield numbers at a place, with and without the thousands or units behind them."""
    for link in lattice.at(place, LinkKind.NUMBER):
        if link.quantity is not None:
            yield _Number(link.quantity, link.end)


def _sorted(low: Quantity, high: Quantity) -> tuple[Quantity, Quantity]:
    return (low, high) if low.value <= high.value else (high, low)


def bound_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Comparisons, with the column before, behind or elsewhere."""
    for bound in bounds_at(lattice, place):
        yield _pending(bound, place, bound.end, bound.features)
        for at, skipped in hop(lattice, bound.end, 1):
            for link in lattice.at(at, LinkKind.COLUMN):
                if lattice.vocabulary.columns[link.column].numeric:
                    features = (*link.features, *bound.features, *skipped, ("bound.column_behind", 1.0))
                    yield _compared(lattice, bound, link, place, link.end, features)
            for times in lattice.concepts(at, "times"):
                told = (*bound.features, ("bound.times", 1.0))
                yield Item(effect=_having(bound, place, times.end), features=told)
            for rows in lattice.at(at, LinkKind.ROWS):
                yield Item(
                    effect=_having(bound, place, rows.end),
                    features=(*rows.features, *bound.features, ("bound.rows", 1.0)),
                )
    for link in lattice.at(place, LinkKind.COLUMN):
        column = lattice.vocabulary.columns[link.column]
        if not column.numeric:
            continue
        for at, skipped in hop(lattice, link.end, 3):
            for bound in bounds_at(lattice, at):
                features = (*link.features, *bound.features, *skipped, ("bound.column_before", 1.0))
                yield _compared(lattice, bound, link, place, bound.end, features)
            for concept in lattice.concepts(at, *_COMPARED):
                for behind, more in hop(lattice, concept.end, 2):
                    for other in lattice.at(behind, LinkKind.COLUMN):
                        if other.column != link.column and lattice.vocabulary.columns[other.column].numeric:
                            yield _between_columns(lattice, link, other, concept, (*skipped, *more))
    yield from _moved(lattice, place)
    yield from _outnumbered(lattice, place)
    yield from _dimensioned(lattice, place)
    yield from _signed(lattice, place)


def _moved(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `the close fell by more than 2 %`: a condition on the change since the row before."""
    for link in lattice.at(place, LinkKind.COLUMN):
        if not lattice.vocabulary.columns[link.column].measure:
            continue
        for at, skipped in hop(lattice, link.end, 2):
            for concept in lattice.concepts(at, "change.down", "change.up", "change.any"):
                ends = [concept.end, *(by.end for by in lattice.concepts(concept.end, "by", "in"))]
                for bound in (bound for end in ends for bound in bounds_at(lattice, end)):
                    clause = _movement(lattice, link, concept, bound)
                    if clause is not None:
                        effect = Effect(
                            kind=Kind.CLAUSE,
                            start=place,
                            end=bound.end,
                            column=link.column,
                            clauses=(clause,),
                        )
                        own = (*link.features, *skipped, *bound.features)
                        yield Item(effect=effect, features=(*own, ("bound.moved", 1.0)))
                clause = _movement(lattice, link, concept, None)
                if clause is not None:
                    effect = Effect(
                        kind=Kind.CLAUSE, start=place, end=concept.end, column=link.column, clauses=(clause,)
                    )
                    yield Item(
                        effect=effect, features=(*link.features, *skipped, ("bound.moved_at_all", 1.0))
                    )


def _movement(lattice: Lattice, link: Link, concept: Link, bound: Bound | None) -> Condition | None:
    name = lattice.vocabulary.columns[link.column].name
    down = concept.name == "change.down"
    if bound is None:
        operator = Operator.LT if down else Operator.GT
        return (
            None
            if concept.name == "change.any"
            else Condition(column=name, operator=operator, values=(0,), part="change")
        )
    if len(bound.quantities) != 1 or concept.name == "change.any":
        return None
    size = bound.quantities[0]
    operator = _TURNED.get(bound.operator, bound.operator) if down else bound.operator
    value = _plain(-size.value if down else size.value)
    return Condition(
        column=name, operator=operator, values=(value,), part="change_pct" if size.percent else "change"
    )


def _pending(bound: Bound, start: int, end: int, features: Features) -> Item:
    effect = Effect(
        kind=Kind.BOUND,
        start=start,
        end=end,
        operator=bound.operator,
        quantities=bound.quantities,
        values=tuple(quantity.value for quantity in bound.quantities),
    )
    return Item(effect=effect, features=(*features, ("bound.pending", 1.0)))


def _having(bound: Bound, start: int, end: int) -> Effect:
    return Effect(
        kind=Kind.BOUND,
        start=start,
        end=end,
        name="rows",
        operator=bound.operator,
        quantities=bound.quantities,
        values=tuple(quantity.value for quantity in bound.quantities),
    )


def _compared(lattice: Lattice, bound: Bound, link: Link, start: int, end: int, features: Features) -> Item:
    column = lattice.vocabulary.columns[link.column]
    values = tuple(column.in_unit(quantity) for quantity in bound.quantities)
    condition = Condition(column=column.name, operator=bound.operator, values=values)
    facts = column.facts
    more: Features = ()
    if not column.measure:
        more = (("bound.on_name", 1.0),)
    if facts.exact and isinstance(facts.low, int | float) and isinstance(facts.high, int | float):
        outside = all(value < facts.low or value > facts.high for value in values)
        more = (*more, ("bound.outside", 1.0)) if outside else more
    effect = Effect(kind=Kind.CLAUSE, start=start, end=end, clauses=(condition,), column=link.column)
    return Item(effect=effect, features=(*features, *more, ("bound", 1.0)))


def _outnumbered(lattice: Lattice, place: int) -> Iterator[Item]:
    """`more assists than goals`: a comparison of two columns."""
    for concept in lattice.concepts(place, "more", "fewer", "degree.more", "degree.less"):
        for one in lattice.at(concept.end, LinkKind.COLUMN):
            for than in lattice.concepts(one.end, "than"):
                for other in lattice.at(than.end, LinkKind.COLUMN):
                    columns = lattice.vocabulary.columns
                    numeric = columns[one.column].numeric and columns[other.column].numeric
                    if other.column == one.column or not numeric:
                        continue
                    more = concept.name in {"more", "degree.more"}
                    clause = Condition(
                        column=columns[one.column].name,
                        operator=Operator.GT if more else Operator.LT,
                        other=columns[other.column].name,
                    )
                    effect = Effect(
                        kind=Kind.CLAUSE, start=place, end=other.end, column=one.column, clauses=(clause,)
                    )
                    yield Item(effect=effect, features=(*one.features, *other.features, ("bound.other", 1.0)))


def _between_columns(lattice: Lattice, one: Link, two: Link, concept: Link, features: Features) -> Item:
    columns = lattice.vocabulary.columns
    condition = Condition(
        column=columns[one.column].name, operator=_COMPARED[concept.name], other=columns[two.column].name
    )
    effect = Effect(kind=Kind.CLAUSE, start=one.start, end=two.end, clauses=(condition,), column=one.column)
    return Item(effect=effect, features=(*one.features, *two.features, *features, ("bound.other", 1.0)))


def _plain(value: float) -> float:
    return int(value) if float(value).is_integer() else value


def _dimensioned(lattice: Lattice, place: int) -> Iterator[Item]:
    """`longer than 80 minutes`: the comparative names the column."""
    for concept in lattice.concepts(place, "scale.more."):
        _, _, way, dimension = concept.name.split(".", 3)
        operator = Operator.GT if way == "max" else Operator.LT
        start = concept.end
        for than in lattice.concepts(start, "than"):
            start = than.end
        for at, skipped in hop(lattice, start, 2):
            for number in _numbers(lattice, at):
                told = (("bound.comparative", 1.0), *skipped)
                yield _pending(Bound(operator, (number.quantity,), number.end, told), place, number.end, told)
                for column in lattice.vocabulary.columns:
                    if column.numeric and column.measures(dimension):
                        link = _implied(place, number.end, column.place)
                        bound = Bound(
                            operator, (number.quantity,), number.end, (("bound.dimension", 1.0), *skipped)
                        )
                        yield _compared(lattice, bound, link, place, number.end, bound.features)
                        for noun in lattice.at(number.end, LinkKind.COLUMN):
                            if noun.column == column.place:
                                # `stays longer than 5 nights`, over a column of nights.
                                told = (*noun.features, *bound.features, ("bound.column_behind", 1.0))
                                yield _compared(lattice, bound, link, place, noun.end, told)


def _implied(start: int, end: int, column: int) -> Link:
    from tabchat.planner.links.link import Link as Implied

    return Implied(
        start=start, end=end, kind=LinkKind.COLUMN, column=column, features=(("column.implied", 1.0),)
    )


def _signed(lattice: Lattice, place: int) -> Iterator[Item]:
    """`negative temperature`, `profit was negative`."""
    for concept in lattice.concepts(place, "polar.positive", "polar.negative"):
        for at, skipped in hop(lattice, concept.end, 1):
            for link in lattice.at(at, LinkKind.COLUMN):
                yield _sign(lattice, concept, link, place, link.end, skipped)
    for link in lattice.at(place, LinkKind.COLUMN):
        for at, skipped in hop(lattice, link.end, 2):
            for concept in lattice.concepts(at, "polar.positive", "polar.negative"):
                yield _sign(lattice, concept, link, place, concept.end, skipped)


def _sign(lattice: Lattice, concept: Link, link: Link, start: int, end: int, features: Features) -> Item:
    column = lattice.vocabulary.columns[link.column]
    operator = Operator.GT if concept.name.endswith("positive") else Operator.LT
    condition = Condition(column=column.name, operator=operator, values=(0,))
    effect = Effect(kind=Kind.CLAUSE, start=start, end=end, clauses=(condition,), column=link.column)
    more: Features = () if column.numeric else (("measure.unfit", 1.0),)
    return Item(effect=effect, features=(*link.features, *features, *more, ("bound.sign", 1.0)))
