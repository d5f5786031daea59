"""Kept results: shown, exported, and computed again when their rows are gone."""

from __future__ import annotations

import contextlib
import shlex
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.answers.receipts import Verification
from tabchat.chat.turn.answer import Answer, DataBlock
from tabchat.engine.result.result import Frame
from tabchat.errors import DataKeyError, TabchatError, UsageError
from tabchat.record import mutable
from tabchat.session.engines import new_engine
from tabchat.tools.hiding import without_columns
from tabchat.tools.lineage import hidden_in, lineage, plan_settings, stored
from tabchat.tools.registry import Workspace
from tabchat.tools.results import attach_result, frame_in, kept_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import BinaryIO

    from tabchat.config import Settings
    from tabchat.engine.bounded.engine import BoundedDuckDBEngine
    from tabchat.engine.reader import TableCache
    from tabchat.engine.result.result import Result
    from tabchat.engine.table import Table
    from tabchat.export import ExportFormat, ExportReport
    from tabchat.session.code import CodeRunner
    from tabchat.store import DataStore, ResultRecipe, StoredResult, TableRef
    from tabchat.tools.editing import Editor


TOOLS: Final = {"plan": "run_query", "sql": "run_sql", "code": "run_python"}
"""The tool behind each kind of recipe."""


@mutable
class KeptResults:
    """The results in a store, seen from a session that may have their tables open."""

    settings: Settings
    root: Path
    engine: BoundedDuckDBEngine
    store: DataStore
    scratch: DataStore
    """Where results stay, for this session only, when `store` cannot be written."""
    cache: TableCache
    tables: Mapping[str, Table]
    """The open tables; the session's own mapping."""
    run_code: CodeRunner | None = None
    """Runs pandas code in a process of its own."""
    editor: Editor | None = None
    """Changes the open tables for a model."""
    _engines: list[BoundedDuckDBEngine] = field(default_factory=list)

    def close(self) -> None:
        """Release the engines that older table versions needed."""
        for engine in self._engines:
            engine.close()

    def workspace(self, settings: Settings) -> Workspace:
        """Return the open tables and these results as the person's own plans and SQL see them."""
        return Workspace(
            engine=self.engine,
            sql_engine=self.engine.for_sql(),
            tables=self.tables,
            store=self.store,
            scratch=self.scratch,
            privacy=settings.privacy,
            preview_rows=settings.preview_rows,
            sessions=settings.sessions,
            week_start=settings.week_start,
            is_person=True,
            run_code=self.run_code,
            editor=self.editor,
            recompute=self.recent,
            behind=self.source,
        )

    def recent(self, key: str) -> Result:
        """Return a result of this session, whether or not the store could keep it."""
        try:
            return self.result(key)
        except TabchatError as error:
            try:
                return self._result_in(self.scratch, key)
            except DataKeyError:
                raise error from None

    def show(self, key: str) -> Answer:
        """Return a kept result as an answer; recomputes a frame that was evicted."""
        from tabchat.tools.recipes import recipe_name

        entry = self.store.get(key)
        block = DataBlock(
            tool=recipe_name(entry.recipe) or TOOLS[entry.recipe.kind],
            result=self.result(key),
            data_key=key,
            summary=entry.summary,
            title=entry.title,
        )
        return Answer(
            question=entry.question or "", blocks=(block,), verification=Verification(status="not_applicable")
        )

    def result(self, key: str) -> Result:
        """Return the result behind `key`; raises `DataKeyError` when it is unknown, expired or out of date."""
        return self._result_in(self.store, key)

    def _result_in(self, store: DataStore, key: str) -> Result:
        entry = store.get(key)
        frame = store.frame(key, self.engine)
        return self._recompute(key, entry.recipe) if frame is None else kept_result(entry, frame)

    def source(self, key: str) -> Frame | None:
        """Return the source rows behind `key`, or nothing when the result is its own source."""
        entry = stored(self.store, self.scratch, key)
        if entry.recipe.kind == "code":
            return self._rows_behind(key, entry)
        return self._recompute(key, entry.recipe).source

    def _rows_behind(self, key: str, entry: StoredResult) -> Frame | None:
        """Return the table that code ran over, without running it again; nothing when its result is a table."""
        if entry.source_row_count is None:
            return None
        from tabchat.engine.plan.relation import visible_rows

        engine, tables = self._versions(key, entry.recipe)
        (table,) = tables.values()
        return Frame(engine=engine, query=visible_rows(table), schema=table.schema, row_count=table.row_count)

    def export(
        self,
        key: str,
        target: Path | BinaryIO,
        fmt: ExportFormat | None = None,
        *,
        source: bool = False,
        force: bool = False,
        guard_formulas: bool = False,
    ) -> ExportReport:
        """Write every row of a kept result, or of its source rows, to a file or a stream."""
        from tabchat.export import export_frame

        entry = self.store.get(key)
        frame = self.source(key) if source else self.result(key).frame
        if frame is None:
            message = f"{key} is a table of its own: it has no separate source rows."
            raise UsageError(message, hint=f"Export the result itself: tabchat export {key}.")
        return export_frame(
            frame,
            target,
            fmt,
            force=force,
            guard_formulas=guard_formulas,
            title=entry.title,
            protected=self.protected(key),
        )

    def protected(self, key: str | None = None) -> tuple[Path, ...]:
        """Return what no export may write to: the files of the open tables, those that a result was computed from, our own."""
        found = {str(path) for table in self.tables.values() for path in table.paths}
        if key is not None:
            # A result that is in no store any more was computed from the open tables.
            with contextlib.suppress(DataKeyError):
                found |= self._sources(stored(self.store, self.scratch, key).recipe)
        own = [self.root / name for name in ("tables", "results", "responses")]
        own += [self.settings.data_dir / name for name in ("secret", "egress", "sessions")]
        return (*(Path(source) for source in sorted(found - {"-"})), *own)

    def _sources(self, recipe: ResultRecipe) -> set[str]:
        """Return the files behind a result, also through the results that it was computed from."""
        try:
            steps = tuple(lineage(self.workspace(self.settings), recipe))
        except DataKeyError:
            steps = (recipe,)
        return {table.source for step in steps for table in step.tables if table.result_key is None}

    def _recompute(self, key: str, recipe: ResultRecipe) -> Result:
        if recipe.kind == "code":
            # Code need not give the same twice, and a key stands for one result.
            message = f"The rows of {key} have expired, and code is not run again on its own."
            raise DataKeyError(message, hint="Run the code again: tabchat run FILE CODE.", code="key_expired")
        engine, tables = self._versions(key, recipe)
        if recipe.kind == "analysis":
            from tabchat.tools.recipes import run_again

            return run_again(engine, tables, recipe)
        if recipe.kind == "sql":
            from tabchat.engine.sql.query import run_sql

            return run_sql(engine, tables, recipe.sql or "", written=engine.for_sql(self.settings.timeout))
        from tabchat.engine.plan.query_plan import parse_plan
        from tabchat.engine.query import run_plan

        (table,) = tables.values()
        sessions, week_start = plan_settings(recipe)
        plan = parse_plan(recipe.plan or {})
        return run_plan(engine, table, plan, sessions=sessions, week_start=week_start)

    def _versions(self, key: str, recipe: ResultRecipe) -> tuple[BoundedDuckDBEngine, Mapping[str, Table]]:
        """Return the very tables that a result was computed from, and an engine that has them.

        Another version of a file may be open under the same name, so older ones
        get an engine of their own.
        """
        files = [reference for reference in recipe.tables if reference.result_key is None]
        open_now = {
            name: table for name, table in self.tables.items() if (name, table.version) in _named(files)
        }
        if len(open_now) == len(files):
            engine, tables = self.engine, open_now
        else:
            engine = new_engine(self.settings, self.root)
            self._engines.append(engine)
            tables = {reference.name: self._reopen(engine, key, reference) for reference in files}
            for table in tables.values():
                engine.attach(table.name, table.scan, table.files)
        results = {
            reference.result_key: self._attached(reference.result_key, engine)
            for reference in recipe.tables
            if reference.result_key is not None
        }
        found = {**tables, **results}
        hidden = zip(recipe.tables, hidden_in(recipe), strict=True)
        return engine, {
            reference.name: without_columns(found[reference.name], names) for reference, names in hidden
        }

    def _attached(self, key: str, engine: BoundedDuckDBEngine) -> Table:
        """Return the result behind `key` as a table in `engine`, computed again when its rows are gone."""
        workspace = self.workspace(self.settings)
        entry = stored(self.store, self.scratch, key)
        return attach_result(engine, key, frame_in(engine, workspace, entry))

    def _reopen(self, engine: BoundedDuckDBEngine, key: str, reference: TableRef) -> Table:
        from tabchat.session.reopening import reopen

        return reopen(
            engine,
            self.cache,
            reference,
            wanted_by=key,
            hint=f"Ask the question again: tabchat ask {shlex.quote(str(reference.source))} …",
            settings=self.settings,
        )


def _named(references: Sequence[TableRef]) -> set[tuple[str, str]]:
    return {(reference.name, reference.version) for reference in references}
