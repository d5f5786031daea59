"""An earlier result is a table: by its key or as `_`, in plans, in SQL and for the tools that describe."""

from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.errors import DataKeyError, PlanError, PlanValidationError, SqlRefusedError
from tabchat.store import InMemoryDataStore
from tabchat.tools.executor import ToolExecutor
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace

BY_COUNTRY = {"select": ["sum(quantity)", "count()"], "group_by": ["region", "country"]}


@pytest.fixture
def executor(tmp_path: Path, example: Example) -> ToolExecutor:
    return make_executor(make_workspace(tmp_path, example("sales.csv")))


def rows(executor: ToolExecutor, tool: str, **arguments: object) -> list[tuple[object, ...]]:
    outcome = executor.run(tool, arguments)  # type: ignore[arg-type] # arguments are JSON
    assert outcome.failure is None, outcome.failure
    assert outcome.result is not None
    return list(outcome.result.frame.rows())


def test_a_plan_runs_on_the_last_result_and_on_one_by_its_key(executor: ToolExecutor) -> None:
    key = executor.execute("run_query", BY_COUNTRY).data_key
    expected = rows(
        executor,
        "run_sql",
        sql="SELECT region, sum(q) FROM (SELECT region, country, sum(quantity) AS q FROM sales GROUP BY ALL) "
        "GROUP BY region ORDER BY region",
    )
    second = {"select": "sum(sum_quantity)", "group_by": "region"}
    assert rows(executor, "run_query", table=key, **second) == expected
    executor.execute("run_query", BY_COUNTRY)
    assert rows(executor, "run_query", table="_", **second) == expected
    # What was just computed is the last result now.
    assert rows(executor, "run_query", table="_", select="count()") == [(len(expected),)]


def test_sql_reads_results_beside_tables(executor: ToolExecutor) -> None:
    key = executor.execute("run_query", BY_COUNTRY).data_key
    assert rows(executor, "run_sql", sql=f"SELECT sum(count) FROM {key}") == [(5000,)]
    executor.execute("run_query", BY_COUNTRY)
    joined = "SELECT count(*) FROM sales s JOIN _ USING (country) WHERE _.region = s.region"
    assert rows(executor, "run_sql", sql=joined) == [(5000,)]
    executor.execute("run_query", BY_COUNTRY)
    named = rows(
        executor, "run_sql", sql='WITH best AS (FROM "_" ORDER BY sum_quantity DESC LIMIT 1) FROM best'
    )
    assert len(named) == 1


def test_a_result_of_results_has_one_key_and_a_recipe_that_leads_to_the_file(executor: ToolExecutor) -> None:
    key = str(executor.execute("run_query", BY_COUNTRY).data_key)
    by_name = executor.execute("run_sql", {"sql": "SELECT max(count) FROM _"})
    by_key = executor.execute("run_sql", {"sql": f'SELECT max(count) FROM {key} AS "_"'})
    assert by_name.data_key == by_key.data_key
    (reference,) = executor.workspace.store.get(str(by_name.data_key)).recipe.tables
    assert (reference.name, reference.result_key) == (key, key)
    (file,) = executor.workspace.store.get(key).recipe.tables
    assert (file.name, file.result_key) == ("sales", None)


def test_tables_that_a_query_does_not_read_do_not_change_its_key(tmp_path: Path, example: Example) -> None:
    workspace = make_workspace(tmp_path, example("sales.csv"), example("prices.csv"))
    sql = {"sql": "SELECT count(*) FROM sales"}
    both = make_executor(workspace).execute("run_sql", sql).data_key
    alone = replace(workspace, tables={"sales": workspace.tables["sales"]})
    assert make_executor(alone).execute("run_sql", sql).data_key == both


def test_a_result_is_a_table_for_the_tools_that_describe(executor: ToolExecutor) -> None:
    key = executor.execute("run_query", BY_COUNTRY).data_key
    assert executor.execute("describe_table", {"table": key}).summary.startswith("Found 12 records.")
    assert "Asia" in executor.execute("find_values", {"table": "_", "text": "asia"}).summary
    assert executor.execute("describe_column", {"table": "_", "column": "region"}).ok
    assert executor.execute("describe_result", {"data_key": "_"}).summary.startswith("Result: 12 groups by")


def test_rows_of_a_result_keep_their_order_and_columns_of_one_name_are_told_apart(
    executor: ToolExecutor,
) -> None:
    first = rows(
        executor,
        "run_sql",
        sql="SELECT country, quantity, country FROM sales ORDER BY quantity DESC, country",
    )
    second = executor.run("run_sql", {"sql": "FROM _"})
    assert second.result is not None
    assert second.result.frame.columns == ("country", "quantity", "country_1")
    assert second.result.frame.rows() == first
    third = executor.run("run_query", {"table": "_", "map": {"before": "prev(country)"}, "columns": "before"})
    assert third.result is not None
    assert third.result.frame.rows(3) == [(None,), *((row[0],) for row in first[:2])]


def test_what_is_no_result_is_refused(executor: ToolExecutor) -> None:
    assert isinstance(executor.run("run_query", {"table": "_"}).failure, PlanError)
    assert isinstance(executor.run("run_sql", {"sql": "FROM _"}).failure, PlanError)
    unknown = "ds_" + "a" * 20
    for tool, arguments in (("run_query", {"table": unknown}), ("run_sql", {"sql": f"FROM {unknown}"})):
        outcome = executor.run(tool, arguments)
        assert isinstance(outcome.failure, DataKeyError)
        assert f"There is no result {unknown}." in outcome.envelope.summary
    assert isinstance(executor.run("run_sql", {"sql": "FROM ds_short"}).failure, SqlRefusedError)
    key = executor.execute("run_query", BY_COUNTRY).data_key
    wrong = executor.run("run_query", {"table": key, "select": "sum(quantity)"})
    assert isinstance(wrong.failure, PlanValidationError)
    assert "sum_quantity" in wrong.envelope.summary


def test_a_result_that_is_not_kept_on_disk_can_still_be_read_in_its_session(executor: ToolExecutor) -> None:
    unwritable = replace(executor.workspace, store=InMemoryDataStore(), scratch=executor.workspace.store)
    key = executor.execute("run_query", BY_COUNTRY).data_key
    assert rows(make_executor(unwritable), "run_sql", sql=f"SELECT count(*) FROM {key}") == [(12,)]


def test_a_table_that_is_called_like_a_result_stays_itself(tmp_path: Path) -> None:
    path = tmp_path / "_.csv"
    path.write_text("a\n7\n")
    executor = make_executor(make_workspace(tmp_path, path))
    (name,) = executor.workspace.tables
    executor.execute("run_sql", {"sql": f'SELECT 1 AS a, count(*) FROM "{name}"'})
    assert rows(executor, "run_sql", sql=f'SELECT a FROM "{name}"') == [(7,)]


def test_the_beginning_of_a_key_names_a_result_for_the_person_alone(executor: ToolExecutor) -> None:
    key = str(executor.execute("run_query", BY_COUNTRY).data_key)
    short = key[:12]
    assert isinstance(executor.run("run_query", {"table": short, "select": "count()"}).failure, PlanError)
    person = make_executor(replace(executor.workspace, is_person=True))
    assert rows(person, "run_query", table=short, select="count()") == [(12,)]
    assert rows(person, "run_sql", sql=f"SELECT count(*) FROM {short}") == [(12,)]
