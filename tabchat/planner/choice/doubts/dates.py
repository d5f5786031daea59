"""Doubts about dates: of another event than the one that is told of, and days between dates that no word names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.choice.doubts.status import dates_of
from tabchat.planner.intent import (
    EXCLUDING,
    Operator,
    Output,
    all_conditions,
    plain_conditions,
    single_conditions,
    told_columns,
)
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.states import STATES, left_at, open_end

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_EVENTS: Final = frozenset(
    (
        *("hire", "leave", "birth", "death", "arrive", "depart", "create", "place", "start", "end", "open"),
        *("close", "pay", "ship", "deliver", "return", "cancel", "complete", "resolve", "issue", "release"),
        *("publish", "register", "apply", "renew", "expire", "update", "inspect", "approve", "reject"),
        *("admit", "discharge", "found", "build"),
    )
)
_OPENING: Final = frozenset({"create", "place", "open", "start", "register", "issue"})
"""Events with which something begins: what was logged is what was opened."""
_EVENT: Final = "event."
_TIMELY: Final = frozenset({"super.late", "super.early"})
_DAYS: Final = range(1, 32)
_TELLING: Final = frozenset({LinkKind.COLUMN, LinkKind.CELL, LinkKind.ROWS})


@doubt
def _dates_by_another_event(lattice: Lattice, intent: Intent) -> bool:
    """`flights that landed on Monday`, answered by those of Monday's departures: the only date is of something else."""
    vocabulary = lattice.vocabulary
    words = {word for name in vocabulary.timed_by(intent) for word in vocabulary.by_name[name].words}
    told = {event for event in _EVENTS if not vocabulary.evidence(event).isdisjoint(words)}
    times = {time.start - at for time in lattice.links(LinkKind.TIME) for at in (0, 1)}
    said = [
        (concept.name.removeprefix(_EVENT), lattice.starts[concept.start], concept.end in times)
        for concept in lattice.sentence.concepts
        if concept.name.startswith(_EVENT)
    ]
    if not told or not told.isdisjoint(event for event, _, _ in said):
        return False
    same = frozenset() if told.isdisjoint(_OPENING) else _OPENING
    return any(
        # `closed`, where something was opened, is told by no column of that.
        # `delivered in May`, of a status, says when that was, and not when it was ordered.
        not any(
            link.kind in _TELLING and link.name != "denied" and not (timed and link.kind is LinkKind.CELL)
            for link in links
        )
        for event, links, timed in said
        if event not in same
    )


@doubt
def _tells_a_state_for_a_time(lattice: Lattice, intent: Intent) -> bool:
    """`tickets still open in April`, answered by those of April that are open now, although others were so then."""
    if not open_end(lattice)[0]:
        return False
    stated = {(one.column, one.values) for one in all_conditions(intent)}
    times = {time.start - at for time in lattice.links(LinkKind.TIME) for at in (0, 1)}
    return any(
        cell.end in times and not STATES.isdisjoint(column.groups) and (column.name, cell.texts) in stated
        for cell, column in lattice.cell_links
    )


@doubt
def _dates_money_by_another_event(lattice: Lattice, intent: Intent) -> bool:
    """`money received in April`, answered by what was ordered in it, or by what is still to be paid, too."""
    vocabulary = lattice.vocabulary
    received = lattice.names & {"event.arrive", "event.pay", "verb.revenue", "verb.got", "cell.movement.in"}
    if "money" not in lattice.names or not received:
        return False
    paid = vocabulary.evidence("pay")
    dates = {column.name for column in vocabulary.dates if not paid.isdisjoint(column.words)}
    flags = {
        column.name for column in vocabulary.columns if column.flag and not paid.isdisjoint(column.words)
    }
    timed, asked = vocabulary.timed_by(intent), {one.column for one in all_conditions(intent)}
    if dates and lattice.links(LinkKind.TIME) and timed.isdisjoint(dates):
        return True
    # What was brought in is not told to be paid.
    return bool(flags) and asked.isdisjoint(flags) and received != {"verb.revenue"}


