"""Versions of a session's tables: who sees which, what their keys open, and what stays hidden."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabchat.config import Planner, PrivacyLevel, Settings
from tabchat.errors import DataKeyError, DeclinedError, PlanError
from tabchat.session import Session
from tabchat.session.edits.versions import PendingEdit
from tabchat.tools.envelope import ToolResultEnvelope
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import FULL

TABLE = "region,units,salary\nAsia,1,10\nEurope,2,20\nAsia,3,30\nAfrica,,40\n"
DELETE = {"operation": "delete_rows", "where": "region == 'Asia'"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "sales.csv"
    made.write_text(TABLE)
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", planner=Planner.RULES, threads=1
    )


@pytest.fixture
def session(path: Path, settings: Settings) -> Iterator[Session]:
    with Session.open([path], settings=settings) as opened:
        yield opened


def make(session: Session, **arguments: Any) -> PendingEdit:
    pending = session.preview_edit(arguments or DELETE)
    session.commit(pending)
    return pending


def counted(session: Session) -> tuple[Any, str]:
    answer = session.query({"select": "count()", "where": "units > 0"})
    assert answer.block is not None
    assert answer.block.data_key is not None
    return answer.block.result.value, answer.block.data_key


def source_of(session: Session, key: str) -> list[int]:
    frame = session.source(key)
    assert frame is not None
    return [int(str(row[0])) for row in frame.rows()]


def test_a_preview_changes_nothing_until_it_is_committed(session: Session) -> None:
    before = session.current
    pending = session.preview_edit(DELETE)
    assert (session.current, counted(session)[0]) == (before, 3)
    session.commit(pending)
    assert (session.current, counted(session)[0]) == (pending.after, 1)


def test_a_preview_that_is_discarded_leaves_no_file(session: Session) -> None:
    kept = sorted(session.cache.directory.iterdir())
    session.versions.discard(session.preview_edit(DELETE))
    assert sorted(session.cache.directory.iterdir()) == kept


def test_a_preview_of_another_version_is_not_committed(session: Session) -> None:
    late = session.preview_edit({"operation": "deduplicate", "columns": ["region"]})
    make(session)
    with pytest.raises(PlanError) as caught:
        session.commit(late)
    assert caught.value.code == "table_changed"


def test_answers_keep_to_the_version_that_they_were_computed_from(session: Session) -> None:
    first = session.query({"select": "count()", "where": "units > 0"})
    plain = session.sql("SELECT * FROM sales")
    by_sql = session.sql("SELECT sum(units) FROM sales")
    make(session)
    assert first.block is not None
    assert plain.block is not None
    assert by_sql.block is not None
    assert first.block.result.source is not None
    assert by_sql.block.result.source is not None
    assert [row[0] for row in first.block.result.source.rows()] == [1, 2, 3]
    assert len(plain.block.result.frame.rows()) == 4
    assert len(by_sql.block.result.source.rows()) == 4
    assert first.block.data_key is not None
    assert source_of(session, first.block.data_key) == [1, 2, 3]
    value, key = counted(session)
    assert (value, source_of(session, key)) == (1, [2])
    assert key != first.block.data_key


def test_going_back_gives_the_same_keys(session: Session) -> None:
    before = counted(session)
    make(session)
    after = counted(session)
    session.undo()
    assert counted(session) == before
    session.redo()
    assert counted(session) == after


def test_only_the_last_edits_can_be_undone(path: Path, settings: Settings) -> None:
    from dataclasses import replace

    with Session.open([path], settings=replace(settings, undo_versions=2)) as session:
        for units in (5, 6, 7):
            make(session, operation="update", set={"units": units})
        session.undo()
        session.undo()
        with pytest.raises(PlanError) as caught:
            session.undo()
        assert caught.value.code == "undo_empty"
        assert caught.value.hint == "The last 2 edits can be undone; redo makes 'set units = 6' again."
        make(session, operation="update", set={"units": 8})
        with pytest.raises(PlanError) as caught:
            session.redo()
        assert caught.value.code == "redo_empty"


def test_a_key_of_an_edited_version_opens_in_another_session(path: Path, settings: Settings) -> None:
    with Session.open([path], settings=settings) as session:
        make(session)
        make(session, operation="add_column", name="double", expression="units * 2")
        value, key = counted(session)
    with Session.open([path], settings=settings) as session:
        assert session.result(key).value == value == 1
        assert source_of(session, key) == [2]


def test_a_lost_version_is_made_again_from_the_file(path: Path, settings: Settings) -> None:
    with Session.open([path], settings=settings) as session:
        make(session)
        make(session, operation="add_column", name="double", expression="units * 2")
        key = counted(session)[1]
        version = session.current.version
    for file in (settings.cache_dir / "tables").iterdir():
        file.unlink()
    with Session.open([path], settings=settings) as session:
        frame = session.source(key)
        assert frame is not None
        assert frame.rows() == [(2, "Europe", 2, 20, 4)]
    assert (settings.cache_dir / "tables" / f"{version}.parquet").exists()


def test_a_lost_version_of_a_file_that_changed_says_so(path: Path, settings: Settings) -> None:
    with Session.open([path], settings=settings) as session:
        make(session)
        key = counted(session)[1]
    for file in (settings.cache_dir / "tables").iterdir():
        file.unlink()
    path.write_text("other\n1\n")
    with Session.open([path], settings=settings) as session, pytest.raises(DataKeyError) as caught:
        session.source(key)
    assert caught.value.code == "source_changed"


def test_rows_that_code_made_are_not_made_again(path: Path, settings: Settings) -> None:
    with Session.open([path], settings=settings) as session:
        session.commit(session.preview_frame(pa.table({"units": [1, 2]}), label="code"))
        key = counted(session)[1]
    for file in (settings.cache_dir / "tables").iterdir():
        file.unlink()
    with Session.open([path], settings=settings) as session, pytest.raises(DataKeyError) as caught:
        session.source(key)
    assert caught.value.code == "key_expired"


def test_a_saved_table_never_replaces_an_open_file(session: Session, path: Path, tmp_path: Path) -> None:
    from tabchat.errors import OutputExistsError, UsageError

    make(session)
    with pytest.raises(UsageError):
        session.save(path, force=True)
    assert path.read_text() == TABLE
    session.save(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "region,units,salary\nEurope,2,20\nAfrica,,40\n"
    with pytest.raises(OutputExistsError):
        session.save(tmp_path / "out.csv")


def test_questions_after_an_edit_know_its_words(session: Session) -> None:
    assert session.answer("total zorks").error is not None
    make(session, operation="rename_columns", names={"units": "zorks"})
    assert session.answer("total zorks").block is not None
    make(session, operation="replace_values", column="region", values=[{"from": "Asia", "to": "Oceania"}])
    found = session.answer("total zorks in Oceania").block
    assert found is not None
    assert found.result.value == 4


# What a model may do, and learn


def model(session: Session, **changes: Any) -> ToolExecutor:
    from dataclasses import replace

    workspace = session.kept.workspace(session.settings)
    workspace = replace(workspace.for_model(session.settings.hide), **changes)
    return ToolExecutor.for_workspace(workspace, profile=FULL)


def call(executor: ToolExecutor, tool: str, **arguments: Any) -> ToolResultEnvelope:
    return executor.execute(tool, arguments)


def test_a_model_edits_only_what_the_person_agrees_to(session: Session) -> None:
    executor = model(session)
    asked: list[str] = []
    before = session.current
    refusal = call(executor, "edit_table", **DELETE)
    assert (refusal.ok, refusal.error, session.current) == (False, "declined", before)
    assert "nobody can be asked" in refusal.summary

    def refuse(pending: PendingEdit) -> bool:
        asked.append(pending.text)
        return False

    session.versions.confirm = refuse
    assert call(executor, "edit_table", **DELETE).error == "declined"
    assert (asked, session.current) == (["delete rows where region == 'Asia'"], before)
    session.versions.confirm = lambda _: True
    done = call(executor, "edit_table", **DELETE)
    assert done.summary == "Done: table sales has 2 rows, 4 before: 2 removed."
    assert done.metrics["mutation_summary"]["removed_rows"] == 2  # type: ignore[index, call-overload] # an object
    count = call(executor, "run_query", select="count()")
    assert "2" in count.summary
    assert session.kept.store.get(str(count.data_key)).recipe.tables[0].version == session.current.version
    assert call(executor, "undo").summary == "Undone: table sales has 4 rows, 2 before: 2 added."
    assert call(executor, "redo").ok
    assert call(executor, "redo").summary.startswith("Error executing 'redo': There is no edit to redo.")


@pytest.mark.parametrize(
    "arguments, changed",
    [
        ({"operation": "replace_values", "column": "region", "values": [{"from": "Asia", "to": None}]}, 2),
        ({"operation": "replace_values", "column": "units", "values": [{"from": None, "to": 9}]}, 1),
        ({"operation": "update", "set": {"units": 7}, "where": None, "columns": []}, 4),
        ({"operation": "fill_missing", "columns": "units", "value": 0, "method": None}, 1),
    ],
)
def test_edits_are_understood_as_models_write_them(
    session: Session, arguments: dict[str, Any], changed: int
) -> None:
    session.versions.confirm = lambda _: True
    done = call(model(session), "edit_table", **arguments)
    assert done.ok, done.summary
    assert done.metrics["mutation_summary"]["changed_cells_count"] == changed  # type: ignore[index, call-overload] # an object


def test_edits_are_no_part_of_the_other_profiles(session: Session) -> None:
    executor = ToolExecutor.for_workspace(session.kept.workspace(session.settings))
    for tool in ("edit_table", "undo", "redo"):
        assert call(executor, tool).error == "tool_not_enabled"


@pytest.mark.parametrize("level", list(PrivacyLevel))
def test_cells_are_told_at_preview_alone(session: Session, level: PrivacyLevel) -> None:
    session.versions.confirm = lambda _: True
    arguments = {"operation": "update", "set": {"region": "'Atlantis'"}, "where": "units == 2"}
    told = call(model(session, privacy=level), "edit_table", **arguments)
    assert told.ok
    text = json.dumps(told.to_json())
    assert ("Europe" in text) == (level is PrivacyLevel.PREVIEW)
    assert "cells changed: 1 (region 1)" in told.summary


def test_a_model_neither_names_nor_learns_hidden_columns(session: Session) -> None:
    session.versions.confirm = lambda _: True
    session.set_hidden(["salary"])
    executor = model(session, privacy=PrivacyLevel.PREVIEW)
    for arguments in (
        {"operation": "update", "set": {"units": "salary"}},
        {"operation": "delete_rows", "where": "salary > 10"},
        {"operation": "drop_columns", "columns": ["salary"]},
        {"operation": "rename_columns", "names": {"salary": "x"}},
        {"operation": "fill_missing", "columns": ["salary"], "value": 1},
    ):
        refusal = call(executor, "edit_table", **arguments)
        assert (refusal.ok, refusal.error) == (False, "PlanValidationError")
        assert "There is no column `salary`." in refusal.summary
    done = call(executor, "edit_table", operation="update", set={"units": "units + 1"})
    assert "salary" not in json.dumps(done.to_json())
    assert [row[3] for row in session.engine.rows(session.current.scan)] == [10, 20, 30, 40]
    session.commit(session.preview_edit({"operation": "update", "set": {"salary": "1"}}))
    undone = call(executor, "undo")
    assert "salary" not in json.dumps(undone.to_json())
    assert undone.metrics["mutation_summary"]["changed_cells_count"] == 0  # type: ignore[index, call-overload] # an object


def test_equal_rows_for_a_model_are_those_equal_in_what_it_sees(session: Session) -> None:
    session.versions.confirm = lambda _: True
    session.set_hidden(["salary"])
    make(session, operation="update", set={"units": "1"})
    assert "1 removed" in call(model(session), "edit_table", operation="deduplicate").summary
    assert session.current.edits[-1]["hidden"] == ["salary"]


@pytest.mark.parametrize(
    "arguments, hidden",
    [
        ({"operation": "rename_columns", "names": {"salary": "pay"}}, "pay"),
        ({"operation": "add_column", "name": "monthly", "expression": "salary / 12"}, "monthly"),
        ({"operation": "update", "set": {"units": "salary"}}, "units"),
        ({"operation": "update", "set": {"units": "7"}, "where": "salary > 10"}, "units"),
    ],
)
def test_what_is_made_of_hidden_columns_is_hidden_too(
    session: Session, arguments: dict[str, Any], hidden: str
) -> None:
    session.set_hidden(["salary"])
    pending = session.preview_edit(arguments)
    assert pending.hides == (f"sales.{hidden}",)
    session.commit(pending)
    assert session.settings.hide == ("salary", f"sales.{hidden}")
    seen = model(session).workspace.tables["sales"]
    assert hidden not in seen.by_name
    assert call(model(session), "run_query", select=f"sum({hidden})").error == "PlanValidationError"
    session.undo()
    assert list(session.settings.hide) == ["salary"]
    session.set_hidden(session.settings.hide)
    session.redo()
    assert hidden not in model(session).workspace.tables["sales"].by_name


def test_the_person_confirms_before_a_declined_error_is_told(session: Session) -> None:
    with pytest.raises(DeclinedError) as caught:
        session.versions.edit(session.current, DELETE)
    assert caught.value.exit_code == 9
