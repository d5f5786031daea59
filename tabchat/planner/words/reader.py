"""The first stage of the planner: a question → its words, phrases, times and quantities."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.chart import Chart, Piece, add_time_pieces
from tabchat.planner.words.lexicon import SHORT
from tabchat.planner.words.phrases import COUNTRY
from tabchat.planner.words.quantities import find_numerals, find_quantities
from tabchat.planner.words.sentence import Concept, Sentence, TimeSpan
from tabchat.planner.words.spelling import respelled
from tabchat.planner.words.time_joins import JOINS
from tabchat.planner.words.times import UNITS, times_of
from tabchat.planner.words.token import TokenKind, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tabchat.planner.words.languages import Languages
    from tabchat.planner.words.lexicon import Lexicon
    from tabchat.planner.words.sentence import Quantity
    from tabchat.planner.words.times import When
    from tabchat.planner.words.token import Word

_PLAIN: Final = "scale.plain."
_MORE: Final = "scale.more."
_MOST: Final = "scale.most."
_OTHER_END: Final = {"max": "min", "min": "max"}
_DEGREES: Final = {
    "degree.most": ("most", False),
    "degree.more": ("more", False),
    "degree.least": ("most", True),
    "degree.less": ("more", True),
}
"""Words before an adjective of scale → its level, and whether they turn it round: `least expensive`."""
_BEYOND: Final = {
    **dict.fromkeys(("more", "comparative.max"), "super.max"),
    **dict.fromkeys(("fewer", "comparative.min"), "super.min"),
}
"""Comparatives → what they are of one that is set against all others."""
LONGEST_CODE: Final = 3
"""Letters of the codes of countries."""


def find_concepts(words: Sequence[Word], lexicons: Sequence[Lexicon]) -> tuple[Concept, ...]:
    """Return every phrase of every lexicon at every place, by place, the longest first."""
    norms = [word.norm if word.kind is not TokenKind.QUOTED else "" for word in words]
    spellings = {word.norm: word.spellings for word in words if word.spellings}
    found: dict[tuple[int, int, str], bool] = {}
    for start in range(len(words)):
        for lexicon in lexicons:
            for hit in chain(
                lexicon.concepts_at(norms, start, spellings), lexicon.headers_at(norms, start, spellings)
            ):
                for name in hit.concepts:
                    if name.startswith(COUNTRY) and _is_pronoun(words[start : hit.end]):
                        continue
                    key = (start, hit.end, name)
                    found[key] = hit.exact or found.get(key, False)
    for (start, end, name), exact in tuple(found.items()):
        for (begun, place, degree), said in tuple(found.items()):
            level = _DEGREES.get(degree) if place == start else None
            if level is not None and name.startswith(_PLAIN):
                found.setdefault((begun, end, _raised(name, *level)), exact and said)
            if begun == end and degree == "degree.beyond" and name.startswith(_MORE):
                # `faster than anyone` is the fastest.
                found.setdefault((start, place, name.replace(_MORE, _MOST)), exact and said)
    found |= _set_against_all(found)
    return tuple(
        Concept(name=name, start=start, end=end, exact=exact)
        for (start, end, name), exact in sorted(
            found.items(), key=lambda item: (item[0][0], -item[0][1], item[0][2])
        )
    )


def _set_against_all(found: Mapping[tuple[int, int, str], bool]) -> dict[tuple[int, int, str], bool]:
    """Return the superlatives that comparatives say together with what stands behind: `more orders than any other`."""
    thans = {start for start, _, name in found if name == "than"}
    last = max((start for start, _, name in found if name == "degree.beyond" and start in thans), default=0)
    return {
        (start, end, _BEYOND[name]): said
        for (start, end, name), said in found.items()
        if end <= last and name in _BEYOND
    }


def _is_pronoun(words: Sequence[Word]) -> bool:
    """Tell whether the code of a country is rather a word: `us` and `it`, unless in capitals."""
    return len(words) == 1 and len(words[0].text) <= LONGEST_CODE and not words[0].text.isupper()


def _raised(name: str, level: str, turned: bool) -> str:  # noqa: FBT001 - a pair of the table of degrees
    """Return `scale.most.max.price` for `scale.plain.max.price` behind `most`."""
    end, _, dimension = name.removeprefix(_PLAIN).partition(".")
    return f"scale.{level}.{_OTHER_END[end] if turned else end}.{dimension}"


def find_times(chart: Chart, numerals: Sequence[Quantity]) -> tuple[TimeSpan, ...]:
    """Return every mention of time, by place, the longest first.

    Places are read from the last to the first, so that a rule finds the times that follow already made.
    """
    add_time_pieces(chart, numerals)
    found: list[TimeSpan] = []
    for place in reversed(range(len(chart.words))):
        for pattern, build in (*UNITS, *JOINS):
            for end, bound in tuple(chart.matches(pattern, place)):
                found += [
                    _span(place, end, when)
                    for when in times_of(build(**bound))
                    if chart.add(Piece(kind="#time", start=place, end=end, value=when))
                ]
    return tuple(sorted(found, key=lambda span: (span.start, -span.end)))


def _span(start: int, end: int, when: When) -> TimeSpan:
    return TimeSpan(
        start=start,
        end=end,
        period=when.period,
        parts=when.parts,
        opened=when.opened,
        periods=when.periods,
    )


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
    words = respelled(_less_commas(tokenize(text), loaded), able, lexicons, known)
    concepts = find_concepts(words, loaded)
    chart = Chart(words, concepts)
    numerals = find_numerals(chart)
    times = find_times(chart, numerals)
    ranked = ranked_languages(able, words, lexicons, prefer)
    return Sentence(
        text=text,
        language=ranked[0],
        languages=ranked,
        words=words,
        concepts=concepts,
        times=times,
        quantities=find_quantities(chart, numerals, loaded),
    )


def _less_commas(words: Sequence[Word], lexicons: Sequence[Lexicon]) -> tuple[Word, ...]:
    """Leave out the commas that Ukrainian and Russian set before what something is compared with: більше, ніж 500."""
    compared = frozenset().union(*(lexicon.said.get("compared", ()) for lexicon in lexicons))
    return tuple(
        word
        for place, word in enumerate(words)
        if word.norm != "," or not any(after.norm in compared for after in words[place + 1 : place + 2])
    )


def ranked_languages(
    able: Sequence[str], words: Sequence[Word], lexicons: Languages, prefer: str | None = None
) -> tuple[str, ...]:
    """Return languages by how few of the words are strange to them alone, then by how many they know; in doubt `prefer` first.

    The last language that there is, English, goes behind others that know as many: its words are often names of columns.
    """
    if len(able) == 1:
        return tuple(able)
    norms = [word.norm for word in words if word.kind is TokenKind.WORD]
    last = tuple(lexicons.letters)[-1]
    found = {language: _known_of(norms, language, lexicons) for language in able}
    telling = frozenset().union(*(known for language, (_, known) in found.items() if language != last))
    strange = {language: len(telling - known) for language, (_, known) in found.items()}
    strange[last] = min(count for language, count in strange.items() if language != last)

    def rank(language: str) -> tuple[int, int, bool, int, bool, int]:
        meant, listed = len(found[language][0]), sum(map(lexicons.load(language).has_word, norms))
        return strange[language], -meant, language == last, -listed, language != prefer, able.index(language)

    return tuple(sorted(able, key=rank))


def last_language(texts: Iterable[str], lexicons: Languages, language: str) -> str:
    """Return the language of the last text of a conversation; a text that may be in several is in that of the one before."""
    for text in texts:
        language = ranked_languages(lexicons.of(text), tokenize(text), lexicons, language)[0]
    return language


def _known_of(
    norms: Sequence[str], language: str, lexicons: Languages
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the places of the words that mean something to the planner, and of all that a language is known to have."""
    lexicon = lexicons.load(language)
    meant = frozenset(place for place, norm in enumerate(norms) if lexicon.find((norm,)))
    used = (
        place
        for place, norm in enumerate(norms)
        if len(norm) > SHORT and (lexicons.is_word(norm, language) or lexicon.vector(norm) is not None)
    )
    return meant, meant.union(used)
