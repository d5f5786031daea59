"""Thirty open questions as a new user asks them, of a model that writes templates, one that writes digits, one that rambles."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tabchat.chat.turn.events import Done, Event, Rewriting, TextDelta
from tabchat.chat.turn.messages import ToolCall
from tabchat.chat.turn.model import Reply, ScriptedModel
from tabchat.config import Settings
from tabchat.errors import ExitCode
from tabchat.session import Session
from tests.conftest import EXAMPLES

QUESTIONS: Final = tomllib.loads((Path(__file__).parent / "corpus" / "open_questions.toml").read_text())[
    "question"
]
NONSENSE: Final = (
    "The answer is 42,424.2 and that is that: {r1.wrong[{0]}.",
    "{r7.x} {{}} {r1.revenue['}']} {import os} 77% of 12345 = {r1[}",
    '```json\n{"answer": 98765}\n```',
    "Europe 1, Asia 2, Разработка 3, Ноутбуки 4 і ST-05 — 5 тис. млн 99887%",
    "{" * 50 + "r1.rows" + "}" * 50 + " or 31,337",
    "| a | 31337 |\n|---|---|\n| {r1.a[0]:%Q} | −9876.5 |",
)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return settings whose cache keeps the tables from one question to the next."""
    folder = tmp_path_factory.mktemp("questions")
    return Settings(cache_dir=folder / "cache", data_dir=folder / "data", threads=1)


def call(question: dict[str, Any]) -> Reply:
    name = "run_sql" if "sql" in question else "run_query"
    arguments = {"sql": question["sql"]} if "sql" in question else question["plan"]
    return Reply(tool_calls=(ToolCall(id="1", name=name, arguments={**arguments, "title": "A short title"}),))


def ask(settings: Settings, question: dict[str, Any], *texts: str) -> tuple[list[Event], Done]:
    model = ScriptedModel(replies=[call(question), *(Reply(text=text) for text in texts)])
    with Session.open([EXAMPLES / question["table"]], settings=settings, models=[model]) as session:
        events = list(session.ask(question["ask"]))
    last = events[-1]
    assert isinstance(last, Done), last
    return events, last


def by_table() -> Iterator[Any]:
    for table in dict.fromkeys(question["table"] for question in QUESTIONS):
        some = [question for question in QUESTIONS if question["table"] == table]
        yield pytest.param(some, id=table)


def test_there_are_thirty_over_five_tables() -> None:
    assert len(QUESTIONS) == 30
    assert len({question["table"] for question in QUESTIONS}) == 5


@pytest.mark.parametrize("questions", list(by_table()))
def test_templates_are_filled_and_digits_are_linked(
    settings: Settings, questions: list[dict[str, Any]]
) -> None:
    typed = linked = 0
    for question in questions:
        events, done = ask(settings, question, question["answer"])
        answer = done.answer
        assert answer.verification.status == "verified", (question["ask"], answer.text)
        assert answer.exit_code is ExitCode.ANSWERED
        assert not any(isinstance(event, Rewriting) for event in events)
        assert "{" not in answer.text
        # What was streamed is the text that the person reads in the end.
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == answer.text

        # The same text typed: every figure is linked or marked, and nothing else is.
        _, again = ask(settings, question, answer.text)
        assert again.answer.text == answer.text
        statuses = [receipt.status for receipt in again.answer.verification.receipts]
        assert set(statuses) <= {"linked", "unverified"}
        is_doubtful = "unverified" in statuses
        assert again.answer.exit_code == (ExitCode.UNVERIFIED if is_doubtful else ExitCode.ANSWERED)
        typed += len(statuses)
        linked += statuses.count("linked")
    assert linked > typed / 2


@pytest.mark.parametrize("questions", list(by_table()))
def test_nonsense_is_never_taken_for_an_answer(settings: Settings, questions: list[dict[str, Any]]) -> None:
    for question, text in zip(questions, NONSENSE, strict=False):
        events, done = ask(settings, question, text)
        assert sum(isinstance(event, Rewriting) for event in events) == 3
        assert done.answer.verification.status == "unverified"
        assert done.answer.exit_code is ExitCode.UNVERIFIED
