"""Spans of a question → effects: columns, figures, counts and rows, one small grammar for each.

Every function takes the place of the first word and returns all items that begin there. Nothing is chosen: phrases that
overlap are alternatives, and the search weighs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tabchat.planner.intent import Measure
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.words import Quantity

_FUNCTIONS: Final = (
    *(
        "agg.sum",
        "agg.mean",
        "agg.median",
        "agg.max",
        "agg.min",
        "agg.std",
        "agg.var",
        "agg.mode",
        "agg.range",
        "range",
    ),
)
_UNSUMMABLE: Final[Features] = (("count.unsummable", 1.0),)
_MOST_COUNTED: Final = 1000
"""Things that are asked for by their number."""
_PLURAL: Final = ("і", "ї", "их", "їх", "ие", "ые", "ых")
"""Endings of Ukrainian and Russian adjectives in the plural."""


def hop(lattice: Lattice, place: int, most: int = 3) -> Iterator[tuple[int, Features]]:
    """Yield `place` and the places behind the small words that may stand inside a phrase."""
    yield place, ()
    for count in range(1, most + 1):
        at = place + count - 1
        if at >= len(lattice.skips):
            return
        small = lattice.skips[at] is Skip.NOTHING or (
            lattice.skips[at] is Skip.JOIN and lattice.has(at, "in", "pred", "from", "to")
        )
        if not small:
            return
        yield place + count, (("hop", float(count)),)


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
    for number in lattice.at(place, LinkKind.NUMBER):
        quantity = number.quantity
        if quantity is not None and _is_count(quantity):
            for at, skipped in hop(lattice, number.end, 1):
                yield at, int(quantity.value), (*skipped, ("counted.before", 1.0))


def measure_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a function with its column, on either side; a function alone."""
    for found in functions(lattice, place):
        told = (("function", 1.0),)
        yield said(Kind.FUNCTION, place, found.end, told, name=found.name, parameter=found.parameter)
        for at, skipped in hop(lattice, found.end):
            for link in measured_columns(lattice, at):
                yield _measured(lattice, found, link, place, link.end, (*skipped, ("function.of", 1.0)))
    yield from _ratios(lattice, place)
    for link in measured_columns(lattice, place):
        for found in functions(lattice, link.end):
            yield _measured(lattice, found, link, place, found.end, (("function.behind", 1.0),))


def measured_columns(lattice: Lattice, place: int) -> list[Link]:
    """Return the columns at a place that a function can be of: the average order is no average of `order_id`."""
    return [
        link
        for link in lattice.at(place, LinkKind.COLUMN)
        if not any(name == "column.identifier" for name, _ in link.features)
    ]


def _ratios(lattice: Lattice, place: int) -> Iterator[Item]:
    """One column for each unit of another: cost per click."""
    for one, above in lattice.columns(place):
        for per in lattice.concepts(one.end, "per"):
            for other, below, skipped in columns_behind(lattice, per.end, 1):
                if other.column == one.column or not (above.measure and below.measure):
                    continue
                measure = Measure(function="sum", column=above.name, per=below.name)
                features = (*one.features, *other.features, *skipped, ("ratio.columns", 1.0))
                yield said(Kind.MEASURE, place, other.end, features, measure=measure, column=one.column)


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
    for concept in lattice.concepts(place, "agg.percentile"):
        for number in lattice.at(concept.end, LinkKind.NUMBER):
            found.append(NamedFunction("percentile", number.end, _fraction(number)))
    for number in lattice.at(place, LinkKind.NUMBER):
        for concept in lattice.concepts(number.end, "agg.percentile"):
            found.append(NamedFunction("percentile", concept.end, _fraction(number)))
    return [item for item in found if item.parameter is None or 0 <= item.parameter <= 1]


def _fraction(number: Link) -> float:
    value = number.quantity.value if number.quantity else 0.0
    return value / 100 if value > 1 else value


def _measured(
    lattice: Lattice, found: NamedFunction, link: Link, start: int, end: int, features: Features
) -> Item:
    column = lattice.vocabulary.columns[link.column]
    # How long dates stretch is hardly meant by their range, but from when to when they do.
    fits = column.numeric or (found.name in {"min", "max", "mode"} and not column.flag)
    more: Features = (("function", 1.0), ("measure.fits" if fits else "measure.unfit", 1.0))
    if found.name == "sum" and not column.additive:
        more = (*more, ("sum.nonadditive", 1.0))
    if "quantity" in column.groups and counted_rows(lattice, end):
        # `the average number of orders`, over a column of quantities: of the rows.
        more = (*more, ("measure.of_rows", 1.0))
    told = (*link.features, *features, *more)
    return said(Kind.MEASURE, start, end, told, measure=found.of(column), column=link.column)


