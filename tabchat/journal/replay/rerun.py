"""What was computed once, computed again on another file, and what is different there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.edits.versions import FRAME
from tabchat.engine.nearest import nearest
from tabchat.engine.table import ReadOptions
from tabchat.errors import DataKeyError, PlanError, TabchatError, UsageError
from tabchat.journal.document.document import Step
from tabchat.journal.document.drafting import computed_by
from tabchat.journal.replay.figures import figures_of
from tabchat.journal.replay.replay import Outcome, Replay
from tabchat.record import record
from tabchat.session.reopening import reopen_in
from tabchat.tools.lineage import stored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.reader import Progress
    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.journal.replay.figures import Difference
    from tabchat.session import Session
    from tabchat.store.entry import StoredResult
    from tabchat.store.recipe import TableRef

COMPARED_ROWS: Final = 100_000
"""Rows up to which two results are compared row by row; of longer ones, the totals of their columns."""


@record
class SchemaDrift:
    """How the columns of a table differ from those that the result was computed from."""

    table: str
    missing: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str, str], ...] = ()
    """Columns of another kind now: name, was, is."""
    is_known: bool = True
    """False when the columns that there were are not kept any more."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{table, known, missing, new, kind_changed}`."""
        return {
            "table": self.table,
            "known": self.is_known,
            "missing": list(self.missing),
            "new": list(self.new),
            "kind_changed": [{"column": name, "was": was, "is": now} for name, was, now in self.kinds],
        }


@record
class Rerun:
    """A result and the same thing computed on other files."""

    key: str
    was: StoredResult
    answer: Answer
    schema: tuple[SchemaDrift, ...]
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, JsonValue]:
        """Return what `--json` prints of it beside the answer."""
        return {
            "key": self.key,
            "row_count_was": self.was.row_count,
            "schema": [drift.to_json() for drift in self.schema],
            "differences": [difference.to_json() for difference in self.differences],
        }


