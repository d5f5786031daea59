"""Spans of a question → conditions that a comparative says: dearer, above average, more of one than of another, falling, negative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.units import NEARNESS
from tabchat.planner.readings.bounds import COMPARED, Bound, against, bounds_at, compared, pending
from tabchat.planner.readings.effect import clause_said
from tabchat.planner.readings.phrases import hop, paths
from tabchat.planner.readings.targets import names_rows, parts_at
from tabchat.planner.words import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.readings.phrases import Step
    from tabchat.planner.words import Concept

_TURNED: Final = {
    Operator.GT: Operator.LT,
    Operator.GE: Operator.LE,
    Operator.LT: Operator.GT,
    Operator.LE: Operator.GE,
}
"""A fall of more than 2 is a change below -2."""
_IN_TIME: Final = {"before": Operator.LT, "after": Operator.GT}
_AGGREGATED: Final = frozenset({"agg.sum", "agg.mean"})
_ROOT: Final = 4
"""Letters by which a word is known in one with a number."""


def comparative_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Conditions on numbers that a word says which is more than a sign of comparison."""
    yield from _moved(lattice, place)
    yield from _outnumbered(lattice, place)
    yield from _timed(lattice, place)
    yield from _dimensioned(lattice, place)
    yield from _averaged(lattice, place)
    yield from _signed(lattice, place)
    yield from _compounded(lattice, place)


