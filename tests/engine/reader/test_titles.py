"""What stands above a table, as banks and offices write it, is no part of it; records are never taken for such."""

import datetime as dt
import io
from typing import Any

import pytest
import xlsxwriter

from tests.engine.reader.conftest import Reader

HEADER = "Booked;Value date;Text;Amount\n"
BOOKED = "22.01.2024;23.01.2024;Rent;-10,50\n05.01.2024;05.01.2024;Wage;1.020,00\n07.02.2024;08.02.2024;Tea;-3,25\n"


@pytest.mark.parametrize(
    "above, titles",
    [
        ('"Account:";"0012 / Giro"\n\n"From:";"01.01.2024"\n"Balance:";"12,00 EUR"\n\n', 3),
        ("Account:;0012;;;;\n;;;;;\nFrom:;01.01.2024;;;;\n", 3),
        ("Statement\nAccount:;0012\n", 2),
        ("Account:;0012\nall bookings\n", 2),
    ],
)
def test_facts_above_a_header_are_left_out_and_told(reader: Reader, above: str, titles: int) -> None:
    # The facts of an account are fewer than half of a record's cells.
    wide = "".join(f"{line};x;\n" for line in BOOKED.splitlines())
    text = above + HEADER.strip() + ";Purpose;Note\n" + wide
    found = reader.text(text)
    assert found.names == ["Booked", "Value date", "Text", "Amount", "Purpose", "Note"]
    assert found.column("Amount") == [-10.5, 1020, -3.25]
    (note,) = found.notes("warning")
    assert (note.count, note.message) == (
        titles,
        f"{titles} lines above the header were left out of the table.",
    )


@pytest.mark.parametrize(
    "text, rows",
    [
        ("a;b\n1;2;3;4;5\n6;7;8;9;0\n1;2;3;4;5\n", 3),
        ("1;2\n1;2;3;4;5\n6;7;8;9;0\n1;2;3;4;5\n", 4),
        ("a;b\nc;d;;;\ne;f;g;h;i\nj;k;l;m;n\n", 3),
        ("a;b;;;\n1;2;3;4;5\n6;7;8;9;0\n", 2),
    ],
)
def test_short_records_without_a_header_below_stay(reader: Reader, text: str, rows: int) -> None:
    found = reader.text(text)
    assert found.table.row_count == rows
    assert not any("above the header" in note.message for note in found.notes("warning"))


@pytest.mark.parametrize("rows", [2, 3, 60, 400])
def test_a_comma_in_every_record_makes_no_title_of_a_header(reader: Reader, rows: int) -> None:
    record = "x{}\t{},50 €\t{},25\tMay 05, 2010\n"
    found = reader.text("label\tn\tm\td\n" + "".join(record.format(n, n, n) for n in range(rows)))
    assert found.names == ["label", "n", "m", "d"]
    assert found.column("n") == [n + 0.5 for n in range(rows)]
    assert found.notes("warning") == []


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
@pytest.mark.parametrize("above", [[], [["Движение за год"]]])
def test_names_over_several_columns_are_joined_to_those_below(
    reader: Reader, name: str, above: list[list[str]]
) -> None:
    rows: list[list[Any]] = [
        *above,
        ["Товар", "Приход", "", "Расход", ""],
        ["", "кол-во", "сумма", "кол-во", "сумма"],
        *(["Стол", 1, 100, 2, 150], ["Стул", 3, 40, 1, 20], ["Шкаф", 5, 60, 4, 50]),
    ]
    content: str | bytes = "".join(";".join(map(str, row)) + "\n" for row in rows)
    if name == "t.xlsx":
        out = io.BytesIO()
        with xlsxwriter.Workbook(out) as book:
            sheet = book.add_worksheet()
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
        content = out.getvalue()
    found = reader.text(content, name)
    assert found.names == ["Товар", "Приход кол-во", "Приход сумма", "Расход кол-во", "Расход сумма"]
    assert found.rows == [("Стол", 1, 100, 2, 150), ("Стул", 3, 40, 1, 20), ("Шкаф", 5, 60, 4, 50)]
    assert [note.count for note in found.notes("warning")] == [1] * len(above)
    assert "were joined to one: 'Товар', 'Приход кол-во'" in found.notes("inferred")[0].message


