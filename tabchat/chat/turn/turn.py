"""What has happened in one turn, and the running of its tools."""

from __future__ import annotations

import json
import time
from dataclasses import field
from typing import TYPE_CHECKING

from tabchat.chat.turn.answer import Answer, DataBlock, Usage
from tabchat.chat.turn.events import DataReady, ToolEnd, ToolStart
from tabchat.chat.turn.messages import ToolMessage
from tabchat.record import mutable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.chat.turn.events import Event
    from tabchat.chat.turn.messages import Message, ToolCall
    from tabchat.chat.turn.speaker import Speaker
    from tabchat.engine.types import JsonValue
    from tabchat.errors import OfferedReading, TabchatError
    from tabchat.tools.envelope import ToolOutcome


@mutable
class Turn:
    """One speaker's attempt at a question."""

    question: str
    speaker: Speaker
    messages: list[Message]
    asked: int
    """Where this turn begins in `messages`."""
    blocks: list[DataBlock] = field(default_factory=list)
    rules: str = ""
    """What the speaker was told before the conversation, of the tables too."""
    facts: list[Mapping[str, JsonValue]] = field(default_factory=list)
    """Exact values behind the texts of the tools that describe."""
    warnings: list[str] = field(default_factory=list)
    calls: list[tuple[str, str | None]] = field(default_factory=list)
    """Tools that ran, each with its error."""
    failure: Exception | None = None
    interpretation: str | None = None
    readings: tuple[OfferedReading, ...] = ()
    usage: Usage = field(default_factory=Usage)
    _known: dict[str, ToolOutcome] = field(default_factory=dict)

    def answer(self, *, text: str = "", error: TabchatError | None = None) -> Answer:
        """Return what there is of the answer."""
        return Answer(
            question=self.question,
            text=text,
            blocks=tuple(self.blocks),
            planner=None if error else self.speaker.model.planner,
            interpretation=self.interpretation,
            readings=self.readings,
            usage=self.usage,
            warnings=tuple(dict.fromkeys(self.warnings)),
            error=error,
        )

    def run_tool(self, call: ToolCall) -> Iterator[Event]:
        """Run one tool and keep what it gave; the same call again is answered from what is known."""
        yield ToolStart(tool=call.name, input=call.arguments)
        started = time.perf_counter()
        again = _canonical(call)
        known = self._known.get(again)
        outcome = known or self._execute(call)
        self._known[again] = outcome
        duration_ms = (time.perf_counter() - started) * 1000
        envelope = outcome.envelope
        yield ToolEnd(
            tool=call.name,
            duration_ms=round(duration_ms, 3),
            error=envelope.error,
            reason=str(outcome.failure) if outcome.failure else None,
        )
        self.messages.append(ToolMessage(call=call, envelope=envelope))
        self.calls.append((call.name, envelope.error))
        self.failure = outcome.failure
        if known is None:
            yield from self._keep(call, outcome)

    def _execute(self, call: ToolCall) -> ToolOutcome:
        executor = self.speaker.executor
        if self.speaker.model.planner == "llm" and not executor.allowance.admits_call():
            return executor.refuse_more(call.name)
        if call.malformed is not None:
            return executor.refuse_malformed(call.name, call.malformed)
        return executor.run(call.name, call.arguments, question=self.question)

    def _keep(self, call: ToolCall, outcome: ToolOutcome) -> Iterator[Event]:
        if outcome.facts:
            self.facts.append(outcome.facts)
        block = DataBlock.of(call.name, outcome)
        if block is None:
            return
        self.blocks.append(block)
        self.warnings.extend(block.warnings)
        yield DataReady(input=call.arguments, block=block)


def _canonical(call: ToolCall) -> str:
    arguments = {name: value for name, value in call.arguments.items() if name != "title"}
    return json.dumps([call.name, arguments, call.malformed], sort_keys=True, default=str)
