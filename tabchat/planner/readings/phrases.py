"""Spans of a question → effects: columns, figures, counts, amounts and rows, one small grammar for each.

Every function takes the place of the first word and returns all items that begin there. Nothing is chosen: phrases that
overlap are alternatives, and the search weighs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tabchat.planner.intent import COUNT, Measure
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.words import Quantity

Step: TypeAlias = "LinkKind | Sequence[str] | int"
"""What may come next: a link of a kind, a concept of some names, or at most so many small words."""

_FUNCTIONS: Final = (
    *("agg.sum", "agg.mean", "agg.median", "agg.max", "agg.min", "agg.std", "agg.var", "agg.mode"),
    *("agg.range", "range"),
)
_ENDS: Final = ("super.", "agg.max", "agg.min")
_PERCENTILE: Final = ("agg.percentile",)
_MOST_COUNTED: Final = 1000
"""Things that are asked for by their number."""


def hop(lattice: Lattice, place: int, most: int = 3) -> Iterator[tuple[int, Features]]:
    """Yield `place` and the places behind the small words that may stand inside a phrase."""
    yield place, ()
    for at in range(place, min(place + most, len(lattice.skips))):
        skip = lattice.skips[at]
        joins = skip is Skip.JOIN and lattice.has(at, "in", "pred", "from", "to")
        # `is not over 20`, `is not empty`: what is denied is said by one phrase behind `is`.
        joins |= (
            skip is Skip.DENIAL
            and lattice.has(at, "pred")
            and bool(lattice.concepts(at + 1, "cmp.", "present"))
        )
        if skip is not Skip.NOTHING and not joins:
            return
        yield at + 1, (("hop", float(at + 1 - place)),)


class Path(NamedTuple):
    """Links that follow one another, and the place behind them."""

    links: tuple[Link, ...]
    end: int
    features: Features
    """Those of all links but concepts, and of the small words that are passed over."""

    def link(self, kind: LinkKind) -> Link:
        """Return the first of the links that is of a kind."""
        return next(link for link in self.links if link.kind is kind)


def paths(lattice: Lattice, place: int, *steps: Step) -> list[Path]:
    """Return the ways to read the words from a place on as links that follow one another."""
    found = [Path((), place, ())]
    for step in steps:
        found = [longer for path in found for longer in _longer(lattice, path, step)]
        if not found:
            break
    return found


def _longer(lattice: Lattice, path: Path, step: Step) -> list[Path]:
    links, end, told = path
    if isinstance(step, int):
        return [Path(links, at, (*told, *skipped)) for at, skipped in hop(lattice, end, step)]
    if isinstance(step, LinkKind):
        return [Path((*links, link), link.end, (*told, *link.features)) for link in lattice.at(end, step)]
    return [Path((*links, link), link.end, told) for link in lattice.concepts(end, *step)]


def columns_behind(
    lattice: Lattice, place: int, most: int = 3
) -> Iterator[tuple[Link, TableColumn, Features]]:
    """Yield the columns at `place` and behind the small words there: link, column, what was hopped over."""
    for at, skipped in hop(lattice, place, most):
        for link, column in lattice.columns(at):
            yield link, column, skipped


def column_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a column by itself."""
    for at, count, counted in _counted_from(lattice, place):
        for link, column in lattice.columns(at):
            if link.name != "denied":
                features, many = (*link.features, *counted), names_several(lattice, link, column)
                yield said(Kind.COLUMN, place, link.end, features, column=link.column, count=count, many=many)


def _counted_from(lattice: Lattice, place: int) -> Iterator[tuple[int, int | None, Features]]:
    """Yield a place, and the place behind a count of things: `10 days`, `three customers`."""
    yield place, None, ()
    for quantity, end in lattice.numbers(place):
        for at, skipped in hop(lattice, end, 1) if _is_count(quantity) else ():
            yield at, int(quantity.value), (*skipped, ("counted.before", 1.0))


