"""The rows that a result keeps beside their file are those of the file, to the last digit, or are not kept."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.result.result import FEW_ROWS, Held
from tabchat.engine.types import Row
from tabchat.store import DiskStore, program
from tabchat.store.held import MOST_CHARACTERS, held_text, read_held
from tests.effort import examples
from tests.export.frames import table_of
from tests.store.conftest import DAY, Bench

COLUMNS = [
    ("n", "HUGEINT"),
    ("x", "DOUBLE"),
    ("t", "VARCHAR"),
    ("d", "DATE"),
    ("m", "DECIMAL(18,3)"),
    ("b", "BLOB"),
]
ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-(2**126), 2**126),
        st.none() | st.floats(),
        st.none() | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=9),
        st.none() | st.dates(),
        st.none() | st.decimals(-(10**14), 10**14, places=3),
        st.none() | st.binary(max_size=5),
    ),
    max_size=6,
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    made = DuckDBEngine(spill=tmp_path_factory.mktemp("spill"), limits=Limits(threads=1))
    yield made
    made.close()


@given(rows=ROWS)
@settings(deadline=None, max_examples=examples(30))
def test_cells_come_back_as_they_were(engine: DuckDBEngine, rows: list[Row]) -> None:
    frame = table_of(engine, COLUMNS, rows)
    text = held_text(frame, {"n": (1, 2, 1.5)})
    assert text is not None
    held = read_held(text)
    assert repr(list(held.rows)) == repr(engine.rows(frame.query))
    assert held.stats == {"n": (1, 2, 1.5)}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT uuid() AS u",
        "SELECT TIMESTAMPTZ '2024-01-01 00:00:00+02' AS z",
        f"SELECT repeat('x', {MOST_CHARACTERS}) AS t",
        f"SELECT i FROM range({FEW_ROWS + 1}) AS t(i)",
    ],
)
def test_what_json_does_not_say_exactly_or_shortly_is_not_kept(bench: Bench, sql: str) -> None:
    assert held_text(bench.frame(sql), {}) is None


def held(bench: Bench, store: DiskStore, key: str) -> Held | None:
    frame = store.frame(key, bench.engine)
    assert frame is not None
    return frame.held


def test_they_go_with_the_rows(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    kept = held(bench, store, key)
    assert kept is not None
    assert kept.rows == ((1,),)
    with closing(sqlite3.connect(bench.root / "results" / "cache.db")) as index:
        (text,) = index.execute("SELECT value FROM Cache WHERE key LIKE 'held:%'").fetchone()
        index.execute("UPDATE Cache SET expire_time = expire_time - ?", (31 * DAY,))
        index.commit()
    assert '"rows": [[1]]' in text
    store.check()
    assert store.frame(key, bench.engine) is None
    with closing(sqlite3.connect(bench.root / "results" / "cache.db")) as index:
        assert index.execute("SELECT key FROM Cache").fetchall() == [(f"entry:{key}",)]


def test_a_result_that_is_forgotten_leaves_nothing(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    store.delete(key)
    with closing(sqlite3.connect(bench.root / "results" / "cache.db")) as index:
        assert index.execute("SELECT key FROM Cache").fetchall() == []


def test_those_of_another_result_or_another_secret_are_not_believed(bench: Bench, store: DiskStore) -> None:
    one, other = (bench.keep(store, f"SELECT {number} AS a") for number in (1, 2))
    with closing(sqlite3.connect(bench.root / "results" / "cache.db")) as index:
        index.execute(
            "UPDATE Cache SET value = (SELECT value FROM Cache WHERE key = ?) WHERE key = ?",
            (f"held:{one}", f"held:{other}"),
        )
        index.commit()
    assert held(bench, store, one) is not None
    assert held(bench, store, other) is None
    frame = store.frame(other, bench.engine)
    assert frame is not None
    assert frame.rows() == [(2,)]


def test_a_check_finds_nothing_wrong_with_them(bench: Bench, store: DiskStore) -> None:
    bench.keep(store, "SELECT 1 AS a")
    assert store.check() == ()


def test_another_query_over_the_frame_reads_its_own_rows(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    frame = store.frame(key, bench.engine)
    assert frame is not None
    assert frame.held is not None
    other = replace(frame, query=bench.frame("SELECT 5 AS a").query)
    assert (other.rows(), [row for rows in other.chunks() for row in rows]) == ([(5,)], [(5,)])
    assert frame.rows() == [(1,)]


def test_the_program_is_another_one_when_its_code_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "engine" / "functions"
    folder.mkdir(parents=True)
    code = folder / "core.py"
    code.write_text("ONE = 1\n")
    monkeypatch.setattr(program, "_OWN", tmp_path / "engine")
    told = program.this_program.__wrapped__
    before = told()
    assert told() == before
    code.write_text("ONE = 2\n")
    os.utime(code, ns=(0, 0))
    assert told() != before
    monkeypatch.setattr(program, "_OWN", tmp_path / "archive.zip")
    assert told() != told()
