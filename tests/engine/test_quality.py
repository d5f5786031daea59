"""Rows of a suspicion are counted by what its rule needs; which rows they are stays whole."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.profile import quality
from tabchat.engine.profile.quality import Finding
from tabchat.engine.query import run_plan
from tabchat.engine.result.result import Result
from tabchat.engine.table import Table
from tests.engine.tables import store


@pytest.mark.parametrize("column, columns", [("b", ["b"]), (None, ["a", "b"])])
def test_a_suspicion_of_one_column_is_counted_over_no_other(
    engine: DuckDBEngine,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    column: str | None,
    columns: list[str],
) -> None:
    seen: list[list[str]] = []

    def counted(engine: Any, table: Table, plan: Any) -> Result:
        seen.append([*table.by_name])
        return run_plan(engine, table, plan)

    monkeypatch.setattr(quality, "run_plan", counted)
    table = store(engine, folder, pa.table({"a": [1, 2, 3], "b": ["x", None, None]}))
    plan = {"where": "is_null(b)"}
    suspicion = Finding(kind="missing", column=column, count=0, text="", plan=plan)
    assert quality._rows_of(engine, table, suspicion) == 2
    assert (seen, plan) == ([columns], {"where": "is_null(b)"})
