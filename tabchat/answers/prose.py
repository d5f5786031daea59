"""The layout of an answer: sentences, bullets with what stands above them, and rows of Markdown tables."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

Span: TypeAlias = tuple[int, int]

_BULLET: Final = re.compile(r"(?P<indent>[ \t]*)(?P<mark>(?:[-*+•–—]|\d{1,3}[.)])[ \t]+)")
_LEAD: Final = re.compile(r"[ \t]*(?:(?:\*\*|__).*(?:\*\*|__):?[ \t]*|.*:[ \t*_]*)")
_RULE: Final = re.compile(r"[ \t]*\|?[ \t:|-]+\|?[ \t]*$")
_END: Final = re.compile(
    r"(?<!\b[A-ZА-ЯІЇЄ])(?<!\bvs)(?<!\bca)(?<!\bтис)(?<!\bтыс)(?<!\bмлн)(?<!\bгрн)(?<!\bруб)(?<!млрд)"
    r"[.!?…](?=[\s*_\"”»)]*\s+[*_\"“«(]*[A-ZА-ЯІЇЄҐ\d\ufffc$€£₴₽])"
)


@record
class Segment:
    """A piece of a text in which a figure and its label stand together."""

    start: int
    end: int
    above: tuple[Span, ...] = ()
    """What the segment stands under, nearest first: parent bullets, a heading, a line that ends in a colon."""
    header: tuple[Span, ...] = ()
    """Of a row of a table: the cells of its header, in order."""
    cells: tuple[Span, ...] = ()
    """Of a row of a table: its own cells, in order."""


def segments_of(text: str) -> Iterator[Segment]:
    """Yield the segments of `text` from first to last."""
    section: tuple[Span, ...] = ()
    lead: tuple[Span, ...] = ()
    parents: list[tuple[int, Span]] = []
    header: tuple[Span, ...] = ()
    for start, end in _lines(text):
        line = text[start:end]
        if line.lstrip().startswith("|"):
            if not _RULE.fullmatch(line):
                cells = _cells(text, start, end)
                yield Segment(start=start, end=end, header=header, cells=cells, above=lead + section)
                header = header or cells
            continue
        header = ()
        bullet = _BULLET.match(line)
        if not line.strip():
            continue
        if bullet is None:
            yield from _sentences(text, start, end, lead + section)
            parents = []
            section, lead = _standing_above(line, (start, end), section)
            continue
        indent = len(bullet["indent"].expandtabs(4))
        parents = [parent for parent in parents if parent[0] < indent]
        above = tuple(span for _, span in reversed(parents))
        yield Segment(start=start + bullet.end(), end=end, above=above + lead + section)
        parents.append((indent, (start, end)))


def _standing_above(
    line: str, span: Span, section: tuple[Span, ...]
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the heading and the leading line that what follows `line` stands under."""
    if line.lstrip().startswith("#"):
        return (span,), ()
    return section, (span,) if _LEAD.fullmatch(line) else ()


def list_numbers(text: str) -> Iterator[Span]:
    """Yield where numbers stand that only count the items of a list."""
    for start, end in _lines(text):
        match = re.match(r"[ \t>#*_|]*(\d{1,3})[.)](?=[ \t*_])", text[start:end])
        if match:
            yield start + match.start(1), start + match.end(1)


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _sentences(text: str, start: int, end: int, above: tuple[Span, ...]) -> Iterator[Segment]:
    ends = [match.end() for match in _END.finditer(text, start, end)]
    for low, high in itertools.pairwise([start, *ends, end]):
        if text[low:high].strip():
            yield Segment(start=low, end=high, above=above)


def _cells(text: str, start: int, end: int) -> tuple[Span, ...]:
    bars = [
        position
        for position in range(start, end)
        if text[position] == "|" and text[position - 1 : position] != "\\"
    ]
    if text[start:end].rstrip()[-1:] != "|":
        bars.append(end)
    return tuple((low + 1, high) for low, high in itertools.pairwise(bars))
