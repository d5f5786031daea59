"""Tables that are open in a Python program."""

from __future__ import annotations

import atexit
import warnings
from collections.abc import Mapping
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, Final, Self, cast

from tabchat.api.answer import TableAnswer
from tabchat.config import load_settings
from tabchat.errors import NotUnderstoodError, TabchatError, UsageError
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabchat.engine.table import ReadOptions
    from tabchat.engine.types import JsonValue, Schema

_CALLER: Final = 5
"""Frames between a warning and the line that opens the table."""


def open_table(
    source: str | Path, *more: str | Path, options: ReadOptions | None = None, **settings: object
) -> OpenTable:
    """Open a file, or several that SQL can join; questions are about the first.

    `options` says how to read them, instead of having it inferred. The other keywords are settings, such as `model`,
    `privacy`, `hide` and `offline`; they stand above those of the environment and of files. What a project's file sets
    and may not is a warning. Raises `InputError` for a file that cannot be read, `UsageError` for a setting.
    """
    with _hints():
        for file in (source, *more):
            _check("A table to open", file, str, PathLike)
        found = load_settings(settings, told=_warn, origin="the keyword arguments")
        return OpenTable(Session.open([source, *more], settings=found, options=options))


class OpenTable:
    """An open table, to be asked; closed by `close`, at the end of a `with`, or when the program ends.

    The rows of its answers are fetched when they are looked at, so it is to be open as long as they are.
    """

    def __init__(self, session: Session) -> None:
        """Take over a session, which is closed with the table."""
        self._session: Session | None = session
        # What `no_cache` keeps meanwhile is removed even when nobody closes.
        atexit.register(session.close)

    @property
    def session(self) -> Session:
        """What the command line works with, too; raises `UsageError` when the table is closed."""
        if self._session is None:
            raise UsageError("The table is closed.", hint="Open it again: tabchat.open_table(FILE).")
        return self._session

    @property
    def schema(self) -> Schema:
        """The columns: name, kind, the engine's type and, where there is one, the unit."""
        return self.session.current.schema

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading the file inferred, repaired or rejected, a sentence each."""
        return tuple(note.message for note in self.session.current.report.notes)

    def ask(self, question: str, *, pick: int | None = None, follow: bool = False) -> TableAnswer:
        """Answer a question.

        `pick` answers a reading that was offered for it, by its number. Each question stands alone; with `follow` it
        goes on from the one before (“only 2023”). Raises `NotUnderstoodError`, with the `readings` that it offers, when
        it is not certain what is meant, and any other `TabchatError` that stopped it.
        """
        with _hints():
            _check("A question", question, str)
            _check("`pick`", pick, int, type(None))
            if not follow:
                self.session.start_over()
            answer = self.session.answer(question, pick=pick)
            if answer.error is not None:
                raise answer.error
        return TableAnswer(session=self.session, answer=answer)

    def query(self, plan: Mapping[str, JsonValue]) -> TableAnswer:
        """Run a plan; raises `PlanValidationError` with every issue, and `QueryFailedError`."""
        from tabchat.engine.plan.query_plan import parse_plan

        with _hints():
            if not isinstance(said := cast("object", plan), Mapping):
                parse_plan(said)  # which says what a plan is
            return TableAnswer(session=self.session, answer=self.session.query(plan))

    def sql(self, text: str) -> TableAnswer:
        """Run one SELECT over the open tables; raises `SqlRefusedError` or `QueryFailedError`."""
        with _hints():
            return TableAnswer(session=self.session, answer=self.session.sql(text))

    def run(self, code: str) -> TableAnswer:
        """Run pandas code over the table in the sandbox; raises `CodeRefusedError` or `CodeFailedError`."""
        with _hints():
            return TableAnswer(session=self.session, answer=self.session.run(code))

    def analyze(self, recipe: str, arguments: Mapping[str, JsonValue]) -> TableAnswer:
        """Run an analysis recipe by the name of its tool; raises `PlanValidationError` with every issue."""
        with _hints():
            _check("A recipe", recipe, str)
            _check("What a recipe is given", arguments, Mapping)
            return TableAnswer(session=self.session, answer=self.session.analyze(recipe, arguments))

    def close(self) -> None:
        """Release the table; what was kept of it stays, as on the command line. May be called again."""
        if self._session is not None:
            atexit.unregister(self._session.close)
            self._session.close()
            self._session = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._session is None:
            return "<OpenTable, closed>"
        table = self._session.current
        return f"<OpenTable {table.name!r}: {table.row_count:,} rows, {len(table.schema)} columns>"


def _check(what: str, value: object, *kinds: type) -> None:
    """Raise `UsageError` for an argument that is of none of `kinds`."""
    if not isinstance(value, kinds) or isinstance(value, bool):
        words = {
            str: "a text",
            PathLike: "a path",
            int: "a whole number",
            Mapping: "a mapping",
            type(None): "None",
        }
        raise UsageError(f"{what} is {' or '.join(words[kind] for kind in kinds)}, not {value!r:.80}.")


@contextmanager
def _hints() -> Iterator[None]:
    """Let a traceback say what an error leaves to whoever shows it: readings that are offered, or what to try."""
    try:
        yield
    except TabchatError as error:
        offered = error.readings if isinstance(error, NotUnderstoodError) else ()
        for reading in offered:
            error.add_note(f"pick={reading.n}: {reading.interpretation}")
        if error.hint and not offered:
            error.add_note(error.hint)
        raise


def _warn(sentence: str) -> None:
    warnings.warn(sentence, stacklevel=_CALLER)
