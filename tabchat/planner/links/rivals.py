"""Spans that stand for two things, of which one is dropped or both are marked: words for rows, cells, names of columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import OF_THE_TABLE, PERSONS
from tabchat.planner.links.rows import CALENDAR, is_done, is_verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.planner.links.link import Link
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Sentence

_LOOSE_NAMES: Final = frozenset({"column.identifier", "column.missing", "column.synonym"})
_LOOSE_CELLS: Final = frozenset({"cell.alias", "cell.part"})
_VAGUE_ROWS: Final = frozenset({"generic", "stranger"})
"""Words for rows that no name of the table says."""
_SUMS: Final = frozenset(
    {"header.cost", "header.expense", "header.revenue", "header.sales", "header.payment"}
)
"""Words for money that rows are called after, too."""
_SUPPOSED: Final = frozenset({"entity", "meant", "stranger"})
"""Words for rows that only their meaning tells."""
_WHOLE_HEADER: Final = frozenset(
    {"column", "column.form", "column.rivals", "column.verbatim", "column.words"}
)
"""What is told of a link of all the words of a header."""
_JOINED: Final = frozenset({"and", "comma"})


def listings(
    sentence: Sentence, headers: Sequence[Link], rows: Sequence[Link]
) -> tuple[tuple[Link, ...], ...]:
    """Return the headers that are listed one behind the other: `select name, city`, `show type and amount`.

    There they are columns, whatever their words say elsewhere. The last of them may rather begin another phrase:
    `city and number of orders`, `max and min salary`.
    """
    # Two columns of one name are not told apart, and no list.
    named = Counter(found.span for found in headers)
    whole = {
        found.start: found for found in headers if found.signs <= _WHOLE_HEADER and named[found.span] == 1
    }
    begun = {found.start for found in (*headers, *rows) if not found.is_loose}
    known = (
        {found.start for found in headers} | {one.start for one in sentence.concepts} | {len(sentence.words)}
    )
    longer = {
        place
        for one in sentence.concepts
        if not one.name.startswith((*OF_THE_TABLE, *CALENDAR))
        for place in range(one.start, one.end - 1)
    }
    found, place = [], 0
    while place < len(sentence.words):
        run: list[Link] = []
        at = place
        while at in whole:
            run.append(whole[at])
            at = _behind_joins(sentence, run[-1].end)
        place = max(place + 1, run[-1].end if run else 0)
        if run and (run[-1].end - 1 in longer or run[-1].end in begun or run[-1].end not in known):
            run.pop()
        if len(run) > 1:
            found.append(tuple(run))
    return tuple(found)


def _behind_joins(sentence: Sentence, place: int) -> int:
    """Return the place behind the commas, `and` and articles that begin at a place, -1 where there is no such word."""
    ends = {one.start: one.end for one in sentence.concepts if one.name in _JOINED}
    articles = {one.start: one.end for one in sentence.concepts if one.name == "stop.article"}
    at = place
    while at in ends:
        at = ends[at]
    return articles.get(at, at) if at > place else -1


def less_meanings(sentence: Sentence, places: frozenset[int]) -> Sentence:
    """Return a sentence without what words at some places say in questions: they are headers there."""
    kept = (
        one
        for one in sentence.concepts
        if places.isdisjoint(range(one.start, one.end)) or one.name.startswith(OF_THE_TABLE)
    )
    numbers = (one for one in sentence.quantities if places.isdisjoint(range(one.start, one.end)))
    return replace(sentence, concepts=tuple(kept), quantities=tuple(numbers))


def less_kinds(sentence: Sentence, rows: Sequence[Link], cells: Sequence[Link]) -> list[Link]:
    """Drop words for rows that a cell says and no name of the table does: `houses`, over a column of flats and houses.

    `people` stay those that the rows are about, although there is a team `People`.
    """
    general = {(found.start, found.end) for found in sentence.concepts if found.name in PERSONS}
    said = {found.span for found in cells if found.whole and _LOOSE_CELLS.isdisjoint(found.signs)}
    return [found for found in rows if found.span not in said - general or found.name not in _SUPPOSED]


def less_agents(headers: Sequence[Link], rows: Sequence[Link], sentence: Sentence) -> list[Link]:
    """Drop who does what rows are called by the noun for them: `заказов` are no `Заказчик`."""
    nouns = (found for found in rows if found.name == "noun")
    called = {found.span for found in nouns if not is_verb(sentence.words[found.start].norm)}
    return [found for found in headers if found.span not in called or "column.agent" not in found.signs]


def less_flags(headers: Sequence[Link], vocabulary: Vocabulary, rows: Sequence[Link]) -> list[Link]:
    """Drop a column of yes and no of which only the word for rows was said: `film` beside `First Film`."""
    named = {found.span for found in rows}
    return [
        found
        for found in headers
        if found.span not in named
        or not vocabulary.columns[found.column].flag
        or "column.missing" not in found.signs
    ]


def less_terms(headers: Sequence[Link], vocabulary: Vocabulary) -> list[Link]:
    """Drop when something is due of what may also be when it was done: `returned`, beside a date and a term of return."""
    columns, due = vocabulary.columns, vocabulary.evidence("due")
    done = {
        found.span
        for found in headers
        if columns[found.column].dated and due.isdisjoint(columns[found.column].words)
    }
    terms = [
        found
        for found in headers
        if found.span in done
        and columns[found.column].dated
        and not due.isdisjoint(columns[found.column].words)
    ]
    spans = {found.span for found in terms}
    kept = [found for found in headers if found not in terms]
    # What is left of two is no rival of anything.
    alone = {span for span in spans if sum(found.span == span for found in kept) == 1}
    return [
        replace(found, features=tuple(one for one in found.features if one[0] != "column.rivals"))
        if found.span in alone
        else found
        for found in kept
    ]


def less_deeds(cells: Sequence[Link], sentence: Sentence, rows: Sequence[Link]) -> list[Link]:
    """Drop cells that say of the rows that they were done, where only the rows were named: `delivered`, by deliveries."""
    called = {found.span for found in rows if found.name not in _VAGUE_ROWS}
    return [
        found
        for found in cells
        if not (found.span in called and "cell.form" in found.signs)
        or not all(is_done(text, sentence.words[found.end - 1].norm) for text in found.texts)
    ]


def _is_by(sentence: Sentence, place: int) -> bool:
    """Tell whether `by` stands right before a place, behind a superlative."""
    concepts = sentence.concepts
    by = any(one.name == "by" and one.end == place for one in concepts)
    return by and any(one.name.startswith(("top.", "super.")) and one.end < place for one in concepts)


def rivalled_rows(
    rows: Sequence[Link], headers: Sequence[Link], sentence: Sentence, vocabulary: Vocabulary
) -> Iterator[Link]:
    """Mark words for rows that also name a column by all its words: `products` over a column of products.

    Money is no row: a file of cloud costs with a `cost_usd` has no costs that are counted; nor is what was sold, in pieces.
    """
    named = {found.span for found in headers if _LOOSE_NAMES.isdisjoint(found.signs)}
    money = {found.span for found in headers if vocabulary.columns[found.column].monetary}
    deeds = {(one.start, one.end) for one in sentence.concepts if one.name == "verb.quantity"}
    pieces = {found.span for found in headers if "quantity" in vocabulary.columns[found.column].kinds} & deeds
    # `top 5 categories by expenses`, of a file of expenses: by what they came to.
    spent = [one for one in sentence.concepts if one.name in _SUMS and vocabulary.money]
    sums = {(one.start, one.end) for one in spent if _is_by(sentence, one.start)}
    none = {"table": (money & named) | pieces | sums, "noun": sums}
    for found in rows:
        if found.span in none.get(found.name, ()):
            continue
        rivals = found.span in named and found.name != "label"
        yield replace(found, features=(*found.features, ("rows.rival", 1.0))) if rivals else found


def rivalled_cells(cells: Iterable[Link], rows: Sequence[Link], headers: Sequence[Link]) -> Iterator[Link]:
    """Mark parts of cells that are also words for rows, or names of columns: a game is no `Spanish game`, a price no `Hugh Price`."""
    called = {found.span for found in rows if found.name not in _VAGUE_ROWS}
    named = {found.span for found in headers if _LOOSE_NAMES.isdisjoint(found.signs)}
    for found in cells:
        signs = (("cell.of_rows", found.span in called), ("cell.of_header", found.span in named))
        rivals = tuple((name, 1.0) for name, is_one in signs if is_one)
        part = rivals and "cell.part" in found.signs
        yield replace(found, features=(*found.features, *rivals)) if part else found
