"""Words that deny a flag, a date or a cell: `unpaid` over `paid`, `open` over `closed`, `unassigned` over an `assignee`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.cells import cell_links
from tabchat.planner.links.headers import header_links
from tabchat.planner.links.link import LinkKind
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence

_SHORTEST_DENIED: Final = 4
"""Letters behind a beginning that denies."""
_FIGURES: Final = ("unit.", "every.", "count", "agg.", "super.")
"""Beginnings of concepts that a question may end with before what is kept of its rows."""


def denied_links(
    sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon], written: set[tuple[int, int]]
) -> Iterator[Link]:
    """Yield flags, dates and cells that are denied, each link named so: `unpaid`, `open`, `failed` over `paid`, `closed`, `passed`.

    What is `written` in a cell says nothing of a date, nor of the other cells: a `неявка` is none that is not `явка`.
    """
    beginnings = tuple(dict.fromkeys(start for lexicon in lexicons for start, _ in lexicon.denying))
    apart = tuple(f"{word} " for lexicon in lexicons for _, word in lexicon.denying)
    opposites = {word: other for lexicon in lexicons for word, other in lexicon.opposites}
    words = [*sentence.words]
    features: dict[int, str] = {}
    for place, word in enumerate(words):
        start = next((found for found in beginnings if word.norm.startswith(found)), word.norm)
        bare = opposites.get(word.norm, word.norm.removeprefix(start))
        if word.norm in opposites or len(bare) >= _SHORTEST_DENIED:
            features[place] = "denied.opposite" if word.norm in opposites else "denied.beginning"
            words[place] = replace(word, norm=bare, text=bare, spellings=())
    if not features:
        return
    turned = replace(sentence, words=tuple(words))
    for found in (
        *header_links(turned, vocabulary, lexicons),
        *cell_links(turned, vocabulary, lexicons),
    ):
        feature = features.get(found.start)
        column = vocabulary.columns[found.column]
        is_cell = found.kind is LinkKind.CELL
        # What has no date of its end is open, and what has nobody to whom it is assigned is unassigned.
        fits = column.flag or (
            feature == "denied.beginning" and found.name != "part" and found.span not in written
            if is_cell
            else (column.temporal and found.span not in written)
            # What has no `Payment method` may be paid.
            or (
                column.text
                and feature == "denied.beginning"
                and vocabulary.lacks(column)
                and "column.synonym" not in found.signs
            )
        )
        if feature is None or found.end != found.start + 1 or not fits:
            continue
        # What is `unpaid` by its own cell is not all that is not `paid`.
        cells = {fold(text) for text in column.facts.texts}
        own = {sentence.words[found.start].norm, *(no + fold(text) for no in apart for text in found.texts)}
        if cells.isdisjoint(own) and not any(fold(text).startswith(apart) for text in found.texts):
            yield replace(found, name="denied", features=(*found.features, (feature, 1.0)))


def tells_there_is_one(lattice: Lattice, place: int) -> bool:
    """Tell of `the only team that lost twice`, of which all that did are shown."""
    return lattice.has(place, "only") and lattice.has(place - 1, "stop.article") and place > 0


def keeps_some(lattice: Lattice, place: int) -> bool:
    """Tell of `total fee only in Rome`, of these rows, as without the word; who bought only tea bought nothing else."""
    if not lattice.has(place, "only"):
        return False
    first, apart = place + 1 + int(lattice.has(place + 1, "in")), lattice.has(place - 1, "comma")
    kept = any(lattice.at(first, kind) for kind in (LinkKind.CELL, LinkKind.TIME))
    if not (kept or any(column.flag for _, column in lattice.columns(first))):
        return False
    # `only tea` alone goes on from what was asked before.
    ahead = place == 0 and "comma" in lattice.names
    return (
        apart
        or ahead
        or any(
            link.name.startswith(_FIGURES)
            if link.kind is LinkKind.CONCEPT
            else link.kind is not LinkKind.COLUMN
            or not lattice.column(link).text
            or lattice.has(link.start - 1, "by", "each")
            for links in lattice.starts[:place]
            for link in links
            if link.end == place and "who" not in lattice.names
        )
    )
