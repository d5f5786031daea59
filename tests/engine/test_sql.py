import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Chart, Result, ResultKind
from tabchat.engine.sql.functions import FUNCTIONS, SYNTAX, TABLE_FUNCTIONS
from tabchat.engine.sql.policy import MAX_LENGTH
from tabchat.engine.sql.query import check_sql, run_sql
from tabchat.engine.table import Table
from tabchat.engine.types import Schema
from tabchat.errors import QueryFailedError, SqlRefusedError, TabchatError
from tests.effort import examples
from tests.engine.frames import make_engine, make_table

SALES = """
    SELECT ['north', 'south', 'east'][1 + i % 3] AS region, i AS quantity, i * 1.5::DOUBLE AS revenue,
        DATE '2024-01-01' + i::INT AS day, 'Львів' AS "Місто"
    FROM range(10) t(i)
"""
ORDERS = """SELECT i AS quantity, i * 2 AS "Сума замовлення" FROM range(3) t(i)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sql")


@pytest.fixture(scope="module")
def engine(folder: Path) -> Iterator[DuckDBEngine]:
    made = make_engine(folder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def tables(folder: Path, engine: DuckDBEngine) -> dict[str, Table]:
    sales = make_table(folder, engine, "sales", SALES)
    units = {"revenue": "€"}
    schema = tuple(replace(column, unit=units.get(column.name)) for column in sales.schema)
    other = make_table(folder, engine, "Замовлення", ORDERS)
    return {"sales": replace(sales, schema=schema), "Замовлення": other}


@pytest.fixture(scope="module")
def orders(folder: Path, engine: DuckDBEngine) -> Table:
    return make_table(folder, engine, "orders", ORDERS.replace("Сума замовлення", "amount"))


REFUSED = {
    # files
    "SELECT * FROM 'data.csv'": "There is no table 'data.csv'.",
    'SELECT * FROM "/etc/passwd"': "There is no table '/etc/passwd'.",
    "FROM 'sales.parquet'": "There is no table 'sales.parquet'.",
    "SELECT * FROM read_csv('/etc/passwd')": "The table function read_csv() is not accepted: a query reads only the open tables.",
    "SELECT * FROM READ_CSV_AUTO('x.csv')": "The table function read_csv_auto() is not accepted: a query reads only the open tables.",
    "SELECT * FROM read_parquet(['a', 'b'])": "The table function read_parquet() is not accepted: a query reads only the open tables.",
    "SELECT * FROM parquet_scan('x')": "The table function parquet_scan() is not accepted: a query reads only the open tables.",
    "SELECT * FROM read_json('x')": "The table function read_json() is not accepted: a query reads only the open tables.",
    "FROM read_text('/etc/passwd')": "The table function read_text() is not accepted: a query reads only the open tables.",
    "SELECT * FROM read_blob('/etc/shadow')": "The table function read_blob() is not accepted: a query reads only the open tables.",
    "SELECT * FROM glob('/etc/*')": "The table function glob() is not accepted: a query reads only the open tables.",
    "SELECT * FROM sniff_csv('/etc/passwd')": "The table function sniff_csv() is not accepted: a query reads only the open tables.",
    "SELECT * FROM parquet_metadata('x')": "The table function parquet_metadata() is not accepted: a query reads only the open tables.",
    "SELECT * FROM st_read('x.shp')": "The table function st_read() is not accepted: a query reads only the open tables.",
    "SELECT * FROM main.read_text('/etc/passwd')": "The table function read_text() is not accepted: a query reads only the open tables.",
    "SELECT * FROM sales, LATERAL read_text(region)": "The function read_text() is not accepted.",
    "SELECT * FROM sales JOIN glob('/*') g ON true": "The table function glob() is not accepted: a query reads only the open tables.",
    "SELECT (SELECT max(content) FROM read_text('/etc/passwd'))": "The table function read_text() is not accepted: a query reads only the open tables.",
    "SELECT region.read_text() FROM sales": "The function read_text() is not accepted.",
    "SELECT system.main.read_text('x')": "The function read_text() is not accepted.",
    # SQL from text, settings, variables, the environment
    "SELECT * FROM query('SELECT 1')": "The table function query() is not accepted: a query reads only the open tables.",
    "SELECT * FROM query_table('sales')": "The table function query_table() is not accepted: a query reads only the open tables.",
    "SELECT getenv('HOME')": "The function getenv() is not accepted.",
    "SELECT current_setting('memory_limit')": "The function current_setting() is not accepted.",
    "SELECT getvariable('x')": "The function getvariable() is not accepted.",
    "SELECT current_user": "CURRENT USER is not accepted in a query.",
    "SELECT current_catalog": "CURRENT CATALOG is not accepted in a query.",
    "SELECT version()": "The function version() is not accepted.",
    "SELECT nextval('s')": "The function nextval() is not accepted.",
    "SELECT write_log('x')": "The function write_log() is not accepted.",
    "SELECT pg_sleep(100)": "The function pg_sleep() is not accepted.",
    "SELECT \"getenv\"('HOME')": "The function name 'getenv' is quoted; only plain function names are accepted.",
    """SELECT json_extract('{"a": 1}', '$..a')""": "A path into JSON with .., a slice, a choice or a filter is not accepted.",
    """SELECT '[1, 2]'::JSON -> '$[0:1]'""": "A path into JSON with .., a slice, a choice or a filter is not accepted.",
    """SELECT json_extract('{"a": 1}', '$[?(@.a>0)]')""": "A path into JSON with .., a slice, a choice or a filter is not accepted.",
    "SELECT json_execute_serialized_sql('{}')": "The function json_execute_serialized_sql() is not accepted.",
    # the catalogue
    "SELECT * FROM duckdb_settings()": "The table function duckdb_settings() is not accepted: a query reads only the open tables.",
    "SELECT * FROM duckdb_secrets()": "The table function duckdb_secrets() is not accepted: a query reads only the open tables.",
    "SELECT * FROM pragma_database_list": "There is no table 'pragma_database_list'.",
    "SELECT * FROM pragma_table_info('sales')": "The table function pragma_table_info() is not accepted: a query reads only the open tables.",
    "SELECT * FROM information_schema.tables": "The name information_schema.tables has a schema; tables are named without one.",
    "SELECT * FROM sqlite_master": "There is no table 'sqlite_master'.",
    "SELECT * FROM pg_catalog.pg_class": "The name pg_catalog.pg_class has a schema; tables are named without one.",
    "SELECT * FROM main.sales": "The name main.sales has a schema; tables are named without one.",
    "SELECT * FROM __kept_1": "There is no table '__kept_1'.",
    "WITH pg_class AS (SELECT * FROM pg_class) SELECT * FROM pg_class": "There is no table 'pg_class'.",
    "SELECT * FROM (WITH pg_class AS (SELECT 1) SELECT * FROM pg_class) a, pg_class": "There is no table 'pg_class'.",
    "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a": "There is no table 'b'.",
    # statements
    "COPY sales TO 'out.csv'": "Only SELECT is accepted, not COPY.",
    "COPY (SELECT 1) TO '/tmp/out.csv'": "Only SELECT is accepted, not COPY.",
    "ATTACH 'other.db'": "Only SELECT is accepted, not ATTACH.",
    "PRAGMA database_list": "Only SELECT is accepted, not PRAGMA.",
    "SET memory_limit = '1TB'": "Only SELECT is accepted, not SET.",
    "RESET threads": "Only SELECT is accepted, not RESET.",
    "INSTALL httpfs": "Only SELECT is accepted, not INSTALL.",
    "LOAD httpfs": "Only SELECT is accepted, not LOAD.",
    "CREATE TABLE t AS SELECT 1": "Only SELECT is accepted, not CREATE.",
    "CREATE SECRET (TYPE s3)": "The SQL cannot be read: ",
    "INSERT INTO sales VALUES (1)": "Only SELECT is accepted, not INSERT.",
    "UPDATE sales SET revenue = 0": "Only SELECT is accepted, not UPDATE.",
    "DELETE FROM sales": "Only SELECT is accepted, not DELETE.",
    "DROP VIEW sales": "Only SELECT is accepted, not DROP.",
    "ALTER TABLE sales ADD x INT": "Only SELECT is accepted, not ALTER.",
    "EXPORT DATABASE 'x'": "The SQL cannot be read: ",
    "CALL duckdb_settings()": "Only SELECT is accepted, not CALL.",
    "PREPARE p AS SELECT 1": "Only SELECT is accepted, not PREPARE.",
    "EXECUTE p": "Only SELECT is accepted, not EXECUTE.",
    "DESCRIBE sales": "Only SELECT is accepted, not DESCRIBE.",
    "SUMMARIZE sales": "Only SELECT is accepted, not SUMMARIZE.",
    "EXPLAIN SELECT 1": "Only SELECT is accepted, not EXPLAIN.",
    "USE main": "Only SELECT is accepted, not USE.",
    "BEGIN": "Only SELECT is accepted, not TRANSACTION.",
    "PIVOT sales ON region USING sum(revenue)": "PIVOT and UNPIVOT are accepted only inside FROM.",
    "SELECT 1; SELECT 2": "One SELECT is accepted, not 2 statements.",
    "SELECT 1; DROP TABLE sales": "One SELECT is accepted, not 2 statements.",
    "": "One SELECT is accepted, not 0 statements.",
    "-- nothing": "One SELECT is accepted, not 0 statements.",
    # statements inside SELECT
    "WITH gone AS (DELETE FROM sales RETURNING *) SELECT * FROM gone": "DELETE is not accepted in a query.",
    "WITH x AS (INSERT INTO sales VALUES (1)) SELECT 1": "INSERT is not accepted in a query.",
    "SELECT * FROM (DESCRIBE sales)": "DESCRIBE is not accepted in a query.",
    "SELECT * FROM (SHOW TABLES)": "There is no table 'SHOW'.",
    "SELECT * INTO copied FROM sales": "SELECT … INTO is not accepted: a query never creates tables.",
    "SELECT * FROM sales FOR UPDATE": "LOCK is not accepted in a query.",
    "SELECT * FROM sales AT (VERSION => 1)": "HISTORICAL DATA is not accepted in a query.",
    "SELECT $1": "PLACEHOLDER is not accepted in a query.",
    "SELECT ?": "PLACEHOLDER is not accepted in a query.",
    # text that is no SQL, or too much of it
    "SELEC 1": "The SQL cannot be read: ",
    "SELECT 'open": "The SQL cannot be read: it is no row of words; a quote or a comment may never be closed.",
    "SELECT": "The SQL cannot be read: nothing stands behind SELECT.",
    "SELECT * FROM sales WHERE": "The SQL cannot be read: A part of WHERE is missing at line 1, column 25 near 'WHERE'.",
    "SELECT * FROM sales JOIN": "The SQL cannot be read: Expected table name but got the end at line 1, column 24 near 'JOIN'.",
    "SELECT (": "The SQL cannot be read: ",
    "SELECT -> 1": "The SQL cannot be read: a part of it is missing.",
    "SELECT {: , 'b': 1}": "The SQL cannot be read: a part of it is missing.",
    "SELECT sum(quantity) OVER (w) OVER (ORDER BY day) FROM sales": "A part of the SQL cannot be told from another: ",
    "what is the average revenue?": "The SQL cannot be read: ",
    f"SELECT {'(' * 5000}1{')' * 5000}": "The SQL is nested too deeply.",
    f"SELECT {'CASE WHEN ' * 5000}1": "The SQL is nested too deeply.",
    f"SELECT {'FROM ' * 15000}1": "The SQL is nested too deeply.",
    f"SELECT {'NOT ' * 5000}1": "The SQL is nested too deeply.",
    f"SELECT {'1 + ' * (MAX_LENGTH // 4)}1": f"The SQL has {MAX_LENGTH + 8} characters; at most {MAX_LENGTH} are accepted.",
}


@pytest.mark.parametrize("sql", REFUSED, ids=lambda sql: sql[:60])
def test_whatever_is_not_one_select_over_the_open_tables_is_refused(sql: str) -> None:
    with pytest.raises(SqlRefusedError) as refusal:
        check_sql(sql, ["sales"])
    assert refusal.value.message.startswith(REFUSED[sql])
    assert refusal.value.hint


@pytest.mark.parametrize(
    "sql, hint",
    [
        ("SELECT * FROM slaes", "Did you mean sales?"),
        ("SELECT * FROM 'data/sales.csv'", "Did you mean sales?"),
        ("SELECT * FROM zzz", "Open tables: sales, prices."),
        ("SELECT meann(x) FROM sales", "Did you mean mean or "),
        ("SELECT qqqqqq(x) FROM sales", "Use DuckDB's functions on values."),
        ("DESCRIBE sales", "Look at the columns with: tabchat profile FILE"),
        ("SHOW TABLES", "Look at the columns with: tabchat profile FILE"),
    ],
)
def test_a_refusal_names_the_nearest_thing(sql: str, hint: str) -> None:
    with pytest.raises(SqlRefusedError) as refusal:
        check_sql(sql, ["sales", "prices"])
    assert (refusal.value.hint or "").startswith(hint)


def test_without_tables_a_refusal_says_that_none_is_open() -> None:
    with pytest.raises(SqlRefusedError) as refusal:
        check_sql("SELECT * FROM sales", [])
    assert refusal.value.hint == "No table is open."


ACCEPTED = """
SELECT region, sum(revenue) AS total FROM sales WHERE day > DATE '2024-01-02' GROUP BY 1 HAVING total > 3 ORDER BY total DESC LIMIT 3
WITH sales AS (SELECT * FROM sales WHERE quantity > 1) SELECT count(*) FROM sales
WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM c WHERE x < 5) SELECT sum(x) FROM c
SELECT region, row_number() OVER (PARTITION BY region ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS n FROM sales ORDER BY day
SELECT * FROM sales QUALIFY rank() OVER (ORDER BY revenue DESC) = 1
SELECT lag(quantity) OVER w AS before, first_value(quantity) OVER w AS f FROM sales WINDOW w AS (ORDER BY day) ORDER BY f, before
SELECT count(*) FILTER (WHERE quantity > 1) AS a, sum(DISTINCT quantity) AS b, string_agg(region, ',' ORDER BY day) AS c FROM sales
SELECT * EXCLUDE (region) REPLACE (quantity + 1 AS quantity) FROM SALES ORDER BY ALL
SELECT extract(year FROM day) AS y, date_part('month', day) AS m, day + INTERVAL 3 DAY AS d3, day::DATE - 1 AS d1, strftime(day, '%Y') AS t FROM sales ORDER BY day
SELECT date_trunc('month', day) AS m, date_diff('day', DATE '2024-01-01', day) AS n, dayname(day) AS w, last_day(day) AS l FROM sales ORDER BY day
FROM sales ORDER BY day
VALUES (1, 'a'), (2, 'b')
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY revenue) AS p, quantile_cont(revenue, 0.9) AS q, median(revenue) AS m FROM sales
SELECT CASE WHEN quantity > 5 THEN 'big' ELSE 'small' END AS size, coalesce(NULL, region) AS c, nullif(region, 'east') AS e FROM sales ORDER BY day
SELECT region FROM sales WHERE region IN ('north', 'east') AND quantity BETWEEN 1 AND 5 AND NOT region IS NULL AND region LIKE 'n%' ESCAPE '!' ORDER BY day
SELECT region FROM sales WHERE regexp_matches(region, '^n') OR region ILIKE 'EAST' OR region ~ 'x' OR region SIMILAR TO 's.*' ORDER BY day
SELECT * FROM (SELECT region, quantity FROM sales) PIVOT (sum(quantity) FOR region IN ('north', 'south')) AS p
SELECT * FROM (UNPIVOT (SELECT quantity, revenue FROM sales) ON quantity, revenue INTO NAME n VALUE v) ORDER BY ALL
SELECT columns('q.*') FROM sales ORDER BY 1
SELECT region FROM sales UNION SELECT 'west' EXCEPT SELECT 'east' ORDER BY 1
SELECT quantity FROM sales INTERSECT SELECT quantity FROM orders ORDER BY 1
SELECT exists(SELECT 1 FROM orders) AS e, (SELECT max(quantity) FROM orders) AS m
SELECT region FROM sales s WHERE quantity > (SELECT avg(quantity) FROM sales t WHERE t.region = s.region) ORDER BY day
SELECT s.region, o.quantity FROM sales s LEFT JOIN orders o USING (quantity) ORDER BY s.day
SELECT s.region FROM sales s SEMI JOIN orders o ON s.quantity = o.quantity ORDER BY s.day
SELECT s.day, o.quantity FROM sales s ASOF JOIN orders o ON s.quantity >= o.quantity ORDER BY s.day
SELECT a.quantity, b.z FROM orders a, LATERAL (SELECT a.quantity + 1 AS z) b ORDER BY 1
SELECT list_transform([1, 2], lambda x: x + 1) AS l, [y * 2 FOR y IN [1, 2] IF y > 1] AS c, {'a': 1}.a AS s, MAP {'k': 1}['k'] AS m, [3, 4][1] AS i, [1, 2, 3][2:3] AS r
SELECT x FROM unnest([1, 2]) t(x), range(2) r(i) ORDER BY ALL
SELECT '{"a": 1}'::JSON->>'a' AS a, json_extract('{"b": 2}', '$.b') AS b
SELECT region, count(*) AS n FROM sales GROUP BY ROLLUP (region) ORDER BY ALL
SELECT region, grouping(region) AS g, count(*) AS n FROM sales GROUP BY GROUPING SETS ((region), ()) ORDER BY ALL
SELECT DISTINCT ON (region) region, quantity FROM sales ORDER BY region, quantity DESC
SELECT quantity FROM sales ORDER BY quantity DESC NULLS FIRST LIMIT 20% OFFSET 1
SELECT quantity ** 2 AS p, quantity // 2 AS d, quantity % 3 AS m, -quantity AS n, quantity == 3 AS e, quantity <> 3 AS ne, quantity & 1 AS b FROM sales ORDER BY day
SELECT TRY_CAST('x' AS INT) AS a, round(2.567, 2) AS b, greatest(1, 2) AS c, md5('x') AS d, split_part('a,b', ',', 2) AS e, lpad('7', 3, '0') AS f, upper('x') || 'y' AS g
SELECT arg_max(region, revenue) AS a, mode(region) AS b, any_value(region ORDER BY day) AS c, corr(quantity, revenue) AS d, stddev(revenue) AS e, bool_and(quantity >= 0) AS f FROM sales
SELECT "Місто", count(*) AS n FROM sales GROUP BY ALL
SELECT E'a\\nb' AS a, 'it''s' AS b, $$dollar$$ AS c, 1e3 AS d, TRUE AS e, NULL AS f
SELECT position('b' IN 'abc') AS a, substring('abc' FROM 2 FOR 1) AS b, trim(BOTH 'x' FROM 'xax') AS c, overlay('abc' PLACING 'z' FROM 2) AS d
SELECT sum(sum(quantity)) OVER (ORDER BY region) AS running, region FROM sales GROUP BY region ORDER BY region
SELECT max(quantity, 2) AS top, count(DISTINCT region) AS n, approx_count_distinct(region) AS a FROM sales
SELECT region, quantity /* a comment */ FROM sales -- and another
(SELECT 1 AS one)
TABLE orders
""".strip().splitlines()


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE sales AS {SALES}")
        connection.execute("CREATE TABLE orders AS SELECT i AS quantity, i * 2 AS amount FROM range(3) t(i)")
        yield connection


@pytest.mark.parametrize("sql", ACCEPTED, ids=lambda sql: sql[:50])
def test_what_is_accepted_means_what_it_meant_as_text(sql: str, plain: duckdb.DuckDBPyConnection) -> None:
    checked = check_sql(sql, ["sales", "orders"])
    rendered = checked.sql("duckdb", identify=True)
    if "PIVOT" not in sql:
        assert plain.execute(rendered).fetchall() == plain.execute(sql).fetchall()
    shown = checked.sql("duckdb", pretty=True)
    assert check_sql(shown, ["sales", "orders"]).sql("duckdb", identify=True) == rendered
    assert "comment" not in rendered


@pytest.mark.parametrize("sql", ACCEPTED, ids=lambda sql: sql[:50])
def test_what_is_accepted_runs_on_the_locked_engine(
    sql: str, engine: DuckDBEngine, orders: Table, tables: dict[str, Table]
) -> None:
    result = run_sql(engine, {"sales": tables["sales"], "orders": orders}, sql)
    assert len(result.frame.rows()) == result.frame.row_count == result.metadata.rows
    assert not any(name.startswith("__") for name in result.frame.columns)


def test_an_arrow_still_makes_a_lambda(plain: duckdb.DuckDBPyConnection) -> None:
    rendered = check_sql("SELECT list_transform([1, 2], x -> x + 1) AS l", []).sql("duckdb", identify=True)
    assert plain.execute(rendered).fetchall() == [([2, 3],)]


def test_keywords_of_two_words_are_no_functions() -> None:
    check_sql("SELECT region FROM sales GROUP BY (region) ORDER BY (region)", ["sales"])


def test_every_allowed_function_exists_and_none_of_them_touches_anything() -> None:
    with duckdb.connect() as connection:
        known = {
            name.lower(): kind
            for name, kind in connection.execute(
                "SELECT function_name, function_type FROM duckdb_functions() ORDER BY function_type DESC"
            ).fetchall()
        }
    parsed_specially = {
        "coalesce",
        "extract",
        "grouping",
        "ifnull",
        "localtime",
        "localtimestamp",
        "current_timestamp",
        "current_time",
        "percentile_cont",
        "percentile_disc",
        "try",
        "date",
    }
    assert {name for name in FUNCTIONS if name not in known} <= parsed_specially
    assert {
        name for name in FUNCTIONS if known.get(name) in {"table", "pragma", "table_macro"}
    } <= TABLE_FUNCTIONS
    forbidden = (
        "read_",
        "write_",
        "pragma_",
        "duckdb_",
        "parquet_",
        "sniff_",
        "pg_",
        "query",
        "scan",
        "sleep",
    )
    assert not [name for name in FUNCTIONS | SYNTAX if name.startswith(forbidden) or "secret" in name]
    assert not FUNCTIONS & {
        "getenv",
        "glob",
        "current_setting",
        "getvariable",
        "nextval",
        "version",
        "repeat_row",
    }


FRAGMENTS = st.sampled_from(
    [
        "SELECT", "*", "FROM", "sales", "'/etc/passwd'", "read_csv('/etc/passwd')", "read_text", "(", ")", ",",
        "COPY", "TO", "'{canary}'", "ATTACH", ";", "WITH", "x", "AS", "UNION", "JOIN", "ON", "true", "glob('/*')",
        "1", "getenv('HOME')", "WHERE", "revenue", ">", "count(*)", "GROUP BY", "region", "INTO", "LATERAL",
        "query('SELECT 1')", "information_schema.tables", "SET threads = 1", "PRAGMA version", "LIMIT 1", "--", "/*",
        "*/", "$$", "CALL", "EXPORT DATABASE '{canary}'", "INSTALL httpfs", "LOAD httpfs", "::", "INT", "[", "]",
        "write_blob('{canary}')", "DESCRIBE", "VALUES (1)", "x -> x", "CREATE TABLE t AS",
    ]
)  # fmt: skip


@given(parts=st.lists(FRAGMENTS, max_size=14))
@settings(
    deadline=None,
    max_examples=examples(400),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_no_text_touches_the_disk_or_fails_in_another_way_than_refused_or_failed(
    parts: list[str], engine: DuckDBEngine, tables: dict[str, Table], folder: Path
) -> None:
    canary = folder / "results" / "canary"
    sql = " ".join(parts).replace("{canary}", str(canary))
    try:
        result = run_sql(engine, tables, sql)
    except (SqlRefusedError, QueryFailedError):
        result = None
    assert not canary.exists()
    if result is not None:
        assert "root:" not in str(result.frame.rows(20))


PLACES = (
    "SELECT {value} FROM sales",
    "SELECT region FROM sales WHERE {value} IS NULL",
    "SELECT count(*) FROM sales GROUP BY {value}",
    "SELECT count(*) FROM sales GROUP BY region HAVING {value} > 1",
    "SELECT region FROM sales QUALIFY row_number() OVER (ORDER BY {value}) = 1",
    "SELECT region FROM sales ORDER BY {value} LIMIT 1",
    "SELECT region FROM sales LIMIT (SELECT {value})",
    "SELECT sum(revenue) OVER (PARTITION BY {value}) FROM sales",
    "SELECT sum(revenue) FILTER (WHERE {value} = 1) FROM sales",
    "SELECT CASE WHEN {value} THEN 1 END, [{value}], {{'a': {value}}} FROM sales",
    "SELECT list_transform([1], x -> {value})",
    "SELECT * REPLACE ({value} AS region) FROM sales",
    "WITH a AS (SELECT {value} AS v) SELECT * FROM a",
    "SELECT region FROM sales UNION ALL SELECT {value}",
    "SELECT s.region FROM sales s JOIN sales t ON s.region = {value}",
    "SELECT * FROM sales, LATERAL (SELECT {value}) l",
    "VALUES ({value})",
    "SELECT * FROM unnest([{value}])",
    "SELECT * FROM {table}",
    "SELECT * FROM sales, {table}",
    "SELECT * FROM sales LEFT JOIN {table} ON true",
    "SELECT * FROM sales WHERE region IN (SELECT region FROM {table})",
    "SELECT (SELECT count(*) FROM {table}), exists(FROM {table})",
    "WITH a AS (SELECT * FROM {table}) SELECT * FROM a",
    "WITH RECURSIVE a AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM a, {table}) SELECT * FROM a",
    "SELECT region FROM sales EXCEPT SELECT 1 FROM {table}",
    "SELECT * FROM (SELECT * FROM (SELECT * FROM {table}))",
    "FROM {table} SELECT 1",
    "SELECT * FROM {table} TABLESAMPLE 10%",
)
BAD_VALUES = (
    "getenv('HOME')",
    "read_text('/etc/passwd')",
    "current_setting('threads')",
    "(SELECT content FROM read_text('/etc/passwd'))",
    "(SELECT 1 FROM 'x.csv')",
    "write_log('x')",
    "region.getenv()",
    "current_user",
    "sleep_ms(1000)",
    "$1",
)
BAD_TABLES = (
    "read_csv('/etc/passwd')",
    "'/etc/passwd'",
    "duckdb_settings()",
    "information_schema.tables",
    "query('SELECT 1')",
    "(FROM glob('/*'))",
    "(DESCRIBE sales)",
    "pragma_version()",
    "sqlite_master",
)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_refused_is_refused_in_every_place(place: str) -> None:
    check_sql(place.format(value="1", table="sales"), ["sales"])
    for value in BAD_VALUES if "{value}" in place else ("1",):
        for table in BAD_TABLES if "{table}" in place else ("sales",):
            with pytest.raises(SqlRefusedError):
                check_sql(place.format(value=value, table=table), ["sales"])


# Results


def run(engine: DuckDBEngine, tables: dict[str, Table], sql: str) -> Result:
    return run_sql(engine, tables, sql)


def test_one_aggregate_is_a_scalar_with_its_source_rows(
    engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    result = run(engine, tables, "select sum(revenue) from sales where region = 'south'")
    assert (result.kind, result.value, result.source_row_count) == (ResultKind.SCALAR, 18.0, 3)
    assert result.frame.rows() == [(18.0,)]
    assert result.source is not None
    assert result.source.columns == ("row", "region", "quantity", "revenue", "day", "Місто")
    assert result.source.rows(1) == [(2, "south", 1, 1.5, dt.date(2024, 1, 2), "Львів")]
    assert [row[0] for row in result.source.rows()] == [2, 5, 8]
    assert [column.unit for column in result.source.schema][3] == "€"
    assert result.sql == "SELECT\n  SUM(revenue)\nFROM sales\nWHERE\n  region = 'south'"
    assert result.plan is None


def test_several_aggregates_are_a_dict(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    result = run(engine, tables, "SELECT count(*), avg(quantity) AS mean, min(day) FROM sales")
    assert result.kind is ResultKind.DICT
    assert result.values == {"count": 10, "mean": 4.5, 'min("day")': dt.date(2024, 1, 1)}
    assert result.source_row_count == 10
    assert result.value is None


def test_groups_come_in_the_order_of_their_keys_with_a_chart(
    engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    result = run(
        engine, tables, "SELECT region, sum(revenue) AS total FROM sales WHERE quantity < 7 GROUP BY region"
    )
    assert result.kind is ResultKind.GROUPED
    assert result.frame.rows() == [("east", 10.5), ("north", 13.5), ("south", 7.5)]
    assert result.group_by == ("region",)
    assert result.chart == Chart(category="region", value="total")
    assert result.source_row_count == 7
    assert [column.unit for column in result.frame.schema] == [None, "€"]
    assert result.focus == ("total",)


@pytest.mark.parametrize(
    "sql, source_rows",
    [
        ("SELECT region, count(*) FROM sales GROUP BY region HAVING count(*) > 3", 10),
        ("SELECT region, count(*) FROM sales GROUP BY region ORDER BY 2 DESC LIMIT 1", 10),
        ("SELECT region, count(*) FROM sales GROUP BY region LIMIT 0", 10),
        ("SELECT region, count(*) FROM sales WHERE false GROUP BY region", 0),
        ("SELECT region, count(*) FROM sales GROUP BY ROLLUP (region)", 10),
        ("SELECT region, count(*) FROM sales WHERE quantity > 4 GROUP BY ALL", 5),
        ("SELECT DISTINCT region, count(*) FROM sales GROUP BY region, quantity", 10),
        ("SELECT count(*) FROM sales WHERE false", 0),
        ("SELECT sum(quantity) FROM sales HAVING sum(quantity) > 10000", 10),
        ("SELECT region r, count(*) FROM sales WHERE r <> 'north' GROUP BY r", 6),
        ("SELECT quantity * 2 AS d, count(*) FROM sales WHERE d + 1 > 15 GROUP BY d", 2),
        ("WITH big AS (SELECT * FROM sales WHERE quantity > 6) SELECT count(*) FROM big", 3),
        ("SELECT sum(quantity) FROM (SELECT * FROM sales WHERE quantity > 6)", 3),
        ("SELECT count(*) FROM sales s JOIN Замовлення o USING (quantity)", 3),
        ("SELECT count(*) FROM sales s, Замовлення o", 30),
        ("SELECT count(*) FROM sales s SEMI JOIN Замовлення o USING (quantity)", 3),
        ("SELECT sum(x) FROM (VALUES (1), (2)) v(x)", 2),
        ("SELECT max(quantity) FROM sales WHERE revenue > (SELECT avg(revenue) FROM sales)", 5),
        ("SELECT count(*) FROM sales AS s(a, b) WHERE b > 4", 5),
    ],
)
def test_source_rows_are_the_rows_before_the_aggregate(
    sql: str, source_rows: int, engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    result = run(engine, tables, sql)
    assert result.source_row_count == source_rows
    assert result.source is not None
    assert len(result.source.rows()) == result.source.row_count == source_rows
    assert not any(name.startswith("__") for name in result.source.columns)
    assert result.metadata.warnings == ()


def test_columns_of_the_same_name_are_told_apart_in_the_source(
    engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    result = run(engine, tables, "SELECT count(*) FROM sales s JOIN Замовлення o ON s.quantity = o.quantity")
    assert result.source is not None
    assert result.source.columns == (
        "region", "quantity", "revenue", "day", "Місто", "quantity_1", "Сума замовлення",
    )  # fmt: skip


def test_the_row_number_takes_another_name_when_a_column_is_called_row(
    engine: DuckDBEngine, folder: Path
) -> None:
    table = make_table(folder, engine, "t", 'SELECT 7 AS "Row", 1 AS file_row')
    result = run(engine, {"t": table}, "SELECT count(*) FROM t")
    assert result.source is not None
    assert result.source.columns == ("__row__", "Row", "file_row")
    narrow = make_table(folder, engine, "n", "SELECT 7 AS row")
    source = run(engine, {"n": narrow}, "SELECT count(*) FROM n").source
    assert source is not None
    assert source.columns == ("file_row", "row")


def test_a_table_that_is_scanned_where_it_lies_has_no_row_numbers(
    engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    direct = {"sales": replace(tables["sales"], stored=False)}
    source = run(engine, direct, "SELECT count(*) FROM sales").source
    assert source is not None
    assert source.columns[0] == "region"


@pytest.mark.parametrize(
    "sql, kind, rows",
    [
        ("SELECT * FROM sales", ResultKind.TABLE, 10),
        ("SELECT region, day FROM sales", ResultKind.TABLE, 10),
        ("SELECT region FROM sales ORDER BY revenue DESC LIMIT 2", ResultKind.TABLE, 2),
        ("SELECT region FROM sales ORDER BY revenue DESC LIMIT 1", ResultKind.SCALAR, 1),
        ("SELECT region, day FROM sales LIMIT 1", ResultKind.TABLE, 1),
        ("SELECT 1 + 1", ResultKind.SCALAR, 1),
        ("SELECT 1 AS a, 2 AS b", ResultKind.DICT, 1),
        (
            "SELECT (SELECT max(quantity) FROM sales) - (SELECT min(quantity) FROM sales)",
            ResultKind.SCALAR,
            1,
        ),
        ("SELECT sum(quantity) OVER () AS s FROM sales", ResultKind.TABLE, 10),
        ("SELECT sum(sum(quantity)) OVER () AS s FROM sales", ResultKind.SCALAR, 1),
        ("SELECT region, rank() OVER (ORDER BY count(*)) AS r FROM sales GROUP BY 1", ResultKind.GROUPED, 3),
        ("SELECT count(*) FROM sales GROUP BY region", ResultKind.TABLE, 3),
        ("SELECT sum(quantity) FILTER (WHERE quantity > 1) OVER () AS s FROM sales", ResultKind.TABLE, 10),
        ("SELECT first_value(region IGNORE NULLS) OVER (ORDER BY day) AS f FROM sales", ResultKind.TABLE, 10),
        ("SELECT *, count(*) AS n FROM orders GROUP BY ALL", ResultKind.TABLE, 3),
        ("SELECT * FROM range(3)", ResultKind.TABLE, 3),
        ("SELECT quantity FROM sales UNION ALL SELECT 1", ResultKind.TABLE, 11),
        ("SELECT DISTINCT region FROM sales", ResultKind.TABLE, 3),
        ("SELECT 'x' AS label, region, count(*) FROM sales GROUP BY 2", ResultKind.GROUPED, 3),
        ("SELECT region, mode(day) FROM sales GROUP BY 1", ResultKind.GROUPED, 3),
    ],
)
def test_the_kind_follows_the_outermost_select(
    sql: str, kind: ResultKind, rows: int, engine: DuckDBEngine, tables: dict[str, Table], orders: Table
) -> None:
    result = run(engine, tables | {"orders": orders}, sql)
    assert (result.kind, result.frame.row_count, result.metadata.rows) == (kind, rows, rows)


def test_groups_without_a_number_have_no_chart(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    assert run(engine, tables, "SELECT region, min(day) FROM sales GROUP BY 1").chart is None


def test_a_bare_table_is_not_copied(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    result = run(engine, tables, "SELECT region AS r, * FROM sales")
    assert "__kept" not in engine.sql(result.frame.query)
    assert result.frame.row_count == 10
    assert result.source is None
    assert result.source_row_count is None


def test_rows_keep_the_order_that_was_asked_for(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    result = run(engine, tables, "SELECT quantity FROM sales ORDER BY region, quantity DESC")
    assert [row[0] for row in result.frame.rows()] == [8, 5, 2, 9, 6, 3, 0, 7, 4, 1]
    assert result.focus == ("quantity",)


def test_the_focus_is_what_was_computed_or_sorted_by(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    assert run(engine, tables, "SELECT day, region, quantity * 2 AS dbl FROM sales ORDER BY day").focus == (
        "day",
        "dbl",
    )
    assert run(engine, tables, "SELECT * FROM sales ORDER BY revenue").focus == ("revenue",)
    assert run(engine, tables, "SELECT day, region FROM sales").focus == ("day", "region")
    assert run(engine, tables, "SELECT region FROM sales UNION SELECT 'x' ORDER BY region").focus == (
        "region",
    )
    assert run(engine, tables, "SELECT * FROM sales ORDER BY 3").focus == ("revenue",)
    assert run(engine, tables, "SELECT * FROM sales ORDER BY ALL").focus == ()
    assert run(engine, tables, "SELECT region, day FROM sales ORDER BY 2, 1 + 1").focus == ("day",)


def test_the_hidden_row_number_is_never_visible(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    assert "__row__" not in run(engine, tables, "SELECT * FROM sales").frame.columns
    assert "__row__" not in str(run(engine, tables, "SELECT sales FROM sales LIMIT 1").value)
    assert run(engine, tables, "SELECT count(COLUMNS(*)) FROM sales").frame.row_count == 1
    for sql in (
        "SELECT __row__ FROM sales",
        "SELECT COLUMNS('__row__') FROM sales",
        'SELECT s."__ROW__" FROM sales s',
    ):
        with pytest.raises(QueryFailedError):
            run(engine, tables, sql)


def test_names_in_other_scripts_are_found_whatever_their_case(
    engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    result = run(
        engine, tables, 'SELECT sum("сума замовлення") AS s FROM замовлення WHERE замовлення.quantity > 0'
    )
    assert result.value == 6
    grouped = run(engine, tables, "SELECT місто, count(*) AS n FROM sales GROUP BY місто")
    assert grouped.frame.rows() == [("Львів", 10)]
    own = run(engine, tables, "SELECT max(місто) FROM (SELECT quantity AS місто FROM sales)")
    assert own.value == 9


def test_an_unknown_column_names_the_nearest(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    with pytest.raises(QueryFailedError) as failure:
        run(engine, tables, "SELECT sum(revenu) FROM sales")
    assert (failure.value.message, failure.value.hint) == (
        "There is no column 'revenu'.",
        "Did you mean revenue?",
    )
    with pytest.raises(QueryFailedError) as failure:
        run(engine, tables, "SELECT s.regoin FROM sales s")
    assert (failure.value.message, failure.value.hint) == (
        "There is no column 'regoin'.",
        "Did you mean region?",
    )


@pytest.mark.parametrize(
    "sql, reason",
    [
        ("SELECT random() < 2 AS r FROM sales", "random()"),
        ("SELECT * FROM sales USING SAMPLE 5 ROWS", "TABLESAMPLE"),
        ("SELECT count(*) FROM sales TABLESAMPLE 50%", "TABLESAMPLE"),
        ("SELECT day < current_date AS past FROM sales", "the current time"),
        ("SELECT now() > TIMESTAMPTZ '2020-01-01' AS later", "now()"),
        ("SELECT count(*) FROM sales WHERE random() < 2", "random()"),
    ],
)
def test_what_cannot_be_repeated_is_said_and_has_no_source(
    sql: str, reason: str, engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    result = run(engine, tables, sql)
    (warning,) = result.metadata.warnings
    assert warning.startswith("Another run may give other values: the query uses ")
    assert reason in warning
    assert result.source is None


@pytest.mark.parametrize("sql", ["SELECT '\udcff'", 'SELECT "\ud800" FROM sales', "VACUUM \udcff"])
def test_sql_that_is_no_text_is_refused_before_it_is_parsed(
    engine: DuckDBEngine, tables: dict[str, Table], sql: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(SqlRefusedError, match="that are no text"):
        run(engine, tables, sql)
    # What the parser logged of it could not be written by anyone.
    assert not caplog.records


def test_values_that_are_no_numbers_are_not_taken_for_missing_ones(
    engine: DuckDBEngine, tables: dict[str, Table]
) -> None:
    assert run(engine, tables, "SELECT ln(0)").value == float("-inf")
    values = run(engine, tables, "SELECT 'nan'::DOUBLE AS a, 'inf'::DOUBLE AS b, 1 AS c").values
    assert {name: repr(value) for name, value in values.items()} == {"a": "nan", "b": "inf", "c": "1"}


def test_a_source_that_cannot_be_listed_is_said_and_the_answer_stands(
    engine: DuckDBEngine, tables: dict[str, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    described = engine.schema

    def without_source(query: exp.Query) -> Schema:
        if query.find(exp.Where):
            raise QueryFailedError("no")
        return described(query)

    monkeypatch.setattr(engine, "schema", without_source)
    result = run(engine, tables, "SELECT count(*) FROM sales WHERE quantity > 7")
    assert (result.value, result.source, result.source_row_count) == (2, None, 2)
    assert result.metadata.warnings == ("The source rows of this query cannot be listed: no",)


def test_errors_are_of_this_program(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    for sql in (
        "SELECT region::INT FROM sales",
        "SELECT sum(region) FROM sales",
        "SELECT region, count(*) FROM sales",
    ):
        with pytest.raises(TabchatError) as failure:
            run(engine, tables, sql)
        assert failure.value.hint


def test_all_that_is_unnested_of_a_struct_is_there(engine: DuckDBEngine, tables: dict[str, Table]) -> None:
    result = run_sql(engine, tables, "SELECT unnest({'a': 1, 'b': 2}), 3 AS c")
    assert (result.frame.columns, result.frame.rows()) == (("a", "b", "c"), [(1, 2, 3)])
