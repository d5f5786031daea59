"""At level strict, what placeholders were filled with is for the person alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.chat.turn.memory import tool_text
from tabchat.chat.turn.messages import FeedbackMessage, ToolCall, ToolMessage
from tabchat.chat.turn.model import ModelRequest, Reply, ScriptedModel
from tabchat.config import PrivacyLevel, Settings
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CSV = "region,revenue\nZanzibar,7391.5\nLapland,100\nLapland,64\n"
QUERY = ToolCall(
    id="c1", name="run_query", arguments={"group_by": ["region"], "select": ["sum(revenue) as total"]}
)
WRITTEN = "{{_.max.region}} leads with {{_.max.total}} of {{_.rows}} regions."


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[Session, ScriptedModel]]:
    source = tmp_path / "sales.csv"
    source.write_text(CSV, encoding="utf-8")
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", privacy=PrivacyLevel.STRICT)
    model = ScriptedModel(
        replies=[
            Reply(tool_calls=(QUERY,)),
            Reply(text="{{_.max.region}} leads with {{_.max.profit}}, 512 in all."),
            Reply(text=WRITTEN),
            Reply(text=WRITTEN),
        ]
    )
    with Session.open([source], settings=settings, models=[model]) as session:
        yield session, model


def read_by(request: ModelRequest) -> str:
    told = [
        tool_text(message) if isinstance(message, ToolMessage) else str(message)
        for message in request.messages
    ]
    return "\n".join((request.system, str(request.tools), *told))


def test_the_person_reads_the_cells_and_the_model_its_placeholders(
    asked: tuple[Session, ScriptedModel],
) -> None:
    session, model = asked
    answer = session.answer("Which one leads?")
    assert answer.text == "Zanzibar leads with 7,391.5 of 2 regions."
    assert answer.verification.status == "verified"
    assert "{{_.max.profit}}: names no single value" in read_by(model.requests[2])
    session.answer("And now?")
    assert len(model.requests) == 4
    for request in model.requests:
        read = read_by(request)
        assert not [secret for secret in ("Zanzibar", "Lapland", "7391", "7,391") if secret in read]


def test_a_model_at_strict_is_not_told_which_of_its_guesses_are_wrong(tmp_path: Path) -> None:
    source = tmp_path / "sales.csv"
    source.write_text(CSV, encoding="utf-8")
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", privacy=PrivacyLevel.STRICT)
    guesses = "\n".join(f"- Zanzibar made {7389.5 + step:,}." for step in range(5))
    replies = [Reply(tool_calls=(QUERY,)), Reply(text=guesses), Reply(text="{{_.max.region}} leads.")]
    model = ScriptedModel(replies=replies)
    with Session.open([source], settings=settings, models=[model]) as session:
        assert session.answer("Which one leads?").text == "Zanzibar leads."
    *_, feedback = model.requests[2].messages
    assert isinstance(feedback, FeedbackMessage)
    assert "Not all figures and names in the answer agree" in feedback.text
    assert "7,3" not in feedback.text
