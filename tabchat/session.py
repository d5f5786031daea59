"""The composition root: opens tables, engine and store, and answers questions, plans and SQL over them."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from tabchat.chat.answer import Answer, DataBlock, Verification
from tabchat.chat.events import Done, Failed
from tabchat.chat.loop import run_turn
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.query import run_plan
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.result import Result
from tabchat.engine.table import ReadOptions
from tabchat.errors import (
    DataKeyError,
    InterruptedByUserError,
    QueryFailedError,
    QueryTimeoutError,
    TabchatError,
    UsageError,
)
from tabchat.store import DiskStore, InMemoryDataStore
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import BinaryIO

    from tabchat.chat.events import Event
    from tabchat.chat.messages import Message
    from tabchat.chat.model import Model
    from tabchat.config import Settings
    from tabchat.engine.profile import TableProfile
    from tabchat.engine.reader import Progress
    from tabchat.engine.result import Frame
    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.export import ExportFormat, ExportReport
    from tabchat.store import DataStore, ResultRecipe, StoredResult, TableRef

_CANCEL_EVERY: Final = 0.05
"""Seconds between two attempts to stop a query that is past its time."""

HISTORY_TURNS: Final = 20
"""Turns that a follow-up question can refer to."""


@dataclass
class Session:
    """One person's work on some tables; the only object that holds changing state."""

    settings: Settings
    engine: DuckDBEngine
    store: DataStore
    cache: TableCache
    root: Path
    """Folder of everything that is kept: the cache folder, or one that is removed at the end."""
    scratch: DataStore = field(default_factory=InMemoryDataStore)
    """Where results stay when `store` cannot be written."""
    tables: dict[str, Table] = field(default_factory=dict)
    current_name: str | None = None
    models: Sequence[Model] | None = None
    """Who answers questions, in order; the offline planner when not set."""
    history: list[Answer] = field(default_factory=list)
    _messages: list[tuple[Message, ...]] = field(default_factory=list)
    _side_engines: list[DuckDBEngine] = field(default_factory=list)

    @classmethod
    def open(
        cls,
        sources: Sequence[str | Path],
        *,
        settings: Settings,
        options: ReadOptions | None = None,
        progress: Progress | None = None,
        direct: bool = False,
        models: Sequence[Model] | None = None,
    ) -> Self:
        """Open `sources` as tables.

        `direct` lets a large file that was never read be scanned where it lies,
        for a single question. Raises `InputError` for a file that cannot be read.
        """
        root = Path(tempfile.mkdtemp(prefix="tabchat-")) if settings.no_cache else settings.cache_dir
        cache = TableCache(root / "tables", max_bytes=settings.cache_size)
        files = [Path(source).absolute() for source in sources if direct and str(source) != "-"]
        store = DiskStore(
            root / "results",
            secret_path=settings.data_dir / "secret",
            max_bytes=settings.result_size,
            ttl=settings.result_ttl,
        )
        session = cls(
            settings=settings,
            engine=_engine(settings, root, files),
            store=store,
            cache=cache,
            models=models,
            root=root,
        )
        try:
            for source in sources:
                session.add(source, options=options, progress=progress, direct=direct)
        except BaseException:
            session.close()
            raise
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the engine and the store; with `no_cache`, also everything that was kept."""
        for engine in (self.engine, *self._side_engines):
            engine.close()
        self.store.close()
        self.cache.close()
        if self.settings.no_cache:
            shutil.rmtree(self.root, ignore_errors=True)

    # Tables

    def add(
        self,
        source: str | Path,
        *,
        options: ReadOptions | None = None,
        progress: Progress | None = None,
        direct: bool = False,
        name: str | None = None,
    ) -> Table:
        """Open one more table and make it the current one if there is none."""
        table = open_table(
            source,
            options=options or ReadOptions(),
            cache=self.cache,
            name=name,
            taken=() if name else tuple(self.tables),
            progress=progress,
            direct=direct,
        )
        self.engine.attach(table.name, table.scan)
        self.tables[table.name] = table
        self.current_name = self.current_name or table.name
        return table

    @property
    def current(self) -> Table:
        """The table that a question is about unless it says otherwise."""
        if self.current_name is None:
            message = "No table is open."
            raise UsageError(message, hint="Start with a file: tabchat repl FILE.")
        return self.tables[self.current_name]

    def use(self, name: str) -> Table:
        """Make `name` the current table."""
        table = self._table(name)
        self.current_name = name
        return table

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            message = f"There is no table {name!r}."
            raise UsageError(message, hint=f"Open tables: {', '.join(self.tables)}.")
        return self.tables[name]

    def profile(self, name: str | None = None) -> TableProfile:
        """Profile a table, the current one by default."""
        from tabchat.engine.profile import profile_table

        table = self.current if name is None else self._table(name)
        with self._deadline():
            return profile_table(self.engine, table)

    # Questions, plans and SQL

    @property
    def last(self) -> Answer | None:
        """The last answer that there was."""
        return self.history[-1] if self.history else None

    def ask(self, question: str) -> Iterator[Event]:
        """Answer a question; the last event is `Done` or `Failed`."""
        with self._deadline() as deadline:
            for event in self._turn(question):
                if isinstance(event, Failed) and self._read_in_full(event.error):
                    yield from self._turn(question)
                    return
                if isinstance(event, Failed):
                    yield Failed(error=deadline.explain(event.error), answer=event.answer)
                    return
                yield event

    def _turn(self, question: str) -> Iterator[Event]:
        for event in run_turn(
            question,
            models=self.models if self.models is not None else (self._planner(),),
            executor=self._executor(),
            history=[message for turn in self._messages for message in turn],
            table=self.current.name,
        ):
            if isinstance(event, Done):
                self._remember(event)
            yield event

    def _read_in_full(self, error: TabchatError) -> bool:
        """After a query failed on a file that was only sampled, read the file whole; true if that was done."""
        sampled = [table for table in self.tables.values() if not table.stored]
        if not sampled or not isinstance(error, QueryFailedError):
            return False
        for table in sampled:
            self.add(table.source, options=table.options, name=table.name)
        return True

    def store_in_background(self) -> None:
        """Leave a detached process behind that reads sampled files into the cache for the next question."""
        for table in self.tables.values():
            if table.stored or self.settings.no_cache:
                continue
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "tabchat",
                    "cache",
                    "build",
                    str(table.source),
                    *_flags(table.options),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )

    def answer(self, question: str) -> Answer:
        """Answer a question and return only its last word; failures are in `Answer.error`."""
        last: Event | None = None
        for event in self.ask(question):
            last = event
        if isinstance(last, (Done, Failed)):
            return last.answer
        message = "The turn ended without an answer."
        raise TabchatError(message)

    def query(self, plan: Mapping[str, JsonValue]) -> Answer:
        """Run a QueryPlan on the current table; raises `PlanValidationError` with every issue."""
        from tabchat.engine.query import plan_for

        # The person's own plan gets every error of it, with hints, rather than a tool's refusal.
        plan_for(plan, self.current.schema, sessions=self.settings.sessions)
        return self._compute("run_query", {"table": self.current.name, **plan})

    def sql(self, text: str) -> Answer:
        """Run one SELECT over the open tables; raises `SqlRefusedError` or `QueryFailedError`."""
        return self._compute("run_sql", {"sql": text})

    def cancel(self) -> None:
        """Stop the running query; safe to call from another thread."""
        self.engine.cancel()

    def _compute(self, tool: str, arguments: Mapping[str, JsonValue]) -> Answer:
        with self._deadline() as deadline:
            outcome = self._executor().run(tool, arguments)
        if outcome.failure is not None:
            raise deadline.explain(outcome.failure)
        if outcome.result is None:
            message = f"{tool} gave no result."
            raise TabchatError(message)
        block = DataBlock(
            tool=tool,
            result=outcome.result,
            data_key=outcome.envelope.data_key if outcome.is_kept else None,
            summary=outcome.envelope.summary,
            title=outcome.title,
        )
        warnings = (*outcome.result.metadata.warnings, *outcome.warnings)
        answer = Answer(question="", blocks=(block,), warnings=warnings)
        self.history.append(answer)
        return answer

    def _executor(self) -> ToolExecutor:
        workspace = Workspace(
            engine=self.engine,
            tables=self.tables,
            store=self.store,
            scratch=self.scratch,
            privacy=self.settings.privacy,
            sessions=self.settings.sessions,
            week_start=self.settings.week_start,
        )
        return ToolExecutor.for_workspace(workspace)

    def _planner(self) -> Model:
        from tabchat.planner import OfflinePlanner

        return OfflinePlanner.for_tables(self.engine, self.tables, results=self._recent_result)

    def _recent_result(self, key: str) -> Result:
        """Return a result of this session, whether or not the store could keep it."""
        try:
            return self.result(key)
        except TabchatError:
            return self._result_in(self.scratch, key)

    def _remember(self, event: Done) -> None:
        self.history.append(event.answer)
        self._messages.append(event.messages)
        del self._messages[:-HISTORY_TURNS]

    @contextlib.contextmanager
    def _deadline(self) -> Iterator[_Deadline]:
        deadline = _Deadline(self.settings.timeout, self.engine)
        deadline.start()
        try:
            yield deadline
        finally:
            deadline.stop()

    # Kept results

    def results(self) -> tuple[StoredResult, ...]:
        """Return the kept results, newest first."""
        return self.store.list()

    def show(self, key: str) -> Answer:
        """Return a kept result as an answer; recomputes a frame that was evicted."""
        entry = self.store.get(key)
        block = DataBlock(
            tool="run_query" if entry.recipe.kind == "plan" else "run_sql",
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
        if frame is None:
            return self._recompute(key, entry.recipe)
        return Result(
            kind=entry.kind,
            frame=frame,
            value=entry.value,
            values=entry.values,
            source_row_count=entry.source_row_count,
            chart=entry.chart,
            group_by=entry.group_by,
            focus=entry.focus,
            metadata=entry.metadata,
            plan=entry.recipe.plan,
            sql=entry.sql,
        )

    def source(self, key: str) -> Frame | None:
        """Return the source rows behind `key`, or nothing when the result is its own source."""
        return self._recompute(key, self.store.get(key).recipe).source

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
        protected = [Path(table.source) for table in entry.recipe.tables if table.source != "-"]
        return export_frame(
            frame,
            target,
            fmt,
            force=force,
            guard_formulas=guard_formulas,
            title=entry.title,
            protected=protected,
        )

    def _recompute(self, key: str, recipe: ResultRecipe) -> Result:
        engine, tables = self._versions(key, recipe)
        if recipe.kind == "sql":
            from tabchat.engine.sql import run_sql

            return run_sql(engine, tables, recipe.sql or "")
        from tabchat.engine.plan import parse_plan

        (table,) = tables.values()
        plan = parse_plan(recipe.plan or {})
        return run_plan(
            engine, table, plan, sessions=self.settings.sessions, week_start=self.settings.week_start
        )

    def _versions(self, key: str, recipe: ResultRecipe) -> tuple[DuckDBEngine, Mapping[str, Table]]:
        """Return the very table versions that a result was computed from, and an engine that has them.

        Another version of a file may be open under the same name, so older ones
        get an engine of their own.
        """
        open_now = [self.tables.get(reference.name) for reference in recipe.tables]
        if all(
            table is not None and table.version == reference.version
            for table, reference in zip(open_now, recipe.tables, strict=True)
        ):
            return self.engine, {table.name: table for table in open_now if table is not None}
        engine = _engine(self.settings, self.root, ())
        self._side_engines.append(engine)
        tables = {reference.name: self._reopen(key, reference) for reference in recipe.tables}
        for table in tables.values():
            engine.attach(table.name, table.scan)
        return engine, tables

    def _reopen(self, key: str, reference: TableRef) -> Table:
        hint = f"Ask the question again: tabchat ask {reference.source} …"
        cached = self.cache.load(reference.version, name=reference.name)
        if cached is not None:
            return cached
        try:
            table = open_table(
                reference.source,
                options=ReadOptions.from_json(reference.options),
                cache=self.cache,
                name=reference.name,
            )
        except TabchatError as error:
            message = f"The rows of {key} have expired, and its source cannot be read again: {error.message}"
            raise DataKeyError(message, hint=hint, code="key_expired") from error
        if table.version != reference.version:
            message = f"The source of {key}, {reference.source}, has changed since the result was computed."
            raise DataKeyError(message, hint=hint, code="source_changed")
        return table


def _engine(settings: Settings, root: Path, files: Sequence[Path]) -> DuckDBEngine:
    return DuckDBEngine(
        spill=root / "spill",
        folders=(root / "tables", root / "results"),
        files=files,
        memory_limit=settings.memory_limit,
        threads=settings.threads,
    )


def _flags(options: ReadOptions) -> list[str]:
    """Return the command-line flags that say what `options` say."""
    flags = [
        part
        for name, value in (
            ("--input-format", options.input_format),
            ("--sheet", options.sheet),
            ("--delimiter", options.delimiter),
            ("--encoding", options.encoding),
            ("--decimal", options.decimal),
            ("--date-order", options.date_order),
        )
        if value is not None
        for part in (name, value)
    ]
    if options.header is not None:
        flags.append("--header" if options.header else "--no-header")
    if options.null_words is not None:
        flags += ["--null-words", ",".join(options.null_words)]
    for name, kind in options.types:
        flags += ["--type", f"{name}={kind}"]
    return flags


class _Deadline:
    """Cancels the engine when the time is up, and tells that apart from the person's own Ctrl-C."""

    def __init__(self, seconds: float | None, engine: DuckDBEngine) -> None:
        self._seconds = seconds
        self._engine = engine
        self._expired = threading.Event()
        self._stopped = threading.Event()

    def start(self) -> None:
        if self._seconds is not None:
            threading.Thread(target=self._watch, args=(self._seconds,), daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def explain(self, error: Exception) -> TabchatError:
        if self._expired.is_set() and isinstance(error, InterruptedByUserError):
            message = f"The query ran longer than {self._seconds:g} s and was stopped."
            return QueryTimeoutError(message, hint="Give it longer with --timeout, or ask for less.")
        return error if isinstance(error, TabchatError) else TabchatError(str(error))

    def _watch(self, seconds: float) -> None:
        wait = seconds
        while not self._stopped.wait(wait):
            # Between two queries there is nothing to cancel: ask until one was stopped.
            self._expired.set()
            self._engine.cancel()
            wait = _CANCEL_EVERY
