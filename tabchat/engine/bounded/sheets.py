"""The process that reads a workbook: a file of a kilobyte can ask its library for a terabyte, and end the process.

It writes lines of JSON: the names of the sheets, and of those that are hidden; the name of the one that is read, and
what it shows that its cells do not hold; its rows, many a line; an empty object at the end, or why there is none.

The parts of the file are searched as bytes: errors, formulas that were saved without their results (as by programs
that write workbooks and do not compute), rows that are hidden, which a table has like any other, and number formats.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import re
import zipfile
import zlib
from bisect import bisect_left, bisect_right
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn

from tabchat.engine.bounded.limits import limit_memory, peak_memory
from tabchat.engine.bounded.sheet_formats import FormattedCells, part_of, styles_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import IO

    from python_calamine import CalamineSheet, CalamineWorkbook

    from tabchat.engine.bounded.number_formats import NumberFormat

_BLOCK: Final = 1 << 20
_LONGEST: Final = 1 << 22
"""Bytes of a cell: of a longer one the beginning is let go."""
_MOST: Final = 1 << 31
"""Bytes of a sheet that are looked at: a small file can hold far more."""
_SHOWN: Final = 5
_FORMULA: Final = rb"<(?:\w+:)?f\b[^<>]*(?:/>|>[^<]*</(?:\w+:)?f>)"
_ERROR: Final = re.compile(
    rb"<(?:\w+:)?c\s([^<>]*\bt=[\"']e[\"'][^<>]*)>\s*(?:%b\s*)?<(?:\w+:)?v>([^<]{1,20})<" % _FORMULA
)
# An empty text that a formula gave is a result, and has `t="str"`.
_UNCOMPUTED: Final = re.compile(
    rb"<(?:\w+:)?c\s((?:(?!\bt=[\"']str[\"'])[^<>])*)>\s*%b\s*"
    rb"(?:<(?:\w+:)?v\s*(?:/>|>\s*</(?:\w+:)?v>)\s*)?</(?:\w+:)?c>" % _FORMULA
)
_HIDDEN: Final = re.compile(rb"<(?:\w+:)?row\s[^<>]*\bhidden=[\"'](?:1|true)[\"']")
_PLACE: Final = re.compile(rb"\br=[\"']([A-Z]{1,3}[0-9]{1,7})[\"']")


def sheet_gaps(
    file: BinaryIO, name: str, formatted: Callable[[Mapping[bytes, NumberFormat]], FormattedCells]
) -> dict[str, Any]:
    """Return of a sheet `errors` and `formulas`, each `[count, first places, an example]`, and the count of `hidden` rows.

    `formats` are those that `formatted`, which is handed what styles tell, finds. Nothing of a file that is no XLSX.
    """
    file.seek(0)
    if not zipfile.is_zipfile(file):
        return {}
    # What the reader took may still be more than this one does, such as a part under another check sum.
    with (
        contextlib.suppress(
            zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError
        ),
        zipfile.ZipFile(file) as book,
    ):
        part = part_of(book, name)
        if part is not None:
            styles = styles_of(book)
            with book.open(part) as sheet:
                return _found(sheet, formatted(styles))
    return {}


def _found(sheet: IO[bytes], formatted: FormattedCells) -> dict[str, Any]:
    errors: list[Any] = [0, [], ""]
    formulas: list[Any] = [0, [], ""]
    hidden = 0
    for block in _blocks(sheet):
        for kind, pattern, sign in ((errors, _ERROR, b"e"), (formulas, _UNCOMPUTED, b"f")):
            for cell in pattern.finditer(block) if sign in block else ():
                kind[0] += 1
                place = _PLACE.search(cell[1])
                if place and len(kind[1]) < _SHOWN:
                    kind[1].append(place[1].decode())
                kind[2] = kind[2] or (cell[2].decode(errors="replace") if kind is errors else "")
        hidden += len(_HIDDEN.findall(block)) if b"hidden=" in block else 0
        formatted.look(block)
    return {"errors": errors, "formulas": formulas, "hidden": hidden, "formats": formatted.told()}


def _blocks(sheet: IO[bytes]) -> Iterator[bytes]:
    """Yield a part in pieces that end where a row or a cell does."""
    rest = b""
    taken = 0
    while taken < _MOST and (piece := sheet.read(_BLOCK)):
        taken += len(piece)
        rest += piece
        end = max(rest.rfind(mark) + len(mark) for mark in (b"c>", b"row>"))
        yield rest[:end]
        rest = rest[end:][-_LONGEST:]
    yield rest


LEAST_MEMORY: Final = 2 << 30
"""Bytes that reading a workbook may take even where half of the machine's memory is less."""
MOST_SHEETS: Final = 1000
"""Sheets that are looked at for one with cells."""
_CELLS: Final = 16_384
_MOST_MERGED: Final = 10_000
_LOOK_EVERY: Final = 0.05


