"""The example tables come out as their cleaning rules say, computed here with the csv module alone."""

import csv
import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Example
from tests.engine.reader.conftest import Reader


def raw_rows(path: Path, encoding: str, delimiter: str = ",") -> list[list[str]]:
    with path.open(encoding=encoding, newline="") as lines:
        return list(csv.reader(lines, delimiter=delimiter))[1:]


def clean(cell: str) -> str | None:
    text = cell.strip()
    return None if text in {"", "N/A", "-", "null"} else text


def number(cell: str) -> float | None:
    text = clean(cell)
    return None if text is None else float(text.replace("$", "").replace(",", "").replace("%", ""))


def whole(cell: str) -> int | None:
    text = clean(cell)
    return None if text is None else int(text)


def day(cell: str) -> dt.date | None:
    text = clean(cell)
    if text is None:
        return None
    form = "%d.%m.%Y" if "." in text else "%Y-%m-%d"
    return dt.datetime.strptime(text, form).date()  # noqa: DTZ007 - a bare date


def test_messy_table_is_cleaned_cell_by_cell(reader: Reader, example: Example) -> None:
    path = example("messy.csv")
    expected: list[tuple[Any, ...]] = []
    for cells in raw_rows(path, "utf-8-sig"):
        full = cells + [""] * (10 - len(cells))
        texts = [clean(full[i]) for i in (0, 1)], [clean(full[i]) for i in (6, 7, 8)]
        row = (*texts[0], number(full[2]), number(full[3]), number(full[4]), day(full[5]), *texts[1])
        expected.append((*row, whole(full[9])))
    found = reader.open(path)
    assert found.rows == expected
    assert found.numbers == list(range(1, 201))
    assert found.types == {
        "Code": "VARCHAR",
        "Name": "VARCHAR",
        "Amount": "DOUBLE",
        "Amount_2": "DOUBLE",
        "Share": "DOUBLE",
        "Date": "DATE",
        "Status": "VARCHAR",
        "City": "VARCHAR",
        "Notes": "VARCHAR",
        "Qty": "BIGINT",
    }
    assert found.units == {"Amount_2": "$", "Share": "%"}


def test_messy_table_reports_every_repair(reader: Reader, example: Example) -> None:
    path = example("messy.csv")
    cells = raw_rows(path, "utf-8-sig")
    found = reader.open(path)
    words = [i for i, row in enumerate(cells, start=1) if row[5].strip() in {"N/A", "-", "null"}]
    (missing,) = [n for n in found.notes("repaired", "Date") if "missing value" in n.message]
    assert (missing.count, missing.rows) == (len(words), tuple(words[:5]))
    padded = [i for i, row in enumerate(cells, start=1) if row[1] != row[1].strip()]
    (trimmed,) = found.notes("repaired", "Name")
    assert (trimmed.count, trimmed.rows) == (len(padded), tuple(padded[:5]))
    (short,) = [n for n in found.notes("repaired") if "fewer than 10 cells" in n.message]
    assert (short.rows, short.count) == ((100,), 1)
    (spellings,) = found.notes("inferred", "Date")
    assert "DD.MM.YYYY, YYYY-MM-DD" in spellings.message


def test_ukrainian_table(reader: Reader, example: Example) -> None:
    path = example("tovary_ua.csv")
    expected = [
        (*c[:4], number(c[4].replace(",", ".")), whole(c[5]), clean(c[6]), day(c[7]), c[8] == "так")
        for c in raw_rows(path, "utf-8", ";")
    ]
    found = reader.open(path)
    assert found.rows == expected
    assert list(found.types.values()) == [
        *["VARCHAR"] * 4,
        "DOUBLE",
        "BIGINT",
        "VARCHAR",
        "DATE",
        "BOOLEAN",
    ]
    assert (found.table.report.delimiter, found.table.report.decimal) == (";", ",")


def test_russian_table_in_cp1251(reader: Reader, example: Example) -> None:
    path = example("employees_ru.csv")
    expected = [(*c[:4], whole(c[4]), day(c[5]), whole(c[6]), c[7] == "да") for c in raw_rows(path, "cp1251")]
    found = reader.open(path)
    assert found.rows == expected
    assert found.table.report.encoding == "cp1251"
    assert found.names[0] == "Сотрудник"


@pytest.mark.parametrize(
    "name, types",
    [
        ("prices.csv", "DATE DOUBLE DOUBLE DOUBLE DOUBLE BIGINT"),
        ("prices.jsonl", "DATE DOUBLE DOUBLE DOUBLE DOUBLE BIGINT"),
        ("installations.csv", "VARCHAR BIGINT VARCHAR DOUBLE DOUBLE"),
        ("installations.tsv", "VARCHAR BIGINT VARCHAR DOUBLE DOUBLE"),
        (
            "stations.csv",
            "VARCHAR VARCHAR VARCHAR VARCHAR TIMESTAMP VARCHAR DOUBLE DOUBLE DOUBLE VARCHAR VARCHAR",
        ),
        (
            "sales.csv",
            "BIGINT DATE VARCHAR VARCHAR VARCHAR VARCHAR VARCHAR VARCHAR BIGINT DOUBLE DOUBLE DOUBLE BOOLEAN",
        ),
    ],
)
def test_clean_tables_need_no_note(reader: Reader, example: Example, name: str, types: str) -> None:
    found = reader.open(example(name))
    assert list(found.types.values()) == types.split()
    assert found.table.report.notes == ()


def test_the_same_prices_from_csv_and_json_lines(reader: Reader, example: Example) -> None:
    assert reader.open(example("prices.csv")).rows == reader.open(example("prices.jsonl")).rows


def test_units_come_from_headers(reader: Reader, example: Example) -> None:
    assert reader.open(example("installations.csv")).units == {"capacity_mw": "MW", "cost_musd": "MUSD"}


def test_public_files_that_no_one_here_wrote(reader: Reader) -> None:
    from vega_datasets import local_data

    expected = {
        "stocks": ["VARCHAR", "DATE", "DOUBLE"],
        "seattle_weather": ["DATE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "VARCHAR"],
        "sf_temps": ["DOUBLE", "TIMESTAMP"],
        "iowa_electricity": ["DATE", "VARCHAR", "BIGINT"],
        "airports": [*["VARCHAR"] * 5, "DOUBLE", "DOUBLE"],
        "cars": [
            "VARCHAR",
            "DOUBLE",
            "BIGINT",
            "DOUBLE",
            "BIGINT",
            "BIGINT",
            "DOUBLE",
            "DATE",
            "VARCHAR",
        ],
        "iris": [*["DOUBLE"] * 4, "VARCHAR"],
        "ohlc": ["DATE", *["DOUBLE"] * 4, "VARCHAR", "DOUBLE"],
    }
    noted = {"airports": {"city", "state"}}  # both have cells `NA`, kept as words
    rows = {"stocks": 560, "seattle_weather": 1461, "sf_temps": 8759, "airports": 3376, "cars": 406}
    for name, types in expected.items():
        found = reader.open(Path(getattr(local_data, name).filepath))
        assert list(found.types.values()) == types, name
        assert {note.column for note in found.table.report.notes} == noted.get(name, set()), name
        assert len(found.rows) == rows.get(name, len(found.rows)), name
