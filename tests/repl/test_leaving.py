"""Edits that no file has are never lost without a word."""

import io
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabchat.errors import ExitCode
from tabchat.repl.app import run_repl
from tabchat.repl.line.toolbar import toolbar
from tests.command import tabchat
from tests.conftest import Example
from tests.repl.conftest import Talk
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read

DELETE = '/edit --yes {"operation": "delete_rows", "where": "region != \'Oceania\'"}'
UNSAVED = "Not saved: 1 edit of sales."


def unsaved(talk: Talk) -> list[str]:
    return [table.name for table in talk.shell.session.unsaved]


@pytest.mark.parametrize("leave", ["/quit\r", "exit\r", "\x04"])
def test_leaving_with_unsaved_edits_asks_once(example: Example, leave: str) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.enter(DELETE, "/save FILE", "sales>")
        terminal.type(leave)
        terminal.read_until(UNSAVED)
        terminal.read_until("Leave without saving? [y/N]")
        terminal.enter("", "sales>")
        terminal.type(leave)
        terminal.read_until("Leave without saving? [y/N]")
        terminal.type("\x04" if leave == "\x04" else "y\r")
        assert terminal.wait() == 0


def test_what_is_saved_or_undone_is_not_asked_about(talk: Talk, tmp_path: Path) -> None:
    assert unsaved(talk) == []
    talk.say(DELETE)
    assert unsaved(talk) == ["sales"]
    assert toolbar(talk.shell).endswith(" · offline · not saved: 1 edit of sales · /help")
    talk.say(f"/save {tmp_path / 'kept.csv'}")
    assert unsaved(talk) == []
    talk.say("/undo")
    assert unsaved(talk) == []
    talk.say('/edit --yes {"operation": "delete_rows", "where": "quantity > 5"}')
    assert unsaved(talk) == ["sales"]
    talk.say("/undo")
    talk.say("/redo")
    assert unsaved(talk) == ["sales"]


def test_the_end_of_a_pipe_says_what_was_not_saved(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{DELETE}\n/quit\n"))
    assert run_repl(talk.shell.session, talk.screen.consoles) == ExitCode.ANSWERED
    assert talk.screen.err.endswith(f"{UNSAVED} /save FILE writes the edited table.\n")


SLOW = "/sql SELECT sum(sqrt(a.i * b.i)) FROM range(10000000) a(i), range(1000) b(i)"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back_and_says_how_to_make_the_edits_again(
    example: Example, tmp_path: Path, number: signal.Signals
) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv")), columns=400) as terminal:
        terminal.read_until("sales>")
        terminal.enter(DELETE, "/save FILE", "sales>")
        assert not terminal.echoes()
        terminal.signal(number)
        terminal.read_until(f"Ended by {number.name}. {UNSAVED}")
        again = re.search(r"tabchat (edit .+) -o NEW_FILE", terminal.read_until("NEW_FILE"))
        assert terminal.wait() == 128 + number
        assert terminal.echoes()

    assert again is not None
    target = tmp_path / "again.csv"
    done = tabchat(*shlex.split(again[1]), "--yes", "-o", target)
    assert done.code == 0
    assert len(target.read_text(encoding="utf-8").splitlines()) - 1 == 419


def test_a_signal_while_a_query_runs_stops_it(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.type(f"{SLOW}\r")
        terminal.see("computing")
        terminal.signal(signal.SIGTERM)
        terminal.read_until("Ended by SIGTERM.")
        assert terminal.wait() == 128 + signal.SIGTERM
        assert terminal.echoes()


def test_a_signal_to_lines_from_a_pipe_says_what_is_not_saved(example: Example) -> None:
    command = [sys.executable, "-m", "tabchat", "repl", str(example("sales.csv"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"{DELETE}\n/schema\n")
        process.stdin.flush()
        for line in process.stderr:
            if "> /schema" in line:
                break
        process.send_signal(signal.SIGTERM)
        told = process.stderr.read()
        assert process.wait() == 128 + signal.SIGTERM
    assert f"Ended by SIGTERM. {UNSAVED}" in told
