"""Which cells of an XLSX sheet are shown as amounts of a currency, as percentages or as padded codes.

Its reader gives the bare numbers. The formats belong to styles, of which a workbook has few: each is looked at once, and
only cells of those that tell something are searched for, in the bytes of the sheet. A cell that does not say its place,
and behind that its style, as nearly all programs write it, counts as one whose format tells nothing.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from tabchat.engine.bounded.number_formats import BUILT_IN, NumberFormat, number_format

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Collection, Iterator, Mapping, Sequence

EARLY: Final = 200
"""Rows among which there may be titles above a table, so that of their cells the places are told, too."""
_STYLES: Final = "xl/styles.xml"
_LONGEST: Final = 1 << 24
"""Bytes of all styles, a hundred times what programs write: of more none are looked at."""
_MOST: Final = 50_000
"""Columns by formats, and places, that are told."""
_CODES: Final = 1000
"""Formats that are looked at, a few times what a spreadsheet program allows."""
_FEW: Final = 64
"""Styles that a pattern may name one by one."""

# A name ends soon, so that one of megabytes is not searched from each of its characters on.
_ATTRIBUTE: Final = re.compile(r"\b(?:\w{1,60}:)?(\w{1,60})\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)')")


def styles_of(book: zipfile.ZipFile) -> dict[bytes, NumberFormat]:
    """Return what number formats tell, by the number of the style as cells spell it; without those that tell nothing."""
    if _STYLES not in book.namelist():
        return {}
    with book.open(_STYLES) as file:
        part = file.read(_LONGEST + 1)
    if len(part) > _LONGEST:
        return {}
    codes = dict(BUILT_IN)
    for spelled in attributes(part, "numFmt"):
        codes[spelled.get("numFmtId", "")] = spelled.get("formatCode", "")
    return dict(_telling(_of_cells(part), codes))


def _of_cells(part: bytes) -> bytes:
    """Return the part of the styles that cells name by their numbers."""
    first = re.search(rb"<(?:\w+:)?cellXfs\b", part)
    last = re.compile(rb"</(?:\w+:)?cellXfs\b").search(part, first.end()) if first else None
    return part[first.start() : last.start()] if first and last else b""


def _telling(of_cells: bytes, codes: Mapping[str, str]) -> Iterator[tuple[bytes, NumberFormat]]:
    told: dict[str, NumberFormat | None] = {}
    for style, spelled in enumerate(attributes(of_cells, "xf")):
        number = spelled.get("numFmtId", "")
        if number not in told and len(told) < _CODES:
            told[number] = number_format(codes.get(number, ""))
        if (found := told.get(number)) is not None:
            yield b"%d" % style, found


class FormattedCells:
    """Counts the numbers of a sheet by their columns and by what their formats tell."""

    def __init__(
        self, styles: Mapping[bytes, NumberFormat], *, corner: tuple[int, int], kept: Sequence[int]
    ) -> None:
        """`kept` are the places of the rows that are not blank, from the cell `corner` on."""
        self._styles = styles
        self._top, self._left = corner
        self._kept = kept[:EARLY]
        self._all = _numbers(styles, b"[0-9]{1,7}")
        self._placed = _numbers(styles, b"([0-9]{1,7})")
        self._counts: Counter[tuple[bytes, bytes]] = Counter()
        self._early: defaultdict[tuple[bytes, bytes], set[int]] = defaultdict(set)
        self._left_over = _MOST

    def look(self, block: bytes) -> None:
        """Count the cells in a piece of the sheet."""
        if self._styles:
            self._counts.update(self._all.findall(block))
            if self._left_over > 0:
                self._place(block)

    def _place(self, block: bytes) -> None:
        for letters, digits, style in self._placed.findall(block):
            row = int(digits) - 1 - self._top
            if row > self._kept[-1] or self._left_over <= 0:
                self._left_over = 0
                break
            self._early[letters, style].add(bisect_left(self._kept, row))
            self._left_over -= 1

    def told(self) -> list[tuple[int, NumberFormat, list[int], int]]:
        """Return columns and formats, of each the places of its rows among the first ones, and how many it has in all."""
        places: defaultdict[tuple[int, NumberFormat], set[int]] = defaultdict(set)
        counts: Counter[tuple[int, NumberFormat]] = Counter()
        for (letters, style), count in self._counts.most_common(_MOST):
            if (found := self._styles.get(style)) is not None:
                key = _column(letters) - self._left, found
                places[key] |= self._early[letters, style]
                counts[key] += count
        return [(*key, sorted(places[key]), count) for key, count in counts.items()]


def _numbers(styles: Collection[bytes], row: bytes) -> re.Pattern[bytes]:
    """Return the pattern of the cells with a number, or a formula for one, that have one of some styles."""
    listed = b"|".join(styles) if len(styles) <= _FEW else b"[0-9]+"
    # It begins with characters that are searched for fast; no text has the bracket at its end.
    return re.compile(
        rb"c r=[\"']([A-Z]{1,3})%b[\"'] s=[\"'](%b)[\"'](?: t=[\"']n[\"'])?>\s*<(?:\w+:)?[fv]\b"
        % (row, listed)
    )


def _column(letters: bytes) -> int:
    """Return the place of a column, from 0 on: `A`, `B` … `AA`."""
    place = 0
    for letter in letters:
        place = 26 * place + letter - ord("A") + 1
    return place - 1


def part_of(book: zipfile.ZipFile, name: str) -> str | None:
    """Return the name of the part that holds a sheet, where there is one."""
    parts = set(book.namelist())
    if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= parts:
        return None
    links = attributes(book.read("xl/_rels/workbook.xml.rels"), "Relationship")
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    for sheet in attributes(book.read("xl/workbook.xml"), "sheet"):
        if sheet.get("name") == name:
            target = targets.get(sheet.get("id"), "")
            part = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
            return part if part in parts else None
    return None


def attributes(part: bytes, element: str) -> Iterator[dict[str, str]]:
    """Yield the attributes of each such element, without the prefixes of their names."""
    # Of the two brackets, only the first must be escaped within quotes.
    tags = rf"<(?:\w+:)?{element}(?=[\s/>])((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>"
    for tag in re.finditer(tags, part.decode(errors="replace")):
        found = _ATTRIBUTE.findall(tag[1])
        yield {key: html.unescape(one or other) for key, one, other in found}
