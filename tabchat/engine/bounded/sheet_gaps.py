"""What a spreadsheet program shows of an XLSX sheet and its reader does not give, such as a value in a cell that is blank.

The parts of the file are searched as bytes: errors, formulas that were saved without their results (as by programs
that write workbooks and do not compute), rows that are hidden, which a table has like any other, and number formats.
"""

from __future__ import annotations

import contextlib
import re
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.bounded.sheet_formats import styles_of
from tabchat.engine.bounded.sheet_parts import part_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import IO, BinaryIO

    from tabchat.engine.bounded.number_formats import NumberFormat
    from tabchat.engine.bounded.sheet_formats import FormattedCells

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
