"""Clauses: `Asia had 89.5 and Europe 77.1` says two things, each figure with its own group."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.vocabulary import vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims.records import Span
    from tabchat.chat.claims.tokens import Tokens

_DASHES: Final = frozenset("—–-")
_HYPHENS: Final = frozenset("-‑")


def clause_cuts(
    tokens: Tokens, sentence: Span, figures: Sequence[int], whole: Sequence[Span]
) -> Iterator[int]:
    """Yield where the clauses of a sentence begin, after the first.

    `;`, `while`, `but` and their like always part; a comma, `and`, a dash or `than` only where
    both sides hold a figure, outside brackets. `figures` are the positions of figures in the
    text, `whole` the spans of claims and of ranges, which stay together.
    """
    first = bisect_left(tokens.starts, sentence[0])
    end = bisect_left(tokens.starts, sentence[1])
    if any(_is_respectively(tokens, at) for at in range(first, end)):
        return
    begun, depth = sentence[0], 0
    for at in range(first, end):
        depth = max(0, depth + (tokens.text(at) in {"(", "["}) - (tokens.text(at) in {")", "]"}))
        cut = None if depth else _separator(tokens, at)
        if cut is None or _inside(whole, tokens.start(at)):
            continue
        position, strong = cut
        if strong or (
            _holds(figures, begun, position)
            and _holds(figures, position, sentence[1])
            and not _continues(tokens, at)
        ):
            begun = position
            yield position


def _is_respectively(tokens: Tokens, at: int) -> bool:
    return tokens.kind(at) == "word" and vocabulary()["separators.respectively"].holds(tokens.text(at))


def _holds(figures: Sequence[int], start: int, end: int) -> bool:
    return bisect_left(figures, start) < bisect_left(figures, end)


def _inside(whole: Sequence[Span], position: int) -> bool:
    at = bisect_right(whole, position, key=lambda span: span[0]) - 1
    return at >= 0 and position < whole[at][1]


def _separator(tokens: Tokens, at: int) -> tuple[int, bool] | None:
    """Return where a clause begins if the token parts two, and whether it always does."""
    text = tokens.text(at)
    if tokens.kind(at) == "mark":
        spaced = tokens.kind(at + 1) == "gap"
        if text == ";":
            return tokens.end(at), True
        if (text in {",", "•", "·"} and spaced) or (
            text in _DASHES and spaced and tokens.kind(at - 1) == "gap"
        ):
            return tokens.end(at), False
        return None
    if tokens.kind(at) != "word" or tokens.text(at - 1) in _HYPHENS:
        return None
    return _separating_word(tokens, at)


def _separating_word(tokens: Tokens, at: int) -> tuple[int, bool] | None:
    words, text = vocabulary(), tokens.text(at)
    if words["separators.strong"].starting(tokens, at):
        return tokens.start(at), True
    if words["separators.comma_strong"].holds(text):
        return (tokens.start(at), True) if tokens.text(tokens.before(at)) == "," else None
    if words["separators.weak"].starting(tokens, at) is None:
        return None
    if any(words[f"around.{bound}_after"].starting(tokens, at) for bound in ("over", "under")):
        return None
    before = tokens.last_word(at)
    compared = words["separators.than"].holds(text)
    if compared and before is not None and words["separators.not_than"].holds(tokens.text(before)):
        return None
    return tokens.start(at), False


def _continues(tokens: Tokens, at: int) -> bool:
    """Tell whether what follows the separator still speaks of the figure before it: `, up from 60`."""
    continuing = vocabulary()["separators.continuing"]
    before = tokens.linked_back(at) if tokens.text(at) == "," else None  # `, i.e., by 5`
    return (
        continuing.starting(tokens, tokens.next_word(at)) is not None
        or continuing.ending(tokens, before) is not None
    )
