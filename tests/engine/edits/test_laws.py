"""Any sequence of edits, undos and redos is the same sequence on pandas, counted alike, and the file stays as it is."""

import datetime as dt
import hashlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.config import Settings
from tabchat.errors import PlanError
from tabchat.session import Session
from tests.effort import examples
from tests.engine.edits.mirror import Applied, diff, frame_of, rows_of
from tests.engine.edits.moves import ROWS, SCHEMA, moves

ARROW = {
    "int": pa.int64(),
    "float": pa.float64(),
    "text": pa.string(),
    "bool": pa.bool_(),
    "date": pa.date32(),
}
UNDONE = 3
"""Edits that can be undone in these tests, fewer than are made."""


def write_table(folder: Path, rows: list[tuple[Any, ...]]) -> Path:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(SCHEMA)
    arrays = [pa.array(cells, ARROW[kind]) for cells, kind in zip(columns, SCHEMA.values(), strict=True)]
    path = folder / "дані.parquet"
    pq.write_table(pa.table(arrays, names=list(SCHEMA)), path)
    return path


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def exported(session: Session, folder: Path) -> tuple[bytes, bytes]:
    paths = folder / "out.csv", folder / "out.parquet"
    for path in paths:
        session.save(path, force=True)
    return paths[0].read_bytes(), paths[1].read_bytes()


def rows_in(session: Session) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in session.engine.rows(session.current.scan)]


@given(rows=ROWS, data=st.data())
@settings(
    max_examples=examples(10),
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
def test_edits_undos_and_redos_are_those_of_pandas(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, ...]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("edits")
    path = write_table(folder, rows)
    source = hash_of(path)
    states = [Applied(frame_of(rows, list(SCHEMA)), dict(SCHEMA))]
    place = oldest = 0
    options = Settings(cache_dir=folder / "cache", data_dir=folder / "data", undo_versions=UNDONE)
    with Session.open([path], settings=options) as session:
        for _ in range(data.draw(st.integers(1, 8), label="steps")):
            what = data.draw(st.sampled_from(["edit", "edit", "edit", "undo", "redo"]), label="what")
            if what == "edit":
                move = data.draw(moves(states[place]), label="edit")
                expected = diff(states[place], move.after, move.renamed)
                if unchanged(expected, states[place], move.after):
                    with pytest.raises(PlanError) as caught:
                        session.preview_edit(move.edit)
                    assert caught.value.code == "nothing_changed"
                    continue
                pending = session.preview_edit(move.edit)
                told = pending.summary.to_json()
                assert {name: told[name] for name in expected} == as_json(expected)
                session.commit(pending)
                states = [*states[: place + 1], move.after]
                place += 1
                oldest = max(oldest, place - UNDONE)
            elif what == "undo":
                if place == oldest:
                    with pytest.raises(PlanError) as caught:
                        session.undo()
                    assert caught.value.code == "undo_empty"
                else:
                    session.undo()
                    place -= 1
            elif place == len(states) - 1:
                with pytest.raises(PlanError) as caught:
                    session.redo()
                assert caught.value.code == "redo_empty"
            else:
                session.redo()
                place += 1
            assert rows_in(session) == rows_of(states[place].frame)
            assert [column.name for column in session.current.schema] == list(states[place].kinds)
            assert session.current.row_count == len(states[place].frame)
    assert hash_of(path) == source


def unchanged(expected: dict[str, Any], before: Applied, after: Applied) -> bool:
    counts = ("added_rows", "removed_rows", "changed_cells_count", "added_columns", "removed_columns")
    return (
        not any(expected[name] for name in counts)
        and not expected["renamed_columns"]
        and before.kinds == after.kinds
    )


def as_json(expected: dict[str, Any]) -> dict[str, Any]:
    cells = [
        {**cell, "before": json_of(cell["before"]), "after": json_of(cell["after"])}
        for cell in expected["changed_cells"]
    ]
    return {**expected, "changed_cells": cells}


def json_of(cell: Any) -> Any:
    if isinstance(cell, dt.datetime):
        return cell.isoformat(sep=" ")
    return cell.isoformat() if isinstance(cell, dt.date) else cell


@given(rows=ROWS.filter(bool), data=st.data())
@settings(
    max_examples=examples(4),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_an_edit_taken_back_leaves_the_very_bytes(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, ...]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("undo")
    path = write_table(folder, rows)
    before = Applied(frame_of(rows, list(SCHEMA)), dict(SCHEMA))
    move = data.draw(moves(before))
    with Session.open([path], settings=Settings(cache_dir=folder / "c", data_dir=folder / "d")) as session:
        table, first = session.current, exported(session, folder)
        try:
            pending = session.preview_edit(move.edit)
        except PlanError:
            return
        assert exported(session, folder) == first
        session.commit(pending)
        edited = exported(session, folder)
        session.undo()
        assert exported(session, folder) == first
        assert session.current == table
        session.redo()
        assert exported(session, folder) == edited
