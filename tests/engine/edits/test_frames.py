"""Rows that code made: matched by the numbers that it kept, else by place, else not at all."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabchat.config import Settings
from tabchat.errors import PlanError
from tabchat.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    path = tmp_path / "t.csv"
    path.write_text("a,b ($)\n1,x\n2,y\n3,z\n")
    with Session.open([path], settings=Settings(cache_dir=tmp_path / "c", data_dir=tmp_path / "d")) as opened:
        yield opened


def frame(**columns: list[Any]) -> pa.Table:
    names = {"row": "__row__", "b": "b ($)"}
    return pa.table({names.get(name, name): cells for name, cells in columns.items()})


def rows(session: Session) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in session.engine.rows(session.current.scan)]


def told(session: Session, made: pa.Table) -> dict[str, Any]:
    pending = session.preview_frame(made, label="code")
    session.commit(pending)
    found = pending.summary.to_json()
    return {
        name: value for name, value in found.items() if value and name not in {"rows_before", "rows_after"}
    }


def test_rows_are_matched_by_their_numbers(session: Session) -> None:
    assert told(session, frame(row=[3, 1, None, 3, 77], a=[3, 10, 5, 6, 7], b=["z", "x", "n", "m", "k"])) == {
        "added_rows": 3,
        "removed_rows": 1,
        "changed_cells_count": 1,
        "changed_columns": {"a": 1},
        "changed_cells": [{"row": 1, "column": "a", "before": 1, "after": 10}],
    }
    assert rows(session) == [(1, 10, "x"), (3, 3, "z"), (4, 5, "n"), (5, 6, "m"), (6, 7, "k")]


def test_numbers_of_deleted_rows_are_never_given_again(session: Session) -> None:
    told(session, frame(row=[1, 2], a=[1, 2], b=["x", "y"]))
    told(session, frame(row=[1, None], a=[1, 9], b=["x", "w"]))
    assert rows(session) == [(1, 1, "x"), (4, 9, "w")]
    told(session, frame(row=[1, None], a=[1, 8], b=["x", "v"]))
    assert [row[0] for row in rows(session)] == [1, 5]


def test_as_many_rows_without_numbers_are_matched_by_place(session: Session) -> None:
    assert told(session, frame(a=[1, 2, 4], b=["x", "y", "z"]))["changed_cells"] == [
        {"row": 3, "column": "a", "before": 3, "after": 4}
    ]
    session.commit(session.preview_edit({"operation": "delete_rows", "where": "a == 2"}))
    told(session, frame(a=[1, 5], b=["x", "z"]))
    assert rows(session) == [(1, 1, "x"), (3, 5, "z")]


def test_other_rows_without_numbers_have_none_in_common_with_before(session: Session) -> None:
    assert told(session, frame(a=[1, 2], b=["x", "y"])) == {"added_rows": 2, "removed_rows": 3}
    assert rows(session) == [(4, 1, "x"), (5, 2, "y")]


def test_the_order_of_rows_is_no_edit(session: Session) -> None:
    with pytest.raises(PlanError) as caught:
        session.preview_frame(frame(row=[3, 1, 2], a=[3, 1, 2], b=["z", "x", "y"]), label="sort")
    assert caught.value.code == "nothing_changed"


def test_columns_come_and_go(session: Session) -> None:
    made = frame(row=[1, 2, 3], a=["1", "2", None], c=[True, None, False])
    assert told(session, made) == {
        "added_columns": ["c"],
        "removed_columns": ["b ($)"],
        "retyped_columns": {"a": ["BIGINT", "VARCHAR"]},
        "changed_cells_count": 3,
        "changed_columns": {"a": 3},
        "changed_cells": [
            {"row": 1, "column": "a", "before": 1, "after": "1"},
            {"row": 2, "column": "a", "before": 2, "after": "2"},
            {"row": 3, "column": "a", "before": 3, "after": None},
        ],
        "structure_changed": True,
    }


@pytest.mark.parametrize("names", [[], ["a", "A"], ["__x"], [" "]])
def test_a_frame_has_names_that_a_table_can_have(session: Session, names: list[str]) -> None:
    made = pa.table([pa.array([1])] * len(names), names=names)
    with pytest.raises(PlanError):
        session.preview_frame(made, label="code")


def test_columns_that_code_was_not_shown_stay_with_their_rows(session: Session) -> None:
    from tabchat.tools.hiding import without_columns

    seen = without_columns(session.current, {"b ($)"})
    pending = session.preview_frame(frame(row=[1, 3, None], a=[7, 3, 9]), label="code", table=seen)
    session.commit(pending)
    assert rows(session) == [(1, 7, "x"), (3, 3, "z"), (4, 9, None)]
    assert pending.summary.removed_columns == ()


def test_the_same_rows_are_the_same_version(session: Session) -> None:
    made = frame(row=[1], a=[1], b=["x"])
    first = session.preview_frame(made, label="code")
    again = session.preview_frame(frame(row=[1], a=[1], b=["x"]), label="code")
    assert (first.is_new, again.is_new, first.after) == (True, False, again.after)
