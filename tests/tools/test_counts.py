"""Numbers of rows tell no cell: those that a model asks for are spelled out, those of what makes rows are classes."""

from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.config import PrivacyLevel
from tabchat.engine.sql.joined import REPEATS
from tabchat.errors import SqlRefusedError
from tabchat.tools.counts import classed
from tabchat.tools.executor import ToolExecutor
from tests.workspace import make_executor, make_workspace

SECRET = 5287
COMPUTED = (
    "SELECT 1 AS x FROM range((SELECT max(cell) FROM t))",
    "SELECT 1 AS x FROM generate_series(1, (SELECT max(cell) FROM t))",
    "SELECT unnest(range(cell)) AS x FROM t",
    "SELECT unnest(generate_series(1, cell)) AS x FROM t",
    "SELECT 1 AS x FROM t, range(t.cell)",
    "SELECT [i FOR i IN range(count(*))] AS x FROM t",
    "SELECT a.n FROM t AS a, t AS b LIMIT (SELECT max(cell) FROM t)",
    "SELECT a.n FROM t AS a, t AS b OFFSET (SELECT max(cell) FROM t)",
    "SELECT a.n FROM t AS a FETCH FIRST (SELECT max(cell) FROM t) ROWS ONLY",
    "WITH c AS (SELECT max(cell) AS m FROM t) SELECT n FROM t LIMIT (SELECT m FROM c)",
)
SPELLED = (
    "SELECT 1 AS x FROM range(3)",
    "SELECT 1 AS x FROM range(-1, 2)",
    "SELECT d FROM generate_series(DATE '2024-01-01', DATE '2024-03-01', INTERVAL 1 MONTH) AS g(d)",
    "SELECT n FROM t LIMIT 3 OFFSET 1",
    "SELECT n FROM t LIMIT 50%",
)
MAKING = (
    f"SELECT 1 AS x FROM range({10 * SECRET}) AS r(i) WHERE i < (SELECT max(cell) FROM t)",
    "SELECT unnest(string_split(repeat('a,', (SELECT max(cell) - 1 FROM t)), ',')) AS x",
    "SELECT i, count(*) AS n FROM range(99999) AS r(i) WHERE i < (SELECT max(cell) FROM t) GROUP BY i",
    "SELECT count(*) AS n FROM range(99999) AS r(i) WHERE i < (SELECT max(cell) FROM t)",
    "SELECT x.n FROM t AS x, t AS y, t AS z WHERE (x.n * 40 + y.n) * 40 + z.n < (SELECT max(cell) FROM t)",
)


def executor_over(
    folder: Path, level: PrivacyLevel = PrivacyLevel.STRICT, *, person: bool = False
) -> ToolExecutor:
    path = folder / "t.csv"
    path.write_text("n,cell\n" + "".join(f"{n},{SECRET if n == 7 else 3}\n" for n in range(40)))
    return make_executor(replace(make_workspace(folder, path, privacy=level), is_person=person))


@pytest.mark.parametrize("level", list(PrivacyLevel))
def test_in_sql_of_a_model_a_number_of_rows_is_spelled_out(tmp_path: Path, level: PrivacyLevel) -> None:
    executor = executor_over(tmp_path, level)
    for sql in COMPUTED:
        outcome = executor.run("run_sql", {"sql": sql})
        assert isinstance(outcome.failure, SqlRefusedError), sql
        assert "spelled out" in outcome.envelope.summary, sql
    for sql in SPELLED:
        assert executor.execute("run_sql", {"sql": sql}).ok, sql


def test_the_person_computes_numbers_of_rows(tmp_path: Path) -> None:
    executor = executor_over(tmp_path, person=True)
    for sql in (*COMPUTED, *SPELLED):
        assert executor.execute("run_sql", {"sql": sql}).ok, sql


def test_at_strict_rows_that_stand_in_no_table_are_counted_in_classes(tmp_path: Path) -> None:
    executor = executor_over(tmp_path)
    for sql in MAKING:
        envelope = executor.execute("run_sql", {"sql": sql})
        assert envelope.ok, envelope.summary
        assert "more than 1,000" in envelope.summary, sql
        assert str(SECRET) not in str(envelope.to_json()), sql
        calls = (
            ("describe_result", {"data_key": "_"}),
            ("describe_table", {"table": "_"}),
            ("run_query", {"table": "_"}),
            ("run_query", {"table": "_", "select": "count()"}),
            ("run_sql", {"sql": "SELECT * FROM _"}),
        )
        number = executor.workspace.numbers.latest
        for tool, arguments in calls:
            executor.workspace.numbers.latest = number
            said = str(executor.execute(tool, arguments).to_json())
            assert str(SECRET) not in said, (sql, tool)


def test_rows_of_the_tables_are_counted(tmp_path: Path) -> None:
    executor = executor_over(tmp_path)
    groups = executor.execute("run_sql", {"sql": "SELECT n % 20 AS k, sum(cell) AS s FROM t GROUP BY 1"})
    assert groups.summary == "Result: 20 groups by k with s (from 40 rows)"
    assert executor.execute("run_query", {"where": "n < 30"}).summary.startswith("Result: 30 rows")
    assert executor.execute("run_sql", {"sql": "SELECT n FROM t WHERE n < 12"}).metrics["row_count"] == 12


def test_a_number_is_told_as_the_class_that_it_lies_in() -> None:
    numbers = (0, 1, 10, 11, 100, 101, 1_000, 1_001, 10**9)
    assert [str(classed(number)) for number in numbers] == [
        "0",
        "1",
        "10",
        "11 to 100",
        "11 to 100",
        "101 to 1,000",
        "101 to 1,000",
        "more than 1,000",
        "more than 1,000",
    ]


def test_what_a_join_repeats_is_told_without_a_number_that_a_cell_may_be(tmp_path: Path) -> None:
    sql = (
        "SELECT sum(t.n) AS s FROM t JOIN (SELECT unnest(range(99999)) AS i) AS r ON r.i < t.cell "
        "WHERE t.n = 7"
    )
    strict = executor_over(tmp_path).execute("run_sql", {"sql": sql})
    assert REPEATS in strict.warnings
    assert str(SECRET) not in str(strict.to_json()).replace(",", "")
    told = executor_over(tmp_path, PrivacyLevel.SUMMARY).execute("run_sql", {"sql": sql})
    assert f"The join makes {SECRET:,} rows of 1 of t" in told.summary
