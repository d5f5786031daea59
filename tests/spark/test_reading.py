"""Files whose names, columns and types mean something to Spark are read as they are, or refused."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tabchat.config import load_settings
from tabchat.engine.types import Row
from tabchat.errors import NotOnSparkError, QueryFailedError
from tabchat.session import Session

pytestmark = pytest.mark.usefixtures("engine")


def _asked(source: Path, plan: dict[str, Any], *, engine: str = "spark", **settings: object) -> list[Row]:
    own = {"spark": "local[2]"} if engine == "spark" else {}
    with Session.open([source], settings=load_settings({"engine": engine, **own, **settings})) as session:
        block = session.query(plan).block
        assert block is not None
        return block.result.frame.rows()


def _write(path: Path, **columns: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def test_folders_of_partitions_and_odd_names_are_found(tmp_path: Path) -> None:
    parts = tmp_path / "50% é #1"
    _write(parts / "y=2023" / "a b.parquet", n=[1, 2])
    _write(parts / "y=2024" / "it's.parquet", n=[3])
    plan = {"group_by": "y", "select": "sum(n)", "sort": "y"}
    assert _asked(parts, plan) == _asked(parts, plan, engine="duckdb") == [(2023, 3), (2024, 3)]


def test_columns_that_are_called_as_parts_of_spark_are_read(tmp_path: Path) -> None:
    names = [
        "_metadata",
        "file_0",
        "a`b",
        "a.b",
        "c0",
        "c1",
        "select",
        "' OR 1",
        "*",
        "é\u202e",
    ]
    cells = {name: [place] for place, name in enumerate(names)}
    both = tmp_path / "both"
    for name in ("a", "b"):
        _write(both / f"{name}.parquet", **cells)
    assert _asked(both, {}) == _asked(both, {}, engine="duckdb") == [tuple(range(len(names)))] * 2
    one = tmp_path / "one.parquet"
    _write(one, **cells, file_index=[9])
    assert _asked(one, {}) == _asked(one, {}, engine="duckdb") == [(*range(len(names)), 9)]


def test_names_that_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "clash.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["Ab", "aB"]), path)
    with pytest.raises(QueryFailedError, match="already exists"):
        _asked(path, {"select": "sum(Ab)"})


def test_a_column_that_spark_has_no_type_for_is_refused_where_it_is_asked_for(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "t.parquet",
        n=[1, 2],
        nested=[{"x": 1}, {"x": 2}],
        ns=pa.array([1, 2], pa.timestamp("ns")),
    )
    assert _asked(path, {"select": "sum(n)"}) == [(3,)]
    with pytest.raises(NotOnSparkError, match="'ns', of type TIMESTAMP_NS"):
        _asked(path, {"select": "max(ns)"})


def test_no_rows_give_what_they_give_with_duckdb(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.parquet", n=pa.array([], pa.int64()), s=pa.array([], pa.string()))
    for plan in ({}, {"select": ["sum(n)", "count()", "mean(n)"]}, {"group_by": "s", "select": "count()"}):
        assert _asked(path, plan) == _asked(path, plan, engine="duckdb")


def test_csv_of_a_lake_is_read_by_its_quotes_and_nothing_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,t\n1,"a ""q"", b\nsecond"\n2,x\\\n', "utf-8")
    (tmp_path / "b.csv").write_text('id,t\n3,"é"\n', "utf-8")
    assert _asked(tmp_path, {}, order_by=["id"]) == [(1, 'a "q", b\nsecond'), (2, "x\\"), (3, "é")]
    for text in ("t,id\nz,9\n", "id,t\n9\n"):
        (tmp_path / "c.csv").write_text(text, "utf-8")
        with pytest.raises(QueryFailedError, match=r"c\.csv"):
            _asked(tmp_path, {"select": "sum(id)"})