class Rerunning:
    """One result's way back to its files, to be gone again from other files."""

    def __init__(self, session: Session, text: str) -> None:
        """Find the result that `text` stands for; raises `DataKeyError` for one that is unknown."""
        self.session = session
        self.key = session.key(text)
        self._lineage = tuple(_lineage(session, self.key))
        self.was = self._lineage[-1]
        self.tables: dict[str, TableRef] = {}
        """Name → the version of a file that it was computed from."""
        for entry in self._lineage:
            for reference in entry.recipe.tables:
                if reference.result_key is None:
                    known = self.tables.setdefault(reference.name, reference)
                    if known.version != reference.version:
                        message = f"{self.key} was computed from two versions of {reference.name}."
                        raise UsageError(message, hint="Run a result again that reads one of them.")

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """The settings that the result depends on."""
        found: dict[str, JsonValue] = {}
        for entry in self._lineage:
            found |= entry.recipe.settings
        return {name: found[name] for name in ("week_start", "sessions") if found.get(name)}

    def open(
        self, files: Sequence[tuple[str | None, Path]], progress: Progress | None = None
    ) -> tuple[SchemaDrift, ...]:
        """Open the files in the place of the tables, with the same options and edits; returns how their columns differ.

        A table that no file is given for is opened at the version that it was at. Raises `UsageError` for a table that
        there is none of, `PlanError` for edits that cannot be made again, and what opening a file raises.
        """
        given = self._placed(files)
        drifts = []
        for name, reference in self.tables.items():
            if name not in given:
                self.session.replace_table(self._reopened(reference))
                continue
            old = self._known(reference)
            options = ReadOptions.from_json(reference.options)
            self.session.add(given[name], options=options, name=name, progress=progress)
            for edit in reference.edits:
                self._edit(name, edit)
            drifts.append(_drift(old, self.session.tables[name]))
        return tuple(drifts)

    def run(self, drifts: tuple[SchemaDrift, ...]) -> Rerun:
        """Compute everything on the way to the result, and the result; raises what computing it raises.

        A column that is missing now and that SQL or code names is an error with the nearest names.
        """
        steps = [self._step(place, entry) for place, entry in enumerate(self._lineage)]
        for entry in self._lineage:
            for drift in drifts:
                self._check_columns(entry, drift)
        outcomes: list[Outcome] = []
        for outcome in Replay(self.session, COMPARED_ROWS).run(steps):
            if outcome.error is not None:
                raise outcome.error
            outcomes.append(outcome)
        last = outcomes[-1]
        if last.answer is None:
            raise TabchatError("The result was computed without an answer.")
        return Rerun(
            key=self.key, was=self.was, answer=last.answer, schema=drifts, differences=last.differences
        )

    def _placed(self, files: Sequence[tuple[str | None, Path]]) -> Mapping[str, Path]:
        """Return table → the file in its place."""
        if not self.tables:
            message = f"{self.key} was computed from no file."
            raise UsageError(message, hint="Run a result again that reads a table: tabchat results")
        placed: dict[str, Path] = {}
        for name, path in files:
            chosen = name
            if chosen is None:
                free = [known for known in self.tables if known not in placed]
                if len(self.tables) > 1 or not free:
                    message = f"{self.key} was computed from {', '.join(self.tables)}: it is not clear which {path} is for."
                    raise UsageError(message, hint=f"--on {next(iter(self.tables))}={path}")
                chosen = free[0]
            if chosen not in self.tables:
                near = nearest(chosen, self.tables) or tuple(self.tables)
                message = f"{self.key} was not computed from a table {chosen!r}."
                raise UsageError(message, hint=f"--on {near[0]}=FILE; its tables: {', '.join(self.tables)}.")
            placed[chosen] = path
        return placed

    def _reopened(self, reference: TableRef) -> Table:
        hint = f"Name a file for it: --on {reference.name}=FILE"
        return reopen_in(self.session, reference, hint=hint)

    def _known(self, reference: TableRef) -> Table | None:
        """Return the table as it was; nothing when it is not kept and cannot be read as it was."""
        try:
            return self._reopened(reference)
        except DataKeyError:
            return None

    def _edit(self, name: str, recorded: Mapping[str, JsonValue]) -> None:
        edit = recorded.get("edit")
        if not isinstance(edit, dict) or edit.get("operation") == FRAME:
            message = f"{self.key} was computed from {name} as code had changed it, and code is not run again on its own."
            raise PlanError(message, hint="Change the new file by tabchat edit, and ask again.")
        self.session.commit(self.session.preview_edit({**edit, "table": name}))

    def _step(self, place: int, entry: StoredResult) -> Step:
        numbers = {earlier.key: number for number, earlier in enumerate(self._lineage[:place], start=1)}
        uses = {
            reference.result_key: numbers[reference.result_key]
            for reference in entry.recipe.tables
            if reference.result_key is not None
        }
        does: dict[str, JsonValue] = {"ask": entry.question or entry.title or "", **computed_by(entry.recipe)}
        is_last = place == len(self._lineage) - 1
        was = figures_of(self.session.result(self.key), most=COMPARED_ROWS) if is_last else None
        return Step(does={**does, "uses": dict(uses)} if uses else does, expect=was)

    def _check_columns(self, entry: StoredResult, drift: SchemaDrift) -> None:
        text = entry.recipe.sql or str((entry.recipe.plan or {}).get("code", ""))
        if not text or not drift.missing:
            return
        now = list(self.session.tables[drift.table].by_name)
        for name in drift.missing:
            if name in _named_in(entry, text):
                near = nearest(name, now) or now[:5]
                message = (
                    f"{drift.table} has no column {name!r} any more, which {self.key} was computed from."
                )
                source = self.session.tables[drift.table].source
                mend = f'tabchat edit {source} "rename {near[0]} to {name}" -o NEW_FILE'
                raise PlanError(message, hint=f"Nearest: {', '.join(near)}. To rename it: {mend}")


def _named_in(entry: StoredResult, text: str) -> frozenset[str]:
    """Return the names that SQL or code may call columns by."""
    if entry.recipe.sql is not None:
        import sqlglot
        from sqlglot import exp

        return frozenset(
            column.name for column in sqlglot.parse_one(text, dialect="duckdb").find_all(exp.Column)
        )
    import ast

    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return frozenset(found)


def _lineage(session: Session, key: str) -> Iterator[StoredResult]:
    """Yield the entries that a result was computed from, each after those that it reads, and the result's own last."""
    seen: dict[str, StoredResult] = {}

    def visit(wanted: str) -> None:
        entry = stored(session.store, session.scratch, wanted)
        for reference in entry.recipe.tables:
            if reference.result_key is not None and reference.result_key not in seen:
                visit(reference.result_key)
        seen[wanted] = entry

    visit(key)
    yield from seen.values()


def _drift(old: Table | None, new: Table) -> SchemaDrift:
    if old is None:
        return SchemaDrift(table=new.name, is_known=False)
    before, after = old.by_name, new.by_name
    return SchemaDrift(
        table=new.name,
        missing=tuple(name for name in before if name not in after),
        new=tuple(name for name in after if name not in before),
        kinds=tuple(
            (name, column.kind.value, after[name].kind.value)
            for name, column in before.items()
            if name in after and after[name].kind is not column.kind
        ),
    )
