"""Spans of a question → what rows are grouped by, the marks that choose an output, and the openers of questions."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import Key
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind, said
from tabchat.planner.readings.phrases import hop, paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.readings.phrases import Step

_BY: Final = ("by", "per", "each")
_LEVELS: Final = 12
"""Different whole numbers up to which they may be courses, floors or grades, by which rows are grouped."""
_UNITS: Final = frozenset({"year", "quarter", "month", "week", "day", "hour", "weekday", "decade"})
_MARKS: Final = (
    *("share", "rate", "growth", "grow", "shrink", "yoy", "mom", "qoq", "bypercent", "bytimes", "byhowmuch"),
    *("corr", "compare", "diff", "change.down", "change.up", "change.any", "columns", "schema", "types"),
    *("head", "tail", "moving", "rolling", "outlier", "distribution", "bins", "stats", "ratio", "missing"),
    *("present", "dup", "dup.more", "trend", "exist", "values", "all", "only", "record_of", "more", "fewer"),
    *("chart", "chart.line", "chart.bar", "chart.hist", "chart.scatter", "chart.pie", "unusual", "help"),
    *("times", "than", "consecutive", "both", "same", "also", "second", "table", "sort", "overtime", "how"),
    *("pctword", "running", "never", "newcomer", "rank"),
)
_CHANGING: Final = frozenset(
    {
        *("growth", "grow", "shrink", "yoy", "moving", "rolling", "running"),
        *(f"change.{way}" for way in ("up", "down", "any")),
    }
)
"""Marks of what is compared with the one before it."""
_MOVING: Final = frozenset({"moving", "rolling"})
_WITHIN: Final = ("cmp.gt", "in", "per.time")
"""Words for `over` and `for`, before how long a moving figure looks back."""
_GROWING: Final = frozenset({"grow", "change.any"})
_ASKS: Final = ("which", "who", "when", "where", "howmuch", "yesno")
_RANKING: Final = ("super.", "scale.", "top.", "more", "fewer")
_COMPARING: Final = ("cmp.", "more", "fewer", "scale.more.", "degree.more", "degree.less", "diff")
"""Beginnings of the names of what `than` stands behind."""
_OPENERS: Final = {
    Kind.LIST: ("list",),
    Kind.DISTINCT: ("distinct",),
    Kind.DENIAL: ("not", "without", "no"),
}


def _unit(lattice: Lattice, concept: Link) -> Key | None:
    """Return the key of a word for a calendar unit; an hour is that of the day, a month the text that names it."""
    unit = concept.name.partition(".")[2]
    spelled = next((column for column in lattice.vocabulary.dates if column.facts.span == unit), None)
    if spelled is not None:
        return Key(column=spelled.name)
    year = next((column for column in lattice.vocabulary.year_columns if "year" in column.groups), None)
    # What changes from one to the next is told by the calendar.
    if unit == "year" and year is not None and _CHANGING.isdisjoint(lattice.names):
        return Key(column=year.name)
    meant, dates = lattice.vocabulary.default_dates, lattice.vocabulary.dates
    # What was to be comes after what happened, wherever it stands in the file.
    own = meant[0].name if meant and meant[0] is not dates[0] else None
    return Key(column=own, unit="hour_of_day" if unit == "hour" else unit) if unit in _UNITS else None


def _is_of_rows(lattice: Lattice, place: int, key: Key) -> bool:
    """Tell whether a key says which rows, of each of which something is asked: `every paid order`."""
    column = lattice.vocabulary.by_name.get(key.column or "")
    return column is not None and column.flag and bool(lattice.at(place, LinkKind.ROWS))


def date_of(vocabulary: Vocabulary, key: Key) -> str | None:
    """Return the column whose cells are the days by which rows are grouped; None of other units, and of days with hours."""
    if key.unit != "day":
        return None
    first = vocabulary.by_name.get(key.column or vocabulary.dates[0].name)
    return first.name if first is not None and type(first.facts.low) is date else None


def _units(lattice: Lattice, place: int) -> Iterator[Link]:
    """Yield the words for calendar units at a place that are no part of a longer one: `week` of `day of the week`."""
    units = [concept for concept in lattice.sentence.concepts if concept.name.startswith("unit.")]
    for unit in lattice.concepts(place, "unit."):
        length = unit.end - unit.start
        if not any(
            one.start <= unit.start and unit.end <= one.end and one.end - one.start > length for one in units
        ):
            yield unit


def key_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """By what rows are grouped."""
    for (by,), at, skipped in paths(lattice, place, _BY, 3):
        # `total amount by region`, where each row is a region: the rows are told apart, not averaged.
        each = lattice.has(place, "per", "each") and not lattice.has(at, "count")
        for rows in lattice.at(at, LinkKind.ROWS) if each else ():
            features = (*skipped, *rows.features, (f"per_row.{by.name}", 1.0))
            yield said(Kind.MARK, place, rows.end, features, name="per_row")
        for columns in lattice.concepts(at, "columns"):
            # `missing values per column`
            yield said(Kind.MARK, place, columns.end, (*skipped, ("key.columns", 1.0)), name="columns")
        for end, key, features in _keys(lattice, at):
            if by.name == "each" and _is_of_rows(lattice, end, key):
                continue
            mark: Features = ((f"key.{by.name}", 1.0), *skipped, *features)
            for one in _hours(key) if by.name != "by" and end == at + 1 else (key,):
                yield said(Kind.KEY, place, end, mark, name=by.name, keys=(one,))
            for behind, other, more in _more_keys(lattice, end):
                told = (*mark, *more, ("key.second", 1.0))
                yield said(Kind.KEY, place, behind, told, keys=(key, other))
    for concept in _units(lattice, place) if lattice.vocabulary.dates else ():
        # `which month …`, `month with the lowest …`: a key, when something is told of each.
        unit = _unit(lattice, concept)
        if unit is not None:
            asked, ranked = place in lattice.behind("which"), _is_ranked(lattice, place)
            told = (
                ("key.asked_unit" if asked else "key.ranked_unit" if ranked else "key.bare_unit", 1.0),
                ("key.unit_of_column", float(_is_unit_of_column(lattice, concept))),
            )
            yield said(Kind.KEY, place, concept.end, told, name="bare", keys=(unit,))
    nouns = (*lattice.links(LinkKind.ROWS), *lattice.links(LinkKind.COLUMN))
    for article in lattice.concepts(place, "article") if any(noun.end == place for noun in nouns) else ():
        # `orders a month`, but not `in a month`
        for concept in _units(lattice, article.end) if lattice.vocabulary.dates else ():
            for unit in filter(None, _hours(_unit(lattice, concept))):
                yield said(Kind.KEY, place, concept.end, (("key.per", 1.0),), name="per", keys=(unit,))
    for concept in lattice.concepts(place, "every."):
        for unit in _hours(_unit(lattice, concept)):
            yield said(Kind.KEY, place, concept.end, (("key.every", 1.0),), keys=(unit,))
    for (link, _), end, told in paths(lattice, place, LinkKind.COLUMN, ("wise",)):
        key = Key(column=lattice.column(link).name)
        yield said(Kind.KEY, place, end, (*told, ("key.by", 1.0)), keys=(key,))
    for (_, link), end, told in paths(lattice, place, ("either",), 2, LinkKind.COLUMN):
        # `with and without a cafe`
        if lattice.column(link).flag:
            key = Key(column=lattice.column(link).name)
            yield said(Kind.KEY, place, end, (*told, ("key.by", 1.0)), keys=(key,))


def _hours(key: Key | None) -> tuple[Key | None, ...]:
    """Return a key, and beside an hour of all days that of each day: `requests per hour`."""
    return (key, replace(key, unit="hour")) if key is not None and key.unit == "hour_of_day" else (key,)


def _is_ranked(lattice: Lattice, place: int) -> bool:
    """Tell whether a superlative stands right before a place: the worst month."""
    concepts = lattice.sentence.concepts
    return any(one.end == place and one.name.startswith(("super.", "top.")) for one in concepts)


def dated_key_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield calendar units of the date that is named before them: `joined each year`, `delivered per month`."""
    for (link, by, unit), end, told in paths(lattice, place, LinkKind.COLUMN, _BY, 1, ("unit.",)):
        column, key = lattice.column(link), _unit(lattice, unit)
        if column.temporal and key is not None and key.unit is not None:
            features = (*told, (f"key.{by.name}", 1.0), ("key.unit", 1.0), ("key.of_date", 1.0))
            dated = Key(column=column.name, unit=key.unit)
            yield said(Kind.KEY, place, end, features, name=by.name, keys=(dated,))


