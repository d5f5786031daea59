"""Edits at the prompt: shown, confirmed, undone, redone and saved; by command and in plain words."""

import hashlib
from pathlib import Path

import pytest

from tabchat.errors import ExitCode
from tests.repl.conftest import Talk
from tests.repl.terminal import Terminal

DELETE = '{"operation": "delete_rows", "where": "region != \'Oceania\'"}'


def test_an_edit_is_shown_made_undone_and_redone(talk: Talk) -> None:
    code, out, err = talk.say(f"/edit --yes {DELETE}")
    assert code == ExitCode.ANSWERED
    assert out == "delete rows where region != 'Oceania'\n  419 rows, 5,000 before: 4,581 removed\n"
    assert err == "sales: 419 rows × 13 columns now · /undo · /save FILE\n"
    assert talk.say("how many rows?")[1].startswith("The table has 419 rows.")
    assert talk.say("/undo")[2] == (
        "Undone: delete rows where region != 'Oceania'.\nsales: 5,000 rows × 13 columns now · /redo\n"
    )
    assert talk.say("how many rows?")[1].startswith("The table has 5,000 rows.")
    assert "Done again: " in talk.say("/redo")[2]
    code, _, err = talk.say("/redo")
    assert code == ExitCode.PLAN_REFUSED
    assert err.startswith("tabchat: error: There is no edit to redo.\n")
    talk.say("/undo")
    assert talk.say("/undo")[2] == (
        "tabchat: error: There is no edit to undo.\n  try: The last 5 edits can be undone; "
        "redo makes \"delete rows where region != 'Oceania'\" again.\n"
    )


def test_changed_cells_are_listed(talk: Talk) -> None:
    _, out, _ = talk.say('/edit --yes {"operation": "update", "set": {"quantity": "quantity + 1"}}')
    lines = out.splitlines()
    assert lines[:3] == [
        "set quantity = quantity + 1",
        "  5,000 rows, as before",
        "  cells changed: 5,000 (quantity 5,000)",
    ]
    assert lines[3].split() == ["row", "column", "before", "after"]
    assert len(lines) == 5 + 20 + 1
    assert lines[-1] == "+4,980 more changed cells"


@pytest.mark.parametrize("entry", [f"/edit {DELETE}", "delete rows where region is Oceania"])
def test_nothing_changes_where_nobody_can_be_asked(talk: Talk, entry: str) -> None:
    before = talk.shell.session.current
    code, out, err = talk.say(entry)
    assert (code, talk.shell.session.current) == (ExitCode.PLAN_REFUSED, before)
    assert "removed" in out
    assert "Nothing was changed: nobody can be asked" in err
    assert "/edit --yes" in err


def test_words_are_read_as_edits_and_said_so(talk: Talk) -> None:
    code, _, err = talk.say("/edit --yes rename region to area")
    assert code == ExitCode.ANSWERED
    assert err.startswith("read as: ")
    assert "area" in talk.shell.session.current.by_name
    code, _, err = talk.say("undo")
    assert (code, "Undone: rename columns region to area." in err) == (ExitCode.ANSWERED, True)
    code, _, err = talk.say("/edit total revenue by region")
    assert code == ExitCode.NOT_UNDERSTOOD
    assert "is not understood as an edit" in err


@pytest.mark.parametrize(
    "entry, code, told",
    [
        ("/edit", ExitCode.USAGE, "/edit needs what to change."),
        ("/edit {", ExitCode.PLAN_REFUSED, "not valid JSON"),
        (
            '/edit {"operation": "drop_columns", "columns": ["region"], "columns": ["channel"]}',
            ExitCode.PLAN_REFUSED,
            "a field is given twice: 'columns'",
        ),
        (
            '/edit {"operation": "delete_rows", "where": "regoin == 1"}',
            ExitCode.PLAN_REFUSED,
            "Did you mean region?",
        ),
        ("/edit @nowhere.json", ExitCode.INPUT_UNREADABLE, "'nowhere.json' cannot be read"),
        ("/save", ExitCode.USAGE, "/save FILE [--force]"),
    ],
)
def test_what_cannot_be_carried_out_says_why(talk: Talk, entry: str, code: ExitCode, told: str) -> None:
    found, _, err = talk.say(entry)
    assert (found, told in err) == (code, True)


def test_the_edited_table_is_saved_to_another_file(talk: Talk, tmp_path: Path) -> None:
    source = talk.shell.session.current.source
    before = hashlib.sha256(source.read_bytes()).hexdigest()
    talk.say(f"/edit --yes {DELETE}")
    code, _, err = talk.say(f"/save '{tmp_path / 'Океанія 1.csv'}'")
    assert (code, err.startswith("419 rows written to ")) == (ExitCode.ANSWERED, True)
    assert len((tmp_path / "Океанія 1.csv").read_text().splitlines()) == 420
    assert talk.say(f"/save '{tmp_path / 'Океанія 1.csv'}'")[0] == ExitCode.USAGE
    assert talk.say(f"/save --force '{tmp_path / 'Океанія 1.csv'}'")[0] == ExitCode.ANSWERED
    assert talk.say(f"/save --force '{source}'")[0] == ExitCode.USAGE
    assert hashlib.sha256(source.read_bytes()).hexdigest() == before


def test_a_person_at_a_terminal_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,y\n")
    with Terminal("tabchat", "repl", str(path)) as terminal:
        terminal.read_until("t>")
        terminal.enter("delete rows where a = 1", "Change t? ")
        terminal.enter("n", "Nothing was changed.", "t>")
        terminal.enter("delete rows where a = 1", "Change t? ")
        terminal.enter("y", "t: 1 row × 2 columns now", "t>")
        terminal.enter("/quit", "Leave without saving? [y/N]")
        terminal.type("y\r")
        assert terminal.wait() == 0