@doubt
def _dates_by_what_is_due(lattice: Lattice, intent: Intent) -> bool:
    """`permits that expire this year`, by the last date of all, in years to come; `expired permits`, by those that will be."""
    columns, due = lattice.vocabulary.by_name, lattice.vocabulary.evidence("due")
    ends = {name for name, column in columns.items() if column.dated and not due.isdisjoint(column.words)}
    happened = any(concept.name.startswith(_EVENT) for concept in lattice.sentence.concepts)
    relative = any(period.ago is not None or period.count is not None for period in intent.periods)
    if relative and not ends.isdisjoint(lattice.vocabulary.timed_by(intent)):
        return True
    return happened and any(
        one.operator is Operator.PRESENT and one.column in ends for one in all_conditions(intent)
    )


@doubt
def _takes_the_least_for_the_first(lattice: Lattice, intent: Intent) -> bool:
    """`first price of each month`, answered by the lowest one."""
    ends = any(one.function in {"min", "max"} and one.column for one in intent.measures)
    timed = any(key.unit is not None for key in intent.keys)
    sized = any(
        name.startswith(("super.", "agg.", "scale.most.")) and name not in _TIMELY for name in lattice.names
    )
    return ends and timed and not sized and lattice.tells("edge.", "rel.")


@doubt
def _counts_who_began(lattice: Lattice, intent: Intent) -> bool:
    """`how many customers did we have on May 1`, answered by those who came on that day."""
    had = "had" in lattice.names and bool(lattice.links(LinkKind.TIME)) and bool(intent.periods)
    return had and intent.output is Output.VALUE and bool(left_at(lattice))


@doubt
def _takes_weekdays_for_days(lattice: Lattice, intent: Intent) -> bool:
    """`top 5 days for tips`, answered by days of the week although each day has a date."""
    keys = {key.column for key in intent.keys if key.unit is None}
    return any(
        lattice.column(day).name in keys
        and lattice.column(day).text
        and any(column.dated for _, column in lattice.columns(day.start))
        and lattice.concepts(day.start, "unit.day")
        for day in lattice.links(LinkKind.COLUMN)
    )


@doubt
def _loses_what_is_overdue(lattice: Lattice, intent: Intent) -> bool:
    """`late invoices`, answered by those that were paid late, although unpaid ones may be late as well."""
    columns, lacks = lattice.vocabulary.by_name, lattice.vocabulary.lacks
    done = {
        one.column for one in all_conditions(intent) if one.other is not None and columns[one.column].dated
    }
    named = {date.name for place in range(len(lattice.starts)) for date in dates_of(lattice, place)}
    return "late" in lattice.names and any(lacks(columns[one]) for one in done - named)


@doubt
def _shares_what_is_not_done(lattice: Lattice, intent: Intent) -> bool:
    """`percentage of late deliveries`, answered by those of all, what is still on its way among them."""
    columns, lacks = lattice.vocabulary.by_name, lattice.vocabulary.lacks
    return any(
        one.other is not None and columns[one.column].dated and lacks(columns[one.column])
        for measure in intent.measures
        for one in single_conditions(measure.part)
    )


@doubt
def _takes_the_latest_for_the_newest(lattice: Lattice, intent: Intent) -> bool:
    """`newest house`, answered by the last one that was listed, of a table that tells the year when each was built."""
    ranked = {one.column for one in intent.orders if one.column} - lattice.named
    by_date = any(lattice.vocabulary.by_name[name].dated for name in ranked)
    return by_date and lattice.says("newest") and bool(lattice.vocabulary.year_columns)


@doubt
def _takes_until_for_a_header(lattice: Lattice, intent: Intent) -> bool:
    """`оплатили до червня` (paid until June), answered by what was `оплатити до`, to be paid until, some day of June."""
    times = {link.start for link in lattice.links(LinkKind.TIME)}
    said = {
        column.name
        for link, column in lattice.column_links
        if link.end in times and link.end - link.start > 1
        if lattice.has(link.end - 1, "to", "limit.le", "before", "until")
    }
    return not said.isdisjoint(lattice.vocabulary.timed_by(intent))


@doubt
def _measures_what_is_told(lattice: Lattice, intent: Intent) -> bool:
    """`average duration of sick leaves`, answered by the dates of each although a column tells its days."""
    columns = lattice.vocabulary.by_name
    spans = [
        columns[one.column] for one in intent.measures if one.column and columns[one.column].facts.operands
    ]
    return any(span.seconds is not None for span in spans) and any(
        column.facts.kind.is_numeric and "days" in column.kinds and not column.facts.operands
        for column in columns.values()
    )


