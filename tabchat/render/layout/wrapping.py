"""Lines of inert text in several styles, broken between words to fit a width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tabchat.record import record
from tabchat.render.layout.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@record
class Piece:
    """Inert text of one style."""

    text: str
    style: str = ""
    whole: bool = False
    """Its spaces are no places to break, neither before nor inside it."""


@record
class Line:
    """One line of text before it is broken."""

    pieces: tuple[Piece, ...]
    hang: int = 0
    """Cells by which its continuation lines are set in."""
    wraps: bool = True


def wrap(line: Line, width: int) -> Iterator[list[Piece]]:
    """Break a line into rows of at most `width` cells between its words; a longer word stays whole."""
    if not line.wraps:
        yield list(line.pieces)
        return
    hang = line.hang if line.hang <= width // 2 else 0
    row: list[Piece] = []
    used = 0
    has_word = False
    for gap, word in _words(line.pieces):
        size = sum(width_of(piece.text) for piece in word)
        if has_word and used + gap + size > width:
            yield row
            row, used = ([Piece(text=" " * hang)] if hang else []), hang
        elif gap:
            row.append(Piece(text=" " * gap))
            used += gap
        row += word
        used += size
        has_word = True
    yield row


def _words(pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Piece]]]:
    """Yield each word with the number of spaces before it; a word may change its style on the way."""
    gap = 0
    word: list[Piece] = []
    for piece in pieces:
        if piece.whole:
            word.append(piece)
            continue
        for text in re.findall(r" +|[^ ]+", piece.text):
            if text[0] != " ":
                word.append(Piece(text=text, style=piece.style))
                continue
            if word:
                yield gap, word
                gap, word = 0, []
            gap += len(text)
    if word:
        yield gap, word


def wrap_text(text: str, width: int, *, hang: int = 0) -> list[str]:
    """Break one line of plain text; continuation lines are set in by `hang` cells."""
    line = Line(pieces=(Piece(text=text),), hang=hang)
    return ["".join(piece.text for piece in row) for row in wrap(line, width)]
