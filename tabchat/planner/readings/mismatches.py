"""Intents that can be composed of the words of a question, and that tell what it did not ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.derived import SPANS
from tabchat.planner.intent import BOUNDING, Condition, Measure, Operator, Output, used_columns
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.ranks import ENDS

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent, Side
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.search import Way

_LISTING: Final = frozenset({"and", "or", "both"})
"""What joins two figures that are asked for."""
_SUMMING: Final = frozenset({"agg.sum", "howmuch"})
"""What asks for a sum."""
_AMOUNTS: Final = ("scale.", "top.", "super.m", "count.", "agg.", "degree.")
_OF_PRICES: Final = (".price", ".cost")
_HOURS: Final = 24
_LASTING: Final = frozenset({"duration", "minutes", "hours"})
"""Groups of columns of what lasts."""
_OPENERS: Final = ("which", "who", "when", "where", "howmuch")


def is_mismatch(lattice: Lattice, way: Way, intent: Intent) -> bool:
    """Tell whether a way through a question came to what it did not ask for."""
    return (
        takes_one_for_each(lattice, intent)
        or _lists_what_is_counted(lattice, way, intent)
        or _tells_one_column_twice(lattice, intent)
        or _says_yes_to_what(lattice, intent)
        or _denies_twice(lattice, intent)
        or _compares_the_second(lattice, intent)
        or _compares_with_a_time(lattice, intent)
        or _sums_what_does_not_add_up(lattice, intent)
        or _lists_columns_of_some_rows(intent)
        or _dates_an_event_by_another(lattice, intent)
        or _ranks_by_what_came_later(lattice, intent)
        or _takes_the_first_for_the_least(lattice, intent)
        or _passes_over_a_span(lattice, intent)
        or _adds_up_what_is_dear(lattice, intent)
        or _takes_a_deed_for_a_state(lattice, intent)
        or _ends_elsewhere(lattice, intent)
        or _counts_rows_for_what_lasts(lattice, intent)
        or _counts_how_much(lattice, intent)
        or _names_nobody(lattice, intent)
        or _ranks_by_what_is_not_said(lattice, intent)
        or _bounds_nothing(intent)
        or _bounds_money_by_pieces(lattice, intent)
        or _spans_beside_a_duration(lattice, intent)
    )


def takes_one_for_each(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether one of all is told of: `the most popular car at each branch`, answered by one branch."""
    if intent.output is not Output.GROUPS or intent.limit != 1 or intent.limit_keys:
        return False
    columns, told = lattice.vocabulary.columns, {key.column for key in intent.keys}
    return any(
        lattice.concepts(place, "unit.")
        or any(columns[link.column].name in told for link in lattice.at(place, LinkKind.COLUMN))
        for place in lattice.behind("each")
    )


def _lists_what_is_counted(lattice: Lattice, way: Way, intent: Intent) -> bool:
    """Tell whether a question that opens with `how many` is answered by all cells of the rows."""
    counted = 0 in way.skipped and lattice.has(0, "count") and not lattice.has(0, "howmuch")
    return counted and intent.output is Output.ROWS and not intent.columns