def _is_unit_of_column(lattice: Lattice, unit: Link) -> bool:
    """Tell whether a unit of time stands where a column of amounts in it was named: `resolution hours`."""
    return any(link.end == unit.start and column.seconds is not None for link, column in lattice.column_links)


def _more_keys(lattice: Lattice, place: int) -> Iterator[tuple[int, Key, Features]]:
    for concept in lattice.concepts(place, "and", "comma"):
        start = concept.end
        for by in lattice.concepts(start, "by"):
            start = by.end
        for at, skipped in hop(lattice, start, 1):
            for end, key, features in _keys(lattice, at):
                yield end, key, (*skipped, *features)


def _kind(column: TableColumn) -> str:
    if column.measure:
        few = column.facts.distinct is not None and column.facts.distinct <= _LEVELS
        return "level" if few and column.kind is ColumnKind.INTEGER else "measure"
    return "unique" if column.kept_unique else "column"


def _keys(lattice: Lattice, place: int) -> Iterator[tuple[int, Key, Features]]:
    """Yield (end, key, features) of what rows can be grouped by at a place."""
    for (_, link), end, told in paths(lattice, place, ("count",), LinkKind.COLUMN):
        # `by number of cylinders`, where a column holds the number.
        if lattice.column(link).numeric:
            yield end, Key(column=lattice.column(link).name), (*told, ("key.counted", 1.0))
    undated = ("key.undated", float(not lattice.vocabulary.dates))
    for concept in _units(lattice, place):
        unit = _unit(lattice, concept)
        if unit is not None:
            yield concept.end, unit, (("key.unit", 1.0), undated)
    for link, column in lattice.columns(place):
        yield link.end, Key(column=column.name), (*link.features, (f"key.{_kind(column)}", 1.0))
    label = lattice.vocabulary.label
    for rows in lattice.at(place, LinkKind.ROWS):
        if label is not None and rows.name in {"label", "noun", "meant"}:
            yield rows.end, Key(column=label.name), (*rows.features, ("key.rows", 1.0))


