"""The first stage of the planner: a question → its words, phrases, times and quantities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.words.chart import Chart
from tabchat.planner.words.concepts import find_concepts
from tabchat.planner.words.numerals import find_numerals
from tabchat.planner.words.quantities import find_quantities
from tabchat.planner.words.sentence import Sentence
from tabchat.planner.words.spelling import respelled
from tabchat.planner.words.times import find_times
from tabchat.planner.words.token import TokenKind, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.words.languages import Languages
    from tabchat.planner.words.token import Word


def read_sentence(
    text: str,
    *,
    lexicons: Languages,
    known: Callable[[str], bool] | frozenset[str] = frozenset(),
    prefer: str | None = None,
) -> Sentence:
    """Take a question apart, as far as its languages alone tell.

    `known` are the folded words of the headers and the cells of the table: they are never corrected, and misspelt
    words may be read as them when they are a set. `prefer` is the language of the headers, for texts whose letters
    leave it open.
    """
    able = lexicons.of(text)
    loaded = [lexicons.load(language) for language in able]
    words = respelled(tokenize(text), able, lexicons, known)
    concepts = find_concepts(words, loaded)
    chart = Chart(words, concepts)
    numerals = find_numerals(chart)
    times = find_times(chart, numerals)
    ranked = _ranked(able, words, lexicons, prefer)
    return Sentence(
        text=text,
        language=ranked[0],
        languages=ranked,
        words=words,
        concepts=concepts,
        times=times,
        quantities=find_quantities(chart, numerals, loaded),
    )


def _ranked(
    able: Sequence[str], words: Sequence[Word], lexicons: Languages, prefer: str | None
) -> tuple[str, ...]:
    """Return the languages by how many of the words they know; in doubt that of the headers first.

    The last language that there is, English, goes behind others that know as many: its words are often names of columns.
    """
    if len(able) == 1:
        return tuple(able)
    norms = [word.norm for word in words if word.kind is TokenKind.WORD]
    last = tuple(lexicons.letters)[-1]

    def rank(language: str) -> tuple[int, bool, int, int, bool, int]:
        lexicon = lexicons.load(language)
        meant = sum(bool(lexicon.find((norm,))) for norm in norms)
        known = sum(lexicon.has_word(norm) for norm in norms)
        real = sum(bool(lexicons.is_word(norm, language)) for norm in norms)
        return -meant, language == last, -known, -real, language != prefer, able.index(language)

    return tuple(sorted(able, key=rank))
