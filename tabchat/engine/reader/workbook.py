"""Workbooks (XLSX and the other formats that calamine reads): one sheet becomes one table."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from tabchat.engine.reader import report
from tabchat.engine.reader.dialect import Dialect, lay_out
from tabchat.engine.reader.staging import Staging, load_staged
from tabchat.engine.table import LoadNote, LoadReport
from tabchat.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path

    from python_calamine import CalamineWorkbook

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.table import ReadOptions

_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def open_workbook(path: Path) -> CalamineWorkbook:
    """Open a workbook; raise `InputError` when it is damaged or protected by a password."""
    import python_calamine

    protected = f"{path.name!r} is protected by a password."
    unlock = "Open it in a spreadsheet program and save a copy without a password."
    with path.open("rb") as file:
        if file.read(8).startswith(b"\xd0\xcf\x11\xe0") and _ENCRYPTED in file.read(1 << 24):
            raise InputError(protected, hint=unlock)
    try:
        # A stream rather than a path: names need not be UTF-8, nor have the right suffix.
        with path.open("rb") as file:
            return python_calamine.CalamineWorkbook.from_filelike(file)
    except python_calamine.PasswordError as error:
        raise InputError(protected, hint=unlock) from error
    except (python_calamine.CalamineError, OSError) as error:
        message = f"{path.name!r} cannot be read as a workbook: {error}."
        raise InputError(message, hint="Open it in a spreadsheet program and save it anew.") from error


def load_workbook(path: Path, options: ReadOptions, connection: Connection) -> Loaded:
    """Read one sheet: the one that was asked for, else the first that holds anything."""
    workbook = open_workbook(path)
    sheet, rows, notes = _pick(workbook, path, options.sheet)
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
    staging.write(_records(body, labels))
    if not body:
        staging.declare(labels)
    if layout.titles:
        message = f"{layout.titles} row(s) above the header were left out of the table."
        told = report.left_out_above(layout.titles, "row")
        notes.append(LoadNote(action="warning", message=message, count=layout.titles, told=told))
    names = [label or f"column_{i + 1}" for i, label in labels]
    notes += report.layout_notes(layout, Dialect(delimiter=","), names, len(body))
    facts = LoadReport(input_format="xlsx", sheet=sheet, notes=tuple(notes))
    return load_staged(staging, options, connection, facts=facts)


def _pick(
    workbook: CalamineWorkbook, path: Path, wanted: str | None
) -> tuple[str, list[list[Any]], list[LoadNote]]:
    names = list(workbook.sheet_names)
    if wanted is not None and wanted not in names:
        import difflib

        close = difflib.get_close_matches(wanted, names, n=1) or names
        message = f"{path.name!r} has no sheet {wanted!r}."
        raise InputError(message, hint=f"Sheets: {', '.join(map(repr, close))}. Choose one with --sheet.")
    for name in [wanted] if wanted is not None else names:
        rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True)
        rows = [row for row in rows if any(cell != "" for cell in row)]
        if rows:
            others = [other for other in names if other != name]
            return name, rows, [_others(name, others)] if others and wanted is None else []
    shown = repr(wanted) if wanted is not None else "no sheet"
    message = (
        f"{path.name!r} holds nothing in {shown}." if wanted else f"{path.name!r} has {shown} with cells."
    )
    raise InputError(message, hint=f"Sheets: {', '.join(map(repr, names))}.")


def _others(name: str, others: list[str]) -> LoadNote:
    listed = ", ".join(map(repr, others[:8])) + (" …" if len(others) > 8 else "")  # noqa: PLR2004
    message = f"The workbook has {len(others) + 1} sheets; {name!r} was read, not {listed}."
    return LoadNote(
        action="warning", message=message, count=len(others), hint=f"Choose one: --sheet {others[0]!r}."
    )


def _records(
    body: list[list[Any]], labels: list[tuple[int, str]]
) -> Iterator[Iterator[tuple[Hashable, str, Any]]]:
    for row in body:
        yield ((i, label, _value(row[i]) if i < len(row) else None) for i, label in labels)


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
