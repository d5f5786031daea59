"""Descriptions are short, say what they left out, and keep the exact figures behind them for the checker."""

from pathlib import Path
from typing import Any

from tabchat.config import PrivacyLevel
from tabchat.tools.executor import ToolExecutor
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace


def facts_of(executor: ToolExecutor, tool: str, **arguments: str) -> dict[str, Any]:
    return dict(executor.run(tool, arguments).facts)


def test_the_figures_of_a_description_are_facts(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("installations.csv")))
    facts = facts_of(executor, "describe_table")
    assert (facts["tool"], facts["table"], facts["rows"], facts["cols"]) == (
        "describe_table",
        "installations",
        606,
        5,
    )
    by_name = {column["name"]: column for column in facts["columns"]}
    ((low, high, mean, distinct),) = executor.run(
        "run_sql",
        {
            "sql": "SELECT min(capacity_mw), max(capacity_mw), avg(capacity_mw), count(DISTINCT capacity_mw) "
            "FROM installations"
        },
    ).result.frame.rows()  # type: ignore[union-attr] # the query has a result
    capacity = by_name["capacity_mw"]
    assert (capacity["min"], capacity["max"], capacity["distinct"]) == (low, high, distinct)
    assert abs(capacity["mean"] - float(str(mean))) < 1e-9
    assert "facts" not in executor.execute("describe_table", {}).to_json()


def test_a_column_is_described_in_more_detail(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    text = executor.execute("describe_column", {"column": "region"}).summary
    assert "most frequent: " in text
    (column,) = facts_of(executor, "describe_column", column="region")["columns"]
    assert f"({column['top_values'][0]['count']} rows)" in text
    assert sum(top["count"] for top in column["top_values"]) == 5000
    numbers = executor.execute("describe_column", {"column": "quantity"}).summary
    assert "median " in numbers
    assert "standard deviation " in numbers
    # Values of a column with many of them are no small set that a description may list.
    many = executor.execute("describe_column", {"column": "customer"}).summary
    assert "most frequent" not in many


def test_a_wide_table_is_described_in_part_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    names = [f"measure_{n:03d}" for n in range(400)]
    path.write_text(",".join(names) + "\n" + ("1.5," * 399 + "2\n") * 3)
    for privacy in PrivacyLevel:
        executor = make_executor(make_workspace(tmp_path, path, privacy=privacy))
        outcome = executor.run("describe_table", {})
        assert len(outcome.envelope.summary) <= 1_000
        assert outcome.envelope.metrics["summary_truncated"] is False
        assert "more columns" in outcome.envelope.summary
        told = [column["name"] for column in outcome.facts.get("columns", ())]  # type: ignore[union-attr, index, call-overload] # a list of objects
        assert all(f"\n  {name}: " in outcome.envelope.summary for name in told)
        assert privacy is PrivacyLevel.STRICT or len(told) > 5


def test_an_earlier_result_is_described_with_its_exact_values(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    kept = executor.run("run_query", {"select": "mean(revenue)", "group_by": "region"})
    assert kept.result is not None
    facts = facts_of(executor, "describe_result", data_key=str(kept.envelope.data_key))
    means = {row[0]: row[1] for row in kept.result.frame.rows()}
    region = facts["max_row"]["region"]
    assert facts["max_row"]["mean_revenue"] == means[region] == max(means.values())  # type: ignore[type-var] # numbers
    assert (facts["rows"], facts["rows_scanned"]) == (5, 5000)


def test_at_strict_facts_are_counts(tmp_path: Path, example: Example) -> None:
    workspace = make_workspace(tmp_path, example("sales.csv"), privacy=PrivacyLevel.STRICT)
    executor = make_executor(workspace)
    executor.execute("run_query", {"select": "max(revenue)"})
    assert facts_of(executor, "describe_result", data_key="_").keys() == {
        "tool",
        "data_key",
        "kind",
        "rows",
        "rows_scanned",
    }
    assert facts_of(executor, "describe_column", column="region")["columns"] == [
        {"name": "region", "nulls": 0, "distinct": 5}
    ]
    assert "columns" not in facts_of(executor, "describe_table")