def _moved(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `the close fell by more than 2 %`: a condition on the change since the row before."""
    for (link, move), end, told in paths(lattice, place, LinkKind.COLUMN, 2, ("change.down", "change.up")):
        column, down = lattice.column(link), move.name == "change.down"
        if not column.measure:
            continue
        ends = [end, *(by.end for by in lattice.concepts(end, "by", "in"))]
        for bound in (bound for at in ends for bound in bounds_at(lattice, at)):
            if len(bound.quantities) == 1:
                features = (*told, *bound.features, ("bound.moved", 1.0))
                yield clause_said(
                    place, bound.end, _movement(column, bound, down=down), features, link.column
                )
        operator = Operator.LT if down else Operator.GT
        clause = Condition(column=column.name, operator=operator, values=(0,), part="change")
        yield clause_said(place, end, clause, (*told, ("bound.moved_at_all", 1.0)), link.column)


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
    steps = (("more", "fewer", "degree.more", "degree.less"), LinkKind.COLUMN, ("than",), LinkKind.COLUMN)
    for (more, one, _, other), end, told in paths(lattice, place, *steps):
        operator = Operator.GT if more.name.endswith("more") else Operator.LT
        yield from against(operator, lattice.column(one), lattice.column(other), place, end, told)


def _timed(lattice: Lattice, place: int) -> Iterator[Item]:
    """`paid before shipping`, `finished after the due date`: a comparison of two dates."""
    for order, operator in _IN_TIME.items():
        for (one, _, other), end, told in paths(
            lattice, place, LinkKind.COLUMN, 2, (order,), 3, LinkKind.COLUMN
        ):
            yield from against(operator, lattice.column(one), lattice.column(other), place, end, told)


def _scaled(lattice: Lattice, place: int) -> Iterator[tuple[Operator, str, int]]:
    """Yield (operator, dimension, place behind) of a comparative: `longer`, `longer than`."""
    for concept in lattice.concepts(place, "scale.more."):
        _, _, way, dimension = concept.name.split(".", 3)
        for end in (concept.end, *(than.end for than in lattice.concepts(concept.end, "than"))):
            yield Operator.GT if way == "max" else Operator.LT, dimension, end


def _dimensioned(lattice: Lattice, place: int) -> Iterator[Item]:
    """`longer than 80 minutes`: the comparative names the column."""
    for operator, dimension, start in _scaled(lattice, place):
        for at, skipped in hop(lattice, start, 2):
            for number, end in lattice.numbers(at):
                yield from _measuring(lattice, place, Bound(operator, (number,), end, skipped), dimension)


def _measuring(lattice: Lattice, place: int, bound: Bound, dimension: str) -> Iterator[Item]:
    columns = lattice.vocabulary.columns
    near = {column.place: found for column in columns if (found := column.nearness(dimension))}
    nearest = min(near.values(), key=NEARNESS.index, default="")
    elsewhere = (("bound.comparative", 1.0), *bound.features, ("bound.pending", 1.0))
    own = [columns[at] for at, found in near.items() if found == "own"]
    if not any(_can_be(column, bound.quantities) for column in own):
        past = ("bound.past_dimension", float(bool(near)))
        yield pending(bound, place, bound.end, (*elsewhere, past), name=dimension)
    behind = lattice.columns(bound.end)
    for noun, named in behind:
        said = [size for size in lattice.sentence.quantities if size.unit and size.end == noun.end]
        if not (named.measures(dimension) or (said and any(_can_be(column, said) for column in own))):
            # `longer than 300 words`, over a column of words; `older than 6 months` is no `contract_months`.
            told = (*noun.features, *bound.features, ("bound.column_behind", 1.0))
            yield from compared(bound, named, place, noun.end, told)
    for column in columns:
        if column.place in near:
            how = (
                (f"bound.{near[column.place]}", 1.0),
                ("bound.farther", float(near[column.place] != nearest)),
            )
            told = (("bound.dimension", 1.0), *how, *bound.features)
            # The younger ones were born later.
            born = dimension == "age" and column.facts.years
            turned = bound._replace(operator=_TURNED[bound.operator]) if born else bound
            yield from compared(turned, column, place, bound.end, told)
            for noun in (noun for noun, named in behind if named is column):
                # `stays longer than 5 nights`, over a column of nights.
                both = (*noun.features, *told, ("bound.column_behind", 1.0))
                yield from compared(turned, column, place, noun.end, both)


def _can_be(column: TableColumn, numbers: Sequence[Quantity]) -> bool:
    """Tell whether numbers with their units can be those of a column: an age in months, where it is told in years."""
    measured = [size for size in numbers if size.unit is not None or size.seconds is not None]
    return all(map(column.takes, measured))


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
    """Read `above average revenue`, `revenue over the average`, `dearer than average`: each against its own mean."""
    for operator, dimension, start in _scaled(lattice, place):
        for (mean,), end, _ in paths(lattice, start, 1, ("agg.mean",)):
            for column in lattice.vocabulary.columns if _is_set_against(lattice, place, mean) else ():
                if column.measures(dimension):
                    yield from _against_mean(operator, column, place, end, (("bound.dimension", 1.0),))
    higher = paths(lattice, place, ("comparative.",), 1, LinkKind.COLUMN, ("than",), 2, ("agg.mean",))
    for (concept, link, _, _), end, told in higher:
        # `a higher fee than average`
        operator = Operator.GT if concept.name == "comparative.max" else Operator.LT
        yield from _against_mean(operator, lattice.column(link), place, end, told)
    for operator, at in _mean_bounds(lattice, place):
        for (link,), end, told in paths(lattice, at, 1, LinkKind.COLUMN):
            yield from _against_mean(operator, lattice.column(link), place, end, told)
        likely = {
            column.place: column for column in (*lattice.vocabulary.money, *lattice.vocabulary.measures)
        }
        for rank, column in enumerate([*likely.values()][:2]):
            unsaid = (("bound.default", 1.0), ("default.rank", float(rank)))
            yield from _against_mean(operator, column, place, at, unsaid)
    for (link,), at, told in paths(lattice, place, LinkKind.COLUMN, 2):
        for operator, end in _mean_bounds(lattice, at):
            yield from _against_mean(operator, lattice.column(link), place, end, told)


def _mean_bounds(lattice: Lattice, place: int) -> Iterator[tuple[Operator, int]]:
    for concept in lattice.concepts(place, *COMPARED):
        for at, _ in hop(lattice, concept.end, 2):
            for mean in lattice.concepts(at, "agg.mean"):
                if _is_set_against(lattice, place, mean):
                    yield COMPARED[concept.name], mean.end


def _is_set_against(lattice: Lattice, place: int, mean: Concept | Link) -> bool:
    """Tell whether a mean is what something is compared with: `dearer than on average`, and not `dearer on average`."""
    beside = any(lattice.has(at, "in") for at in (mean.start, mean.start - 1) if at > place)
    return not beside or any(lattice.has(at, "than") for at in range(place, mean.start))


def _against_mean(
    operator: Operator, column: TableColumn, start: int, end: int, features: Features
) -> Iterator[Item]:
    if column.measure:
        clause = Condition(column=column.name, operator=operator, values=(0,), part="mean")
        yield clause_said(start, end, clause, (("bound.mean", 1.0), *features), column.place)


def _signed(lattice: Lattice, place: int) -> Iterator[Item]:
    """`negative temperature`, `profit was negative`; of rows, whatever is told of them on both sides of 0: `negative entries`."""
    signs = ("polar.positive", "polar.negative")
    both = [column for column in lattice.vocabulary.measures if parts_at(column, 0)]
    orders: tuple[tuple[Step, ...], ...] = (
        *((signs, 1, LinkKind.COLUMN), (LinkKind.COLUMN, 2, signs)),
        *((signs, LinkKind.ROWS), (LinkKind.ROWS, 2, signs)),
    )
    for path in (path for order in orders for path in paths(lattice, place, *order)):
        columns = (lattice.column(link) for link in path.links if link.kind is LinkKind.COLUMN)
        # Numbers of rows stand for them.
        named = [column for column in columns if not names_rows(column)]
        positive = path.link(LinkKind.CONCEPT).name == "polar.positive"
        operator = Operator.GT if positive else Operator.LT
        for column in named or both[:2]:
            clause = Condition(column=column.name, operator=operator, values=(0,))
            told = (*path.features, ("bound.sign", 1.0), ("bound.rivals", float(not named and len(both) > 1)))
            if column.numeric:
                yield clause_said(place, path.end, clause, told, column.place)
    for sign in lattice.concepts(place, *signs) if _AGGREGATED & lattice.names else ():
        # `a negative total amount`, of each group
        operator = Operator.GT if sign.name == signs[0] else Operator.LT
        told = (("bound.sign", 1.0), ("bound.pending", 1.0))
        yield pending(
            Bound(operator, (Quantity(start=place, end=sign.end, value=0),), sign.end), place, sign.end, told
        )
