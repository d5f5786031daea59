"""What cells become: numbers, dates, truths, missing values, and text that must stay text."""

import datetime as dt
from typing import Any

import pytest

from tests.engine.reader.conftest import Reader

D = dt.date
T = dt.datetime


def table(cells: list[str], delimiter: str = ";") -> str:
    """Write one column of interest beside a column of words."""
    lines = [f'"{cell}"{delimiter}word{i}' for i, cell in enumerate(cells)]
    return "\n".join([f"value{delimiter}word", *lines]) + "\n"


@pytest.mark.parametrize(
    "cells, sql_type, values, unit",
    [
        (["1", "-2", "30"], "BIGINT", [1, -2, 30], None),
        (["1,234", "12", "1,234,567"], "BIGINT", [1234, 12, 1234567], None),
        (["1.5", "-2", ".5", "5.", "1e3"], "DOUBLE", [1.5, -2.0, 0.5, 5.0, 1000.0], None),
        (["1,234.50", "7"], "DOUBLE", [1234.5, 7.0], None),
        (["1.234,50", "7"], "DOUBLE", [1234.5, 7.0], None),
        (["1 234,5", "12\u00a0345,25", "5\u202f000,1"], "DOUBLE", [1234.5, 12345.25, 5000.1], None),
        (["1'234.50", "2’000.25"], "DOUBLE", [1234.5, 2000.25], None),
        (["12,34,567", "1"], "BIGINT", [1234567, 1], None),
        (["$1,234.50", "-$2.00", "$-3", "($4.5)"], "DOUBLE", [1234.5, -2.0, -3.0, -4.5], "$"),
        (["12,5 €", "1.000,00 €"], "DOUBLE", [12.5, 1000.0], "€"),
        (["100 ₴", "250,50 грн"], "DOUBLE", [100.0, 250.5], "₴"),
        (["12.5%", "7 %", "-1%"], "DOUBLE", [12.5, 7.0, -1.0], "%"),
        (["12%", "7%"], "BIGINT", [12, 7], "%"),
        (["(12.5%)", "7 %", "(1,000.5 %)"], "DOUBLE", [-12.5, 7.0, -1000.5], "%"),
        (["2,5%-", "7%", "(3%)"], "DOUBLE", [-2.5, 7.0, -3.0], "%"),
        (["−5", "+3"], "BIGINT", [-5, 3], None),
        (["100.00-", "1,250.50", "3.25−"], "DOUBLE", [-100.0, 1250.5, -3.25], None),
        (["1.250,50-", "7,00 EUR-", ",5"], "DOUBLE", [-1250.5, -7.0, 0.5], "€"),
        (["9007199254740993", "1"], "BIGINT", [9007199254740993, 1], None),
        (["-9223372036854775808", "9223372036854775807"], "BIGINT", [-(2**63), 2**63 - 1], None),
        (["0", "0.123", "0.500"], "DOUBLE", [0.0, 0.123, 0.5], None),
    ],
)
def test_numbers(
    reader: Reader, cells: list[str], sql_type: str, values: list[float], unit: str | None
) -> None:
    found = reader.text(table(cells))
    assert found.types["value"] == sql_type
    assert found.column("value") == values
    assert found.units.get("value") == unit


@pytest.mark.parametrize(
    "cells, why",
    [
        (["00123", "45", "7"], "zero-padded codes"),
        (["12345678901234567890", "1"], "digit strings too long"),
        (["+380501234567", "+380671234567"], "leading plus"),
        (["$5", "€7"], "several currencies"),
        (["9007199254740993", "1.5"], "too large to be exact"),
        (["12%", "0.5"], "numbers written in different ways, such as '12%' and '0.5'"),
        (["1,5", "2.5"], "numbers written in different ways, such as '1,5' and '2.5'"),
    ],
)
def test_identifiers_stay_text_and_the_report_says_why(reader: Reader, cells: list[str], why: str) -> None:
    found = reader.text(table(cells))
    assert found.types["value"] == "VARCHAR"
    assert found.column("value") == cells
    # What does not go together is no property of identifiers: whoever asks hears of it.
    clash = why.startswith(("several", "numbers written"))
    (note,) = found.notes("warning" if clash else "inferred", "value")
    assert why in note.message
    assert note.hint == "To calculate with it: --type 'value=number'."


