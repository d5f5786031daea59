"""`tabchat check`: every flaw that was planted is found, with its rows; a table without flaws has no finding."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.command import tabchat

DAYS = [str(date(2024, 1, 1) + timedelta(days=day)) for day in range(84)]


def table(path: Path, **columns: list[str]) -> Path:
    lines = [",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def clean() -> dict[str, list[str]]:
    return {
        "id": [str(1000 + row) for row in range(84)],
        "day": list(DAYS),
        "size": [str(20 + row * 7 % 11) for row in range(84)],
        "note": [f"word {chr(97 + row % 26)}" for row in range(84)],
    }


def found(path: Path, *options: str) -> list[dict[str, Any]]:
    done = tabchat("check", path, "--json", *options)
    assert done.code == 0, done.err
    findings: list[dict[str, Any]] = done.json["findings"]
    return findings


def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", **clean())
    assert found(path) == []
    assert tabchat("check", path).err == "t: nothing found in 84 rows\n"


@pytest.mark.parametrize(
    "kind, column, row, value, words",
    [
        ("missing", "size", 5, "", "without a value"),
        ("outliers", "size", 5, "900", "more than 1.5 interquartile ranges outside the quartiles"),
        ("keys", "id", 5, "1000", "with an earlier value again"),
        ("encoding", "note", 5, "caf\ufffd", "wrong encoding"),
        ("mixed", "size", 5, "many", "without a number, where most values are one"),
        ("gaps", "day", 83, "2024-09-01", "more than 3 days after the row before, where 1 is usual"),
        ("disorder", "day", 50, DAYS[20], "behind rows of a later time in the file"),
    ],
)
def test_one_flaw_is_found_with_its_rule_and_its_row(
    tmp_path: Path, kind: str, column: str, row: int, value: str, words: str
) -> None:
    columns = clean()
    columns[column][row] = value
    options = ["--type", "size=text"] if kind == "mixed" else []
    findings = [
        item for item in found(table(tmp_path / "t.csv", **columns), *options) if item["kind"] == kind
    ]
    (finding,) = findings
    assert (finding["column"], finding["count"]) == (column, 1)
    assert words in finding["text"]
    shown = tabchat("show", finding["data_key"], "--json").json["table"]
    cells = dict(zip(shown["columns"], shown["rows"][0], strict=True))
    assert cells["note"] == columns["note"][row]


def test_long_gaps_are_told_in_whole_days(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("day,v\n0001-01-01,1\n1900-01-01,2\n2024-05-05,3\n9999-12-31,4\n")
    (gap,) = (item for item in found(path) if item["kind"] == "gaps")
    assert "more than 2,080,785 days after the row before, where 693,595 is usual" in gap["text"]


def test_repeated_rows_and_useless_columns_come_with_the_edit_that_mends_them(tmp_path: Path) -> None:
    columns = clean() | {"same": ["x"] * 84, "empty col": [""] * 84}
    for cells in columns.values():
        cells.append(cells[0])
    path = table(tmp_path / "t.csv", **columns)
    findings = {item["kind"]: item for item in found(path)}
    assert findings["duplicates"]["count"] == 1
    assert (findings["constant"]["column"], findings["constant"]["data_key"]) == ("empty col", None)
    done = tabchat("check", path)
    assert "constant   same: 85 rows with the same value." in done.out
    mending = [line.strip() for line in done.out.splitlines() if "tabchat edit" in line]
    assert any("'remove duplicates'" in line for line in mending)
    assert any("'drop column same'" in line for line in mending)
    for item in found(path):
        if item["mend"] is not None:
            assert tabchat("edit", path, item["mend"]).code == 0


def test_hostile_names_are_checked_and_drawn_inert(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"a ""b""\x1b[31m",and,{x}\n1,,2\n1,5,\n', encoding="utf-8")
    done = tabchat("check", path)
    assert done.code == 0
    assert "\x1b" not in done.out + done.err
    assert "missing    and: 1 row without a value." in done.out
    assert "missing    {x}: 1 row without a value." in done.out


def test_no_command_is_offered_that_would_drop_another_column(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,"a"""\n1,x\n2,x\n', encoding="utf-8")
    (finding,) = found(path)
    assert (finding["kind"], finding["column"], finding["mend"]) == ("constant", 'a"', None)
    assert "tabchat edit" not in tabchat("check", path).out


def test_no_command_is_offered_for_a_file_whose_name_cannot_be_printed(tmp_path: Path) -> None:
    path = table(tmp_path / "t\x1b.csv", a=["1", "2"], b=["x", "x"])
    done = tabchat("check", path)
    assert "with the same value" in done.out
    assert "tabchat edit" not in done.out


def test_an_empty_table_has_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n")
    assert found(path) == []


def test_totals_and_letters_that_look_alike_are_found(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("k;v\nІнтернет;1\nIнтернет;2\nUSB-кабель;4\nРазом за рік;7\n", encoding="utf-8")
    findings = found(path)
    assert [(one["kind"], one["column"], one["count"]) for one in findings] == [
        ("totals", "k", 1),
        ("letters", "k", 1),
    ]
    assert "Разом за рік" in findings[0]["text"]
    shown = [tabchat("show", one["data_key"], "--format", "csv").out for one in findings]
    assert "Разом за рік,7" in shown[0]
    assert "Iнтернет,2" in shown[1]
