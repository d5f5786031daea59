"""Rows of a suspicion are counted by what its rule needs; which rows they are stays whole."""

from types import SimpleNamespace
from typing import Any

import pytest

from tabchat.engine.profile import quality
from tabchat.engine.profile.quality import Finding


@pytest.mark.parametrize("column, columns", [("b", ("b",)), (None, None)])
def test_a_suspicion_of_one_column_is_counted_over_no_other(
    monkeypatch: pytest.MonkeyPatch, column: str | None, columns: tuple[str, ...] | None
) -> None:
    seen: list[Any] = []

    def counted(engine: Any, table: Any, plan: Any) -> Any:
        del engine, table
        seen.append(plan)
        return SimpleNamespace(value=3)

    monkeypatch.setattr(quality, "run_plan", counted)
    plan = {"where": "is_null(b)"}
    suspicion = Finding(kind="missing", column=column, count=0, text="", plan=plan)
    nothing: Any = None
    assert quality._rows_of(nothing, nothing, suspicion) == 3
    assert (seen[0].steps[0].columns or None) == columns
    assert plan == {"where": "is_null(b)"}