@doubt
def _tells_another_unit(lattice: Lattice, intent: Intent) -> bool:
    """`how many hours does it take`, answered in days, which is what two moments are apart here."""
    asked = {
        float(one.name.removeprefix("span."))
        for place in lattice.behind("count")
        for one in lattice.concepts(place, "span.")
    }
    spans = lattice.measured(intent)
    return bool(asked) and any(span.facts.operands and span.seconds not in {None, *asked} for span in spans)


@doubt
def _dates_a_payment_by_another_day(lattice: Lattice, intent: Intent) -> bool:
    """`amount paid per month`, answered by the dates of the invoices, beside a `Payment date`."""
    vocabulary = lattice.vocabulary
    pay = vocabulary.evidence("pay") | vocabulary.evidence("arrive")
    told = lattice.measured(intent)
    dates = {
        column.name for column in vocabulary.dates if not vocabulary.evidence("pay").isdisjoint(column.words)
    }
    if not dates or all(pay.isdisjoint(column.words) for column in told):
        return False
    first = vocabulary.dates[0].name
    timed = vocabulary.timed_by(intent) | {key.column or first for key in intent.keys if key.unit is not None}
    return bool(timed) and timed.isdisjoint(dates | lattice.named)


_COME_TO_AN_END: Final = frozenset(
    f"cell.status.{state}"
    for state in ("won", "lost", "resolved", "closed", "completed", "rejected", "approved")
)
"""States that rows come to at a time of its own."""


@doubt
def _dates_an_end_by_a_beginning(lattice: Lattice, intent: Intent) -> bool:
    """`deals won in 2025`, answered by when they were created, beside a date of closing."""
    name, _ = open_end(lattice)
    if not name or _COME_TO_AN_END.isdisjoint(lattice.names):
        return False
    dates = {column.name for column in lattice.vocabulary.dates}
    timed = lattice.vocabulary.timed_by(intent) if intent.periods else frozenset()
    first = next(column.name for column in lattice.vocabulary.dates)
    timed |= {key.column or first for key in intent.keys if key.unit is not None}
    timed |= {one.column for one in intent.measures if one.column in dates}
    timed |= {one.column for one in intent.orders if one.column in dates}
    return bool(timed) and timed.isdisjoint({name} | lattice.named)


@doubt
def _dates_what_was_not_done(lattice: Lattice, intent: Intent) -> bool:
    """`not paid before the due date`, answered by those whose state is not `paid`, of which none has a day of payment."""
    conditions, columns = tuple(all_conditions(intent)), lattice.vocabulary.columns
    compared = {one.column for one in conditions if one.other is not None}
    denied = {one.column for one in conditions if one.operator in EXCLUDING}
    late = any(column.dated and column.name in compared for column in columns)
    return late and any(column.name in denied and not STATES.isdisjoint(column.groups) for column in columns)


@doubt
def _takes_a_day_for_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """`revenue on 5 March 2024`, answered by the rows of March whose revenue is 5, of a table that tells no days."""
    times = {place for link in lattice.links(LinkKind.TIME) for place in link.span}
    beside = {number.value for link, number in lattice.quantities if not times.isdisjoint(link.span)}
    days, known = beside.intersection(_DAYS), lattice.vocabulary.by_name
    return any(
        not days.isdisjoint(one.values) and "days" not in known[one.column].kinds
        for one in plain_conditions(intent.clauses, Operator.EQ)
    )


@doubt
def _takes_the_first_row_for_a_time(lattice: Lattice, intent: Intent) -> bool:
    """`when was the first`, answered by the first row of a file that tells no dates."""
    return intent.output is Output.HEAD and "when" in lattice.names


@doubt
def _tells_no_time(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `what time` is answered by the different results of measurements, which nothing but a synonym names."""
    likened = lattice.named_only(lambda link: "column.synonym" in link.signs)
    return (
        "when.hour" in lattice.names and intent.output is Output.VALUES and likened.issuperset(intent.columns)
    )


@doubt
def _takes_a_word_of_time_for_a_header(lattice: Lattice, intent: Intent) -> bool:
    """`finished in time`, answered by who comes for the `First time`; `більше 3 разів` (more than 3 times), by `Разом` (total) over 3."""
    said = {
        place
        for one in lattice.sentence.concepts
        if one.name in {"punctual", "times"}
        for place in range(one.start, one.end)
    }
    named = lattice.named_only(
        lambda link: link.start in said and (link.is_loose or "column.form" in link.signs)
    )
    return not named.isdisjoint(told_columns(intent))
