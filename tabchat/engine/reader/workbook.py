"""Workbooks (XLSX and the other formats that calamine reads): one sheet becomes one table."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import shlex
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.bounded.sheets import MOST_SHEETS, lines_of
from tabchat.engine.bounded.starting import library_folders
from tabchat.engine.reader.cell_formats import column_formats, format_notes
from tabchat.engine.reader.staging import Staging, load_staged
from tabchat.engine.reader.text import report
from tabchat.engine.reader.text.dialect import Dialect, lay_out
from tabchat.engine.table import LoadNote, LoadReport, some, warning_note
from tabchat.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.engine.reader.cell_formats import ColumnFormat
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.table import ReadOptions

_SHOWN_PLACES: Final = 5
_SHEETS: Final = 8
"""Names of sheets that are listed."""
_WIDEST: Final = 20
"""Columns of merged cells that are looked at."""


def choice_notes(read: str, names: Sequence[str], hidden: Sequence[str]) -> Iterator[LoadNote]:
    """Say which sheet was read of several, where nobody chose one, and whether it is hidden."""
    if read in hidden:
        yield warning_note(
            message=f"The sheet {read!r}, which was read, is hidden: none that is shown holds cells.",
            hint="Show it in a spreadsheet program to see where the figures come from.",
            told="the sheet is hidden in its workbook",
        )
    if others := sorted((name for name in names if name != read), key=set(hidden).__contains__):
        listed = [repr(name) + (" (hidden)" if name in hidden else "") for name in others]
        yield warning_note(
            message=f"The workbook has {len(names)} sheets; {read!r} was read, not {some(listed, _SHEETS)}.",
            count=len(others),
            hint=f"Choose one: --sheet {others[0]!r}.",
        )


def gap_notes(gaps: Mapping[str, Any]) -> Iterator[LoadNote]:
    """Say which cells hold an error or no result, and that rows are hidden; `gaps` are those of `bounded.sheets`."""
    if not gaps:
        return
    count, places, example = gaps["errors"]
    if count:
        yield warning_note(
            message=f"{_cells(count, places)} an error, such as {example!r}, and became missing.",
            count=count,
            hint="Mend the formula in a spreadsheet program, or count the missing values.",
            told=f"{count:,} cells held errors and became missing",
            skews=True,
        )
    count, places, _ = gaps["formulas"]
    if count:
        yield warning_note(
            message=f"{_cells(count, places)} a formula that was saved without its result, and became missing.",
            count=count,
            hint="Open it in a spreadsheet program and save it: that computes them.",
            told=f"{count:,} cells held formulas without results and became missing",
            skews=True,
        )
    if hidden := gaps["hidden"]:
        yield warning_note(
            message=f"{hidden:,} row{'' if hidden == 1 else 's'} of the sheet {'is' if hidden == 1 else 'are'} hidden, "
            "and part of the table.",
            count=hidden,
            hint="To leave hidden rows out, delete them in a copy.",
            told=f"{hidden:,} rows are hidden in the sheet and counted here",
            skews=True,
        )


def blank_notes(blank: Sequence[tuple[int, int]], start: int, columns: int) -> Iterator[LoadNote]:
    """Say how many blank rows were left out; `blank` are the places of rows and the blank ones before each."""
    count = sum(rows for place, rows in blank if place > start)
    if count:
        yield LoadNote(
            # In a table of one column, they may be meant as missing values.
            action="warning" if columns == 1 else "repaired",
            message=f"{count:,} blank row{'' if count == 1 else 's'} between records {'was' if count == 1 else 'were'} left out.",
            count=count,
        )


def merged_notes(
    merged: Sequence[tuple[int, int, int, int]], start: int, names: Mapping[int, str]
) -> Iterator[LoadNote]:
    """Say where only the first of merged cells holds their value; `start` is the place of the first record."""
    counts: Counter[str] = Counter()
    rows: dict[str, tuple[int, ...]] = {}
    for first, last, left, right in merged:
        # Merged in one row only, they are a title or a remark.
        for column in range(left, min(right, left + _WIDEST) + 1) if start <= first < last else ():
            if (name := names.get(column)) is not None:
                blank = range(first - start + 1 + (column == left), last - start + 2)
                counts[name] += len(blank)
                rows[name] = (*rows.get(name, ()), *blank[:_SHOWN_PLACES])[:_SHOWN_PLACES]
    for name, count in counts.items():
        fill = shlex.quote(f"fill missing {name} with previous")
        yield warning_note(
            message=f"{count:,} cell{'' if count == 1 else 's'} of {name!r} {'is' if count == 1 else 'are'} "
            "missing under merged cells: only the first of them holds the value.",
            column=name,
            rows=rows[name],
            count=count,
            hint=f"To repeat it: tabchat edit FILE {fill} -o NEW_FILE",
            told=f"{count:,} cells are missing under merged ones",
            skews=True,
        )


def _cells(count: int, places: Sequence[str]) -> str:
    listed = ", ".join(places) + (" …" if count > len(places) else "")
    return f"{count:,} cell{'' if count == 1 else 's'} ({listed}) {'holds' if count == 1 else 'hold'}"


_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_SHOWN: Final = 8
_BOOT: Final = (
    "import sys; sys.path += sys.argv[2:]; from tabchat.engine.bounded.sheets import main; main(sys.argv[1])"
)


@contextlib.contextmanager
def _reading(path: Path, wanted: str | None) -> Iterator[Iterator[Any]]:
    """Yield what a process of its own says of a workbook: the names of its sheets, then the name and the rows of one.

    Raises `InputError` for one that is damaged, protected by a password, or larger than it can be.
    """
    _refuse_encrypted(path)
    command = [sys.executable, "-I", "-B", "-c", _BOOT, json.dumps(wanted)]
    # A stream rather than a path: names need not be UTF-8, nor have the right suffix.
    with path.open("rb") as file, ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                [*command, *library_folders("tabchat", "python_calamine")],
                env={},
                cwd="/",
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )
        stack.callback(process.kill)
        yield _told(path, process)


def _told(path: Path, process: subprocess.Popen[bytes]) -> Iterator[Any]:
    for line in lines_of(process.stdout or ()):
        match line:
            case {"password": _}:
                raise _protected(path)
            case {"damaged": reason}:
                message = f"{path.name!r} cannot be read as a workbook: {reason}."
                raise InputError(message, hint="Open it in a spreadsheet program and save it anew.")
            case list() | {"sheets": _} | {"sheet": _}:
                yield line
            case _:
                return
    message = f"{path.name!r} cannot be read as a workbook: it takes too much memory, or is damaged."
    raise InputError(message, hint="Open it in a spreadsheet program, and save the sheet as CSV.")


def _refuse_encrypted(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(8).startswith(b"\xd0\xcf\x11\xe0") and _ENCRYPTED in file.read(1 << 24):
            raise _protected(path)


def _protected(path: Path) -> InputError:
    message = f"{path.name!r} is protected by a password."
    return InputError(message, hint="Open it in a spreadsheet program and save a copy without a password.")


def load_workbook(path: Path, options: ReadOptions, connection: Connection) -> Loaded:
    """Read one sheet: the one that was asked for, else the first that holds anything, a hidden one only if no other does."""
    found, rows, notes = _pick(path, options.sheet)
    texts = [[_as_text(cell) for cell in row] for row in rows[:200]]
    layout = lay_out(texts, header=options.header)
    start = layout.titles + (layout.header is not None)
    width = max(map(len, rows))
    header = [*(layout.header or []), *[""] * width][:width]
    body = [row for row in rows[start:] if any(cell != "" for cell in row)]
    used = [i for i in range(width) if header[i] or any(i < len(row) and row[i] != "" for row in body)]
    staging = Staging(path=connection.workspace / "rows.csv")
    # Every column exists from the first record on, so that those without cells are kept too.
    labels = [(i, header[i]) for i in used]
    formats = column_formats(found["gaps"].get("formats", ()), rows, start)
    staging.write(_records(body, labels, formats))
    if not body:
        staging.declare(labels)
    for i, shape in formats.items():
        if (column := staging.columns.get(i)) is not None:
            column.unit, column.codes = shape.unit, shape.zeros > 0
    notes += report.above_notes(layout, "row")
    names = [label or f"column_{i + 1}" for i, label in labels]
    notes += report.layout_notes(layout, Dialect(delimiter=","), names, len(body))
    shown = {i: name for (i, _), name in zip(labels, names, strict=True)}
    notes += gap_notes(found["gaps"])
    notes += format_notes(formats, shown)
    notes += merged_notes(found["merged"], start, shown)
    notes += blank_notes(found["blank"], start, len(labels))
    facts = LoadReport(input_format="xlsx", sheet=found["sheet"], notes=tuple(notes))
    return load_staged(staging, options, connection, facts=facts)


def _pick(path: Path, wanted: str | None) -> tuple[dict[str, Any], list[list[Any]], list[LoadNote]]:
    with _reading(path, wanted) as lines:
        sheets = next(lines)
        names: list[str] = sheets["sheets"]
        if wanted is not None and wanted not in names:
            import difflib

            close = difflib.get_close_matches(wanted, names, n=1) or names
            hint = f"Sheets: {some([*map(repr, close)], _SHOWN)}. Choose one with --sheet."
            raise InputError(f"{path.name!r} has no sheet {wanted!r}.", hint=hint)
        for found in lines:
            rows = [row for some in lines for row in some]
            notes = choice_notes(found["sheet"], names, sheets["hidden"]) if wanted is None else []
            return found, rows, [*notes]
    message = f"{path.name!r} has no sheet with cells."
    if wanted:
        message = f"{path.name!r} holds nothing in {wanted!r}."
    elif len(names) > MOST_SHEETS:
        message = f"{path.name!r} has no cells in the first {MOST_SHEETS:,} of its {len(names):,} sheets."
    raise InputError(message, hint=f"Sheets: {some([*map(repr, names)], _SHOWN)}.")


def _records(
    body: list[list[Any]], labels: list[tuple[int, str]], formats: Mapping[int, ColumnFormat]
) -> Iterator[Iterator[tuple[Hashable, str, Any]]]:
    columns = [(i, label, _reading_of(formats.get(i))) for i, label in labels]
    for row in body:
        yield ((i, label, value(row[i]) if i < len(row) else None) for i, label, value in columns)


def _reading_of(shape: ColumnFormat | None) -> Callable[[Any], Any]:
    reading = shape.reading if shape else None
    if reading is None:
        return _value

    def read(cell: Any) -> Any:
        return reading(cell) if type(cell) in (float, int) else _value(cell)

    return read


def _value(cell: Any) -> Any:
    """Return a cell as the value that a person sees: whole numbers without a fraction, blanks as missing."""
    match cell:
        case "":
            return None
        case float() if cell.is_integer() and abs(cell) < 2**53:
            return int(cell)
        case dt.datetime() if cell.time() == dt.time():
            return cell.date()
        case _:
            return cell


def _as_text(cell: Any) -> str:
    value = _value(cell)
    return "" if value is None else str(value)
