"""`tabchat edit` as a process: a look, a confirmation, another file; and the file that is edited stays as it is."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.command import tabchat
from tests.repl.terminal import Terminal

TABLE = "region,units\nAsia,1\nEurope,\nAsia,3\n"
DELETE = '{"operation": "delete_rows", "where": "units > 2"}'
FILL = '{"operation": "fill_missing", "columns": ["units"], "method": "zero"}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "sales.csv"
    made.write_text(TABLE)
    return made


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_look_saves_nothing_and_says_how_to(path: Path) -> None:
    done = tabchat("edit", path, DELETE)
    assert done.code == 0
    assert done.out == "delete rows where units > 2\n  2 rows, 3 before: 1 removed\n"
    assert done.err == "Nothing was saved. To save the edited table: -o FILE.\n"


def test_nothing_is_saved_unless_somebody_agrees(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    done = tabchat("edit", path, DELETE, "-o", target)
    assert (done.code, target.exists()) == (9, False)
    assert "1 removed" in done.out
    assert "nobody can be asked" in done.err
    assert "--yes" in done.err
    told = tabchat("edit", path, DELETE, "-o", target, "--json")
    assert (told.code, told.json["ok"], told.json["error"]["code"], target.exists()) == (
        9,
        False,
        "declined",
        False,
    )
    assert told.json["mutation_summary"]["removed_rows"] == 1


def test_edits_follow_each_other_into_another_file(path: Path, tmp_path: Path) -> None:
    before = hash_of(path)
    (tmp_path / "fill.json").write_text(FILL)
    requests = (f"@{tmp_path / 'fill.json'}", "rename units to pieces", DELETE.replace("units", "pieces"))
    done = tabchat("edit", path, *requests, "-o", tmp_path / "out.csv", "--yes", "--json")
    assert done.code == 0
    assert (tmp_path / "out.csv").read_text() == "region,pieces\nAsia,1\nEurope,0\n"
    told = done.json
    assert (told["ok"], told["type"], told["saved"]) == (True, "edit", str(tmp_path / "out.csv"))
    assert [item["operation"] for item in told["edits"]] == ["fill_missing", "rename_columns", "delete_rows"]
    assert told["mutation_summary"] == {
        "rows_before": 3,
        "rows_after": 2,
        "added_rows": 0,
        "removed_rows": 1,
        "added_columns": [],
        "removed_columns": [],
        "renamed_columns": {"units": "pieces"},
        "retyped_columns": {},
        "changed_cells_count": 1,
        "changed_columns": {"pieces": 1},
        "changed_cells": [{"row": 2, "column": "pieces", "before": None, "after": 0}],
        "structure_changed": True,
    }
    assert told["table"] == {
        "columns": ["region", "pieces"],
        "rows": [["Asia", 1], ["Europe", 0]],
        "truncated": False,
    }
    exported = tabchat("export", told["data_key"], "--format", "csv")
    assert exported.out == "region,pieces\nAsia,1\nEurope,0\n"
    assert hash_of(path) == before


def test_the_edited_table_goes_to_stdout_for_programs(path: Path) -> None:
    done = tabchat("edit", path, DELETE, "--format", "csv", "-q")
    assert (done.code, done.out, done.err) == (0, "region,units\nAsia,1\nEurope,\n", "")


def test_a_source_or_another_file_is_not_overwritten(path: Path, tmp_path: Path) -> None:
    before = hash_of(path)
    refused = tabchat("edit", path, DELETE, "-o", path, "--yes", "--force")
    assert (refused.code, refused.out) == (2, "")
    assert "a source file is never touched" in refused.err
    (tmp_path / "out.csv").write_text("mine")
    assert tabchat("edit", path, DELETE, "-o", tmp_path / "out.csv", "--yes").code == 2
    assert (hash_of(path), (tmp_path / "out.csv").read_text()) == (before, "mine")


@pytest.mark.parametrize(
    "request_, code, error",
    [
        ('{"operation": "delete_rows", "where": "unit > 2"}', 9, "plan_invalid"),
        ('{"operation": "delete_rows", "where": "units > 200"}', 9, "nothing_changed"),
        ('{"operation": "cast", "column": "region", "type": "int"}', 9, "cells_refused"),
        ("{", 9, "plan_invalid"),
        ("total units by region", 4, "not_understood"),
        ("@missing.json", 3, "input_unreadable"),
    ],
)
def test_an_edit_that_cannot_be_says_why(path: Path, request_: str, code: int, error: str) -> None:
    done = tabchat("edit", path, request_, "--json")
    assert (done.code, done.json["ok"], done.json["error"]["code"]) == (code, False, error)
    assert "tabchat: error: " in done.err
    assert json.loads(done.out)["error"]["message"]


def test_a_person_at_a_terminal_is_asked_before_a_file_is_written(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    for answer, code in (("", 9), ("y", 0)):
        with Terminal("tabchat", "edit", str(path), DELETE, "-o", str(target), columns=200) as terminal:
            terminal.read_until("[y/N]")
            terminal.type(f"{answer}\r")
            assert terminal.wait() == code
        assert target.exists() == (code == 0)


def test_code_is_an_edit_without_saying_so_and_its_mending_is_told(path: Path) -> None:
    done = tabchat("edit", path, "df['units'] = df['units'] * 2", "df.dropna(subset='units')")
    assert done.code == 0
    assert "cells changed: 2 (units 2)" in done.out
    assert "2 rows, 3 before: 1 removed" in done.out
    assert "note: wrote `df = ` before line 1" in done.err


def test_code_may_come_from_stdin(path: Path) -> None:
    done = tabchat("edit", path, "-", "--format", "csv", stdin=b"x = 1\ndf = df.head(x)\n")
    assert (done.code, done.out) == (0, "region,units\nAsia,1\n")


def test_code_that_loses_the_table_is_told_so(path: Path) -> None:
    done = tabchat("edit", path, "df = 5")
    assert done.code == 9
    assert "The code left no table in `df`." in done.err


def test_a_list_of_edits_is_told_to_be_several_requests(path: Path) -> None:
    done = tabchat("edit", path, f"[{DELETE}]")
    assert done.code == 9
    assert "an edit is one JSON object" in done.err
    assert "several edits are several requests" in done.err
