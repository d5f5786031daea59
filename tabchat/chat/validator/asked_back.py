"""Figures of questions that the text asks back: `Do you mean orders above 1,000?` asserts nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Scene

_NEAR: Final = 18
_YEARS: Final = frozenset(map(str, range(1900, 2101)))
_CLOSING: Final = " \t\n*_\"'»”’)]`"


def asked_back(scene: Scene, statements: Sequence[Statement]) -> list[Span]:
    """Return the spans whose figures are part of a question, or options to choose from.

    In a sentence that ends as a question, a figure is asked about when a word of asking stands before it, or
    nothing that it could be a figure of. An item below a question is an option when it names no group.
    """
    spans: list[Span] = []
    asks = False
    for statement in statements:
        span = (statement.start, statement.end)
        if statement.is_item:
            if asks and not scene.mentions_in(span):
                spans.append(span)
            continue
        asks = _is_question(scene, span) or (asks and statement.start == statement.end)
        if asks:
            spans.append((_asks_from(scene, span), statement.end))
    return spans


def is_supposed(scene: Scene, bound: Bound) -> bool:
    """Tell whether a figure is one that the text only offers to try: `I can narrow it down to, say, 3 %`."""
    claim, start = bound.claim, bound.statement.start
    if bound.own or not scene.cues_in((start, claim.start), "offer"):
        return False
    near = (max(start, claim.start - _NEAR), claim.start)
    is_year = claim.kind is NumberKind.YEAR or (claim.unit is None and claim.text in _YEARS)
    return bool(scene.cues_in(near, "supposed", "top")) or claim.bound is not None or is_year


def _is_question(scene: Scene, span: Span) -> bool:
    text = scene.text[slice(*span)].rstrip(_CLOSING)
    return text.endswith("?") or bool(scene.cues_in(span, "tell"))


def _asks_from(scene: Scene, span: Span) -> int:
    """Return where the asking begins: at its first word, else behind the last thing that the sentence names."""
    words = scene.cues_in(span, "ask", "tell")
    if words:
        return min(item.start for item in words)
    named = [*scene.mentions_in(span), *scene.columns_in(span)]
    return span[1] if named else span[0]
