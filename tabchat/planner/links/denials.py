"""Words that deny a flag or a cell by their beginning, or by being its opposite: `unpaid`, `failed` over `paid`, `passed`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.cells import cell_links
from tabchat.planner.links.headers import header_links
from tabchat.planner.links.link import Link, LinkKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence

_SHORTEST_DENIED: Final = 4
"""Letters behind a beginning that denies."""


def denied_links(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> list[Link]:
    """Return the flags and cells that are denied; the name of each link is `denied`."""
    beginnings = tuple(dict.fromkeys(start for lexicon in lexicons for start, _ in lexicon.denying))
    bare: dict[int, str] = {}
    opposites = {word: other for lexicon in lexicons for word, other in lexicon.opposites}
    for place, word in enumerate(sentence.words):
        if word.norm in opposites:
            bare[place] = opposites[word.norm]
            continue
        start = next((found for found in beginnings if word.norm.startswith(found)), None)
        if start is not None and len(word.norm) - len(start) >= _SHORTEST_DENIED:
            bare[place] = word.norm.removeprefix(start)
    if not bare:
        return []
    words = tuple(
        replace(word, norm=bare[place], text=bare[place], spellings=()) if place in bare else word
        for place, word in enumerate(sentence.words)
    )
    turned = replace(sentence, words=words)
    links = [*header_links(turned, vocabulary, lexicons), *cell_links(turned, vocabulary, lexicons)]
    said = {place for place in bare if sentence.words[place].norm in opposites}
    return [
        replace(
            found,
            name="denied",
            features=(
                *found.features,
                ("denied.opposite" if found.start in said else "denied.beginning", 1.0),
            ),
        )
        for found in links
        if found.end == found.start + 1
        and found.start in bare
        and (
            vocabulary.columns[found.column].flag or (found.kind is LinkKind.CELL and found.start not in said)
        )
    ]
