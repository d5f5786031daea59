"""Who can answer in a turn: a model, the tools it may use, and how it is told of the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.record import later, record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.chat.turn.messages import Message
    from tabchat.chat.turn.model import Model, ModelRequest
    from tabchat.tools.executor import ToolExecutor


@record
class Speaker:
    """One model in a turn.

    Rules see every column and the whole conversation; a language model has tools
    of its own, which know no hidden column, and a history that holds what it may know.
    """

    model: Model
    executor: ToolExecutor
    brief: Callable[[Sequence[Message]], ModelRequest]
    """Makes the request for a conversation that ends with the question, or with results of its tools."""
    history: Sequence[Message] = ()

    @classmethod
    def plain(cls, model: Model, executor: ToolExecutor, *, table: str | None = None) -> Speaker:
        """Return a speaker that is sent the messages and the tools' own definitions, with no further rules."""
        from tabchat.chat.turn.model import ModelRequest

        def brief(messages: Sequence[Message]) -> ModelRequest:
            # Rules look at no definition.
            tools = later(executor.get_tool_definitions)
            return ModelRequest(messages=tuple(messages), tools=tools, table=table)

        return cls(model=model, executor=executor, brief=brief)
