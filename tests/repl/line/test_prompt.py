"""The line that is typed, in a real terminal."""

from pathlib import Path

import pytest

from tests.conftest import Example
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read

ENDLESS = "/sql SELECT count(*) FROM sales a, sales b, sales c WHERE a.revenue + b.revenue > c.revenue"
BAR = " sales · 5,000 rows × 13 columns · offline · /help"


def type_until_seen(terminal: Terminal, text: str, wanted: str) -> None:
    """Type a line again and again until `wanted` stands on the screen: no one can see when a table is known."""
    for _ in range(60):
        terminal.type(f"\x15{text}")
        terminal.settle()
        if wanted in terminal.screen.text:
            return
    terminal.see(wanted)


def leave(terminal: Terminal) -> None:
    # A key that comes between two prompts, when nothing listens, may be lost.
    terminal.type("\x03")
    assert terminal.type_until_end("\x04") == 0


def test_the_toolbar_stays_at_the_bottom_while_something_runs(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv")), rows=24) as terminal:
        terminal.read_until("sales>")
        terminal.enter(ENDLESS, "computing · 1 s")
        terminal.see(BAR)
        assert terminal.screen.lines[-1].rstrip() == BAR
        assert len(terminal.screen.lines) == 24
        terminal.type_until("\x03", "Stopped.")
        terminal.read_until("sales>")
        terminal.settle()
        # What was drawn meanwhile left nothing behind.
        assert BAR not in terminal.screen.text
        assert "computing" not in terminal.screen.text
        assert terminal.screen.unknown == []
        leave(terminal)


def test_the_foot_never_covers_what_was_said_at_the_end_of_a_full_screen(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv")), rows=12) as terminal:
        terminal.read_until("sales>")
        terminal.enter("how many rows?", "The table has 5,000 rows.", "sales>")
        terminal.enter("/schema", "columns from", "sales>")
        terminal.enter(ENDLESS, "computing · 1 s")
        terminal.type_until("\x03", "Stopped.")
        terminal.read_until("sales>")
        terminal.settle()
        shown = [line.rstrip() for line in terminal.screen.lines]
        place = shown.index("sales> /schema")
        assert shown[place + 1].startswith("column")
        assert sum(line.startswith(("order_id", "returned")) for line in shown[place:]) == 2
        leave(terminal)


def test_entries_of_this_table_stand_behind_what_is_typed_then_questions_that_it_answers(
    example: Example,
) -> None:
    with Terminal("tabchat", "repl", str(example("prices.csv"))) as terminal:
        terminal.read_until("prices>")
        terminal.enter("how many rows where volume > 5", "rows · ds_", "prices>")
        leave(terminal)
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        # The entry over another table comes after the questions of this one.
        type_until_seen(terminal, "how man", "sales> how many rows are there")
        terminal.enter("\x1b[C", "The table has 5,000 rows.", "sales>")
        terminal.enter("how many orders are there", "5,000", "sales>")
        terminal.type("How man")
        terminal.see("How many orders are there")
        terminal.type("\x05")
        terminal.settle()
        terminal.enter(" in Asia", "region = Asia", "sales>")
        # Up goes back over this table first, and only then over the other one.
        terminal.type("\x1b[A\x1b[A\x1b[A\x1b[A")
        terminal.see("how many rows where volume > 5")
        leave(terminal)


def test_a_search_in_the_history_runs_what_it_found_or_is_left(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.enter("/sql SELECT 40 + 2 AS answer", "answer: 42", "sales>")
        terminal.type("\x12")
        terminal.see("I-search backward:")
        terminal.type("40 +")
        terminal.see("sales> /sql SELECT 40 + 2 AS answer")
        terminal.enter("", "answer: 42", "sales>")
        terminal.type("\x12")
        terminal.see("I-search backward:")
        terminal.type("select")
        terminal.settle()
        terminal.type("\x07")
        terminal.settle()
        assert "I-search" not in terminal.screen.text
        terminal.enter("/sql SELECT 1 AS one", "one: 1", "sales>")
        leave(terminal)


def test_a_suggestion_from_hostile_cells_steers_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("kind,n\n" + "evil\u202e\x1b[31mgpj\u200b,1\nplain,2\n" * 5)
    with Terminal("tabchat", "repl", str(path)) as terminal:
        terminal.read_until("t>")
        type_until_seen(terminal, "how many rows where kind is e", "evil")
        drawn = "".join(terminal.written)
        assert not set("\u202e\u200b").intersection(drawn)
        assert "\x1b[31m" not in drawn
        leave(terminal)


def test_two_conversations_share_their_history_while_both_go_on(example: Example) -> None:
    with (
        Terminal("tabchat", "repl", str(example("sales.csv"))) as one,
        Terminal("tabchat", "repl", str(example("sales.csv"))) as other,
    ):
        one.read_until("sales>")
        other.read_until("sales>")
        one.enter("/sql SELECT 40 + 2 AS answer", "answer: 42")
        other.enter("/sql SELECT 1 AS one", "one: 1", "sales>")
        # The next line that is typed knows what was typed elsewhere before it.
        one.read_until("sales>")
        one.type("\x03")
        one.settle()
        one.type("\x1b[A")
        one.see("sales> /sql SELECT 1 AS one")
        one.type("\x1b[A")
        one.see("sales> /sql SELECT 40 + 2 AS answer")
        leave(one)
        leave(other)
