"""Names of groups that no result has: `Narnia leads with 120`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Claim
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.name_places import possible_names
from tabchat.chat.validator.words import alike, fold, word_from, words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Scene
    from tabchat.chat.validator.views import View
    from tabchat.chat.validator.words import Word

_BOLD_ONLY: Final = re.compile(r"\s*(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*")
_COPULA: Final = 2
_HEADER: Final = -1
_MOST_WORDS: Final = 6
_OPENING: Final = " \t\"'«“(-*_`•"
_ITEM_END: Final = re.compile(r"[*_`\"»”]*\s*[:=—–]")
_ADVERBS: Final = (
    "ly",
    "ing",
    "ed",
    "ючи",
    "учи",
    "ячи",
    "ість",
    "ость",
    "ення",
    "ение",
    "ание",
    "ання",
    "ше",
    "но",
    "ають",
    "яють",
    "ують",
    "юють",
    "ают",
    "яют",
    "уют",
)
_SHORTENED: Final = frozenset({"d", "ll", "m", "re", "ve"})
"""Verbs behind an apostrophe: `I'd`, `we've`."""


def unknown_names(
    scene: Scene,
    statements: Sequence[Statement],
    views: Sequence[View],
    bounds: Sequence[Bound],
    known: Collection[str],
    settled: Collection[int],
) -> Iterator[Claim]:
    """Yield each name in a sentence with figures or with a ranking that is no group of any result.

    `known` are words that may stand there anyway: columns, tables, words of the question. `settled` are the
    places of figures whose evidence is no group: single values, counts, thresholds.
    """
    if not any((view.keys and view.row_count) or view.query.equal_to for view in views):
        return
    search = _Search(
        scene,
        statements,
        bounds,
        _allowed(views, known),
        settled,
        is_held=any(view.query.held_to for view in views),
    )
    seen: set[str] = set()
    for statement in statements:
        for span in search.candidates(statement):
            found = search.unknown(statement, span)
            if found is not None and fold(scene.text[slice(*found)]) not in seen:
                name = scene.text[slice(*found)]
                seen.add(fold(name))
                yield Claim(text=name, value=name, status="unverified", start=found[0])


class _Search:
    """Looks for names in one text."""

    def __init__(
        self,
        scene: Scene,
        statements: Sequence[Statement],
        bounds: Sequence[Bound],
        allowed: Sequence[str],
        settled: Collection[int],
        *,
        is_held: bool,
    ) -> None:
        self.scene = scene
        self.allowed = allowed
        self.is_held = is_held
        self.figured = {bound.statement.start for bound in bounds}
        self.written = [(bound.claim.start, bound.claim.end) for bound in bounds]
        nameless = [
            bound
            for bound in bounds
            if not (bound.own or bound.named_before or bound.is_whole or bound.claim.start in settled)
        ]
        self.bare = {
            bound.statement.start
            for bound in bounds
            if not (bound.own or bound.inherited or bound.is_whole or bound.claim.start in settled)
        }
        self.nameless = {bound.statement.start for bound in nameless}
        self.leading = {span[0] for bound in nameless for span in bound.statement.under}
        self.labelled = {
            (statement.paragraph, at if statement.headers else _HEADER)
            for statement in statements
            for at, cell in enumerate(statement.cells)
            if scene.mentions_in(cell)
        }

    def candidates(self, statement: Statement) -> Iterator[Span]:
        """Yield what may be the name of a group."""
        if statement.cells:
            yield from self._cells(statement)
            return
        span = (statement.start, statement.end)
        figured = statement.start in self.figured
        text = self.scene.text
        leads = statement.start in self.leading and _BOLD_ONLY.fullmatch(text, *span) is not None
        ranked = any(item.name in {"max", "min"} for item in self.scene.roles_in(span))
        if figured or leads or ranked:
            yield from possible_names(text, span, is_item=statement.is_item and statement.start in self.bare)

    def _cells(self, statement: Statement) -> Iterator[Span]:
        """Yield the cells of a table where other rows have names, and the first cell of a row with figures."""
        for at, (low, high) in enumerate(statement.cells):
            place = at if statement.headers else _HEADER
            first = at == 0 and bool(statement.headers) and statement.start in self.nameless
            if (statement.paragraph, place) in self.labelled or first:
                cell = self.scene.text[low:high]
                name = cell.strip(' *_`"')
                if name and not any(char.isdigit() for char in name):
                    start = low + cell.index(name)
                    yield start, start + len(name)

    def unknown(self, statement: Statement, span: Span) -> Span | None:
        """Return the part of `span` that names nothing known; none when every word is accounted for."""
        named = [item for item in self.scene.mentions if item.start < span[1] and span[0] < item.end]
        words = [
            word
            for word in words_of(self.scene.text[span[0] : span[1]], span[0])
            if not any(item.start <= word.start and word.end <= item.end for item in named)
        ]
        strange = [word for at, word in enumerate(words) if not self._is_ordinary(words, at)]
        if len(words) > _MOST_WORDS or not strange:
            return None
        if len(strange) == 1 and self._opens(statement, strange[0]):
            return None
        if _is_glossed(self.scene, (strange[0].start, strange[-1].end)):
            return None
        return strange[0].start, max(strange[-1].end, span[1] if not named else strange[-1].end)

    def _is_ordinary(self, words: Sequence[Word], at: int) -> bool:
        lexicon = shipped_lexicon()
        word = words[at].text
        ordinary = (lexicon.nouns, lexicon.roles, lexicon.cues, lexicon.separators, lexicon.labels)
        place = words[at].start
        behind = self.scene.text[max(0, place - 2) : place].strip("\u00a0\u202f ")
        return (
            any(low < words[at].end and place < high for low, high in self.written)
            or behind.isdigit()  # a unit: `24.1 GW`
            or word.isdigit()
            or word in lexicon.plain
            or _is_contraction(word)
            or any(phrases.find(words, at) for phrases in ordinary)
            or any(alike(word, name) for name in self.allowed)
        )

    def _opens(self, statement: Statement, word: Word) -> bool:
        """Tell whether a word has its capital letter only because a sentence begins with it."""
        opening = self.scene.text[statement.start : word.start].strip(_OPENING)
        if opening or statement.cells:
            return False
        before, after = (
            self.scene.text[statement.start : word.start],
            self.scene.text[word.end : word.end + 3],
        )
        if self._is_subject(statement, word):
            return False
        if "*" in before or "`" in before or (statement.is_item and _ITEM_END.match(after)):
            return statement.start not in self.bare and "*" not in before
        return (
            after.startswith(",")
            or word.text.endswith(_ADVERBS)
            or statement.start not in self.nameless
            or not self.scene.text[word.start].isupper()
        )

    def _is_subject(self, statement: Statement, word: Word) -> bool:
        """Tell whether a word that opens a sentence is what it ranks, or whose figure it gives: `Narnia leads`."""
        span = (statement.start, statement.end)
        if self.scene.mentions_in(span) or not self.scene.text[word.start].isupper():
            return False
        at = word_from(self.scene.words, word.start)
        after = self.scene.words[at + 1 : at + 2 + _COPULA]
        if not after or word.text.endswith(_ADVERBS):
            return False
        between = self.scene.text[word.end : after[0].start]
        if "," in between or any(mark in self.scene.text[word.start : after[0].end] for mark in "?:"):
            return False
        near = (word.end, after[-1].end)
        ranks = any(item.name in {"max", "min"} for item in self.scene.roles_in(near))
        earns = self.is_held and bool(self.scene.cues_in((after[0].start, after[0].end), "earns"))
        return ranks or earns


def _is_glossed(scene: Scene, span: Span) -> bool:
    """Tell whether a known name stands in brackets right behind a name: `Німеччина (Germany)`."""
    after = next((item for item in scene.mentions if item.start >= span[1]), None)
    return after is not None and scene.text[span[1] : after.start].strip('* _`"«“»”') == "("


def _is_contraction(word: str) -> bool:
    """Tell whether a word is a common one with a shortened verb: `I'd`."""
    head, _, tail = word.partition("'")
    return tail in _SHORTENED and head in shipped_lexicon().plain


def _allowed(views: Sequence[View], known: Collection[str]) -> list[str]:
    columns = {column.name for view in views for column in view.columns}
    return sorted({word.text for name in (*known, *columns) for word in words_of(name.replace("_", " "))})
