"""The composition root: opens tables, engine and store, and answers questions, plans and SQL over them."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tabchat.chat.turn.answer import Answer, DataBlock
from tabchat.chat.turn.events import Done, Failed, last_word
from tabchat.chat.turn.loop import run_turn
from tabchat.config import EngineName, Planner, check_model_name
from tabchat.engine.backends.duckdb_spare import SpareDatabase
from tabchat.engine.reader import TableCache, open_table, readable_files
from tabchat.engine.result.result import Frame
from tabchat.engine.table import ReadOptions
from tabchat.errors import PlanError, QueryFailedError, TabchatError, UsageError
from tabchat.record import mutable
from tabchat.sealed import SealedFolder
from tabchat.session.code import CodeRunner
from tabchat.session.conversation import Conversation, turn_of
from tabchat.session.deadline import Deadline
from tabchat.session.edits.versions import TableVersions
from tabchat.session.engines import limits_of, new_engine
from tabchat.session.kept import KeptResults
from tabchat.session.models import LanguageModel
from tabchat.session.panel import Panel
from tabchat.session.root import check_root, own_seal, result_store
from tabchat.session.starting import EngineOnDemand, load_answering
from tabchat.store import InMemoryDataStore
from tabchat.store.naming import full_key
from tabchat.tools.arguments import table_called
from tabchat.tools.hiding import check_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

    import pyarrow as pa

    from tabchat.audit import EgressLedger
    from tabchat.chat.turn.answer import Usage
    from tabchat.chat.turn.events import Event
    from tabchat.chat.turn.model import Model
    from tabchat.config import PrivacyLevel, Settings
    from tabchat.engine.facts import TableFacts
    from tabchat.engine.profile.profile import TableProfile
    from tabchat.engine.reader import Progress
    from tabchat.engine.result.result import Result
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, JsonValue
    from tabchat.export import ExportFormat, ExportReport
    from tabchat.sealed import Seal
    from tabchat.session.edits.versions import PendingEdit
    from tabchat.store import DataStore, StoredResult


@mutable
class Session:
    """One person's work on some tables; the only object that holds changing state."""

    settings: Settings
    engine: EngineOnDemand
    store: DataStore
    cache: TableCache
    root: Path
    """Folder of everything that is kept: the cache folder, or one that is removed at the end."""
    seal: Seal
    """What marks the files below `root` as the person's own."""
    scratch: DataStore = field(default_factory=InMemoryDataStore)
    """Where results stay when `store` cannot be written."""
    tables: dict[str, Table] = field(default_factory=dict)
    current_name: str | None = None
    progress: Progress | None = None
    """Told of files that are read while a question is answered."""
    models: Sequence[Model] | None = None
    """Who answers questions, in order; the offline planner when not set."""
    conversation: Conversation = field(default_factory=Conversation)
    known: dict[str, tuple[Table, TableFacts]] = field(default_factory=dict)
    """Name → the version whose facts were asked for last, and those; shared with forks."""
    code: CodeRunner = field(init=False)
    language: LanguageModel = field(init=False)
    kept: KeptResults = field(init=False)
    panel: Panel = field(init=False)
    versions: TableVersions = field(init=False)
    """Edits of the tables, to be previewed, committed, undone and redone."""

    def __post_init__(self) -> None:
        self.versions = TableVersions(self, self._read_in_full)
        self.code = CodeRunner(self.settings)
        self.kept = KeptResults(
            settings=self.settings,
            root=self.root,
            engine=self.engine,
            store=self.store,
            scratch=self.scratch,
            cache=self.cache,
            tables=self.tables,
            run_code=self.code,
            editor=self.versions,
        )
        self.language = LanguageModel(self.settings, self.root, self.seal)
        self.panel = self._new_panel()

    @classmethod
    def open(
        cls,
        sources: Sequence[str | Path],
        *,
        settings: Settings,
        options: ReadOptions | None = None,
        progress: Progress | None = None,
        direct: bool = False,
        talks: bool = False,
        runs_sql: bool = False,
        models: Sequence[Model] | None = None,
    ) -> Self:
        """Open `sources` as tables.

        `direct` lets a large text that was never read be scanned where it lies,
        for a single question, with which the process ends; `talks` says that a conversation follows, which will
        probably reach the model, and `runs_sql` that SQL of the person's own does.
        Raises `InputError` for a file that cannot be read.
        """
        with contextlib.ExitStack() as on_failure:
            root = settings.cache_dir
            if settings.no_cache:
                root = Path(tempfile.mkdtemp(prefix="tabchat-"))
                on_failure.callback(shutil.rmtree, root, ignore_errors=True)
            check_root(root)
            seal = own_seal(settings.data_dir)
            files = [path for source in sources for path in readable_files(source, direct=direct)]
            spare = SpareDatabase() if direct else None
            engine = EngineOnDemand(lambda: new_engine(settings, root, files, spare), ends_process=direct)
            on_failure.callback(engine.close)
            if sources and not direct:
                engine.begin(runs_sql=runs_sql)
            store = result_store(settings, root)
            session = cls(
                settings=settings,
                engine=engine,
                store=store,
                cache=TableCache(
                    root / "tables",
                    max_bytes=settings.cache_size,
                    seal=seal,
                    limits=limits_of(settings),
                ),
                models=models,
                progress=progress,
                root=root,
                seal=seal,
            )
            session.cache.spare = spare
            if (direct or talks) and settings.planner is not Planner.LLM:
                session.cache.meanwhile = load_answering
            session.cache.copies_arrow = settings.engine is EngineName.SPARK
            on_failure.callback(session.close)
            if talks or settings.planner is Planner.LLM:
                session.language.warm()
            for source in sources:
                session.add(source, options=options, progress=progress, direct=direct)
            if sources and options is not None:
                _check_sheet(options, session.tables)
            if sources:
                check_hidden(session.tables, settings.hide)
            on_failure.pop_all()
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the engine and the store; with `no_cache`, also everything that was kept."""
        self.code.close()
        self.kept.close()
        self.engine.close()
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
        if (far := self._far(source, options, name)) is not None:
            return self._added(far)
        table = open_table(
            source,
            options=options or ReadOptions(),
            cache=self.cache,
            name=name,
            taken=() if name else tuple(self.tables),
            progress=progress,
            direct=direct,
        )
        return self._added(table)

    def _far(self, source: str | Path, options: ReadOptions | None, name: str | None) -> Table | None:
        """Open a source that only Spark reads; nothing for any other, and without Spark."""
        if self.settings.engine is not EngineName.SPARK:
            return None
        from tabchat.engine.backends.spark.engine import SparkEngine
        from tabchat.engine.backends.spark.tables import is_far, open_far

        engine = self.engine.started()
        if not isinstance(engine, SparkEngine) or not is_far(str(source)):
            return None
        return open_far(
            engine,
            str(source),
            order_by=self.settings.order_by,
            name=name,
            taken=() if name else tuple(self.tables),
            input_format=options.input_format if options is not None else None,
        )

    def _added(self, table: Table) -> Table:
        self.engine.attach_table(table)
        self.tables[table.name] = table
        self.current_name = self.current_name or table.name
        return table

    @property
    def current(self) -> Table:
        """The table that a question is about unless it says otherwise."""
        if self.current_name is None:
            raise UsageError("No table is open.", hint="Start with a file: tabchat repl FILE.")
        return self.tables[self.current_name]

    def use(self, name: str) -> Table:
        """Make `name` the current table."""
        table = self.table(name)
        self.current_name = table.name
        return table

    def table(self, name: str | None = None) -> Table:
        """Return a table by its name or that of its file, whatever the case; the current one by default."""
        if name is None:
            return self.current
        found = table_called(name, self.tables)
        if found is None:
            message = f"There is no table {name!r}."
            raise UsageError(message, hint=f"Open tables: {', '.join(self.tables) or 'none'}.")
        return found

    def profile(self, name: str | None = None, *, spreads: bool = False) -> TableProfile:
        """Profile a table, the current one by default, with `spreads` of its numbers and dates."""
        from tabchat.engine.profile.cache import KEPT_PROFILES, cached_profile

        table = self.table(name)
        # A text that is parsed anew for every query may fail on a cell that is not looked at.
        folder = self._keep("profiles", KEPT_PROFILES) if table.stored else None
        with self._deadline():
            return cached_profile(self._looking(table), table, folder, spreads=spreads)

    def facts(self, name: str | None = None) -> TableFacts:
        """Return what is known of a table, the current one by default, without a query once it was asked."""
        from tabchat.engine.facts import facts_of

        table = self.table(name)
        known = self.known.get(table.name)
        # What was only sampled may have been looked at in full by now, in the background.
        if known is None or known[0] is not table or (table.stored and not known[1].exact):
            known = self.known[table.name] = (table, facts_of(self._looking(table), table, self.cache))
        return known[1]

    def _looking(self, table: Table) -> Engine:
        """Return the engine that looks at a table before it is asked for: the embedded one, where it can read it."""
        if self.settings.engine is EngineName.DUCKDB:
            return self.engine
        from tabchat.engine.backends.spark import INPUT_FORMAT

        return self.engine if table.report.input_format == INPUT_FORMAT else self.engine.embedded

    # Questions, plans and SQL

    @property
    def last(self) -> Answer | None:
        """The last answer that there was."""
        answers = self.conversation.answers
        return answers[-1] if answers else None

    def ask(self, question: str, *, pick: int | None = None) -> Iterator[Event]:
        """Answer a question; the last event is `Done` or `Failed`.

        `pick` answers a reading that was offered for the question, by its number.
        """
        # Bytes of the command line that are no text can neither be kept nor sent.
        question = question.encode("utf-8", "replace").decode()
        with self._deadline() as deadline:
            for event in self._turn(question, deadline, pick):
                if isinstance(event, Failed) and self._was_sampled(event.error):
                    yield from self._turn(question, deadline, pick)
                    return
                if isinstance(event, Failed):
                    error = deadline.explain(event.error)
                    yield Failed(error=error, answer=replace(event.answer, error=error))
                    return
                yield event

    def _turn(self, question: str, deadline: Deadline, pick: int | None) -> Iterator[Event]:
        for event in run_turn(
            question,
            speakers=self.panel.speakers(question, self.conversation, self.current.name, deadline, pick),
            judge=self.panel.judge(self.conversation),
            max_rounds=self.settings.max_rounds,
        ):
            if isinstance(event, Done):
                self.conversation.remember(event)
            yield event

    def _was_sampled(self, error: TabchatError) -> bool:
        """After a query failed on a file that was only sampled, read the file whole; true if that was done."""
        return isinstance(error, QueryFailedError) and self._read_in_full()

    def _read_in_full(self) -> bool:
        """Read the files that were only sampled; true if there were any."""
        sampled = [table for table in self.tables.values() if not table.stored]
        for table in sampled:
            self.add(table.source, options=table.options, name=table.name, progress=self.progress)
        return bool(sampled)

    def store_in_background(self) -> None:
        """Leave a detached process behind that looks at sampled files in full, for the next question."""
        if self.settings.no_cache:
            return
        for table in self.tables.values():
            if not table.stored or (table.files is not None and not self.facts(table.name).exact):
                from tabchat.session.background import cache_in_background

                cache_in_background(table, self.root, self.settings.data_dir)

    def survey(self) -> None:
        """Look at every row of tables of which only some were, and keep what is found."""
        from tabchat.engine.facts import survey

        for table in self.tables.values():
            survey(self.engine, table, self.cache)

    def answer(self, question: str, *, pick: int | None = None) -> Answer:
        """Answer a question and return only its last word; failures are in `Answer.error`."""
        return last_word(self.ask(question, pick=pick))

    def query(
        self, plan: Mapping[str, JsonValue], *, asked: str = "", interpretation: str | None = None
    ) -> Answer:
        """Run a QueryPlan on the current table, or on the table or result that it names as `table`.

        With `asked`, what the person said for it, it is a turn of the conversation that questions can go on from.
        Raises `PlanValidationError` with every issue, and `DataKeyError` for an unknown result.
        """
        from tabchat.engine.query import plan_for
        from tabchat.tools.arguments import table_argument

        named = {"table": self.current.name, **plan}
        table = table_argument(self.panel.executor(self.conversation).workspace, named)
        fields = {name: value for name, value in plan.items() if name != "table"}
        # The person's own plan gets every error of it, with hints, rather than a tool's refusal.
        plan_for(fields, table.schema, sessions=self.settings.sessions)
        return self._compute("run_query", named, asked=asked, interpretation=interpretation)

    def sql(self, text: str) -> Answer:
        """Run one SELECT over the open tables; raises `SqlRefusedError` or `QueryFailedError`."""
        return self._compute("run_sql", {"sql": text})

    def run(self, code: str) -> Answer:
        """Run pandas code over the current table, in the sandbox.

        Raises `CodeRefusedError`, `CodeFailedError`, `SandboxUnavailableError` or `QueryTimeoutError`.
        """
        return self._compute("run_python", {"table": self.current.name, "code": code})

    # Edits

    def preview_edit(self, arguments: Mapping[str, JsonValue]) -> PendingEdit:
        """Make the version that the arguments of `edit_table` describe, without making it the table.

        Raises `PlanValidationError` with every issue, and `PlanError` for an edit that changes nothing.
        """
        self._require_edits()
        with self._deadline() as deadline:
            try:
                return self.versions.preview(arguments)
            except TabchatError as error:
                raise deadline.explain(error) from error

    def preview_frame(self, rows: pa.Table, *, label: str, table: Table | None = None) -> PendingEdit:
        """Make the version that holds `rows`, the outcome of code over the current table (or over `table`).

        An integer column `__row__` says which rows they were; see `engine.edits.frames`.
        """
        self._require_edits()
        with self._deadline() as deadline:
            try:
                return self.versions.preview_frame(rows, label, table or self.current)
            except TabchatError as error:
                raise deadline.explain(error) from error

    def preview_code(self, code: str) -> PendingEdit:
        """Make the version that pandas code makes of the current table: what it leaves in `df`.

        Raises `CodeRefusedError`, `CodeFailedError`, `SandboxUnavailableError` or `QueryTimeoutError`.
        """
        from tabchat.tools.code.run import edited_rows, label_of

        self._require_edits()
        table = self.versions.stored(self.current)
        rows, notes = edited_rows(self.panel.executor(self.conversation).workspace, table, code)
        return replace(self.preview_frame(rows, label=label_of(code), table=table), notes=notes)

    def _require_edits(self) -> None:
        """Raise `PlanError` where tables are not edited."""
        if self.settings.engine is EngineName.SPARK:
            message = "Tables are read on Spark, and not edited there."
            raise PlanError(message, hint="Edit the file without --engine spark: tabchat edit FILE REQUEST")

    def commit(self, pending: PendingEdit) -> None:
        """Make a previewed version the table; raises `PlanError` when the table has changed since."""
        self.versions.commit(pending)

    def undo(self) -> PendingEdit:
        """Take the last edit back and return what that did; raises `PlanError` (`undo_empty`)."""
        return self.versions.undo()

    def redo(self) -> PendingEdit:
        """Make the edit again that was undone last, and return it; raises `PlanError` (`redo_empty`)."""
        return self.versions.redo()

    def frame(self, name: str | None = None) -> Frame:
        """Return the rows of a table as it is now, the current one by default."""
        from sqlglot import exp

        table = self.table(name)
        # One whose rows are counted can be looked at where it lies.
        table = table if table.row_count >= 0 else self.versions.stored(table)
        cells = [exp.column(column.name, quoted=True) for column in table.schema]
        rows = exp.select(*cells).from_(
            table.scan.copy().subquery(exp.to_identifier(table.name, quoted=True))
        )
        return Frame(engine=self.engine, query=rows, schema=table.schema, row_count=table.row_count)

    def save(self, target: Path, *, force: bool = False) -> ExportReport:
        """Write the current table, edits included, to another file; never to one that is open as a table."""
        from tabchat.export import export_frame

        written = export_frame(self.frame(), target, force=force, protected=self.protected())
        self.versions.saved(self.current)
        return written

    @property
    def unsaved(self) -> tuple[Table, ...]:
        """The tables with edits that no file has."""
        return self.versions.unsaved

    def replace_table(self, table: Table, *, hides: Sequence[str] = (), shows: Sequence[str] = ()) -> None:
        """Let another version stand under the table's name; models no more see `hides`, and `shows` they may."""
        self.engine.attach_table(table)
        self.tables[table.name] = table
        if hides or shows:
            kept = [name for name in self.settings.hide if name not in shows]
            self._change(hide=tuple(dict.fromkeys((*kept, *hides))))

    def analyze(self, recipe: str, arguments: Mapping[str, JsonValue]) -> Answer:
        """Run an analysis recipe on the current table, or on the table or result that `table` names.

        Raises `PlanValidationError` with everything that is wrong with the arguments.
        """
        from tabchat.tools.recipes.sentences import sentence

        answer = self._compute(recipe, {"table": self.current.name, **arguments})
        if answer.block is not None:
            answer = replace(answer, text=sentence(recipe, answer.block.result))
            self.conversation.answers[-1] = answer
        return answer

    def cancel(self) -> None:
        """Stop the running query; safe to call from another thread."""
        self.engine.cancel()
        self.code.cancel()

    def _compute(
        self,
        tool: str,
        arguments: Mapping[str, JsonValue],
        *,
        asked: str = "",
        interpretation: str | None = None,
    ) -> Answer:
        with self._deadline() as deadline:
            outcome = self.panel.executor(self.conversation).run(tool, arguments)
        if outcome.failure is not None:
            raise deadline.explain(outcome.failure)
        block = DataBlock.of(tool, outcome)
        if block is None:
            raise TabchatError(f"{tool} gave no result.")
        answer = Answer(
            question=asked, blocks=(block,), warnings=block.warnings, interpretation=interpretation
        )
        if asked:
            self.conversation.remember(Done(answer=answer, messages=turn_of(asked, tool, arguments, outcome)))
        else:
            self.conversation.answers.append(answer)
        return answer

    def _deadline(self) -> Deadline:
        return Deadline(self.settings.timeout, self.engine)

    # What models may do

    def set_model(self, name: str | None) -> None:
        """Ask `name`, by its litellm name, from now on; no model when absent. Raises `UsageError`."""
        if name is not None:
            check_model_name(name)
        self._change(model=name)

    def set_planner(self, planner: Planner) -> None:
        """Choose who may answer from now on."""
        self._change(planner=planner)

    def set_privacy(self, level: PrivacyLevel) -> None:
        """Let models see this much from now on; what was said before is not told to them again."""
        self._change(privacy=level)
        self.conversation.forget()

    def set_hidden(self, names: Sequence[str]) -> None:
        """Hide these columns, and no others, from models; raises `UsageError` when there is no such column."""
        check_hidden(self.tables, names)
        self._change(hide=tuple(names))
        self.conversation.forget()

    @property
    def spent(self) -> Usage:
        """What the models of this session have cost so far."""
        return self.language.spending.total

    @property
    def ledger(self) -> EgressLedger:
        """Every byte that was sent to a model, in this session and before."""
        return self.language.ledger

    def first_request(self, question: str) -> bytes | None:
        """Return what the first request for `question` would be, nothing when rules answer it; sends nothing."""
        return self.panel.first_request(question, self.conversation, self.current.name, self._deadline())

    def fork(self) -> Session:
        """Return another conversation over the same tables, with none of the turns of this one.

        It shares the database and the store, so only this session is to be closed;
        it may be used on a thread of its own, and is cancelled on its own.
        """
        other = replace(self, conversation=Conversation(), engine=self.engine.fork())
        other.language = self.language
        other.code = other.kept.run_code = self.code
        other.panel = other._new_panel()  # noqa: SLF001 - it is a session as well
        return other

    def start_over(self) -> None:
        """Forget the conversation; tables, kept results and costs stay."""
        self.conversation = Conversation()

    def _change(self, **changes: Any) -> None:
        self.settings = replace(self.settings, **changes)
        self.language = replace(self.language, settings=self.settings)
        # What was read in this conversation is gone on from, whoever answers now.
        self.panel = replace(self.panel, settings=self.settings, language=self.language)

    def _new_panel(self) -> Panel:
        return Panel(
            settings=self.settings,
            engine=self.engine,
            tables=self.tables,
            facts=self.facts,
            kept=self.kept,
            language=self.language,
            keep=self._keep,
            read_in_full=self._read_in_full,
            models=self.models,
        )

    def _keep(self, name: str, kept: int) -> SealedFolder | None:
        if self.settings.no_cache:
            return None
        return SealedFolder(path=self.root / name, seal=self.seal, kept=kept)

    # Kept results

    def results(self) -> tuple[StoredResult, ...]:
        """Return the kept results, newest first."""
        return self.store.list()

    def key(self, text: str) -> str:
        """Return the key that `_`, `r1` or the beginning of a key stands for; raises `DataKeyError`."""
        return self.conversation.numbers.key_of(text) or full_key(text, self.store, self.scratch)

    def show(self, key: str) -> Answer:
        """Return a kept result as an answer; raises `DataKeyError` when it is unknown, expired or out of date."""
        return self.kept.show(self.key(key))

    def result(self, key: str) -> Result:
        """Return the result behind `key`; recomputes rows that were evicted."""
        return self.kept.result(self.key(key))

    def source(self, key: str) -> Frame | None:
        """Return the source rows behind `key`, or nothing when the result is its own source."""
        return self.kept.source(self.key(key))

    def protected(self, key: str | None = None) -> tuple[Path, ...]:
        """Return the files that nothing is written to: those of the open tables, and those behind a result."""
        return self.kept.protected(key)

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
        return self.kept.export(
            self.key(key), target, fmt, source=source, force=force, guard_formulas=guard_formulas
        )


def _check_sheet(options: ReadOptions, tables: Mapping[str, Table]) -> None:
    """Raise `UsageError` when a sheet is named and no table comes from a file that has sheets."""
    if options.sheet is not None and all(table.report.sheet is None for table in tables.values()):
        names = " and ".join(repr(table.source.name) for table in tables.values())
        message = f"--sheet {options.sheet!r} names a sheet of a workbook, and {names} has none."
        hint = "Leave --sheet out; if the file is a workbook, add --input-format xlsx."
        raise UsageError(message, hint=hint)