def window_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield how many calendar units each moving figure is of: `3 day moving average`, `over 3 months`, `3-денне`."""
    lengths: tuple[Step, Step] = (LinkKind.NUMBER, ("unit.", "every."))
    for steps in (lengths, (_WITHIN, *lengths)) if not _MOVING.isdisjoint(lattice.names) else ():
        for links, end, _ in paths(lattice, place, *steps):
            number, key = links[-2].quantity, _unit(lattice, links[-1])
            if number is not None and number.is_whole and key is not None:
                fields = {"name": "window", "count": int(number.value), "keys": (key,)}
                yield said(Kind.MARK, place, end, (("mark.window", 1.0),), **fields)


def mark_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Words that choose the output or the way it is shown, and the openers of questions."""
    growths = (*lattice.concepts(place, "growth"), *lattice.concepts(place - 1, "growth"))
    grown = max((one.end for one in growths), default=place)
    for concept in lattice.concepts(place, *_MARKS):
        if concept.end < grown or (concept.end == grown and concept.name in _GROWING):
            continue  # The share of `percent change in`, and what changes there, are parts of the growth.
        compared = lattice.at(place + 1, LinkKind.NUMBER) or any(
            name.startswith(_COMPARING) for name in lattice.names
        )
        if concept.name == "than" and lattice.has(place, "in") and not compared:
            # «за березень» (in March) compares nothing.
            continue
        # `drop in` is as much growth as `increase in`.
        yield _marked(Kind.MARK, concept, place, descending=not lattice.has(place, "shrink", "change.down"))
    for concept in lattice.concepts(place, "rank.verb") if lattice.names & {"where", "how"} else ():
        # `where does A rank by B`
        yield said(Kind.MARK, place, concept.end, (("mark.rank", 1.0),), name="rank")
    for concept in lattice.concepts(place, "more.bare", "cmp.gt", "cmp.lt", "scale.more."):
        # `where are there more, in A or in B`
        fewer = concept.name == "cmp.lt" or concept.name.startswith("scale.more.min")
        features, name = (("mark.comparative", 1.0), *concept.features), "fewer" if fewer else "more"
        yield said(Kind.MARK, place, concept.end, features, name=name)
        scaled, _, dimension = concept.name.rpartition("scale.more.")[2].partition(".")
        measuring = [one for one in lattice.vocabulary.columns if one.measure and one.measures(dimension)]
        if not measuring and dimension in {"price", "cost"}:
            measuring = [*lattice.vocabulary.money[:1]]
        for column in measuring if dimension and scaled in {"max", "min"} else ():
            told = (*features, ("mark.dimension", 1.0))
            yield said(Kind.MARK, place, concept.end, told, name=name, column=column.place)
    for concept in lattice.concepts(place, *_ASKS):
        opens = all(skip is Skip.NOTHING for skip in lattice.skips[:place]) or lattice.has(place - 1, "comma")
        if concept.name == "yesno" and not opens:
            # `did` and `is` ask for yes or no only where they open the question, or what stands behind `where note is late,`.
            continue
        opens = concept.name == "when" and place == 0
        if (opens or concept.name == "where") and _restricts(lattice, place, concept.end):
            continue
        yield _marked(Kind.ASK, concept, place)
        for at, skipped in hop(lattice, concept.end, 1):
            counts = [(int(number.value), end) for number, end in lattice.numbers(at) if number.is_whole]
            for count, start in ((None, at), *counts):
                for link, _ in lattice.columns(start):
                    told = (*link.features, *skipped, (f"ask.{concept.name}.column", 1.0))
                    fields = {"column": link.column, "name": concept.name, "count": count, "asked": True}
                    yield said(Kind.COLUMN, place, link.end, told, **fields)
    for concept in lattice.concepts(place, "yesno.behind") if place == 1 else ():
        # `растёт ли`: Russian asks behind the first word.
        yield said(Kind.ASK, place, concept.end, (("ask.yesno", 1.0),), name="yesno")
    for kind, names in _OPENERS.items():
        for concept in lattice.concepts(place, *names):
            if not (lattice.columns(place) and lattice.has(place - 1, "stop.article", "by", "per")):
                # `what are the name and city`, `total by name`: a noun, and no order to name them.
                yield _marked(kind, concept, place)


