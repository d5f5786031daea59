"""How a delimited text file is laid out: delimiter, quotes, the header record, what stands above it."""

from __future__ import annotations

import csv
import io
import math
import re
import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.dates import guess_dates
from tabchat.engine.reader.text.numbers import is_number, is_percent
from tabchat.engine.reader.text.units import header_unit
from tabchat.engine.reader.text.vocabulary import BLANKS, NULL_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DELIMITERS: Final = (",", ";", "\t", "|", "\x1f", "^", "~")
_HEAD_CHARACTERS: Final = 65536
_CONSISTENT: Final = 0.6
_TITLES: Final = 20
_JUDGED: Final = 50
"""Cells of a column by which it is told whether it holds values."""

_SPLITTING: Final = re.compile(r",(?!\s)(?<![0-9],(?=[0-9]))")
"""A comma that is neither within a number nor before a blank, as those between cells are."""
_DIGITS: Final = re.compile(r"[-+−0-9.,%\s]*[0-9],[0-9][-+−0-9.,%\s]*")

_YEAR: Final = re.compile("(?:19|20)[0-9]{2}")

END: Final = "\uf8ff end of text \uf8ff"
"""Stands after the last line; a quote that is never closed swallows it."""

Record = list[str]


class UnclosedQuoteError(Exception):
    """A quoted cell runs to the end of the text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """How records and cells are told apart."""

    delimiter: str
    quote: str = '"'
    escape: str = '"'
    """`"` when quotes inside quotes are doubled, otherwise a backslash; empty without quotes."""
    spaced: bool = False
    """Whether blanks stand between a delimiter and a quote, as in `1, "a, b"`: they belong to no cell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """What the first records are."""

    titles: int
    """Records above the header (or the data) that belong to neither."""
    header: Record | None
    width: int
    """Cells of a usual record."""
    sure: bool = True
    """False when the header was taken for one without evidence."""
    joined: bool = False
    """Whether the last of `titles` belongs to the header: names over several columns, each of which has one of its own."""
    blanks: bool = False
    """Whether blanks seem to separate cells, in what was read as one column."""


def records(lines: Iterable[str], dialect: Dialect) -> Iterator[Record]:
    """Yield the records of a text, without blank lines; line ends inside quotes belong to cells.

    Raises `UnclosedQuoteError` at the end when the last cell's quote is never closed.
    """
    for record in record_reader(chain(lines, (END,)), dialect):
        if record and record[-1].endswith(END):
            if record != [END]:
                raise UnclosedQuoteError
            return
        if is_kept(record):
            yield record


def record_reader(lines: Iterable[str], dialect: Dialect) -> Iterator[Record]:
    """Return the records of a text, which takes no more lines than the records that were asked for have."""
    csv.field_size_limit(sys.maxsize)
    escaping = dialect.escape == "\\"
    return csv.reader(
        _spared(lines, dialect) if escaping else lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        doublequote=dialect.escape == dialect.quote,
        escapechar="\\" if escaping else None,
        skipinitialspace=dialect.spaced,
    )


def is_kept(record: Record) -> bool:
    """Tell whether a record is more than a blank line."""
    return len(record) > 1 or bool(record and record[0].strip(BLANKS))


def _spared(lines: Iterable[str], dialect: Dialect) -> Iterator[str]:
    r"""Double the backslashes that escape nothing, as in `C:\data` or `\N`: the parser would drop them."""
    idle = re.compile(rf"\\([^\\\r\n{re.escape(dialect.quote + dialect.delimiter)}])|(\\.)")
    for line in lines:
        yield idle.sub(lambda found: f"\\\\{found[1]}" if found[1] else found[2], line)


def parse(text: str, dialect: Dialect, *, complete: bool) -> list[Record]:
    """Return the records of a sample; the last one is left out when the sample ends before the file does."""
    found = []
    try:
        for record in records(io.StringIO(text, newline=""), dialect):
            found.append(record)  # noqa: PERF402 - what was read before the end counts
    except UnclosedQuoteError:
        if complete:
            raise
        return found
    return found if complete else found[:-1]


