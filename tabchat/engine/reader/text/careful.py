"""The careful CSV reader: rewrites an irregular text as a regular one, losing nothing and noting every repair.

Used when the engine's fast reader would refuse or misread the text: ragged
records, titles above the header, stray quotes, mixed line ends, one column.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.connection import translated
from tabchat.engine.reader.text.dialect import UnclosedQuoteError
from tabchat.engine.reader.text.report import above_notes
from tabchat.engine.reader.text.stretches import Stretch, stretches
from tabchat.engine.table import LoadNote, repaired_note, warning_note
from tabchat.errors import InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tabchat.engine.reader.text.dialect import Dialect, Layout, Record

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


EXTRA_COLUMNS: Final = 16
"""Cells beyond the header that get columns of their own; the rest of a record shares one more."""
_PROGRESS_RECORDS: Final = 20_000


@record
class Regular:
    """A regular rewriting of a text."""

    path: Path
    width: int
    header: Record | None
    odd: tuple[Record, ...]
    """The first records that are wider than the others."""
    notes: tuple[LoadNote, ...]


def regularise(
    source: Path,
    target: Path,
    dialect: Dialect,
    layout: Layout,
    *,
    shown: str,
    progress: Callable[[float], None] | None = None,
) -> Regular:
    """Rewrite the UTF-8 text `source` as CSV with its own delimiter and without a header, every record of the same width.

    `shown` is the file's name for messages. Short records are padded; cells beyond the usual width get columns of their own.
    """
    width = layout.width
    census = _count(source, dialect, layout, shown, progress)
    header = layout.header
    shifted = _names_are_shifted(census, header)
    if header is not None and shifted:
        header, width = ["", *header], width + 1
    elif (
        header is not None
        and census.rows
        and max(census.widths) < len(header)
        and not any(cell.strip() for cell in header[max(census.widths) :])
    ):
        header = header[: max(census.widths)]
        width = len(header)
    full = min(max(width, census.widest), width + EXTRA_COLUMNS)
    with translated(), target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter=dialect.delimiter, lineterminator="\n")
        for part in _body(source, dialect, layout):
            if isinstance(part, Stretch):
                out.write(part.widened(full - layout.width, dialect.delimiter))
            elif part:
                writer.writerow(_plain_breaks(_fit(part, full, dialect.delimiter)))
    names = None if header is None else header + [""] * (full - len(header))
    return Regular(
        path=target,
        width=full,
        header=names,
        odd=tuple(_fit(record, full, dialect.delimiter) for record in census.odd),
        notes=tuple(_notes(census, layout, width, full, dialect, shifted=shifted)),
    )


def _body(source: Path, dialect: Dialect, layout: Layout) -> Iterator[Stretch | Record]:
    with source.open(encoding="utf-8-sig", newline="") as file:
        yield from stretches(file, dialect, layout)


def _count(
    source: Path,
    dialect: Dialect,
    layout: Layout,
    shown: str,
    progress: Callable[[float], None] | None,
) -> Census:
    census = Census()
    size, told = max(1, source.stat().st_size), 0
    try:
        for part in _body(source, dialect, layout):
            if isinstance(part, Stretch):
                census.add_stretch(part, layout.width)
            elif not part:
                census.add_blank()
            else:
                census.add(part, layout.width)
            if progress is not None and census.rows >= told + _PROGRESS_RECORDS:
                told = census.rows
                progress(min(1.0, census.characters / size))
    except csv.Error as error:
        message = f"Record {census.rows + 1} of {shown!r} cannot be read as delimited text: {error}."
        hint = "Mend that record, or say what separates cells: --delimiter ';'."
        raise InputError(message, hint=hint) from error
    except UnclosedQuoteError as error:
        message = f"A quote that opens in record {census.rows + 1} of {shown!r} or before is never closed."
        raise InputError(message, hint="Close the quote, or double it if it belongs to the cell.") from error
    except UnicodeDecodeError as error:
        message = f"{shown!r} is not valid {error.encoding} at record {census.rows + 1} or soon after."
        raise InputError(message, hint="Say which encoding it is: --encoding cp1252.") from error
    return census


def _names_are_shifted(census: Census, header: Record | None) -> bool:
    """Recognise row names in front of the records that the header does not count."""
    return (
        header is not None
        and len(header) > 1
        and census.rows > 1
        and set(census.widths) == {len(header) + 1}
        and census.long.count == census.rows
    )


def _plain_breaks(record: Record) -> Record:
    """Return the record with each lone carriage return in a cell as a line feed, which the engine can read."""
    return [LONE_RETURN.sub("\n", cell) if "\r" in cell else cell for cell in record]


def _fit(record: Record, width: int, delimiter: str) -> Record:
    if len(record) < width:
        return record + [""] * (width - len(record))
    if len(record) == width or not any(cell.strip() for cell in record[width:]):
        return record[:width]
    return [*record[: width - 1], delimiter.join(record[width - 1 :])]


def _notes(
    census: Census, layout: Layout, width: int, full: int, dialect: Dialect, *, shifted: bool
) -> Iterator[LoadNote]:
    yield from above_notes(layout, "line")
    if count := census.blank_lines:
        yield warning_note(
            message=f"{count:,} blank line{'' if count == 1 else 's'} between records {'was' if count == 1 else 'were'} left out.",
            count=count,
            hint='If they are missing values, write them as "".',
            told="blank lines between records were left out",
        )
    if census.returns.count:
        yield repaired_note(
            message="Carriage returns inside cells became line feeds.",
            rows=census.returns.first,
            count=census.returns.count,
        )
    if shifted:
        yield warning_note(
            message="Every record has one cell more than the header; the first column was taken for row names.",
            count=census.rows,
        )
        return
    if census.short.count:
        yield repaired_note(
            message=f"Records with fewer than {width} cell{'' if width == 1 else 's'} were filled up with missing values.",
            rows=census.short.first,
            count=census.short.count,
        )
    if census.blank_tails:
        yield repaired_note(
            message=f"Blank cells beyond the {'column' if width == 1 else f'{width} columns'} were left out.",
            count=census.blank_tails,
        )
    if census.long.count:
        yield warning_note(
            message=f"Records with more than {width} cell{'' if width == 1 else 's'} keep the extra ones in "
            f"{f'columns {width + 1} to {full}' if full > width + 1 else f'column {full}'}.",
            rows=census.long.first,
            count=census.long.count,
            hint=f"If cells hold the delimiter {dialect.delimiter!r} unquoted, quote them; or set --delimiter.",
        )
