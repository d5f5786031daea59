"""Names of groups that no result has: `Narnia leads with 120`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Claim
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.words import alike, fold, words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.binding import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Scene
    from tabchat.chat.validator.views import View

_MARKED: Final = re.compile(
    r"\*\*(?P<bold>[^*\n]{1,60})\*\*|[\"«“](?P<quoted>[^\"»”\n]{1,60})[\"»”]|`(?P<code>[^`\n]{1,60})`"
)
_CAPITAL: Final = re.compile(
    r"(?<![\w.])[A-ZА-ЯІЇЄҐЁ][\w'’ʼ-]*(?:[ \u00a0](?:(?:of|and|the|de|la|та|и|і)[ ])?[A-ZА-ЯІЇЄҐЁ0-9][\w'’ʼ-]*)*"
)
_ITEM_NAME: Final = re.compile(
    r"[*_`\"«“]*(?P<name>[^\W\d][^:|=\n—–*`\"»”]{0,58}?)[*_`\"»”]*\s*(?::|=|—|–| - )\s*\S"
)
_BOLD_ONLY: Final = re.compile(r"\s*(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*")
_HEADER: Final = -1
_MOST_WORDS: Final = 6


def unknown_names(
    scene: Scene,
    statements: Sequence[Statement],
    views: Sequence[View],
    bounds: Sequence[Bound],
    known: Collection[str],
) -> Iterator[Claim]:
    """Yield each name in a sentence with figures or with a ranking that is no group of any result.

    `known` are words that may stand there anyway: columns, tables, words of the question.
    """
    if not any(view.keys and not view.is_single and view.row_count for view in views):
        return
    search = _Search(scene, statements, bounds, _allowed(views, known))
    seen: set[str] = set()
    for statement in statements:
        for start, end in search.candidates(statement):
            name = scene.text[start:end].strip()
            if name and fold(name) not in seen and not search.is_known((start, end)):
                seen.add(fold(name))
                yield Claim(text=name, value=name, status="unverified", start=start)


class _Search:
    """Looks for names in one text."""

    def __init__(
        self,
        scene: Scene,
        statements: Sequence[Statement],
        bounds: Sequence[Bound],
        allowed: Sequence[str],
    ) -> None:
        self.scene = scene
        self.allowed = allowed
        self.figured = {bound.statement.start for bound in bounds}
        nameless = [bound for bound in bounds if not (bound.own or bound.inherited or bound.is_whole)]
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
            yield from _named(text, span, is_item=statement.is_item and figured)

    def _cells(self, statement: Statement) -> Iterator[Span]:
        """Yield the cells of a table where other rows have names, and the first cell of a row with figures."""
        for at, (low, high) in enumerate(statement.cells):
            place = at if statement.headers else _HEADER
            first = at == 0 and bool(statement.headers) and statement.start in self.figured
            if (statement.paragraph, place) in self.labelled or first:
                cell = self.scene.text[low:high]
                name = cell.strip(' *_`"')
                if name and not any(char.isdigit() for char in name):
                    start = low + cell.index(name)
                    yield start, start + len(name)

    def is_known(self, span: Span) -> bool:
        """Tell whether every word is part of a known name, or one that names no group."""
        lexicon = shipped_lexicon()
        named = [item for item in self.scene.mentions if item.start < span[1] and span[0] < item.end]
        words = [
            word
            for word in words_of(self.scene.text[span[0] : span[1]], span[0])
            if not any(item.start <= word.start and word.end <= item.end for item in named)
        ]
        if len(words) > _MOST_WORDS:
            return True
        ordinary = (lexicon.nouns, lexicon.roles, lexicon.cues, lexicon.separators, lexicon.labels)
        return all(
            word.text.isdigit()
            or word.text in lexicon.plain
            or any(phrases.find(words, at) for phrases in ordinary)
            or any(alike(word.text, name) for name in self.allowed)
            for at, word in enumerate(words)
        )


def _named(text: str, span: Span, *, is_item: bool) -> Iterator[Span]:
    taken: list[Span] = []
    found = _ITEM_NAME.match(text, *span) if is_item else None
    if found is not None:
        taken.append(found.span("name"))
    taken += [match.span(match.lastgroup or "bold") for match in _MARKED.finditer(text, *span)]
    taken += [match.span() for match in _CAPITAL.finditer(text, *span)]
    done: list[Span] = []
    for low, high in taken:
        if not any(low < other[1] and other[0] < high for other in done):
            done.append((low, high))
            yield low, high


def _allowed(views: Sequence[View], known: Collection[str]) -> list[str]:
    columns = {column.name for view in views for column in view.columns}
    return sorted({word.text for name in (*known, *columns) for word in words_of(name.replace("_", " "))})
