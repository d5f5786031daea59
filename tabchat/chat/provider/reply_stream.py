"""Puts the pieces of a streamed reply together: text, tool calls, thinking, usage."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from tabchat.chat.provider.thinking_filter import ThinkingFilter, without_thinking, written_calls
from tabchat.chat.turn.messages import ToolCall
from tabchat.record import record
from tabchat.values import fields_once

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue

MOST_CHARACTERS: Final = 200_000
"""Characters of text and arguments that one reply may have: some forty pages, far beyond any answer."""

_MOST_THINKING: Final = 1_000_000
"""Characters of thinking, which is often much longer than the answer."""

_CHUNKS_KEPT: Final = 1_000


class TooMuchTextError(Exception):
    """A reply, or the thinking before it, is longer than any that makes sense."""


class EmptyReplyError(Exception):
    """A reply has neither text nor tool calls; `thought` tells whether the model was thinking."""

    def __init__(self, *, thought: bool, cut: bool) -> None:
        super().__init__()
        self.thought = thought
        self.cut = cut


@record
class Gathered:
    """A whole reply."""

    text: str
    calls: tuple[ToolCall, ...]
    finish: Literal["stop", "tool_calls", "length"]
    fields: Mapping[str, JsonValue]
    """What a provider may want back with the message: signed thinking blocks, the reasoning, fields of calls."""
    usage: Any
    """The provider's usage object, or nothing."""
    written: str
    """All that the model wrote, thinking included, to count its tokens by."""


@dataclass
class _Slot:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    fields: Any = None


@dataclass
class Gathering:
    """Takes the chunks of one reply, as litellm gives them, in order."""

    first_id: int = 1
    """Number for the id of the first call that comes without one."""
    spoke: bool = False
    """Whether text was passed on to the person."""
    _filter: ThinkingFilter = field(default_factory=ThinkingFilter)
    _text: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _blocks: list[JsonValue] = field(default_factory=list)
    _slots: dict[object, _Slot] = field(default_factory=dict)
    _finish: str | None = None
    _usage: Any = None
    _length: int = 0
    _thought: int = 0

    def take(self, chunk: Any) -> str:
        """Return the text of `chunk` that the person may see; raises `TooMuchTextError`."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self._finish = choice.finish_reason or self._finish
        delta = choice.delta
        self._take_thinking(delta)
        for call in getattr(delta, "tool_calls", None) or ():
            self._take_call(call)
        return self._show(getattr(delta, "content", None) or "")

    def rest(self) -> str:
        """Return the text that was held back to the end."""
        shown = self._filter.finish()
        self.spoke = self.spoke or bool(shown.strip())
        return shown

    def whole(self) -> Gathered:
        """Return the reply; raises `EmptyReplyError` when it says nothing."""
        raw = "".join(self._text)
        text = without_thinking(raw)
        if not self._slots:
            self._slots |= {place: _written(block) for place, block in enumerate(written_calls(raw))}
        calls = self._calls()
        thinking = "".join(self._reasoning)
        cut = self._finish == "length"
        if not text.strip() and not calls:
            raise EmptyReplyError(thought=bool(thinking or raw.strip()), cut=cut)
        arguments = "".join(part for slot in self._slots.values() for part in slot.arguments)
        return Gathered(
            text=text,
            calls=calls,
            finish="length" if cut else "tool_calls" if calls else "stop",
            fields=self._fields(thinking, calls),
            usage=self._usage,
            written=thinking + raw + arguments,
        )

    @property
    def filtered(self) -> bool:
        """Whether the provider's filter stopped the reply."""
        return self._finish == "content_filter"

    def _show(self, text: str) -> str:
        self._grow(text)
        self._text.append(text)
        shown = self._filter.feed(text)
        self.spoke = self.spoke or bool(shown.strip())
        return shown

    def _grow(self, text: str) -> None:
        self._length += len(text)
        if self._length > MOST_CHARACTERS:
            raise TooMuchTextError

    def _take_thinking(self, delta: Any) -> None:
        thought = getattr(delta, "reasoning_content", None)
        if isinstance(thought, str):
            self._thought += len(thought)
            if self._thought > _MOST_THINKING:
                raise TooMuchTextError
            self._reasoning.append(thought)
        for block in getattr(delta, "thinking_blocks", None) or ():
            # A block is whole when it is signed; what comes before are its pieces.
            if block.get("signature") or block.get("type") == "redacted_thinking":
                self._blocks.append(dict(block))

    def _take_call(self, call: Any) -> None:
        slot = self._slot(call)
        function = call.function
        slot.id = slot.id or call.id or ""
        slot.name = slot.name or function.name or ""
        slot.fields = getattr(call, "provider_specific_fields", None) or slot.fields
        piece = function.arguments or ""
        self._grow(piece)
        slot.arguments.append(piece)

    def _slot(self, call: Any) -> _Slot:
        """Return the call that a piece belongs to; some servers number every call of a message 0."""
        slot = self._slots.get(call.index)
        if slot is not None and call.id and slot.id and call.id != slot.id:
            return self._slots.setdefault((call.index, call.id), _Slot())
        if slot is None:
            slot = self._slots[call.index] = _Slot()
        elif not call.id:
            same = [key for key in self._slots if isinstance(key, tuple) and key[0] == call.index]
            slot = self._slots[same[-1]] if same else slot
        return slot

    def _calls(self) -> tuple[ToolCall, ...]:
        taken: set[str] = set()
        calls = []
        for number, slot in enumerate(self._slots.values(), self.first_id):
            id_ = slot.id if slot.id and slot.id not in taken else f"call_{number}"
            taken.add(id_)
            arguments = read_arguments("".join(slot.arguments))
            malformed = arguments if isinstance(arguments, str) else None
            calls.append(
                ToolCall(
                    id=id_,
                    name=slot.name,
                    arguments={} if isinstance(arguments, str) else arguments,
                    malformed=malformed,
                )
            )
        return tuple(calls)

    def _fields(self, thinking: str, calls: tuple[ToolCall, ...]) -> dict[str, JsonValue]:
        fields: dict[str, JsonValue] = {}
        if self._blocks:
            fields["thinking_blocks"] = self._blocks
        if thinking:
            fields["reasoning_content"] = thinking
        of_calls = {
            call.id: slot.fields
            for call, slot in zip(calls, self._slots.values(), strict=True)
            if isinstance(slot.fields, dict)
        }
        return fields | ({"tool_fields": of_calls} if of_calls else {})


