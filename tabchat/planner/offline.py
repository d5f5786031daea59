"""The offline planner: a model that answers what it is certain of, offers readings where it is not, and refuses the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from tabchat.chat.messages import ToolCall, ToolMessage, UserMessage
from tabchat.chat.model import Reply
from tabchat.errors import NotUnderstoodError, OfferedReading
from tabchat.planner.interpretation import LONGEST_QUESTION, Interpretation, Interpreter
from tabchat.planner.plan import PlannedCall, plan_of
from tabchat.planner.wording import read_as, sentence
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.chat.messages import Message
    from tabchat.chat.model import ModelRequest, Piece
    from tabchat.engine.facts import TableFacts
    from tabchat.engine.result import Result
    from tabchat.planner.context import UserContext
    from tabchat.planner.intent import Intent

_ONE_THING: Final = "Ask one thing at a time."


@record
class Draft:
    """A reading that is answered: its intent, the call that computes it, and the line that says it."""

    intent: Intent
    call: PlannedCall
    interpretation: str
    language: str
    facts: TableFacts


@dataclass
class OfflinePlanner:
    """Reads questions without a model; what it learns of a table it keeps for the next question."""

    facts: Mapping[str, Callable[[], TableFacts]]
    """Table → what is known of it; asked for when a question reaches the table."""
    results: Callable[[str], Result]
    """Data key → the result that a tool call gave, for the sentence."""
    context: UserContext | None = None
    """The person's own words for columns and cells."""
    pick: int | None = None
    """Which reading the person chose, counted from 1, instead of the one that is certain."""
    warnings: tuple[str, ...] = ()
    """What is wrong with the person's own words; said with every answer."""
    name: str = "rules"
    planner: Literal["rules", "llm"] = "rules"
    _interpreters: dict[str, Interpreter] = field(default_factory=dict)
    _drafts: dict[str, Draft] = field(default_factory=dict)

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Yield the tool call that answers the question, or the sentence about its result.

        Raises `NotUnderstoodError` that names the words that nothing explains, or lists the readings.
        """
        last = request.messages[-1]
        if isinstance(last, ToolMessage):
            yield self._said(last)
            return
        if not isinstance(last, UserMessage):
            raise NotUnderstoodError("There is no question to answer.")
        draft = self.plan(last.text, request.table, self._previous(request.messages[:-1]))
        call = ToolCall(
            id=f"rules-{len(self._drafts) + 1}", name=draft.call.tool, arguments=draft.call.arguments
        )
        self._drafts[call.id] = draft
        yield Reply(tool_calls=(call,), interpretation=draft.interpretation, warnings=self.warnings)

    def plan(self, question: str, table: str | None = None, previous: Intent | None = None) -> Draft:
        """Return the reading of `question` that is certain, or was picked; raises `NotUnderstoodError`.

        `previous` is the intent of the answer before, from which a question may go on.
        """
        if len(question) > LONGEST_QUESTION:
            raise NotUnderstoodError(
                f"The question is longer than {LONGEST_QUESTION} characters.", hint=_ONE_THING
            )
        interpreter = self.interpreter(table)
        found = interpreter.read(question, previous)
        if self.pick is not None:
            return self._picked(found, interpreter.facts, self.pick)
        if not found.certain:
            raise _uncertain(found, interpreter.facts)
        return _draft(found.candidates[0].intent, found.language, interpreter.facts)

    def _previous(self, earlier: Sequence[Message]) -> Intent | None:
        """Return the intent of the last answer of the conversation, if it was given here."""
        for message in reversed(earlier):
            if isinstance(message, ToolMessage):
                draft = self._drafts.get(message.call.id)
                return draft.intent if draft is not None else None
        return None

    def interpreter(self, table: str | None = None) -> Interpreter:
        """Return who reads questions of a table; raises `NotUnderstoodError` when it is open which one is meant."""
        name = table if table in self.facts else next(iter(self.facts)) if len(self.facts) == 1 else None
        if name is None:
            raise NotUnderstoodError(
                "Which table is the question about?", hint=f"Open tables: {', '.join(self.facts)}."
            )
        facts = self.facts[name]()
        known = self._interpreters.get(name)
        if known is None or known.facts is not facts:
            self._interpreters[name] = Interpreter(facts, context=self.context)
        return self._interpreters[name]

    def _picked(self, found: Interpretation, facts: TableFacts, place: int) -> Draft:
        offered = found.offered
        if not 1 <= place <= len(offered):
            raise _uncertain(found, facts)
        return _draft(offered[place - 1].intent, found.language, facts)

    def _said(self, message: ToolMessage) -> Reply:
        draft, key = self._drafts.get(message.call.id), message.envelope.data_key
        if draft is None or not message.envelope.ok:
            return Reply(text=message.envelope.summary)
        result = self.results(key) if key is not None else None
        said = sentence(draft.intent, draft.call, result, draft.facts, draft.language, key=key or "")
        return said if said.text else Reply(text=message.envelope.summary)


def _draft(intent: Intent, language: str, facts: TableFacts) -> Draft:
    return Draft(
        intent=intent,
        call=plan_of(intent, facts),
        interpretation=read_as(intent, facts, language),
        language=language,
        facts=facts,
    )


def _uncertain(found: Interpretation, facts: TableFacts) -> NotUnderstoodError:
    offered = tuple(
        OfferedReading(
            n=place,
            interpretation=read_as(candidate.intent, facts, found.language),
            confidence=round(candidate.probability, 3),
            plan=dict(plan_of(candidate.intent, facts).arguments),
        )
        for place, candidate in enumerate(found.offered, start=1)
    )
    words = _listed(found.unknown)
    if not offered:
        return NotUnderstoodError(
            f"Not understood: {words}." if words else "The question is not understood.",
            hint="Use the names of columns and values in the table; `tabchat profile FILE` lists them.",
            words=found.unknown,
        )
    left = f" None of them accounts for {words}." if words else ""
    return NotUnderstoodError(
        f"It is not certain what is meant.{left}",
        hint="Choose a reading by its number (--pick 1), or ask with the names of columns and values.",
        words=found.unknown,
        readings=offered,
    )


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in dict.fromkeys(words))
