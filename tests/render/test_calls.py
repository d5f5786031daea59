"""A tool call in one line: what was asked, how long it took, why it failed."""

from typing import Any

import pytest

from tabchat.chat.turn.events import ToolEnd
from tabchat.render.calls import describe_call, describe_end, duration
from tests.render.screens import screen


@pytest.mark.parametrize(
    "tool, arguments, said",
    [
        ("run_query", {"select": "mean(revenue)", "group_by": "region"}, "run_query mean(revenue) by region"),
        (
            "run_query",
            {
                "limit": 3,
                "sort": ["revenue desc"],
                "where": "a == 1",
                "columns": ["a", "b"],
                "period": "2024",
                "table": "sales",
                "title": "Top",
            },
            "run_query a, b where a == 1 in 2024 sorted by revenue desc limit 3",
        ),
        ("run_query", {"group_by": ["a", "b"]}, "run_query count() by a, b"),
        ("run_query", {}, "run_query rows"),
        (
            "run_query",
            {"map": {"net": "a - b"}, "select": ["sum(net)"], "resample": "monthly"},
            "run_query sum(net) per monthly with net = a - b",
        ),
        (
            "run_query",
            {"steps": [{"select": "count()", "group_by": "a"}, {"select": "max(count)"}, "wrong"]},
            "run_query count() by a, then max(count)",
        ),
        ("run_sql", {"sql": "SELECT 1\n  FROM t", "title": "x"}, "run_sql SELECT 1 FROM t"),
        ("run_sql", {}, "run_sql"),
        ("describe_table", {}, "describe_table"),
        ("describe_column", {"column": "region", "table": "sales"}, "describe_column region"),
        (
            "find_values",
            {"text": "germny", "column": "country", "limit": None},
            "find_values text=germny, column=country",
        ),
    ],
)
def test_a_call_is_told_in_a_few_words(tool: str, arguments: dict[str, Any], said: str) -> None:
    assert describe_call(tool, arguments) == said


@pytest.mark.parametrize(
    "call, end, lines",
    [
        ("run_sql SELECT 1", ToolEnd(tool="run_sql", duration_ms=12.4), ["run_sql SELECT 1 · 12 ms"]),
        (
            "run_sql SELECT a_long_name, another FROM t",
            ToolEnd(tool="run_sql", duration_ms=0.2),
            ["run_sql SELECT a_long_name, anot… · 0 ms"],
        ),
        (
            "run_query mean(x)",
            ToolEnd(tool="run_query", duration_ms=1, error="PlanError", reason="no x"),
            ["run_query mean(x) · failed: no x"],
        ),
        (
            "frobnicate",
            ToolEnd(tool="frobnicate", duration_ms=1, error="tool_not_enabled"),
            ["frobnicate · failed: tool_not_enabled"],
        ),
        (
            "run_sql SELECT 1 FROM nowhere_at_all",
            ToolEnd(tool="run_sql", duration_ms=1, error="E", reason="there is no table nowhere_at_all"),
            ["run_sql SELECT 1 FROM nowhere_at_all", "failed: there is no table nowhere_at_all"],
        ),
        (
            "run_query rows",
            ToolEnd(
                tool="run_query", duration_ms=1, error="E", reason="the arguments are not one JSON object"
            ),
            ["run_query rows", "failed: the arguments are not one JSON", "  object"],
        ),
    ],
)
def test_the_line_fits_and_always_has_the_time_or_the_reason(
    call: str, end: ToolEnd, lines: list[str]
) -> None:
    assert describe_end(screen(40).consoles, call, end) == lines


@pytest.mark.parametrize(
    "milliseconds, said",
    [(0.4, "0 ms"), (999.0, "999 ms"), (1_000.0, "1.0 s"), (9_949.0, "9.9 s"), (75_400.0, "75 s")],
)
def test_durations(milliseconds: float, said: str) -> None:
    assert duration(milliseconds) == said
