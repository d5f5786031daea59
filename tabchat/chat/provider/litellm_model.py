"""A language model behind litellm; no other module knows that library.

litellm takes seconds to load, so it is imported when the first request needs it
(`warm` does so ahead). Its retries, logging, telemetry and fetches are off; what
it sends passes the egress ledger (`recording`), and it works under a deadline
on a thread of its own (`deadline`).

A request is sent again after a busy or failing server or a broken connection,
as long as the person has seen nothing of the reply: text that was shown cannot
be taken back, so a stream that breaks later is an error that says so.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from tabchat.chat.provider import wire_format as wire
from tabchat.chat.provider.deadline import ReplyDeadline
from tabchat.chat.provider.errors import no_key
from tabchat.chat.provider.exchange import Backoff, Exchange
from tabchat.chat.provider.failure import BrokenReplyError
from tabchat.chat.provider.model_facts import ModelFacts
from tabchat.chat.provider.reply_stream import forget, without_estimate
from tabchat.chat.provider.text_tool_calls import Action, Said, Unreadable, correction, read_action
from tabchat.chat.turn.answer import Usage
from tabchat.chat.turn.messages import ToolCall, ToolMessage
from tabchat.chat.turn.model import Delta, Reply
from tabchat.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from tabchat.audit import Ledger
    from tabchat.chat.provider.failure import Failure
    from tabchat.chat.provider.recorder import Recorder
    from tabchat.chat.provider.reply_stream import Gathered
    from tabchat.chat.provider.wire_format import WireMessage
    from tabchat.chat.turn.model import ModelRequest, Piece
    from tabchat.engine.types import JsonValue

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


TEMPERATURE: Final = 0.0
"""The same question should get the same tool calls."""

_OPTIONAL: Final = ("temperature", "stream_options", "max_tokens")


class ToolsRefusedError(Exception):
    """The server takes no tools by the protocol."""


@dataclass
class AcceptedFields:
    """What one server takes; found out by its refusals, and remembered."""

    _refused: set[str] = field(default_factory=set)

    def refuses(self, name: str) -> bool:
        """Whether the server was found not to take the field `name`."""
        return name in self._refused

    def fields(self, request: ModelRequest) -> dict[str, Any]:
        """Return the optional fields for `request`."""
        wanted: dict[str, Any] = {"temperature": TEMPERATURE, "stream_options": {"include_usage": True}}
        if request.max_output_tokens is not None:
            # Newer servers know the limit by its newer name only.
            name = "max_completion_tokens" if self.refuses("max_tokens") else "max_tokens"
            wanted[name] = request.max_output_tokens
        return {name: value for name, value in wanted.items() if not self.refuses(name)}

    def adapt(self, failure: Failure, *, native_tools: bool) -> bool:
        """Do without what the server refused, from now on; tells whether there was such a thing.

        Raises `ToolsRefusedError` when it was the tools, and `native_tools` says that they were sent.
        """
        if failure.meaning is not None:
            return False
        if native_tools and failure.mentions("tool"):
            self._refused.add("tools")
            raise ToolsRefusedError
        refused = {name for name in _OPTIONAL if failure.mentions(name)} - self._refused
        self._refused |= refused
        return bool(refused)


QUIET: Final = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_DISABLE_BUG_REPORT_LINK": "true",
    "LITELLM_RUST": "false",
    # In any other mode a .env file of the folder would change where requests go.
    "LITELLM_MODE": "PRODUCTION",
}
"""The environment that the library is to find when it loads."""
_KEEP_REASONING: Final = frozenset({"deepseek", "moonshot", "minimax", "zai"})
"""Providers whose thinking models want their own reasoning back between tool calls."""
_LOADING: Final = threading.Lock()


def load() -> ModuleType:
    """Return litellm, made silent."""
    with _LOADING:
        return _load()


@functools.cache
def _load() -> ModuleType:
    os.environ.update(QUIET)
    try:
        import litellm
    except (AttributeError, ImportError):
        # Ctrl-C while it loaded has left parts of it behind, with which it never loads again.
        for name in [name for name in sys.modules if name.partition(".")[0] == "litellm"]:
            del sys.modules[name]
        import litellm
    from litellm._service_logger import ServiceLogging
    from litellm.litellm_core_utils.litellm_logging import Logging
    from litellm.litellm_core_utils.thread_pool_executor import executor

    litellm.suppress_debug_info = True
    litellm.disable_streaming_logging = True
    litellm.disable_hf_tokenizer_download = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logger = logging.getLogger(name)
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False
    # Its logging has no reader here, but would look prices up on threads that the ledger does not watch.
    vars(executor)["submit"] = _submit_nothing
    for handler in ("success_handler", "failure_handler"):
        setattr(Logging, handler, _do_nothing)
    # For every request it would start an event loop, some of which are never closed.
    for hook in ("service_success_hook", "service_failure_hook"):
        setattr(ServiceLogging, hook, _do_nothing)
    return litellm


def _submit_nothing(*_: object, **__: object) -> Future[None]:
    return Future()


def _do_nothing(*_: object, **__: object) -> None:
    pass


@dataclass
class LiteLLMModel:
    """Any model that litellm reaches, by its litellm name; safe to use from several threads."""

    model: str
    api_base: str | None
    ledger: Ledger
    retries: int
    timeout: float | None = None
    """Seconds for a reply whose request names no limit of its own."""
    native_tools: bool | None = None
    """Whether the model calls tools by the protocol; found out when absent."""
    backoff: Backoff = field(default_factory=Backoff)
    planner: Literal["rules", "llm"] = "llm"
    _accepted: AcceptedFields = field(default_factory=AcceptedFields)

    @property
    def name(self) -> str:
        """The litellm name of the model."""
        return self.model

    def warm(self) -> None:
        """Load litellm; takes seconds the first time."""
        load()

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Answer `request`; raises `ModelError`, `QueryTimeoutError`, and what the ledger raises."""
        if self._facts.missing_keys:
            raise no_key(self.model, self._facts.missing_keys)
        deadline = ReplyDeadline(request.timeout if request.timeout is not None else self.timeout)
        refused = Usage()
        if not (request.tools and self._in_words):
            try:
                yield from self._respond_natively(request, deadline)
            except ToolsRefusedError:
                refused = Usage(model=self.model, requests=1)
            else:
                return
        yield from self._respond_in_words(request, deadline, refused)

    def request_bytes(self, request: ModelRequest) -> bytes:
        """Return `request` as canonical JSON: the messages and tools as they are sent.

        Needs no litellm. Tools are written as the protocol has them, unless `native_tools` is off; a model
        that turns out to know none is told the same in words.
        """
        if self.native_tools is False:
            return wire.canonical(self.model, wire.messages_in_words(request), [])
        messages = wire.native_messages(request, self.model)
        return wire.canonical(self.model, messages, wire.native_tools(request.tools))

    def count_tokens(self, request: ModelRequest) -> int:
        """Return the tokens of `request`, by the model's own tokenizer where litellm has it."""
        if self._in_words:
            return self._facts.count(wire.messages_in_words(request))
        return self._facts.count(wire.native_messages(request, self.model), wire.native_tools(request.tools))

    def price(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return US dollars by the list price, or nothing when it is not known."""
        return self._facts.price(prompt_tokens, completion_tokens)

    def context_window(self) -> int | None:
        """Return the tokens that the model can read at once, or nothing when that is not known."""
        return self._facts.context_window()

    @cached_property
    def _facts(self) -> ModelFacts:
        return ModelFacts(load(), self.model, self.api_base)

    @property
    def _in_words(self) -> bool:
        if self.native_tools is not None:
            return not self.native_tools
        return self._accepted.refuses("tools") or self._facts.calls_tools is False

    def _respond_natively(self, request: ModelRequest, deadline: ReplyDeadline) -> Iterator[Piece]:
        messages, tools = wire.native_messages(request, self.model), wire.native_tools(request.tools)
        exchange = self._exchange(request, messages, tools)
        gathered, requests = yield from exchange.run(deadline)
        fields = dict(gathered.fields)
        if self._facts.provider not in _KEEP_REASONING:
            fields.pop("reasoning_content", None)
        yield Reply(
            text=gathered.text,
            tool_calls=gathered.calls,
            finish=gathered.finish,
            extra=wire.extra_for(self.model, fields),
            usage=self._facts.usage(gathered, messages, tools, requests),
        )

    def _respond_in_words(
        self, request: ModelRequest, deadline: ReplyDeadline, spent: Usage
    ) -> Iterator[Piece]:
        def ask(messages: list[WireMessage]) -> tuple[Gathered, Usage]:
            gathered, requests = self._exchange(request, messages, []).whole(deadline)
            return gathered, self._facts.usage(gathered, messages, [], requests)

        yield from respond_in_words(self.model, request, ask, spent)

    def _exchange(
        self, request: ModelRequest, messages: list[WireMessage], tools: list[dict[str, JsonValue]]
    ) -> Exchange:
        def stream(seconds: float, recorder: Recorder) -> Iterator[Any]:
            fields = self._accepted.fields(request)
            return self._stream({**fields, "messages": messages, "tools": tools or None}, seconds, recorder)

        def adapt(failure: Failure) -> bool:
            return self._accepted.adapt(failure, native_tools=bool(tools) and self.native_tools is None)

        return Exchange(
            model=self.model,
            ledger=self.ledger,
            retries=self.retries,
            backoff=self.backoff,
            open=stream,
            adapt=adapt,
            key_names=lambda: self._facts.key_names,
            first_id=1 + sum(isinstance(message, ToolMessage) for message in request.messages),
        )

    def _stream(self, fields: dict[str, Any], seconds: float, recorder: Recorder) -> Iterator[Any]:
        """Yield the chunks of one reply; raises `BrokenReplyError` when the provider did not end it."""
        with recorder.watching():
            stream = load().completion(
                model=self._facts.target,
                api_base=self.api_base,
                api_key=self._facts.api_key,
                stream=True,
                timeout=seconds,
                num_retries=0,
                max_retries=0,
                drop_params=True,
                **fields,
            )
            for chunk in stream:
                yield without_estimate(chunk, stream)
                forget(stream)
        # litellm makes up a finish reason for a stream that only stopped.
        if getattr(stream, "received_finish_reason", "stop") is None:
            raise BrokenReplyError