def _written(block: str) -> _Slot:
    """Return a call that stands in the text; of one that cannot be read, all of it is told to be no arguments."""
    content = read_arguments(block)
    if isinstance(content, str) or not isinstance(name := content.get("name"), str):
        return _Slot(arguments=[block])
    return _Slot(name=name, arguments=[json.dumps(content.get("arguments"))])


def read_arguments(text: str) -> dict[str, JsonValue] | str:
    """Return the arguments of a call, or `text` itself when it is not one JSON object, each field once.

    None at all, `null`, and an object that was written as JSON once more are what they can only mean.
    """
    if not text.strip():
        return {}
    try:
        content = _loaded(text)
        if isinstance(content, str):
            content = _loaded(content)
    except (ValueError, RecursionError):
        return text
    if content is None:
        return {}
    return content if isinstance(content, dict) else text


def _loaded(text: str) -> Any:
    return json.loads(text, object_pairs_hook=fields_once, parse_constant=refuse_constant)


def refuse_constant(name: str) -> None:
    """Raise `ValueError` for `NaN` and `Infinity`, which Python's reader of JSON would take."""
    raise ValueError(f"{name} is no JSON value")


def without_estimate(chunk: Any, stream: Any) -> Any:
    """Return `chunk` without a usage that litellm estimated, since the provider sent none in `stream`."""
    if getattr(chunk, "usage", None) is None:
        return chunk
    if not any(getattr(one, "usage", None) is not None for one in getattr(stream, "chunks", ())):
        chunk.usage = None
    return chunk


def forget(stream: Any) -> None:
    """Drop the chunks that litellm keeps to log them, which take a hundred times the memory of their text."""
    chunks = getattr(stream, "chunks", None)
    if isinstance(chunks, list) and len(chunks) > _CHUNKS_KEPT:
        chunks[:] = [chunk for chunk in chunks if getattr(chunk, "usage", None) is not None]
