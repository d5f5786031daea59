"""The prompt of a terminal whose cursor cannot be moved."""

import pytest

from tests.conftest import Example
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read


def test_a_conversation_where_no_cursor_moves(example: Example) -> None:
    path = str(example("sales.csv"))
    with Terminal("tabchat", "repl", path, environment={"TERM": "dumb"}) as terminal:
        terminal.read_until("sales> ")
        terminal.type("/sql SELECT \\\r")
        terminal.read_until("... ")
        terminal.enter("40 + 2 AS answer", "answer: 42", "sales> ")
        terminal.type("half a question\x03")
        terminal.read_until("sales> ")
        terminal.enter("/sql SELECT 1 AS one", "one: 1", "sales> ")
        terminal.type("\x04")
        assert terminal.wait() == 0
        assert "\x1b" not in "".join(terminal.written)
