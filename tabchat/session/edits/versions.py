"""Edits of the open tables: previewed, committed once the person agrees, undone and redone.

A version is a file in the cache. What can be undone or redone names versions, so nothing is copied for it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from tabchat.errors import DeclinedError, PlanError
from tabchat.record import record
from tabchat.tools.hiding import hidden_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    import pyarrow as pa

    from tabchat.engine.edits.mutation import MutationSummary
    from tabchat.engine.edits.versions import EditedTable
    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.planner.edits import EditReader, EditReading
    from tabchat.session.session import Session
    from tabchat.tools.editing import AppliedEdit

Happening: TypeAlias = Literal["made", "undone", "redone"]


@record
class PendingEdit:
    """A version that an edit would make current; nothing has changed yet."""

    before: Table
    after: Table
    summary: MutationSummary
    edit: Mapping[str, JsonValue]
    """Canonical JSON of the edit."""
    text: str
    """The edit in a line."""
    is_new: bool
    """Whether the version was made for this edit, and goes when it is declined."""
    hides: tuple[str, ...] = ()
    """Columns, as `table.column`, that would show what is hidden from models; committing hides them."""
    notes: tuple[str, ...] = ()
    """What is to be said of the code that made it: what was mended, and what libraries warned of."""

    @property
    def table(self) -> str:
        """Name of the table."""
        return self.before.name


class TableVersions:
    """The versions of a session's tables that can be gone back and forth between."""

    def __init__(self, session: Session, read_in_full: Callable[[], object]) -> None:
        self.session = session
        self.confirm: Callable[[PendingEdit], bool] | None = None
        """Asks the person whether an edit of a model is committed; without it, none is."""
        self._read_in_full = read_in_full
        """Reads tables that were only sampled."""
        self._steps: list[PendingEdit] = []
        self._done = 0
        """How many of the steps are in effect; those after it can be redone."""
        self._saved: set[str] = set()
        """Versions that were written to a file."""
        self.happened: list[tuple[Happening, PendingEdit]] = []
        """What was done to the tables, in order."""
        self._readers: dict[str, EditReader] = {}
        """Version of a table → who reads words as edits of it."""

    def read(self, request: str) -> EditReading | None:
        """Return the edit of the current table that plain words ask for, also undo and redo; None when it is none.

        Raises `NotUnderstoodError` for words that ask for an edit and are not understood, with the readings where
        there are several: the `plan` of each is the arguments of `edit_table`.
        """
        from tabchat.planner.edits import is_edit

        version = self.session.current.version
        if version not in self._readers:
            if not is_edit(request):
                return None
            from tabchat.planner.edits import EditReader

            context = self.session.panel.rules().context
            facts = self.session.facts()
            own = context.for_table(facts) if context is not None else None
            self._readers = {version: EditReader(facts, context=own)}
        return self._readers[version].read(request)

    def read_anew(self) -> None:
        """Read the next request with the person's words as they are now."""
        self._readers.clear()

    # Preview and commit

    def preview(self, arguments: Mapping[str, JsonValue], table: Table | None = None) -> PendingEdit:
        """Make the version that `arguments` of `edit_table` describe, of `table` or of the one that they name."""
        from tabchat.engine.edits.versions import edit_for, edit_version

        named = arguments.get("table")
        table = table or self.session.table(None if named is None else str(named))
        fields = {name: value for name, value in arguments.items() if name != "table"}
        week_start = self.session.settings.week_start
        edit = edit_for(fields, table.schema, week_start=week_start)
        found = edit_version(
            self.session.engine, self.session.cache, self.stored(table), edit, week_start=week_start
        )
        return self._pending(found)

    def preview_frame(self, rows: pa.Table, label: str, table: Table) -> PendingEdit:
        """Make the version that holds `rows`, the outcome of code that was said to edit `table`."""
        from tabchat.engine.edits.frames import frame_version

        session = self.session
        found = frame_version(session.engine, session.cache, self.stored(table), rows, label=label)
        return self._pending(found)

    def commit(self, pending: PendingEdit) -> None:
        """Make a previewed version the table; what was undone before can be redone no more."""
        current = self.session.tables.get(pending.table)
        if current is None or current.version != pending.before.version:
            message = f"Table {pending.table!r} has changed since the edit was previewed."
            raise PlanError(message, hint="Preview it again.", code="table_changed")
        dropped = self._steps[self._done :]
        self._steps = [*self._steps[: self._done], pending]
        limit = self.session.settings.undo_versions
        dropped += self._steps[: max(len(self._steps) - limit, 0)]
        self._steps = self._steps[max(len(self._steps) - limit, 0) :]
        self._done = len(self._steps)
        self.session.replace_table(pending.after, hides=pending.hides)
        self.happened.append(("made", pending))
        self._release(dropped)

    def discard(self, pending: PendingEdit) -> None:
        """Forget a previewed version that nobody wants."""
        if pending.is_new and pending.after.version not in self._held():
            self.session.cache.discard(pending.after.version)

    def saved(self, table: Table) -> None:
        """Take note that a version was written to a file."""
        self._saved.add(table.version)

    @property
    def unsaved(self) -> tuple[Table, ...]:
        """The tables with edits that no file has."""
        tables = self.session.tables.values()
        return tuple(table for table in tables if table.edits and table.version not in self._saved)

    @property
    def undoable(self) -> int:
        """How many edits can be undone one after the other."""
        return self._done

    @property
    def redoable(self) -> int:
        """How many edits can be redone one after the other."""
        return len(self._steps) - self._done

    def undo(self) -> PendingEdit:
        """Take the last edit back and return what that does; raises `PlanError` (`undo_empty`)."""
        if not self._done:
            most = self.session.settings.undo_versions
            message = "There is no edit to undo."
            hint = f"The last {most} edits can be undone"
            hint += f"; redo makes {self._steps[0].text!r} again." if self._steps else "."
            raise PlanError(message, hint=hint, code="undo_empty")
        step = self._steps[self._done - 1]
        self._done -= 1
        # What the edit hid is gone with it: a name that no column bears could not be hidden again.
        self.session.replace_table(step.before, shows=step.hides)
        self.happened.append(("undone", step))
        return replace(step, before=step.after, after=step.before, summary=step.summary.inverted(), hides=())

    def redo(self) -> PendingEdit:
        """Make the edit again that was undone last; raises `PlanError` (`redo_empty`)."""
        if self._done == len(self._steps):
            hint = "An edit can be redone after undo, until another edit is made."
            raise PlanError("There is no edit to redo.", hint=hint, code="redo_empty")
        step = self._steps[self._done]
        self._done += 1
        self.session.replace_table(step.after, hides=step.hides)
        self.happened.append(("redone", step))
        return step

    # Sessions that go on

    @property
    def steps(self) -> Sequence[PendingEdit]:
        """The edits that can be undone, and after them those that can be redone."""
        return tuple(self._steps)

    @property
    def saved_versions(self) -> Collection[str]:
        """The versions that were written to a file."""
        return frozenset(self._saved)

    def restore(self, steps: Sequence[PendingEdit], done: int, saved: Collection[str]) -> None:
        """Take over the edits of an earlier run, of which the first `done` are in effect; the tables are as they left them."""
        self._steps, self._done, self._saved = list(steps), done, set(saved)

    # What a model may do

    def edit(self, table: Table, arguments: Mapping[str, JsonValue]) -> AppliedEdit:
        """Carry out an edit of a model, once the person agrees; raises `DeclinedError`."""
        return self._agreed(self.preview(arguments, table))

    def edit_rows(self, table: Table, rows: pa.Table, label: str) -> AppliedEdit:
        """Let the outcome of a model's code be the table, once the person agrees; raises `DeclinedError`."""
        return self._agreed(self.preview_frame(rows, label, table))

    def _agreed(self, pending: PendingEdit) -> AppliedEdit:
        if self.confirm is None or not self.confirm(pending):
            self.discard(pending)
            why = "nobody can be asked here" if self.confirm is None else "the person did not agree"
            message = f"The edit was not made: {why}. The table is as it was."
            raise DeclinedError(message, hint="Do not try it again; answer from the table as it is.")
        self.commit(pending)
        return _applied(pending)

    def go_back(self) -> AppliedEdit:
        """Undo, for a model."""
        return _applied(self.undo())

    def go_forward(self) -> AppliedEdit:
        """Redo, for a model."""
        return _applied(self.redo())

    # Inside

    def stored(self, table: Table) -> Table:
        """Return `table` as a stored version: one that was only sampled is read in full first."""
        if table.stored:
            return table
        self._read_in_full()
        return self.session.tables[table.name]

    def _pending(self, found: EditedTable) -> PendingEdit:
        from tabchat.engine.edits.wording import describe_edit

        return PendingEdit(
            before=found.before,
            after=found.after,
            summary=found.summary,
            edit=found.edit,
            text=describe_edit(found.edit),
            is_new=found.is_new,
            hides=newly_hidden(found, self.session.settings.hide),
        )

    def _held(self) -> set[str]:
        tables = self.session.tables.values()
        steps = [version for step in self._steps for version in (step.before.version, step.after.version)]
        return {*steps, *(table.version for table in tables)}

    def _release(self, dropped: list[PendingEdit]) -> None:
        """Let the cache evict versions that nothing leads back to, when it needs the room."""
        held = self._held()
        for step in dropped:
            for table in (step.before, step.after):
                if table.edits and table.version not in held:
                    self.session.cache.release(table.version)


def _applied(pending: PendingEdit) -> AppliedEdit:
    from tabchat.tools.editing import AppliedEdit

    twins = pending.before.report.twins
    return AppliedEdit(table=pending.table, text=pending.text, summary=pending.summary, twins=twins)


def newly_hidden(found: EditedTable, hide: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of the new version that would show what `hide` keeps from models.

    A hidden column under a new name, and cells that were computed from one.
    """
    before = hidden_names(found.before, hide)
    if not before:
        return ()
    summary = found.summary
    shown = {new for old, new in summary.renamed_columns.items() if old in before}
    if found.reads & before:
        shown |= {*summary.added_columns, *summary.changed_columns, *summary.retyped_columns}
    shown -= hidden_names(found.after, hide)
    return tuple(f"{found.after.name}.{name}" for name in found.after.by_name if name in shown)
