"""A provider on loopback that speaks the OpenAI protocol (and a little of Anthropic's and Ollama's), by a script.

    with FakeProvider([call("run_query", {"select": "count()"}), say("There are 6.")]) as provider:
        model = LiteLLMModel(model="openai/fake", api_base=provider.base_url, …)
        …
        assert provider.chats[0].json["messages"][0]["role"] == "system"

A key must be in the environment, as for any provider: `FAKE_ENV`. By hand: `python -m tests.fake_provider`.
"""

from tests.fake_provider.script import (
    Call,
    Fault,
    Script,
    Scripted,
    Step,
    call,
    calls,
    fault,
    read_script,
    say,
)
from tests.fake_provider.server import FakeProvider, ReceivedRequest, closed_base_url

FAKE_KEY = "sk-fake-0123456789abcdef-SECRET"
"""A key that no log may hold."""

FAKE_ENV = {"OPENAI_API_KEY": FAKE_KEY, "ANTHROPIC_API_KEY": FAKE_KEY}

__all__ = [
    "FAKE_ENV",
    "FAKE_KEY",
    "Call",
    "FakeProvider",
    "Fault",
    "ReceivedRequest",
    "Script",
    "Scripted",
    "Step",
    "call",
    "calls",
    "closed_base_url",
    "fault",
    "read_script",
    "say",
]
