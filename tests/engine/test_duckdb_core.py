"""What is taken from DuckDB's compiled part is what its package offers under the same names."""

import re
from pathlib import Path

import duckdb
import pyarrow as pa

import tabchat
from tabchat.engine.duckdb_core import core, load_relations

_USED = re.compile(r"\bduckdb\.([A-Z]\w+|connect)\b")


def test_every_name_used_of_it_is_the_same_in_the_package() -> None:
    texts = [path.read_text() for path in Path(tabchat.__file__).parent.rglob("*.py")]
    used = {name for text in texts if "import core as duckdb" in text for name in _USED.findall(text)}
    assert {"connect", "DuckDBPyConnection", "Error", "InterruptException"} <= used
    assert [name for name in sorted(used) if getattr(core, name) is not getattr(duckdb, name)] == []


def test_a_connection_made_before_the_relations_are_loaded_has_them_after() -> None:
    with core.connect(":memory:") as connection:
        load_relations()
        connection.register("given", pa.table({"a": [1, 2]}))
        reader = connection.sql("SELECT sum(a) AS total FROM given").to_arrow_reader(10)
        assert reader.read_all().to_pylist() == [{"total": 3}]
