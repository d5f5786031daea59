"""Doubts about what a question says and a reading does not: numbers, comparisons, units, words of headers and of cells."""

from __future__ import annotations

from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.derived import SPANS
from tabchat.planner.intent import BOUNDING, Operator, Output, all_conditions, told_columns
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Collection

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.links.link import Link

_KIN: Final = 5
"""Letters that two words share at their beginning when they are of one root."""
_ENDING: Final = 3
"""Letters of the shorter of both that may differ behind them."""
_FEW: Final = 30
"""Different texts of a column up to which its cells are looked through."""
_MANY: Final = 500
"""Different texts of a column up to which one cell is compared with the others."""
_RISING: Final = frozenset({"up", "down"})
_ENDING_EVENTS: Final = frozenset({"event.resolve", "event.close", "event.complete", "event.end"})
_NEW: Final = ("first", "time")
_BOUNDS: Final = BOUNDING | {Operator.NOT_BETWEEN}
_APART: Final = frozenset(
    {Output.COMPARISON, Output.CHANGE, Output.CORRELATION, Output.OUTLIERS, Output.ODDITIES}
)
_RESTRICTING: Final = frozenset(
    f"event.{deed}" for deed in ("leave", "cancel", "return", "reject", "approve", "resolve", "complete")
)
"""What happens to some rows alone."""
_OPEN: Final = frozenset({Operator.MISSING, Operator.PRESENT})
_FIGURED: Final = frozenset({Output.VALUE, Output.GROUPS})
_ENUMERATING: Final = frozenset({"and", "comma", "or", "also", "nor"})
_JOINTS: Final = ("in", "by", "per", "pred", "from", "to", "until")
_ASKS: Final = ("which", "who", "when", "where")


def _numbers(lattice: Lattice) -> list[Link]:
    """Return the numbers that are no part of a time, a cell or the name of a column: in digits, or the only one, more than one.

    `у двох лікарів` is at two doctors'; `one` is often no number.
    """
    taken = {
        place
        for start in lattice.starts
        for link in start
        if link.kind in {LinkKind.TIME, LinkKind.CELL, LinkKind.COLUMN}
        for place in range(link.start, link.end)
    }
    words = lattice.sentence.words
    numbers = lattice.links(LinkKind.NUMBER)
    free = [link for link in numbers if taken.isdisjoint(range(link.start, link.end))]
    written = [
        link for link in free if any(map(str.isdigit, words[link.start].text + words[link.end - 1].text))
    ]
    one = free[0].quantity if len({link.start for link in numbers}) == 1 and free else None
    return free if one is not None and one.value > 1 and not one.ordinal else written


@doubt
def _loses_a_number(lattice: Lattice, intent: Intent) -> bool:
    """`3 hosts by viewers`, answered by all of them."""
    said = len({link.start for link in _numbers(lattice)})
    if not said:
        return False
    values = sum(len(clause.values) for clause in all_conditions(intent))
    values += sum(len(item.values) for item in intent.having)
    measures = (*intent.measures, *(item.measure for item in intent.having))
    told: list[object] = [intent.limit, intent.window, intent.offset or None]
    told += [measure.parameter for measure in measures] + [key.width for key in intent.keys]
    told += [period.count or period.ago or period.start or period.end for period in intent.periods]
    return said > values + sum(value is not None for value in told)


@doubt
def _loses_a_comparison(lattice: Lattice, intent: Intent) -> bool:
    """`districts that cancel more often than all do`, answered by the one that cancels most."""
    if intent.output in _APART or intent.having or not _compares(lattice):
        return False
    return all(one.less is None for one in intent.measures) and not any(
        clause.operator in _BOUNDS or clause.other is not None or clause.part is not None
        for clause in all_conditions(intent)
    )