def _restricts(lattice: Lattice, place: int, end: int) -> bool:
    """Tell whether `where` says which rows are meant: `orders where city is not Oslo` asks for no place.

    Nor do `where city is not Oslo, total fee` and `when the city is Oslo, total fee`, as `where are fees higher, in Oslo or in Rome` does.
    """
    if place == 0:
        comma = next(iter(lattice.behind("comma")), 0)
        ranked = any(lattice.has(at, *_RANKING) and not lattice.has(at - 1, "cmp.") for at in range(comma))
        return any(lattice.columns(at) for at in range(end, comma)) and not ranked
    before = place - 1 - int(lattice.has(place - 1, "comma"))
    ends = {one.end for one in lattice.concepts(end, "super.")}
    if lattice.at(before, LinkKind.ROWS) and any(lattice.columns(at) for at in ends):
        # «замовлення, де найбільша сума» (the order where the sum is highest)
        return True
    named = any(lattice.at(at, LinkKind.ROWS) or lattice.columns(at) for at in range(place))
    return named and bool(lattice.columns(end) or lattice.columns(lattice.beyond(end - 1)))


def _marked(kind: Kind, concept: Link, place: int, *, descending: bool = True) -> Item:
    features = ((f"{kind.value}.{concept.name}", 1.0), *concept.features)
    return said(kind, place, concept.end, features, name=concept.name, descending=descending)
