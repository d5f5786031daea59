"""Spans of a question → effects: one small grammar for each kind of phrase.

Every function takes the place of the first word and returns all items that begin there. Nothing is chosen: phrases that
overlap are alternatives, and the search weighs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Key, Measure
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Effect, Item, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features

_FUNCTIONS: Final = {
    "agg.sum": "sum",
    "agg.mean": "mean",
    "agg.median": "median",
    "agg.max": "max",
    "agg.min": "min",
    "agg.std": "std",
    "agg.var": "var",
    "agg.mode": "mode",
    "range": "range",
}
_UNITS: Final = {
    "unit.year": "year",
    "unit.quarter": "quarter",
    "unit.month": "month",
    "unit.week": "week",
    "unit.day": "day",
    "unit.hour": "hour_of_day",
    "unit.weekday": "weekday",
    "unit.decade": "decade",
    "every.year": "year",
    "every.quarter": "quarter",
    "every.month": "month",
    "every.week": "week",
    "every.day": "day",
    "every.hour": "hour_of_day",
    "yoy": "year",
    "mom": "month",
    "qoq": "quarter",
}
_MARKS: Final = (
    *("share", "rate", "growth", "grow", "shrink", "yoy", "mom", "qoq", "bypercent", "bytimes", "byhowmuch"),
    *("corr", "compare", "diff", "change.down", "change.up", "change.any", "columns", "schema", "types"),
    *("head", "tail", "moving", "rolling", "outlier", "distribution", "bins", "stats", "ratio", "missing"),
    *("present", "dup", "dup.more", "trend", "exist", "values", "all", "only", "record_of", "more", "fewer"),
    *(
        "chart",
        "chart.line",
        "chart.bar",
        "chart.hist",
        "chart.scatter",
        "chart.pie",
        "unusual",
        "help",
        "cumulative",
    ),
    *("times", "than", "consecutive", "both", "same", "also", "second", "table", "sort"),
)
_MONEY_HEADERS: Final = tuple(
    f"header.{group}" for group in ("revenue", "amount", "total", "sales", "cost", "price")
)
"""Words for columns of money, which stand for one another where a table has only some of them."""
_MOST_COUNTED: Final = 1000
"""Things that are asked for by their number."""
_PLURAL: Final = ("і", "ї", "их", "їх", "ие", "ые", "ых")
"""Endings of Ukrainian and Russian adjectives in the plural."""
_ASKS: Final = ("which", "who", "when", "where", "howmuch", "yesno")


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


def column_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a column by itself."""
    for at, count, counted in _counted_from(lattice, place):
        for found in lattice.at(at, LinkKind.COLUMN):
            if found.name == "denied":
                continue
            yield Item(
                effect=Effect(kind=Kind.COLUMN, start=place, end=found.end, column=found.column, count=count),
                features=(*found.features, *counted),
            )


def _counted_from(lattice: Lattice, place: int) -> Iterator[tuple[int, int | None, Features]]:
    """Yield a place, and the place behind a count of things: `10 days`, `three customers`."""
    yield place, None, ()
    for number in lattice.at(place, LinkKind.NUMBER):
        quantity = number.quantity
        plain = quantity is not None and not (quantity.percent or quantity.unit or quantity.ordinal)
        if (
            quantity is not None
            and plain
            and quantity.value.is_integer()
            and 0 < quantity.value <= _MOST_COUNTED
        ):
            for at, skipped in hop(lattice, number.end, 1):
                yield at, int(quantity.value), (*skipped, ("counted.before", 1.0))


