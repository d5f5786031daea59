"""Where sentences begin and end in Markdown, and the clauses that bind a figure to what it is about."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.found import FoundNumber
from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.vocabulary import vocabulary
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims.found import Found
    from tabchat.chat.claims.records import Span
    from tabchat.chat.claims.tokens import Tokens

_ENDS: Final = frozenset(".!?…")
_CLOSERS: Final = frozenset(")\"»”’']")
_OPENERS: Final = frozenset("(\"«“‘'[")
_YEAR_DOTS: Final = frozenset({"р", "рр", "г", "гг"})
_WRAPPED: Final = 40
"""A line shorter than this was not wrapped by a text width: the next one is a sentence of its own."""
_MOST_CLOSERS: Final = 4


@record
class Layout:
    """The sentences of a text in order, and the places where a clause ends."""

    sentences: tuple[Span, ...]
    clauses: tuple[Span, ...]

    def sentence_at(self, position: int) -> Span:
        """Return the sentence that holds the position."""
        return _holding(self.sentences, position)

    def clause_at(self, position: int) -> Span:
        """Return the clause that holds the position."""
        return _holding(self.clauses, position)


def _holding(spans: Sequence[Span], position: int) -> Span:
    return spans[bisect_right(spans, position, key=lambda span: span[0]) - 1]


def lay_out(tokens: Tokens, found: Sequence[Found], whole: Sequence[Span]) -> Layout:
    """Return sentences and clauses; none of them cuts a claim, and no clause a span of `whole`."""
    from tabchat.chat.claims.clauses import clause_cuts

    ends = [0, *_breaks(tokens, found), len(tokens.source)]
    figures = [
        item.span[0]
        for item in found
        if isinstance(item, FoundNumber) and item.kind not in {NumberKind.YEAR, NumberKind.TIME}
    ]
    kept = _merged(sorted([*(item.span for item in found), *whole]))
    sentences: list[Span] = []
    clauses: list[Span] = []
    for start, end in pairwise(ends):
        span = _trimmed(tokens.source, start, end)
        if span is None:
            continue
        sentences.append(span)
        edges = [span[0], *clause_cuts(tokens, span, figures, kept), span[1]]
        pieces = (_trimmed(tokens.source, one, two) for one, two in pairwise(edges))
        clauses.extend(piece for piece in pieces if piece)
    return Layout(sentences=tuple(sentences), clauses=tuple(clauses))


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Return the spans with those that overlap made one."""
    merged: list[Span] = []
    for span in spans:
        if merged and span[0] < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(span[1], merged[-1][1]))
        else:
            merged.append(span)
    return merged


def _trimmed(text: str, start: int, end: int) -> Span | None:
    inside = text[start:end]
    left = len(inside) - len(inside.lstrip())
    size = len(inside.strip())
    return (start + left, start + left + size) if size else None


def _breaks(tokens: Tokens, found: Sequence[Found]) -> Iterator[int]:
    """Yield the positions at which a new sentence begins."""
    inside = {at for claim in found for at in range(claim.first, claim.last)}
    firsts = [claim.first for claim in found]
    began = 0
    line = 0
    for at in range(len(tokens)):
        if tokens.kind(at) == "line":
            length, line = tokens.start(at) - line, tokens.end(at)
            broken = not _wraps(tokens, at, length)
            cut = tokens.end(at)
        elif tokens.text(at) in _ENDS and at not in inside:
            figures = bisect_left(firsts, at) - bisect_left(firsts, began)
            cut_token = _past_closers(tokens, at)
            broken = cut_token is not None and _ends_sentence(tokens, at, cut_token, figures)
            cut = tokens.end(cut_token) if cut_token is not None else 0
        else:
            continue
        if broken:
            began = at + 1
            yield cut


def _wraps(tokens: Tokens, at: int, length: int) -> bool:
    """Tell whether the sentence goes on after the line break at token `at`."""
    if length < _WRAPPED:
        return False
    following = at + 2 if tokens.kind(at + 1) == "gap" else at + 1
    last = at - 2 if tokens.kind(at - 1) == "gap" else at - 1
    if tokens.kind(following) == "word":
        return tokens.written(following)[0].islower() and tokens.text(last) not in _ENDS | {":", "|"}
    if tokens.kind(following) != "digits" or tokens.text(following + 1) in {".", ")"}:
        return False
    return tokens.kind(last) == "word" or tokens.text(last) == ","


def _past_closers(tokens: Tokens, at: int) -> int | None:
    """Return the last token before the space after a full stop; None when no space follows."""
    for last in range(at, at + _MOST_CLOSERS):
        following = last + 1
        if tokens.kind(following) == "gap":
            return last
        if tokens.text(following) not in _CLOSERS and tokens.kind(following) != "markup":
            return None
    return None


def _ends_sentence(tokens: Tokens, at: int, last: int, figures: int) -> bool:
    """Tell whether the mark `at` ends a sentence of so many figures, rather than an abbreviation."""
    following = last + 2
    while tokens.text(following) in _OPENERS or tokens.kind(following) == "markup":
        following += 1
    if tokens.kind(following) == "line":
        return False
    small = tokens.kind(following) == "word" and tokens.written(following)[0].islower()
    if small and tokens.text(at) not in {"!", "?"}:
        return False
    if tokens.text(at) != "." or last != at:
        return True
    if tokens.kind(at - 1) == "digits":
        return tokens.kind(at - 2) != "line"
    if tokens.kind(at - 1) != "word":
        return True
    return _ends_after_word(tokens, at - 1, following, figures)


def _ends_after_word(tokens: Tokens, word: int, following: int, figures: int) -> bool:
    words = vocabulary()
    if words["sentences.never_last"].ending(tokens, word):
        return False
    if words["sentences.maybe_last"].ending(tokens, word) is None:
        return True
    if tokens.kind(following) == "digits":
        return False
    # `У 2024 р. Азія мала 5` goes on; `Азія мала 5 у 2024 р. Європа …` does not.
    return tokens.text(word) not in _YEAR_DOTS or figures > 1
