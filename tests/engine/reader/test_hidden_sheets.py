"""A sheet that is hidden is read only where it is asked for, or where no other holds cells, and that is told."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import xlsxwriter

from tests.engine.reader.conftest import Reader


def hidden_sheets(path: Path, sheets: dict[str, bool], cells: Mapping[str, Sequence[Any]]) -> Path:
    with xlsxwriter.Workbook(str(path)) as book:
        pages = {name: book.add_worksheet(name) for name in sheets}
        for name, column in cells.items():
            pages[name].write_column(0, 0, column)
        shown = [name for name, hidden in sheets.items() if not hidden]
        if shown:
            pages[shown[0]].activate()
            pages[shown[0]].set_first_sheet()
        for name, hidden in sheets.items():
            if hidden:
                pages[name].hide()
    return path


def test_a_hidden_sheet_is_not_read_unless_it_is_asked_for(reader: Reader) -> None:
    sheets, cells = {"Old": True, "Now": False}, {"Old": ["x", 1], "Now": ["y", 2]}
    path = hidden_sheets(reader.folder / "t.xlsx", sheets, cells)
    found = reader.open(path)
    assert (found.names, found.table.report.sheet) == (["y"], "Now")
    (note,) = found.notes("warning")
    assert note.message == "The workbook has 2 sheets; 'Now' was read, not 'Old' (hidden)."
    asked = reader.open(path, sheet="Old")
    assert (asked.names, asked.notes("warning")) == (["x"], [])


def test_a_hidden_sheet_is_read_and_told_where_no_other_holds_cells(reader: Reader) -> None:
    path = hidden_sheets(
        reader.folder / "t.xlsx", {"Empty": False, "A": True, "B": True}, {"A": ["x", 1], "B": ["y", 2]}
    )
    found = reader.open(path)
    assert found.names == ["x"]
    hidden, others = found.notes("warning")
    assert hidden.message == "The sheet 'A', which was read, is hidden: none that is shown holds cells."
    assert others.message == "The workbook has 3 sheets; 'A' was read, not 'Empty', 'B' (hidden)."
    assert others.hint == "Choose one: --sheet 'Empty'."
