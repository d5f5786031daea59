"""Numbers that only count items: `1. `, `2) `, `(1) … (2) …`, the first column of a ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.claims.tables import Tables
    from tabchat.chat.claims.tokens import Tokens

_LINE_PREFIX: Final = 6
_LONGEST: Final = 3
_BULLETS: Final = frozenset({">", "#", "-", "•", "+", "–"})


def numbering(tokens: Tokens, tables: Tables) -> frozenset[int]:
    """Return the digit tokens that number items.

    A line that only begins with a figure (`80. That is …`) is no item: a list counts from 0 or 1 on.
    The same goes for `(3)` in a sentence, unless `(1)` and `(2)` stand before it.
    """
    return frozenset((*_lines(tokens), *_enumerated(tokens), *_ranked(tokens, tables)))


def _short_digits(tokens: Tokens) -> Iterator[int]:
    for at in range(len(tokens)):
        if tokens.kinds[at] == "digits" and len(tokens.words[at]) <= _LONGEST:
            yield at


def _lines(tokens: Tokens) -> Iterator[int]:
    counted = 0
    for at in _short_digits(tokens):
        number = int(tokens.text(at))
        if number in {0, 1, counted + 1} and _is_item(tokens, at) and _begins_line(tokens, at):
            counted = number
            yield at


def _is_item(tokens: Tokens, at: int) -> bool:
    closing = at + 2 if tokens.kind(at + 1) == "markup" else at + 1
    if tokens.text(closing) == "\\":
        closing += 1
    if tokens.text(closing) not in {".", ")"}:
        return False
    after = closing + 1 if tokens.kind(closing + 1) != "markup" else closing + 2
    return tokens.kind(after) == "gap"


def _begins_line(tokens: Tokens, at: int) -> bool:
    for back in range(at - 1, at - 1 - _LINE_PREFIX, -1):
        if tokens.kind(back) == "line":
            return True
        if tokens.kind(back) not in {"gap", "markup"} and tokens.text(back) not in _BULLETS:
            return False
    return False


def _enumerated(tokens: Tokens) -> Iterator[int]:
    """Yield the digits of `(1) … (2) …`, when there are two of them at least."""
    items: list[int] = []
    for at in _short_digits(tokens):
        if (
            tokens.text(at - 1) != "("
            or tokens.text(at + 1) != ")"
            or tokens.kind(at - 2) not in {"gap", "line"}
        ):
            continue
        number = int(tokens.text(at))
        if number == 1:
            yield from items if len(items) > 1 else ()
            items = [at]
        elif items and number == len(items) + 1:
            items.append(at)
    yield from items if len(items) > 1 else ()


def _ranked(tokens: Tokens, tables: Tables) -> Iterator[int]:
    for at in _short_digits(tokens) if tables.rows else ():
        alone = tokens.text(tokens.before(at, over=".")) == "|" or tokens.kind(tokens.before(at)) == "line"
        if (
            alone
            and tokens.text(tokens.after(at, over=".)")) == "|"
            and tables.numbers_rows(tokens.start(at))
        ):
            yield at