@pytest.mark.parametrize(
    "cells",
    [
        ["1.2.3", "4.5.6"],
        ["12 kg", "5 kg"],
        ["1,23,4", "5"],
        ["x", "y"],
        ["2024-03", "2024-04"],
    ],
)
def test_what_is_not_clearly_a_number_or_date_stays_text(reader: Reader, cells: list[str]) -> None:
    found = reader.text(table(cells))
    assert (found.types["value"], found.column("value")) == ("VARCHAR", cells)


@pytest.mark.parametrize(
    "cells, sql_type, values",
    [
        (["2024-01-31", "2024-02-01"], "DATE", [D(2024, 1, 31), D(2024, 2, 1)]),
        (["2024/1/31", "2024/2/1"], "DATE", [D(2024, 1, 31), D(2024, 2, 1)]),
        (["31.01.2024", "1.2.2024"], "DATE", [D(2024, 1, 31), D(2024, 2, 1)]),
        (["31/01/2024", "01/02/2024"], "DATE", [D(2024, 1, 31), D(2024, 2, 1)]),
        (["01/31/2024", "02/01/2024"], "DATE", [D(2024, 1, 31), D(2024, 2, 1)]),
        (["31/01/24", "01/02/99"], "DATE", [D(2024, 1, 31), D(1999, 2, 1)]),
        (["Jan 31 2024", "May 1 2024"], "DATE", [D(2024, 1, 31), D(2024, 5, 1)]),
        (["January 31, 2024", "May 1, 2024"], "DATE", [D(2024, 1, 31), D(2024, 5, 1)]),
        (["31-Jan-2024", "1-feb-2024"], "DATE", [D(2024, 1, 31), D(2024, 2, 1)]),
        (["2024-01-31", "01.02.2024"], "DATE", [D(2024, 1, 31), D(2024, 2, 1)]),
        (["5 січня 2024", "31 ГРУДНЯ 2024 р."], "DATE", [D(2024, 1, 5), D(2024, 12, 31)]),
        (["5 мая 2024 г.", "1 сент. 2023"], "DATE", [D(2024, 5, 5), D(2023, 9, 1)]),
        (["12. März 2024", "1. Juni 2024"], "DATE", [D(2024, 3, 12), D(2024, 6, 1)]),
        (["14 juillet 2024", "1 août 2024"], "DATE", [D(2024, 7, 14), D(2024, 8, 1)]),
        (["5 Jan 2024", "5 січ 2024", "2024-01-05"], "DATE", [D(2024, 1, 5)] * 3),
        (["2024-01-31 10:30:00", "2024-02-01 00:00:01"], "TIMESTAMP", [T(2024, 1, 31, 10, 30), T(2024, 2, 1, 0, 0, 1)]),
        (["2024-01-31T10:30", "2024-02-01T00:00"], "TIMESTAMP", [T(2024, 1, 31, 10, 30), T(2024, 2, 1)]),
        (["2024-01-31 10:30:00.25", "2024-02-01"], "TIMESTAMP", [T(2024, 1, 31, 10, 30, 0, 250000), T(2024, 2, 1)]),
        (["1/31/2024 5:03 PM", "2/1/2024 12:00 AM"], "TIMESTAMP", [T(2024, 1, 31, 17, 3), T(2024, 2, 1)]),
        (["2024-01-31T10:00:00Z", "2024-02-01T11:00:00Z"], "TIMESTAMP", [T(2024, 1, 31, 10), T(2024, 2, 1, 11)]),
        (["2024-01-31 10:00+02:00", "2024-07-01 10:00+03:00"], "TIMESTAMP", [T(2024, 1, 31, 8), T(2024, 7, 1, 7)]),
        (["2024-01-31 10:00+02:00", "2024-07-01 10:00+02:00"], "TIMESTAMP", [T(2024, 1, 31, 10), T(2024, 7, 1, 10)]),
        (["01.02.2024 10:00+02:00", "13.07.2024 00:30:10.5Z"], "TIMESTAMP", [T(2024, 2, 1, 8), T(2024, 7, 13, 0, 30, 10, 500000)]),
        (["10:30", "23:59:59"], "TIME", [dt.time(10, 30), dt.time(23, 59, 59)]),
        (["5:30 PM", "12:00 AM"], "TIME", [dt.time(17, 30), dt.time(0, 0)]),
    ],
)  # fmt: skip
def test_dates_and_times(reader: Reader, cells: list[str], sql_type: str, values: list[Any]) -> None:
    found = reader.text(table(cells))
    assert (found.types["value"], found.column("value")) == (sql_type, values)


