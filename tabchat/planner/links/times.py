"""Which mentions of time are none over a table: those that are headers of numbers, and years that are numbers compared with.

Words at the ends of ranges that say again what the ranges say: `from the 1st to the 15th inclusive`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import Link, LinkKind
from tabchat.planner.links.rows import CALENDAR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Sentence, TimeSpan

_WHOLE_HEADER: Final = frozenset({"column", "column.verbatim"})
"""What is told of a link of all the words of a header, as they stand."""
_OPENING: Final = frozenset({"after", "before", "until", "since", "limit.le"})
"""Words that say which side of a time is meant."""
_INSTRUMENTAL: Final = "м"
"""Ending of months and days with which something is compared."""
_OPENINGS: Final = {"between": ("and",), "from": ("to", "limit.le")}
"""What stands before the first date → what may stand before the second."""
_LASTING: Final = ("unit.day", "header.time", "header.duration", "header.days")
"""What is counted: `days from …`, `the time between …`."""
_COUNTING: Final = frozenset({"count", "howmuch"})
_JOINING: Final = ("and", "to", "until", "sign.dash")
"""Words between both ends of a range."""


def timed(sentence: Sentence, vocabulary: Vocabulary, headers: Sequence[Link]) -> Sentence:
    """Return a sentence without the times that are none over a table."""
    named = _headers_of_numbers(sentence, vocabulary, headers)
    dated = {link.end for link in headers if vocabulary.columns[link.column].kind.is_temporal}
    return replace(
        sentence,
        times=tuple(
            time
            for time in sentence.times
            if named.isdisjoint(range(time.start, time.end))
            and (time.start in dated or not _is_a_number(sentence, time))
            and not _begins_another(sentence, time)
            and not _is_an_end(sentence, time)
            and not _is_a_date(sentence, time)
        ),
    )


def _is_an_end(sentence: Sentence, time: TimeSpan) -> bool:
    """Tell of both months of `March-May`, which names what lies between them as well."""
    glued = [word.glued for word in sentence.words]
    return any(
        (one.start < time.start and one.end == time.end and glued[time.start])
        or (one.start == time.start and one.end > time.end and glued[time.end])
        for one in sentence.times
    )


def _is_a_date(sentence: Sentence, time: TimeSpan) -> bool:
    """Tell of «остання дата» (the latest date), which asks when; the last day says which rows are meant."""
    latest = time.period is not None and (time.period.unit, time.period.ago) == ("day", 0)
    return (
        latest
        and not sentence.words[time.end - 1].norm.isascii()
        and any(one.name == "header.date" and one.end == time.end for one in sentence.concepts)
    )


def _begins_another(sentence: Sentence, time: TimeSpan) -> bool:
    """Tell of the day in «з 1 березня», a time that goes on from there; «порівняно з березнем» has another case, `from March` is of it."""
    opened = {one.start for one in sentence.times if one.opened == "since" and one.end == time.end}
    before = {one.name for one in sentence.concepts if one.end == time.start and one.start in opened}
    with_it = any(word.norm.endswith(_INSTRUMENTAL) for word in sentence.words[time.start : time.end])
    ranged = any(one.start == time.end and one.name in _JOINING for one in sentence.concepts)
    return "since" in before and "dated" not in before and not (with_it or ranged)


def _headers_of_numbers(sentence: Sentence, vocabulary: Vocabulary, headers: Sequence[Link]) -> set[int]:
    """Return where headers of numbers stand that are times elsewhere: `average autumn attendance`, of a column `Autumn`.

    `in autumn` stays one.
    """
    within = {concept.end for concept in sentence.concepts if concept.name in {"in", "since"}}
    within -= {concept.end for concept in sentence.concepts if concept.name in {"to", "from"}}
    return {
        link.start
        for link in headers
        if vocabulary.columns[link.column].measure and link.signs <= _WHOLE_HEADER
        for concept in sentence.concepts
        if concept.start == link.start and concept.name.startswith(CALENDAR)
        if link.start not in within
    }


def _is_a_number(sentence: Sentence, time: TimeSpan) -> bool:
    """Tell whether a time is a comparison and a year: `revenue > 2023` is none, `order date > 2023` is."""
    before = {one.name for one in sentence.concepts if one.start == time.start and one.end == time.end - 1}
    compared = any(name.startswith("cmp.") for name in before) and before.isdisjoint(_OPENING)
    return compared and sentence.words[time.end - 1].norm.isdecimal()


def closes_a_range(lattice: Lattice, place: int) -> bool:
    """`from the 1st to the 15th inclusive`: both ends are included anyway, but not of `over 100 inclusive`."""
    ranged = lattice.has(place, "inclusive") and not lattice.names.isdisjoint({"between", "from"})
    return ranged and any(
        link.end == place and any(lattice.has(at, *_JOINING) for at in range(link.start - 1, place))
        for kind in (LinkKind.NUMBER, LinkKind.TIME)
        for link in lattice.links(kind)
    )


def tells_how_long(lattice: Lattice, place: int) -> bool:
    """Tell whether nothing is compared with the days: `the mean price over the last 30 days`."""
    behind = lattice.beyond(place)
    spans = lattice.at(behind, LinkKind.TIME)
    return lattice.has(place, "cmp.gt") and bool(spans) and not lattice.at(behind, LinkKind.NUMBER)


def joins_two_bounds(lattice: Lattice, place: int) -> bool:
    """`over 100 million people but less than 1,000 km2`: both hold."""
    bounds = {one.start for one in lattice.sentence.concepts if one.name.startswith(("cmp.", "scale.more."))}
    return lattice.has(place, "but") and not bounds.isdisjoint({place + 1, place + 2}) and min(bounds) < place


def tells_the_whole(lattice: Lattice, place: int) -> bool:
    """`total price across all sales`, `how many chips total are there`."""
    again = (
        lattice.has(place, "agg.sum")
        and lattice.has(0, "count")
        and bool(lattice.at(place - 1, LinkKind.ROWS))
    )
    return (lattice.has(place, "by") and lattice.has(place + 1, "all")) or (
        again and not lattice.columns(place)
    )


def span_links(sentence: Sentence, vocabulary: Vocabulary, headers: Sequence[Link]) -> Iterator[Link]:
    """Yield the spans from one date of a row to another that a column counts: `days between order and delivery`."""
    spans = {column.facts.operands: column.place for column in vocabulary.columns if column.facts.operands}
    names = [column.name for column in vocabulary.columns]
    concepts = {(concept.name, concept.start): concept.end for concept in sentence.concepts if spans}
    for (name, start), first in concepts.items():
        for one in (link for link in headers if link.start == first and name in _OPENINGS):
            seconds = {concepts.get((joint, one.end)) for joint in _OPENINGS[name]}
            for other in (link for link in headers if link.start in seconds):
                place = spans.get((names[one.column], names[other.column]))
                if place is not None:
                    yield Link(
                        start=_begun(start, concepts),
                        end=other.end,
                        kind=LinkKind.COLUMN,
                        column=place,
                        features=(("column", 1.0), ("column.span", 1.0)),
                    )


def _begun(start: int, concepts: dict[tuple[str, int], int]) -> int:
    """Return the place of the first word that says what is counted: `how many days`, `the time`."""
    if any(concepts.get((name, start - 1)) == start for name in _LASTING):
        start -= 1
    return next((at for (name, at), end in concepts.items() if name in _COUNTING and end == start), start)
