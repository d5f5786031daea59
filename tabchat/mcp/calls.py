"""Calls of another assistant over the tables of a session: the tools that a model has, one call at a time."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabchat.chat.turn.memory import tool_text
from tabchat.chat.turn.messages import ToolCall, ToolMessage
from tabchat.engine.cells import quoted
from tabchat.engine.reader.fingerprint import fingerprint
from tabchat.errors import InterruptedByUserError, PlanError, TabchatError
from tabchat.record import record
from tabchat.session.deadline import CANCEL_EVERY, Deadline
from tabchat.tools.hiding import check_hidden
from tabchat.tools.privacy import Allowance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
class ToolCalls:
    """Runs the calls of one assistant; its results keep their numbers, and its allowance, from call to call."""

    session: Session
    questions: int
    """How many questions' worth of values may be told altogether."""
    executor: ToolExecutor = field(init=False)
    _ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.executor = self.session.panel.model_executor(
            self.session.conversation, Allowance(questions=self.questions, told_to="this assistant")
        )

    def run(self, name: str, arguments: Mapping[str, JsonValue]) -> Told:
        """Run a tool and return what may be told of it; nothing is raised for a call that fails."""
        self._ended.clear()
        try:
            return self._run(name, arguments)
        finally:
            self._ended.set()

    def stop(self) -> None:
        """Stop the call that runs in another thread, and wait until it has ended."""
        # Between two queries there is nothing to cancel: ask until one was stopped.
        while not self._ended.wait(CANCEL_EVERY):
            self.session.cancel()

    def _run(self, name: str, arguments: Mapping[str, JsonValue]) -> Told:
        session, executor = self.session, self.executor
        notes: Sequence[str] = ()
        with Deadline(session.settings.timeout, session.engine) as deadline:
            try:
                notes = self._renewed()
                outcome = executor.run(name, arguments)
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

        Raises `PlanError` when a column that is hidden is called otherwise now: nothing is told of such a file.
        """
        session = self.session
        notes = [note for table in list(session.tables.values()) if (note := self._renew(table))]
        try:
            check_hidden(session.tables, session.settings.hide)
        except TabchatError as error:
            message = "A file has changed, and a column that is hidden is not in it any more, at least not by its name."
            hint = "Nothing is told until the person starts the server again."
            raise PlanError(message, hint=hint) from error
        return notes

    def _renew(self, table: Table) -> str | None:
        try:
            is_current = fingerprint(table.source, table.options) == table.version
        except OSError:
            return f"Note: the file of {quoted(table.name)} cannot be read any more; this is of the version before."
        if is_current:
            return None
        self.session.add(table.source, options=table.options, name=table.name)
        return f"Note: the file of {quoted(table.name)} has changed and was read again; earlier results are of the version before."
