"""One small request to the model that is set: whether it answers, how fast, for how much, and whether it calls tools."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from tabchat.chat.provider.budget import BudgetedModel
from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.turn.model import ModelRequest, Reply
from tabchat.errors import ModelError, TabchatError
from tabchat.session.doctor.finding import Finding, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue
    from tabchat.session.models import LanguageModel

NAME: Final = "call"
_TOOL: Final[Mapping[str, JsonValue]] = {
    "name": "report_ready",
    "description": "Report that you can call tools.",
    "parameters": {
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
    },
}
_ASKED: Final = (
    "Call the tool report_ready with ready = true. This is a test of the connection; nothing else is needed."
)


def trial_call(language: LanguageModel, *, timeout: float | None) -> Finding:
    """Ask the model once, past the kept replies, and within budget and ledger as any question is."""
    started = time.perf_counter()
    try:
        model = BudgetedModel(language.direct, language.limits, language.spending)
        # Loading the provider's library is not the provider's time.
        language.direct.warm()
        started = time.perf_counter()
        reply = _ask(model, timeout)
    except TabchatError as error:
        return Finding(
            name=NAME, state=State.BAD, text=error.message, hint=error.hint or "tabchat model list"
        )
    seconds = time.perf_counter() - started
    usage = reply.usage
    cost = f"${usage.cost_usd:.6f}" if usage.priced else "cost not known"
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    answered = f"{model.name} answered in {seconds:.2f} s, {tokens}, {cost}"
    if any(call.name == _TOOL["name"] for call in reply.tool_calls):
        return Finding(name=NAME, state=State.GOOD, text=f"{answered}; it calls tools")
    hint = "Questions need tool calls; for one that makes them: tabchat model list"
    return Finding(name=NAME, state=State.NOTE, text=f"{answered}; it did not call the tool", hint=hint)


def _ask(model: BudgetedModel, timeout: float | None) -> Reply:
    request = ModelRequest(messages=(UserMessage(text=_ASKED),), tools=(_TOOL,), timeout=timeout)
    for piece in model.respond(request):
        if isinstance(piece, Reply):
            return piece
    raise ModelError(f"The model {model.name!r} ended without a reply.", hint="Ask again.")
