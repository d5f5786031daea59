"""Tools answer in envelopes: bounded text for a model, a key to the data, and errors that help to mend the call."""

import json
from pathlib import Path

import pytest

from tabchat.config import PrivacyLevel
from tabchat.tools.envelope import SUMMARY_LIMIT, ToolResultEnvelope
from tabchat.tools.registry import MINIMAL, Tool, ToolRegistry
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace


def test_a_query_gives_a_summary_a_key_and_the_result_beside_it(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    outcome = executor.run(
        "run_query", {"select": "count()", "where": "region == 'Asia'", "title": "Asian orders"}
    )
    envelope = outcome.envelope
    assert outcome.result is not None
    assert envelope.ok
    assert (
        envelope.summary == f"Result: {outcome.result.value!r} (from {outcome.result.source_row_count} rows)"
    )
    assert envelope.data_key is not None
    assert executor.workspace.store.get(envelope.data_key).title == "Asian orders"
    assert envelope.warnings[-1] == "Full data stored out-of-band; use data_key to retrieve"
    assert envelope.preview == {"rows": [{"count": outcome.result.value}]}
    assert (outcome.number, envelope.metrics["number"]) == (1, 1)
    assert envelope.metrics["tool"] == "run_query"
    assert envelope.metrics["row_count"] == 1


def test_the_same_query_has_the_same_key_and_another_one_another(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    first = executor.execute("run_query", {"select": "count()", "where": "quantity > 3"})
    again = executor.execute(
        "run_query", {"where": "quantity > 3", "select": ["count()"], "title": "Other words"}
    )
    other = executor.execute("run_query", {"select": "count()", "where": "quantity > 4"})
    assert first.data_key == again.data_key
    assert first.data_key != other.data_key


def test_an_unknown_table_and_column_name_the_known_ones(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    assert "sales" in executor.execute("describe_table", {"table": "orders"}).summary
    assert "revenue" in executor.execute("describe_column", {"column": "revenu"}).summary


def test_two_tables_must_be_told_apart(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv"), example("prices.csv")))
    refused = executor.execute("run_query", {"select": "count()"})
    assert not refused.ok
    assert "sales, prices" in refused.summary
    assert executor.execute("run_query", {"select": "count()", "table": "prices"}).summary.startswith(
        "Result: 756 "
    )


def test_find_values_tolerates_typos(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    found = executor.execute("find_values", {"text": "Germny"})
    assert 'country: "Germany" (' in found.summary
    nothing = executor.execute("find_values", {"text": "zzzzzz"})
    assert nothing.metrics["no_data"] is True
    assert not executor.execute("find_values", {"text": "  "}).ok


def test_at_strict_only_shapes_are_told(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv"), privacy=PrivacyLevel.STRICT))
    assert (
        executor.execute("run_query", {"select": "sum(quantity)"}).summary
        == "Result: 1 value: sum_quantity (from 5000 rows)"
    )
    grouped = executor.execute("run_query", {"select": "sum(quantity)", "group_by": "region"})
    assert grouped.summary == "Result: 5 groups by region with sum_quantity (from 5000 rows)"
    both = executor.execute("run_query", {"select": ["sum(quantity)", "count()"]})
    assert both.summary == "Result: 2 values: sum, count (from 5000 rows)"
    assert executor.execute("run_query", {"limit": 2, "columns": ["region"]}).summary == (
        "Result: 2 rows with columns region"
    )
    assert (
        executor.execute("describe_column", {"column": "region"}).summary
        == "region: text, 5 distinct, 0 missing"
    )
    assert "region (text)" in executor.execute("describe_table", {}).summary
    assert "Germany" not in executor.execute("find_values", {"text": "Germ"}).summary


def test_a_preview_is_bounded_and_says_when_it_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("n,text\n" + "".join(f"{n},{'x' * 700}{n}\n" for n in range(20)))
    workspace = make_workspace(tmp_path, path, privacy=PrivacyLevel.PREVIEW, preview_rows=99)
    envelope = make_executor(workspace).execute("run_query", {"columns": ["n", "text"]})
    assert envelope.preview is not None
    rows = envelope.preview["rows"]
    assert isinstance(rows, list)
    assert len(rows) == 10
    assert {row["text"] for row in rows} == {"text of 701 characters"}
    assert envelope.metrics["preview_truncated"] is True
    assert envelope.metrics["preview_size_chars"] == len(json.dumps(rows, ensure_ascii=False))


def test_a_whole_preview_says_that_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "short.csv"
    path.write_text("n,text\n1,a\n2,b\n")
    envelope = make_executor(make_workspace(tmp_path, path, privacy=PrivacyLevel.PREVIEW)).execute(
        "run_query", {}
    )
    assert envelope.preview == {"rows": [{"n": 1, "text": "a"}, {"n": 2, "text": "b"}]}
    assert envelope.metrics["preview_truncated"] is False


def test_cells_in_engine_errors_are_told_to_no_model(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("code,n\nsecret-4711,1\nb,2\n")
    sql = {"sql": "SELECT CAST(code AS INTEGER) FROM codes"}
    for privacy in PrivacyLevel:
        outcome = make_executor(make_workspace(tmp_path, path, privacy=privacy)).run("run_sql", sql)
        assert "4711" in str(outcome.failure)
        assert "4711" not in outcome.envelope.summary


def test_a_summary_never_passes_its_limit() -> None:
    with pytest.raises(ValueError, match="over 1000"):
        ToolResultEnvelope(ok=True, summary="x" * (SUMMARY_LIMIT + 1))


def test_definitions_come_in_the_form_of_function_calling(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")), MINIMAL)
    assert [item["name"] for item in executor.get_tool_definitions()] == ["run_query", "describe_table"]
    assert [item["type"] for item in executor.get_openai_tools()] == ["function", "function"]


def test_a_registry_refuses_two_tools_of_one_name(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    tool = executor.registry.tools["run_sql"]
    with pytest.raises(ValueError, match="two tools are called 'run_sql'"):
        executor.registry.extended(tool)
    other = Tool(name="other", description="", parameters=tool.parameters, handler=tool.handler)
    assert "other" in executor.registry.extended(other).tools
    assert isinstance(executor.registry, ToolRegistry)


def test_a_table_and_a_column_are_described_by_their_profile(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("installations.csv")))
    table = executor.execute("describe_table", {})
    assert table.summary.startswith("Found 606 records.\nCOLUMN SUMMARY:\n")
    assert "capacity_mw: ranges from 1 MW to 2.8623 GW" in table.summary
    assert "PREVIEW" not in table.summary
    assert table.metrics["exact"] is True
    column = executor.execute("describe_column", {"column": "COUNTRY"})
    assert "Morocco" in column.summary
    assert "capacity_mw" not in column.summary


def test_at_preview_a_description_shows_its_first_rows(tmp_path: Path, example: Example) -> None:
    workspace = make_workspace(tmp_path, example("installations.csv"), privacy=PrivacyLevel.PREVIEW)
    assert "PREVIEW (first 5 rows):" in make_executor(workspace).execute("describe_table", {}).summary


def test_at_strict_a_kept_result_is_described_by_its_shape(tmp_path: Path, example: Example) -> None:
    workspace = make_workspace(tmp_path, example("sales.csv"), privacy=PrivacyLevel.STRICT)
    executor = make_executor(workspace)
    kept = executor.execute("run_query", {"select": "sum(quantity)", "group_by": "region"})
    described = executor.execute("describe_result", {"data_key": kept.data_key})
    assert described.summary == kept.summary


def test_a_column_without_a_near_name_lists_the_columns(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("prices.csv")))
    assert "Columns: date, open" in executor.execute("describe_column", {"column": "zzzzzzzz"}).summary


def test_values_of_long_columns_are_counted_but_not_shown(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    envelope = executor.execute("find_values", {"text": "Olive", "column": "customer"})
    assert envelope.summary == "customer: 5 values match"
    assert "Olive Group" not in str(envelope.to_json())


def test_long_values_are_cut_in_what_a_model_sees(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + f"{'needle ' * 30},1\nother,2\n")
    found = make_executor(make_workspace(tmp_path, path)).execute("find_values", {"text": "needle"})
    assert '…" (1 rows)' in found.summary
    assert len(found.summary) < 120


def test_a_preview_with_nested_cells_stays_below_its_size(tmp_path: Path) -> None:
    path = tmp_path / "nested.parquet"
    import duckdb

    duckdb.sql(
        f"COPY (SELECT i AS n, {', '.join(f'repeat(chr(97 + {k}), 230) AS c{k}' for k in range(5))}, [1, 2] AS l "
        f"FROM range(10) t(i)) TO '{path}' (FORMAT parquet)"
    )
    workspace = make_workspace(tmp_path, path, privacy=PrivacyLevel.PREVIEW, preview_rows=10)
    envelope = make_executor(workspace).execute("run_query", {"where": "n >= 0"})
    size = envelope.metrics["preview_size_chars"]
    assert isinstance(size, int)
    assert 0 < size <= 6000
    assert envelope.metrics["preview_truncated"] is True


def test_arguments_of_a_query_may_be_one_text_or_several(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")))
    one = executor.execute("run_query", {"group_by": "region"})
    several = executor.execute("run_query", {"group_by": ["region"]})
    assert one.data_key == several.data_key
