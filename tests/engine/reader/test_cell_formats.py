"""Numbers of a sheet are what it shows: amounts of a currency, percentages, padded codes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from tabchat.engine.bounded.number_formats import NumberFormat, number_format
from tests.engine.reader.conftest import Reader
from tests.engine.reader.workbooks import write_workbook

EURO = NumberFormat(sign="€")
EURO_MONEY = NumberFormat(sign="€", money=True)
DOLLAR = NumberFormat(sign="$")
PERCENT = NumberFormat(percent=True)


def sheet(path: Path, columns: dict[str, Sequence[Any]], above: Sequence[tuple[Any, str]] = ()) -> Path:
    """Write columns of cells, each a value or a value with a format; `above` stand in rows of their own over the second."""
    with xlsxwriter.Workbook(str(path)) as book:
        page = book.add_worksheet()
        for row, (value, code) in enumerate(above):
            page.write(row, 0, "a title")
            page.write(row, 1, value, book.add_format({"num_format": code}))
        top = len(above)
        for column, (name, cells) in enumerate(columns.items()):
            page.write(top, column, name)
            for row, cell in enumerate(cells, start=top + 1):
                value, code = cell if isinstance(cell, tuple) else (cell, "General")
                page.write(row, column, value, book.add_format({"num_format": code}))
    return path


@pytest.mark.parametrize(
    "code, told",
    [
        ('"€"#,##0', EURO),
        ("#,##0.00\\ €", EURO),
        ('General" €"', EURO),
        ("#,##0.00 [$€-407]", EURO_MONEY),
        ("[$€-2]\\ #,##0.00;[Red]\\-[$€-2]\\ #,##0.00", EURO_MONEY),
        ('_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', EURO),
        ('_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', DOLLAR),
        ('("$"#,##0)', DOLLAR),
        ("[$R$-416] 0.00", NumberFormat(sign="R$", money=True)),
        ("0.00\\ \\U\\S\\D", NumberFormat(sign="USD")),
        ('0.0"%"', NumberFormat(sign="%")),
        ('0" kg"', NumberFormat(sign="kg")),
        ("0%", PERCENT),
        ("0.00 %;[Red]-0.00%", PERCENT),
        ("00000", NumberFormat(zeros=5)),
        ("00000_);(00000)", NumberFormat(zeros=5)),
    ],
)
def test_what_a_format_tells(code: str, told: NumberFormat) -> None:
    assert number_format(code) == told


@pytest.mark.parametrize(
    "code",
    [
        *("", "General", "0", "0.00", "#,##0", "#,##0.0,,", "0.00E+00", "# ?/?", "@", ";;;", '"";"$"0'),
        *("[$-409]#,##0", "[$-F800]dddd", "[Red]0;[Blue]-0", "[>=100]0", "[h]:mm", "yyyy-mm-dd"),
        *("_($* ", '"', '"€', "[", "[$", "[$€", "\\", "_", "*", ";", "[[[[", "0%%", '"a sentence about"0'),
        *(
            "000\\-00\\-0000",
            "0.000",
            "0" * 21,
            "0" * 300,
            '"€"' + "#" * 300,
            '"\u202e"0',
            "€" * 10_000 + "0",
        ),
    ],
)
def test_formats_that_tell_nothing(code: str) -> None:
    assert number_format(code) is None


def test_amounts_in_several_currencies_are_told(reader: Reader) -> None:
    path = sheet(reader.folder / "t.xlsx", {"k": "abc", "v": [(100, '"€"#,##0'), (200, '"$"#,##0'), 300]})
    found = reader.open(path)
    assert (found.column("v"), found.units) == ([100, 200, 300], {})
    (note,) = found.notes("warning")
    assert note.message == (
        "Numbers of 'v' are in several units by their formats, such as '€' and '$', which were dropped."
    )
    assert (note.column, note.rows, note.count, note.skews) == ("v", (2,), 1, True)
    assert note.told == "numbers in several units by their formats, which were dropped"


@pytest.mark.parametrize(
    "code, unit",
    [
        ('_("$"* #,##0.00_)', "$"),
        ("#,##0.00 [$€-407]", "€"),
        ('0.00" грн."', "₴"),
        ("[$R$-416] 0", None),
        ('0" kg"', None),
    ],
)
def test_a_currency_of_nearly_all_numbers_is_their_unit(reader: Reader, code: str, unit: str | None) -> None:
    cells = [(1.5, code), (2.5, code), (3.5, code), (4.5, code), 5.5]
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "abcde", "v": cells}))
    assert found.column("v") == [1.5, 2.5, 3.5, 4.5, 5.5]
    assert found.units == ({"v": unit} if unit else {})
    assert found.notes("warning") == []


def test_a_currency_of_few_numbers_is_no_unit_of_all(reader: Reader) -> None:
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "abc", "v": [(1, '"$"0'), 2, 3]}))
    assert (found.units, found.notes("warning")) == ({}, [])


def test_percentages_are_those_of_the_same_text(reader: Reader) -> None:
    rates = [(0.0875, "0.00%"), (0.07, "0%"), (0.055, "0.0%"), None, (1e-7, "0.00%")]
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "abcde", "rate": rates}))
    text = reader.text("k,rate\na,8.75%\nb,7%\nc,5.5%\nd,\ne,0.00001%\n")
    assert (found.column("rate"), found.units) == (text.column("rate"), text.units)
    assert (found.types, found.notes("warning")) == (text.types, [])


def test_a_quoted_percent_sign_multiplies_nothing(reader: Reader) -> None:
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "ab", "rate": [(8.75, '0.0"%"'), (5, '0"%"')]}))
    assert (found.column("rate"), found.units) == ([8.75, 5], {"rate": "%"})


def test_a_number_among_percentages_is_read_like_them_and_told(reader: Reader) -> None:
    rates = [*[(0.05, "0%")] * 9, 0.5]
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "abcdefghij", "rate": rates}))
    assert (found.column("rate"), found.units) == ([5] * 9 + [50], {"rate": "%"})
    (note,) = found.notes("warning")
    assert note.message.startswith(
        "1 number of 'rate' has not the format of the others, which are percentages"
    )
    assert (note.count, note.skews) == (1, True)


@pytest.mark.parametrize("other", ["General", '"$"0'])
def test_some_percentages_stay_shares_of_one_and_are_told(reader: Reader, other: str) -> None:
    cells = [(0.05, "0%"), (7, other), (8, other)]
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "abc", "v": cells}))
    assert (found.column("v"), found.units) == ([0.05, 7, 8], {})
    (note,) = found.notes("warning")
    assert "5%" in note.message
    assert (note.count, note.skews) == (1, True)


def test_padded_codes_are_text_as_in_a_text(reader: Reader) -> None:
    codes = [(1234, "00000"), (99999, "00000"), (0, "00000")]
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "abc", "code": codes}))
    text = reader.text("k,code\na,01234\nb,99999\nc,00000\n")
    assert (found.rows, found.types) == (text.rows, text.types)
    assert found.notes("inferred", "code") == text.notes("inferred", "code")
    assert reader.open(reader.folder / "t.xlsx", types=(("code", "number"),)).column("code") == [
        1234,
        99999,
        0,
    ]


@pytest.mark.parametrize("numbers", [[12345, 99999], [1234, 2.5], [1234, -1], [1234, 1e16]])
def test_numbers_that_are_no_padded_codes_stay_numbers(reader: Reader, numbers: list[float]) -> None:
    path = sheet(reader.folder / "t.xlsx", {"k": "ab", "code": [(n, "00000") for n in numbers]})
    assert reader.open(path).column("code") == numbers


def test_a_code_without_the_format_of_the_others_is_padded_and_told(reader: Reader) -> None:
    codes = [*[(7, "000")] * 9, 8]
    found = reader.open(sheet(reader.folder / "t.xlsx", {"k": "abcdefghij", "code": codes}))
    assert found.column("code")[-2:] == ["007", "008"]
    (note,) = found.notes("warning")
    assert (note.column, note.count, note.skews) == ("code", 1, False)


def test_formats_of_titles_are_none_of_the_table(reader: Reader) -> None:
    columns = {"k": "abc", "v": [(n, '"€"0') for n in (1, 2, 3)], "w": [1, 2, 3], "x": "def"}
    path = sheet(reader.folder / "t.xlsx", columns, above=[(5000, '"$"#,##0'), (0.05, "0%")])
    found = reader.open(path)
    assert (found.column("v"), found.units) == ([1, 2, 3], {"v": "€"})
    (note,) = found.notes("warning")
    assert "above the header" in note.message


def test_formats_of_many_rows_are_counted_and_the_first_other_is_found(reader: Reader) -> None:
    cells = [(n, '"€"0') for n in range(1, 1001)]
    cells[149] = (150, '"$"0')
    cells[899] = (900, '"$"0')
    (note,) = reader.open(sheet(reader.folder / "t.xlsx", {"k": [*range(1000)], "v": cells})).notes("warning")
    assert (note.rows, note.count) == ((150,), 2)


def test_dates_and_words_have_no_units(reader: Reader) -> None:
    path = sheet(reader.folder / "t.xlsx", {"k": [("a", "0%"), ("b", "0%")], "v": [(1, "yyyy"), (2, "yyyy")]})
    found = reader.open(path)
    assert (found.types["k"], found.types["v"], found.units) == ("VARCHAR", "DATE", {})


@pytest.mark.parametrize(
    "styles",
    [
        "",
        '<styleSheet><numFmts><numFmt numFmtId="' + "9" * 5000 + '" formatCode="0%"/></numFmts></styleSheet>',
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="' + '[$"' * 9000 + '"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
        '<styleSheet><cellXfs><xf numFmtId="0"/><xf/><xf numFmtId="x"/></cellXfs></styleSheet>',
    ],
)
def test_broken_styles_tell_nothing(reader: Reader, styles: str) -> None:
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>v</t></is></c></row><row r="2"><c r="A2" s="1"><v>7</v></c></row>'
    found = reader.open(write_workbook(reader.folder / "t.xlsx", rows, styles=styles))
    assert (found.column("v"), found.units, found.notes("warning")) == ([7], {}, [])


@pytest.mark.parametrize("first", ['<xf numFmtId="0"/>', "<xf/>", "<x:xf />"])
def test_a_bracket_within_a_format_does_not_end_it(reader: Reader, first: str) -> None:
    styles = (
        "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='[>=100]\"$\"0;0'/></numFmts>"
        f'<cellXfs>{first}<xf numFmtId="164"/></cellXfs></styleSheet>'
    )
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>v</t></is></c></row><row r="2"><c r="A2" s="1"><v>700</v></c></row>'
    found = reader.open(write_workbook(reader.folder / "t.xlsx", rows, styles=styles))
    assert (found.column("v"), found.units) == ([700], {"v": "$"})


@pytest.mark.parametrize(
    "cell", ['<c r="B{n}" s="{s}"><v>{n}</v></c>', "<c r='B{n}' s='{s}' t='n'><f>1</f><v>{n}</v></c>"]
)
@pytest.mark.parametrize("styles", [3, 300])
def test_every_style_of_a_currency_counts_however_many_there_are(
    reader: Reader, styles: int, cell: str
) -> None:
    part = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='[$€-407]0'/></numFmts><cellXfs>"
    part += '<xf numFmtId="164"/>' * (styles + 1) + "</cellXfs></styleSheet>"
    rows = '<row r="1"><c r="A1" t="str"><v>k</v></c><c r="B1" s="1" t="str"><v>v</v></c></row>'
    for n in range(2, styles + 2):
        rows += f'<row r="{n}"><c r="A{n}" s="1"/>{cell.format(n=n, s=n - 1)}</row>'
    found = reader.open(write_workbook(reader.folder / "t.xlsx", rows, styles=part))
    assert (found.table.row_count, found.units) == (styles, {"v": "€"})
