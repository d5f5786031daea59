"""Doubts about what became of rows: what is so now, what took place, and what a status or a date tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import COUNT, Operator, Output, all_conditions, plain_conditions
from tabchat.planner.links.cell_texts import words_of
from tabchat.planner.links.events import FEW
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.units import HELD
from tabchat.planner.readings.states import STATES, left_at, open_end, unfinished
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tabchat.planner.intent import Condition, Intent
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.link import Link

_FILLED: Final = frozenset({Operator.MISSING, Operator.PRESENT})
_ROOT: Final = 5
"""Letters by which a verb is known in a state: deliver, `Delivered`."""
_EVENT: Final = "event."


@doubt
def _differs_from_a_date(lattice: Lattice, intent: Intent) -> bool:
    """`orders shipped`, by the status alone or by the date alone, where some that were shipped are delivered by now."""
    conditions = [*all_conditions(intent)]
    stated = {(one.column, value) for one in conditions for value in one.values}
    filled = {one.column for one in conditions if one.operator in _FILLED}
    for cell, status, rows in _states(lattice):
        by_status = any((status.name, text) in stated for text in cell.texts)
        twins = {twin.values for twin in lattice.vocabulary.twins.values() if twin.column == status.name}
        for date in dates_of(lattice, cell.start) if cell.texts not in twins else ():
            gaps = date.facts.exact and date.facts.filled not in {None, lattice.vocabulary.facts.row_count}
            if gaps and date.facts.filled != rows and by_status != (date.name in filled):
                return True
    return False


@doubt
def _dates_by_a_status(lattice: Lattice, intent: Intent) -> bool:
    """`when was the last order delivered`, answered by when the last one was ordered that is delivered by now."""
    if "when" not in lattice.names:
        return False
    known = lattice.vocabulary.by_name
    told = {*intent.columns, *(one.column for one in intent.measures)}
    dates = {name for name in told if name is not None and name in known and known[name].dated}
    stated = {(one.column, value) for one in all_conditions(intent) for value in one.values}
    return bool(dates) and any(
        (status.name, text) in stated and dates.isdisjoint(one.name for one in dates_of(lattice, cell.start))
        for cell, status, _ in _states(lattice)
        if lattice.concepts(cell.start, _EVENT)
        for text in cell.texts
    )


@doubt
def _takes_all_for_what_was_done(lattice: Lattice, intent: Intent) -> bool:
    """`how many parcels did Nico deliver`, answered by all of his, those that failed among them."""
    asked = {one.column for one in all_conditions(intent)}
    done = [place for place in range(len(lattice.starts)) if lattice.has(place, "stop.auxiliary")]
    roots = {word.norm[:_ROOT] for word in lattice.sentence.words[done[0] + 1 :]} if done else set()
    return any(
        len(text) > _ROOT and text.casefold()[:_ROOT] in roots
        for column in _unasked(lattice, asked)
        for text in column.facts.texts
    )


def _unasked(lattice: Lattice, asked: Collection[str]) -> Iterator[TableColumn]:
    """Yield the columns of few states that no condition is on."""
    for column in lattice.vocabulary.columns:
        few = column.text and len(column.facts.texts) <= FEW
        if few and column.name not in asked and not column.groups.isdisjoint(STATES):
            yield column


def _states(lattice: Lattice) -> Iterator[tuple[Link, TableColumn, int]]:
    """Yield the cells of few different ones that were said: link, column, how many rows have them."""
    for cell in lattice.links(LinkKind.CELL):
        column = lattice.column(cell)
        facts = column.facts
        if facts.counts and facts.complete and len(facts.texts) <= FEW:
            counts = dict(zip(facts.texts, facts.counts, strict=True))
            yield cell, column, sum(counts.get(text, 0) for text in cell.texts)


def dates_of(lattice: Lattice, place: int) -> list[TableColumn]:
    """Return the dates that a word names, or of the event that it tells."""
    deeds = [one.name.removeprefix(_EVENT) for one in lattice.concepts(place, _EVENT)]
    words = frozenset[str]().union(*map(lattice.vocabulary.evidence, deeds))
    named = {link.column for link, _ in lattice.columns(place)}
    return [
        column
        for column in lattice.vocabulary.columns
        if column.dated and (column.place in named or not words.isdisjoint(column.words))
    ]


_FEW: Final = 12
"""Different cells up to which those of a column may be states."""
_AT_HAND: Final = frozenset({"at_hand", "in_stock"})


@doubt
def _takes_all_for_what_happened(lattice: Lattice, intent: Intent) -> bool:
    """`how many appointments took place in May`, answered by those that were cancelled, too."""
    return "stop.happening" in lattice.names and _passes_over(lattice, intent, "undone")


@doubt
def _loses_the_present(lattice: Lattice, intent: Intent) -> bool:
    """`who currently works in Sales`, answered by those who left, too: their date of leaving, or a state, tells."""
    if "now" not in lattice.names:
        return False
    ends = left_at(lattice)
    asked = {clause.column for clause in all_conditions(intent)}
    if ends:
        return ends not in asked
    # `сколько сейчас на горячей` (how much is on the hot one now) counts nothing that is named.
    unnamed = "howmuch" in lattice.names and not lattice.links(LinkKind.ROWS) and COUNT in intent.measures
    return unnamed or _passes_over(lattice, intent, "over")


_UNTIL_NOW: Final = frozenset({"so", "to"})
"""First words of `so far`, `to date`, which say nothing of what goes on."""


@doubt
def _loses_what_is_still_so(lattice: Lattice, intent: Intent) -> bool:
    """`how many books are still with Tom`, answered by all that he has borrowed, `open bugs`, by all bugs."""
    still = [one for one in lattice.sentence.concepts if one.name == "yet"]
    states = any(
        any(unfinished(lattice, one.start))
        for one in lattice.links(LinkKind.CONCEPT)
        if one.name == "pending"
    )
    idle = all(lattice.sentence.words[one.start].norm in _UNTIL_NOW for one in still)
    if "not" in lattice.names or (idle and not states):
        return False
    ends = {column.name for column in lattice.vocabulary.dates if lattice.vocabulary.lacks(column)}
    stated = any(
        not lattice.vocabulary.by_name[one.column].groups.isdisjoint(STATES) for one in all_conditions(intent)
    )
    return bool(ends) and not stated and ends.isdisjoint(one.column for one in all_conditions(intent))


@doubt
def _loses_who_left(lattice: Lattice, intent: Intent) -> bool:
    """`who works in Sales`, `how many employees do we have`, answered by those who left, too."""
    people = lattice.vocabulary.holds_people or lattice.tells_people
    # The staff of a department may be asked for as of any time; all of them are those who are there.
    bare = "exist" in lattice.names or not (intent.clauses or intent.keys) or lattice.says("headcount")
    counted = people and bare and any(one.function == "count" and not one.part for one in intent.measures)
    told = lattice.links(LinkKind.TIME) or lattice.tells("event.")
    if "stop.work" not in lattice.names and (told or not counted):
        return False
    end = left_at(lattice)
    return bool(end) and end not in {clause.column for clause in all_conditions(intent)}


@doubt
def _adds_what_has_ended(lattice: Lattice, intent: Intent) -> bool:
    """`mrr per plan`, `total salary`, answered with that of those who left."""
    held = lattice.vocabulary.evidence("running")
    summed = lattice.measured(intent, "sum")
    if intent.periods or all(held.isdisjoint(one.words) for one in summed):
        return False
    end = left_at(lattice)
    return bool(end) and end not in {clause.column for clause in all_conditions(intent)}


@doubt
def _loses_what_is_at_hand(lattice: Lattice, intent: Intent) -> bool:
    """`which items are available`, answered by all of them, those of which none is left among them."""
    if lattice.names.isdisjoint(_AT_HAND) or intent.output is Output.SCHEMA:
        return False
    said = {
        lattice.column(link).name
        for concept in lattice.sentence.concepts
        if concept.name in _AT_HAND
        for place in range(concept.start, concept.end)
        for kind in (LinkKind.COLUMN, LinkKind.CELL)
        for link in lattice.at(place, kind)
    }
    held = {column.name for column in lattice.vocabulary.measures if not HELD.isdisjoint(column.groups)}
    return intent.used_columns.isdisjoint(said | held | {open_end(lattice)[0]})


@doubt
def _takes_all_for_who_came(lattice: Lattice, intent: Intent) -> bool:
    """`how many appointments did Ann attend`, answered by those that she missed, too."""
    # сколько раз был Громов
    came = lattice.says("came") or ("times" in lattice.names and lattice.says("was"))
    headers = lattice.vocabulary.evidence("attended")
    asked = {clause.column for clause in all_conditions(intent)}
    attended = any(
        column.flag and column.name not in asked and not headers.isdisjoint(column.words)
        for column in lattice.vocabulary.columns
    )
    return came and (attended or _passes_over(lattice, intent, "undone"))


@doubt
def _surveys_what_a_cell_tells(lattice: Lattice, intent: Intent) -> bool:
    """`abnormal results`, answered by what is far out or missing: which are so may stand in a column."""
    return intent.output is Output.ODDITIES and any(
        one.name == "unusual" and (lattice.at(one.end, LinkKind.ROWS) or lattice.columns(one.end))
        for one in lattice.sentence.concepts
    )


def _passes_over(lattice: Lattice, intent: Intent, kind: str) -> bool:
    """Tell whether cells of a column that no condition is on say a word of some evidence, or its header that it stands."""
    asked = {clause.column for clause in all_conditions(intent)}
    words = lattice.vocabulary.evidence(kind)
    standing = lattice.vocabulary.evidence("standing") if kind == "over" else frozenset()
    return any(
        any(word in text for text in _state_texts(column) for word in words)
        or (column.flag and not standing.isdisjoint(column.words))
        for column in lattice.vocabulary.columns
        if column.name not in asked
    )


def _state_texts(column: TableColumn) -> list[str]:
    """Return the few different texts of a column, folded, with blanks for hyphens."""
    few = column.text and column.facts.complete and len(column.facts.texts) <= _FEW
    return [text.casefold().replace("-", " ").replace("_", " ") for text in column.facts.texts] if few else []


@doubt
def _takes_who_is_left_for_who_left(lattice: Lattice, intent: Intent) -> bool:
    """`how many clients are left`, answered by those who left."""
    words, left = lattice.sentence.words, lattice.said("remaining")
    told = {one.column for one in all_conditions(intent)}
    return any(
        column.flag and column.name in told
        for place in range(1, len(words))
        if words[place].norm in left and lattice.has(place - 1, "pred")
        for _, column in lattice.columns(place)
    )


@doubt
def _denies_what_is_awaited(lattice: Lattice, intent: Intent) -> bool:
    """`сколько не оплачено` (how many are not paid), answered without those that `await payment`."""
    if not lattice.names.isdisjoint({"and", "or", "comma", "nor"}):
        return False
    return any(
        len(one.values) > 1 or _has_one_of_its_root(lattice, one)
        for one in plain_conditions(intent.clauses, Operator.NOT_IN, Operator.NE)
    )


def _has_one_of_its_root(lattice: Lattice, denied: Condition) -> bool:
    """Tell whether another cell has a noun of the verb that is denied: `ждет оплаты` (awaits payment), of `оплачен` (paid)."""
    column = lattice.vocabulary.by_name[denied.column]
    # `Springdale` is no `Springfield` that is awaited.
    texts = () if column.groups.isdisjoint(STATES) else column.facts.texts
    words = {word for value in denied.values for word in words_of(fold(str(value)))}
    others = {word for text in texts if text not in denied.values for word in words_of(fold(text))} - words
    return any(
        len(one) >= _ROOT and one[: _ROOT - 1] == other[: _ROOT - 1] for one in words for other in others
    )
