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
        terminal.enter("total amount by region", "3 groups.", "shop>")
        terminal.enter("delete rows where region = west", "Change shop? ")
        terminal.enter("y", "4 rows", "shop>")
        terminal.enter("/quit", "--continue goes on with it.", "Leave without saving? [y/N]")
        terminal.type("y\r")
        assert terminal.wait() == 0
    with Terminal("tabchat", "repl", "--continue") as terminal:
        terminal.read_until("on shop: 2 turns, 1 edit, the last ")
        terminal.read_until("shop: 4 rows × 5 columns")
        terminal.read_until("shop>")
        terminal.enter("_", "south", "71.5", "shop>")
        terminal.enter("/undo", "6 rows", "shop>")
        terminal.type("\x04")
        assert terminal.wait() == 0


def test_a_killed_conversation_loses_the_running_turn_alone(tmp_path: Path) -> None:
    path = str(shop(tmp_path))
    with Terminal("tests.journal.killed", path) as terminal:
        terminal.read_until("shop>")
        terminal.enter("total amount", "115", "shop>")
        terminal.enter('/edit --yes {"operation": "delete_rows", "where": "amount > 40"}', "5 rows", "shop>")
        terminal.enter("what does it all mean", "Thinking")
        os.kill(terminal._process.pid, signal.SIGKILL)
        assert terminal.wait() == -signal.SIGKILL
    with Terminal("tabchat", "repl", path, "--continue") as terminal:
        terminal.read_until("on shop: 2 turns, 1 edit, the last ")
        terminal.read_until("5 rows")
        terminal.read_until("shop>")
        terminal.enter("/history", "1  total amount", "shop>")
        terminal.enter("total amount", "73.5")
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
