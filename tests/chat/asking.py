"""A real model behind the fake provider: what the tests of the provider's side share."""

from dataclasses import dataclass, field
from typing import Any

from tabchat.audit import Outgoing
from tabchat.chat.provider.exchange import Backoff
from tabchat.chat.provider.litellm_model import LiteLLMModel
from tabchat.chat.turn.messages import Message, UserMessage
from tabchat.chat.turn.model import Delta, ModelRequest, Reply
from tabchat.engine.types import JsonValue
from tests.fake_provider import FakeProvider

RUN_QUERY: dict[str, JsonValue] = {
    "name": "run_query",
    "description": "Run a plan.",
    "parameters": {
        "type": "object",
        "properties": {"select": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["select"],
    },
}


@dataclass
class ListLedger:
    """Keeps what was recorded; refuses everything when it is `full`."""

    recorded: list[Outgoing] = field(default_factory=list)
    full: Exception | None = None

    def record(self, outgoing: Outgoing) -> None:
        if self.full is not None:
            raise self.full
        self.recorded.append(outgoing)

    @property
    def bodies(self) -> list[bytes]:
        return [outgoing.body for outgoing in self.recorded]


@dataclass
class Pauses:
    """Stands in for the clock of the back-off: notes the pauses and waits for none."""

    seconds: list[float] = field(default_factory=list)

    @property
    def backoff(self) -> Backoff:
        return Backoff(sleep=self.seconds.append, chance=lambda: 0.0)


def make_model(
    provider: FakeProvider | str,
    *,
    model: str = "openai/fake",
    ledger: ListLedger | None = None,
    pauses: Pauses | None = None,
    **options: Any,
) -> LiteLLMModel:
    return LiteLLMModel(
        model=model,
        api_base=provider if isinstance(provider, str) else provider.base_url,
        ledger=ledger if ledger is not None else ListLedger(),
        retries=2,
        backoff=(pauses or Pauses()).backoff,
        **options,
    )


def question(*messages: Message, tools: bool = True, **rest: Any) -> ModelRequest:
    asked = messages or (UserMessage(text="How many rows?"),)
    return ModelRequest(messages=asked, system="Rules.", tools=(RUN_QUERY,) if tools else (), **rest)


def ask(model: LiteLLMModel, request: ModelRequest | None = None) -> tuple[str, Reply]:
    """Return the text as it was streamed, and the reply."""
    *deltas, reply = model.respond(request or question())
    assert isinstance(reply, Reply)
    assert all(isinstance(delta, Delta) for delta in deltas)
    return "".join(delta.text for delta in deltas if isinstance(delta, Delta)), reply
