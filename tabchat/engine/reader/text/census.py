"""What a first pass over the records of an irregular text counts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tabchat.engine.reader.text.dialect import Record
    from tabchat.engine.reader.text.stretches import Stretch

LONE_RETURN: Final = re.compile(r"\r(?!\n)")
_SHOWN_ROWS: Final = 5
_ODD: Final = 500


@dataclass
class Rows:
    """How many records something holds for, and the first of them."""

    count: int = 0
    first: tuple[int, ...] = ()

    def append(self, row: int) -> None:
        """Count one more record."""
        self.count += 1
        if len(self.first) < _SHOWN_ROWS:
            self.first += (row,)


@dataclass
class Census:
    """What a first pass over the records found; rows are record numbers."""

    rows: int = 0
    widths: Counter[int] = field(default_factory=Counter)
    short: Rows = field(default_factory=Rows)
    long: Rows = field(default_factory=Rows)
    odd: list[Record] = field(default_factory=list)
    blank_tails: int = 0
    """Records that only have blank cells beyond the header."""
    widest: int = 0
    """Cells of the widest record, blank ones at its end left out."""
    characters: int = 0
    returns: Rows = field(default_factory=Rows)
    """Records with a carriage return inside a cell that no line feed follows."""

    blank_lines: int = 0
    """Blank lines of a table of one column that records follow."""
    _blank_ends: int = 0

    def add_blank(self) -> None:
        """Count a blank line of a table of one column, once a record follows it."""
        self._blank_ends += 1

    def add_stretch(self, stretch: Stretch, width: int) -> None:
        """Count records that are as wide as the table."""
        self.rows += stretch.rows
        self.widths[width] += stretch.rows
        self.characters += len(stretch.text)

    def add(self, record: Record, width: int) -> None:
        """Count one more record of a table that is `width` cells wide."""
        self.blank_lines += self._blank_ends
        self._blank_ends = 0
        self.rows += 1
        length = len(record)
        self.widths[length] += 1
        self.characters += sum(map(len, record)) + length
        if any("\r" in cell and LONE_RETURN.search(cell) for cell in record):
            self.returns.append(self.rows)
        if length < width:
            self.short.append(self.rows)
        elif length > width:
            filled = next((i for i in range(length, width, -1) if record[i - 1].strip()), width)
            if filled == width:
                self.blank_tails += 1
                return
            self.long.append(self.rows)
            self.widest = max(self.widest, filled)
            if len(self.odd) < _ODD:
                self.odd.append(record)
