"""What a spreadsheet shows and its table has not is told: errors, results that were not saved, merged cells."""

import pytest
import xlsxwriter

from tests.engine.reader.conftest import Reader
from tests.engine.reader.workbooks import write_workbook

HEADER = '<row r="1"><c r="A1" t="inlineStr"><is><t>k</t></is></c><c r="B1" t="inlineStr"><is><t>v</t></is></c></row>'


def row(number: int, cell: str) -> str:
    return f'<row r="{number}"><c r="A{number}"><v>{number}</v></c>{cell}</row>'


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
        '<c r="B3" s="1" t="e"><v>#N/A</v></c>',
        "<c r='B3' t='e'><f ca='1'/><v>#REF!</v></c>",
    ],
)
def test_errors_are_missing_and_told(reader: Reader, cell: str) -> None:
    rows = HEADER + row(2, '<c r="B2"><v>5</v></c>') + row(3, cell)
    found = reader.open(write_workbook(reader.folder / "t.xlsx", rows))
    assert found.column("v") == [5, None]
    (note,) = found.notes("warning")
    assert note.message.startswith("1 cell (B3) holds an error, such as '#")
    assert note.count == 1


@pytest.mark.parametrize(
    "cell",
    ['<c r="B3"><f>A3*2</f></c>', '<c r="B3" s="1"><f>A3*2</f><v/></c>', '<c r="B3"><f>A3</f><v></v></c>'],
)
def test_a_formula_without_a_result_is_told(reader: Reader, cell: str) -> None:
    rows = HEADER + row(2, '<c r="B2"><f>A2*2</f><v>4</v></c>') + row(3, cell)
    found = reader.open(write_workbook(reader.folder / "t.xlsx", rows))
    assert found.column("v") == [4, None]
    (note,) = found.notes("warning")
    assert (
        note.message == "1 cell (B3) holds a formula that was saved without its result, and became missing."
    )


def test_results_and_blank_cells_are_no_gaps(reader: Reader) -> None:
    rows = (
        HEADER
        + row(2, '<c r="B2"><f>A2*2</f><v>4</v></c>')
        + row(3, '<c r="B3" t="str"><f>T(1)</f><v></v></c>')
    )
    assert (
        reader.open(write_workbook(reader.folder / "t.xlsx", rows + row(4, '<c r="B4"/>'))).notes("warning")
        == []
    )


def test_gaps_are_counted_across_the_pieces_of_a_large_sheet(reader: Reader) -> None:
    cell = '<c r="B{}" t="e"><f>NA()</f><v>#N/A</v></c>'
    rows = "".join(row(n, cell.format(n)) for n in range(2, 30_002))
    found = reader.open(write_workbook(reader.folder / "t.xlsx", HEADER + rows))
    (note,) = found.notes("warning")
    assert note.count == found.table.row_count == 30_000
    assert "(B2, B3, B4, B5, B6 …)" in note.message


def test_merged_and_hidden_rows_are_told(reader: Reader) -> None:
    path = reader.folder / "t.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("A & B")
        sheet.merge_range("B2:D2", "Report")
        sheet.write_row("B4", ["region", "city", "v"])
        sheet.merge_range("B5:B7", "North")
        for place, city in enumerate("xyz", start=5):
            sheet.write_row(f"C{place}", [city, place])
        sheet.merge_range("B8:D8", "a remark")
        sheet.set_row(5, None, None, {"hidden": True})
    found = reader.open(path)
    assert found.column("region") == ["North", None, None, "a remark"]
    hidden, merged, remark = (n for n in found.notes("warning") if "above the header" not in n.message)
    assert remark.rows == (4,)
    assert (hidden.count, hidden.message) == (1, "1 row of the sheet is hidden, and part of the table.")
    assert (merged.column, merged.rows, merged.count) == ("region", (2, 3), 2)


@pytest.mark.parametrize("columns, action", [(1, "warning"), (3, "repaired")])
def test_blank_rows_between_records_are_told(reader: Reader, columns: int, action: str) -> None:
    path = reader.folder / "t.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.write_row(2, 0, ["v", "w", "x"][:columns])
        for place, first in [(4, 1), (5, 2), (8, 3)]:
            sheet.write_row(place, 0, [first, 7, 8][:columns])
    found = reader.open(path)
    assert found.column("v") == [1, 2, 3]
    assert [n.message for n in found.notes(action) if "blank" in n.message] == [
        "2 blank rows between records were left out."
    ]
