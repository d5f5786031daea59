"""The bodies of the three protocols that the fake provider speaks: OpenAI's, Anthropic's and Ollama's chats."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.fake_provider.script import Fault, Scripted

CREATED = 1_700_000_000


@dataclass(frozen=True)
class Numbered:
    """A reply with the ids that it goes out with."""

    reply: Scripted
    model: str
    ids: tuple[str | None, ...]

    @property
    def finish(self) -> str:
        return self.reply.finish or ("tool_calls" if self.reply.calls else "stop")

    @property
    def usage(self) -> dict[str, int] | None:
        if self.reply.usage is None:
            return None
        sent, received = self.reply.usage
        return {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}


def pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def error_body(fault: Fault) -> bytes:
    kind = "invalid_request_error" if 400 <= fault.status < 500 else "server_error"
    content = {"message": fault.message, "type": kind, "param": None, "code": fault.code}
    return json.dumps({"error": content}).encode()


def completion(numbered: Numbered) -> bytes:
    """Return the whole reply as OpenAI's chat completion object."""
    reply = numbered.reply
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, **reply.extra}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
                **({} if id_ is None else {"id": id_}),
            }
            for call, id_ in zip(reply.calls, numbered.ids, strict=True)
        ]
    body: dict[str, Any] = {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": CREATED,
        "model": numbered.model,
        "choices": [{"index": 0, "message": message, "finish_reason": numbered.finish}],
    }
    if numbered.usage is not None:
        body["usage"] = numbered.usage
    return json.dumps(body).encode()


def event(content: dict[str, Any] | str) -> bytes:
    text = content if isinstance(content, str) else json.dumps(content)
    return f"data: {text}\n\n".encode()


def chunk(model: str, delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return event(_chunk_head(model) | {"choices": [choice]})


def _chunk_head(model: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": model,
    }


def text_chunks(model: str, text: str, size: int = 4) -> Iterator[bytes]:
    yield chunk(model, {"role": "assistant", "content": ""})
    for piece in pieces(text, size):
        yield chunk(model, {"content": piece})


def completion_stream(numbered: Numbered, *, with_usage: bool) -> Iterator[bytes]:
    """Yield the reply as server-sent events, arguments in pieces, the usage in the last one."""
    reply, model = numbered.reply, numbered.model
    yield chunk(model, {"role": "assistant", "content": ""})
    for piece in pieces(reply.reasoning, reply.piece):
        yield chunk(model, {"reasoning_content": piece})
    for piece in pieces(reply.text, reply.piece):
        yield chunk(model, {"content": piece})
    if reply.extra:
        yield chunk(model, reply.extra)
    for index, (call, id_) in enumerate(zip(reply.calls, numbered.ids, strict=True)):
        head: dict[str, Any] = {
            "index": index,
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        }
        yield chunk(model, {"tool_calls": [head if id_ is None else head | {"id": id_}]})
        for piece in pieces(call.arguments, reply.piece):
            yield chunk(model, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk(model, {}, numbered.finish)
    if with_usage and numbered.usage is not None:
        yield event(_chunk_head(model) | {"choices": [], "usage": numbered.usage})
    yield event("[DONE]")


def anthropic_message(numbered: Numbered) -> bytes:
    """Return the reply as Anthropic's message; reasoning becomes a signed thinking block."""
    reply = numbered.reply
    content: list[dict[str, Any]] = []
    if reply.reasoning:
        content.append({"type": "thinking", "thinking": reply.reasoning, "signature": "sig-fake"})
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    content += [
        {"type": "tool_use", "id": id_ or "", "name": call.name, "input": json.loads(call.arguments)}
        for call, id_ in zip(reply.calls, numbered.ids, strict=True)
    ]
    return json.dumps(_anthropic_head(numbered) | {"content": content}).encode()


def _anthropic_head(numbered: Numbered) -> dict[str, Any]:
    sent, received = numbered.reply.usage or (0, 0)
    return {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": numbered.model,
        "content": [],
        "stop_reason": "tool_use" if numbered.reply.calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": sent, "output_tokens": received},
    }


def anthropic_stream(numbered: Numbered) -> Iterator[bytes]:
    """Yield the reply as Anthropic's named events."""
    reply, head = numbered.reply, _anthropic_head(numbered)
    yield _named("message_start", {"message": head | {"stop_reason": None}})
    index = itertools.count()
    if reply.reasoning:
        thinking = [
            {"type": "thinking_delta", "thinking": part} for part in pieces(reply.reasoning, reply.piece)
        ]
        signature = {"type": "signature_delta", "signature": "sig-fake"}
        start = {"type": "thinking", "thinking": "", "signature": ""}
        yield from _block(next(index), start, [*thinking, signature])
    if reply.text:
        text = [{"type": "text_delta", "text": part} for part in pieces(reply.text, reply.piece)]
        yield from _block(next(index), {"type": "text", "text": ""}, text)
    for call, id_ in zip(reply.calls, numbered.ids, strict=True):
        parts = [
            {"type": "input_json_delta", "partial_json": part} for part in pieces(call.arguments, reply.piece)
        ]
        yield from _block(
            next(index), {"type": "tool_use", "id": id_ or "", "name": call.name, "input": {}}, parts
        )
    stop = {"stop_reason": head["stop_reason"], "stop_sequence": None}
    yield _named("message_delta", {"delta": stop, "usage": head["usage"]})
    yield _named("message_stop", {})


def _block(index: int, start: dict[str, Any], deltas: list[dict[str, Any]]) -> Iterator[bytes]:
    yield _named("content_block_start", {"index": index, "content_block": start})
    for delta in deltas:
        yield _named("content_block_delta", {"index": index, "delta": delta})
    yield _named("content_block_stop", {"index": index})


def _named(name: str, content: dict[str, Any]) -> bytes:
    return f"event: {name}\n".encode() + event({"type": name} | content)


def ollama_lines(numbered: Numbered) -> Iterator[bytes]:
    """Yield the reply as Ollama's lines of JSON."""
    reply, model = numbered.reply, numbered.model
    for piece in pieces(reply.text, reply.piece):
        yield _ollama_line(model, {"content": piece}, done=False)
    if reply.calls:
        wanted = [
            {"function": {"name": call.name, "arguments": json.loads(call.arguments)}} for call in reply.calls
        ]
        yield _ollama_line(model, {"content": "", "tool_calls": wanted}, done=False)
    sent, received = reply.usage or (0, 0)
    yield _ollama_line(
        model, {"content": ""}, done=True, done_reason="stop", prompt_eval_count=sent, eval_count=received
    )


def ollama_message(numbered: Numbered) -> bytes:
    """Return the reply as Ollama's single object."""
    reply = numbered.reply
    message: dict[str, Any] = {"content": reply.text}
    if reply.calls:
        message["tool_calls"] = [
            {"function": {"name": call.name, "arguments": json.loads(call.arguments)}} for call in reply.calls
        ]
    sent, received = reply.usage or (0, 0)
    return _ollama_line(
        numbered.model, message, done=True, done_reason="stop", prompt_eval_count=sent, eval_count=received
    )


def _ollama_line(model: str, message: dict[str, Any], *, done: bool, **rest: object) -> bytes:
    content = {
        "model": model,
        "created_at": "2024-01-01T00:00:00Z",
        "message": {"role": "assistant"} | message,
        "done": done,
    }
    return json.dumps(content | rest).encode() + b"\n"
