"""Doubts about names: whether a word means the column, the cell or the person that a reading takes it for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    EXCLUDING,
    Operator,
    Output,
    plain_conditions,
    single_conditions,
    told_columns,
)
from tabchat.planner.links.columns import LOOKED_AT
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import PERSONS, LinkKind
from tabchat.planner.links.rows import names_the_deed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.words import Word

_KIN: Final = 5
"""Letters that a verb and a header share when they are of one root: `renewed`, `renewals`."""
_BEGINNING: Final = 4
"""Letters by which a word of a cell is taken for one that was said."""
_TWO: Final = 2
_CALLING: Final = frozenset({"name", "title", "label"})
"""Words of headers of what things are called."""
_FORM_OF_A_PART: Final = frozenset({"column.headless", "column.form"})


@doubt
def _tells_of_others_than_asked(lattice: Lattice, intent: Intent) -> bool:
    """`who spent the most on fuel`, answered by kinds of fuel although a column names the drivers."""
    people = {column.name for column in lattice.vocabulary.people}
    named = {column.name for _, column in lattice.column_links}
    keys = {key.column for key in intent.keys}
    grouped = intent.output is Output.GROUPS and bool(keys & named) and people.isdisjoint(keys)
    # `average wage by club who joined before 2020` asks for nobody.
    asked = any(
        not (lattice.at(one.start - 1, LinkKind.ROWS) or lattice.columns(one.start - 1))
        for one in lattice.sentence.concepts
        if one.name == "who"
    )
    return grouped and asked and bool(people)


def _is_vague(features: Mapping[str, float], header: str, intent: Intent) -> bool:
    """Tell whether a word does not name a column by its header: `units` says nothing of a `unit_price`.

    Ukrainian and Russian headers begin with what they are: what is grouped `за сортами` is so by a `Сорт меду`.
    """
    part = features.keys() >= _FORM_OF_A_PART and (header.isascii() or not intent.keys)
    return part or bool({"column.kin", "column.near"} & features.keys())


def _is_kind(word: Word, text: str) -> bool:
    """Tell whether a word in small letters says of a cell only what kind of thing it is: a game, of `Spanish game`, no `Rome, Italy`."""
    parts = text.casefold().split()
    return "," not in text and len(parts) == _TWO and not word.capital and word.norm[:_KIN] == parts[1][:_KIN]


@doubt
def _takes_rows_for_a_cell(lattice: Lattice, intent: Intent) -> bool:
    """`how long does a game take`, of games, answered for the `Spanish game` alone; `people in Kyiv`, for a team `People`."""
    words = lattice.sentence.words
    people = {
        text
        for cell in lattice.links(LinkKind.CELL)
        if lattice.has(cell.start, *PERSONS) and not words[cell.start].capital
        for text in cell.texts
    }
    parts = {
        text
        for cell in lattice.links(LinkKind.CELL)
        for text in cell.texts
        if {"cell.of_rows", "cell.of_header"} & cell.signs or _is_kind(words[cell.end - 1], text)
    }
    named = {
        text for cell in lattice.links(LinkKind.CELL) if "cell.part" not in cell.signs for text in cell.texts
    }
    return any(
        not (people | parts - named).isdisjoint(clause.values) for clause in plain_conditions(intent.clauses)
    )


@doubt
def _takes_a_cell_for_rows(lattice: Lattice, intent: Intent) -> bool:
    """`доставленных заказов без оценки` (delivered orders without a mark), answered by all orders of a file of deliveries."""
    told = intent.used_columns
    rows = {link.start for link in lattice.links(LinkKind.ROWS) if link.name not in {"stranger", "near"}}
    return len(rows) > 1 and any(
        cell.start in rows and "cell.unsaid" not in cell.signs and column.name not in told
        for cell, column in lattice.cell_links
    )


@doubt
def _takes_an_event_for_a_state(lattice: Lattice, intent: Intent) -> bool:
    """`how many applied through LinkedIn`, answered by those at the stage `Applied`, although all have a date of it."""
    rows = lattice.vocabulary.facts.row_count
    words = lattice.sentence.words
    happened = {
        link.start
        for link, column in lattice.column_links
        if column.temporal and column.facts.filled == rows and words[link.end - 1].norm.endswith("ed")
    }
    texts = {text for cell in lattice.links(LinkKind.CELL) if cell.start in happened for text in cell.texts}
    return any(
        one.operator is Operator.EQ and not texts.isdisjoint(one.values)
        for one in single_conditions(intent.clauses)
    )


@doubt
def _takes_the_deed_for_a_flag(lattice: Lattice, intent: Intent) -> bool:
    """`which product is returned most`, of returns, answered by those whose `Money returned` is yes."""
    flags = {
        column.name
        for link, column in lattice.column_links
        if column.flag
        and "column.missing" in link.signs
        and names_the_deed(lattice.sentence.words[link.start].norm, lattice.vocabulary)
    }
    return any(one.column in flags for one in single_conditions(intent.clauses))


@doubt
def _passes_over_a_header(lattice: Lattice, intent: Intent) -> bool:
    """`price by month`, answered by `Cost` although there is a `Price per litre`."""
    columns, used = lattice.vocabulary.columns, intent.used_columns
    # `Peter's tasks` are those of Peter, whatever `tasks` may name.
    used = used - {column.name for cell, column in lattice.cell_links if cell.whole}
    passed: set[str] = set()
    meant: set[str] = set()
    for place in range(len(lattice.starts)):
        named = lattice.at(place, LinkKind.COLUMN)
        loose = {columns[found.column].name for found in named if "column.synonym" in dict(found.features)}
        vague = {
            columns[found.column].name
            for found in named
            if _is_vague(dict(found.features), columns[found.column].name, intent)
        }
        own = (columns[found.column] for found in named)
        literal = {column.name for column in own if not column.facts.operands} - loose - vague
        meant |= literal
        # A `Date of payment` is no payment that is measured.
        amounts = {columns[found.column].name for found in named if columns[found.column].numeric}
        if literal and not literal & used:
            passed |= {name for name in loose & used if name not in amounts or literal & amounts}
    # `loans borrowed since May` names the date, whatever else `loans` may name.
    return bool(passed - meant)


@doubt
def _takes_the_other_of_two(lattice: Lattice, intent: Intent) -> bool:
    """`when was the last one aired`, answered by `First aired` although there is a `Last aired`."""
    said = {word.norm for word in lattice.sentence.words}
    used = intent.used_columns | set(intent.columns)
    named = [(column.name, {column.words[at] for at in column.core}) for column in lattice.vocabulary.columns]
    columns = [words for name, words in named if name not in used]
    taken = [words for name, words in named if name in used]
    return any(
        one & other and (other - one) & said and not (one - other) & said and one - other
        for one in taken
        for other in columns
    )


@doubt
def _denies_one_of_many(lattice: Lattice, intent: Intent) -> bool:
    """`unpaid invoices`, answered by all that are not `paid`, void ones among them."""
    cells = lattice.links(LinkKind.CELL)
    denied = {lattice.column(cell).name for cell in cells if cell.name == "denied"}
    return any(
        clause.column in denied and len(lattice.vocabulary.by_name[clause.column].facts.texts) > _TWO
        for clause in plain_conditions(intent.clauses, *EXCLUDING)
    )


@doubt
def _pins_what_no_word_names(lattice: Lattice, intent: Intent) -> bool:
    """`elongation at 80 C`, answered for a thickness of 80."""
    columns, named = lattice.vocabulary.by_name, lattice.named
    numbers = [number for _, number in lattice.quantities]
    return any(
        clause.column not in named
        and columns[clause.column].measure
        and numbers
        and not any(columns[clause.column].takes(quantity) for quantity in numbers)
        for clause in plain_conditions(intent.clauses, Operator.EQ)
    )


@doubt
def _splits_a_name(lattice: Lattice, intent: Intent) -> bool:
    """`by year built`, answered by the years of another column although one is called `Year built`."""
    words = [word.norm for word in lattice.sentence.words]
    used, known = told_columns(intent), lattice.vocabulary.by_name
    used |= {name for one in used for name in known[one].facts.operands}
    if not used and intent.output in {Output.ROWS, Output.HEAD}:
        # Whole rows show it.
        return False
    return any(
        tuple(words[at : at + len(column.words)]) == tuple(column.words)
        for column in lattice.vocabulary.columns
        if len(column.words) >= _TWO and column.name not in used
        for at in range(len(words) - len(column.words) + 1)
    )


@doubt
def _groups_by_who_did(lattice: Lattice, intent: Intent) -> bool:
    """`paid by runners`: what all of them paid, or what each of them did."""
    people = {column.name for column in lattice.vocabulary.people}
    if intent.output is not Output.GROUPS or people.isdisjoint(key.column for key in intent.keys):
        return False
    skips = lattice.skips
    return any(
        lattice.has(place, "by")
        and skips[place - 1] in {Skip.DOING, Skip.VERB}
        and lattice.is_plural(place + 1, place + 2)
        for place in range(1, len(skips) - 1)
    )


@doubt
def _passes_over_a_cell(lattice: Lattice, intent: Intent) -> bool:
    """`dogs in the shelter`, answered by all dogs of a table called `shelter` although a status is `in the shelter`."""
    told = intent.used_columns
    return any(
        lattice.vocabulary.columns[cell.column].name not in told
        for place in lattice.behind("in")
        if lattice.at(lattice.beyond(place - 1), LinkKind.ROWS)
        for start in (place - 1, lattice.beyond(place - 1))
        for cell in lattice.at(start, LinkKind.CELL)
        if not _says_more(lattice, cell)
    )


def _says_more(lattice: Lattice, cell: Link) -> bool:
    """Tell whether a cell has a word that was not said: `Booking.com`, of bookings; `at` in `at the shelter` is none."""
    said = {word.norm[:_BEGINNING] for word in lattice.sentence.words[cell.start : cell.end]}
    words = re.findall(r"\w{3,}", cell.texts[0].casefold())
    return "cell.unsaid" in cell.signs and any(word[:_BEGINNING] not in said for word in words)


@doubt
def _tells_codes_for_whom(lattice: Lattice, intent: Intent) -> bool:
    """`who has the largest quota`, answered by the number of its permit."""
    columns = lattice.vocabulary.by_name
    shown = [columns[name] for name in intent.columns if not columns[name].measure]
    coded = bool(shown) and all(
        any(map(str.isdigit, text)) for column in shown for text in column.facts.texts[:LOOKED_AT]
    )
    return "who" in lattice.names and intent.output in {Output.ROWS, Output.VALUES} and coded


@doubt
def _takes_a_name_for_another_word(lattice: Lattice, intent: Intent) -> bool:
    """`сколько заказала Марта`, answered for March; `сума по Сумах`, in Sumy, answered by the sum of all."""
    used = intent.used_columns
    return any(
        lattice.sentence.words[link.start].capital and "cell.alias" in link.signs and column.name not in used
        for link, column in lattice.cell_links
        if link.end == link.start + 1
    )


@doubt
def _counts_names_for_rows(lattice: Lattice, intent: Intent) -> bool:
    """`how many fires`, answered by the different ones of `fire_name`, of a file of fires of which some are called alike."""
    told = {one.column for one in intent.measures if one.function == "count_distinct"}
    told |= {key.column for key in intent.keys} if intent.orders or intent.having else set()
    called = {link.span for link in lattice.called}
    return "distinct" not in lattice.names and any(
        link.span in called
        and column.name in told
        and len(column.words) > 1
        and not _CALLING.isdisjoint(column.words)
        and lattice.repeats(column)
        for link, column in lattice.column_links
    )
