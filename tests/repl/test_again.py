"""A conversation once more: asked again, copied, written in an editor, counted."""

import base64
import re
from pathlib import Path

import pytest

from tabchat.errors import ExitCode
from tabchat.repl.line.past import PastEntry
from tests.command import tabchat
from tests.conftest import Example
from tests.repl.conftest import Talk
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read


def test_a_question_is_asked_again_by_its_number(talk: Talk) -> None:
    assert "Nothing was asked" in talk.say("/rerun")[2]
    talk.say("how many rows?")
    talk.say("total revenue")
    code, out, err = talk.say("/rerun")
    assert (code, out) == (ExitCode.ANSWERED, "The sum of revenue is 1,841,479.99.\n")
    assert err.startswith("> total revenue\n")
    assert talk.say("/rerun 1")[1] == "The table has 5,000 rows.\n"
    assert talk.say("/rerun 99")[0] == ExitCode.USAGE


def test_what_a_conversation_came_to_is_counted(talk: Talk) -> None:
    talk.say("how many rows?")
    talk.say("help")
    talk.say("/sql SELECT 1 AS one")
    talk.say("/history")
    talk.say("/stats")
    out = talk.say("/stats")[1]
    assert out.startswith("1 question, 2 results, 0 edits\n2 turns in ")
    assert talk.say("/history")[1] == "  1  how many rows?\n"


def test_past_entries_are_listed_by_a_text_those_over_this_table_at_the_end(talk: Talk) -> None:
    table = str(talk.shell.session.current.source)
    for text, over in [("Total revenue\nby region", table), ("revenue \x1b[31m", "/other"), ("rows", table)]:
        talk.shell.past.add(PastEntry(text=text, table=over))
    assert talk.say("/history REV")[1] == "revenue \\x1b[31m\nTotal revenue⏎by region\n"
    assert talk.say("/history frob")[1:] == ("", "No entry holds 'frob'.\n")


def test_hints_name_the_commands_of_the_prompt(talk: Talk) -> None:
    assert "try: List the kept results with: /results\n" in talk.say("/show ds_zz")[2]
    assert "with: /egress\n" in talk.say("/egress nothing")[2]
    assert "try: Ask a question first.\n" in talk.say("/export _ out.csv")[2]


def test_nothing_is_copied_without_a_terminal(talk: Talk) -> None:
    talk.say("/sql SELECT 1 AS one")
    code, out, err = talk.say("/copy")
    assert (code, out) == (ExitCode.USAGE, "")
    assert "/export FILE" in err
    assert talk.say("/editor")[0] == ExitCode.USAGE


def test_a_result_that_no_clipboard_holds_is_not_copied(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    with Terminal("tabchat", "repl", str(path), columns=120) as terminal:
        terminal.read_until("t>")
        terminal.enter("/rows 1", "t>")
        terminal.enter("/sql SELECT i, i AS j FROM range(37001) t(i)", "ds_", "t>")
        terminal.enter("/copy", "too large for the clipboard: 74,002 bytes or more of 74,000.")
        assert "\x1b]52" not in "".join(terminal.written)


def test_a_result_is_copied_whole_and_inert(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,\x07x\n")
    with Terminal("tabchat", "repl", str(path)) as terminal:
        terminal.read_until("t>")
        terminal.enter("SELECT 40 + 2 AS answer, chr(27) || ']52;c;x' || chr(7) AS b", "ds_", "t>")
        terminal.written.clear()
        terminal.enter("/copy", "1 row copied")
        (copied,) = re.findall(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", "".join(terminal.written))
        assert base64.b64decode(copied).startswith(b"answer\tb\n42\t")


def test_an_entry_is_written_in_the_persons_editor(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'SELECT 40 + 2\\n AS answer' > \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.enter("/editor", "answer: 42", "sales>")
        terminal.type("\x18\x05")
        terminal.settle()
        terminal.enter("", "answer: 42")


def test_lines_are_edited_as_vi_does_on_request(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABCHAT_VI", "true")
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type("/sql SELECT 40 + 3 AS answer")
        terminal.settle()
        terminal.type("\x1b")
        terminal.settle()
        terminal.type("F3r2")
        terminal.settle()
        terminal.enter("", "answer: 42")


def test_without_a_file_recent_ones_are_offered(example: Example, tmp_path: Path) -> None:
    none = tabchat("repl")
    assert none.code == 2
    assert "no file was asked about before" in none.err
    gone = tmp_path / "gone.csv"
    gone.write_text("a\n1\n")
    for path in (example("sales.csv"), gone, example("prices.csv")):
        tabchat("ask", path, "how many rows?")
    gone.unlink()
    piped = tabchat("repl")
    assert piped.code == 2
    assert [line.split()[0] for line in piped.err.splitlines()[:2]] == ["1.", "2."]
    assert "prices.csv" in piped.err.splitlines()[0]
    with Terminal("tabchat", "repl", columns=200) as terminal:
        terminal.read_until("Which one? [1]")
        terminal.enter("\u0663", "There is no file '\u0663' in the list: 1 to 2.", "Which one? [1]")
        terminal.enter("2", "sales>")


def test_a_table_is_opened_before_a_result_whose_key_begins_so(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "ds_abc"
    path.write_text("a,b\n17,18\n19,20\n", encoding="utf-8")
    talk.say(f"/load {path}")
    code, out, _ = talk.say("/open ds_abc")
    assert code == ExitCode.ANSWERED
    assert "17" in out
    printed = tabchat("view", "ds_abc", cwd=tmp_path)
    assert printed.code == 0
    assert "17" in printed.out