def sniff_dialect(text: str, *, complete: bool, delimiter: str | None, tabs: bool) -> Dialect:
    """Judge the dialect of a text; `tabs` when the file's name promises tab-separated values."""
    if (declared := re.match(r"sep=(.)\r?\n", text)) and delimiter is None:
        delimiter = declared.group(1)
    head = text[:_HEAD_CHARACTERS]
    whole = complete and len(head) == len(text)
    choices = [delimiter] if delimiter else [mark for mark in DELIMITERS if mark in head] or [","]
    quotes = ['"', "'"] if "'" in head and '"' not in head else ['"']
    best, best_score = Dialect(delimiter=delimiter or ("\t" if tabs else ",")), 0.0
    for quote in quotes:
        for mark in choices:
            escape = "\\" if re.search(rf"\\{quote}(?![{re.escape(mark)}\r\n])", head) else quote
            spaced = escape == quote and _is_spaced(head, mark, quote)
            for dialect in (
                Dialect(delimiter=mark, quote=quote, escape=escape, spaced=spaced),
                Dialect(delimiter=mark, quote="", escape=""),
            ):
                score = _regularity(head, dialect, complete=whole) * (2.0 if tabs and mark == "\t" else 1.0)
                if score > best_score + 0.02:
                    best, best_score = dialect, score
                if (
                    score > 0
                    and mark != ","
                    and "," in choices
                    and _holds_commas(head, dialect, complete=whole)
                ):
                    return dialect
                if score >= 0:
                    break
    return best


def _is_spaced(text: str, mark: str, quote: str) -> bool:
    """Tell whether blanks stand before quotes, each of which opens a cell that it closes: `1, "a, b"`, not `1, "a" b`."""
    if mark == " " or f"{mark} " not in text:
        return False
    opened = rf"{re.escape(mark)} +{quote}"
    # The sample may end within a cell.
    cells = rf"{opened}(?:[^{quote}]|{quote}{quote})*+(?:{quote} *(?={re.escape(mark)}|[\r\n])|{quote}? *\Z)"
    found = re.findall(cells, text)
    return bool(found) and len(re.findall(opened, "".join(re.split(cells, text)))) == 0


def _holds_commas(text: str, dialect: Dialect, *, complete: bool) -> bool:
    """Tell whether the commas of a text belong to the cells of `dialect`: to numbers, sentences, units of the header.

    `Сумма, руб.` above `100,50` makes as regular a table of two columns where it is split at its commas.
    """
    found = parse(text, dialect, complete=complete)
    _, width = _usual(found)
    while found and len(found[0]) != width:
        del found[0]
    header = [cell for record in found[:1] for cell in record if not header_unit(cell)]
    cells = [cell for record in found[1:] for cell in record if "," in cell]
    return (
        all(len(record) == width for record in found)
        and not any(map(_SPLITTING.search, (*header, *cells)))
        and all(
            is_number(cell.strip(BLANKS), ",", percent="%" in cell)
            for cell in cells
            if _DIGITS.fullmatch(cell)
        )
        and any(map(_DIGITS.fullmatch, cells))
    )


def _regularity(text: str, dialect: Dialect, *, complete: bool) -> float:
    """Return how regular a table the text makes; -1 when a quote is never closed."""
    try:
        return _score(parse(text, dialect, complete=complete))
    except UnclosedQuoteError:
        return -1.0


def _score(found: Sequence[Record]) -> float:
    """Return how regular a table the records make; 0 for one column."""
    share, width = _usual(found)
    # A delimiter of a date or a number in every record is in no header.
    bonus = 1.1 if share == 1 else 1.0
    if share < _CONSISTENT:
        share, width = _usual(_below_facts(found))
    return bonus * share**2 * (1 - 1 / width) if share >= _CONSISTENT else 0.0


