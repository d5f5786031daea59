"""An engine in the place of a database that has read a file is like any other: its settings, its lock, its emptiness."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from sqlglot import exp

from tabchat.engine import duckdb_core
from tabchat.engine.backends.duckdb_spare import SpareDatabase
from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.reader.connection import Connection
from tabchat.engine.table import ReadOptions
from tabchat.errors import QueryFailedError
from tests.conftest import EXAMPLES
from tests.seals import SEAL

LIMITS = Limits(memory=2**30, spill=2**31, threads=2)
SETTINGS = exp.select("name", "value").from_("duckdb_settings()")
OF_ITS_SPILL_FOLDER = {"temp_directory", "allowed_directories"}


def engine_in(tmp_path: Path, spare: SpareDatabase | None = None) -> BoundedDuckDBEngine:
    return BoundedDuckDBEngine(
        spill=tmp_path / "spill", folders=[tmp_path / "tables"], limits=LIMITS, spare=spare
    )


@pytest.fixture
def spare(tmp_path: Path) -> SpareDatabase:
    """Return what is left of reading a file."""
    cache = TableCache(tmp_path / "tables", 10**9, seal=SEAL, limits=LIMITS)
    cache.spare = SpareDatabase()
    open_table(EXAMPLES / "sales.csv", options=ReadOptions(), cache=cache)
    cache.close()
    return cache.spare


def told(engine: BoundedDuckDBEngine) -> dict[object, object]:
    return {name: value for name, value in engine.rows(SETTINGS) if name not in OF_ITS_SPILL_FOLDER}


def test_it_has_the_settings_and_the_lock_of_one_that_was_started_for_it(
    tmp_path: Path, spare: SpareDatabase
) -> None:
    fresh, taken = engine_in(tmp_path), engine_in(tmp_path, spare)
    settings = told(taken)
    assert settings == told(fresh)
    assert settings["lock_configuration"] == "true"
    assert settings["enable_external_access"] == "false"
    ((spill,),) = taken.rows(exp.select("current_setting('temp_directory')"))
    assert str(spill).startswith(str(tmp_path / "spill"))
    assert taken.rows(exp.select("count(*)").from_("duckdb_views()").where("NOT internal")) == [(0,)]
    assert taken.rows(exp.select("count(*)").from_("duckdb_tables()")) == [(0,)]
    with pytest.raises(QueryFailedError):
        taken.rows(exp.select("*").from_(exp.func("read_csv", exp.Literal.string(EXAMPLES / "sales.csv"))))
    fresh.close()
    taken.close()


def test_one_is_taken_once_and_the_engine_is_that_database(tmp_path: Path, spare: SpareDatabase) -> None:
    first = engine_in(tmp_path, spare)
    assert spare.take() is None
    connection = Connection(tmp_path, "late.csv")
    connection.leave_to(spare)
    assert spare.take() is None
    first.close()


def test_a_database_that_was_given_rows_is_not_left_to_anybody(tmp_path: Path) -> None:
    spare = SpareDatabase()
    connection = Connection(tmp_path, "lying.parquet")
    connection.register("rows", pa.table({"n": [1]}))
    connection.leave_to(spare)
    connection.close()
    assert spare.take() is None


def test_the_names_of_queries_do_not_stay_in_a_database_that_is_left(tmp_path: Path) -> None:
    spare = SpareDatabase()
    connection = Connection(tmp_path, "lake.parquet")
    connection.attach("rows", "SELECT 1 AS n")
    connection.leave_to(spare)
    database = spare.take()
    assert database is not None
    assert database.execute("SELECT count(*) FROM duckdb_views() WHERE NOT internal").fetchall() == [(0,)]
    database.close()


def test_one_that_cannot_be_locked_is_replaced_by_another(tmp_path: Path) -> None:
    spare = SpareDatabase()
    connection = Connection(tmp_path, "sales.csv")
    connection.leave_to(spare)
    connection.rows(exp.select("1"))
    connection._connection.execute("SET lock_configuration = true")
    engine = engine_in(tmp_path, spare)
    assert told(engine)["enable_external_access"] == "false"
    engine.close()


def test_one_that_was_begun_is_handed_on_once_and_only_as_long_as_nothing_was_done_with_it() -> None:
    spare = SpareDatabase()
    spare.begin()
    begun = spare.borrow()
    assert begun is not None
    spare.give(begun)
    # Whoever reads another file starts a database of its own.
    spare.begin()
    assert spare.borrow() is None
    assert spare.take() is begun
    spare.begin()
    assert spare.take() is None
    begun.close()


def test_where_none_can_start_whoever_comes_starts_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: str) -> None:
        raise duckdb_core.core.IOException("no memory")

    spare = SpareDatabase()
    with monkeypatch.context() as patched:
        patched.setattr(duckdb_core.core, "connect", refuse)
        spare.begin()
        assert spare.take() is None


def test_a_file_is_read_by_the_database_that_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    connect = duckdb_core.core.connect

    def counted(path: str, config: dict[str, Any]) -> object:
        started.append(connect(path, config=config))
        return started[-1]

    monkeypatch.setattr(duckdb_core.core, "connect", counted)
    cache = TableCache(tmp_path / "tables", 10**9, seal=SEAL, limits=LIMITS)
    cache.spare = SpareDatabase()
    open_table(EXAMPLES / "sales.csv", options=ReadOptions(), cache=cache)
    cache.close()
    assert cache.spare.take() is started[0]
    assert len(started) == 1
