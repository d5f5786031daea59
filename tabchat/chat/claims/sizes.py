"""Small whole numbers in words that are no figures of their own: `the five largest`, `over the ten years`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.tokens import tokenize
from tabchat.chat.claims.worded import read_cardinal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.claims.records import Span

_LARGEST: Final = 20


def sizes_in(text: str, span: Span) -> Iterator[tuple[Span, int]]:
    """Yield (place, number) of each number from 2 to 20 in words within `span`."""
    tokens = tokenize(text[slice(*span)])
    at = 0
    while at < len(tokens):
        found = read_cardinal(tokens, at) if tokens.kind(at) == "word" else None
        if found is not None and 1 < found.value <= _LARGEST:
            yield (span[0] + tokens.start(at), span[0] + tokens.end(found.last)), found.value
        at = at + 1 if found is None else found.last + 1