def _usual(found: Sequence[Record]) -> tuple[float, int]:
    """Return the share of records that have as many cells as most with several, and how many cells that are."""
    widths = Counter(map(len, found))
    several = Counter({width: n for width, n in widths.items() if width > 1})
    if not several:
        return 0.0, 1
    width, times = max(several.items(), key=lambda item: (item[1], item[0]))
    return times / widths.total(), width


def lay_out(found: Sequence[Record], *, header: bool | None) -> Layout:
    """Judge which records are titles, which the header, and how wide a record is."""
    return replace(_laid_out(found, header=header), blanks=_has_blanks(found))


def _has_blanks(found: Sequence[Record]) -> bool:
    """Return whether all records are one text of as many words, most of them values below the first record."""
    head, *rows = [record[0].split() for record in found if len(record) == 1] or [[]]
    if not rows or len(rows) + 1 < len(found) or any(len(row) != len(head) for row in rows):
        return False
    if all(_is_value(" ".join(row)) for row in rows):
        return False  # a date with its time, a number with blanks in it
    return 2 * sum(all(map(_is_value, cells)) for cells in zip(*rows, strict=True)) > len(head) > 1


def _laid_out(found: Sequence[Record], *, header: bool | None) -> Layout:
    widths = Counter(map(len, _below_facts(found)))
    width = max(widths, key=lambda size: (widths[size], size), default=1)
    titles = _count_titles(found, width)
    rest = found[titles:]
    names = _joined(found[titles - 1 :]) if titles and header is None else None
    # A line above the header is part of it if it tells apart what the header calls the same.
    if names is not None and _has_twins(rest[0]) and not _has_twins(names):
        return Layout(titles=titles, header=names, width=len(names), joined=True)
    if not rest or header is False:
        return Layout(titles=titles, header=None, width=width)
    if header is None and (judged := _is_header(rest)) is not True:
        if judged is False:
            return Layout(titles=titles, header=None, width=width)
        return Layout(titles=titles, header=rest[0], width=len(rest[0]), sure=len(rest) < 2)  # noqa: PLR2004 - a header alone is one
    if header is None and (names := _joined(rest)) is not None:
        return Layout(titles=titles + 1, header=names, width=len(names), joined=True)
    return Layout(titles=titles, header=rest[0], width=len(rest[0]))


def _joined(found: Sequence[Record]) -> Record | None:
    """Join names over several columns to those below them, as `Приход` over `кол-во` and `сумма`; None where none are."""
    if len(found) < 4 or len(set(map(len, found[:4]))) > 1:  # noqa: PLR2004 - two records of names, two of cells
        return None
    above, below = ([cell.strip(BLANKS) for cell in record] for record in found[:2])
    if all(above):
        return None
    columns = [
        [cell for record in found[2:1000] if i < len(record) and (cell := record[i].strip(BLANKS))]
        for i in range(len(above))
    ]
    if not _are_names_of(above, below, columns):
        return None
    names, group = [], ""
    for cell, name in zip(above, below, strict=True):
        group = cell or group
        names.append(f"{group} {name}".strip() if name else cell)
    return names


def _are_names_of(above: Record, below: Record, columns: Sequence[Record]) -> bool:
    """Tell whether the cells of `below` are names, under other names and the gaps right of them.

    They are texts, or periods as `2023` and `2024`, above values in each column, which are no periods below one. What
    is left of all names above names the records themselves.
    """
    first = next((i for i, cell in enumerate(above) if cell), len(above))
    named = [i for i, cell in enumerate(below) if cell]
    periods = {i for i in named if _is_period(below[i])}
    return (
        any(above[i] for i in named)
        and all(above[i] or below[i] for i in range(len(above)))
        and not any(map(_is_value, above))
        and not any(_is_value(below[i]) for i in named if i not in periods)
        and all(i >= first for i in periods)
        and all(columns[i] and _mostly_values(columns[i]) for i in named if i >= first)
        and not any(sum(map(_is_period, columns[i])) * 2 > len(columns[i]) for i in periods)
    )


