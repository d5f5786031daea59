"""Going on with a conversation at a real terminal, also after the first one was killed in the middle of a turn."""

import os
import signal
from pathlib import Path

from tests.command import tabchat
from tests.journal.conftest import TABLE
from tests.repl.terminal import Terminal


def shop(folder: Path) -> Path:
    path = folder / "shop.csv"
    path.write_text(TABLE)
    return path


def test_a_person_goes_on_with_results_edits_and_history(tmp_path: Path) -> None:
    path = str(shop(tmp_path))
    with Terminal("tabchat", "repl", path) as terminal:
        terminal.read_until("shop>")
        terminal.type("total amount by region\r")
        terminal.read_until("3 groups.")
        terminal.read_until("shop>")
        terminal.type("delete rows where region = west\r")
        terminal.read_until("Change shop? ")
        terminal.type("y\r")
        terminal.read_until("4 rows")
        terminal.read_until("shop>")
        terminal.type("/quit\r")
        terminal.read_until("--continue goes on with it.")
        terminal.read_until("Leave without saving? [y/N]")
        terminal.type("y\r")
        assert terminal.wait() == 0
    with Terminal("tabchat", "repl", "--continue") as terminal:
        terminal.read_until("on shop: 2 turns, 1 edit, the last ")
        terminal.read_until("shop: 4 rows × 5 columns")
        terminal.read_until("shop>")
        terminal.type("_\r")
        terminal.read_until("south")
        terminal.read_until("71.5")
        terminal.read_until("shop>")
        terminal.type("/undo\r")
        terminal.read_until("6 rows")
        terminal.read_until("shop>")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_a_killed_conversation_loses_the_running_turn_alone(tmp_path: Path) -> None:
    path = str(shop(tmp_path))
    with Terminal("tests.journal.killed", path) as terminal:
        terminal.read_until("shop>")
        terminal.type("total amount\r")
        terminal.read_until("115")
        terminal.read_until("shop>")
        terminal.type('/edit --yes {"operation": "delete_rows", "where": "amount > 40"}\r')
        terminal.read_until("5 rows")
        terminal.read_until("shop>")
        terminal.type("what does it all mean\r")
        terminal.read_until("Thinking")
        os.kill(terminal._process.pid, signal.SIGKILL)
        assert terminal.wait() == -signal.SIGKILL
    with Terminal("tabchat", "repl", path, "--continue") as terminal:
        terminal.read_until("on shop: 2 turns, 1 edit, the last ")
        terminal.read_until("5 rows")
        terminal.read_until("shop>")
        terminal.type("/history\r")
        terminal.read_until("1  total amount")
        terminal.read_until("shop>")
        terminal.type("total amount\r")
        terminal.read_until("73.5")
        terminal.type("\x04")


def test_without_a_session_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    done = tabchat("repl", "--continue")
    assert (done.code, done.out) == (7, "")
    assert done.err == ("tabchat: error: No session is kept.\n  try: Begin one: tabchat repl FILE\n")
    assert tabchat("repl", "--continue", "--no-cache").code == 2
    path = shop(tmp_path)
    tabchat("repl", path, "--no-cache", stdin="how many rows\n")
    assert tabchat("repl", path, "-c").code == 7
    tabchat("repl", path, stdin="how many rows\n")
    done = tabchat("repl", path, "-c", stdin="/history\n")
    assert (done.code, done.out) == (0, "  1  how many rows\n")
    assert tabchat("repl", "--session", "zz", stdin="").code == 7
