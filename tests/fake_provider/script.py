"""What a fake provider says: replies and faults, as values."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

FaultKind = Literal[
    "rate_limit",  # 429, with Retry-After
    "quota",  # 429 insufficient_quota
    "server_error",  # 500
    "overloaded",  # 503
    "invalid_key",  # 401
    "unknown_model",  # 404
    "context_length",  # 400
    "content_filter",  # 400
    "no_tools",  # 400: this model takes no tools
    "status",  # any `status` and `message`
    "not_json",  # 200 with an HTML page
    "reset",  # the connection is reset before a byte of the answer
    "hang",  # no answer until the server stops
    "reset_midway",  # `text` is streamed, then the connection is reset
    "cut",  # `text` is streamed, then the connection closes in the middle of the body
    "unfinished",  # `text` is streamed and the body ends well formed: no finish reason, no [DONE]
    "hang_midway",  # `text` is streamed, then nothing until the server stops
    "stream_error",  # `text` is streamed, then an error object
    "garbage",  # `text` is streamed between lines that are no JSON
]

_HTTP_FAULTS: Final[dict[str, tuple[int, str | None, str]]] = {
    "rate_limit": (429, "rate_limit_exceeded", "Rate limit reached for requests."),
    "quota": (429, "insufficient_quota", "You exceeded your current quota, check your plan and billing details."),
    "server_error": (500, None, "The server had an error while processing your request."),
    "overloaded": (503, None, "The engine is currently overloaded, please try again later."),
    "invalid_key": (401, "invalid_api_key", "Incorrect API key provided: sk-fake****key."),
    "unknown_model": (404, "model_not_found", "The model `no-such-model` does not exist or you do not have access to it."),
    "context_length": (
        400,
        "context_length_exceeded",
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    ),
    "content_filter": (
        400,
        "content_policy_violation",
        "Your request was rejected as a result of our safety system: content_policy_violation.",
    ),
    "no_tools": (400, None, "registry.example/fake does not support tools"),
}  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A tool call of the model; `arguments` is the JSON text as the model writes it."""

    name: str
    arguments: str
    id: str | None = "auto"
    """`auto` numbers the calls `call_1`, `call_2` … over the whole conversation; None sends no id."""


@dataclass(frozen=True)
class Scripted:
    """One reply."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    usage: tuple[int, int] | None = (100, 20)
    """Prompt and completion tokens; None leaves the usage out, whatever the request asks for."""
    finish: str | None = None
    """Finish reason; by default `tool_calls` or `stop`."""
    reasoning: str = ""
    """Sent as `reasoning_content` before the text."""
    piece: int = 4
    """Characters of one streamed delta, of the text and of the arguments alike."""
    delay: float = 0.0
    """Seconds between two deltas."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Further fields of the message."""


@dataclass(frozen=True)
class Fault:
    """A failure; `fault` makes one."""

    kind: FaultKind
    status: int = 500
    message: str = "It failed."
    code: str | None = None
    retry_after: str | None = None
    text: str = ""
    """What is streamed before a fault in mid-stream."""


Step: TypeAlias = Scripted | Fault
Script: TypeAlias = Sequence[Step] | Callable[[dict[str, Any]], Step]
"""Steps in order, the last one repeating; or a function from the body of a request to its step."""


def say(
    text: str,
    *,
    usage: tuple[int, int] | None = (100, 20),
    finish: str | None = None,
    reasoning: str = "",
    piece: int = 4,
    delay: float = 0.0,
) -> Scripted:
    """Reply with `text`; `delay` seconds pass between deltas of `piece` characters."""
    return Scripted(text, usage=usage, finish=finish, reasoning=reasoning, piece=piece, delay=delay)


def call(name: str, arguments: dict[str, Any] | str, *, text: str = "", id: str | None = "auto") -> Scripted:  # noqa: A002 - the protocol's own name
    """Reply with one tool call; arguments given as a string are sent as they are, valid JSON or not."""
    return calls([(name, arguments)], text=text, id=id)


def calls(
    wanted: Sequence[tuple[str, dict[str, Any] | str]],
    *,
    text: str = "",
    id: str | None = "auto",  # noqa: A002 - the protocol's own name
    usage: tuple[int, int] | None = (100, 20),
) -> Scripted:
    """Reply with several tool calls in one message."""
    made = tuple(
        Call(name, arguments if isinstance(arguments, str) else json.dumps(arguments), id)
        for name, arguments in wanted
    )
    return Scripted(text, calls=made, usage=usage)


def fault(
    kind: FaultKind,
    *,
    status: int | None = None,
    message: str | None = None,
    retry_after: float | str | None = None,
    text: str = "",
) -> Fault:
    """Fail in the way that `kind` names; see `FaultKind`."""
    known_status, code, known_message = _HTTP_FAULTS.get(kind, (500, None, "It failed."))
    return Fault(
        kind,
        status=status if status is not None else known_status,
        message=message if message is not None else known_message,
        code=code,
        retry_after=None if retry_after is None else str(retry_after),
        text=text,
    )


def read_script(steps: Sequence[dict[str, Any]]) -> list[Step]:
    """Make the steps of a JSON file: `{"say": …}`, `{"call": name, "arguments": {…}}`, `{"calls": [[name, {…}], …]}`, `{"fault": kind, …}`."""
    return [_read_step(dict(step)) for step in steps]


def _read_step(step: dict[str, Any]) -> Step:
    if "say" in step:
        return say(step.pop("say"), **step)
    if "call" in step:
        return call(step.pop("call"), **step)
    if "calls" in step:
        return calls([(name, arguments) for name, arguments in step.pop("calls")], **step)
    return fault(step.pop("fault"), **step)