def _has_twins(names: Record) -> bool:
    filled = [cell for cell in names if cell.strip(BLANKS)]
    return len(set(filled)) < len(filled)


def _count_titles(found: Sequence[Record], width: int) -> int:
    """Count leading records that say one thing only, above records that say more."""
    if width < 2:  # noqa: PLR2004 - one column has no titles
        return 0
    for position, record in enumerate(found[: _TITLES + 1]):
        filled = sum(1 for cell in record if cell.strip(BLANKS))
        short = len(record) < width
        declared = position == 0 and len(record) <= 2 and record[0].startswith("sep=")  # noqa: PLR2004
        comment = short and record[0].startswith("#")
        gap = position > 0 and not filled
        if not (declared or comment or gap or (filled <= 1 and (short or width > 2))):  # noqa: PLR2004
            return _count_facts(found, width, position) if position < len(found) else 0
    return 0


def _count_facts(found: Sequence[Record], width: int, titles: int) -> int:
    """Count on over records that say a few things only, such as `Account:` and its number, if a header follows them."""
    for position in range(titles, min(len(found), _TITLES + 1)):
        filled = sum(1 for cell in found[position] if cell.strip(BLANKS))
        if width > 3 and filled * 2 <= width:  # noqa: PLR2004 - a fact has two cells
            continue
        is_full = filled == len(found[position]) == width
        return position if is_full and _is_header(found[position:]) else titles
    return titles


def _below_facts(found: Sequence[Record]) -> Sequence[Record]:
    """Return the records from the first wide one on, where the few above it have less than half of its cells each."""
    wide = Counter(length for length in map(len, found) if length > 3)  # noqa: PLR2004 - a fact has two cells
    width = max(wide, key=lambda size: (wide[size], size), default=0)
    start = next((place for place, record in enumerate(found) if len(record) == width), 0)
    facts = found[:start]
    above = len(facts) <= _TITLES and all(len(record) * 2 <= width for record in facts)
    return found[start:] if above and wide[width] > 1 else found


def _is_header(found: Sequence[Record]) -> bool | None:
    """Judge whether the first record holds names; None when nothing speaks for or against it."""
    first = [cell.strip(BLANKS) for cell in found[0]]
    body = found[1:1000]
    if not any(first):
        return None
    values = [cell for cell in first if _is_value(cell)]

    def cells_of(i: int) -> list[str]:
        return [record[i].strip(BLANKS) for record in body if i < len(record)]

    # One column of values settles it: the others are not looked at.
    if not values and any(_mostly_values(cells_of(i)) for i in range(len(first))):
        return True
    columns = [cells_of(i) for i in range(len(first))]
    if not values:
        recurs = sum(1 for cell, cells in zip(first, columns, strict=True) if cell and cell in cells)
        return False if recurs * 2 >= len(first) and len(body) > 1 else None
    names = [cell for cell in first if cell and not _is_value(cell)]
    years = all(map(_YEAR.fullmatch, values))
    if years and names and len(set(values)) == len(values) and math.isfinite(len(body)):
        inside = [cells for cell, cells in zip(first, columns, strict=True) if cell in values]
        return not all(all(_YEAR.fullmatch(c) for c in cells if c) for cells in inside)
    return False if len(values) * 2 >= len([c for c in first if c]) or body else None


def _is_value(cell: str) -> bool:
    percent = is_percent(cell)
    return bool(cell) and (
        any(is_number(cell, mark, percent=percent) for mark in ".,") or guess_dates((cell,)) is not None
    )


def _is_period(cell: str) -> bool:
    return _YEAR.fullmatch(cell) is not None or (not cell.isdigit() and guess_dates((cell,)) is not None)


def _mostly_values(cells: Sequence[str]) -> bool:
    filled = list(islice((cell for cell in cells if cell.lower() not in NULL_WORDS), _JUDGED))
    return sum(map(_is_value, filled)) * 2 > len(filled)