def measure_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a function with its column, on either side; a function alone."""
    for found in functions(lattice, place):
        yield Item(effect=_function(found, place), features=(("function", 1.0),))
        for at, skipped in hop(lattice, found.end):
            for column in measured_columns(lattice, at):
                yield _measured(lattice, found, column, place, column.end, (*skipped, ("function.of", 1.0)))
    yield from _ratios(lattice, place)
    for column in measured_columns(lattice, place):
        for found in functions(lattice, column.end):
            yield _measured(lattice, found, column, place, found.end, (("function.behind", 1.0),))


def measured_columns(lattice: Lattice, place: int) -> list[Link]:
    """Return the columns at a place that a function can be of: the average order is no average of `order_id`."""
    return [
        link
        for link in lattice.at(place, LinkKind.COLUMN)
        if not any(name == "column.identifier" for name, _ in link.features)
    ]


def _ratios(lattice: Lattice, place: int) -> Iterator[Item]:
    """One column for each unit of another: cost per click."""
    columns = lattice.vocabulary.columns
    for one in lattice.at(place, LinkKind.COLUMN):
        for per in lattice.concepts(one.end, "per"):
            for at, skipped in hop(lattice, per.end, 1):
                for other in lattice.at(at, LinkKind.COLUMN):
                    two = columns[other.column]
                    if other.column == one.column or not (columns[one.column].measure and two.measure):
                        continue
                    measure = Measure(function="sum", column=columns[one.column].name, per=two.name)
                    effect = Effect(
                        kind=Kind.MEASURE, start=place, end=other.end, measure=measure, column=one.column
                    )
                    yield Item(
                        effect=effect,
                        features=(*one.features, *other.features, *skipped, ("ratio.columns", 1.0)),
                    )


class _Found:
    """A function that was named, and where its name ends."""

    def __init__(self, name: str, end: int, parameter: float | None = None) -> None:
        self.name, self.end, self.parameter = name, end, parameter


def functions(lattice: Lattice, place: int) -> list[_Found]:
    """Return the functions that are named at a place."""
    found = []
    for concept in lattice.concepts(place, *_FUNCTIONS):
        found.append(_Found(_FUNCTIONS[concept.name], concept.end))
    for concept in lattice.concepts(place, "quantile."):
        found.append(_Found("percentile", concept.end, float(concept.name.removeprefix("quantile.")) / 100))
    for concept in lattice.concepts(place, "agg.percentile"):
        for number in lattice.at(concept.end, LinkKind.NUMBER):
            found.append(_Found("percentile", number.end, _fraction(number)))
    for number in lattice.at(place, LinkKind.NUMBER):
        for concept in lattice.concepts(number.end, "agg.percentile"):
            found.append(_Found("percentile", concept.end, _fraction(number)))
    return [item for item in found if item.parameter is None or 0 <= item.parameter <= 1]


def _fraction(number: Link) -> float:
    value = number.quantity.value if number.quantity else 0.0
    return value / 100 if value > 1 else value


def _function(found: _Found, place: int) -> Effect:
    return Effect(kind=Kind.FUNCTION, start=place, end=found.end, name=found.name, parameter=found.parameter)


def _measured(lattice: Lattice, found: _Found, link: Link, start: int, end: int, features: Features) -> Item:
    column = lattice.vocabulary.columns[link.column]
    measure = Measure(function=found.name, column=column.name, parameter=found.parameter)
    fits = column.numeric or (found.name in {"min", "max", "mode", "range"} and not column.flag)
    kind = "measure.fits" if fits else "measure.unfit"
    more: Features = (("function", 1.0), (kind, 1.0))
    if found.name == "sum" and not column.additive:
        more = (*more, ("sum.nonadditive", 1.0))
    return Item(
        effect=Effect(kind=Kind.MEASURE, start=start, end=end, measure=measure, column=link.column),
        features=(*link.features, *features, *more),
    )


def count_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """How many: alone, of rows, of a column's different values, of what a column counts."""
    for concept in lattice.concepts(place, "count"):
        yield Item(effect=Effect(kind=Kind.COUNT, start=place, end=concept.end), features=(("count", 1.0),))
        for at, skipped in hop(lattice, concept.end):
            for rows in counted_rows(lattice, at):
                yield _counted(place, rows.end, Measure(), (*rows.features, *skipped, ("count.rows", 1.0)))
            for distinct in lattice.concepts(at, "distinct"):
                for behind, more in hop(lattice, distinct.end):
                    for column in lattice.at(behind, LinkKind.COLUMN):
                        yield _distinct(lattice, place, column, (*skipped, *more, ("count.explicit", 1.0)))
            for column in lattice.at(at, LinkKind.COLUMN):
                yield _distinct(lattice, place, column, (*skipped, ("count.values", 1.0)))
                yield _total(lattice, place, column, (*skipped, ("count.summed", 1.0)))
                yield _counted(
                    place, column.end, Measure(), (*column.features, *skipped, ("count.column_as_rows", 1.0))
                )
    for concept in lattice.concepts(place, "howmuch"):
        for at, skipped in hop(lattice, concept.end):
            for column in lattice.at(at, LinkKind.COLUMN):
                yield _total(lattice, place, column, (*skipped, ("howmuch.summed", 1.0)))