def main(wanted: str) -> NoReturn:
    """Read the workbook at standard input: the sheet `wanted` (JSON; null for the first with cells).

    A hidden one is the first only if no other has cells.
    """
    import python_calamine

    out = os.fdopen(1, "w", encoding="ascii")
    _limit()
    try:
        with os.fdopen(0, "rb") as file:
            book = python_calamine.CalamineWorkbook.from_filelike(file)
            for line in _lines(book, file, json.loads(wanted)):
                print(json.dumps(line, default=_tagged), file=out)
    except python_calamine.CalamineError as error:
        kind = "password" if isinstance(error, python_calamine.PasswordError) else "damaged"
        print(json.dumps({kind: str(error)}), file=out)
    with contextlib.suppress(BrokenPipeError):
        out.flush()
    os._exit(0)


def _lines(workbook: CalamineWorkbook, file: BinaryIO, wanted: str | None) -> Iterator[Any]:
    names = list(workbook.sheet_names)
    hidden = _hidden(workbook)
    yield {"sheets": names, "hidden": hidden}
    if wanted is None or wanted in names:
        shown_first = sorted(names, key=set(hidden).__contains__)
        for name in shown_first[:MOST_SHEETS] if wanted is None else [wanted]:
            sheet = workbook.get_sheet_by_name(name)
            found = sheet.to_python(skip_empty_area=True)
            kept = [place for place, row in enumerate(found) if any(cell != "" for cell in row)]
            rows = [found[place] for place in kept]
            if rows:
                blank = [
                    (place, after - before - 1) for place, (before, after) in enumerate(pairwise(kept), 1)
                ]
                formatted = partial(FormattedCells, corner=sheet.start or (0, 0), kept=kept)
                yield {
                    "sheet": name,
                    "gaps": sheet_gaps(file, name, formatted),
                    "merged": _merged(sheet, kept),
                    "blank": [(place, count) for place, count in blank if count],
                }
                many = max(1, _CELLS // max(map(len, rows)))
                yield from (rows[start : start + many] for start in range(0, len(rows), many))
                break
    yield {}


def _hidden(workbook: CalamineWorkbook) -> list[str]:
    from python_calamine import SheetVisibleEnum

    return [sheet.name for sheet in workbook.sheets_metadata if sheet.visible != SheetVisibleEnum.Visible]


def _merged(sheet: CalamineSheet, kept: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Return first and last row and column of merged cells, by the places of the rows that are kept."""
    top, left = sheet.start or (0, 0)
    found = []
    for (first, start), (last, end) in (sheet.merged_cell_ranges or ())[:_MOST_MERGED]:
        rows = bisect_left(kept, first - top), bisect_right(kept, last - top) - 1
        if rows[0] <= rows[1]:
            found.append((*rows, start - left, end - left))
    return found


def _limit() -> None:
    """Bound the memory by half of the machine's; where its system does not count address space, by watching."""
    import threading

    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    most = limit_memory(max(half, LEAST_MEMORY))
    if most is not None:
        threading.Thread(target=_watch, args=(most,), daemon=True).start()


def _watch(most: int) -> None:
    import time

    while peak_memory() <= most:
        time.sleep(_LOOK_EVERY)
    os._exit(1)


def _tagged(cell: Any) -> dict[str, Any]:
    """Return a cell that JSON has no form for as an object of one field, its type."""
    if isinstance(cell, dt.timedelta):
        return {"timedelta": [cell.days, cell.seconds, cell.microseconds]}
    return {type(cell).__name__: cell.isoformat()}


def untagged(tagged: dict[str, Any]) -> Any:
    """Return the cell that `_tagged` made an object of; any other object as it is."""
    match tagged:
        case {"datetime": text}:
            return dt.datetime.fromisoformat(text)
        case {"date": text}:
            return dt.date.fromisoformat(text)
        case {"time": text}:
            return dt.time.fromisoformat(text)
        case {"timedelta": parts}:
            return dt.timedelta(*parts)
        case _:
            return tagged


def lines_of(stream: Iterable[bytes]) -> Iterator[Any]:
    """Yield what such a process wrote."""
    for line in stream:
        yield json.loads(line, object_hook=untagged)
