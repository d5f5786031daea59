"""The grain of a table where each row tells a part of a thing: orders, of a file of their lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Measure, single_conditions, used_columns
from tabchat.planner.links.link import CALLED, LinkKind
from tabchat.planner.links.rows import is_coded, repeats

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_NAMED: Final = CALLED | {"entity"}


def thing_of(lattice: Lattice) -> str | None:
    """Return the column that numbers what a word for rows names, where each of it has several rows."""
    called = {link.span for link in lattice.links(LinkKind.ROWS) if link.name in _NAMED}
    rows = lattice.vocabulary.facts.row_count
    found = {
        column.name
        for link in lattice.links(LinkKind.COLUMN)
        if link.span in called and not link.is_loose
        for column in [lattice.column(link)]
        if column.identifying or is_coded(column)
        if repeats(column.facts, rows)
    }
    if len(found) != 1:
        return None
    (name,) = found
    # What was measured at many times is in a state at each of them: a sensor, and no order.
    things = lattice.vocabulary.by_name[name].facts.distinct or 0
    times = [column.facts.distinct or 0 for column in lattice.vocabulary.columns if column.dated]
    return name if max(times, default=0) <= things else None


def of_things(intent: Intent, thing: str | None) -> Intent:
    """Return an intent that counts things rather than their rows: how many orders there were, not how many lines of them."""
    if thing is None or thing in used_columns(intent):
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
    counted = [link for link in lattice.links(LinkKind.NUMBER) if link.end in entities]
    columns, facts = lattice.vocabulary.columns, lattice.vocabulary.facts
    things = [
        link.start
        for link in lattice.links(LinkKind.COLUMN)
        if columns[link.column].text and repeats(columns[link.column].facts, facts.row_count)
    ]
    bounds = {
        value
        for measure in intent.measures
        for clause in single_conditions(measure.part)
        if clause.column not in lattice.named
        for value in clause.values
    }
    return any(
        link.quantity is not None
        and link.quantity.value in bounds
        and min(things, default=link.end) < link.start
        for link in counted
    )