def counted_rows(lattice: Lattice, place: int) -> list[Link]:
    """Return the words for rows at a place that a number can be of; a word of the file's name is none."""
    return [rows for rows in lattice.at(place, LinkKind.ROWS) if rows.name != "table"]


def _counted(start: int, end: int, measure: Measure, features: Features, column: int = -1) -> Item:
    effect = Effect(kind=Kind.MEASURE, start=start, end=end, measure=measure, column=column)
    return Item(effect=effect, features=features)


def _distinct(lattice: Lattice, start: int, link: Link, features: Features) -> Item:
    column = lattice.vocabulary.columns[link.column]
    kind = (
        "count.of_unique"
        if column.kept_unique
        else "count.of_numbers"
        if column.measure
        else "count.of_others"
    )
    return _counted(
        start,
        link.end,
        Measure(function="count_distinct", column=column.name),
        (*link.features, *features, (kind, 1.0)),
        link.column,
    )


def _total(lattice: Lattice, start: int, link: Link, features: Features) -> Item:
    column = lattice.vocabulary.columns[link.column]
    if not column.numeric:
        return _counted(start, link.end, Measure(), (("count.unsummable", 1.0),), link.column)
    more = () if column.additive else (("sum.nonadditive", 1.0),)
    return _counted(
        start,
        link.end,
        Measure(function="sum", column=column.name),
        (*link.features, *features, *more),
        link.column,
    )


def money_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Words for the money that rows come to, where no column has their name: turnover, sales, the average ticket."""
    named = (*_MONEY_HEADERS, "money", "summed_noun", "ticket")
    for concept in lattice.concepts(place, *named):
        group = concept.name.removeprefix("header.")
        if any(group in column.groups for column in lattice.vocabulary.columns):
            continue
        for rank, column in enumerate(lattice.vocabulary.money[:2]):
            told: Features = ((f"money.{concept.name}", 1.0), ("money.rank", float(rank)))
            start, end = place, concept.end
            if concept.name.startswith("header."):
                effect = Effect(kind=Kind.COLUMN, start=start, end=end, column=column.place)
            else:
                measure = Measure(function="mean" if concept.name == "ticket" else "sum", column=column.name)
                effect = Effect(kind=Kind.MEASURE, start=start, end=end, measure=measure, column=column.place)
            yield Item(effect=effect, features=told)


def piece_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """`How many pieces`: the sum of the column that counts them."""
    for concept in lattice.concepts(place, "pieces"):
        for column in lattice.vocabulary.columns:
            if (
                column.measure
                and column.additive
                and ("quantity" in column.groups or "piece" in column.units)
            ):
                measure = Measure(function="sum", column=column.name)
                effect = Effect(
                    kind=Kind.MEASURE, start=place, end=concept.end, measure=measure, column=column.place
                )
                yield Item(effect=effect, features=(("pieces", 1.0),))


def verb_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a verb that names a column of amounts: sold, earned, weighs."""
    for concept in lattice.concepts(place, "verb."):
        group = concept.name.removeprefix("verb.")
        for column in lattice.vocabulary.columns:
            if group in column.groups and column.measure:
                yield Item(
                    effect=Effect(kind=Kind.COLUMN, start=place, end=concept.end, column=column.place),
                    features=(("column.verb", 1.0),),
                )


