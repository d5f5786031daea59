"""What is known while a line is typed: from facts, on a thread, bounded, and without what is hidden from models."""

import threading
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input

from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.repl.line.completer import ShellCompleter
from tabchat.repl.line.hints import LONGEST_CELL, Hint, Hints
from tabchat.repl.line.prompt import make_prompt, read_entry
from tabchat.repl.line.words import MOST_CELLS
from tests.repl.conftest import Talk


def known(talk: Talk) -> tuple[Hints, Hint]:
    hints = Hints(talk.shell.session)
    hints.current()
    hints.wait()
    return hints, hints.current()


def completed(talk: Talk, hints: Hints, text: str) -> list[str]:
    found = ShellCompleter(talk.shell, hints).get_completions(Document(text), CompleteEvent())
    return [item.text for item in found]


def test_the_questions_are_those_that_rules_answer_for_certain(talk: Talk) -> None:
    _, hint = known(talk)
    assert hint.questions[:2] == ("how many rows are there", "average revenue by channel")
    for question in hint.questions:
        assert talk.say(question)[0] == 0, question


def test_nothing_is_computed_on_the_thread_that_types(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(*_: object) -> None:
        message = "a key waited for a query"
        raise AssertionError(message)

    hints, _ = known(talk)
    for name in ("rows", "stream", "execute"):
        monkeypatch.setattr(BoundedDuckDBEngine, name, computed)
    assert completed(talk, hints, "orders in north am") == ["North America"]
    fresh = Hints(talk.shell.session)
    talk.shell.session.known.clear()
    assert completed(talk, fresh, "total rev") == ["revenue"]


def test_hidden_columns_are_in_no_question_and_their_cells_not_offered_for_a_model(talk: Talk) -> None:
    talk.say("/hide channel, country")
    hints, hint = known(talk)
    assert not [question for question in hint.questions if "channel" in question or "online" in question]
    assert completed(talk, hints, "orders in ger") == ["Germany"]
    talk.say("/model openai/gpt-5-mini")
    assert completed(talk, hints, "orders in ger") == []
    assert completed(talk, hints, "orders by cou") == []
    assert completed(talk, hints, "orders in north am") == ["North America"]
    # What runs here alone still has everything.
    assert completed(talk, hints, "/sql SELECT 'ger") == ["Germany'"]
    talk.say("/model off")
    assert completed(talk, hints, "orders in ger") == ["Germany"]


def test_an_edit_and_another_table_bring_their_own_cells(talk: Talk, tmp_path: Path) -> None:
    hints, _ = known(talk)
    talk.say('/edit --yes {"operation": "delete_rows", "where": "country == \'Germany\'"}')
    hints.current()
    hints.wait()
    assert completed(talk, hints, "orders in ger") == []
    path = tmp_path / "t.csv"
    path.write_text("місто,n\nНовий Розділ,1\nКиїв,2\nНовий Розділ,3\n")
    talk.say(f"/load {path}")
    hints.current()
    hints.wait()
    assert completed(talk, hints, "скільки для новий р") == ["Новий Розділ"]
    assert completed(talk, hints, '/sql SELECT * FROM t WHERE "місто" = \'КИ') == ["Київ'"]


def test_cells_are_bounded_in_length_and_number(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    cells = [f"item {number:05}" for number in range(5_000)]
    path.write_text("name,long\n" + "".join(f"{cell},{'x' * (LONGEST_CELL + 1)}\n" for cell in cells))
    talk.say(f"/load {path}")
    hints, hint = known(talk)
    assert len(completed(talk, hints, "item 0")) == MOST_CELLS
    assert {cell.column for cell in hint.cells} == {"name"}
    assert len(hint.cells) <= 3_000


def test_what_was_left_off_is_begun_again(talk: Talk) -> None:
    hints = Hints(talk.shell.session)
    hints.stop()
    hints.current()
    hints.stop()
    hints.stop()
    # Whatever was found before it was stopped, all of it is found in the end.
    hints.current()
    hints.wait()
    assert hints.current() == known(talk)[1]
    assert len(hints.current().questions) > 4


def test_an_entry_has_everything_to_itself(talk: Talk) -> None:
    hints = Hints(talk.shell.session)
    with create_pipe_input() as keys, create_app_session(input=keys):
        prompt = make_prompt(talk.shell, hints)
        before = threading.active_count()
        hints.current()
        keys.send_text("how many rows\r")
        assert read_entry(prompt, hints) == "how many rows"
        assert threading.active_count() == before
