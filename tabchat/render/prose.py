"""A model's prose, laid out: inert, wrapped between words, its figures marked, its Markdown made readable.

Headings and `**bold**` lose their signs and are drawn bold; lists hang; tables
and code stay as they are. Colour aside, a pipe gets the same characters.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from rich.segment import Segment, Segments
from rich.style import Style

from tabchat.record import record
from tabchat.render.evidence import find_figures
from tabchat.render.text import sanitise, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.answer import Answer
    from tabchat.render.console import Consoles
    from tabchat.render.evidence import Figure
    from tabchat.render.text import Glyphs

DOUBTFUL: Final = "bold red"
UNVERIFIED: Final = " [unverified]"
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+(?=\S)")
_BOLD: Final = re.compile(r"\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*")
_BULLET: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+|\s+")


@record
class Piece:
    """Inert text of one style; a `mark` never parts from the word before it."""

    text: str
    style: str = ""
    mark: bool = False


@record
class Line:
    """One line of the model's text."""

    pieces: tuple[Piece, ...]
    hang: int = 0
    """Cells by which its continuation lines are set in."""
    wraps: bool = True


def render_prose(consoles: Consoles, answer: Answer, figures: Sequence[Figure], *, numbered: bool) -> None:
    """Print the text of an answer to stdout; `numbered` also marks the figures that have evidence."""
    segments: list[Segment] = []
    for line in _trimmed([*lay_out(answer.text, figures, consoles.glyphs, numbered=numbered)]):
        for row in wrap(line, consoles.width):
            segments += (Segment(piece.text, Style.parse(piece.style)) for piece in row)
            segments.append(Segment.line())
    consoles.out.print(Segments(segments), end="", soft_wrap=True)


def plain_text(answer: Answer, glyphs: Glyphs) -> str:
    """Return the text of an answer as it was written, its doubtful figures marked."""
    marks = _marks(find_figures(answer), numbered=False)
    lines = []
    for start, text in _lines(answer.text):
        lines.append("".join(piece.text for piece in _pieces(text, start, marks, glyphs)))
    return "\n".join(lines)


def lay_out(text: str, figures: Sequence[Figure], glyphs: Glyphs, *, numbered: bool) -> Iterator[Line]:
    """Yield the lines of a text with its figures marked."""
    marks = _marks(figures, numbered=numbered)
    in_code = False
    for start, content in _lines(text):
        is_fence = _FENCE.match(content) is not None
        if is_fence or in_code or content.lstrip().startswith("|"):
            in_code ^= is_fence
            yield Line(pieces=tuple(_pieces(content, start, marks, glyphs)), wraps=False)
            continue
        heading = _HEADING.match(content)
        bold = [(0, len(content))] if heading else [match.span() for match in _BOLD.finditer(content)]
        signs = [(0, heading.end())] if heading else []
        for match in _BOLD.finditer(content):
            signs += [(match.start(), match.start(1)), (match.end(1), match.end())]
        bullet = _BULLET.match(content)
        yield Line(
            pieces=tuple(_pieces(content, start, marks, glyphs, bold=bold, signs=signs)),
            hang=width_of(bullet.group()) if bullet else 0,
        )


def _trimmed(lines: list[Line]) -> list[Line]:
    """Leave out the blank lines around a text."""
    said = [index for index, line in enumerate(lines) if any(piece.text.strip() for piece in line.pieces)]
    return lines[said[0] : said[-1] + 1] if said else []


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line with its place in the text."""
    start = 0
    for line in text.split("\n"):
        yield start, line.removesuffix("\r")
        start += len(line) + 1


@record
class _Marks:
    """What stands after which character of the text, and which characters are in doubt."""

    after: dict[int, Piece]
    doubtful: tuple[tuple[int, int], ...]


def _marks(figures: Sequence[Figure], *, numbered: bool) -> _Marks:
    after: dict[int, Piece] = {}
    for figure in figures:
        if figure.number is None:
            after[figure.end] = Piece(text=UNVERIFIED, style=DOUBTFUL, mark=True)
        elif numbered:
            after.setdefault(figure.end, Piece(text=f" [{figure.number}]", style="dim", mark=True))
    doubtful = tuple((figure.start, figure.end) for figure in figures if figure.number is None)
    return _Marks(after=after, doubtful=doubtful)


def _pieces(
    content: str,
    start: int,
    marks: _Marks,
    glyphs: Glyphs,
    *,
    bold: Sequence[tuple[int, int]] = (),
    signs: Sequence[tuple[int, int]] = (),
) -> Iterator[Piece]:
    """Yield one line in pieces of one style; `signs` are left out, `bold` is drawn bold."""
    end = start + len(content)
    doubtful = [(low - start, high - start) for low, high in marks.doubtful if low < end and high > start]
    after = {place - start: piece for place, piece in marks.after.items() if start < place <= end}
    spans = (*bold, *signs, *doubtful)
    edges = sorted(
        {0, len(content), *after, *(edge for span in spans for edge in span if 0 < edge < len(content))}
    )
    for low, high in itertools.pairwise(edges):
        if not _within(low, high, signs):
            style = DOUBTFUL if _within(low, high, doubtful) else "bold" if _within(low, high, bold) else ""
            yield Piece(text=sanitise(content[low:high].expandtabs(4), glyphs), style=style)
        if high in after:
            yield after[high]


def _within(low: int, high: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= low and high <= end for start, end in spans)


# Lines


def wrap(line: Line, width: int) -> Iterator[list[Piece]]:
    """Break a line into rows of at most `width` cells between its words; a longer word stays whole."""
    if not line.wraps:
        yield list(line.pieces)
        return
    hang = line.hang if line.hang <= width // 2 else 0
    row: list[Piece] = []
    used = 0
    for gap, word in _words(line.pieces):
        size = sum(width_of(piece.text) for piece in word)
        if row and used + gap + size > width and used > hang:
            yield row
            row, used = ([Piece(text=" " * hang)] if hang else []), hang
        elif gap:
            row.append(Piece(text=" " * gap))
            used += gap
        row += word
        used += size
    yield row


def _words(pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Piece]]]:
    """Yield each word with the number of spaces before it; a word may change its style on the way."""
    gap = 0
    word: list[Piece] = []
    for piece in pieces:
        if piece.mark:
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
