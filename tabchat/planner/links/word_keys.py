"""What words of headers share with those of questions: stems, roots, groups, and which month they name."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon


def month_columns(vocabulary: Vocabulary) -> Mapping[str, Sequence[TableColumn]]:
    """Return concept of a month → the columns of numbers that are called so, where no date tells when rows are."""
    found: dict[str, list[TableColumn]] = defaultdict(list)
    single = [column for column in vocabulary.columns if column.numeric and len(column.words) == 1]
    for column, lexicon in ((one, known) for one in single for known in vocabulary.lexicons):
        for name in lexicon.find(column.words) if not vocabulary.dates else ():
            if name.startswith("month.") and column not in found[name]:
                found[name].append(column)
    return found


def stems_of(word: str, lexicons: Sequence[Lexicon]) -> frozenset[str]:
    """Return what all forms of a word share, in any of some languages."""
    return frozenset().union(*(lexicon.stems(word) for lexicon in lexicons))


def groups_of(word: str, lexicons: Sequence[Lexicon]) -> frozenset[str]:
    """Return the groups of headers that a word names in any of some languages."""
    return frozenset().union(*(lexicon.header_group(word) for lexicon in lexicons))


def roots_of(word: str, lexicons: Sequence[Lexicon]) -> frozenset[str]:
    """Return what a verb shares with its participle and its noun: нарах of нараховано."""
    return frozenset().union(*(lexicon.inflection.roots(word) for lexicon in lexicons))
