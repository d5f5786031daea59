from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabchat.engine.result.result import ResultKind, ResultMetadata
from tabchat.render.results import human_size, render_results
from tabchat.store import ResultRecipe, StoredResult, TableRef
from tests.render.screens import assert_snapshot, screen


def entry(number: int, **fields: Any) -> StoredResult:
    tables = tuple(
        TableRef(name=name, source=f"/data/{name}.csv", version="0")
        for name in fields.pop("tables", ("sales",))
    )
    recipe = ResultRecipe(
        kind="sql" if "sql" in fields else "plan", tables=tables, plan={"limit": 1}, sql=fields.get("sql")
    )
    given: dict[str, Any] = {
        "title": None,
        "question": None,
        "kind": ResultKind.GROUPED,
        "row_count": 5,
        "source_row_count": None,
        "value": None,
        "values": {},
        "chart": None,
        "group_by": (),
        "focus": (),
        "summary": "",
        "metadata": ResultMetadata(rows=5),
        "sql": "",
        "schema": (),
    }
    key = f"ds_{'abcdefghij234567'[number] * 20}"
    return StoredResult(key=key, recipe=recipe, created_at=1_700_000_000.0 + number, **given | fields)


@pytest.mark.parametrize(
    "recipe, said",
    [
        ({"kind": "plan", "plan": {}}, "rows"),
        ({"kind": "plan", "plan": {"group_by": "region", "limit": 3}}, "count() by region limit 3"),
        ({"kind": "code", "plan": {"code": "result = 1"}}, "result = 1"),
        (
            {"kind": "analysis", "plan": {"recipe": "analyze_pareto", "by": ["region"]}},
            "analyze_pareto region",
        ),
        (
            {
                "kind": "plan",
                "plan": {},
                "edits": ({"edit": {"operation": "delete_rows", "where": "a > 1"}},),
            },
            "delete rows where a > 1",
        ),
    ],
)
def test_what_nobody_asked_in_words_is_said_in_words(recipe: dict[str, Any], said: str) -> None:
    table = TableRef(name="stock", source="/data/stock.csv", version="0", edits=recipe.pop("edits", ()))
    shown = screen(200)
    kept = replace(entry(0), recipe=ResultRecipe(tables=(table,), sql=None, **recipe))
    render_results(shown.consoles, [kept])
    assert f"  {said}  " in shown.out


@pytest.mark.parametrize("width", [80, 200])
def test_kept_results_are_listed(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    shown = screen(width)
    render_results(
        shown.consoles,
        [
            entry(0, question="total revenue by region", frame_bytes=1_234, pinned=True),
            entry(
                1,
                question="скільки замовлень \x1b[31mу Києві?",
                kind=ResultKind.SCALAR,
                value=12,
                row_count=1,
            ),
            entry(2, title="best", kind=ResultKind.SCALAR, value="a long text value", frame_bytes=99),
            entry(3, sql="SELECT\n  1", kind=ResultKind.DICT, values={"a": 1, "b": 2}, frame_bytes=2 * 10**6),
            entry(4, kind=ResultKind.TABLE, row_count=1, tables=("sales", "prices"), frame_bytes=1),
        ],
    )

    assert_snapshot(f"results_{width}", shown.out)
    assert shown.err == ""


def test_no_results_are_told_on_stderr(tmp_path: Path) -> None:
    shown = screen()
    render_results(shown.consoles, [])

    assert shown.both == "--- stdout\n--- stderr\nNo results are kept.\n"


@pytest.mark.parametrize(
    "size, text",
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (999_950, "1.0 MB"),
        (1_234_567, "1.2 MB"),
        (5 * 10**15, "5000.0 TB"),
    ],
)
def test_sizes_have_decimal_units(size: int, text: str) -> None:
    assert human_size(size) == text
