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
from tabchat.planner.words.token import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.words.languages import Languages


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
    return Sentence(
        text=text,
        language=prefer if prefer in able else able[0],
        languages=able,
        words=words,
        concepts=concepts,
        times=find_times(chart, numerals),
        quantities=find_quantities(chart, numerals, loaded),
    )
