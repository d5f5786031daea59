"""Doubts about bounds: until when, up to how many, and whether a bound is one at all."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final, TypeGuard

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    BOUNDING,
    MONTH_DAY,
    Operator,
    Output,
    all_conditions,
    plain_conditions,
    single_conditions,
)
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.times import goes_on, opened_periods
from tabchat.planner.words.calendar import YEAR_DAY

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.link import Link
    from tabchat.planner.words.sentence import Quantity

ASKING: Final = ("agg.", "howmuch", "count")
"""Beginnings of the names of words that ask for a figure."""
_ABOVE: Final = frozenset({Operator.GT, Operator.GE})
_BELOW: Final = frozenset({Operator.LT, Operator.LE})
_COMPARED: Final = BOUNDING | {Operator.NOT_BETWEEN}
_PINNING: Final = frozenset({Operator.EQ, Operator.IN})
_UNTIL: Final = "until"
_OPENING: Final = frozenset({_UNTIL, "to", "since", "before", "after"})
"""Words that leave one side of a time open."""
_YEAR_PARTS: Final = frozenset({"month", "quarter", MONTH_DAY})
"""Parts of dates that every year has."""
_TELLING: Final = frozenset({"which", "list"})
"""Words before an `about` that says of what, not about how much: `what about 2024`."""
_FROM_TO: Final = frozenset({Output.COMPARISON, Output.CHANGE})
"""What `from March to April` may ask for."""
_YEARS: Final = range(1900, 2100)
"""Numbers that are more likely years."""
_SCALES: Final = ("scale.k", "scale.m", "scale.b")
_BEYOND: Final = 1_000
"""Times the greatest cell above which a bound is in another scale."""


@doubt
def _bounds_what_none_reaches(lattice: Lattice, intent: Intent) -> bool:
    """`over 70 million passengers`, over a column that counts millions: none is near."""
    for clause in all_conditions(intent):
        facts = lattice.vocabulary.by_name[clause.column].facts
        if clause.operator in _ABOVE and clause.part is None and facts.exact and _is_number(facts.high):
            highest = abs(facts.high) or 1
            if any(_is_number(value) and value > _BEYOND * highest for value in clause.values):
                return True
    return False


@doubt
def _bounds_what_rows_are_called_after(lattice: Lattice, intent: Intent) -> bool:
    """`rides over 80`, answered by their `ride_sec` although there are fares: no word says of which the number is."""
    columns = lattice.vocabulary.by_name
    bounded = {one.column for one in all_conditions(intent) if one.operator in _ABOVE | _BELOW}
    quantities = [number for _, number in lattice.quantities]
    if any(quantity.unit or quantity.seconds for quantity in quantities):
        return False
    called = {link.span for link in lattice.called}
    said: dict[str, set[bool]] = {}
    for link in lattice.links(LinkKind.COLUMN):
        said.setdefault(lattice.vocabulary.columns[link.column].name, set()).add(link.span in called)
    return len(lattice.vocabulary.measures) > 1 and any(
        columns[name].measure and not columns[name].monetary and said.get(name) == {True} for name in bounded
    )


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float)


@doubt
def _closes_an_open_time(lattice: Lattice, intent: Intent) -> bool:
    """`orders until March 15`, answered by those of that day, since no month and day without a year can be open."""
    # `from March to April` may be compared, `until April` may not.
    opening = {_UNTIL} if intent.output in _FROM_TO else _OPENING
    return any(
        not any(_covers(other, concept.start, link) for other in lattice.links(LinkKind.TIME))
        for concept in lattice.sentence.concepts
        if concept.name in opening
        for link in lattice.at(lattice.beyond(concept.end - 1), LinkKind.TIME)
    )


def _covers(time: Link, start: int, other: Link) -> bool:
    """Tell whether a mention of time begins with the word at `start`, or before it, and goes on to the end of another."""
    return time.start <= start and time.end >= other.end


@doubt
def _pins_what_is_bounded(lattice: Lattice, intent: Intent) -> bool:
    """`orders with a quantity through 5`, or around 5, answered by those of five."""
    pinned = {
        value
        for one in all_conditions(intent)
        if one.operator in _PINNING and one.part is None
        for value in one.values
    }
    return any(
        number.value in pinned
        for name in (_UNTIL, "stop.approximate")
        for place in lattice.behind(name)
        for number, _ in lattice.numbers(lattice.beyond(place - 1))
    )


@doubt
def _may_open_a_day(lattice: Lattice, _: Intent) -> bool:
    """Tell whether a day is that day, or all since: `orders from March 15`, `замовлення від 15 березня`.

    Of a date that is called so a month may be, too: `available from June`.
    """
    times, words = lattice.links(LinkKind.TIME), lattice.sentence.words
    headers = {word for column in lattice.vocabulary.dates for word in column.words}
    return any(
        not any(_covers(other, link.start, link) and other.end > link.end for other in times)
        for place in lattice.behind("dated")
        for link in lattice.at(lattice.beyond(place - 1), LinkKind.TIME)
        if _is_day(link) or words[place - 1].norm in headers
    )


def _is_day(time: Link) -> bool:
    said = time.time
    if said is None or said.opened or said.periods:
        return False
    if said.period is not None:
        return said.period.start == said.period.end is not None
    return any(unit == YEAR_DAY and len(numbers) == 1 for unit, numbers in said.parts)


@doubt
def _takes_one_of_several_years(lattice: Lattice, intent: Intent) -> bool:
    """`orders since March`, answered by March to December of every year, or since one March of several."""
    known, times = lattice.vocabulary.by_name, (link.time for link in lattice.links(LinkKind.TIME))
    opened = [time for time in times if time and time.opened and time.parts and not goes_on(lattice, time)]
    parted = {one.column for one in all_conditions(intent) if one.part in _YEAR_PARTS} if opened else set()
    since = [
        opened_periods(time, known[one.column]) for time in opened for one in intent.periods if one.column
    ]
    return any(not _within_one_year(known[name]) for name in parted) or any(
        len(each) > 1 and not set(each).isdisjoint(intent.periods) for each in since
    )


def _within_one_year(column: TableColumn) -> bool:
    """Tell whether all days of a column are known to lie in one year."""
    low, high = column.facts.low, column.facts.high
    days = isinstance(low, dt.date) and isinstance(high, dt.date) and low.year == high.year
    return days and column.facts.exact


@doubt
def _is_exact_about_what_is_rough(lattice: Lattice, _: Intent) -> bool:
    """Tell whether what was said roughly is read exactly: `orders around March`, by its days, `a price of about 100`."""
    told = {one.end for one in lattice.sentence.concepts if one.name in _TELLING}
    return any(
        place - 1 not in told
        and any(lattice.at(lattice.beyond(place), kind) for kind in (LinkKind.TIME, LinkKind.NUMBER))
        for place in (end - 1 for end in lattice.behind("stop.approximate"))
    )


@doubt
def _compares_with_a_year(lattice: Lattice, intent: Intent) -> bool:
    """`visitors in 2023`, answered by the rows with 2023 visitors although the table tells times."""
    vocabulary = lattice.vocabulary
    clauses = [*intent.clauses, *(clause for measure in intent.measures for clause in measure.part)]
    return bool(vocabulary.dates or vocabulary.year_columns) and any(
        vocabulary.by_name[clause.column].measure
        and all(isinstance(value, int | float) and value in _YEARS for value in clause.values)
        for clause in plain_conditions(clauses, Operator.EQ)
    )


@doubt
def _compares_another_dimension(lattice: Lattice, intent: Intent) -> bool:
    """`how much dearer is a litre of petrol than one of gas`, answered by litres although there is a price."""
    if intent.output is not Output.COMPARISON:
        return False
    # `by how many episodes is it longer` says what is compared.
    counted = {link.column for at in lattice.behind("count") for link in lattice.at(at, LinkKind.COLUMN)}
    told = lattice.measured(intent)
    return not any(column.place in counted for column in told) and any(
        any(column.measures(dimension) for column in lattice.vocabulary.columns)
        and not any(column.measures(dimension) or column.monetary for column in told)
        for dimension in lattice.dimensions("scale.more.")
    )


@doubt
def _tells_hours_twice(lattice: Lattice, intent: Intent) -> bool:
    """`evening departures after 8 pm`: hours of both, of either, or of the second alone; sides are compared, of one each."""
    if intent.sides:
        return False
    hours = [
        link
        for link in lattice.links(LinkKind.TIME)
        if link.time is not None and any(part == "hour" for part, _ in link.time.parts)
    ]
    return any(
        one.end <= other.start
        and not any(whole.start <= one.start and other.end <= whole.end for whole in hours)
        for one in hours
        for other in hours
    )


@doubt
def _loses_a_unit(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a number is compared with a column of another unit, or of none: `rides over 5 km`, by their fare."""
    columns = lattice.vocabulary.by_name
    said = [number for _, number in lattice.quantities]
    compared = [
        (clause.column, clause.values)
        for clause in all_conditions(intent)
        if clause.operator in _COMPARED and clause.part is None
    ]
    compared += [(one.measure.column, one.values) for one in intent.having if one.measure.column is not None]
    return any(
        quantity.value in values and columns[name].measure and _is_misfit(columns[name], quantity)
        for name, values in compared
        for quantity in said
    )


