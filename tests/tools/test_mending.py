"""Arguments as real models send them."""

from pathlib import Path
from typing import Any

import pytest

from tabchat.tools.mending import mended
from tabchat.tools.query import RUN_QUERY
from tests.workspace import make_executor, make_workspace


@pytest.mark.parametrize(
    "written, meant",
    [
        (
            {"select": "count()", "limit": None, "where": "", "sort": None, "table": " "},
            {"select": "count()"},
        ),
        ({"group_by": [], "map": {}, "steps": [], "limit": 3}, {"limit": 3}),
        ({"limit": "5"}, {"limit": 5}),
        ({"limit": 5.0}, {"limit": 5}),
        ({"group_by": '["a", "b"]', "select": ["count()"]}, {"group_by": ["a", "b"], "select": ["count()"]}),
        ({"map": '{"net": "a * 2"}'}, {"map": {"net": "a * 2"}}),
        ({"where": ["a > 1"]}, {"where": "a > 1"}),
        ({"period": 2024}, {"period": "2024"}),
        ({"plan": {"select": "count()"}, "title": "Rows"}, {"select": "count()", "title": "Rows"}),
        ({"arguments": '{"select": "count()", "limit": "2"}'}, {"select": "count()", "limit": 2}),
        ({"steps": [{"limit": "2", "where": None}]}, {"steps": [{"limit": 2}]}),
        ({"steps": '[{"limit": 2}]'}, {"steps": [{"limit": 2}]}),
    ],
)
def test_what_can_only_mean_one_thing_is_read_so(written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert mended(RUN_QUERY.parameters, written) == meant


@pytest.mark.parametrize(
    "written",
    [
        {"limit": "five"},
        {"limit": 2.5},
        {"limit": True},
        {"where": ["a > 1", "b > 1"]},
        {"where": {"a": 1}},
        {"plan": {"limit": 1}, "limit": 2},
        {"plan": {"limit": 1}, "where": "a > 1"},
        {"plan": {"limit": 1}, "query": {"limit": 1}},
        {"query": "how many rows"},
        {"map": "[1]"},
        {"group_by": "[a"},
        {"wher": None, "limit": 1} | {"wher": "a > 1"},
    ],
)
def test_anything_else_stays_as_it_was_written(written: dict[str, Any]) -> None:
    assert mended(RUN_QUERY.parameters, written) == written


def test_calls_with_every_field_filled_in_run(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_text("region,amount\nAsia,1\nAsia,2\nEurope,3\n")
    executor = make_executor(make_workspace(tmp_path, path))

    envelope = executor.execute(
        "run_query",
        {"group_by": "region", "select": "sum(amount)", "limit": "1", "where": "", "table": "Sales.csv"},
    )
    described = executor.execute("describe_column", {"column": "amount", "table": None})
    found = executor.execute("find_values", {"text": "asia", "column": ""})

    assert (envelope.ok, envelope.metrics["row_count"]) == (True, 1)
    assert described.ok
    assert found.summary == 'region: "Asia" (2 rows)'


def test_a_required_field_is_not_made_up(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_text("region\nAsia\n")

    envelope = make_executor(make_workspace(tmp_path, path)).execute("run_sql", {"sql": None})

    assert envelope.summary == "Invalid arguments for 'run_sql': arguments.sql must be a string, not null"


def test_what_is_wrong_inside_a_list_is_named(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_text("region\nAsia\n")

    envelope = make_executor(make_workspace(tmp_path, path)).execute(
        "run_query", {"sort": [{"column": "region"}]}
    )

    assert (
        envelope.summary
        == "Invalid arguments for 'run_query': arguments.sort[0] must be a string, not an object"
    )
