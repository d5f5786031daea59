"""The types that translation goes by are those of DuckDB."""

from typing import Final

import duckdb
import pytest
from sqlglot import exp, parse_one
from sqlglot.optimizer.qualify import qualify

from tabchat.engine.backends.spark.sql.annotation import annotated
from tabchat.engine.backends.spark.sql.texts import may_match_nothing
from tabchat.engine.backends.spark.sql.trees import Kind, kind_of
from tests.spark.edges import EDGES, QUERIES, ROWWISE


def test_every_part_of_a_query_has_the_type_that_duckdb_gives_it() -> None:
    connection = duckdb.connect()
    connection.register("rows", EDGES)
    connection.execute("CREATE TABLE t AS FROM rows")
    types: dict[str, object] = {
        "t": {name: kind for name, kind, *_ in connection.execute("DESCRIBE t").fetchall()}
    }
    known = 0
    for text in [*(f"SELECT {text} AS v FROM t" for text in ROWWISE), *QUERIES]:
        asked = parse_one(text, dialect="duckdb")
        described = connection.execute(f"DESCRIBE {asked.sql('duckdb', identify=True)}").fetchall()
        tree = qualify(asked, schema=types, dialect="duckdb", identify=True)
        query = annotated(tree, types)
        assert isinstance(query, exp.Query)
        for item, (_, real, *_) in zip(query.selects, described, strict=True):
            # An unknown type is no wrong one: what hangs on it is refused.
            is_known = kind_of(item.unalias()) not in {Kind.UNKNOWN, Kind.NULL} and real != '"NULL"'
            if not is_known or isinstance(query, exp.SetOperation):
                continue
            wanted = exp.column("x")
            wanted.type = exp.DataType.build(real, dialect="duckdb")
            assert kind_of(item.unalias()) is kind_of(wanted), (item.sql("duckdb"), real)
            assert item.unalias().is_type("FLOAT") is (real == "FLOAT"), item.sql("duckdb")
            known += 1
    assert known > len(ROWWISE)


EMPTY: Final = ["", "a*", "a|", "^", r"\b", "a?", "(a|b*)", "(?i)a*", r"x*$", "(?m)^$", "a{0,2}", "(a"]


@pytest.mark.parametrize("pattern", EMPTY)
def test_a_pattern_that_may_match_nothing_is_known(pattern: str) -> None:
    assert may_match_nothing(pattern)


@pytest.mark.parametrize(
    "pattern", ["a", "a+", r"\s+$", r"^\d", r"\p{L}", "[*]", "(a|b)c*", r"\bx", "a{1,2}"]
)
def test_a_pattern_that_matches_something_is_known(pattern: str) -> None:
    assert not may_match_nothing(pattern)
