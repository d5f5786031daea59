"""Words for the rows of a table: row, order, flight, player, as its name, headers and the lexicons tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.links.link import Link, LinkKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence


def row_links(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> list[Link]:
    """Return the spans that can stand for the rows."""
    return [*_generic(sentence, vocabulary, lexicons), *_nouns(sentence, vocabulary, lexicons)]


def _generic(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> Iterator[Link]:
    stock = vocabulary.header_stock
    for concept in sentence.concepts:
        if concept.name == "rows":
            yield _link(concept.start, concept.end, "generic")
        elif concept.name.startswith("entity."):
            name = concept.name.removeprefix("entity.")
            signs = [*(lexicon.evidence.get(name, frozenset()) for lexicon in lexicons)]
            general = name.partition(".")[0]
            signs += [lexicon.evidence.get(general, frozenset()) for lexicon in lexicons]
            shown = any(
                lexicon.alike(sign, word)
                for lexicon, listed in zip((*lexicons, *lexicons), signs, strict=True)
                for sign in listed
                for word in stock
            )
            yield _link(concept.start, concept.end, "entity" if shown else "stranger")


def _nouns(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> Iterator[Link]:
    label = vocabulary.label
    heads = {label.words[place] for place in label.core} if label is not None else set()
    for place, word in enumerate(sentence.words):
        if any(_alike(word.norm, noun, lexicons) for noun in vocabulary.facts.row_nouns):
            yield _link(place, place + 1, "noun")
        elif any(_alike(word.norm, head, lexicons) for head in heads):
            yield _link(place, place + 1, "label")


def _alike(one: str, other: str, lexicons: Sequence[Lexicon]) -> bool:
    return one == other or any(lexicon.alike(one, other) for lexicon in lexicons)


def _link(start: int, end: int, name: str) -> Link:
    return Link(start=start, end=end, kind=LinkKind.ROWS, name=name, features=((f"rows.{name}", 1.0),))
