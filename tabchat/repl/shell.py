"""What the REPL does with one entry, whatever it was typed into: a question, a command, or the last result again."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.answer import Answer
from tabchat.errors import ExitCode, InterruptedByUserError, NotUnderstoodError, TabchatError, UsageError
from tabchat.record import record
from tabchat.render.answer import AnswerView, render_answer, render_events
from tabchat.render.commands import REPL
from tabchat.render.diagnostics import report
from tabchat.render.layout.table import TableView, render_all_columns
from tabchat.render.layout.text import sanitise
from tabchat.render.layout.wrapping import wrap_text
from tabchat.render.mutation import agrees, can_ask
from tabchat.render.terminal.activity import Activity
from tabchat.render.terminal.console import fit_to_terminal
from tabchat.render.terminal.pager import paged
from tabchat.repl.entry import whole_number
from tabchat.repl.line.past import PastEntries
from tabchat.repl.registry import command_of
from tabchat.repl.spelled import as_command, questions_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.chat.turn.answer import DataBlock
    from tabchat.engine.result.result import Frame
    from tabchat.errors import OfferedReading
    from tabchat.journal.journal import Journal
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.terminal.inline import Inline
    from tabchat.render.terminal.region import Region
    from tabchat.session import Session

_MOST_PICKED: Final = 10
"""Numbers below are those of readings, wherever any are offered; 2024 goes on from the last question."""

_SPELLED: Final = (
    (re.compile(r'(first): tabchat ask FILE "QUESTION"'), r"\1."),
    (re.compile(r"tabchat (results|egress)\b(?! -)"), r"/\1"),
    (re.compile(r"tabchat profile FILE"), "/profile"),
    (re.compile(r"Name one with --model, such as --model (\S+)"), r"Name one with /model, such as /model \1"),
    (re.compile(r"tabchat run FILE CODE"), "/run CODE"),
    (re.compile(r"tabchat export (ds_\w+)"), r"/export \1 FILE"),
    (re.compile(r"Show the result itself, without --source"), "/last shows the result itself"),
    (re.compile(r"Start with a file: tabchat repl FILE"), "/load FILE opens one"),
)
"""What hints name as the shell takes it, and how it is typed here."""


@record
class Offer:
    """What an entry can mean."""

    question: str
    readings: tuple[OfferedReading, ...]
    version: str
    """Of the table that they are about."""
    edits: bool = False
    """Whether they are edits."""

    def reading(self, number: int) -> OfferedReading:
        """Return a reading by its number, from 1 on; raises `UsageError` when there is none."""
        if not 1 <= number <= len(self.readings):
            message = f"There is no reading {number}."
            raise UsageError(message, hint=f"Type a number from 1 to {len(self.readings)}.")
        return self.readings[number - 1]


class LeaveRepl(Exception):  # noqa: N818 - a request of the person, not an error
    """The person wants to leave."""


@dataclass
class Shell:
    """The state of a conversation at the prompt: the session, how tables are shown, and what was shown last."""

    session: Session
    consoles: Consoles
    rows: int = 50
    last: Answer | None = None
    asked: list[str] = field(default_factory=list)
    """Questions, in order."""
    offer: Offer | None = None
    """What the last entry could mean, when it was not certain."""
    talks: bool = False
    """Whether a person types the entries."""
    region: Region | None = None
    """Lines that are being drawn while a model answers."""
    turns: int = 0
    """Questions and commands that were carried out."""
    seconds: float = 0.0
    """How long these took, and the last of them."""
    last_seconds: float = 0.0
    journal: Journal | None = None
    """Where the conversation is written down; nowhere where nothing is to be kept."""
    activity: Activity = field(init=False)
    """What goes on while the person waits."""

    def __post_init__(self) -> None:
        from tabchat.repl.editing import confirm
        from tabchat.repl.words import teaching_entry

        self.activity = self.session.progress = Activity(self.consoles)
        self.activity.follow(self.session.engine)
        self.session.panel.teaching = teaching_entry
        self.session.versions.confirm = lambda pending: confirm(self, pending)

    def run(self, entry: str) -> ExitCode:
        """Carry out one entry and return its exit code; raises only `LeaveRepl`.

        Ctrl-C stops the entry, not the REPL.
        """
        fit_to_terminal(self.consoles)
        began, turns, asked = time.monotonic(), self.turns, len(self.asked)
        code = ExitCode.INTERNAL
        try:
            code = self._carry_out(entry.strip())
        except LeaveRepl:
            raise
        except (KeyboardInterrupt, InterruptedByUserError) as stop:
            self.explain(f"Stopped. {getattr(stop, 'remark', '')}".rstrip())
            code = ExitCode.INTERRUPTED
        except Exception as error:  # noqa: BLE001 - one entry that fails must not end a conversation
            code = report(_advised(error), self.consoles)
        finally:
            if self.turns > turns:
                self.last_seconds = time.monotonic() - began
                self.seconds += self.last_seconds
        self._write_down(entry.strip(), code, asked)
        return code

    def _write_down(self, entry: str, code: ExitCode, asked: int) -> None:
        if self.journal is None:
            return
        question = self.asked[-1] if len(self.asked) > asked else None
        try:
            told = self.journal.note(entry, code, asked=question)
        except Exception as error:  # noqa: BLE001 - a turn that cannot be written down must not end a conversation
            report(error, self.consoles)
            return
        if told is not None:
            self.say(sanitise(told, self.consoles.glyphs))

    def _carry_out(self, entry: str) -> ExitCode:
        if not entry:
            return self._suggest()
        if entry == "_":
            entry = "/last"
        columns = (column.name for table in self.session.tables.values() for column in table.schema)
        entry = as_command(entry, self.session.tables, columns) or entry
        number = whole_number(entry)
        if (offer := self._offered()) is not None and number is not None and number < _MOST_PICKED:
            return self._pick(offer, number)
        if self._asks_in_turn(entry):
            return self._ask_each(questions_in(entry))
        command = command_of(entry)
        if command is None:
            self.offer = None
            self.turns += 1
            return self.ask(entry)
        self.turns += not command.talks
        _, *argument = entry.split(None, 1)
        return command.carry_out(self, "".join(argument))

    def _asks_in_turn(self, entry: str) -> bool:
        """Return whether an entry is a list that the person wants to be asked line by line."""
        if not self.talks or entry.startswith(("/", ".")) or not can_ask():
            return False
        count = len(questions_in(entry))
        return count > 1 and agrees(self.consoles, f"Ask these {count:,} lines one by one?")

    def _ask_each(self, questions: tuple[str, ...]) -> ExitCode:
        """Carry out one line after the other, whatever happens to each; Ctrl-C stops them all."""
        code = ExitCode.ANSWERED
        for question in questions:
            self.say(f"> {sanitise(question, self.consoles.glyphs)}")
            result = self.run(question)
            if result is ExitCode.INTERRUPTED:
                return result
            code = result if result is not ExitCode.ANSWERED else code
        return code

    def ask(self, question: str) -> ExitCode:
        """Ask a question and show its answer, or make the edit that it asks for."""
        from tabchat.repl.editing import asked_for, carry_out

        self.asked.append(question)
        try:
            edit = asked_for(self, question)
        except NotUnderstoodError as error:
            return self.not_understood(error, question, edits=True)
        return self._answer(question) if edit is None else carry_out(self, edit)

    def _answer(self, question: str, pick: int | None = None) -> ExitCode:
        try:
            events = self.activity.along(self.session.ask(question, pick=pick), "answering")
            answer = render_events(self.consoles, events, self.view())
        finally:
            self.region = None
        if answer.error is None:
            return self._keep(answer)
        if isinstance(answer.error, NotUnderstoodError):
            return self.not_understood(answer.error, question)
        return report(_advised(answer.error), self.consoles)

    def _offered(self) -> Offer | None:
        """Return what was offered for the table as it is now."""
        offer = self.offer
        return offer if offer is not None and offer.version == self.session.current.version else None

    def _pick(self, offer: Offer, number: int) -> ExitCode:
        """Answer a reading that was offered, or make the edit that it is; with another number the offer stays."""
        from tabchat.repl.editing import make

        reading = offer.reading(number)
        self.offer = None
        self.turns += 1
        if not offer.edits:
            return self._answer(offer.question, number)
        return make(self, reading)

    def _suggest(self) -> ExitCode:
        """Say what can be asked, for an empty entry at a prompt; an empty line of a file says nothing."""
        if not self.talks or not self.session.tables:
            return ExitCode.ANSWERED
        render_events(self.consoles, self.session.ask(""), self.view())
        return ExitCode.ANSWERED

    def not_understood(self, error: NotUnderstoodError, question: str, *, edits: bool = False) -> ExitCode:
        """Report words that are not understood; their readings can be chosen from by number, and no others."""
        if not error.readings:
            return report(error, self.consoles)
        version = self.session.current.version
        self.offer = Offer(question=question, readings=error.readings, version=version, edits=edits)
        # At a prompt a reading is chosen by typing its number, and by no option.
        _, *more = (error.hint or "").split("\n")
        error.hint = "\n".join(("type its number, or ask in other words.", *more))
        return report(error, self.consoles)

    def computed(self, compute: Callable[[], Answer]) -> ExitCode:
        """Compute an answer that needs no question, and show it."""
        with self.activity.working("computing"):
            answer = compute()
        return self.show(answer)

    def show(self, answer: Answer) -> ExitCode:
        """Show an answer that needed no question."""
        render_answer(self.consoles, answer, self.view())
        return self._keep(answer)

    def again(self, *, columns: tuple[str, ...] = ()) -> ExitCode:
        """Show the last answer again, as tables are shown now."""
        render_answer(self.consoles, self.require_last(), replace(self.view(), columns=columns))
        return ExitCode.ANSWERED

    def show_all_columns(self) -> ExitCode:
        """Show every column of the last result, as many tables below each other as that takes."""
        block = self.require_block()
        view = TableView(limit=self.rows, key=block.data_key, commands=REPL)
        with paged(self.consoles, wanted=self.pages):
            render_all_columns(self.consoles, block.result.frame, view)
        return ExitCode.ANSWERED

    def show_source(self, rows: int | None = None) -> ExitCode:
        """Show the rows behind the last answer."""
        view = replace(self.view(), source=True, rows=self.rows if rows is None else rows)
        # How the question was read was said when it was asked.
        rows_only = Answer(question="", blocks=(self.require_block(),))
        render_answer(self.consoles, rows_only, view, source=self.source())
        return ExitCode.ANSWERED

    def source(self) -> Frame | None:
        """Return the rows behind the last result, nothing when it is its own source."""
        block = self.require_block()
        if block.result.source is not None or block.data_key is None:
            return block.result.source
        return self.session.source(block.data_key)

    def require_last(self) -> Answer:
        """Return the last answer; raises `UsageError` when there is none."""
        if self.last is None:
            raise UsageError("There is no result yet.", hint="Ask a question first, or /show KEY.")
        return self.last

    def require_block(self) -> DataBlock:
        """Return the result behind the last answer; raises `UsageError` when there is none."""
        block = self.require_last().block
        if block is None:
            raise UsageError("The last answer has no table behind it.", hint="Ask for rows or numbers.")
        return block

    def view(self) -> AnswerView:
        """Return how answers are shown now."""
        return AnswerView(
            rows=self.rows, commands=REPL, watch=self._watch, inline=self.inline, pager=self.pages
        )

    @property
    def inline(self) -> Inline | None:
        """What shows charts as pictures; None where they are drawn in characters."""
        from tabchat.session.pictures import inline_pictures

        return inline_pictures(self.session.settings, self.consoles)

    @cached_property
    def past(self) -> PastEntries:
        """The entries of this and of earlier conversations."""
        return PastEntries(
            self.session.settings.data_dir, lambda told: self.say(sanitise(told, self.consoles.glyphs))
        )

    @property
    def pages(self) -> bool:
        """Whether what is longer than the screen goes through the pager: only where a person reads it."""
        return self.talks and self.session.settings.pager

    def _watch(self, region: Region) -> None:
        self.region = region

    def say(self, text: str) -> None:
        """Say one line of tabchat's own on stderr."""
        self.consoles.say(text)

    def explain(self, text: str) -> None:
        """Say something of tabchat's own that may take several lines."""
        self.consoles.say(*wrap_text(text, self.consoles.width))

    def _keep(self, answer: Answer) -> ExitCode:
        self.last = answer
        return answer.exit_code


def _advised(error: BaseException) -> BaseException:
    """Return `error` with the commands of its hint as the prompt takes them."""
    if isinstance(error, TabchatError) and error.hint:
        for shell_command, here in _SPELLED:
            error.hint = shell_command.sub(here, error.hint)
    return error
