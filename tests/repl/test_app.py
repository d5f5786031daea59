"""The REPL in a real terminal, and fed from a pipe."""

from __future__ import annotations

import stat
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.repl.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Example = Callable[[str], Path]

ENDLESS = "/sql SELECT count(*) FROM sales a, sales b, sales c WHERE a.revenue + b.revenue > c.revenue"


def piped(path: Path, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tabchat", "repl", str(path)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_conversation_in_a_terminal(example: Example, isolated_home: Path) -> None:
    with Terminal("-m", "tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type("/sql SELECT region, count(*) AS orders\x1b\rFROM sales GROUP BY region\r")
        shown = terminal.read_until("/export out.csv")
        assert "North America    1587" in shown
        assert "5 groups from 5,000 rows" in shown

        terminal.read_until("sales>")
        terminal.type(f"{ENDLESS}\r")
        terminal.settle()
        terminal.type_until("\x03", "Stopped.")

        terminal.read_until("sales>")
        terminal.type("half a question\x03")
        terminal.read_until("sales>")
        terminal.type("/sql SELECT 40 + 2 AS answer\r")
        terminal.read_until("answer: 42")
        terminal.read_until("sales>")
        terminal.type("/qui\r")
        assert terminal.wait() == 0

    history = isolated_home / ".local" / "share" / "tabchat" / "history"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    kept = history.read_text()
    assert "+/sql SELECT region, count(*) AS orders\n+FROM sales GROUP BY region\n" in kept
    assert "half a question" not in kept

    with Terminal("-m", "tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type("\x1b[A\x1b[A\r")
        terminal.read_until("answer: 42")
        terminal.read_until("sales>")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_open_brackets_and_backslashes_go_on_in_the_next_line(example: Example) -> None:
    with Terminal("-m", "tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type('/query {"select":\r"count()"}\r')
        terminal.read_until("count: 5000")
        terminal.read_until("sales>")
        terminal.type("/sql SELECT \\\r1 + 1 AS two\r")
        terminal.read_until("two: 2")
        terminal.read_until("sales>")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_tab_completes(example: Example) -> None:
    with Terminal("-m", "tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type("/sql SELECT max(unit_")
        terminal.settle()
        terminal.type("\t")
        terminal.settle()
        terminal.type(") AS dearest FROM sales\r")
        terminal.read_until("dearest: ")
        terminal.read_until("sales>")
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


def test_the_code_of_a_pipe_is_that_of_the_last_line_that_failed(example: Example) -> None:
    assert piped(example("sales.csv"), "/show ds_aaaaaaaaaaaaaaaaaaaa\n/frob\n/tables\n").returncode == 2
    assert piped(example("sales.csv"), "/tables\n/quit\n/frob\n").returncode == 0
    assert piped(example("sales.csv"), "").returncode == 0
    assert piped(example("sales.csv"), "/sql SELECT 1 AS one").stdout == "one: 1\n"
