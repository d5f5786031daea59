"""The offline planner: a model that answers what it is certain of, offers readings where it is not, and refuses the rest."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, Literal

from tabchat.chat.turn.messages import ToolCall, ToolMessage, UserMessage
from tabchat.chat.turn.model import Reply
from tabchat.errors import NotUnderstoodError
from tabchat.planner.choice import MOST_OFFERED
from tabchat.planner.draft import FEW, Draft, bad_pick, help_of, offers_of, refusal_of, untaught
from tabchat.planner.edits.heads import refuse_edit
from tabchat.planner.follow_ups import canonical, last_calls
from tabchat.planner.interpretation import LONGEST_QUESTION, Interpreter
from tabchat.planner.plan import plan_of
from tabchat.planner.several import Readings, called, join_hint, named
from tabchat.planner.wording import read_as, sentence
from tabchat.planner.wording.sentences import counting_totals, plain_sentence
from tabchat.planner.wording.terms import phrases_of
from tabchat.planner.words import retyped
from tabchat.record import mutable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.chat.turn.messages import Message
    from tabchat.chat.turn.model import ModelRequest, Piece
    from tabchat.engine.facts import TableFacts
    from tabchat.engine.result.result import Result
    from tabchat.planner.cell_lookup import CellLookup
    from tabchat.planner.context import UserContext
    from tabchat.planner.intent import Intent
    from tabchat.planner.interpretation import Interpretation
    from tabchat.planner.plan import PlannedCall
    from tabchat.planner.shortcuts import ShortcutReader, Shortened

_HEARD: Final = 4
"""Questions before, by whose language one that may be in several is told."""


@mutable
class OfflinePlanner:
    """Reads questions without a model; what it learns of a table it keeps for the next question."""

    facts: Mapping[str, Callable[[], TableFacts]]
    """Table → what is known of it; asked for when a question reaches the table."""
    results: Callable[[str], Result]
    """Data key → the result that a tool call gave, for the sentence."""
    context: UserContext | None = None
    """The person's own words for columns and cells."""
    lookup: CellLookup | None = None
    """Finds cells of a table that its facts do not hold; asked only for words that no reading explains."""
    run: Callable[[PlannedCall], Result] | None = None
    """Answers one more call, to say which filter left no row."""
    shortcuts: ShortcutReader | None = None
    """Reads common questions in the person's own words."""
    teaching: Callable[[str, str, str], str] | None = None
    """Table, word, what stands for its meaning → the command that teaches the word."""
    joining: Callable[[str], str] | None = None
    """SELECT → the command that runs it."""
    totals: Callable[[str, str], Sequence[str]] | None = None
    """Table, data key of a result → the labels of the rows that it counts and that sum up others, which the answer names."""
    pick: int | None = None
    """Which reading the person chose, counted from 1, instead of the one that is certain."""
    name: str = "rules"
    planner: Literal["rules", "llm"] = "rules"
    _interpreters: dict[str, tuple[TableFacts, Interpreter]] = field(default_factory=dict)
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
        interpreter = self.interpreter(request.table)
        if interpreter.asks_for_help(last.text):
            yield Reply(text=help_of(interpreter, last.text))
            return
        earlier = request.messages[:-1]
        previous = self.previous(earlier, interpreter.facts)
        draft = self.plan(last.text, request.table, previous, earlier)
        call = ToolCall(id=f"rules-{len(self._drafts)}", name=draft.call.tool, arguments=draft.call.arguments)
        yield Reply(
            tool_calls=(call,),
            interpretation=draft.interpretation,
            readings=draft.readings,
            warnings=self._warnings(),
        )

    def plan(
        self,
        question: str,
        table: str | None = None,
        previous: Intent | None = None,
        earlier: Sequence[Message] = (),
    ) -> Draft:
        """Return the reading of `question` that is certain, or was picked; raises `NotUnderstoodError`.

        `previous` is the intent of the answer before, from which a question may go on; where that was of another
        table, the messages `earlier` hold it.
        """
        if len(question) > LONGEST_QUESTION:
            raise NotUnderstoodError(
                f"The question is longer than {LONGEST_QUESTION} characters.",
                hint="Ask one thing at a time.",
            )
        refuse_edit(question)
        here = self._read(question, self.interpreter(table), previous, earlier)
        if len(self.facts) > 1:
            here = named(self._elsewhere(question, here, earlier) or here)
        place = self.pick or 1
        if place > len(here.drafts) or not (here.certain or self.pick):
            raise self._refusal(here.drafts, here.found, here.interpreter)
        chosen = here.drafts[place - 1]
        self._drafts[canonical(chosen.call.tool, chosen.call.arguments)] = chosen
        return replace(chosen, readings=offers_of(here.drafts))

    def _read(
        self, question: str, interpreter: Interpreter, previous: Intent | None, earlier: Sequence[Message]
    ) -> Readings:
        found = interpreter.read(question, previous)
        found, interpreter = self._looked_up(question, previous, found, interpreter)
        if not found.offered:
            # What is certain on another keyboard is offered.
            meant = [one for text in retyped(question) if (one := interpreter.read(text, previous)).certain]
            best = max(meant, key=lambda one: one.candidates[0].probability, default=found)
            found = replace(best, certain=False)
        before = [message.text for message in earlier if isinstance(message, UserMessage)][-_HEARD:]
        if before:
            found = replace(found, language=interpreter.language_of(question, before))
        drafts = [
            replace(self.draft_of(item.intent, interpreter, found.language), confidence=item.probability)
            for item in found.offered
        ]
        drafts, certain = self._with_shortcuts(drafts, found, interpreter)
        return Readings(drafts=drafts, certain=certain, found=found, interpreter=interpreter)

    def _elsewhere(self, question: str, here: Readings, earlier: Sequence[Message]) -> Readings | None:
        """Return how a question is read of another open table, if it is certain of exactly one of them.

        What is certain here is read of the one table that it calls by its name, if that accounts for every word.
        """
        own = here.interpreter.facts.name
        names = called(here.interpreter.lattice(question), self.facts) if here.certain else list(self.facts)
        if (here.certain and (own in names or len(names) > 1)) or (self.pick and not here.certain):
            return None
        others = [self.interpreter(name) for name in names if name != own]
        read = [self._read(question, other, self.previous(earlier, other.facts), earlier) for other in others]
        if here.certain and read and read[0].drafts and not read[0].found.unknown:
            return read[0]
        certain = [found for found in read if found.certain and found.drafts]
        return certain[0] if len(certain) == 1 else None

    def _with_shortcuts(
        self, drafts: list[Draft], found: Interpretation, interpreter: Interpreter
    ) -> tuple[list[Draft], bool]:
        """Add what shortcuts say; return the readings, and whether the first is certain."""
        if self.shortcuts is None:
            return drafts, found.certain
        lattice = interpreter.lattice(found.question)
        settled = found.certain and not found.unknown
        said = self.shortcuts.said(lattice, interpreter, own=settled)
        exact = [draft for made in said if (draft := self._shortened(made, found, interpreter)) is not None]
        others = [draft for draft in drafts if all(draft.call != other.call for other in exact)]
        certain = len(exact) == 1 if exact else found.certain
        return [*exact, *others][:MOST_OFFERED], certain

    def _shortened(self, made: Shortened, found: Interpretation, interpreter: Interpreter) -> Draft | None:
        """Return a shortcut as a draft; None when the question that it stands for is not understood itself."""
        if made.call is None:
            meant = interpreter.read(made.asks or "")
            if not meant.candidates or meant.unknown:
                return None
            intent = meant.candidates[0].intent
            return self.draft_of(intent, interpreter, found.language)
        from tabchat.planner.plan.inverse import intent_of

        call = ToolCall(id="shortcut", name=made.call.tool, arguments=made.call.arguments)
        return Draft(
            intent=intent_of(call, interpreter.facts),
            call=made.call,
            interpretation=made.interpretation,
            language=found.language,
            facts=interpreter.facts,
        )

    def _refusal(
        self, drafts: Sequence[Draft], found: Interpretation, interpreter: Interpreter
    ) -> NotUnderstoodError:
        offered = offers_of(drafts)
        if self.pick is not None:
            return bad_pick(found, offered, self.pick)
        questions = () if offered else interpreter.suggestions(found.language, FEW)
        refusal = refusal_of(found, offered, interpreter.facts, questions)
        word = untaught(found, interpreter)
        if word is not None and self.teaching is not None:
            words = phrases_of(found.language).refusals
            command = self.teaching(interpreter.facts.name, word, words["meaning"])
            refusal.hint = f"{refusal.hint}\n{words['teach'].format(command=command)}"
        others = [self.facts[name]() for name in self.facts if name != interpreter.facts.name]
        if self.joining is not None:
            joins = join_hint(found.question, interpreter.facts, others, self.joining, found.language)
            refusal.hint = f"{refusal.hint}{joins}"
        return refusal

    def interpreter(self, table: str | None = None) -> Interpreter:
        """Return who reads questions of a table; raises `NotUnderstoodError` when it is open which one is meant."""
        name = table if table in self.facts else next(iter(self.facts)) if len(self.facts) == 1 else None
        if name is None:
            raise NotUnderstoodError(
                "Which table is the question about?", hint=f"Open tables: {', '.join(self.facts)}."
            )
        facts = self.facts[name]()
        known = self._interpreters.get(name)
        if known is None or known[0] is not facts:
            known = self._interpreters[name] = (facts, self._reader(facts))
        return known[1]

    def _reader(self, facts: TableFacts) -> Interpreter:
        return Interpreter(facts, context=self.context.for_table(facts) if self.context is not None else None)

    def learn(self, context: UserContext | None) -> None:
        """Read the next question with these words of the person's."""
        self.context = context
        self._interpreters.clear()

    def _looked_up(
        self, question: str, previous: Intent | None, found: Interpretation, interpreter: Interpreter
    ) -> tuple[Interpretation, Interpreter]:
        """Read once more with the cells that hold the words which nothing explains, where there are such cells.

        A certain reading that explains every word is not doubted for what another leaves over: of ten million rows
        the look would take longer than the answer.
        """
        if found.certain and not found.candidates[0].unexplained:
            return found, interpreter
        from tabchat.planner.cell_lookup import with_cells

        facts = with_cells(question, found.unknown, interpreter.facts, self.lookup)
        if facts is None:
            return found, interpreter
        wider = self._reader(facts)
        return wider.read(question, previous), wider

    def draft_of(self, intent: Intent, interpreter: Interpreter, language: str = "en") -> Draft:
        """Return the call of an intent, which a later question may go on from."""
        facts = interpreter.facts
        call, said = plan_of(intent, facts), read_as(intent, facts, language)
        draft = Draft(intent=intent, call=call, interpretation=said, language=language, facts=facts)
        self._drafts[canonical(call.tool, call.arguments)] = draft
        return draft

    def previous(self, earlier: Sequence[Message], facts: TableFacts) -> Intent | None:
        """Return the intent of the last answer of the conversation, if it was one query of this table."""
        calls = last_calls(earlier)
        if len(calls) != 1:
            return None
        from tabchat.planner.plan.inverse import intent_of

        (call,) = calls
        if call.arguments.get("table", facts.name) in self.facts.keys() - {facts.name}:
            return None
        draft = self._drafts.get(canonical(call.name, call.arguments))
        if draft is None:
            return intent_of(call, facts)
        return draft.intent if draft.facts.name == facts.name else None

    def _warnings(self) -> tuple[str, ...]:
        if self.context is None:
            return ()
        return self.context.warnings(
            [column.name for facts in self.facts.values() for column in facts().columns]
        )

    def _said(self, message: ToolMessage) -> Reply:
        draft = self._drafts.get(canonical(message.call.name, message.call.arguments))
        key, described = message.envelope.data_key, Reply(text=message.envelope.summary)
        if draft is None or key is None or not message.envelope.ok:
            return described
        result = self.results(key)
        if draft.intent is None:
            return plain_sentence(result, draft.language, key=key)
        said = sentence(draft.intent, draft.call, result, draft.facts, draft.language, key=key, run=self.run)
        totals = self.totals(draft.facts.name, key) if self.totals is not None else ()
        return counting_totals(said, draft.facts, draft.language, totals)
