"""Cells that are stored before anything is asked of them are told as those that are looked at one by one."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.reader import TableCache
from tabchat.engine.reader.relation import Relation
from tabchat.engine.reader.text import delimited, settle
from tests.effort import THOROUGH, examples
from tests.engine.reader.conftest import Reader, Reading
from tests.seals import SEAL

ORDINARY = [f"{i},{i}.5,-{i}.25,word {i % 3},2024-01-{i + 10}" for i in range(15)]
NUMBERS = [
    "1_000",
    "1_0.5",
    "_1",
    "+5",
    "007",
    "-0",
    "0x10",
    "0b1",
    "1.",
    ".5",
    "1e3",
    "1E+3",
    "1e400",
    "1e-400",
    "1e",
    "inf",
    "-Infinity",
    "nan",
    "NaN",
    "9007199254740991",
    "9007199254740992",
    "-9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "0.1000000000000000055511151231257827",
    "123456789.123456789123456789",
    "4.9e-324",
    "1.5 ",
    " 1.5",
    "\t1.5",
    "\u00a01.5",
    "1,5",
    "1 000",
    "$5",
    "5%",
    "5-",
    "(5)",
    "−5",
    "٣",
    "1.5f",
    "1d",
]
WORDS = [
    "",
    " ",
    "  ",
    "-",
    "--",
    "–",
    "N/A",
    "n/A",
    "null",
    "NULL",
    "Null",
    "nULL",
    "none",
    "NA",
    "\\N",
    "#N/A",
    "/",
    "n/",
    "a_1",
    "1_a",
    "in_progress",
    "word ",
    " word",
    "\tword",
    "word\t",
    "word\u00a0",
    "\ufeffword",
    "wörd",
    "Н/Д",
    "true",
    "it's",
]
DATES = [
    "2024-1-5",
    "2024/01/05",
    "02024-01-05",
    "2024-01-05 ",
    "2024-02-30",
    "infinity",
    "epoch",
    "0001-01-01",
]
ODD = st.sampled_from([*NUMBERS, *WORDS, *DATES]) | st.text("0123456789._+-eExX nifa", max_size=7)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Draw records that begin like ordinary ones, with some odd cells among those behind."""
    records = [record.split(",") for record in ORDINARY * 2]
    for _ in range(draw(st.integers(0, 3))):
        cell = draw(ODD)
        quoted = "," in cell or draw(st.booleans())
        row, column = draw(st.integers(20, len(records) - 1)), draw(st.integers(0, 4))
        records[row][column] = f'"{cell}"' if quoted else cell
    return "".join(",".join(record) + "\n" for record in records)


def read(engine: DuckDBEngine, folder: Path, content: str, least: int) -> Reading:
    """Read a text of which little is a sample; from `least` bytes on it is a long one."""
    with tempfile.TemporaryDirectory(dir=folder) as own, pytest.MonkeyPatch.context() as patch:
        patch.setattr(settle, "LONG", least)
        patch.setattr(delimited, "WHOLE", 0)
        patch.setattr(delimited, "_HEAD", 256)
        patch.setattr(delimited, "_RECORDS", 10)
        patch.setattr(delimited, "_PIECES", 0)
        cache = TableCache(Path(own) / "cache", 1 << 30, seal=SEAL)
        reader = Reader(folder=Path(own), cache=cache, engine=engine)
        found = reader.text(content)
        cache.close()
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trusted")


def assert_same(engine: DuckDBEngine, folder: Path, body: str) -> None:
    content = f"id,an_amount,change,label,day\n{body}"
    trusting, careful = (read(engine, folder, content, least) for least in (0, 1 << 40))
    assert trusting.table.schema == careful.table.schema
    assert trusting.table.report == careful.table.report
    assert repr(trusting.rows) == repr(careful.rows)
    assert trusting.numbers == careful.numbers


@settings(max_examples=examples(40), deadline=None)
@given(body=bodies())
def test_odd_cells_are_told_alike(engine: DuckDBEngine, folder: Path, body: str) -> None:
    assert_same(engine, folder, body)


@pytest.mark.parametrize(
    "column, cells",
    [(1, NUMBERS[::2]), (2, NUMBERS[1::2]), (3, WORDS), (3, NUMBERS[:3]), (1, WORDS[:8]), (4, DATES)],
)
def test_each_odd_cell_is_told_alike(
    engine: DuckDBEngine, folder: Path, column: int, cells: list[str]
) -> None:
    for cell in cells if THOROUGH else cells[::3]:
        record = ORDINARY[0].split(",")
        record[column] = f'"{cell}"'
        assert_same(engine, folder, "\n".join([*ORDINARY, ",".join(record), *ORDINARY]) + "\n")


@pytest.mark.parametrize(
    "cells, may_be",
    [
        (["a_b", "_", "a_", "_b"], False),
        (["1_000"], True),
        (["_.5"], True),
        (["a_1"], True),
        ([*["a"] * 98, "1_0"], True),
        ([*["a"] * 99, "_0"], True),
        (["a_b"] * 500, True),
    ],
)
@pytest.mark.parametrize("size", [2, 3, 7, 100, 1 << 20])
def test_underscores_beside_digits_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cells: list[str], size: int, *, may_be: bool
) -> None:
    monkeypatch.setattr(settle, "_BLOCK", size)
    monkeypatch.setattr(settle, "_HITS", 200)
    path = tmp_path / "cells.csv"
    path.write_text("column_1,other\n" + "".join(f"{cell},x\n" for cell in cells))
    found = settle.may_be_underscored(Relation(path=path, width=2, header=True))
    # So many underscores are looked at in one block alone.
    assert found is may_be or (len(cells) == 500 and size < 1000)