def measure_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a function with its column, on either side; a function alone; one column for each unit of another."""
    for found in functions(lattice, place):
        fields = {"name": found.name, "parameter": found.parameter}
        yield said(Kind.FUNCTION, place, found.end, (("function", 1.0),), **fields)
        for at, skipped in hop(lattice, found.end):
            for link in measured_columns(lattice, at):
                yield _measured(lattice, found, link, place, link.end, (*skipped, ("function.of", 1.0)))
    for (one, _, other), end, told in paths(lattice, place, LinkKind.COLUMN, ("per",), 1, LinkKind.COLUMN):
        above, below = lattice.column(one), lattice.column(other)
        if above is not below and above.measure and below.measure:
            # `cost per click`
            measure = Measure(function="sum", column=above.name, per=below.name)
            features = (*told, ("ratio.columns", 1.0))
            yield said(Kind.MEASURE, place, end, features, measure=measure, column=one.column)
    for link in measured_columns(lattice, place):
        for found in functions(lattice, link.end):
            yield _measured(lattice, found, link, place, found.end, (("function.behind", 1.0),))


def measured_columns(lattice: Lattice, place: int) -> list[Link]:
    """Return the columns at a place that a function can be of: the average order is no average of `order_id`."""
    return [link for link, _ in lattice.columns(place) if "column.identifier" not in link.signs]


class NamedFunction(NamedTuple):
    """A function that was named, and the place behind its name."""

    name: str
    end: int
    parameter: float | None = None

    def of(self, column: TableColumn) -> Measure:
        """Return the function of a column."""
        return Measure(function=self.name, column=column.name, parameter=self.parameter)


def functions(lattice: Lattice, place: int) -> list[NamedFunction]:
    """Return the functions that are named at a place."""
    found = [
        NamedFunction(concept.name.removeprefix("agg."), concept.end)
        for concept in lattice.concepts(place, *_FUNCTIONS)
    ]
    for concept in lattice.concepts(place, "quantile."):
        percent = float(concept.name.removeprefix("quantile."))
        found.append(NamedFunction("percentile", concept.end, percent / 100))
    orders: tuple[tuple[Step, Step], ...] = ((_PERCENTILE, LinkKind.NUMBER), (LinkKind.NUMBER, _PERCENTILE))
    for links, end, _ in (path for order in orders for path in paths(lattice, place, *order)):
        value = next(link.quantity.value for link in links if link.quantity is not None)
        found.append(NamedFunction("percentile", end, value / 100 if value > 1 else value))
    # `the difference between the highest and the lowest fee`
    for (_, one, _, other), end, _ in paths(lattice, place, ("diff",), 2, _ENDS, ("and",), 2, _ENDS):
        if {one.name.rpartition(".")[2], other.name.rpartition(".")[2]} == {"max", "min"}:
            found.append(NamedFunction("range", end))
    return [item for item in found if item.parameter is None or 0 <= item.parameter <= 1]


def _measured(
    lattice: Lattice, found: NamedFunction, link: Link, start: int, end: int, features: Features
) -> Item:
    column = lattice.column(link)
    # How long dates stretch is hardly meant by their range, but from when to when they do.
    fits = column.numeric or (found.name in {"min", "max", "mode"} and not column.flag)
    # `the average number of orders`, over a column of quantities: of the rows.
    of_rows = "quantity" in column.groups and bool(counted_rows(lattice, end))
    told = (
        *(*link.features, *features, ("function", 1.0), ("measure.fits" if fits else "measure.unfit", 1.0)),
        ("sum.nonadditive", float(found.name == "sum" and not column.additive)),
        ("measure.of_rows", float(of_rows)),
    )
    return said(Kind.MEASURE, start, end, told, measure=found.of(column), column=link.column)


def count_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """How many: alone, of rows, of a column's different values, of what a column counts."""
    for concept in lattice.concepts(place, "count"):
        yield said(Kind.COUNT, place, concept.end, (("count", 1.0),))
        for at, skipped in hop(lattice, concept.end):
            # Of `how many different products` by a column of these, rows are none.
            apart = any(lattice.has(word, "distinct") for word in range(place, at))
            for rows in counted_rows(lattice, at) if not (apart and lattice.columns(at)) else ():
                features = (*rows.features, *skipped, ("count.rows", 1.0))
                yield said(Kind.MEASURE, place, rows.end, features, measure=COUNT)
            for distinct in lattice.concepts(at, "distinct"):
                for link, column, more in columns_behind(lattice, distinct.end):
                    yield _distinct(lattice, place, link, column, (*skipped, *more, ("count.explicit", 1.0)))
            for link, column in lattice.columns(at):
                yield _distinct(lattice, place, link, column, (*skipped, ("count.values", 1.0)))
                # `Visitors` counts them, as `how many visitors` does; a `Room` is one of the rooms.
                turned = float("column.form" in link.signs)
                summed = (("count.summed", 1.0), ("count.summed_form", turned))
                yield _total(place, link, column, (*skipped, *summed))
                features = (*link.features, *skipped, ("count.column_as_rows", 1.0))
                yield said(Kind.MEASURE, place, link.end, features, measure=COUNT)
        for unit in lattice.concepts(concept.end, "span."):
            # `How many days does a repair take`: of what lasts.
            for column in lattice.vocabulary.columns:
                if column.seconds == float(unit.name.removeprefix("span.")):
                    yield said(Kind.COLUMN, place, unit.end, (("count.lasting", 1.0),), column=column.place)
    for concept in lattice.concepts(place, "howmuch"):
        for link, column, skipped in columns_behind(lattice, concept.end):
            yield _total(place, link, column, skipped)
    for (_, degree), end, _ in paths(lattice, place, ("how",), ("scale.plain.max.",)):
        # `How long`, `how heavy`: the column that measures it.
        for column in lattice.vocabulary.columns:
            if column.measures(degree.name.removeprefix("scale.plain.max.")):
                fields = {"name": "degree", "column": column.place, "asked": True}
                yield said(Kind.COLUMN, place, end, (("degree.asked", 1.0),), **fields)