def _is_misfit(column: TableColumn, quantity: Quantity) -> bool:
    """Tell whether a number is in a unit that its column is not known to be in; what says no unit may be in any but of time."""
    if column.takes(quantity):
        # `over 3 days`, taken for 3 of a column in hours.
        return column.in_unit(quantity) != quantity.value
    if quantity.seconds is not None:
        return column.seconds is None
    known = bool(column.monetary or column.units or column.seconds)
    return quantity.unit is not None and known


@doubt
def _tells_another_unit(lattice: Lattice, intent: Intent) -> bool:
    """`total duration in days`, answered by minutes; `revenue in thousands`, by the rows of 1000."""
    known = lattice.vocabulary.by_name
    told = [known[name] for name in intent.used_columns if known[name].measure]
    places = lattice.behind("in")
    words = lattice.sentence.words
    scaled = [one for place in places for one in lattice.concepts(place, *_SCALES)]
    # What is `longer than a day`, довші за добу, is bounded by it.
    spans = [
        one
        for place in places
        if not lattice.at(place, LinkKind.NUMBER)
        for one in lattice.concepts(place, "span.")
    ]
    return any(words[one.start].norm not in column.words for one in scaled for column in told) or any(
        column.seconds not in {None, float(one.name.removeprefix("span."))}
        for one in spans
        for column in told
    )


@doubt
def _takes_what_was_paid_for_a_flag(lattice: Lattice, intent: Intent) -> bool:
    """`shoots that paid over 500`, answered by those above 500 that are `Paid`."""
    compared = {one.start for one in lattice.sentence.concepts if one.name.startswith("cmp.")}
    said = {column.name for link, column in lattice.column_links if link.end in compared}
    columns = lattice.vocabulary.by_name
    # `paid = 1` is of a column of ones and noughts.
    own = {quantity.value for quantity in lattice.sentence.quantities}
    flags = {name for name in said if columns[name].flag}
    return any(
        one.column in flags
        and (one.operator in BOUNDING or not (columns[one.column].numeric and own.issuperset(one.values)))
        for one in single_conditions(intent.clauses)
    )
