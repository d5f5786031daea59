"""A model's turn in a real terminal: what is drawn while it goes on, and what is left when it is over."""

import time
from pathlib import Path

import pytest

from tests.conftest import Example
from tests.render.screens import assert_snapshot
from tests.repl.slow_model import SAID
from tests.repl.streaming import DRAFT
from tests.repl.terminal import Terminal
from tests.repl.unread import BLOCK, BLOCKS

UNCHECKED = "999.9, which is a figure that nobody has checked"


def streaming(folder: Path, columns: int) -> Terminal:
    return Terminal("tests.repl.streaming", str(folder), columns=columns)


def go_on(folder: Path, stage: int | str) -> None:
    (folder / str(stage)).touch()


@pytest.mark.parametrize("columns", [80, 200])
def test_a_turn_ends_with_what_was_checked_and_nothing_else(tmp_path: Path, columns: int) -> None:
    with streaming(tmp_path, columns) as terminal:
        terminal.read_until("asking openai/gpt-5-mini")
        assert terminal.screen.lines[0] == "$ before"
        go_on(tmp_path, 1)
        terminal.read_until("writing, figures not checked yet")
        writing = terminal.screen.text
        assert "Mean revenue by region" in writing
        assert UNCHECKED in " ".join(writing.split())
        go_on(tmp_path, 2)
        terminal.read_until("asking again (1 of 3)")
        terminal.read_until("Mars 77.")
        assert "[unverified]" not in terminal.screen.text
        go_on(tmp_path, 3)
        assert terminal.wait() == 0

        assert "nobody has checked" not in terminal.screen.text
        assert_snapshot(f"terminal_turn_{columns}", terminal.screen.text + "\n")
        assert terminal.screen.unknown == []


@pytest.mark.parametrize("sizes", [(80, 44), (60, 100), (100, 30, 120)])
def test_a_terminal_that_is_resized_keeps_nothing_of_the_draft(
    tmp_path: Path, sizes: tuple[int, ...]
) -> None:
    first, *others = sizes
    with streaming(tmp_path, first) as terminal:
        go_on(tmp_path, 1)
        terminal.read_until("not checked yet")
        for columns in others:
            terminal.resize(columns)
            terminal.read_until("writing, figures")
            terminal.read_until("writing, figures")
        go_on(tmp_path, 2)
        terminal.read_until("asking again")
        go_on(tmp_path, 3)
        assert terminal.wait() == 0

        shown = terminal.screen.text
        assert "nobody has" not in shown
        assert "figures not checked" not in shown
        assert shown.startswith(
            "$ before\nrun_query mean(revenue) by region · 12 ms\nMean revenue by region\n"
        )
        # What is printed for good fits the terminal as it is now.
        text = " ".join(shown.split())
        assert "Asia leads with 120.5; Europe has 80.3, and Mars 77 [unverified]." in text
        assert len(max(shown.partition("asking again")[2].splitlines(), key=len)) <= sizes[-1]


def test_ctrl_c_erases_the_draft(tmp_path: Path) -> None:
    with streaming(tmp_path, 80) as terminal:
        go_on(tmp_path, 1)
        terminal.read_until("not checked yet")
        terminal.type("\x03")
        terminal.read_until("stopped")
        assert terminal.wait() == 0

        lines = terminal.screen.lines
        assert lines[lines.index("stopped") - 1].startswith("2 groups from 5,000 rows")
        assert not any(part in terminal.screen.text for part in (DRAFT[:20], "writing", "^C"))


def test_ctrl_c_drops_nothing_of_what_a_slow_terminal_has_not_read() -> None:
    with Terminal("tests.repl.unread") as terminal:
        terminal.read_until("began")
        # Time to write more than the system keeps for a terminal that does not read.
        time.sleep(0.5)
        terminal.type("\x03")
        terminal.read_until("ended")
        assert terminal.wait() == 0

        assert "".join(terminal.written).count(".") == len(BLOCK) * BLOCKS
        assert terminal.echoes()


def test_what_is_typed_meanwhile_stands_in_no_line_that_is_drawn(tmp_path: Path) -> None:
    with streaming(tmp_path, 80) as terminal:
        assert terminal.echoes()
        go_on(tmp_path, 1)
        terminal.read_until("not checked yet")
        assert not terminal.echoes()
        terminal.type("why, then?")
        terminal.read_until("not checked yet")
        go_on(tmp_path, 2)
        go_on(tmp_path, 3)
        assert terminal.wait() == 0

        assert "why, then?" not in terminal.screen.text
        assert terminal.echoes()


def test_ctrl_c_stops_a_model_and_the_conversation_goes_on(example: Example, tmp_path: Path) -> None:
    with Terminal("tests.repl.slow_model", str(example("sales.csv")), str(tmp_path)) as terminal:
        terminal.read_until("sales>")
        terminal.enter("why?", "so there is none.", "writing, figures not checked yet")
        # What was typed ahead goes with what it was typed behind, as everywhere in a terminal.
        terminal.type("how many rows?\r")
        terminal.type("\x03")
        terminal.read_until("Stopped.")
        terminal.read_until("sales>")
        assert SAID not in terminal.screen.text
        assert "how many" not in terminal.screen.text
        assert "writing" not in terminal.screen.text

        go_on(tmp_path, "go")
        terminal.enter("why, then?", SAID, "sales>")
        assert terminal.screen.text.count(SAID) == 1
        assert "how many" not in terminal.screen.text
        terminal.type("\x04")
        assert terminal.wait() == 0
