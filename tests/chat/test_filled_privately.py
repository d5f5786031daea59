"""At level strict, what references were filled with is for the person alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.chat.turn.memory import tool_text
from tabchat.chat.turn.messages import FeedbackMessage, ToolCall, ToolMessage
from tabchat.chat.turn.model import ModelRequest, Reply, ScriptedModel
from tabchat.config import PrivacyLevel, Settings
from tabchat.session import Session

CSV = "region,revenue\nZanzibar,7391.5\nLapland,100\nLapland,64\n"
QUERY = ToolCall(
    id="c1", name="run_query", arguments={"group_by": ["region"], "select": ["sum(revenue) as total"]}
)
WRITTEN = "{argmax(r1.total)} leads with {max(r1.total):,.1f} of {r1.rows} regions."


def settings_in(folder: Path) -> Settings:
    return Settings(cache_dir=folder / "cache", data_dir=folder / "data", privacy=PrivacyLevel.STRICT)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


@pytest.fixture
def asked(tmp_path: Path, source: Path) -> Iterator[tuple[Session, ScriptedModel]]:
    model = ScriptedModel(
        replies=[
            Reply(tool_calls=(QUERY,)),
            Reply(text="{argmax(r1.total)} leads with {max(r1.profit)}, 512 in all."),
            Reply(text=WRITTEN),
            Reply(text=WRITTEN),
        ]
    )
    with Session.open([source], settings=settings_in(tmp_path), models=[model]) as session:
        yield session, model


def read_by(request: ModelRequest) -> str:
    told = [
        tool_text(message) if isinstance(message, ToolMessage) else str(message)
        for message in request.messages
    ]
    return "\n".join((request.system, str(request.tools), *told))


def test_the_person_reads_the_cells_and_the_model_its_references(
    asked: tuple[Session, ScriptedModel],
) -> None:
    session, model = asked
    answer = session.answer("Which one leads?")
    assert answer.text == "Zanzibar leads with 7,391.5 of 2 regions."
    assert answer.verification.status == "verified"
    assert 'r1 has no column "profit"' in read_by(model.requests[2])
    session.answer("And now?")
    assert len(model.requests) == 4
    for request in model.requests:
        read = read_by(request)
        assert not [secret for secret in ("Zanzibar", "Lapland", "7391", "7,391") if secret in read]


def feedback_on(text: str, folder: Path, source: Path) -> str:
    """Return what a model is told of `text`, having been asked to write it again."""
    model = ScriptedModel(replies=[Reply(tool_calls=(QUERY,)), Reply(text=text), Reply(text=WRITTEN)])
    with Session.open([source], settings=settings_in(folder), models=[model]) as session:
        assert session.answer("Which one leads?").verification.status == "verified"
    *_, feedback = model.requests[2].messages
    assert isinstance(feedback, FeedbackMessage)
    return feedback.text


def test_a_model_at_strict_is_not_told_which_of_its_guesses_are_wrong(tmp_path: Path, source: Path) -> None:
    guesses = "\n".join(f"- Zanzibar made {7389.5 + step:,}." for step in range(5))
    told = feedback_on(guesses, tmp_path, source)
    assert "Not every figure is an expression" in told
    assert "7,3" not in told
    # Nor whether a row that it guessed is there.
    tried = [
        feedback_on(f'It made {{r1.total["{name}"]}}.', tmp_path, source).replace(name, "…")
        for name in ("Zanzibar", "Atlantis")
    ]
    assert tried[0] == tried[1]


def test_a_model_at_strict_does_not_learn_which_row_has_the_label_of_the_question(
    tmp_path: Path, source: Path
) -> None:
    texts = [f"Lapland made {{r1.total[{place}]:,.0f}}." for place in (0, 1)]
    model = ScriptedModel(replies=[Reply(tool_calls=(QUERY,)), *(Reply(text=text) for text in texts)])
    with Session.open([source], settings=settings_in(tmp_path), models=[model]) as session:
        first = session.answer("What did Lapland make?")
        second = session.answer("What did Lapland make?")
    # The wrong one is marked for the person, and neither is sent back.
    assert {first.verification.status, second.verification.status} == {"verified", "unverified"}
    assert len(model.requests) == 3
