"""The REPL in a real terminal, and fed from a pipe."""

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tabchat.errors import ExitCode
from tabchat.repl.app import run_repl
from tests.conftest import Example
from tests.repl.conftest import Talk
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read

ENDLESS = "/sql SELECT count(*) FROM sales a, sales b, sales c WHERE a.revenue + b.revenue > c.revenue"


def piped(path: Path, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tabchat", "repl", str(path)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_conversation_in_a_terminal(example: Example, isolated_home: Path) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type("/sql SELECT region, count(*) AS orders\x1b\rFROM sales GROUP BY region\r")
        shown = terminal.read_until("rows · ds_")
        assert "North America    1587" in shown
        assert "5 groups from 5,000 rows" in shown

        terminal.read_until("sales>")
        terminal.enter(ENDLESS, "computing · 1 s")
        terminal.type_until("\x03", "Stopped.")

        terminal.read_until("sales>")
        terminal.type("half a question\x03")
        terminal.read_until("sales>")
        terminal.enter("/sql SELECT 40 + 2 AS answer", "answer: 42", "sales>")
        terminal.type("/qui\r")
        assert terminal.wait() == 0

    history = isolated_home / ".local" / "share" / "tabchat" / "history"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    kept = history.read_text()
    assert "+/sql SELECT region, count(*) AS orders\n+FROM sales GROUP BY region\n" in kept
    assert "half a question" not in kept

    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.enter("\x1b[A\x1b[A", "answer: 42", "sales>")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_a_narrow_screen_breaks_between_words_and_ctrl_c_leaves_the_line_of_a_question(
    example: Example,
) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv")), columns=40) as terminal:
        terminal.read_until("sales>")
        terminal.enter("/help", "begins a new line.")
        rows = terminal.screen.text.splitlines()
        assert "/history [TEXT]        list this" in rows
        assert "conversation's questions, or what holds" in rows
        terminal.read_until("sales>")
        terminal.enter("delete rows where quantity > 5", "[y/N]")
        terminal.type_until("\x03", "Stopped.")
        assert "Stopped." in terminal.screen.text.splitlines()
        terminal.read_until("sales>")
        assert terminal.type_until_end("\x04") == 0


def test_a_paste_neither_turns_nor_hides_text_in_the_line(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type("/sql SELECT 'a\u202eb\u200bc\u2066d' AS one -- done")
        drawn = terminal.read_until("done")
        assert not set("\u202e\u200b\u2066").intersection(drawn)
        assert "a\ufffdb\ufffdc\ufffdd" in terminal.screen.text
        terminal.type("\x03")
        assert terminal.type_until_end("\x04") == 0


def test_a_history_that_cannot_be_written_does_not_end_the_conversation(
    example: Example, isolated_home: Path
) -> None:
    history = isolated_home / ".local" / "share" / "tabchat" / "history"
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        history.unlink()
        history.mkdir()
        terminal.enter(
            "/sql SELECT 40 + 2 AS answer",
            "The history cannot be kept: Is a directory.",
            "answer: 42",
            "sales>",
        )
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_open_brackets_and_backslashes_go_on_in_the_next_line(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.enter('/query {"select":\r"count()"}', "count: 5000", "sales>")
        terminal.enter("/sql SELECT \\\r1 + 1 AS two", "two: 2", "sales>")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_tab_completes(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type("/sql SELECT max(unit_")
        terminal.settle()
        terminal.type("\t")
        terminal.settle()
        terminal.enter(") AS dearest FROM sales", "dearest: ", "sales>")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_lines_from_a_pipe_are_carried_out_to_the_end(example: Example) -> None:
    done = piped(
        example("sales.csv"),
        "/sql SELECT 1 AS one\n/frob\n\n/sql SELECT \\\n2 AS two\n/query {\n",
    )

    assert done.stdout == "one: 1\ntwo: 2\n"
    assert "There is no command '/frob'" in done.stderr
    assert "> /sql SELECT ⏎2 AS two\n" in done.stderr
    assert done.returncode == 9


def test_bytes_that_are_no_text_cost_their_line_alone(example: Example) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tabchat", "repl", example("sales.csv")],
        input=b"\xff\xfe what\n/sql SELECT 2 AS two\n",
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.stdout == b"two: 2\n"
    assert done.returncode == ExitCode.NOT_UNDERSTOOD


def test_lines_go_to_one_shell_whatever_happens_to_each(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = '/sql SELECT 1 AS one\n\n/frob\n/query {\n"select": "count()"\n}\n/show ds_aaaaaaaaaaaaaaaaaaaa\n/tables\n'
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = run_repl(talk.shell.session, talk.screen.consoles)

    assert code == ExitCode.KEY_UNKNOWN
    assert talk.screen.out.startswith("one: 1\ncount: 5000\n")
    assert [line for line in talk.screen.err.splitlines() if line.startswith("> ")] == [
        "> /sql SELECT 1 AS one",
        "> /frob",
        '> /query {⏎"select": "count()"⏎}',
        "> /show ds_aaaaaaaaaaaaaaaaaaaa",
        "> /tables",
    ]


@pytest.mark.parametrize(
    "typed, code, out",
    [
        ("", ExitCode.ANSWERED, ""),
        ("/sql SELECT 1 AS one", ExitCode.ANSWERED, "one: 1\n"),
        ("/sql SELECT 1 AS one\\\n", ExitCode.ANSWERED, "one: 1\n"),
        ("/quit\n/frob\n", ExitCode.ANSWERED, ""),
        ("/frob\n/quit\n", ExitCode.USAGE, ""),
        ("/query {", ExitCode.PLAN_REFUSED, ""),
    ],
)
def test_the_end_of_a_pipe_ends_the_last_entry(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, typed: str, code: ExitCode, out: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    assert run_repl(talk.shell.session, talk.screen.consoles) == code
    assert talk.screen.out == out


def test_an_entry_that_nothing_closes_takes_no_line_of_a_pipe_along(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "/sql SELECT 1 AS one\n\n/query {\n/sql SELECT (\n/sql SELECT 2 AS two\n/sql SELECT 3 -- it's\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    assert run_repl(talk.shell.session, talk.screen.consoles) == ExitCode.PLAN_REFUSED
    assert talk.screen.out == "one: 1\ntwo: 2\n3: 3\n"
    told = [line for line in talk.screen.err.splitlines() if line.startswith("Line ")]
    assert [line.split(" that")[0] for line in told] == [
        "Line 3 opens a bracket or a quotation mark",
        "Line 4 opens a bracket or a quotation mark",
    ]


def test_ctrl_c_ends_a_pipe(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(talk.shell.session, "results", interrupted)
    monkeypatch.setattr("sys.stdin", io.StringIO("/results\n/sql SELECT 1 AS one\n"))

    assert run_repl(talk.shell.session, talk.screen.consoles) == ExitCode.INTERRUPTED
    assert talk.screen.out == ""
