"""Results are numbered for the conversation, and can be named by their numbers."""

from pathlib import Path

import pytest

from tabchat.tools.code.result_numbers import ResultNumbers
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace


def test_numbers_go_up_and_stay_with_their_keys() -> None:
    numbers = ResultNumbers()
    assert [numbers.add(key) for key in ("a", "b", "a", "c")] == [1, 2, 1, 3]
    assert [numbers.key_of(name) for name in ("r1", "r2", "r3", "_")] == ["a", "b", "c", "c"]
    assert numbers.number("b") == 2
    assert numbers.latest == "c"


@pytest.mark.parametrize("name", ["r0", "r4", "r01", "R1", "r", "r1 ", "r-1", "r99999999999", "ds_x", ""])
def test_other_names_stand_for_no_result(name: str) -> None:
    numbers = ResultNumbers(keys=["a", "b", "c"], latest="c")
    assert numbers.key_of(name) is None


def test_a_result_can_be_queried_and_described_by_its_number(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    first = executor.run("run_query", {"group_by": "region", "select": "sum(revenue) as total"})
    executor.run("run_query", {"select": "count()"})
    assert first.number == 1
    best = executor.run("run_query", {"table": "r1", "sort": "total desc", "limit": 1})
    same = executor.run("run_sql", {"sql": "SELECT region, total FROM r1 ORDER BY total DESC LIMIT 1"})
    assert best.result is not None
    assert same.result is not None
    assert best.result.frame.rows() == same.result.frame.rows()
    assert [best.number, same.number] == [3, 4]
    again = executor.run("describe_result", {"data_key": "r1"})
    assert again.envelope.summary == first.envelope.summary
    assert again.envelope.preview == first.envelope.preview
    assert again.envelope.metrics["number"] == 1
    unknown = executor.execute("run_sql", {"sql": "SELECT * FROM r9"})
    assert not unknown.ok
    assert "r9" in unknown.summary


def test_a_table_of_that_name_comes_first(tmp_path: Path) -> None:
    (tmp_path / "r1.csv").write_text("x\n1\n2\n3\n")
    executor = make_executor(make_workspace(tmp_path, tmp_path / "r1.csv"))
    executor.run("run_query", {"select": "sum(x)"})
    assert (
        executor.execute("run_sql", {"sql": "SELECT count(*) FROM r1"}).summary == "Result: 3 (from 3 rows)"
    )


@pytest.mark.parametrize(
    "arguments, title",
    [
        (
            {"group_by": "region", "select": "sum(revenue)", "title": "Revenue\nby\x1b region"},
            "Revenue by region",
        ),
        ({"group_by": "region", "select": "sum(revenue)"}, "sum_revenue by region"),
        ({"select": ["count()", "mean(revenue)"]}, "count, mean"),
        ({"columns": ["region", "revenue"], "limit": 3}, "region, revenue"),
        ({"limit": 3}, "rows of sales"),
        ({"limit": 3, "title": "x" * 300}, "x" * 80),
    ],
)
def test_a_result_has_a_title_also_when_none_was_given(
    tmp_path: Path, example: Example, arguments: dict[str, object], title: str
) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    assert executor.execute("run_query", arguments).metrics["title"] == title  # type: ignore[arg-type] # arguments are JSON
