"""A text as statements: sentences, items of lists and rows of tables, each with the headings it stands under."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.claims import Span

_ITEM: Final = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•–—▪◦]|\d{1,3}[.)])[ \t]+")
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]+")
_RULE: Final = re.compile(r"[\s|:+=\-–—]*$")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_BOLD_LINE: Final = re.compile(r"[ \t]*(?:\*\*|__)[^*_]+(?:\*\*|__):?[ \t]*$")
_BREAK: Final = re.compile(r"[.!?…]+[\"'»”)\]*_]*\s+(?=[\"'«“(\[*_`$€£₴#+\-−~≈]*[^\W_])")
_SHORT: Final = frozenset(
    [
        "vs",
        "approx",
        "ca",
        "no",
        "e.g",
        "i.e",
        "etc",
        "fig",
        "incl",
        "excl",
        "avg",
        "min",
        "max",
        "st",
        "mr",
        "mrs",
        "dr",
        "млн",
        "млрд",
        "тис",
        "тыс",
        "трлн",
        "ст",
        "рр",
        "гг",
        "див",
        "см",
        "напр",
        "прибл",
        "тобто",
        "т.е",
        "т.д",
        "шт",
        "п.п",
        "п.н",
        "руб",
        "грн",
        "коп",
        "обл",
        "вул",
        "ул",
    ]
)
_BREAKING: Final = frozenset(
    ["руб", "грн", "коп", "тис", "тыс", "млн", "млрд", "шт", "etc", "рр", "гг", "т.д", "обл", "п.п", "трлн"]
)
_CELLS: Final = 2


@record
class Statement:
    """A sentence, or a row of a table."""

    start: int
    end: int
    under: tuple[Span, ...] = ()
    """Headings, lead lines and items that it belongs to, the nearest first."""
    cells: tuple[Span, ...] = ()
    """Cells of a table's row."""
    headers: tuple[Span, ...] = ()
    """The table's header cells, one for each of `cells`."""
    paragraph: int
    """Statements of one paragraph, item or table share the number."""
    is_item: bool = False
    """It opens an item of a list."""


@dataclass
class _Reader:
    text: str
    heading: Span | None = None
    lead: Span | None = None
    items: list[tuple[int, Span]] = field(default_factory=list)
    headers: tuple[Span, ...] = ()
    in_table: bool = False
    paragraph: int = 0

    def read(self) -> Iterator[Statement]:
        fenced = False
        at = 0
        for line in self.text.splitlines(keepends=True):
            start, at = at, at + len(line)
            content = line.rstrip()
            if _FENCE.match(content):
                fenced = not fenced
            elif not fenced:
                yield from self._line(start, content)

    def _line(self, start: int, line: str) -> Iterator[Statement]:
        if line.count("|") >= _CELLS or (self.in_table and "|" in line):
            yield from self._row(start, line)
            return
        self.in_table, self.headers = False, ()
        self.paragraph += 1
        if not line.strip():
            self.items.clear() if self.lead is None else None
            return
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if heading or _BOLD_LINE.match(line):
            self.items.clear()
            self.lead = None
            span = (start + (heading.end() if heading else 0), start + len(line))
            yield Statement(start=span[0], end=span[1], paragraph=self.paragraph)
            self.heading = span
        elif item:
            yield from self._item(start, line, item)
        else:
            yield from self._plain(start, line)

    def _item(self, start: int, line: str, item: re.Match[str]) -> Iterator[Statement]:
        indent = len(item.group("indent").expandtabs(4))
        while self.items and self.items[-1][0] >= indent:
            self.items.pop()
        under = tuple(span for _, span in reversed(self.items)) + self._above()
        first = True
        for span in _sentences(self.text, start + item.end(), start + len(line)):
            yield Statement(start=span[0], end=span[1], under=under, paragraph=self.paragraph, is_item=first)
            first = False
        self.items.append((indent, (start + item.end(), start + len(line))))

    def _plain(self, start: int, line: str) -> Iterator[Statement]:
        self.items.clear()
        above = (self.heading,) if self.heading else ()
        span = None
        for span in _sentences(self.text, start, start + len(line)):
            yield Statement(start=span[0], end=span[1], under=above, paragraph=self.paragraph)
        self.lead = span if span and line.endswith((":", "：", ":**")) else None

    def _row(self, start: int, line: str) -> Iterator[Statement]:
        if _RULE.fullmatch(line):
            return
        cells = _cells(line, start)
        if not self.in_table:
            self.in_table, self.headers = True, cells
            self.paragraph += 1
            yield Statement(start=start, end=start + len(line), cells=cells, paragraph=self.paragraph)
            return
        headers = self.headers if len(self.headers) == len(cells) else ()
        yield Statement(
            start=start,
            end=start + len(line),
            under=self._above(),
            cells=cells,
            headers=headers,
            paragraph=self.paragraph,
        )

    def _above(self) -> tuple[Span, ...]:
        return tuple(span for span in (self.lead, self.heading) if span is not None)


def statements(text: str) -> list[Statement]:
    """Split `text`; code blocks are left out."""
    return list(_Reader(text).read())


def _cells(line: str, start: int) -> tuple[Span, ...]:
    spans: list[Span] = []
    at = 0
    for part in line.split("|"):
        spans.append((start + at, start + at + len(part)))
        at += len(part) + 1
    inner = spans[1:] if not line.split("|", maxsplit=1)[0].strip() else spans
    return tuple(inner[:-1] if not line.rstrip().split("|")[-1].strip() else inner)


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    begin = start
    for found in _BREAK.finditer(text, start, end):
        before = text[begin : found.start()].rsplit(maxsplit=1)
        word = before[-1].casefold().lstrip("(*_«“\"'") if before else ""
        following = text[found.end() : found.end() + 1]
        if text[found.start()] == "." and _is_short(word, following):
            continue
        yield begin, found.end()
        begin = found.end()
    if text[begin:end].strip():
        yield begin, end


def _is_short(word: str, following: str) -> bool:
    if len(word) == 1 and word.isalpha():
        return not following.isupper() or word.isascii()
    if following.islower():
        return True
    return word in _SHORT and not (word in _BREAKING and following.isupper())
