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