@pytest.mark.parametrize(
    "text, names",
    [
        ("k;a;b\nx;;y\nz;u;w\nz;u;w\n", ["k", "a", "b"]),
        ("k;v;\nx;1;2\ny;3;4\nz;5;6\n", ["k", "v", "column_3"]),
        ("k;v;n\nx;y;\nz;1;2\nz;1;2\n", ["k", "v", "n"]),
    ],
)
def test_records_below_a_header_are_not_joined_to_it(reader: Reader, text: str, names: list[str]) -> None:
    assert reader.text(text).names == names


def test_a_blank_record_below_a_title_is_no_header(reader: Reader) -> None:
    found = reader.text("Отчёт\n;\nТовар;Сумма\nСтол;1,5\nСтул;2,5\n")
    assert (found.names, found.rows) == (["Товар", "Сумма"], [("Стол", 1.5), ("Стул", 2.5)])


def test_a_month_between_points(reader: Reader) -> None:
    found = reader.text("d;v\n05.янв.2024;1\n6.лют.2024;2\n")
    assert found.column("d") == [dt.date(2024, 1, 5), dt.date(2024, 2, 6)]


CELLS = "N,1,2,3,4\nS,5,6,7,8\n"
YEARS = ["Region", "Sales 2023", "Sales 2024", "Cost 2023", "Cost 2024"]


@pytest.mark.parametrize(
    "text, names",
    [
        ("Region,Sales,,Cost,\n,2023,2024,2023,2024\n", YEARS),
        (",Sales,,Cost,\nRegion,2023,2024,2023,2024\n", YEARS),
        (
            "Region,Sales,,Cost,\n,2024-01-01,2024-02-01,total,share\n",
            ["Region", "Sales 2024-01-01", "Sales 2024-02-01", "Cost total", "Cost share"],
        ),
        (
            ",Sales,,Cost,\nRegion,plan,fact,plan,fact\n",
            ["Region", "Sales plan", "Sales fact", "Cost plan", "Cost fact"],
        ),
    ],
)
def test_years_and_twins_below_names_over_several_columns_are_names(
    reader: Reader, text: str, names: list[str]
) -> None:
    found = reader.text(text + CELLS)
    assert (found.names, found.rows) == (names, [("N", 1, 2, 3, 4), ("S", 5, 6, 7, 8)])
    assert found.notes("warning") == []


@pytest.mark.parametrize(
    "text, names, count",
    [
        ("seats,\n2001,\n350,\n420,\n", ["seats", "column_2"], 3),  # nothing stands in the gap
        (",a,b\n2000,2001,2002\n1,5,6\n2,7,8\n", ["column_1", "a", "b"], 3),  # names of records are no group
        ("a,,b\n2001,2002,2003\n2004,2005,2006\n2001,2002,2003\n", ["a", "column_2", "b"], 3),
        ("From:,Bank,,\nDate,Sum,Date,Sum\n1,2,3,4\n5,6,7,8\n", ["Date", "Sum", "Date_2", "Sum_2"], 2),
    ],
)
def test_values_below_a_gap_of_the_header_stay(
    reader: Reader, text: str, names: list[str], count: int
) -> None:
    found = reader.text(text)
    assert (found.names, found.table.row_count) == (names, count)


def test_years_below_merged_names_of_a_sheet_are_names(reader: Reader) -> None:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer) as workbook:
        sheet = workbook.add_worksheet()
        sheet.merge_range(0, 0, 1, 0, "Region")
        sheet.merge_range(0, 1, 0, 2, "Sales")
        sheet.merge_range(0, 3, 0, 4, "Cost")
        for row, cells in enumerate([(2023, 2024, 2023, 2024), (1, 2, 3, 4), (5, 6, 7, 8)], start=1):
            sheet.write_row(row, 1, cells)
        sheet.write_column(2, 0, ["N", "S"])
    found = reader.text(buffer.getvalue(), "book.xlsx")
    assert (found.names, found.rows) == (YEARS, [("N", 1, 2, 3, 4), ("S", 5, 6, 7, 8)])
