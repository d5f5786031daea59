"""Whether the parts of an intent go together, and with the question: told once of each, whatever ways came to it.

What is done with which sort of column is a feature that the fit learns from, whatever it is: a sum of money is asked for all the time,
a sum of room numbers never, and one of weights where a word says so. No rule tells these apart: what is done (`value.sum`) and the
sort of column it is done to (`plain.whole`) is a feature, and its weight is learned. Each row may tell a part of a thing: orders, of
a file of their lines.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import COUNT, Condition, Measure, Operator, Output, single_conditions
from tabchat.planner.links.link import CALLED, LinkKind, is_named
from tabchat.planner.links.rows import is_coded
from tabchat.planner.readings.memberships import denies_others
from tabchat.planner.readings.mismatches import is_mismatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Intent, Order
    from tabchat.planner.links import Lattice, TableColumn, Vocabulary
    from tabchat.planner.readings.effect import Features

_MOST_KEYS: Final = 2
_YEARS: Final = range(1900, 2100)
_PARTS: Final = frozenset({"count", "count_distinct", "sum"})
"""Functions whose figure over some rows is a part of that over all."""
_NOT_YET: Final[Features] = (("", 0.0),)
"""What stands for an intent that was not looked at; None stands for one that nobody means."""
_SAYING: Final = ("agg.", "share", "rate")
"""Concepts that say how an amount is told of."""
_DIMENSIONS: Final = ("super.scale", "scale.most.")
"""Superlatives that name a dimension: longest, oldest, dearest."""
_NAMED: Final = CALLED | {"entity"}


class Coherence:
    """What is told of the intents of one question: several ways come to each."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._uses = ColumnUses(lattice)
        self.thing = thing_of(lattice)
        """What a row is a part of, and is counted for it."""
        self._known: dict[Intent, Features | None] = {}

    def of(self, intent: Intent) -> Features | None:
        """Return the features of what an intent does; None for one that nobody can mean who asks this."""
        told = self._known.get(intent, _NOT_YET)
        if told is _NOT_YET:
            told = self._known[intent] = self._told(intent)
        return told

    def _told(self, intent: Intent) -> Features | None:
        vocabulary = self._lattice.vocabulary
        if (
            _means_nothing(intent, vocabulary)
            or is_mismatch(self._lattice, intent)
            or counts_parts(intent, self.thing)
            or bounds_parts(self._lattice, intent)
        ):
            return None
        return tuple(chain(incoherences(intent, vocabulary), self._uses.of(intent)))


def _means_nothing(intent: Intent, vocabulary: Vocabulary) -> bool:
    """Tell whether years are added up, one figure is told twice, or no row can meet the conditions."""
    if len(set(intent.measures)) < len(intent.measures):
        return True
    single = [clause for clause in intent.clauses if isinstance(clause, Condition) and clause.part is None]
    equal = {(clause.column, clause.values) for clause in single if clause.operator is Operator.EQ}
    others = {(clause.column, clause.values) for clause in single if clause.operator is Operator.NE}
    if len({column for column, _ in equal}) < len(equal) or equal & others:
        return True
    things = intent.keys or intent.columns or any(one.function == "count_distinct" for one in intent.measures)
    if (things or intent.output is Output.VALUES) and denies_others(intent):
        # `how many customers bought tea but not coffee`: those without any coffee.
        return True
    present = {clause.column for clause in single if clause.operator is Operator.PRESENT}
    gaps = {clause.column for clause in single if clause.operator is Operator.MISSING}
    known = vocabulary.by_name
    ends = {name for one in gaps & known.keys() for name in known[one].facts.operands}
    compared = {clause.column for clause in single if clause.other is not None or clause.values}
    told = {one.column or "" for one in intent.measures if one.function != "count"}
    lasted = {end for one in known.keys() & (told | compared) for end in known[one].facts.operands[1:]}
    if present & (gaps | ends) or (compared | lasted) & gaps:
        return True
    if any(known[one].flag and not vocabulary.lacks(known[one]) for one in gaps & known.keys()):
        # No hotel has no parking because its cell is empty.
        return True
    sums = (measure.column or "" for measure in intent.measures if measure.function == "sum")
    columns = (vocabulary.by_name[name] for name in sums if name in vocabulary.by_name)
    return any(
        column.facts.years or (column.measures("age") and column.originates("age")) for column in columns
    )