@pytest.mark.parametrize(
    "cells",
    [
        *(["31.02.2024", "01.01.2024"], ["31/01/2024", "01/31/2024"], ["25:00", "10:00"]),
        *(
            ["31 лютого 2024", "1 лютого 2024"],
            ["5 січня 2024", "5 місяця 2024"],
            ["5 jui 2024", "6 juin 2024"],
        ),
    ],
)
def test_impossible_or_contradicting_dates_stay_text(reader: Reader, cells: list[str]) -> None:
    found = reader.text(table(cells))
    assert (found.types["value"], found.column("value")) == ("VARCHAR", cells)


def test_open_order_of_day_and_month_is_a_warning_with_the_flag(reader: Reader) -> None:
    text = table(["01/02/2024", "03/04/2024"])
    found = reader.text(text)
    assert found.column("value") == [D(2024, 1, 2), D(2024, 3, 4)]
    (warning,) = found.notes("warning", "value")
    assert warning.hint == "If that is wrong: --date-order dmy."
    other = reader.text(text, date_order="dmy")
    assert other.column("value") == [D(2024, 2, 1), D(2024, 4, 3)]
    assert other.notes("warning") == []


def test_another_column_settles_the_order(reader: Reader) -> None:
    found = reader.text("a;b\n01/02/2024;31/01/2024\n03/04/2024;02/01/2024\n")
    assert found.column("a") == [D(2024, 2, 1), D(2024, 4, 3)]
    assert found.notes("warning") == []


def test_open_decimal_mark_is_a_warning_and_another_column_settles_it(reader: Reader) -> None:
    found = reader.text('a,b\n"1,234",x\n"2,345",y\n')
    assert found.column("a") == [1234, 2345]
    assert found.notes("warning", "a")[0].hint == "If that is wrong: --decimal ','."
    assert reader.text('a,b\n"1,234",x\n"2,345",y\n', decimal=",").column("a") == [1.234, 2.345]
    settled = reader.text("a;b\n1,234;5,5\n2,345;6,5\n")
    assert (settled.column("a"), settled.notes("warning")) == ([1.234, 2.345], [])


@pytest.mark.parametrize(
    "cells, values",
    [
        (["true", "FALSE", "True"], [True, False, True]),
        (["yes", "No", ""], [True, False, None]),
        (["так", "ні", "Так"], [True, False, True]),
        (["да", "нет", "N/A"], [True, False, None]),
        (["Y", "N", "y"], [True, False, True]),
    ],
)
def test_truths(reader: Reader, cells: list[str], values: list[bool | None]) -> None:
    found = reader.text(table(cells))
    assert (found.types["value"], found.column("value")) == ("BOOLEAN", values)


@pytest.mark.parametrize("cells", [["yes", "нет"], ["true", "no"], ["F", "F"], ["yes", "no", "maybe"]])
def test_words_of_no_one_pair_are_not_truths(reader: Reader, cells: list[str]) -> None:
    assert reader.text(table(cells)).column("value") == cells


def test_null_words_become_missing_and_are_counted(reader: Reader) -> None:
    found = reader.text(table(["1", "N/A", "-", "null", "none", "NaN", "", "—", "2"]))
    assert found.column("value") == [1, *[None] * 7, 2]
    (note,) = found.notes("repaired", "value")
    assert (note.count, note.rows) == (6, (2, 3, 4, 5, 6))


def test_among_words_only_clear_null_words_are_missing(reader: Reader) -> None:
    found = reader.text(table(["Ann", "N/A", "none", "NA", "null", "Nan"]))
    assert found.column("value") == ["Ann", None, "none", "NA", None, "Nan"]
    (doubt,) = found.notes("inferred", "value")
    assert doubt.hint == "If they mean a missing value: --null-words 'none'."


def test_null_words_can_be_set(reader: Reader) -> None:
    found = reader.text(table(["1", "x", "-"]), null_words=("x",))
    assert found.column("value") == ["1", None, "-"]
    assert reader.text(table(["1", "x", ""]), null_words=("x",)).column("value") == [1, None, None]


def test_cells_are_trimmed_and_counted(reader: Reader) -> None:
    found = reader.text(table([" a ", "b", "\u00a0c", "\td"]))
    assert found.column("value") == ["a", "b", "c", "d"]
    (note,) = found.notes("repaired", "value")
    assert (note.count, note.rows) == (3, (1, 3, 4))


