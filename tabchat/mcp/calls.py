"""Calls of another assistant over the tables of a session: the tools that a model has, one call at a time."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabchat.chat.turn.memory import tool_text
from tabchat.chat.turn.messages import ToolCall, ToolMessage
from tabchat.engine.cells import quoted
from tabchat.engine.reader.source.fingerprint import fingerprint
from tabchat.errors import InputError, InterruptedByUserError, PlanError, TabchatError
from tabchat.record import record
from tabchat.session.deadline import CANCEL_EVERY, Deadline
from tabchat.tools.hiding import hidden_names
from tabchat.tools.privacy import Allowance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.session import Session
    from tabchat.tools.executor import ToolExecutor


@record
class Told:
    """What the assistant is told of one call."""

    text: str
    envelope: Mapping[str, JsonValue]
    reason: str | None = None
    """Why the call failed, in words for the person."""
    number: int | None = None
    """What the result is called: 1 for `r1`."""


@dataclass
class Ticket:
    """One call, as the thread that runs it and whoever stops it both see it."""

    _begun: bool = False
    _stopped: bool = False
    _ended: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self) -> bool:
        """Return whether the call may begin: not when it was stopped before its thread came to it."""
        with self._lock:
            self._begun = not self._stopped
        return self._begun

    def end(self) -> None:
        """Let whoever stops the call go on."""
        self._ended.set()

    def stop(self, cancel: Callable[[], None]) -> None:
        """Stop the call by `cancel`, and wait until it has ended."""
        with self._lock:
            self._stopped = True
        # Between two queries there is nothing to cancel: ask until one was stopped.
        while self._begun and not self._ended.wait(CANCEL_EVERY):
            cancel()


@dataclass
class ToolCalls:
    """Runs the calls of one assistant; its results keep their numbers, and its allowance, from call to call."""

    session: Session
    questions: int
    """How many questions' worth of values may be told altogether."""
    executor: ToolExecutor = field(init=False)
    _unhidden: bool = False
    """Whether a column that is hidden was lost sight of, as its file changed."""

    def __post_init__(self) -> None:
        self.executor = self.session.panel.model_executor(
            self.session.conversation, Allowance(questions=self.questions, told_to="this assistant")
        )

    def run(self, name: str, arguments: Mapping[str, JsonValue], ticket: Ticket) -> Told | None:
        """Run a tool and return what may be told of it, also of a failure; nothing when it was stopped before."""
        if not ticket.begin():
            return None
        try:
            return self._run(name, arguments)
        finally:
            ticket.end()

    def _run(self, name: str, arguments: Mapping[str, JsonValue]) -> Told:
        session, executor = self.session, self.executor
        notes: Sequence[str] = ()
        with Deadline(session.settings.timeout, session.engine) as deadline:
            try:
                notes = self._renewed()
                may_call = executor.allowance.admits_call()
                outcome = executor.run(name, arguments) if may_call else executor.refuse_more(name)
            except TabchatError as error:
                outcome = executor.failed(name, error)
            except Exception as error:  # noqa: BLE001 - a bug ends one call, and its words may hold cells
                bug = TabchatError(f"internal error: {type(error).__name__}: {error}")
                outcome = executor.failed(name, bug)
            if isinstance(outcome.failure, InterruptedByUserError):
                outcome = executor.failed(name, deadline.explain(outcome.failure))
        call = ToolCall(id="", name=name, arguments=arguments)
        text = "\n".join((tool_text(ToolMessage(call=call, envelope=outcome.envelope)), *notes))
        executor.sent.add(text)
        return Told(
            text=text,
            envelope={**outcome.envelope.to_json(), "warnings": [*outcome.envelope.warnings, *notes]},
            reason=None if outcome.envelope.ok else str(outcome.failure),
            number=outcome.number,
        )

    def _renewed(self) -> list[str]:
        """Read the files again that have changed, and return a sentence for each.

        Raises `PlanError` once a hidden column is no more in its file by its name: under another one it would be told.
        """
        tables = list(self.session.tables.values())
        notes = [note for table in tables if (note := self._renew(table))]
        if self._unhidden:
            message = "A file has changed, and a column that is hidden is not in it any more, at least not by its name."
            raise PlanError(message, hint="Nothing is told until the person starts the server again.")
        return notes

    def _renew(self, table: Table) -> str | None:
        named = quoted(table.name)
        if table.source.exists() and not table.source.is_file():
            return None  # a pipe was read once, and does not change
        try:
            if fingerprint(table.source, table.options) == table.version:
                return None
        except OSError:
            return f"Note: the file of {named} cannot be read any more; this is of the version before."
        try:
            renewed = self.session.add(table.source, options=table.options, name=table.name)
        except InputError as error:
            hint = "Call again in a moment, or ask the person to look at it."
            raise PlanError(f"The file of {named} has changed, and cannot be read now.", hint=hint) from error
        self._unhidden = self._unhidden or bool(self._hidden(table) - self._hidden(renewed))
        return f"Note: the file of {named} has changed and was read again; earlier results are of the version before."

    def _hidden(self, table: Table) -> frozenset[str]:
        return hidden_names(table, self.session.settings.hide)
