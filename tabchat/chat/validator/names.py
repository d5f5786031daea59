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
    allowed = _allowed(views, known)
    seen: set[str] = set()
    for statement in statements:
        figured = any(bound.statement is statement for bound in bounds)
        roles = scene.roles_in((statement.start, statement.end))
        if not figured and not any(item.name in {"max", "min"} for item in roles):
            continue
        for start, end in _candidates(scene, statement, figured=figured):
            name = scene.text[start:end]
            if fold(name) not in seen and not _is_known(scene, (start, end), allowed, views):
                seen.add(fold(name))
                yield Claim(text=name, value=name, status="unverified", start=start)


def _candidates(scene: Scene, statement: Statement, *, figured: bool) -> Iterator[Span]:
    text, span = scene.text, (statement.start, statement.end)
    if statement.cells:
        if statement.headers:
            first = statement.cells[0]
            name = text[first[0] : first[1]].strip(' *_`"')
            if name and not any(char.isdigit() for char in name):
                start = text.index(name, first[0])
                yield start, start + len(name)
        return
    taken: list[Span] = []
    if statement.is_item and figured:
        found = _ITEM_NAME.match(text, *span)
        if found is not None:
            taken.append(found.span("name"))
    for match in _MARKED.finditer(text, *span):
        group = match.lastgroup or "bold"
        taken.append(match.span(group))
    taken += [match.span() for match in _CAPITAL.finditer(text, *span)]
    done: list[Span] = []
    for low, high in taken:
        if not any(low < other[1] and other[0] < high for other in done):
            done.append((low, high))
            yield low, high


def _allowed(views: Sequence[View], known: Collection[str]) -> list[str]:
    words = {word.text for name in known for word in words_of(name.replace("_", " "))}
    for view in views:
        for column in view.columns:
            words |= {word.text for word in words_of(column.name.replace("_", " "))}
    return sorted(words)


def _is_known(scene: Scene, span: Span, allowed: Sequence[str], views: Sequence[View]) -> bool:
    lexicon = shipped_lexicon()
    named = [item for item in scene.mentions if item.start < span[1] and span[0] < item.end]
    words = [
        word
        for word in words_of(scene.text[span[0] : span[1]], span[0])
        if not any(item.start <= word.start and word.end <= item.end for item in named)
    ]
    rest = [
        word
        for at, word in enumerate(words)
        if not (
            word.text.isdigit()
            or word.text in lexicon.plain
            or lexicon.nouns.find(words, at)
            or lexicon.roles.find(words, at)
            or lexicon.cues.find(words, at)
            or lexicon.separators.find(words, at)
            or lexicon.labels.find(words, at)
            or any(alike(word.text, name) for name in allowed)
        )
    ]
    del views
    # A longer phrase around a known name, such as `Asia Pacific` for `Asia`, is another name.
    return not rest