def test_nearly_numeric_column_is_text_with_the_flag_that_forces_it(reader: Reader) -> None:
    cells = [str(i) for i in range(20)] + ["a very long remark that no one expected in this place", "21"]
    found = reader.text(table(cells))
    assert found.types["value"] == "VARCHAR"
    (note,) = found.notes("warning", "value")
    assert (note.count, note.rows, note.hint) == (
        1,
        (21,),
        "To turn the rest into whole numbers: --type 'value=integer'.",
    )
    assert "'a very long remark that no one expected…'" in note.message
    forced = reader.text(table(cells), types=(("Value", "integer"),))
    assert forced.column("value") == [*range(20), None, 21]
    (rejected,) = forced.notes("rejected", "value")
    assert (rejected.count, rejected.rows) == (1, (21,))


@pytest.mark.parametrize(
    "cells, kind, values",
    [
        (["007", "8"], "number", [7.0, 8.0]),
        (["007", "8"], "integer", [7, 8]),
        (["1", "2"], "text", ["1", "2"]),
        (["1", "0", "x"], "boolean", [True, False, None]),
        (["01.02.2024", "soon"], "date", [D(2024, 2, 1), None]),
        (["2024-01-01", "x"], "datetime", [T(2024, 1, 1), None]),
        (["10:00", "x"], "time", [dt.time(10), None]),
        (["12%", "$5", "x"], "number", [12.0, 5.0, None]),
        (["12345678901234567890", "1"], "number", [12345678901234567890.0, 1.0]),
        (["x", "y"], "number", [None, None]),
        (["20240131", "1700000000", "20240231"], "date", [D(2024, 1, 31), None, None]),
        (["", ""], "date", [None, None]),
    ],
)
def test_forced_kinds(reader: Reader, cells: list[str], kind: str, values: list[Any]) -> None:
    assert reader.text(table(cells), types=(("value", kind),)).column("value") == values


@pytest.mark.parametrize(
    "cells, told",
    [
        (
            ["12%", "5"],
            ["Cells of 'value' have different units, such as '12%' and '5'; their signs were dropped."],
        ),
        (
            ["$12", "5", "€7"],
            ["Cells of 'value' have different units, such as '$12' and '€7'; their signs were dropped."],
        ),
        (["$12", "5"], []),
        (["12%", "5%"], []),
    ],
)
def test_numbers_of_different_units_are_pointed_out(
    reader: Reader, cells: list[str], told: list[str]
) -> None:
    found = reader.text(table(cells), types=(("value", "number"),))
    assert [note.message for note in found.notes("warning", "value")] == told


def test_decimal_marks_that_disagree_leave_other_columns_in_doubt(reader: Reader) -> None:
    found = reader.text("a;b;c\n1,5;2.75;1.234\n2,5;3.25;2.345\n")
    assert (found.column("a"), found.column("b")) == ([1.5, 2.5], [2.75, 3.25])
    assert "could be read either way" in found.notes("warning", "c")[0].message


def test_codes_that_read_as_powers_of_ten_are_pointed_out(reader: Reader) -> None:
    found = reader.text(table(["123", "12E4", "567"]))
    assert found.column("value") == [123.0, 120000.0, 567.0]
    (note,) = found.notes("warning", "value")
    assert "'12E4' were read as powers of ten" in note.message
    assert note.hint == "If they are codes: --type 'value=text'."
    assert reader.text(table(["1.5e3", "2"])).notes("warning") == []


def test_numbers_beyond_the_range_of_floats_stay_text(reader: Reader) -> None:
    found = reader.text(table(["1e308", "2e308"]))
    assert found.column("value") == ["1e308", "2e308"]
    assert not any("different ways" in note.message for note in found.table.report.notes)


@pytest.mark.parametrize("words", [("|",), ("|", "a\nb"), ("A", "no data", "x|y")])
def test_null_words_are_told_apart_whatever_they_hold(reader: Reader, words: tuple[str, ...]) -> None:
    cells = ["|", "A", "no", "data", "x", "y", "x|y", "no data", "Ann"]
    found = reader.text(table(cells), null_words=words)
    assert found.column("value") == [None if cell in words else cell for cell in cells]


@pytest.mark.parametrize("cell", ["N", "A", "n", "u", "ul", "N/", "|", "a|n", "/"])
def test_a_part_of_a_null_word_is_a_word(reader: Reader, cell: str) -> None:
    assert reader.text(table(["Ann", cell, "N/A"])).column("value") == ["Ann", cell, None]
