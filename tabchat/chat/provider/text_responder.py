"""A reply of a model that calls tools in its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.chat.provider import wire_format as wire
from tabchat.chat.provider.text_tool_calls import Action, Said, Unreadable, correction, read_action
from tabchat.chat.turn.messages import ToolCall, ToolMessage
from tabchat.chat.turn.model import Delta, Reply
from tabchat.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.chat.provider.reply_stream import Gathered
    from tabchat.chat.provider.wire_format import WireMessage
    from tabchat.chat.turn.answer import Usage
    from tabchat.chat.turn.model import ModelRequest, Piece

Ask: TypeAlias = "Callable[[list[WireMessage]], tuple[Gathered, Usage]]"
"""Sends messages and returns the whole reply."""

_REPAIRS: Final = 1


def respond_in_words(model: str, request: ModelRequest, ask: Ask, spent: Usage) -> Iterator[Piece]:
    """Answer `request`: the JSON is never shown, only the text of an answer.

    `spent` is what finding out that the model knows no other way has cost. A reply that cannot be read is sent back once with the reason; raises `ModelError` after that.
    """
    messages = wire.messages_in_words(request)
    usage = spent
    problem = Unreadable(reason="")
    for _ in range(_REPAIRS + 1):
        gathered, cost = ask(messages)
        usage += cost
        match read_action(gathered.text):
            case Said(text=text):
                yield Delta(text=text)
                yield Reply(text=text, usage=usage)
                return
            case Action(name=name, arguments=arguments):
                number = 1 + sum(isinstance(message, ToolMessage) for message in request.messages)
                call = ToolCall(id=f"call_{number}", name=name, arguments=arguments)
                yield Reply(tool_calls=(call,), finish="tool_calls", usage=usage)
                return
            case Unreadable() as problem:
                said: WireMessage = {"role": "assistant", "content": gathered.text}
                told: WireMessage = {"role": "user", "content": correction(problem)}
                messages = [*messages, said, told]
    message = f"{model} does not keep to the form of tool calls in text. {problem.reason}"
    raise ModelError(message, hint="Take a model that can call tools, with --model.")
