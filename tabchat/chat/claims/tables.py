"""Markdown tables: the heading above each cell, and the cells that only number the rows."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULE: Final = frozenset("|:-– \t")
_NUMBERING: Final = frozenset(
    {"#", "№", "no", "no.", "n", "nr", "rank", "№ п/п", "п/п", "місце", "место", "ранг", ""}
)


@record
class TableRow:
    """A row below the heading: where it is, where its bars are, and the headings of its columns."""

    start: int
    end: int
    bars: tuple[int, ...]
    headings: tuple[str, ...]

    def column_at(self, position: int) -> int | None:
        """Return the index of the column that the position is in."""
        column = bisect_right(self.bars, position) - 1
        return column if 0 <= column < len(self.headings) else None


@record
class Tables:
    """All the rows of all tables of a text, in order."""

    rows: tuple[TableRow, ...]

    def row_at(self, position: int) -> TableRow | None:
        """Return the row that holds the position."""
        at = bisect_right(self.rows, position, key=lambda row: row.start) - 1
        return self.rows[at] if at >= 0 and position < self.rows[at].end else None

    def heading_at(self, position: int) -> str | None:
        """Return the heading of the column at the position."""
        row = self.row_at(position)
        column = row.column_at(position) if row else None
        return (row.headings[column] or None) if row and column is not None else None

    def numbers_rows(self, position: int) -> bool:
        """Tell whether the position is in a column that counts the rows of the table."""
        row = self.row_at(position)
        if row is None or row.column_at(position) != 0:
            return False
        return row.headings[0].casefold() in _NUMBERING


def find_tables(text: str) -> Tables:
    """Return the rows of the tables in `text`."""
    return Tables(rows=tuple(_rows(text)))


def _rows(text: str) -> Iterator[TableRow]:
    headings: tuple[str, ...] = ()
    above = ""
    start = 0
    for line in text.split("\n"):
        if "|" not in line:
            headings = ()
        elif "-" in line and _RULE.issuperset(line):
            headings = _cells(above)
        elif headings:
            yield TableRow(start=start, end=start + len(line), bars=_bars(line, start), headings=headings)
        above = line
        start += len(line) + 1


def _cells(line: str) -> tuple[str, ...]:
    inside = line.strip().removeprefix("|").removesuffix("|")
    return tuple(cell.strip(" \t*_`") for cell in inside.split("|"))


def _bars(line: str, start: int) -> tuple[int, ...]:
    """Return where each cell begins: at its bar, or at the line when that has no bar before the first."""
    bars = [start + at for at, character in enumerate(line) if character == "|"]
    return tuple(bars) if line.lstrip().startswith("|") else (start, *bars)
