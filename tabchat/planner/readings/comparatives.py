"""Spans of a question → conditions that a comparative says: dearer, above average, more of one than of another, falling, negative."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator
from tabchat.planner.readings.bounds import COMPARED, Bound, bounds_at, compared, numbers_at, pending
from tabchat.planner.readings.effect import clause_said
from tabchat.planner.readings.phrases import columns_behind, hop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features, Item

_TURNED: Final = {
    Operator.GT: Operator.LT,
    Operator.GE: Operator.LE,
    Operator.LT: Operator.GT,
    Operator.LE: Operator.GE,
}
"""A fall of more than 2 is a change below -2."""
_ROOT: Final = 4
"""Letters by which a word is known in one with a number."""


def comparative_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Conditions on numbers that a word says which is more than a sign of comparison."""
    yield from _moved(lattice, place)
    yield from _outnumbered(lattice, place)
    yield from _dimensioned(lattice, place)
    yield from _averaged(lattice, place)
    yield from _signed(lattice, place)
    yield from _compounded(lattice, place)


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
            for number, end in numbers_at(lattice, at):
                bound = Bound(operator=operator, quantities=(number,), end=end)
                elsewhere = (("bound.comparative", 1.0), *skipped, ("bound.pending", 1.0))
                yield pending(bound, place, end, elsewhere)
                for noun, named in lattice.columns(end):
                    if named.numeric and not named.measures(dimension):
                        # `longer than 300 words`, over a column of words.
                        told = (*noun.features, *skipped, ("bound.column_behind", 1.0))
                        yield compared(bound, named, place, noun.end, told)
                for column in lattice.vocabulary.columns:
                    if column.numeric and column.measures(dimension):
                        told = (("bound.dimension", 1.0), *skipped)
                        if dimension == "age" and column.facts.years:
                            # The younger ones were born later.
                            bound = replace(bound, operator=Operator.LT if way == "max" else Operator.GT)
                        yield compared(bound, column, place, end, told)
                        for noun, named in lattice.columns(end):
                            if named is column:
                                # `stays longer than 5 nights`, over a column of nights.
                                both = (*noun.features, *told, ("bound.column_behind", 1.0))
                                yield compared(bound, column, place, noun.end, both)


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
    for concept in lattice.concepts(place, *COMPARED):
        for at, _ in hop(lattice, concept.end, 2):
            for mean in lattice.concepts(at, "agg.mean"):
                yield COMPARED[concept.name], mean.end


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
