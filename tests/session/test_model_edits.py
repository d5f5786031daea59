"""A model that edits: the person is asked in the middle of its turn, and its figures are checked as ever."""

from pathlib import Path
from typing import Any

import pytest

from tabchat.config import load_settings
from tabchat.session import Session
from tabchat.session.edits.versions import PendingEdit
from tests.fake_provider import FAKE_ENV, FakeProvider, call, say
from tests.repl.terminal import Terminal

DELETE = {"operation": "delete_rows", "where": "region == 'Asia'"}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in FAKE_ENV.items():
        monkeypatch.setenv(name, value)
    made = tmp_path / "sales.csv"
    made.write_text("region,units\nAsia,1\nEurope,2\nAsia,3\nAfrica,\n" + "Europe,5\n" * 5)
    return made


def open_session(path: Path, provider: FakeProvider, **settings: Any) -> Session:
    flags = {"model": "openai/fake", "api_base": provider.base_url, "planner": "llm", "retries": 0}
    return Session.open([path], settings=load_settings(flags | {"tools": "full"} | settings))


def test_an_agreed_edit_counts_for_the_rest_of_the_turn(path: Path) -> None:
    asked: list[str] = []

    def agree(pending: PendingEdit) -> bool:
        asked.append(pending.text)
        return True

    script = [
        call("edit_table", DELETE),
        call("run_query", {"select": "sum(units)"}),
        say("I removed 2 rows; the sum of units is now 27."),
    ]
    with FakeProvider(script) as provider, open_session(path, provider) as session:
        session.versions.confirm = agree
        answer = session.answer("Take Asia out and add up the units.")
        assert asked == ["delete rows where region == 'Asia'"]
        assert [claim.status for claim in answer.verification.receipts] == ["linked", "linked"]
        assert answer.block is not None
        assert answer.block.result.value == 27
        entry = session.kept.store.get(str(answer.block.data_key))
        assert entry.recipe.tables[0].version == session.current.version
        assert session.undo().after.row_count == 9


def test_a_declined_edit_is_told_and_nothing_changes(path: Path) -> None:
    script = [call("edit_table", DELETE), say("As you wish.")]
    with FakeProvider(script) as provider, open_session(path, provider) as session:
        before = session.current
        session.versions.confirm = lambda _: False
        assert session.answer("Take Asia out.").text == "As you wish."
        assert session.current == before
        told = provider.requests[-1].body.decode()
    assert "the person did not agree" in told


def test_without_the_full_tools_a_model_cannot_edit(path: Path) -> None:
    script = [call("edit_table", DELETE), say("I cannot.")]
    with FakeProvider(script) as provider, open_session(path, provider, tools="analysis") as session:
        before = session.current
        session.versions.confirm = lambda _: True
        session.answer("Take Asia out.")
        assert session.current == before
        told = provider.requests[-1].body.decode()
    assert "is not enabled" in told


def test_a_person_is_asked_in_the_middle_of_an_answer(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABCHAT_TOOLS", "full")
    script = [call("edit_table", DELETE), say("I removed 2 rows.")]
    with (
        FakeProvider(script) as provider,
        Terminal(
            *("tabchat", "repl", str(path), "-m", "openai/fake", "--planner", "llm"),
            *("--api-base", provider.base_url),
        ) as terminal,
    ):
        terminal.read_until("sales>")
        terminal.type("Take Asia out.\r")
        assert "7 rows, 9 before: 2 removed" in terminal.read_until("Change it? [y/N]")
        terminal.enter("y", "I removed 2", "sales>")
        terminal.enter("/sql SELECT count(*) AS remaining FROM sales", "remaining: 7", "sales>")
        terminal.enter("/quit", "Leave without saving? [y/N]")
        terminal.type("y\r")
        assert terminal.wait() == 0
