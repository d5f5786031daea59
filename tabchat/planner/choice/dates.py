"""Doubts about dates: of another event than the one that is told of, and days between dates that no word names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.derived import SPANS
from tabchat.planner.intent import all_conditions, used_columns
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_EVENTS: Final = (
    *(
        "hire",
        "leave",
        "birth",
        "death",
        "arrive",
        "depart",
        "create",
        "place",
        "start",
        "end",
        "open",
        "close",
    ),
    *("pay", "ship", "deliver", "return", "cancel", "complete", "resolve", "issue", "release", "publish"),
    *("register", "apply", "renew", "expire", "update", "inspect", "approve", "reject", "admit", "discharge"),
    *("found", "build"),
)
_EVENT: Final = "event."
_BEGINNINGS: Final = frozenset(
    f"event.{deed}" for deed in ("create", "place", "open", "start", "register", "issue")
)
_TELLING: Final = frozenset({LinkKind.COLUMN, LinkKind.CELL, LinkKind.ROWS})


def _dates_by_another_event(lattice: Lattice, intent: Intent) -> bool:
    """`flights that landed on Monday`, answered by those of Monday's departures: the only date is of something else."""
    dates = lattice.vocabulary.dates
    used: set[str | None] = {clause.column for clause in all_conditions(intent) if clause.part}
    used |= {period.column or (dates[0].name if dates else None) for period in intent.periods}
    told = {
        _EVENT + event for column in dates if column.name in used for event in _events_of(lattice, column)
    }
    if not told or not told.isdisjoint(lattice.names):
        return False
    # What was logged is what began.
    same = _BEGINNINGS if not told.isdisjoint(_BEGINNINGS) else frozenset()
    return any(
        concept.name.startswith(_EVENT)
        and concept.name not in same
        and _TELLING.isdisjoint(link.kind for link in lattice.starts[concept.start])
        for concept in lattice.sentence.concepts
    )


def _events_of(lattice: Lattice, column: TableColumn) -> Iterator[str]:
    """Yield what happened on a date, as its header says."""
    for lexicon in lattice.vocabulary.lexicons:
        for event in _EVENTS:
            if not lexicon.evidence.get(event, frozenset()).isdisjoint(column.words):
                yield event


def _spans_unsaid(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether days are told from one date to another that no word names: `our longest-standing customer`."""
    columns = lattice.vocabulary.by_name
    spans = {name for name in used_columns(intent) | set(intent.columns) if columns[name].facts.operands}
    said = {
        lattice.vocabulary.columns[found.column].name
        for found in lattice.links(LinkKind.COLUMN)
        if "column.span" in dict(found.features)
    }
    rows = {link.start for link in lattice.links(LinkKind.ROWS)}
    lasting = any(
        # `the longest campaign`, and no longest-standing one.
        one.name == "header.duration" or one.name.startswith("span.") or one.end in rows
        for one in lattice.sentence.concepts
        if one.name.startswith("span.") or one.name.endswith(".duration")
    )
    return not lasting and any(
        columns[name].facts.unit in SPANS and not _says_an_end(lattice, columns[name])
        for name in spans - said
    )


def _says_an_end(lattice: Lattice, span: TableColumn) -> bool:
    """Tell of `time to close`: time is said, and the date with which it ends."""
    times = {one.start for one in lattice.sentence.concepts if one.name == "header.time"}
    ends = {
        link.start
        for link in lattice.links(LinkKind.COLUMN)
        if lattice.column(link).name == span.facts.operands[1]
    }
    return any(time < end for time in times for end in ends - times)


DATES: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _dates_by_another_event,
    _spans_unsaid,
)
"""Each tells whether a reading is doubtful."""
