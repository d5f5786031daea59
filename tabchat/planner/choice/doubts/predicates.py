"""Doubts about what is said of the subject of a question: who did it, what it did, what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.derived import SPANS
from tabchat.planner.intent import BOUNDING, Operator, Output, all_conditions, told_columns
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import CALLED, LinkKind
from tabchat.planner.links.rows import is_verb, names_the_deed
from tabchat.planner.readings.states import open_end, unfinished

if TYPE_CHECKING:
    from collections.abc import Collection

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_OF_STAFF: Final = frozenset(
    {"resolve", "close", "reject", "approve", "complete", "inspect", "issue", "decide", "ship", "deliver"}
)
"""What is done for customers rather than by them."""
_SAID: Final = frozenset({Skip.DOING, Skip.VERB, Skip.UNKNOWN})
_ALL_OF_THEM: Final = frozenset({Output.ROWS, Output.VALUES, Output.GROUPS})
_ADJECTIVES: Final = frozenset(
    f"event.{deed}"
    for deed in (
        *("open", "close", "cancel", "complete", "resolve", "reject", "approve", "return", "ship", "deliver"),
        *("pay", "expire", "renew", "leave", "discharge", "inspect", "decide", "end"),
    )
)
"""What only some rows have come to."""
_STATE: Final = frozenset({"on", "in", "under"})
"""Words before a noun that say what is so now: on leave, under repair."""
_LASTING: Final = frozenset({"duration", "length", "speed"})
"""What the longest one has most of."""
_NEARER: Final = ("own", "lasting")
_TIMES: Final = frozenset({"duration", "days", "hours", "minutes"})
"""Groups of columns of what lasts."""


@doubt
def _passes_over_a_predicate(lattice: Lattice, intent: Intent) -> bool:
    """`which patients survived`, answered by all of them: no word of what they did restricts anything."""
    bounded = intent.clauses or intent.periods or intent.having or intent.limit or intent.orders
    if bounded or intent.output not in _ALL_OF_THEM or not lattice.has(0, "which"):
        return False
    ends = {
        link.end
        for kind in (LinkKind.ROWS, LinkKind.COLUMN)
        for link in lattice.links(kind)
        if link.start == 1
    }
    used = {key.column for key in intent.keys} | {one.column for one in intent.measures}
    return any(
        end < len(lattice.skips)
        and not lattice.has(end, "exist")
        and (lattice.skips[end] in _SAID or _is_of(lattice, end, used))
        for end in ends
    )


@doubt
def _passes_over_what_restricts(lattice: Lattice, intent: Intent) -> bool:
    """`how many payments has Ann missed`, `what is returned most often`, answered by all of them: the verb went into nothing."""
    told = {one.column for one in all_conditions(intent)} | {one.column for one in intent.periods}
    told |= {one.column for one in intent.measures if one.function != "mode"}
    told |= {one.column for one in intent.orders} | {one.column for one in intent.keys}
    stems = tuple(lattice.said("restricting"))
    # `not returned yet`, of what has no date of its end
    ended = any(one.operator is Operator.MISSING for one in all_conditions(intent))
    bounded = bool(intent.having) or any(one.operator in BOUNDING for one in all_conditions(intent))
    return not ended and any(
        word.norm.startswith(stems)
        # `bills that exceed 50`
        and not (bounded and lattice.has(place, "cmp."))
        and lattice.skips[place] not in {Skip.NOTHING, Skip.JOIN, Skip.ROW}
        and not (
            lattice.at(place, LinkKind.ROWS) or names_the_deed(word.norm, lattice.vocabulary, of_all=True)
        )
        and not any(
            lattice.column(link).name in told
            for kind in (LinkKind.COLUMN, LinkKind.CELL)
            for link in lattice.at(place, kind)
            if not link.is_near
        )
        for place, word in enumerate(lattice.sentence.words)
    )


def _is_of(lattice: Lattice, place: int, told: Collection[str | None]) -> bool:
    """Tell whether the last word is a verb that names what is told: `which members renewed`, of how often each did."""
    last = place == len(lattice.sentence.words) - 1
    verb = is_verb(lattice.sentence.words[place].norm)
    return last and verb and any(column.name in told for _, column in lattice.columns(place))


@doubt
def _takes_a_state_for_rows(lattice: Lattice, intent: Intent) -> bool:
    """`how many books are on loan`, answered by all loans, those that have ended among them."""
    end, _ = open_end(lattice)
    if not end or end in {one.column for one in all_conditions(intent)}:
        return False
    rows = [link for link in lattice.links(LinkKind.ROWS) if link.name in {*CALLED, "entity"}]
    return any(
        link.name in CALLED
        and lattice.has(link.start - 1, "in")
        and lattice.skips[link.start] is Skip.ROW
        and any(other.end < link.start for other in rows)
        for link in rows
    )


@doubt
def _takes_what_happened_for_a_state(lattice: Lattice, intent: Intent) -> bool:
    """`employees on leave`, `how many people are left`, `who was fired`, answered by all who left at some time."""
    happened = {one.column for one in all_conditions(intent) if one.operator is Operator.PRESENT}
    words, others = lattice.sentence.words, lattice.said("dismissed")
    return any(
        column.name in happened
        and (
            words[link.start - 1].norm in _STATE
            or (words[link.start].norm == "left" and words[link.start - 1].norm in {"are", "is"})
            or (words[link.start].norm in others and others.isdisjoint(column.words))
        )
        for link, column in lattice.column_links
        if link.start and column.dated
    )


@doubt
def _passes_over_an_adjective(lattice: Lattice, intent: Intent) -> bool:
    """`open tasks per project`, answered by all tasks: nothing tells which are open."""
    used, (gap, _) = told_columns(intent), open_end(lattice)
    rows = {link.start for link in lattice.links(LinkKind.ROWS) if link.name in {*CALLED, "entity"}}
    return any(
        one.name in _ADJECTIVES
        and one.end in rows
        and one.start not in rows
        and not names_the_deed(lattice.sentence.words[one.start].norm, lattice.vocabulary)
        # `the 3 lowest paid employees`
        and not (lattice.tells_people and lattice.has(one.start - 1, "super."))
        and not any(
            lattice.column(link).name in used
            for kind in (LinkKind.COLUMN, LinkKind.CELL)
            for link in lattice.at(one.start, kind)
        )
        and not (gap in used and any(unfinished(lattice, one.start)))
        for one in lattice.sentence.concepts
    )


@doubt
def _leaves_out_what_goes_on(lattice: Lattice, intent: Intent) -> bool:
    """`longest subscription`, answered by one of those that have ended."""
    known = lattice.vocabulary.by_name
    longest = {one.column for one in intent.orders if one.descending and one.column}
    longest |= {one.column for one in intent.measures if one.function == "max" and one.column}
    asked = {one.column for one in all_conditions(intent)}
    spans = [known[name].facts for name in longest & known.keys() if known[name].facts.unit in SPANS]
    ends = {facts.operands[1] for facts in spans if facts.operands and known[facts.operands[0]].dated}
    return any(lattice.vocabulary.lacks(known[end]) for end in ends - lattice.named - asked)


@doubt
def _takes_customers_for_staff(lattice: Lattice, intent: Intent) -> bool:
    """`who resolved the most tickets`, answered by a customer, or by who asked, although a column names those who work on them."""
    people = lattice.vocabulary.called_persons
    if "who" not in lattice.names or len(people) < 2:  # noqa: PLR2004 - customers and others
        return False
    did = not lattice.names.isdisjoint({f"event.{deed}" for deed in _OF_STAFF})
    nothing = not lattice.tells("event.", "verb.")
    named = {link.column for link in lattice.links(LinkKind.COLUMN)}
    shown = {key.column for key in intent.keys} | set(intent.columns)
    return any(
        column.name in shown
        and column.place not in named
        and (did or (nothing and "customer" in column.groups))
        for column in people
    )


@doubt
def _takes_the_first_for_the_next(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the first one of all, which is long past, is taken for `the nearest due date`."""
    dates = {column.name for column in lattice.vocabulary.dates}
    least = {one.column for one in intent.measures if one.function in {"min", "max"}}
    least |= {one.column for one in intent.orders}
    return "scale.most.min.distance" in lattice.names and not dates.isdisjoint(least)


