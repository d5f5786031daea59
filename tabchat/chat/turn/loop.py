"""One turn: ask a model, run the tools it calls, show it what they gave, check the figures of its answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.answer import Answer
from tabchat.chat.turn.events import Asking, Done, Failed, Rewriting, TextDelta
from tabchat.chat.turn.judge import Judge
from tabchat.chat.turn.messages import AssistantMessage, FeedbackMessage, UserMessage
from tabchat.chat.turn.model import Delta, Reply
from tabchat.chat.turn.turn import Turn
from tabchat.errors import (
    InterruptedByUserError,
    ModelError,
    NotUnderstoodError,
    QueryTimeoutError,
    TabchatError,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from tabchat.chat.turn.events import Event
    from tabchat.chat.turn.judge import Judgement
    from tabchat.chat.turn.messages import Message
    from tabchat.chat.turn.speaker import Speaker

MAX_ROUNDS: Final = 8
"""Rounds of tool calls before the turn stops and says so."""

MAX_REWRITES: Final = 3
"""Times that a model may write a text again whose figures did not check."""

_FINAL: Final = (InterruptedByUserError, QueryTimeoutError)


def run_turn(
    question: str,
    *,
    speakers: Iterable[Speaker],
    judge: Judge | None = None,
    max_rounds: int = MAX_ROUNDS,
) -> Iterator[Event]:
    """Answer `question` with the first of `speakers` that understands it.

    Yields events and ends with exactly one `Done` or `Failed`; never raises a
    `TabchatError`.
    """
    refusal: NotUnderstoodError | None = None
    for speaker in speakers:
        messages = [*speaker.history, UserMessage(text=question)]
        turn = Turn(question, speaker, messages, asked=len(speaker.history))
        try:
            yield from _converse(turn, judge or Judge(), max_rounds)
        except NotUnderstoodError as error:
            # The first refusal names the words of the person's own question.
            refusal = refusal or error
            continue
        except TabchatError as error:
            yield Failed(error=error, answer=turn.answer(error=error))
        return
    final = refusal or NotUnderstoodError("There is no planner to ask.", hint="Use a plan or SQL.")
    yield Failed(error=final, answer=Answer(question=question, error=final))


def _converse(turn: Turn, judge: Judge, max_rounds: int) -> Iterator[Event]:
    rounds = rewrites = 0
    draft: Judgement | None = None
    while True:
        try:
            reply = yield from _ask(turn, judge)
        except _FINAL:
            raise
        except TabchatError as error:
            if draft is None:
                raise
            # A text with marked figures is worth more than none.
            turn.warnings.append(f"The text could not be written again: {error.message}")
            yield _finish(turn, draft)
            return
        if reply.tool_calls:
            if rounds == max_rounds:
                raise _stopped(turn, max_rounds)
            rounds += 1
            yield from _run_tools(turn, reply)
            continue
        draft = judge.judge(turn, reply)
        turn.messages.append(AssistantMessage(text=reply.text, extra=reply.extra))
        if draft.feedback is None or rewrites == MAX_REWRITES:
            yield _finish(turn, draft)
            return
        rewrites += 1
        yield Rewriting(attempt=rewrites, issues=draft.issues)
        turn.messages.append(FeedbackMessage(text=draft.feedback))


def _run_tools(turn: Turn, reply: Reply) -> Iterator[Event]:
    turn.messages.append(AssistantMessage(text=reply.text, tool_calls=reply.tool_calls, extra=reply.extra))
    for call in reply.tool_calls:
        yield from turn.run_tool(call)
    if turn.failure is not None and turn.speaker.model.planner == "rules":
        # Rules cannot repair their own plan: the engine's reason is the person's to see.
        raise turn.failure


def _ask(turn: Turn, judge: Judge) -> Generator[Event, None, Reply]:
    model = turn.speaker.model
    reply: Reply | None = None
    streamed = False
    figures = judge.stream(turn) if model.planner == "llm" else None
    if model.planner == "llm":
        yield Asking(model=model.name)
    request = turn.speaker.brief(turn.messages)
    turn.rules = request.system
    for piece in model.respond(request):
        if isinstance(piece, Delta):
            streamed = True
            yield from _shown(figures.feed(piece.text) if figures else piece.text)
        else:
            reply = piece
    if reply is None:
        raise ModelError(f"The model {model.name!r} ended without a reply.", hint="Ask again.")
    if reply.text and not streamed:
        yield from _shown(figures.feed(reply.text) if figures else reply.text)
    yield from _shown(figures.finish() if figures else "")
    turn.usage += reply.usage
    turn.interpretation = reply.interpretation or turn.interpretation
    turn.readings = reply.readings or turn.readings
    turn.warnings.extend(reply.warnings)
    if reply.finish == "length":
        turn.warnings.append("The model's text was cut at the number of tokens that it may write.")
    return reply


def _shown(text: str) -> Iterator[Event]:
    if text:
        yield TextDelta(text=text)


def _stopped(turn: Turn, rounds: int) -> ModelError:
    """Return the explained stop of a model that goes on calling tools."""
    counts = Counter(name for name, _ in turn.calls)
    tried = ", ".join(f"{name} {count} times" if count > 1 else name for name, count in counts.items())
    errors = [f"{name}: {error}" for name, error in turn.calls if error]
    last = f" The last call that failed was {errors[-1]}." if errors else ""
    message = (
        f"The model made {rounds} rounds of tool calls without an answer in words (tried: {tried}).{last}"
    )
    hint = "What it computed is kept (tabchat results). Ask a narrower question, or one step of it at a time."
    return ModelError(message, hint=hint if turn.blocks else "Ask a narrower question, or name the columns.")


def _finish(turn: Turn, judgement: Judgement) -> Done:
    answer = replace(turn.answer(text=judgement.text), verification=judgement.verification)
    return Done(answer=answer, messages=tuple(_worth_remembering(turn.messages[turn.asked :])))


def _worth_remembering(messages: Sequence[Message]) -> Iterator[Message]:
    """Leave out texts that were written again, and what was said of them."""
    for index, message in enumerate(messages):
        is_last = index == len(messages) - 1
        is_draft = isinstance(message, AssistantMessage) and not message.tool_calls and not is_last
        if not (is_draft or isinstance(message, FeedbackMessage)):
            yield message
