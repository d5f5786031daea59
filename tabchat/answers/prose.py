"""The layout of an answer: sentences, bullets with what stands above them, and rows of Markdown tables."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

Span: TypeAlias = tuple[int, int]

_BULLET: Final = re.compile(r"(?P<indent>[ \t]*)[-*+•–—][ \t]+")
_ITEM: Final = re.compile(
    r"^(?P<indent>[ \t>#*_|]*)(?P<number>[1-9]\d{0,2})[.)](?=[ \t*_])", re.MULTILINE | re.ASCII
)
"""The number of an item of a list."""
_LEAD: Final = re.compile(r"[ \t]*(?:(?:\*\*|__).*(?:\*\*|__):?[ \t]*|.*:[ \t*_]*)")
"""A line that what follows stands under: bold, or ending in a colon."""
_RULE: Final = re.compile(r"[ \t]*\|?[ \t:|-]+\|?[ \t]*$")
_END: Final = re.compile(
    r"(?<!\b[A-ZА-ЯІЇЄ])(?<!\bvs)(?<!\bca)(?<!\bтис)(?<!\bтыс)(?<!\bмлн)(?<!\bгрн)(?<!\bруб)(?<!млрд)"
    r"[.!?…](?=[\s*_\"”»)]*\s+[*_\"“«(]*[A-ZА-ЯІЇЄҐ\d\ufffc$€£₴₽])"
)
"""The end of a sentence, but not that of an abbreviation before a name or a number."""


@record
class Segment:
    """A piece of a text in which a figure and its label stand together."""

    start: int
    end: int
    above: tuple[Span, ...] = ()
    """What the segment stands under, nearest first: parent bullets, a leading line, a heading."""
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
        if bullet := _BULLET.match(line):
            indent = len(bullet["indent"].expandtabs(4))
            parents = [parent for parent in parents if parent[0] < indent]
            above = tuple(span for _, span in reversed(parents)) + lead + section
            yield Segment(start=start + bullet.end(), end=end, above=above)
            parents.append((indent, (start, end)))
        elif line.strip():
            ends = [start, *(match.end() for match in _END.finditer(text, start, end)), end]
            for low, high in itertools.pairwise(ends):
                yield Segment(start=low, end=high, above=lead + section)
            parents = []
            section = ((start, end),) if line.lstrip().startswith("#") else section
            lead = ((start, end),) if _LEAD.fullmatch(line) and section != ((start, end),) else ()


def list_numbers(text: str) -> Iterator[Span]:
    """Yield where numbers stand that only count the items of a list, of two at least, from 1 on and in order."""
    open_lists: dict[int, list[Span]] = {}
    for match in _ITEM.finditer(text):
        indent = len(match["indent"].expandtabs(4))
        open_lists = {other: items for other, items in open_lists.items() if other <= indent}
        items = open_lists.get(indent, [])
        if match["number"] == str(len(items) + 1):
            items = [*items, match.span("number")]
            yield from items if len(items) == 2 else items[2:][-1:]  # noqa: PLR2004
        else:
            items = [match.span("number")] if match["number"] == "1" else []
        open_lists[indent] = items


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _cells(text: str, start: int, end: int) -> tuple[Span, ...]:
    bars = [match.start() for match in re.compile(r"(?<!\\)\|").finditer(text, start, end)]
    bars += [end] if text[start:end].rstrip()[-1:] != "|" else []
    return tuple((low + 1, high) for low, high in itertools.pairwise(bars))
