"""What is taken from DuckDB's compiled part is what its package offers under the same names."""

import re
from pathlib import Path

import duckdb
import pyarrow as pa

import tabchat
from tabchat.engine.duckdb_core import core, load_relations, open_database

_USED = re.compile(r"\b(?:duckdb|core)\.([A-Z]\w+|connect)\b")


def test_every_name_used_of_it_is_the_same_in_the_package() -> None:
    texts = [path.read_text() for path in Path(tabchat.__file__).parent.rglob("*.py")]
    used = {
        name
        for text in texts
        if re.search("import (core as duckdb|_duckdb as core)", text)
        for name in _USED.findall(text)
    }
    assert {"connect", "DuckDBPyConnection", "Error", "InterruptException"} <= used
    assert [name for name in sorted(used) if getattr(core, name) is not getattr(duckdb, name)] == []


def test_every_database_is_opened_in_one_place_and_writes_in_no_thread_that_a_stopped_query_waits_for() -> (
    None
):
    root = Path(tabchat.__file__).parent
    opening = [
        path
        for path in root.rglob("*.py")
        if re.search(r"(duckdb|core|_engine\(\))\.connect\(", path.read_text())
    ]
    assert [path.relative_to(root).as_posix() for path in opening] == ["engine/duckdb_core.py"]
    with open_database() as connection:
        assert connection.execute("SELECT current_setting('async_threads')").fetchall() == [(0,)]


def test_a_connection_made_before_the_relations_are_loaded_has_them_after() -> None:
    with core.connect(":memory:") as connection:
        load_relations()
        connection.register("given", pa.table({"a": [1, 2]}))
        reader = connection.sql("SELECT sum(a) AS total FROM given").to_arrow_reader(10)
        assert reader.read_all().to_pylist() == [{"total": 3}]
