"""A model's prose, laid out: inert, wrapped between words, doubtful figures marked, its Markdown made readable.

Headings and `**bold**` lose their signs and are drawn bold; lists hang; tables
and code stay as they are. Colour aside, a pipe gets the same characters.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.render.layout.text import sanitise, width_of
from tabchat.render.layout.wrapping import Line, Piece, wrap
from tabchat.render.verdict import find_doubtful

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.chat.turn.answer import Answer
    from tabchat.render.layout.styles import Styled
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.verdict import Span

DOUBTFUL: Final = "bold red"
UNVERIFIED: Final = " [unverified]"
LONGEST_PARAGRAPH: Final = 4_000
"""Characters of a line up to which its Markdown is looked at."""
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+(?=\S)")
_BOLD: Final = re.compile(r"\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*")
_BULLET: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+|\s+")


def render_prose(consoles: Consoles, answer: Answer, begin: int = 0, end: int | None = None) -> None:
    """Print the text of an answer, or this part of it, to stdout; a figure that nothing backs is marked, and no other."""
    pieces: list[Styled] = []
    doubtful = [(low - begin, high - begin) for low, high in find_doubtful(answer) if low >= begin]
    for line in _trimmed([*lay_out(answer.text[begin:end], doubtful, consoles.glyphs)]):
        for row in wrap(line, consoles.width):
            pieces += ((piece.text, piece.style) for piece in row)
            pieces.append(("\n", ""))
    consoles.out.write(pieces)


def plain_text(answer: Answer, glyphs: Glyphs) -> str:
    """Return the text of an answer as it was written, its doubtful figures marked."""
    lines = []
    for content, doubtful in _lines(answer.text, find_doubtful(answer)):
        pieces = _pieces(content, doubtful, glyphs)
        lines.append("".join(piece.text for piece in pieces))
    return "\n".join(lines)


def lay_out(text: str, doubtful: Sequence[Span], glyphs: Glyphs) -> Iterator[Line]:
    """Yield the lines of a text with its doubtful figures marked."""
    in_code = False
    for content, marked in _lines(text, doubtful):
        is_fence = _FENCE.match(content) is not None
        if is_fence or in_code or content.lstrip().startswith("|"):
            in_code ^= is_fence
            pieces = _pieces(content, marked, glyphs)
            yield Line(pieces=tuple(_in_columns(pieces)), wraps=False)
            continue
        bold, signs = _emphasis(content)
        pieces = _pieces(content, marked, glyphs, bold=bold, signs=signs)
        bullet = _BULLET.match(content)
        yield Line(pieces=tuple(pieces), hang=width_of(bullet.group()) if bullet else 0)


def _emphasis(content: str) -> tuple[list[Span], list[Span]]:
    """Return what of a line is bold, and the signs that say so."""
    if len(content) > LONGEST_PARAGRAPH:
        return [], []
    heading = _HEADING.match(content)
    bold = [(0, len(content))] if heading else []
    signs = [(0, heading.end())] if heading else []
    for match in _BOLD.finditer(content):
        bold.append(match.span())
        signs += [(match.start(), match.start(1)), (match.end(1), match.end())]
    return bold, signs


def _trimmed(lines: list[Line]) -> list[Line]:
    """Leave out the blank lines around a text."""
    said = [index for index, line in enumerate(lines) if any(piece.text.strip() for piece in line.pieces)]
    return lines[said[0] : said[-1] + 1] if said else []


def _lines(text: str, doubtful: Sequence[Span]) -> Iterator[tuple[str, list[Span]]]:
    """Yield each line with the doubtful figures that begin in it, at their places in the line."""
    begin = 0
    starts = [start for start, _ in doubtful]
    for line in text.split("\n"):
        found = doubtful[bisect_left(starts, begin) : bisect_left(starts, begin + len(line))]
        content = line.removesuffix("\r")
        yield content, [(start - begin, min(end - begin, len(content))) for start, end in found]
        begin += len(line) + 1


def _pieces(
    content: str,
    doubtful: Sequence[Span],
    glyphs: Glyphs,
    *,
    bold: Sequence[Span] = (),
    signs: Sequence[Span] = (),
) -> Iterator[Piece]:
    """Yield one line in pieces of one style; `signs` are left out, `bold` is drawn bold."""
    marked = {end for _, end in doubtful}
    edges = {0, len(content), *(edge for span in (*bold, *signs, *doubtful) for edge in span)}
    left_out, is_bold, is_doubtful = (_covered(len(content), spans) for spans in (signs, bold, doubtful))
    for low, high in itertools.pairwise(sorted(edges)):
        if not left_out[low]:
            style = DOUBTFUL if is_doubtful[low] else "bold" if is_bold[low] else ""
            text = sanitise(content[low:high].expandtabs(4), glyphs)
            yield Piece(text=text, style=style, whole=bool(is_doubtful[low]))
        if high in marked:
            yield Piece(text=UNVERIFIED, style=DOUBTFUL, whole=True)


def _in_columns(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Let marks take the room of the padding after them, so that the columns of a table stay where they are."""
    taken = 0
    for piece in pieces:
        if piece.whole and piece.text.startswith(" "):
            taken += len(piece.text)
            yield piece
            continue
        padding = len(piece.text) - len(piece.text.lstrip(" "))
        yield replace(piece, text=piece.text[max(min(taken, padding - 1), 0) :])
        taken = 0


def _covered(length: int, spans: Sequence[Span]) -> bytearray:
    """Return 1 for each character that is in one of `spans`."""
    covered = bytearray(length)
    for low, high in spans:
        covered[low:high] = b"\1" * (high - low)
    return covered
