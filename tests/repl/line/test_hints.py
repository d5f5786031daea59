"""What is known while a line is typed: from facts, on a thread, bounded, and without what is hidden from models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from tabchat.repl.line.completer import ShellCompleter
from tabchat.repl.line.hints import LONGEST_CELL, Hint, Hints
from tabchat.repl.line.words import MOST_CELLS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

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
        monkeypatch.setattr(type(talk.shell.session.engine), name, computed)
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


def test_leaving_does_not_wait_for_what_is_not_known_yet(talk: Talk) -> None:
    hints = Hints(talk.shell.session)
    hints.current()
    hints.close()
    hints.close()
