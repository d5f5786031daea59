"""What a language model is told with each request of a question: rules, tables, tools and the conversation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tabchat.chat.prompt import PromptContext, model_tools, system_prompt
from tabchat.chat.turn.memory import compact, tool_text
from tabchat.chat.turn.messages import ToolMessage
from tabchat.chat.turn.model import ModelRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.chat.turn.messages import Message
    from tabchat.engine.types import JsonValue
    from tabchat.tools.executor import ToolExecutor


@dataclass
class Briefing:
    """Makes the requests of one question; rules and tools stay the same, so that providers can cache them."""

    executor: ToolExecutor
    context: PromptContext
    asked: int
    """Messages before this question; older results among them are told in short."""
    remaining: Callable[[], float | None]
    """Seconds that are left for the question."""

    def request(self, messages: Sequence[Message]) -> ModelRequest:
        """Return the request for `messages`."""
        kept = compact(messages, keep_from=self.asked)
        self.executor.sent.add(self._system, *map(_sent_text, kept))
        return ModelRequest(
            messages=kept,
            system=self._system,
            tools=self._tools,
            table=self.context.current,
            timeout=self.remaining(),
        )

    @cached_property
    def _system(self) -> str:
        return system_prompt(self.context)

    @cached_property
    def _tools(self) -> Sequence[dict[str, JsonValue]]:
        return model_tools(self.executor, self.context)


def _sent_text(message: Message) -> str:
    return tool_text(message) if isinstance(message, ToolMessage) else message.text
