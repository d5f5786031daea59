"""Words that nothing else knows → columns, cells and rows whose words are used alike: `takings` beside a `Fee`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import Link, LinkKind, is_vague
from tabchat.planner.words.token import TokenKind, fold, header_words
from tabchat.planner.words.vectors import likeness_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence
    from tabchat.planner.words.vectors import Vector

BY_CELLS: Final = "column.near.cells"
"""Sign of a column that a word names which is near to one of its cells."""
_LEAST: Final = 0.35
"""Likeness below which two words say nothing of each other: of words that name one thing, a quarter lies below it, of others nine in ten."""
_LEAST_OF_A_PART: Final = 0.5
"""The same for one of several words: a temperature is no chimney height."""
_BEHIND: Final = 0.2
"""How much less like than the likest another thing may be that is meant instead."""
_MOST: Final = 4
"""Things that one word may be near to."""
_MOST_CELLS: Final = 20
"""Different texts of a column whose cells are kinds, rather than names."""
_MOST_WORDS: Final = 600
"""Words of a table that a word is compared with."""
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


@record
class Meaning:
    """A word of the table, and what naming it would name."""

    vector: Vector
    kind: LinkKind
    column: int = -1
    text: str = ""
    words: int = 1
    """Words of the header or of the cell."""


def near_links(
    sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon], known: Iterable[Link]
) -> list[Link]:
    """Return what the words of a question that no `known` link explains may mean, by what they are near to."""
    known = [*known]
    covered = {place for link in known if not is_vague(link) for place in range(link.start, link.end)}
    # A country is none of those that cells name, but what they are.
    kinds = {link.start for link in known if link.name.startswith("header.") and link.end == link.start + 1}
    found: list[Link] = []
    for place, word in enumerate(sentence.words):
        # A name that no cell has is no other name: Narnia is not Canada.
        plain = word.kind is TokenKind.WORD and not word.capital and _WORD.fullmatch(word.norm)
        vector = vector_of(word.norm, lexicons) if plain and place not in covered else None
        if vector is not None:
            near = _near(place, vector, vocabulary.meanings)
            found += (
                {one.column: one for one in map(_of_their_column, near)}.values() if place in kinds else near
            )
    return found


def _of_their_column(link: Link) -> Link:
    """Return a link to the column of a cell, as likely as that to the cell."""
    if link.kind is not LinkKind.CELL:
        return link
    features = tuple((name.replace("cell.", "column."), value) for name, value in link.features)
    return replace(link, kind=LinkKind.COLUMN, texts=(), whole=False, features=(*features, (BY_CELLS, 1.0)))


def meanings_of(vocabulary: Vocabulary) -> tuple[Meaning, ...]:
    """Return the words of a table that have a vector: of its headers, of what its rows are called, of cells of few kinds."""
    found: list[Meaning] = []
    for kind, column, text, words in _named(vocabulary):
        for word in words:
            vector = vector_of(word, vocabulary.lexicons) if _WORD.fullmatch(word) else None
            if vector is not None:
                found.append(Meaning(vector=vector, kind=kind, column=column, text=text, words=len(words)))
        if len(found) >= _MOST_WORDS:
            break
    return tuple(found)


def _named(vocabulary: Vocabulary) -> Iterator[tuple[LinkKind, int, str, list[str]]]:
    """Yield (kind, place of the column, cell, words) of what a question can name."""
    # A noun that is near to a flag does not say that it is set.
    for column in (column for column in vocabulary.columns if not column.flag):
        yield LinkKind.COLUMN, column.place, "", [column.words[place] for place in sorted(column.core)]
    facts = vocabulary.facts
    label = vocabulary.label
    heads = [] if label is None else [label.words[place] for place in sorted(label.core)]
    for noun in dict.fromkeys((*facts.row_nouns, *header_words(facts.name), *heads)):
        yield LinkKind.ROWS, -1, "", [noun]
    for column in vocabulary.columns:
        if column.text and column.facts.complete and len(column.facts.texts) <= _MOST_CELLS:
            for text in column.facts.texts:
                yield LinkKind.CELL, column.place, text, _WORD.findall(fold(text))


def vector_of(word: str, lexicons: Iterable[Lexicon]) -> Vector | None:
    """Return the vector of a folded word in the first language that has one."""
    return next((vector for lexicon in lexicons if (vector := lexicon.vector(word)) is not None), None)


def _near(place: int, vector: Vector, meanings: Sequence[Meaning]) -> Iterator[Link]:
    best: dict[tuple[LinkKind, int, str], tuple[float, Meaning]] = {}
    for meaning in meanings:
        likeness = likeness_of(vector, meaning.vector)
        key = (meaning.kind, meaning.column, meaning.text)
        if likeness >= (_LEAST if meaning.words == 1 else _LEAST_OF_A_PART) and (
            key not in best or likeness > best[key][0]
        ):
            best[key] = (likeness, meaning)
    ranked = sorted(best.values(), key=lambda pair: -pair[0])[:_MOST]
    for likeness, meaning in ranked:
        behind = ranked[0][0] - likeness
        if behind <= _BEHIND:
            yield _link(place, meaning, likeness, behind)


def _link(place: int, meaning: Meaning, likeness: float, behind: float) -> Link:
    name = f"{meaning.kind.value}.near"
    part = float(meaning.words > 1)
    features = ((name, 1.0), (f"{name}.far", 1.0 - likeness), ("near.behind", behind), (f"{name}.part", part))
    return Link(
        start=place,
        end=place + 1,
        kind=meaning.kind,
        name="near" if meaning.kind is LinkKind.ROWS else "",
        column=meaning.column,
        texts=(meaning.text,) if meaning.text else (),
        whole=meaning.words == 1,
        features=features,
    )
