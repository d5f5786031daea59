"""Rows that another process computed are the rows that this one would have: values, types, names, order."""

from collections.abc import Iterator

import pytest
from sqlglot import exp

from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.limits import Limits
from tests.sql import parsed

VALUES = r"""
1::HUGEINT | 1::UHUGEINT | 1::UTINYINT | 1.5::FLOAT | 0.1::DOUBLE | 1.5::DECIMAL(20, 3) | 1::BIGNUM | 'NaN'::DOUBLE
'x' | '\xAA'::BLOB | '101'::BIT | '{"a": 1}'::JSON | 'a'::ENUM('a', 'b''c') | ['a'::ENUM('a', 'b')]
'8a5b0a5e-0000-4000-8000-000000000000'::UUID | true | NULL | NULL::INTEGER
DATE '2020-02-29' | TIME '10:00:01.5' | '10:00:00+02'::TIMETZ | '10:00:00.123456789'::TIME_NS
'2020-01-01 10:00'::TIMESTAMP | '2020-01-01'::TIMESTAMP_S | '2020-01-01'::TIMESTAMP_MS
'2020-01-01 10:00:00.123456789'::TIMESTAMP_NS | '2020-01-01 10:00+02'::TIMESTAMPTZ
INTERVAL '3 months 2 days 1 second' | [1, NULL] | [] | [1, 2]::INTEGER[2] | {'x': 1, 'y': [1::HUGEINT]}
MAP {'a': 1} | union_value(a := 1)
"""
CELLS = [cell.strip() for line in VALUES.strip().splitlines() for cell in line.split(" | ")]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoundedDuckDBEngine]:
    made = BoundedDuckDBEngine(spill=tmp_path_factory.mktemp("types") / "spill", limits=Limits(threads=2))
    yield made
    made.close()


@pytest.mark.parametrize("cell", CELLS)
def test_every_type_comes_back_as_it_is(engine: BoundedDuckDBEngine, cell: str) -> None:
    written = engine.for_sql()
    asked = parsed(f"SELECT {cell} AS c")
    assert written.schema(asked) == engine.schema(asked)
    assert str(written.rows(asked)) == str(engine.rows(asked))
    assert str(list(written.stream(asked))) == str(list(engine.stream(asked)))
    kept = written.materialise(asked)
    assert engine.schema(kept) == engine.schema(asked)
    assert str(engine.rows(kept)) == str(engine.rows(asked))
    (here,), (there,) = engine.execute(asked), written.execute(asked)
    assert there.schema == here.schema
    assert str(there.to_pylist()) == str(here.to_pylist())


@pytest.mark.parametrize("cell", CELLS)
def test_rows_in_no_file_are_sent_along(engine: BoundedDuckDBEngine, cell: str) -> None:
    kept = engine.materialise(parsed(f"SELECT {cell} AS c, i FROM range(3) AS r(i) ORDER BY i DESC"))
    engine.attach("earlier", kept)
    written = engine.for_sql()
    for asked in (kept, exp.select("*").from_("earlier")):
        assert written.schema(asked) == engine.schema(asked)
        assert str(written.rows(asked)) == str(engine.rows(asked))


def test_columns_keep_their_names(engine: BoundedDuckDBEngine) -> None:
    written = engine.for_sql()
    for columns in (
        "1 AS a, 2 AS a, 3 AS A",
        '1 AS "x y", 2 AS "q""q"',
        "1, 'a'::ENUM('a') AS \"x y\", 2 AS a",
    ):
        asked = parsed(f"SELECT {columns}")
        assert written.schema(asked) == engine.schema(asked)
        here, there = engine.materialise(asked), written.materialise(asked)
        assert engine.schema(there) == engine.schema(here)


def test_views_come_after_those_that_they_read(engine: BoundedDuckDBEngine) -> None:
    engine.attach("base", parsed("SELECT 1 AS a"))
    engine.attach("left side", parsed("SELECT a + 1 AS a FROM base"))
    engine.attach("Right", parsed('SELECT l.a + b.a AS base FROM "left side" AS l, base AS b'))
    asked = parsed('SELECT r.base, l.a FROM "right" AS r, "left side" AS l')
    assert engine.for_sql().rows(asked) == engine.rows(asked) == [(3, 2)]
    engine.attach("base", parsed("SELECT 10 AS a"))
    assert engine.for_sql().rows(asked) == engine.rows(asked) == [(21, 11)]


def test_a_large_result_comes_in_order_and_in_parts(engine: BoundedDuckDBEngine) -> None:
    written = engine.for_sql()
    asked = parsed("SELECT i, md5(i::VARCHAR) AS m FROM range(200000) AS r(i) ORDER BY m")
    chunks = list(written.stream(asked, 30_000))
    assert max(map(len, chunks)) <= 30_000
    assert [row for chunk in chunks for row in chunk] == engine.rows(asked)


def test_long_cells_cross(engine: BoundedDuckDBEngine) -> None:
    asked = parsed("SELECT repeat('abc', 12000000) AS long, i FROM range(3) AS r(i)")
    assert [(len(str(text)), i) for text, i in engine.for_sql().rows(asked)] == [
        (36_000_000, i) for i in range(3)
    ]
