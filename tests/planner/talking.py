"""Conversations with the planner, as the turns of a session give them to it: in messages, and nowhere else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabchat.chat.turn.messages import AssistantMessage, ToolCall, ToolMessage, UserMessage
from tabchat.tools.envelope import ToolResultEnvelope
from tests.planner.gold import DATA, GoldQuestion

if TYPE_CHECKING:
    from tabchat.chat.turn.messages import Message
    from tabchat.planner.draft import Draft


@dataclass(frozen=True, kw_only=True)
class GoldConversation:
    """Questions in a row; those without a gold query are to be refused."""

    lang: str
    file: str
    turns: tuple[GoldQuestion, ...]

    def __str__(self) -> str:
        return f"{self.lang}: {' / '.join(turn.question for turn in self.turns)}"


def read_conversations() -> tuple[GoldConversation, ...]:
    """Read the conversations of `data/`."""
    lines = (DATA / "follow_ups.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_conversation(json.loads(line)) for line in lines)


def _conversation(record: dict[str, object]) -> GoldConversation:
    file, lang, turns = str(record["file"]), str(record["lang"]), record["turns"]
    assert isinstance(turns, list)
    return GoldConversation(
        lang=lang,
        file=file,
        turns=tuple(
            GoldQuestion(
                id="",
                lang=lang,
                file=file,
                question=turn["question"],
                shape="",
                answerable=turn["sql"] is not None,
                sql=turn["sql"],
                ordered=" ORDER BY " in (turn["sql"] or ""),
                notes="",
            )
            for turn in turns
        ),
    )


def turn_of(question: str, draft: Draft) -> list[Message]:
    """Return an answered question as the messages that a session remembers."""
    return called(question, ToolCall(id="rules-1", name=draft.call.tool, arguments=draft.call.arguments))


def called(question: str, *calls: ToolCall) -> list[Message]:
    """Return a question and the tool calls that answered it."""
    envelope = ToolResultEnvelope(ok=True, summary="", data_key="ds_x")
    return [
        UserMessage(text=question),
        AssistantMessage(tool_calls=calls),
        *(ToolMessage(call=call, envelope=envelope) for call in calls),
        AssistantMessage(text="done"),
    ]