def _says_yes_to_what(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether yes or no answers `what do we have in French`, or `where did it go`."""
    return (
        intent.output is Output.EXISTS and lattice.has(0, *_OPENERS) and not lattice.has(0, "yesno", "exist")
    )


def _denies_twice(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `ніколи не вводив`, never entered, is taken for never without: one denial, said twice."""
    gaps = any(
        isinstance(clause, Condition) and clause.operator is Operator.MISSING
        for one in intent.having
        for clause in one.measure.part
    )
    return gaps and not any(name.startswith("missing") for name in lattice.names)


def _compares_the_second(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the second of two times is compared with the first: `how much higher was January than July`."""
    if intent.comparison != "difference" or "than" not in lattice.names:
        return False
    places = [place for side in intent.sides if (place := _said_at(lattice, side)) is not None]
    return len(places) == len(intent.sides) and places != sorted(places)


def _compares_with_a_time(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a number is compared with what lasts: `salary over time`, answered by salaries over some days."""
    known = lattice.vocabulary.by_name
    pairs = [(one.column, one.other) for one in intent.clauses if isinstance(one, Condition) and one.other]
    return any((known[one].seconds is None) != (known[other].seconds is None) for one, other in pairs)


def _sums_what_does_not_add_up(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether percentages or numbers of rooms are added up although nothing asks for a sum."""
    if not _SUMMING.isdisjoint(lattice.names):
        return False
    known = lattice.vocabulary.by_name
    summed = (known[one.column] for one in intent.measures if one.function == "sum" and one.column)
    return any(column.identifying or column.facts.unit == "%" for column in summed)


def _lists_columns_of_some_rows(intent: Intent) -> bool:
    """Tell whether the columns are listed of some rows only: every row has the same."""
    return intent.output is Output.SCHEMA and bool(intent.clauses or intent.periods)


def _dates_an_event_by_another(lattice: Lattice, intent: Intent) -> bool:
    """`delivered in May`, answered by what was ordered in May, or was so and delivered at some time."""
    times = lattice.links(LinkKind.TIME)
    told = lattice.vocabulary.timed_by(intent) if times else frozenset()
    if len(told) != 1 or any(one.end <= other.start for one in times for other in times):
        return False
    said = {
        lattice.column(link).name
        for link in lattice.links(LinkKind.COLUMN)
        if lattice.column(link).dated
        and any(link.end in {time.start - 1, time.start} for time in times)
        and any(lattice.concepts(link.start, "event."))
    }
    return bool(said) and said.isdisjoint(told)


def _ranks_by_what_came_later(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a later date ranks rows that nothing names: `the last order`, answered by the last one that was shipped."""
    if not intent.orders or any(
        name.startswith(("scale.most.", "top.", "super.m")) for name in lattice.names
    ):
        return False
    later = {column.name for column in lattice.vocabulary.dates} - {one.name for one in lattice.unsaid_dates}
    return not later.isdisjoint({order.column for order in intent.orders})


def _takes_the_first_for_the_least(lattice: Lattice, intent: Intent) -> bool:
    """`who ordered first`, answered by who spent least: nothing but the order in time is said."""
    grouped = intent.output is Output.GROUPS and bool(intent.orders)
    if not grouped or lattice.names.isdisjoint(ENDS) or any(map(_orders_by_amount, lattice.names)):
        return False
    named = {lattice.column(link).name for link in lattice.links(LinkKind.COLUMN)}
    return named.isdisjoint(measure.column for measure in intent.measures)


def _orders_by_amount(concept: str) -> bool:
    return concept in {"by", "count", "howmuch"} or concept.startswith(_AMOUNTS)


def _passes_over_a_span(lattice: Lattice, intent: Intent) -> bool:
    """`days from order to payment`, answered without the time between the two, both of which are named."""
    spans = {
        lattice.column(link).name for link in lattice.links(LinkKind.COLUMN) if "column.span" in link.signs
    }
    return bool(spans) and spans.isdisjoint(used_columns(intent))


def _adds_up_what_is_dear(lattice: Lattice, intent: Intent) -> bool:
    """`which product is the dearest`, answered by what all of it came to, although a price tells."""
    if intent.output is not Output.GROUPS or not intent.orders or "agg.sum" in lattice.names:
        return False
    if not any(name.startswith("scale.most.") and name.endswith(_OF_PRICES) for name in lattice.names):
        return False
    return any(one.function == "sum" for one in intent.measures) and any(
        "price" in column.kinds and not column.additive for column in lattice.vocabulary.measures
    )


def _takes_a_deed_for_a_state(lattice: Lattice, intent: Intent) -> bool:
    """`tickets opened in April`, answered by those that are open; `time to close`, by the time that the closed ones took."""
    stated = {(one.column, one.values) for one in intent.clauses if isinstance(one, Condition)}
    if not stated:
        return False
    known = lattice.vocabulary.by_name
    ends = {name for one in used_columns(intent) & known.keys() for name in known[one].facts.operands}
    times = {time.start for time in lattice.links(LinkKind.TIME)}
    return any(
        date.dated
        and (
            not times.isdisjoint({link.end, link.end + 1})
            or (date.name in ends and "cell.form" in cell.signs)
        )
        for cell in lattice.links(LinkKind.CELL)
        if (lattice.column(cell).name, cell.texts) in stated
        for link, date in lattice.columns(cell.start)
    )


def _ends_elsewhere(lattice: Lattice, intent: Intent) -> bool:
    """`average time to ship`, answered by the days until delivery of what was shipped, or by those from then on."""
    known = lattice.vocabulary.by_name
    spans = [known[one.column].facts.operands for one in intent.measures if one.column]
    spans = [span for span in spans if span and known[span[0]].dated]
    happened = {
        one.column
        for one in intent.clauses
        if isinstance(one, Condition) and one.operator is Operator.PRESENT and known[one.column].dated
    }
    said = {
        date.name
        for one in lattice.sentence.concepts
        if one.name == "header.time" and lattice.has(one.end, "to")
        for _, date in lattice.columns(one.end + 1)
        if date.dated
    }
    return any((happened and happened.isdisjoint(span)) or (said and span[1] not in said) for span in spans)


def _counts_rows_for_what_lasts(lattice: Lattice, intent: Intent) -> bool:
    """`how many days does delivery take`, answered by the number of deliveries."""
    if (
        intent.output is not Output.VALUE
        or Measure() not in intent.measures
        or "verb.duration" not in lattice.names
    ):
        return False
    spans = any(column.facts.unit in SPANS for column in lattice.vocabulary.columns if column.facts.operands)
    return spans and any(lattice.has(place, "span.") for place in lattice.behind("count"))


def _counts_how_much(lattice: Lattice, intent: Intent) -> bool:
    """`how much did each patient pay`, answered by a number of rows: `скільки`, which is how many as well, may be."""
    much = lattice.has(0, "howmuch") and not (lattice.has(0, "count") or lattice.has(1, "count"))
    return much and Measure() in intent.measures and intent.output in {Output.VALUE, Output.GROUPS}


def _names_nobody(lattice: Lattice, intent: Intent) -> bool:
    """`who gets the largest salary`, answered by the salary."""
    ends = any(one.function in {"max", "min"} for one in intent.measures)
    return (
        lattice.has(0, "who") and intent.output is Output.VALUE and ends and bool(lattice.vocabulary.people)
    )


def _ranks_by_what_is_not_said(lattice: Lattice, intent: Intent) -> bool:
    """`when were there the most orders`, answered by the date of the dearest one."""
    ranked = {one.column for one in intent.orders} | {one.column for one in intent.measures}
    asked = any(lattice.has(at, "header.time") for at in lattice.behind("which"))
    if intent.output not in {Output.ROWS, Output.VALUE} or ranked <= {None}:
        return False
    named = {lattice.column(link).name for link in lattice.links(LinkKind.COLUMN)}
    if not (asked or ("when" in lattice.names and ranked.isdisjoint(named))):
        return False
    rows = {link.start for link in lattice.links(LinkKind.ROWS) if link.name != "near"}
    return any(
        one.end in rows and lattice.has(one.start, "degree.most", "more.bare", "super.min")
        for one in lattice.sentence.concepts
        if one.name in {"super.max", "super.min"}
    )


def _bounds_nothing(intent: Intent) -> bool:
    """`flights after midnight`, answered by those of all hours."""
    return any(
        isinstance(one, Condition) and one.part == "hour" and len({*one.values}) >= _HOURS
        for one in intent.clauses
    )


def _bounds_money_by_pieces(lattice: Lattice, intent: Intent) -> bool:
    """`items under 10 pieces`, answered by those whose `Unit price` is."""
    counted = any(
        lattice.concepts(number.end - 1, "measure.piece") for number in lattice.links(LinkKind.NUMBER)
    )
    known = lattice.vocabulary.by_name
    return counted and any(
        isinstance(one, Condition) and one.operator in BOUNDING and known[one.column].monetary
        for one in intent.clauses
    )


def _spans_beside_a_duration(lattice: Lattice, intent: Intent) -> bool:
    """`longest appointment`, answered by the days since it was booked, although a column tells its minutes."""
    known = lattice.vocabulary.by_name
    spans = [known[one].facts for one in used_columns(intent) if one in known and known[one].facts.operands]
    own = any(
        one.seconds is not None or not one.groups.isdisjoint(_LASTING) for one in lattice.vocabulary.measures
    )
    if not own or any(name.startswith("span.") for name in lattice.names):
        return False
    named = {
        lattice.column(link).name
        for link in lattice.links(LinkKind.COLUMN)
        if not lattice.concepts(link.start, "header.duration")
        and link.span not in {rows.span for rows in lattice.links(LinkKind.ROWS)}
    }
    return any(one.unit in SPANS and one.name not in named and one.operands[1] not in named for one in spans)


def _said_at(lattice: Lattice, side: Side) -> int | None:
    """Return the place where a side that is a stretch of time, or a part of every year, is named."""
    told = {(one.part, one.values) for one in side.clauses if isinstance(one, Condition) and one.part}
    period = side.period and replace(side.period, column=None)
    for link in lattice.links(LinkKind.TIME):
        time = link.time
        if time is not None and (told & {*time.parts} or (period is not None and time.period == period)):
            return link.start
    return None


def _tells_one_column_twice(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether two figures of one column are told, and no two are asked for: `on average, how many hours …`."""
    columns = [
        one.column for one in intent.measures if one.column and not (one.part or one.per or one.per_unit)
    ]
    if len(set(columns)) == len(columns) or not _LISTING.isdisjoint(lattice.names):
        return False
    return not any(lattice.has(place, "agg.") for place in lattice.behind("comma"))
