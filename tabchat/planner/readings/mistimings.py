"""Intents that can be composed of the words of a question, and that take another time than it tells of, or time for something else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.derived import SPANS
from tabchat.planner.intent import COUNT, Operator, Output, plain_conditions
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.rates import all_rates_said, named_rates
from tabchat.planner.readings.ranks import ENDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent, Side
    from tabchat.planner.links.lattice import Lattice

_ORDERING: Final = (
    *("by", "count", "howmuch", "super.max", "super.min"),
    *("scale.", "top.", "count.", "agg.", "degree."),
)
"""Words that say by which amount something is ordered."""
_HOURS: Final = 24
_LASTING: Final = frozenset({"duration", "minutes", "hours"})
"""Groups of columns of what lasts."""


def mistimes(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether an intent takes a time that a question does not tell of."""
    return any(mistake(lattice, intent) for mistake in _MISTAKES)


def _compares_the_second(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the second of two times is compared with the first: `how much higher was January than July`."""
    if intent.comparison != "difference" or "than" not in lattice.names:
        return False
    places = [place for side in intent.sides if (place := _said_at(lattice, side)) is not None]
    return len(places) == len(intent.sides) and places != sorted(places)


def _groups_by_the_unit_of_a_rate(lattice: Lattice, intent: Intent) -> bool:
    """`yearly cost per department`, of a column `Cost p.a.`, answered by the years in which things were bought."""
    units = {key.unit for key in intent.keys if key.unit is not None}
    if not units:
        return False
    said = all_rates_said(lattice)
    # `monthly fee by month` groups by months as well.
    grouped = {place for place in lattice.behind("by") if not lattice.has(place - 1, "per")}
    said -= {one.name.removeprefix("unit.") for place in grouped for one in lattice.concepts(place, "unit.")}
    return any(named_rates(lattice, unit) for unit in units & said)


def _compares_with_a_time(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a number is compared with what lasts: `salary over time`, answered by salaries over some days."""
    known = lattice.vocabulary.by_name
    pairs = [(one.column, one.other) for one in plain_conditions(intent.clauses) if one.other]
    return any((known[one].seconds is None) != (known[other].seconds is None) for one, other in pairs)


def _dates_an_event_by_another(lattice: Lattice, intent: Intent) -> bool:
    """`delivered in May`, answered by what was ordered in May, or was so and delivered at some time."""
    times = lattice.links(LinkKind.TIME)
    told = lattice.vocabulary.timed_by(intent) if times else frozenset()
    if len(told) != 1 or any(one.end <= other.start for one in times for other in times):
        return False
    said = {
        column.name
        for link, column in lattice.column_links
        if column.dated
        and link.name != "denied"
        and any(link.end in {time.start - 1, time.start} for time in times)
        and (lattice.concepts(link.start, "event.") or not link.is_loose)
    }
    return bool(said) and said.isdisjoint(told)


def _ranks_by_what_came_later(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a later date ranks rows that nothing names: `the last order`, answered by the last one that was shipped."""
    if not intent.orders or any(name.startswith(("scale.", "top.", "super.m")) for name in lattice.names):
        return False
    later = {column.name for column in lattice.vocabulary.dates} - {one.name for one in lattice.unsaid_dates}
    return not later.isdisjoint({order.column for order in intent.orders})


def _takes_the_first_for_the_least(lattice: Lattice, intent: Intent) -> bool:
    """`who ordered first`, answered by who spent least: nothing but the order in time is said."""
    grouped = intent.output is Output.GROUPS and bool(intent.orders)
    if not grouped or lattice.names.isdisjoint(ENDS) or lattice.tells(*_ORDERING):
        return False
    return lattice.named.isdisjoint(measure.column for measure in intent.measures)


def _passes_over_a_span(lattice: Lattice, intent: Intent) -> bool:
    """`days from order to payment`, answered without the time between the two, both of which are named."""
    spans = {column.name for link, column in lattice.column_links if "column.span" in link.signs}
    return bool(spans) and spans.isdisjoint(intent.used_columns)


def _takes_a_deed_for_a_state(lattice: Lattice, intent: Intent) -> bool:
    """`tickets opened in April`, answered by those that are open; `time to close`, by the time that the closed ones took."""
    stated = {(one.column, one.values) for one in plain_conditions(intent.clauses)}
    if not stated:
        return False
    known = lattice.vocabulary.by_name
    ends = {name for one in intent.used_columns & known.keys() for name in known[one].facts.operands}
    times = {time.start for time in lattice.links(LinkKind.TIME)}
    times |= {start - 1 for start in times if lattice.has(start - 1, "in")}
    cells = [one for one, column in lattice.cell_links if (column.name, one.texts) in stated]
    deeds = {
        cell.start
        for cell in cells
        for link, date in lattice.columns(cell.start)
        if date.dated and (link.end in times or (date.name in ends and "cell.form" in cell.signs))
    }
    # `open tickets opened in April` says both.
    return bool(deeds) and deeds == {cell.start for cell in cells}


def _ends_elsewhere(lattice: Lattice, intent: Intent) -> bool:
    """`average time to ship`, answered by the days until delivery of what was shipped, or by those from then on."""
    known = lattice.vocabulary.by_name
    spans = [known[one.column].facts.operands for one in intent.measures if one.column]
    spans = [span for span in spans if span and known[span[0]].dated]
    if not spans:
        return False
    happened = {
        one.column for one in plain_conditions(intent.clauses, Operator.PRESENT) if known[one.column].dated
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
        or COUNT not in intent.measures
        or "verb.duration" not in lattice.names
    ):
        return False
    spans = any(column.facts.unit in SPANS for column in lattice.vocabulary.columns if column.facts.operands)
    return spans and any(lattice.has(place, "span.") for place in lattice.behind("count"))


def _ranks_by_what_is_not_said(lattice: Lattice, intent: Intent) -> bool:
    """`when were there the most orders`, answered by the date of the dearest one."""
    ranked = {one.column for one in intent.orders} | {one.column for one in intent.measures}
    asked = any(lattice.has(at, "header.time") for at in lattice.behind("which"))
    if intent.output not in {Output.ROWS, Output.VALUE} or ranked <= {None}:
        return False
    if not (asked or ("when" in lattice.names and ranked.isdisjoint(lattice.named))):
        return False
    rows = {link.start for link in lattice.links(LinkKind.ROWS) if link.name != "near"}
    return any(
        one.end in rows and lattice.has(one.start, "degree.most", "more.bare", "super.min")
        for one in lattice.sentence.concepts
        if one.name in {"super.max", "super.min"}
    )


def _bounds_nothing(_: Lattice, intent: Intent) -> bool:
    """`flights after midnight`, answered by those of all hours."""
    return any(
        one.part == "hour" and len({*one.values}) >= _HOURS for one in plain_conditions(intent.clauses)
    )


def _spans_beside_a_duration(lattice: Lattice, intent: Intent) -> bool:
    """`longest appointment`, answered by the days since it was booked, although a column tells its minutes."""
    known = lattice.vocabulary.by_name
    spans = [known[one].facts for one in intent.used_columns if one in known and known[one].facts.operands]
    # Of four hundred columns none is looked at where no time between two dates is told.
    own = bool(spans) and any(
        one.seconds is not None or not one.groups.isdisjoint(_LASTING) for one in lattice.vocabulary.measures
    )
    if not own or lattice.tells("span."):
        return False
    named = {
        column.name
        for link, column in lattice.column_links
        if not lattice.concepts(link.start, "header.duration")
        and link.span not in {rows.span for rows in lattice.links(LinkKind.ROWS)}
    }
    return any(one.unit in SPANS and one.name not in named and one.operands[1] not in named for one in spans)


def _tells_no_date(lattice: Lattice, intent: Intent) -> bool:
    """`when was order 7 delivered`, answered by all that is known of it, or by a number."""
    if not lattice.has(0, "when") or intent.output not in {Output.ROWS, Output.VALUE}:
        return False
    dates = {
        column.name
        for link, column in lattice.column_links
        if column.dated and lattice.concepts(link.start, "event.")
    }
    if intent.output is Output.VALUE:
        return bool(dates) and all(one.function.startswith("count") for one in intent.measures)
    return bool(dates) and dates.isdisjoint((*intent.columns, *(one.column for one in intent.orders)))


def _tells_the_most_frequent_date(lattice: Lattice, intent: Intent) -> bool:
    """`in which department do people leave most often`, answered by the most frequent date of leaving in each."""
    return bool(intent.keys) and any(
        one.function == "mode" and one.column is not None and lattice.vocabulary.by_name[one.column].dated
        for one in intent.measures
    )


def _said_at(lattice: Lattice, side: Side) -> int | None:
    """Return the place where a side that is a stretch of time, or a part of every year, is named."""
    told = {(one.part, one.values) for one in plain_conditions(side.clauses) if one.part}
    period = side.period and replace(side.period, column=None)
    for link in lattice.links(LinkKind.TIME):
        time = link.time
        if time is not None and (told & {*time.parts} or (period is not None and time.period == period)):
            return link.start
    return None


def _times_what_has_no_date(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `what was not delivered this year` is taken for what has no date of it, and has it in this year."""
    timed = {period.column for period in intent.periods}
    timed |= {one.column for one in plain_conditions(intent.clauses) if one.part}
    first = lattice.vocabulary.dates[0].name if lattice.vocabulary.dates else None
    return any(
        one.column in timed or (None in timed and one.column == first)
        for one in plain_conditions(intent.clauses, Operator.MISSING)
    )


def _ranks_by_another_event(lattice: Lattice, intent: Intent) -> bool:
    """`who was hired last`, answered by who left last, or by the last row."""
    if lattice.names.isdisjoint(ENDS):
        return False
    known = lattice.vocabulary.by_name
    ranked = {one.column for one in intent.orders if one.column and one.column in known}
    ranked |= {one.column for one in intent.measures if one.function in {"min", "max"} and one.column}
    dates = lattice.column_links
    named = {column.name for _, column in dates if column.dated}
    told = any(column.dated and lattice.concepts(link.start, "event.") for link, column in dates)
    dated = any(known[name].dated for name in ranked)
    return told and (intent.output is Output.HEAD or (dated and ranked.isdisjoint(named)))


def _ranks_age_by_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the oldest student is who has the lowest mark, of a table that tells when each was born."""
    if "age" not in lattice.dimensions("scale.most.") or not intent.orders:
        return False
    born = lattice.vocabulary.evidence("birth")
    told = {column.name for column in lattice.vocabulary.columns if "age" in column.kinds}
    told |= {column.name for column in lattice.vocabulary.dates if not born.isdisjoint(column.words)}
    ranked = {one.column for one in intent.orders} | {one.column for one in intent.measures}
    return bool(told) and (ranked - {None}).isdisjoint(told | lattice.named)


_MISTAKES: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _groups_by_the_unit_of_a_rate,
    _compares_the_second,
    _compares_with_a_time,
    _dates_an_event_by_another,
    _ranks_by_what_came_later,
    _takes_the_first_for_the_least,
    _passes_over_a_span,
    _takes_a_deed_for_a_state,
    _ends_elsewhere,
    _counts_rows_for_what_lasts,
    _ranks_by_what_is_not_said,
    _spans_beside_a_duration,
    _times_what_has_no_date,
    _bounds_nothing,
    _ranks_by_another_event,
    _ranks_age_by_an_amount,
    _tells_no_date,
    _tells_the_most_frequent_date,
)