@doubt
def _loses_a_ratio(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `one` of something is passed over: `the most chicks per one nest`, answered by the most in all; `cost per kg`, by both."""
    several = len({measure.column for measure in intent.measures}) > 1 and intent.output in _FIGURED
    if several and _ENUMERATING.isdisjoint(lattice.names):
        return True
    for_one = any(
        number.value == 1
        and not (number.ordinal or number.unit or number.seconds)
        and lattice.has(link.start - 1, "in", "per")
        # `з 1 по 15 березня` is a stretch of days.
        and not any(time.start < link.start < time.end for time in lattice.links(LinkKind.TIME))
        for link, number in lattice.quantities
    )
    return for_one and not any(
        measure.per or measure.per_unit or measure.function == "mean" for measure in intent.measures
    )


def _compares(lattice: Lattice) -> bool:
    """Tell whether `than` is said, by a word that is no other preposition."""
    return any(
        concept.name == "than" and not lattice.concepts(concept.start, *_JOINTS)
        for concept in lattice.sentence.concepts
    )


def shared_letters(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _are_kin(one: str, other: str) -> bool:
    """Tell whether two words are of one root, as far as their letters tell."""
    shared = shared_letters(one, other)
    return shared >= _KIN and shared >= min(len(one), len(other)) - _ENDING


def _left(lattice: Lattice, intent: Intent, known: Collection[str]) -> set[str]:
    """Return the longer words of a question that are of no root of the `known` ones, and that nothing told of stands for."""
    told, columns = told_columns(intent), lattice.vocabulary.columns
    taken = {
        place
        for start in lattice.starts
        for link in start
        if (link.kind is LinkKind.ROWS and link.name != "stranger")
        # `on the chart` is in the table.
        or (link.name == "table" and link.kind is LinkKind.CONCEPT and link.end - link.start > 1)
        or (link.kind is LinkKind.CELL and columns[link.column].name in told)
        for place in range(link.start, link.end)
    }
    # `average price` is no cell `average`.
    functions = {f"agg.{measure.function}" for measure in intent.measures}
    if any(one.function.startswith("count") for one in intent.measures):
        # `number of sightings` is no `number_seen`, nor are the most lakes the `Greatest depth`.
        functions |= {"count"}
    if intent.orders:
        functions |= {"super.max", "super.min"}
    taken.update(one.start for one in lattice.sentence.concepts if one.name in functions)
    if any(key.unit is not None for key in intent.keys):
        # `each month` is no `Monthly fee`.
        taken.update(
            one.start for one in lattice.sentence.concepts if one.name.startswith(("unit.", "every."))
        )
    return {
        word.norm
        for place, word in enumerate(lattice.sentence.words)
        if place not in taken
        and len(word.norm) >= _KIN
        and not any(_are_kin(word.norm, other) for other in known)
    }


@doubt
def _loses_a_word_of_a_header(lattice: Lattice, intent: Intent) -> bool:
    """`loans that were renewed`, read without the column of renewals."""
    told = told_columns(intent)
    columns = lattice.vocabulary.columns
    left = _left(
        lattice, intent, {word for column in columns if column.name in told for word in column.words}
    )
    return any(
        _are_kin(word, other)
        for column in columns
        if column.measure and column.name not in told
        for other in column.words
        for word in left
    )


@doubt
def _loses_a_word_of_a_cell(lattice: Lattice, intent: Intent) -> bool:
    """`how many delivered orders have no rating`, read without the status `delivered`."""
    told, columns = told_columns(intent), lattice.vocabulary.columns
    # The days from opening to closing are told by both dates.
    told = told.union(*(column.facts.operands for column in columns if column.name in told))
    known = {
        part
        for clause in all_conditions(intent)
        for value in clause.values
        for part in fold(str(value)).split()
    }
    left = _left(
        lattice, intent, known | {word for column in columns if column.name in told for word in column.words}
    )
    return any(
        _are_kin(word, part) and shared_letters(word, part) > _KIN
        for column in columns
        if column.text and column.name not in told and len(column.facts.texts) <= _FEW
        for text in column.facts.texts
        for part in fold(text).split()
        for word in left
    )


@doubt
def _takes_a_cell_for_a_header(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a column is called like a cell that is told of: `paid`, a status beside an amount."""
    used = told_columns(intent)
    names = {
        fold(column.name)
        for column in lattice.vocabulary.columns
        if column.name not in used and column.measure
    }
    return any(
        isinstance(value, str) and fold(value) in names
        for clause in all_conditions(intent)
        for value in clause.values
    )


@doubt
def _takes_one_of_several_cells(lattice: Lattice, intent: Intent) -> bool:
    """`how long does a game last`, answered for the `Spanish game` although there is a `Scotch game`, too."""
    words = [form for word in lattice.sentence.words for form in (word.norm, *word.spellings)]
    for clause in all_conditions(intent):
        texts = lattice.vocabulary.by_name[clause.column].facts.texts
        for value in clause.values if clause.operator is Operator.EQ and len(texts) <= _MANY else ():
            parts = fold(str(value)).split()
            said = {part for part in parts if any(_names(word, part) for word in words)}
            if (
                said
                and len(said) < len(parts)
                and any(
                    said <= set(other) and other != parts for other in (fold(text).split() for text in texts)
                )
            ):
                return True
    return False


def _names(word: str, part: str) -> bool:
    """Tell whether a word of a question is one of a cell, in whatever case and number."""
    return word in {part, f"{part}s", f"{part}es"} or _are_kin(word, part)


@doubt
def _tells_one_of_two_asked(lattice: Lattice, intent: Intent) -> bool:
    """`when and at which station was it highest`, answered by the station alone."""
    again = any(
        lattice.has(at, *_ASKS)
        for place in lattice.behind("and")
        for at in (place, lattice.beyond(place - 1), place + 1)
        # `show name and city where …` asks for no place.
        if at == place or lattice.skips[place : place + 1] in {(Skip.JOIN,), (Skip.NOTHING,)}
    )
    return again and not (intent.output is Output.ROWS and not intent.columns)


@doubt
def _loses_an_event(lattice: Lattice, intent: Intent) -> bool:
    """`how many rides were cancelled in April`, answered by all of April although the table tells of no such thing."""
    if any(clause.operator in _OPEN for clause in all_conditions(intent)):
        return False
    telling = {LinkKind.CELL, LinkKind.COLUMN, LinkKind.ROWS}
    # How long it took to be resolved ends when it was closed.
    columns = lattice.vocabulary.by_name
    lasting = any(columns[one.column].facts.unit in SPANS for one in intent.measures if one.column)
    restricting = _RESTRICTING - _ENDING_EVENTS if lasting else _RESTRICTING
    # «стандартне відхилення» turns nothing down.
    inner = {one.end - 1 for one in lattice.sentence.concepts if one.name.startswith("agg.")}
    said = {one.start for one in lattice.sentence.concepts if one.name in restricting} - inner
    return any(telling.isdisjoint(link.kind for link in lattice.starts[place]) for place in said)


@doubt
def _loses_what_tells_rows_apart(lattice: Lattice, _: Intent) -> bool:
    """`first time customers`, answered by the first customer; `up days`, answered by all days."""
    words = [word.norm for word in lattice.sentence.words]
    rows = {link.start for link in lattice.links(LinkKind.ROWS)} - {0}
    return _NEW in pairwise(words) or any(words[at - 1] in _RISING for at in rows)


@doubt
def _loses_whether_there_was_any(lattice: Lattice, intent: Intent) -> bool:
    """`median downtime when there was any`, answered by that of all days, most of which had none."""
    last = lattice.sentence.words[-1].norm
    return last in lattice.said("any") and "when" in lattice.names and not intent.clauses
