"""What is typed without a slash does what it says: commands in words, SQL, a list of questions."""

import pytest

from tabchat.errors import ExitCode
from tabchat.repl.entry import is_complete
from tabchat.repl.shell import LeaveRepl
from tabchat.repl.spelled import as_command, questions_in
from tests.conftest import Example
from tests.repl.conftest import Talk
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read


@pytest.mark.parametrize(
    "entry, command",
    [
        ("help", "/help"),
        ("?", "/help"),
        ("Quit", "/quit"),
        ("exit", "/quit"),
        ("q", "/quit"),
        (":q", "/quit"),
        ("plot it", "/chart"),
        ("Draw this as a line chart.", "/chart line"),
        ("намалюй це", "/chart"),
        ("нарисуй это", "/chart"),
        ("plot revenue by month", None),
        ("SELECT 1", "/sql SELECT 1"),
        ("SELECT\n1", "/sql SELECT\n1"),
        ("SELECT revenu FROM nowhere", "/sql SELECT revenu FROM nowhere"),
        ("WITH a AS (SELECT 1 AS x) FROM a", "/sql WITH a AS (SELECT 1 AS x) FROM a"),
        ("FROM sales LIMIT 2;", "/sql FROM sales LIMIT 2;"),
        ("select region from Sales", "/sql select region from Sales"),
        ("from sales", "/sql from sales"),
        ("with a as (select 1 as x) select x from a", "/sql with a as (select 1 as x) select x from a"),
        ("DESCRIBE", "/schema"),
        ("DESCRIBE sales;", "/schema sales"),
        ('describe "sales"', "/schema sales"),
        ("SUMMARIZE sales", "/profile sales"),
        ("DESCRIBE SELECT 1", "/sql DESCRIBE SELECT 1"),
        ("help me with revenue", None),
        ("select the dearest orders", None),
        ("select region", None),
        ("from which country are most orders?", None),
        ("with discount, how many orders?", None),
        ("with which discount are orders?", None),
        ("with a discount as high as (10%), which orders", None),
        ("describe the table", None),
        ("summarize revenue by region", None),
        ("total revenue", None),
    ],
)
def test_words_are_commands_only_where_they_can_be_nothing_else(entry: str, command: str | None) -> None:
    assert as_command(entry, ["sales"]) == command


def test_a_word_that_leaves_is_a_question_where_a_column_is_called_so() -> None:
    assert as_command("q", ["sales"], ["Q", "region"]) is None
    assert as_command("quit", ["sales"], ["Q", "region"]) == "/quit"


@pytest.mark.parametrize(
    "entry, questions",
    [
        ("total revenue", ()),
        ("total revenue\n\n", ()),
        ("total revenue\nhow many rows?", ("total revenue", "how many rows?")),
        ("1. one\n 2) two\n- three\n\n• 4 things", ("one", "two", "three", "4 things")),
        ("2024 revenue\n2023 revenue", ("2024 revenue", "2023 revenue")),
    ],
)
def test_a_list_is_several_lines_without_their_bullets(entry: str, questions: tuple[str, ...]) -> None:
    assert questions_in(entry) == questions


def test_sql_goes_on_while_something_is_open() -> None:
    assert not is_complete("SELECT count(")
    assert is_complete("SELECT count(*) FROM sales")
    assert is_complete('from 5" pipes')


def test_sql_and_plain_words_are_carried_out(talk: Talk) -> None:
    assert talk.say("SELECT 40 + 2 AS answer;")[:2] == (ExitCode.ANSWERED, "answer: 42\n")
    assert talk.say("DESCRIBE sales")[1].startswith("column      kind     type")
    assert talk.say("help")[1].startswith("/help [command]")
    assert "There is no column 'revenu'" in talk.say("SELECT revenu FROM sales")[2]
    with pytest.raises(LeaveRepl):
        talk.shell.run("exit")


def test_a_pasted_list_is_asked_line_by_line_after_a_yes(example: Example) -> None:
    with Terminal("tabchat", "repl", str(example("sales.csv"))) as terminal:
        terminal.read_until("sales>")
        terminal.enter(
            "\x1b[200~1. how many rows?\n2. /sql SELECT 40 + 2 AS answer\x1b[201~",
            "Ask these 2 lines one by one? [y/N]",
        )
        terminal.enter("y", "> how many rows?", "The table has 5,000 rows.", "answer: 42")
