"""The analysis recipes as tools: kept under keys, computed again, and silent about what is hidden."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabchat.config import PrivacyLevel, Settings
from tabchat.errors import PlanValidationError, UsageError
from tabchat.session import Session
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.recipes.typed import PLAIN_NAMES, read_line
from tabchat.tools.registry import ANALYSIS, MINIMAL, RECIPES, Workspace
from tests.conftest import EXAMPLES
from tests.workspace import make_executor, make_workspace

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("analyze_ratio", {"success": "result = 'PASS'", "by": "station"}),
    ("analyze_pareto", {"by": ["test_step"], "where": "result == 'FAIL'"}),
    ("measurement_statistics", {"value": "measurement", "by": "test_step", "percentiles": [10, 90]}),
    ("control_chart", {"value": "measurement", "where": "test_step = 'Leakage'", "rules": "nelson"}),
    (
        "process_capability",
        {"value": "measurement", "lsl": "limit_low", "usl": "limit_high", "by": "test_step"},
    ),
    (
        "explain_change",
        {"statistic": "count", "by": "station", "from": "2024-01:2024-03", "to": "2024-04:2024-06"},
    ),
    ("describe_unit", {"key": "unit_serial", "value": "SN40015"}),
    (
        "hypothesis_test",
        {"test": "welch", "value": "measurement", "by": "station", "groups": ["ST-05", "ST-07"]},
    ),
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return make_workspace(tmp_path_factory.mktemp("recipes"), EXAMPLES / "stations.csv")


@pytest.fixture
def executor(workspace: Workspace) -> ToolExecutor:
    return make_executor(workspace)


@pytest.mark.parametrize("name,arguments", CALLS)
def test_a_recipe_gives_a_bounded_summary_a_key_and_its_rows(
    executor: ToolExecutor, name: str, arguments: dict[str, Any]
) -> None:
    outcome = executor.run(name, arguments)
    assert outcome.failure is None, outcome.failure
    assert outcome.result is not None
    assert outcome.envelope.ok
    assert len(outcome.envelope.summary) <= 1_000
    assert outcome.envelope.data_key == executor.execute(name, arguments).data_key
    assert (
        outcome.envelope.data_key
        != executor.execute(
            name,
            {**arguments, "table": "stations", "where": "1 < 2"}
            if name != "describe_unit"
            else {**arguments, "value": "x"},
        ).data_key
    )
    source = outcome.result.source
    if name != "describe_unit":
        assert source is not None
        assert source.row_count == len(source.rows()) == outcome.result.source_row_count


@pytest.mark.parametrize("name,arguments", CALLS)
def test_nothing_but_shapes_is_told_at_strict(
    workspace: Workspace, name: str, arguments: dict[str, Any]
) -> None:
    summary = make_executor(replace(workspace, privacy=PrivacyLevel.STRICT)).execute(name, arguments).summary
    assert summary.startswith("Result: ")
    assert not any(cell in summary for cell in ("ST-0", "Leakage", "SN4", "note", "mean="))


@pytest.mark.parametrize("name,arguments", CALLS)
def test_an_evicted_analysis_is_computed_again_with_its_rows_and_source(
    tmp_path: Path, name: str, arguments: dict[str, Any]
) -> None:
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    with Session.open([EXAMPLES / "stations.csv"], settings=settings) as session:
        block = session.analyze(name, arguments).block
        assert block is not None
        key = str(block.data_key)
        rows = block.result.frame.rows()
    for path in settings.cache_dir.glob("results/**/*.parquet"):
        path.unlink()
    with Session.open([], settings=settings) as later:
        shown = later.show(key).block
        assert shown is not None
        assert (shown.tool, shown.result.frame.rows()) == (name, rows)
        assert shown.result.values == block.result.values
        source = later.source(key)
        assert (source is None) == (name == "describe_unit")


def test_both_tables_of_a_unit_are_found_again(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("id,who\n1,Ann\n2,Bob\n", encoding="utf-8")
    (tmp_path / "lines.csv").write_text("order,sku\n2,x\n1,y\n2,z\n", encoding="utf-8")
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    given: dict[str, Any] = {"key": "id", "value": 2, "children": "lines", "children_key": "order"}
    with Session.open([tmp_path / "orders.csv", tmp_path / "lines.csv"], settings=settings) as session:
        answer = session.analyze("describe_unit", given)
        assert answer.block is not None
        assert answer.text == "The unit has 1 row of orders and 2 rows of lines."
        key, rows = str(answer.block.data_key), answer.block.result.frame.rows()
        path = session.store.frame_path(key)
        assert path is not None
        path.unlink()
        assert session.result(key).frame.rows() == rows


def test_a_model_learns_nothing_of_a_hidden_column(workspace: Workspace) -> None:
    seen = make_executor(workspace.for_model([]))
    key = seen.execute("analyze_pareto", {"by": "station"}).data_key
    blind = make_executor(workspace.for_model(["operator"]))
    refused = blind.run("analyze_pareto", {"by": "operator"})
    assert isinstance(refused.failure, PlanValidationError)
    assert "no column `operator`" in refused.envelope.summary
    unit = blind.run("describe_unit", {"key": "unit_serial", "value": "SN40015"})
    assert unit.result is not None
    assert "operator" not in unit.result.frame.columns
    # What was computed with sight of the column is held back, whatever it used.
    assert not blind.execute("describe_result", {"data_key": key}).ok
    assert "operator" not in json.dumps([outcome.envelope.to_json() for outcome in (unit,)])


@pytest.mark.parametrize("name,arguments", CALLS)
def test_the_sql_that_is_shown_gives_the_same_rows(
    executor: ToolExecutor, name: str, arguments: dict[str, Any]
) -> None:
    result = executor.run(name, arguments).result
    assert result is not None
    again = executor.run("run_sql", {"sql": result.sql}).result
    assert again is not None
    assert again.frame.rows() == result.frame.rows()


def test_a_model_is_told_the_figures_of_the_whole(executor: ToolExecutor) -> None:
    summary = executor.execute("analyze_ratio", {"success": "result = 'PASS'", "by": "station"}).summary
    assert "Of the whole: n=4000, success=3861, rate=96.525" in summary
    chart = executor.execute(
        "control_chart", {"value": "measurement", "where": "test_step = 'Leakage'"}
    ).summary
    assert "center=6.134" in chart
    assert "ucl=14.5255" in chart


def test_a_plan_goes_on_from_an_analysis(executor: ToolExecutor) -> None:
    key = executor.execute("analyze_ratio", {"success": "result = 'PASS'", "by": "station"}).data_key
    worst = executor.run(
        "run_query", {"table": key, "sort": "rate", "limit": 1, "columns": ["station", "success"]}
    )
    assert worst.result is not None
    assert worst.result.frame.rows() == [("ST-05", 403)]


def test_arguments_are_closed_and_recipes_belong_to_the_analysis_profile(executor: ToolExecutor) -> None:
    assert set(executor.registry.tools) >= set(RECIPES) <= ANALYSIS.tools
    assert MINIMAL.tools.isdisjoint(RECIPES)
    refused = executor.execute("analyze_ratio", {"sucess": "1 < 2"})
    assert refused.error == "invalid_arguments"
    assert "did you mean success" in refused.summary


def test_a_typed_line_is_read_like_a_command() -> None:
    assert read_line("ratio --success \"result = 'PASS'\" --by station --by operator --confidence 0.9") == (
        "analyze_ratio",
        {"success": "result = 'PASS'", "by": ["station", "operator"], "confidence": 0.9},
    )
    assert read_line("control_chart --value x --time-column day")[0] == "control_chart"
    assert {read_line(f"{name} {needed}")[0] for name, needed in NEEDED.items()} == set(PLAIN_NAMES.values())


NEEDED = {
    "ratio": "--success ok",
    "pareto": "--by a",
    "measurements": "--value x",
    "control-chart": "--value x",
    "capability": "--value x",
    "explain-change": "--by a --from 2023 --to 2024",
    "unit": "--key a --value 1",
    "test": "--test t --value x",
}


@pytest.mark.parametrize(
    "line,words",
    [
        ("ratoi --success x", "no recipe 'ratoi'"),
        ("ratio", "needs --success"),
        ("explain-change --by a", "explain-change needs --from, --to"),
        ("ratio --succes x", "no option '--succes'"),
        ("ratio --success", "has no value"),
        ("ratio --success x --confidence high", "takes a number"),
        ("", "recipe is missing"),
    ],
)
def test_a_typed_line_that_cannot_be_read_says_what_is_wrong(line: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_line(line)