def _is_a_year(clause: Condition, vocabulary: Vocabulary) -> bool:
    """Tell whether an amount is compared with what is rather a year: `revenue in 2023`, in a table that tells times."""
    timed = bool(vocabulary.dates or vocabulary.year_columns)
    amount = clause.operator is Operator.EQ and vocabulary.by_name[clause.column].measure
    return (
        timed
        and amount
        and all(isinstance(value, int | float) and value in _YEARS for value in clause.values)
    )


def incoherences(intent: Intent, vocabulary: Vocabulary) -> Features:
    """Return features of parts of an intent that do not go together, however each of them was said."""
    known = vocabulary.by_name
    keys = {key.column for key in intent.keys if key.column is not None}
    single = [clause for clause in intent.clauses if isinstance(clause, Condition) and clause.part is None]
    pinned = {clause.column for clause in single if clause.operator is Operator.EQ}
    bounded = {clause.column for clause in single} - pinned
    groups, measures = intent.output is Output.GROUPS, intent.measures
    measured, ordered = {measure.column for measure in measures}, {order.column for order in intent.orders}
    single_rows = groups and not (keys.isdisjoint(vocabulary.unique) or intent.having)
    each = {key.column for key in intent.limit_keys if key.column is not None}
    sums = [known.get(one.column or "") for one in measures if one.function == "sum"]
    found = {
        "derived": any(known[name].facts.operands for name in intent.used_columns & known.keys()),
        # The sum of the ratings of each director.
        "summed_nonadditive": groups
        and keys.isdisjoint(vocabulary.unique)
        and any(column is not None and not column.additive for column in sums),
        # The most frequent bait by bait.
        "measured_key": any(one.column in keys and one.function != "count" for one in measures),
        "mode_of_groups": groups and any(one.function == "mode" for one in measures),
        # The mean of the ages that are 13.
        "measured_pinned": not pinned.isdisjoint(measured),
        "measured_bounded": intent.output is Output.VALUE and not bounded.isdisjoint(measured),
        # A mean as a percentage of a mean.
        "part_of_no_whole": any(one.part and one.function not in _PARTS for one in measures),
        "denied_pinned": all(one.function == "count" for one in measures) and denies_others(intent),
        # The number of rows of each single row.
        "counted_single": single_rows and COUNT in measures,
        "year_as_amount": any(_is_a_year(clause, vocabulary) for clause in single),
        "ordered_pinned": not pinned.isdisjoint(ordered),
        "pinned_key": groups and not pinned.isdisjoint(keys),
        "shown_pinned": intent.output is Output.ROWS and not pinned.isdisjoint(intent.columns),
        # The first row by weight in each weight.
        "ranked_within_itself": not each.isdisjoint(ordered),
        "many_keys": len(intent.keys) > _MOST_KEYS,
    }
    return tuple((f"incoherent.{name}", 1.0) for name, wrong in found.items() if wrong)


def sort_of(column: TableColumn) -> str:
    """Return what a column holds, as far as it matters for what is done with it."""
    if column.flag:
        return "flag"
    if column.dated:
        return "date"
    if column.facts.years:
        return "year"
    if column.numeric:
        return _sort_of_numbers(column)
    return "person" if column.named else "name" if column.kept_unique else "kind"


def _sort_of_numbers(column: TableColumn) -> str:
    if column.identifying:
        return "code"
    whole = ".whole" if column.kind is ColumnKind.INTEGER else ""
    single = ".single" if column.facts.unique else ""
    if not column.additive:
        return f"state{whole}"
    if column.monetary:
        return f"money{single}"
    known = column.seconds is not None or column.units or column.facts.unit or column.kinds
    return f"{'amount' if known else 'plain'}{whole}{single}"