@doubt
def _ranks_rows_of_groups(lattice: Lattice, intent: Intent) -> bool:
    """`в каком отделе самые высокие зарплаты` (which department pays best), answered by where one person is paid most."""
    if intent.output is not Output.ROWS or intent.limit != 1 or not intent.orders or intent.limit_keys:
        return False
    return any(
        column.name in intent.columns
        and column.text
        and column.name not in lattice.vocabulary.unique
        and (lattice.has(link.start - 1, "which") or lattice.has(link.start - 2, "which"))
        for link, column in lattice.column_links
    )


@doubt
def _tells_one_of_several(lattice: Lattice, intent: Intent) -> bool:
    """`newest tests`, answered by one of them."""
    return (
        intent.output is Output.ROWS
        and intent.limit == 1
        and not intent.limit_keys
        and not lattice.links(LinkKind.NUMBER)
        and any(
            lattice.sentence.words[link.start].norm.isascii()
            and lattice.is_plural(link.start, link.end)
            and any(
                concept.end == link.start and concept.name.startswith(("super.", "relative."))
                for concept in lattice.sentence.concepts
            )
            for link in lattice.links(LinkKind.ROWS)
        )
    )


@doubt
def _ranks_by_what_lasts_not(lattice: Lattice, intent: Intent) -> bool:
    """`longest rental`, answered by kilometres beside its days; `longest analysis`, by its result."""
    dimensions = lattice.dimensions("scale.most.") & _LASTING
    named = {link.column for link in lattice.links(LinkKind.COLUMN)}
    ranked = [
        column
        for column in lattice.vocabulary.columns
        if column.name in {one.column for one in intent.orders}
    ]
    if not dimensions or not ranked or any(column.place in named for column in ranked):
        return False
    lasting = any(
        column.nearness("duration") in _NEARER or (column.measure and not column.kinds.isdisjoint(_TIMES))
        for column in lattice.vocabulary.columns
        if column not in ranked
    )
    near = {column.nearness(one) for column in ranked for one in dimensions}
    return near.isdisjoint({*_NEARER}) and (near == {None} or lasting)


@doubt
def _groups_by_an_adjective(lattice: Lattice, intent: Intent) -> bool:
    """`сколько месячных абонементов` (how many monthly passes), answered by all of them, month by month."""
    rows = {link.start for link in lattice.links(LinkKind.ROWS)}
    grouped = any(key.unit is not None for key in intent.keys)
    return (
        grouped
        and lattice.has(0, "count")
        and any(
            one.end in rows and not lattice.has(one.start - 1, "by", "per", "each")
            for one in lattice.sentence.concepts
            if one.name.startswith(("unit.", "every."))
        )
    )


@doubt
def _passes_over_what_was_done(lattice: Lattice, intent: Intent) -> bool:
    """`did Vance vote for Housing`, answered by whether there is a vote of hers, which may have been against it."""
    told = told_columns(intent) | lattice.vocabulary.unique
    return (
        intent.output is Output.EXISTS
        and lattice.has(0, "stop.auxiliary")
        and any(
            column.text and not column.identifying and column.name not in told
            for link, column in lattice.column_links
            if link.start > 1 and not link.is_near and not lattice.is_plural(link.start, link.end)
        )
    )