def count_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """How many: alone, of rows, of a column's different values, of what a column counts."""
    for concept in lattice.concepts(place, "count"):
        yield said(Kind.COUNT, place, concept.end, (("count", 1.0),))
        for at, skipped in hop(lattice, concept.end):
            for rows in counted_rows(lattice, at):
                features = (*rows.features, *skipped, ("count.rows", 1.0))
                yield said(Kind.MEASURE, place, rows.end, features, measure=Measure())
            for distinct in lattice.concepts(at, "distinct"):
                for link, column, more in columns_behind(lattice, distinct.end):
                    yield _distinct(lattice, place, link, column, (*skipped, *more, ("count.explicit", 1.0)))
            for link, column in lattice.columns(at):
                yield _distinct(lattice, place, link, column, (*skipped, ("count.values", 1.0)))
                yield _total(place, link, column, (*skipped, ("count.summed", 1.0)))
                features = (*link.features, *skipped, ("count.column_as_rows", 1.0))
                yield said(Kind.MEASURE, place, link.end, features, measure=Measure())
        for unit in lattice.concepts(concept.end, "span."):
            # `How many days does a repair take`: of what lasts.
            for column in lattice.vocabulary.columns:
                if column.seconds == float(unit.name.removeprefix("span.")):
                    lasts: Features = (("count.lasting", 1.0),)
                    yield said(Kind.COLUMN, place, unit.end, lasts, column=column.place)
    for concept in lattice.concepts(place, "howmuch"):
        for link, column, skipped in columns_behind(lattice, concept.end):
            yield _total(place, link, column, skipped)


def degree_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `how long`, `how heavy` as the column that measures it."""
    for concept in lattice.concepts(place, "how"):
        for degree in lattice.concepts(concept.end, "scale.plain.max."):
            dimension = degree.name.removeprefix("scale.plain.max.")
            for column in lattice.vocabulary.columns:
                if column.measures(dimension):
                    told: Features = (("degree.asked", 1.0),)
                    yield said(
                        Kind.COLUMN, place, degree.end, told, name="degree", column=column.place, asked=True
                    )


def counted_rows(lattice: Lattice, place: int) -> list[Link]:
    """Return the words for rows at a place that a number can be of; a word of the file's name is none."""
    return [rows for rows in lattice.at(place, LinkKind.ROWS) if rows.name != "table"]


def _distinct(lattice: Lattice, start: int, link: Link, column: TableColumn, features: Features) -> Item:
    kind = "of_unique" if column.kept_unique else "of_numbers" if column.measure else "of_others"
    people = float(kind == "of_others" and column in lattice.vocabulary.people)
    told = (*link.features, *features, (f"count.{kind}", 1.0), ("count.of_people", people))
    measure = Measure(function="count_distinct", column=column.name)
    return said(Kind.MEASURE, start, link.end, told, measure=measure, column=link.column)


def _total(start: int, link: Link, column: TableColumn, features: Features) -> Item:
    measure, told = Measure(), _UNSUMMABLE
    if column.numeric:
        measure = Measure(function="sum", column=column.name)
        told = (*link.features, *features, ("sum.nonadditive", float(not column.additive)))
    return said(Kind.MEASURE, start, link.end, told, measure=measure, column=link.column)


def row_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a word for rows."""
    for at, count, counted in _counted_from(lattice, place):
        for rows in lattice.at(at, LinkKind.ROWS):
            features, many = (*rows.features, *counted), _is_plural(lattice, at, rows.end)
            yield said(Kind.ROWS, place, rows.end, features, name=rows.name, many=many, count=count)


def counted_kind_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read the number of `3 partner orders`, where what stands between it and the rows is a cell."""
    for number in lattice.at(place, LinkKind.NUMBER):
        count = number.quantity.value if number.quantity is not None and _is_count(number.quantity) else 0
        for cell in lattice.at(number.end, LinkKind.CELL) if count else ():
            for rows in counted_rows(lattice, cell.end):
                told: Features = (("counted.before_cell", 1.0),)
                fields = {"name": rows.name, "many": True, "count": int(count)}
                yield said(Kind.ROWS, place, number.end, told, **fields)


def _is_count(quantity: Quantity) -> bool:
    """Tell whether a number can be that of some things."""
    plain = not (quantity.percent or quantity.unit or quantity.ordinal)
    return plain and quantity.value.is_integer() and 0 < quantity.value <= _MOST_COUNTED


def names_several(lattice: Lattice, link: Link, column: TableColumn) -> bool:
    """Tell whether a word for a column is in the plural; `sales` and `status` are none where the header itself ends so."""
    last = lattice.sentence.words[link.end - 1].norm
    return last not in column.words and _is_plural(lattice, link.start, link.end)


def _is_plural(lattice: Lattice, start: int, end: int) -> bool:
    """Tell whether a word for rows or cells is in the plural: by its ending, or by that of the adjective before it."""
    words = lattice.sentence.words
    last = words[end - 1].norm
    if last.isascii():
        return last.endswith("s") and not last.endswith("ss")
    return start > 0 and words[start - 1].norm.endswith(_PLURAL)