def row_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a word for rows."""
    for at, count, counted in _counted_from(lattice, place):
        for rows in lattice.at(at, LinkKind.ROWS):
            many = _is_plural(lattice, at, rows.end)
            yield Item(
                effect=Effect(
                    kind=Kind.ROWS, start=place, end=rows.end, name=rows.name, many=many, count=count
                ),
                features=(*rows.features, *counted),
            )


def _is_plural(lattice: Lattice, start: int, end: int) -> bool:
    """Tell whether a word for rows is in the plural: by its ending, or by that of the adjective before it."""
    words = lattice.sentence.words
    last = words[end - 1].norm
    if last.isascii():
        return last.endswith("s") and not last.endswith("ss")
    return start > 0 and words[start - 1].norm.endswith(_PLURAL)


def key_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """By what rows are grouped."""
    for concept in lattice.concepts(place, "by", "per", "each"):
        for at, skipped in hop(lattice, concept.end):
            for rows in lattice.at(at, LinkKind.ROWS):
                if any(True for _ in lattice.concepts(at, "count")):
                    continue
                yield Item(
                    effect=Effect(kind=Kind.MARK, start=place, end=rows.end, name="per_row"),
                    features=(*skipped, *rows.features, (f"per_row.{concept.name}", 1.0)),
                )
            for end, keys, features in _keys(lattice, at):
                mark: Features = ((f"key.{concept.name}", 1.0), *skipped, *features)
                effect = Effect(kind=Kind.KEY, start=place, end=end, name=concept.name, keys=keys)
                yield Item(effect=effect, features=mark)
                for behind, more, others in _more_keys(lattice, end):
                    both = (*keys, *more)
                    yield Item(
                        effect=Effect(kind=Kind.KEY, start=place, end=behind, keys=both),
                        features=(*mark, *others, ("key.second", 1.0)),
                    )
    for concept in lattice.concepts(place, "unit."):
        # `which month …`, `month with the lowest …`: a key, when something is told of each.
        if concept.name in _UNITS and lattice.vocabulary.dates:
            asked = place > 0 and any(
                link.end == place for start in range(place) for link in lattice.concepts(start, "which")
            )
            effect = Effect(
                kind=Kind.KEY,
                start=place,
                end=concept.end,
                name="bare",
                keys=(Key(unit=_UNITS[concept.name]),),
            )
            yield Item(
                effect=effect,
                features=(
                    ("key.asked_unit" if asked else "key.bare_unit", 1.0),
                    ("key.unit_of_column", float(_is_unit_of_column(lattice, concept))),
                ),
            )
    for concept in lattice.concepts(place, "every."):
        key = Key(unit=_UNITS[concept.name])
        yield Item(
            effect=Effect(kind=Kind.KEY, start=place, end=concept.end, keys=(key,)),
            features=(("key.every", 1.0),),
        )
    for column in lattice.at(place, LinkKind.COLUMN):
        for wise in lattice.concepts(column.end, "wise"):
            key = Key(column=lattice.vocabulary.columns[column.column].name)
            yield Item(
                effect=Effect(kind=Kind.KEY, start=place, end=wise.end, keys=(key,)),
                features=(*column.features, ("key.by", 1.0)),
            )


def _is_unit_of_column(lattice: Lattice, unit: Link) -> bool:
    """Tell whether a unit of time stands where a column of amounts in it was named: `resolution hours`."""
    before = (link for start in range(unit.start) for link in lattice.at(start, LinkKind.COLUMN))
    return any(
        link.end == unit.start and lattice.vocabulary.columns[link.column].seconds is not None
        for link in before
    )


def _more_keys(lattice: Lattice, place: int) -> Iterator[tuple[int, tuple[Key, ...], Features]]:
    for concept in lattice.concepts(place, "and", "comma"):
        start = concept.end
        for by in lattice.concepts(start, "by"):
            start = by.end
        for at, skipped in hop(lattice, start, 1):
            for end, keys, features in _keys(lattice, at):
                yield end, keys, (*skipped, *features)


def _keys(lattice: Lattice, place: int) -> Iterator[tuple[int, tuple[Key, ...], Features]]:
    for counted in lattice.concepts(place, "count"):
        # `by number of cylinders`, where a column holds the number.
        for link in lattice.at(counted.end, LinkKind.COLUMN):
            column = lattice.vocabulary.columns[link.column]
            if column.numeric:
                yield link.end, (Key(column=column.name),), (*link.features, ("key.counted", 1.0))
    for concept in lattice.concepts(place, "unit."):
        if concept.name in _UNITS:
            known: Features = (("key.unit", 1.0),)
            if not lattice.vocabulary.dates:
                known = (*known, ("key.undated", 1.0))
            yield concept.end, (Key(unit=_UNITS[concept.name]),), known
    for link in lattice.at(place, LinkKind.COLUMN):
        column = lattice.vocabulary.columns[link.column]
        kind = "key.measure" if column.measure else "key.unique" if column.kept_unique else "key.column"
        yield link.end, (Key(column=column.name),), (*link.features, (kind, 1.0))
    label = lattice.vocabulary.label
    for rows in lattice.at(place, LinkKind.ROWS):
        if label is not None and rows.name in {"label", "noun"}:
            yield rows.end, (Key(column=label.name),), (*rows.features, ("key.rows", 1.0))


def mark_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Words that choose the output or the way it is shown, and the openers of questions."""
    for concept in lattice.concepts(place, *_MARKS):
        yield _marked(Kind.MARK, concept, place)
    for concept in lattice.concepts(place, *_ASKS):
        if concept.name == "yesno" and any(skip is not Skip.NOTHING for skip in lattice.skips[:place]):
            # `did` and `is` ask for yes or no only where they open the question.
            continue
        yield _marked(Kind.ASK, concept, place)
        for at, skipped in hop(lattice, concept.end, 1):
            yield from _asked(lattice, concept, place, at, skipped, None)
            for number in lattice.at(at, LinkKind.NUMBER):
                if number.quantity is not None and number.quantity.value.is_integer():
                    yield from _asked(
                        lattice, concept, place, number.end, skipped, int(number.quantity.value)
                    )
    for concept in lattice.concepts(place, "list"):
        yield _marked(Kind.LIST, concept, place)
    for concept in lattice.concepts(place, "distinct"):
        yield _marked(Kind.DISTINCT, concept, place)
    for concept in lattice.concepts(place, "not", "without", "no"):
        yield _marked(Kind.DENIAL, concept, place)
    for concept in lattice.concepts(place, "neighbour."):
        yield _marked(Kind.NEXT, concept, place)
    for concept in lattice.concepts(place, "after", "before"):
        if any(lattice.at(at, LinkKind.CELL) for at, _ in hop(lattice, concept.end, 1)):
            name = "neighbour.next" if concept.name == "after" else "neighbour.previous"
            effect = Effect(kind=Kind.NEXT, start=place, end=concept.end, name=name)
            yield Item(effect=effect, features=((f"next.{concept.name}", 1.0),))


def _asked(
    lattice: Lattice, concept: Link, start: int, place: int, features: Features, count: int | None
) -> Iterator[Item]:
    for link in lattice.at(place, LinkKind.COLUMN):
        effect = Effect(
            kind=Kind.COLUMN,
            start=start,
            end=link.end,
            column=link.column,
            name=concept.name,
            count=count,
            asked=True,
        )
        yield Item(effect=effect, features=(*link.features, *features, (f"ask.{concept.name}.column", 1.0)))


def _marked(kind: Kind, concept: Link, place: int) -> Item:
    return Item(
        effect=Effect(kind=kind, start=place, end=concept.end, name=concept.name),
        features=((f"{kind.value}.{concept.name}", 1.0), *concept.features),
    )
