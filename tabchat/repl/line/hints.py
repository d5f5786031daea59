"""What is known of the current table while a line is typed: its cells to complete, its questions to suggest.

Both are found out on a thread of their own, from the facts that are kept beside the table, so that no key ever waits
for a table; until they are there, nothing is offered.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts import facts_of
from tabchat.errors import TabchatError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabchat.engine.facts import TableFacts
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine
    from tabchat.session import Session

QUESTIONS: Final = 20
"""Questions that are suggested for a table, at most."""
LONGEST_CELL: Final = 80
"""Characters of the longest cell that is offered."""
_PATIENCE_SECONDS: Final = 0.05
_REMEMBERED: Final = 8
"""Table versions that are known at a time."""


@record
class Cell:
    """One text that a column holds."""

    text: str
    folded: str
    """The text as it is compared, without regard to case."""
    column: str


@record
class Hint:
    """What is known of one version of a table."""

    cells: tuple[Cell, ...] = ()
    """The most frequent texts of each column of texts, by falling count; the column with the fewest first."""
    questions: tuple[str, ...] = ()
    """Questions that rules answer for certain, in the language of the headers; nothing of hidden columns."""


@record
class _Wanted:
    """What hints depend on."""

    version: str
    hidden: tuple[str, ...]
    context: Path | None
    words_read: int
    """How often the person's own words were read again."""


class Hints:
    """The hints of the tables of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[_Wanted, Hint] = {}
        self._engine: Engine | None = None
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def current(self) -> Hint:
        """Return what is known by now of the current table; begins to find it out where nothing is."""
        session = self._session
        if not session.tables:
            return Hint()
        settings, table = session.settings, session.current
        wanted = _Wanted(
            version=table.version,
            hidden=settings.hide,
            context=settings.context,
            words_read=session.panel.words_read,
        )
        found = self._known.get(wanted)
        if found is None and (self._thread is None or not self._thread.is_alive()):
            self._begin(wanted, table)
        return found or Hint()

    def wait(self) -> None:
        """Wait until everything is known that was asked for."""
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """Leave off, and begin again when somebody types: an entry has the engine, and all that loads, to itself.

        Two threads that import a package and a module of it at the same time can wait for each other.
        """
        self._stopped.set()
        while self._thread is not None and self._thread.is_alive():
            # One query after the other: what is stopped may have been between two of them.
            if (engine := self._engine) is not None:
                engine.cancel()
            self._thread.join(_PATIENCE_SECONDS)

    def _begin(self, wanted: _Wanted, table: Table) -> None:
        session = self._session
        known = session.known.get(table.name)
        facts = known[1] if known is not None and known[0] is table else None
        self._engine = None if facts is not None else session.engine.fork()
        self._stopped.clear()
        self._thread = threading.Thread(target=self._find_out, args=(wanted, table, facts), daemon=True)
        self._thread.start()

    def _find_out(self, wanted: _Wanted, table: Table, facts: TableFacts | None) -> None:
        # What cannot be looked into is told when it is asked about; a hint is no place for an error.
        with contextlib.suppress(TabchatError):
            if facts is None and self._engine is not None:
                facts = facts_of(self._engine, table, self._session.cache)
        self._engine = None
        if facts is None:
            if not self._stopped.is_set():
                self._remember(wanted, Hint())
            return
        cells = tuple(_cells(facts))
        self._remember(wanted, Hint(cells=cells))
        questions: tuple[str, ...] | None = ()
        with contextlib.suppress(TabchatError):
            questions = self._questions(facts, wanted)
        if questions is None:
            self._known.pop(wanted, None)
        else:
            self._remember(wanted, Hint(cells=cells, questions=questions))

    def _questions(self, facts: TableFacts, wanted: _Wanted) -> tuple[str, ...] | None:
        """Return what `what can I ask` lists, nothing where it was left off before.

        They are read by a reader of its own, so that none is shared between threads.
        """
        from tabchat.planner.context import own_context
        from tabchat.planner.interpretation import Interpreter

        context = own_context(wanted.context)
        if self._stopped.is_set():
            return None
        facts = facts.without(frozenset(wanted.hidden))
        own = context.for_table(facts) if context is not None else None
        interpreter = Interpreter(facts, context=own)
        language = interpreter.language_of("")
        return None if self._stopped.is_set() else interpreter.suggestions(language, QUESTIONS)

    def _remember(self, wanted: _Wanted, hint: Hint) -> None:
        others = [known for known in self._known.items() if known[0] != wanted]
        self._known = dict([*others[-_REMEMBERED + 1 :], (wanted, hint)])


def _cells(facts: TableFacts) -> Iterator[Cell]:
    for column in sorted(facts.columns, key=lambda column: len(column.texts)):
        for text in column.texts:
            if text.strip() and len(text) <= LONGEST_CELL:
                yield Cell(text=text, folded=text.casefold(), column=column.name)