class ColumnUses:
    """The features of one question; what its words say of all readings is looked up once."""

    def __init__(self, lattice: Lattice) -> None:
        vocabulary, names = lattice.vocabulary, lattice.names
        self._sorts = {column.name: sort_of(column) for column in vocabulary.columns}
        self._unsaid = "" if any(is_named(name, _SAYING) for name in names) else ".unsaid"
        self._dimension = ".dimension" if any(is_named(name, _DIMENSIONS) for name in names) else ""

    def of(self, intent: Intent) -> Iterator[tuple[str, float]]:
        """Yield the features of an intent."""
        sorts, output = self._sorts, intent.output
        for measure in intent.measures:
            if measure.column is not None:
                yield f"use.{output}.{measure.function}.{sorts[measure.column]}{self._unsaid}", 1.0
        for key in intent.keys:
            yield f"use.key.{'time' if key.column is None else sorts[key.column]}", 1.0
        for order in intent.orders:
            yield f"use.{output}.{self._ordered(order, intent)}{self._dimension}", 1.0
        for one in single_conditions(intent.clauses):
            part = "" if one.part is None else ".part"
            yield f"use.where.{one.operator}.{sorts[one.column]}{part}", 1.0
        for name in intent.columns:
            yield f"use.{output}.shown.{sorts[name]}", 1.0

    def _ordered(self, order: Order, intent: Intent) -> str:
        """Return what comes first: the rows with the most of a column, or the groups with the most of a measure."""
        limited = ".all" if intent.limit is None else ""
        if order.column is not None:
            return f"order{limited}.{self._sorts[order.column]}"
        if order.measure >= len(intent.measures):
            # The first and the last rows of the file.
            return f"order{limited}"
        measure = intent.measures[order.measure]
        of = "rows" if measure.column is None else self._sorts[measure.column]
        return f"rank{limited}.{measure.function}.{of}"


def thing_of(lattice: Lattice) -> str | None:
    """Return the column that numbers what a word for rows names, where each of it has several rows.

    Orders are what invoices are of, where the table does not say otherwise.
    """
    rows = lattice.links(LinkKind.ROWS)
    called = {link.span for link in rows if link.name in _NAMED}
    found = {
        column.name
        for link, column in lattice.column_links
        if link.span in called and not link.is_loose and _numbers_several(column, lattice)
    }
    if not found and any(lattice.has(link.start, "entity.order") for link in rows):
        found = _numbers_of_orders(lattice, is_called=any(link.name in CALLED for link in rows))
    if len(found) != 1:
        return None
    (name,) = found
    # What was measured at many times is in a state at each of them: a sensor, and no order.
    things = lattice.vocabulary.by_name[name].facts.distinct or 0
    times = [column.facts.distinct or 0 for column in lattice.vocabulary.columns if column.dated]
    return name if max(times, default=0) <= things else None


def _numbers_several(column: TableColumn, lattice: Lattice) -> bool:
    """Tell whether a column numbers things that have several rows each."""
    return (column.identifying or is_coded(column)) and lattice.repeats(column)


def _numbers_of_orders(lattice: Lattice, *, is_called: bool) -> set[str]:
    """Return the columns that number orders, where none is named so: invoices, where rows are not called orders themselves."""
    columns = lattice.vocabulary.columns
    billed, lines = map(lattice.vocabulary.evidence, ("billed", "lines"))
    if not lattice.vocabulary.header_stock.isdisjoint(lines):
        # A file of orders has columns of the lines of each.
        numbering = (column.name for column in columns if _numbers_several(column, lattice))
        return set(islice(numbering, 1))
    named = [column for column in columns if not (is_called or billed.isdisjoint(column.words))]
    return {column.name for column in named if _numbers_several(column, lattice)}


def of_things(intent: Intent, thing: str | None) -> Intent:
    """Return an intent that counts things rather than their rows: how many orders there were, not how many lines of them."""
    if thing is None or thing in intent.used_columns:
        return intent
    measures = tuple(_different(one, thing) for one in intent.measures)
    having = tuple(replace(one, measure=_different(one.measure, thing)) for one in intent.having)
    return replace(intent, measures=measures, having=having)


def _different(measure: Measure, thing: str) -> Measure:
    counted = measure.function == "count" and measure.column is None and not measure.share
    return replace(measure, function="count_distinct", column=thing) if counted else measure


def counts_parts(intent: Intent, thing: str | None) -> bool:
    """Tell whether the rows of each thing are counted within other groups: `orders per month`, as lines of each order in it."""
    counted = any(one.function == "count" for one in intent.measures)
    return counted and len(intent.keys) > 1 and any(key.column == thing for key in intent.keys if thing)


def bounds_parts(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the rows of each are taken for an amount: `share of customers with more than 2 orders`, by a quantity above 2."""
    entities = {link.start for link in lattice.links(LinkKind.ROWS) if link.name in _NAMED}
    things = [link.start for link, column in lattice.column_links if column.text and lattice.repeats(column)]
    bounds = {
        value
        for measure in intent.measures
        for clause in single_conditions(measure.part)
        if clause.column not in lattice.named
        for value in clause.values
    }
    return any(
        link.end in entities and number.value in bounds and min(things, default=link.end) < link.start
        for link, number in lattice.quantities
    )
