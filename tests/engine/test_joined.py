"""What a join does to the rows under a figure is told: rows that come up again, rows left out, codes taken for numbers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Result
from tabchat.engine.sql.joined import REPEATS
from tabchat.engine.sql.query import run_sql
from tabchat.engine.table import Table
from tests.engine.frames import make_engine, make_table

TABLES = {
    "orders": """
        SELECT * FROM (VALUES (1, '01', 10.0), (2, '01', 20.0), (3, '02', 40.0), (4, '09', 80.0), (5, NULL, 160.0))
        t(id, cust, amount)
    """,
    "people": "SELECT * FROM (VALUES ('01', 'Ann', 5), ('02', 'Bob', 7), ('04', 'Zed', 9)) t(cust, name, credit)",
    "twice": "SELECT * FROM (VALUES ('01', 'a', 2), ('01', 'b', 3), ('02', 'a', 4)) t(cust, tag, factor)",
    "numbered": "SELECT * FROM (VALUES (1, 'Ann'), (2, 'Bob')) t(\"Cust\", name)",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("joined")


@pytest.fixture(scope="module")
def engine(folder: Path) -> Iterator[DuckDBEngine]:
    made = make_engine(folder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def tables(engine: DuckDBEngine, folder: Path) -> dict[str, Table]:
    return {name: make_table(folder, engine, name, sql) for name, sql in TABLES.items()}


def ran(engine: DuckDBEngine, tables: dict[str, Table], sql: str) -> Result:
    return run_sql(engine, tables, sql)


@pytest.mark.parametrize(
    "sql, told",
    [
        (
            "SELECT sum(amount) FROM orders JOIN twice USING (cust)",
            "The join makes 5 rows of 3 of orders: SUM(amount) takes some of them in more than once",
        ),
        (
            "SELECT tag, sum(amount), avg(amount) FROM orders o LEFT JOIN twice t ON o.cust = t.cust GROUP BY tag",
            "The join makes 7 rows of 5 of orders: SUM(amount), AVG(amount) take some of them in more than once",
        ),
        (
            "SELECT sum(credit) FROM orders, people WHERE orders.cust = people.cust",
            "The join makes 3 rows of 2 of people: SUM(credit) takes some of them in more than once",
        ),
        (
            "SELECT sum(a.amount) FROM orders a JOIN orders b ON a.cust = b.cust",
            "The join makes 6 rows of 4 of a: SUM(a.amount) takes some of them in more than once",
        ),
        (
            "WITH s AS (SELECT cust, sum(amount) AS total FROM orders GROUP BY 1) SELECT sum(total) FROM s JOIN twice USING (cust)",
            "The join makes 3 rows of 2 of s: SUM(total) takes some of them in more than once",
        ),
        (
            "SELECT max(x) FROM (SELECT sum(amount) AS x FROM orders JOIN twice USING (cust)) q",
            "The join makes 5 rows of 3 of orders: SUM(amount) takes some of them in more than once",
        ),
        (
            "SELECT sum(amount) AS s FROM orders JOIN (VALUES ('01', 1), ('01', 2)) v(cust, k) USING (cust) HAVING sum(amount) > 1",
            "The join makes 4 rows of 2 of orders: SUM(amount) takes some of them in more than once",
        ),
        (
            "SELECT sum(amount) FILTER (WHERE amount > 5) FROM orders JOIN twice USING (cust)",
            "The join makes 5 rows of 3 of orders: SUM(amount) takes some of them in more than once",
        ),
    ],
)
def test_an_aggregate_that_takes_a_row_in_again_says_so(
    engine: DuckDBEngine, tables: dict[str, Table], sql: str, told: str
) -> None:
    metadata = ran(engine, tables, sql).metadata
    assert metadata.warnings == (REPEATS,)
    assert metadata.notes[0] == told


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name, sum(amount) FROM orders JOIN people USING (cust) GROUP BY name",
        "SELECT count(*), count(tag), max(amount), count(DISTINCT id) FROM orders JOIN twice USING (cust)",
        "SELECT sum(DISTINCT amount) FROM orders JOIN twice USING (cust)",
        "SELECT sum(amount * factor) FROM orders JOIN twice USING (cust)",
        "SELECT sum(amount) FROM orders JOIN twice ON orders.cust = twice.cust AND tag = 'a'",
        "SELECT sum(amount) FROM orders JOIN twice USING (cust) WHERE tag = 'b'",
        "SELECT sum(amount) FROM orders SEMI JOIN twice USING (cust)",
        "SELECT * FROM orders JOIN twice USING (cust)",
        "SELECT sum(amount) OVER () FROM orders JOIN twice USING (cust)",
        "SELECT name, (SELECT sum(amount) FROM orders o WHERE o.cust = p.cust) AS total FROM people p",
        "SELECT sum(x.total) FROM people JOIN (SELECT cust, sum(amount) AS total FROM orders GROUP BY 1) x USING (cust)",
    ],
)
def test_rows_that_come_up_once_are_not_warned_of(
    engine: DuckDBEngine, tables: dict[str, Table], sql: str
) -> None:
    assert ran(engine, tables, sql).metadata.warnings == ()


@pytest.mark.parametrize(
    "sql, notes",
    [
        (
            "SELECT name, sum(amount) FROM orders JOIN people USING (cust) GROUP BY name",
            ("The join leaves out 2 of 5 rows of orders and 1 of 3 rows of people, which have no partner",),
        ),
        (
            "SELECT * FROM orders JOIN people ON orders.cust = people.cust WHERE amount > 15",
            ("The join leaves out 2 of 5 rows of orders and 1 of 3 rows of people, which have no partner",),
        ),
        (
            "SELECT * FROM twice JOIN people USING (cust) WHERE false",
            ("The join leaves out 1 of 3 rows of people, which have no partner",),
        ),
        ("SELECT * FROM orders LEFT JOIN people USING (cust)", ()),
        ("SELECT * FROM orders CROSS JOIN people", ()),
    ],
)
def test_rows_that_an_inner_join_leaves_out_are_told(
    engine: DuckDBEngine, tables: dict[str, Table], sql: str, notes: tuple[str, ...]
) -> None:
    assert ran(engine, tables, sql).metadata.notes == notes


@pytest.mark.parametrize(
    "joined",
    [
        "orders o JOIN numbered n ON o.cust = n.cust",
        "orders o JOIN numbered n ON n.cust = o.cust",
        "orders JOIN numbered USING (cust)",
        "orders o, numbered n WHERE o.cust = n.cust",
    ],
)
def test_a_code_that_is_joined_as_a_number_is_told(
    engine: DuckDBEngine, tables: dict[str, Table], joined: str
) -> None:
    (warning,) = ran(engine, tables, f"SELECT id FROM {joined}").metadata.warnings
    assert warning == (
        "orders.cust is text and numbered.Cust holds numbers: they are joined as numbers, for which '007' and '7' are "
        "one. To tell them apart, read both as text: --type 'Cust=text'."
    )


def test_a_column_that_is_a_query_is_called_as_it_was_written(
    engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    found = ran(engine, tables, "SELECT name, (SELECT sum(amount) FROM orders) FROM people")
    assert found.frame.columns == ("name", "(SELECT SUM(amount) FROM orders)")