def counted_rows(lattice: Lattice, place: int) -> list[Link]:
    """Return the words for rows at a place that a number can be of; a word of the file's name is none.

    Visits are no rows where a column of amounts is called so.
    """
    named = [column for link, column in lattice.columns(place) if "column.synonym" not in link.signs]
    amounts = any(column.measure and column.additive for column in named)
    others = {"table", "entity"} if amounts else {"table"}
    return [rows for rows in lattice.at(place, LinkKind.ROWS) if rows.name not in others]


def _distinct(lattice: Lattice, start: int, link: Link, column: TableColumn, features: Features) -> Item:
    kind = "of_unique" if column.kept_unique else "of_numbers" if column.measure else "of_others"
    people = float(kind == "of_others" and column in lattice.vocabulary.people)
    told = (*link.features, *features, (f"count.{kind}", 1.0), ("count.of_people", people))
    measure = Measure(function="count_distinct", column=column.name)
    return said(Kind.MEASURE, start, link.end, told, measure=measure, column=link.column)


def _total(start: int, link: Link, column: TableColumn, features: Features) -> Item:
    measure = Measure(function="sum", column=column.name) if column.numeric else COUNT
    summed = (*link.features, *features, ("sum.nonadditive", float(not column.additive)))
    told = summed if column.numeric else (("count.unsummable", 1.0),)
    return said(Kind.MEASURE, start, link.end, told, measure=measure, column=link.column)


def row_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a word for rows."""
    for at, count, counted in _counted_from(lattice, place):
        for rows in lattice.at(at, LinkKind.ROWS):
            fields = {"name": rows.name, "many": lattice.is_plural(at, rows.end), "count": count}
            fields["column"] = lattice.called_like(rows)
            yield said(Kind.ROWS, place, rows.end, (*rows.features, *counted), **fields)


def listed_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read columns that are listed to be shown: `name, city and salary`, `the columns name and city`."""
    before = place - 1
    opens = not place or lattice.skips[before] in {Skip.NOTHING, Skip.VERB, Skip.ROW}
    # `how many different origins and destinations` asks for numbers.
    if (
        not (opens or lattice.has(before, "distinct"))
        or min(lattice.behind("count"), default=place + 1) <= place
    ):
        return
    at = lattice.beyond(place) if lattice.has(place, "columns") else place
    for run in lattice.listings:
        if run[0].start == at:
            columns = [lattice.column(link) for link in run]
            told = (("listed", 1.0), ("listed.amounts", float(all(column.measure for column in columns))))
            names = tuple(dict.fromkeys(column.name for column in columns))
            yield said(Kind.LISTED, place, run[-1].end, told, columns=names)


def counted_kind_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read the number of `3 partner orders`, where what stands between it and the rows is a cell."""
    for quantity, end in lattice.numbers(place):
        for cell in lattice.at(end, LinkKind.CELL) if _is_count(quantity) else ():
            for rows in counted_rows(lattice, cell.end):
                fields = {"name": rows.name, "many": True, "count": int(quantity.value)}
                yield said(Kind.ROWS, place, end, (("counted.before_cell", 1.0),), **fields)


def _is_count(quantity: Quantity) -> bool:
    """Tell whether a number can be that of some things."""
    plain = quantity.is_whole and not (quantity.percent or quantity.unit or quantity.ordinal)
    return plain and 0 < quantity.value <= _MOST_COUNTED


def names_several(lattice: Lattice, link: Link, column: TableColumn) -> bool:
    """Tell whether a word for a column is in the plural; `sales` and `status` are none where the header itself ends so."""
    last = lattice.sentence.words[link.end - 1].norm
    return last not in column.words and lattice.is_plural(link.start, link.end)
