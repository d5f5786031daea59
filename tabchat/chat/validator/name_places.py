"""Where names of groups may stand: behind capital letters, in bold, in quotes, before the figure of an item."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.claims import Span

_MARKED: Final = re.compile(
    r"\*\*(?P<bold>[^*\n]{1,60})\*\*|[\"«“](?P<quoted>[^\"»”\n]{1,60})[\"»”]|`(?P<code>[^`\n]{1,60})`"
)


_CAPITAL: Final = re.compile(
    r"(?<![\w.])[A-ZА-ЯІЇЄҐЁ][\w'’ʼ-]*(?:[ \u00a0](?:(?:of|and|the|de|la|та|и|і)[ ])?[A-ZА-ЯІЇЄҐЁ0-9][\w'’ʼ-]*)*"
)


_ITEM_NAME: Final = re.compile(
    r"[*_`\"«“]*(?P<name>[^\W\d][^:|=\n—–*`\"»”]{0,58}?)[*_`\"»”]*\s*(?::|=|—|–| - )\s*\S"
)


_CLAUSE: Final = 4
_AND: Final = re.compile(r"\s(?:and|та|и|і|й)\s")


def possible_names(text: str, span: Span, *, is_item: bool) -> Iterator[Span]:
    """Yield the places within `span` that may hold the name of a group."""
    taken: list[Span] = []
    found = _ITEM_NAME.match(text, *span) if is_item else None
    if found is not None and not _is_clause(found.group("name")):
        taken.append(found.span("name"))
    taken += [match.span(match.lastgroup or "bold") for match in _MARKED.finditer(text, *span)]
    taken += [match.span() for match in _CAPITAL.finditer(text, *span)]
    done: list[Span] = []
    for low, high in taken:
        if not any(low < other[1] and other[0] < high for other in done):
            done.append((low, high))
            yield from _pieces(text, low, high)


def _is_clause(text: str) -> bool:
    """Tell whether words before a colon are too many, and too small, to be a name."""
    words = text.split()
    return len(words) >= _CLAUSE and all(word[:1].islower() for word in words[1:])


def _pieces(text: str, low: int, high: int) -> Iterator[Span]:
    """Cut `Europe and Brazil` into two names."""
    at = low
    for found in _AND.finditer(text, low, high):
        yield at, found.start()
        at = found.end()
    yield at, high
