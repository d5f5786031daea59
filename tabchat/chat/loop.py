"""One turn: ask a model, run the tools it calls, show it what they gave, until it has an answer."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Answer, DataBlock
from tabchat.chat.events import DataReady, Done, Failed, TextDelta, ToolEnd, ToolStart
from tabchat.chat.messages import AssistantMessage, ToolMessage, UserMessage
from tabchat.chat.model import Delta, ModelRequest, Reply
from tabchat.chat.verification import verify_reply
from tabchat.errors import ModelError, NotUnderstoodError, TabchatError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tabchat.chat.events import Event
    from tabchat.chat.messages import Message, ToolCall
    from tabchat.chat.model import Model
    from tabchat.tools.executor import ToolExecutor

MAX_ROUNDS: Final = 8
"""Rounds of tool calls before the turn stops and says so."""


@dataclass
class _Turn:
    """What has happened so far in one turn."""

    question: str
    messages: list[Message]
    asked: int
    """Where this turn begins in `messages`."""
    blocks: list[DataBlock] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failure: Exception | None = None
    interpretation: str | None = None

    def answer(self, *, text: str = "", error: TabchatError | None = None) -> Answer:
        return Answer(
            question=self.question,
            text=text,
            blocks=tuple(self.blocks),
            interpretation=self.interpretation,
            warnings=tuple(dict.fromkeys(self.warnings)),
            error=error,
        )


def run_turn(
    question: str,
    *,
    models: Sequence[Model],
    executor: ToolExecutor,
    history: Sequence[Message] = (),
    table: str | None = None,
    max_rounds: int = MAX_ROUNDS,
) -> Iterator[Event]:
    """Answer `question` with the first of `models` that understands it.

    Yields events and ends with exactly one `Done` or `Failed`; never raises a
    `TabchatError`.
    """
    refusal: NotUnderstoodError | None = None
    for model in models:
        turn = _Turn(question, [*history, UserMessage(text=question)], asked=len(history))
        try:
            yield from _converse(turn, model, executor, table, max_rounds)
        except NotUnderstoodError as error:
            # The first refusal names the words of the person's own question.
            refusal = refusal or error
            continue
        except TabchatError as error:
            yield Failed(error=error, answer=turn.answer(error=error))
        return
    final = refusal or NotUnderstoodError("There is no planner to ask.", hint="Use a plan or SQL.")
    yield Failed(error=final, answer=Answer(question=question, error=final))


def _converse(
    turn: _Turn, model: Model, executor: ToolExecutor, table: str | None, max_rounds: int
) -> Iterator[Event]:
    for _ in range(max_rounds):
        reply = yield from _ask(turn, model, executor, table)
        turn.interpretation = reply.interpretation or turn.interpretation
        if not reply.tool_calls:
            turn.messages.append(AssistantMessage(text=reply.text))
            yield _finish(turn, model, reply)
            return
        turn.messages.append(AssistantMessage(text=reply.text, tool_calls=reply.tool_calls))
        for call in reply.tool_calls:
            yield from _run_tool(turn, executor, call)
        if turn.failure is not None and model.planner == "rules":
            # Rules cannot repair their own plan: the engine's reason is the person's to see.
            raise turn.failure
    tried = ", ".join(dict.fromkeys(block.tool for block in turn.blocks)) or "no tool that worked"
    message = f"The model made {max_rounds} rounds of tool calls without an answer (used: {tried})."
    raise ModelError(message, hint="Ask a narrower question, or one step of it at a time.")


def _ask(
    turn: _Turn, model: Model, executor: ToolExecutor, table: str | None
) -> Generator[Event, None, Reply]:
    request = ModelRequest(messages=tuple(turn.messages), tools=executor.get_tool_definitions(), table=table)
    reply: Reply | None = None
    streamed = False
    for piece in model.respond(request):
        if isinstance(piece, Delta):
            streamed = True
            yield TextDelta(text=piece.text)
        else:
            reply = piece
    if reply is None:
        message = f"The model {model.name!r} ended without a reply."
        raise ModelError(message, hint="Ask again.")
    if reply.text and not streamed:
        yield TextDelta(text=reply.text)
    return reply


def _run_tool(turn: _Turn, executor: ToolExecutor, call: ToolCall) -> Iterator[Event]:
    yield ToolStart(tool=call.name, input=call.arguments)
    started = time.perf_counter()
    outcome = executor.run(call.name, call.arguments, question=turn.question)
    duration_ms = (time.perf_counter() - started) * 1000
    envelope = outcome.envelope
    yield ToolEnd(tool=call.name, duration_ms=round(duration_ms, 3), error=envelope.error)
    turn.messages.append(ToolMessage(call=call, envelope=envelope))
    turn.failure = outcome.failure
    if outcome.result is None:
        return
    block = DataBlock(
        tool=call.name,
        result=outcome.result,
        data_key=envelope.data_key if outcome.is_kept else None,
        summary=envelope.summary,
        title=outcome.title,
    )
    turn.blocks.append(block)
    turn.warnings.extend((*outcome.result.metadata.warnings, *outcome.warnings))
    yield DataReady(input=call.arguments, block=block)


def _finish(turn: _Turn, model: Model, reply: Reply) -> Done:
    base = turn.answer(text=reply.text)
    return Done(
        answer=Answer(
            question=base.question,
            text=base.text,
            blocks=base.blocks,
            planner=model.planner,
            interpretation=base.interpretation,
            verification=verify_reply(reply, base.blocks),
            usage=reply.usage,
            warnings=base.warnings,
        ),
        messages=tuple(turn.messages[turn.asked :]),
    )
