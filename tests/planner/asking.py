"""Asking the planner gold questions in-process, through the real reader and engine, and counting what comes back."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.backends.duckdb_spare import SpareDatabase
from tabchat.engine.compile import compile_plan
from tabchat.engine.facts import facts_of
from tabchat.engine.limits import Limits
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import plan_facts, run_plan
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.sql.query import run_sql
from tabchat.engine.table import ReadOptions
from tabchat.errors import TabchatError
from tabchat.planner import OfflinePlanner
from tabchat.planner.choice import shipped_weights
from tabchat.planner.choice.scoring import Candidate
from tabchat.planner.interpretation import Interpreter
from tabchat.planner.plan import Unplannable, plan_of
from tabchat.planner.words import shipped_languages
from tests.planner.gold import GoldQuestion, gold_columns, gold_rows
from tests.planner.judging import is_correct, shows_rows
from tests.planner.verdicts import verdict_key
from tests.seals import SEAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tabchat.engine.facts import TableFacts
    from tabchat.engine.result.result import Result, ResultKind
    from tabchat.engine.table import Table
    from tabchat.engine.types import Row
    from tabchat.planner.choice import Weights
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan import PlannedCall
    from tabchat.planner.readings import Reading


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one question."""

    question: GoldQuestion
    answered: bool
    right: bool
    """Of what was answered; of a question without an answer: that it was not answered."""
    offered: bool
    """Whether the right reading was answered, or among those that were offered."""
    best: bool
    """Whether the likeliest reading is right."""
    probability: float
    seconds: float
    """Processor time from the question to the readings."""
    note: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The rows of a result."""

    kind: ResultKind
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Asker:
    """Asks questions in-process, through the real reader and engine."""

    def __init__(
        self,
        folder: Path,
        weights: Weights | None = None,
        *,
        tables: Path | None = None,
        versions: Path | None = None,
    ) -> None:
        """Take over where to work, and where versions of tables are kept that others have read as well."""
        kept = versions or folder / "tables"
        self._interpreters: dict[Path, Interpreter] = {}
        self._read: dict[tuple[Path, str], tuple[tuple[Candidate, ...], bool, float]] = {}
        """What may be offered of what questions were read as: it is judged more than once."""
        self._written: dict[tuple[str, bytes], Path] = {}
        """Name and bytes of a file → the first path that it was opened at."""
        self._folder = tables
        """Where the questions' files lie, when not with the tests."""
        self.judged: dict[str, bool] = {}
        """What was run and judged, by `verdict_key`."""
        self.engine = DuckDBEngine(spill=folder, folders=[folder, kept], limits=Limits(threads=1))
        self.weights = weights or shipped_weights()
        self.languages = shipped_languages()
        self.cache = TableCache(kept, max_bytes=10**9, seal=SEAL)
        # Starting a database takes longer than reading a small table.
        self._reading = self.cache.spare = _OneDatabase()
        self.tables: dict[Path, Table] = {}
        self.facts: dict[Path, TableFacts] = {}
        self._gold: dict[str, duckdb.DuckDBPyConnection] = {}

    def close(self) -> None:
        self.engine.close()
        self.cache.close()
        if (last := self._reading.take()) is not None:
            last.close()
        for connection in self._gold.values():
            connection.close()

    def open(self, path: Path) -> TableFacts:
        """Open a file once, and one that another test wrote with the same cells as that one; no two open tables may have one name."""
        if path not in self.tables:
            first = self._written.setdefault((path.name, path.read_bytes()), path)
            if first != path:
                self._interpreters[path] = self.interpreter(first)
                self.tables[path], self.facts[path] = self.tables[first], self.facts[first]
                return self.facts[path]
            table = open_table(
                path, options=ReadOptions(), cache=self.cache, taken=[t.name for t in self.tables.values()]
            )
            self.engine.attach(table.name, table.scan)
            self.tables[path] = table
            self.facts[path] = facts_of(self.engine, table, self.cache)
        return self.facts[path]

    def planner(self, path: Path, **options: Any) -> OfflinePlanner:
        """Return the planner over one file, as a session has it."""
        self.open(path)
        facts = {self.tables[path].name: lambda: self.facts[path]}
        return OfflinePlanner(facts=facts, results=_no_results, **options)

    def readings(self, path: Path, question: str) -> list[Reading]:
        """Return what a question can mean, the likeliest first."""
        reader = self.interpreter(path)
        return reader.readings(reader.wide_lattice(question))

    def offers(self, path: Path, question: str) -> tuple[list[Intent], bool]:
        """Return the readings that are offered, the likeliest first, and whether that one is certain."""
        found = self.interpreter(path).read(question)
        return [one.intent for one in found.offered], found.certain

    def interpreter(self, path: Path) -> Interpreter:
        """Return what reads the questions of a file, as the planner has it."""
        if path not in self._interpreters:
            self._interpreters[path] = Interpreter(
                self.open(path), languages=self.languages, weights=self.weights
            )
        return self._interpreters[path]

    def call(self, path: Path, intent: Intent) -> PlannedCall:
        """Plan an intent; raises `Unplannable`."""
        return plan_of(intent, self.interpreter(path).facts)

    def run(self, path: Path, call: PlannedCall) -> Result:
        """Run a call as its tool would."""
        table = self.tables[path]
        if call.tool == "run_sql":
            return run_sql(self.engine, {table.name: table}, str(call.arguments["sql"]))
        plan = {name: value for name, value in call.arguments.items() if name != "table"}
        return run_plan(self.engine, table, parse_plan(plan))

    def answer(self, path: Path, call: PlannedCall) -> Answer:
        """Return only the rows of a call, in one query: judging thousands of readings needs no frames."""
        table = self.tables[path]
        if call.tool != "run_query":
            result = self.run(path, call)
            return Answer(
                kind=result.kind, columns=tuple(result.frame.columns), rows=tuple(result.frame.rows())
            )
        plan = parse_plan({name: value for name, value in call.arguments.items() if name != "table"})
        compiled = compile_plan(plan, table.schema, relation=table.name)
        facts = plan_facts(self.engine, table, plan)
        if facts is not None:
            compiled = compile_plan(plan, table.schema, relation=table.name, facts=facts)
        visible = exp.select(*(exp.column(name, quoted=True) for name in compiled.columns))
        rows = self.engine.rows(visible.from_(compiled.query.subquery("asked")))
        return Answer(kind=compiled.kind, columns=tuple(compiled.columns), rows=tuple(rows))

    def query_as(self, path: Path, view: str) -> None:
        """Let the gold queries of a file read a query of it as their table `t`."""
        connection = self._gold[str(path)] = duckdb.connect()
        connection.execute(f"CREATE TABLE t AS {view}")

    def gold(self, question: GoldQuestion) -> list[tuple[Any, ...]]:
        """Return the rows that answer a question."""
        return gold_rows(question, self._gold, self.path(question))

    def path(self, question: GoldQuestion) -> Path:
        """Return the file that a question is asked of."""
        return question.path if self._folder is None else self._folder / question.file

    def is_right(self, question: GoldQuestion, intent: Intent, verdicts: Mapping[str, bool]) -> bool:
        """Tell whether an intent answers a question as its gold query does; it is run unless a verdict is known."""
        path = self.path(question)
        try:
            call = self.call(path, intent)
        except Unplannable:
            return False
        key = verdict_key(question, path, call)
        if key in verdicts:
            return verdicts[key]
        self.judged[key] = self._is_answer(question, path, call)
        return self.judged[key]

    def _is_answer(self, question: GoldQuestion, path: Path, call: PlannedCall) -> bool:
        try:
            found = self.answer(path, call)
        except TabchatError:
            return False
        return is_answered(question, self._gold, path, found)

    def read(self, path: Path, question: str) -> tuple[tuple[Candidate, ...], bool, float]:
        """Return what may be offered of a question, whether it is certain, and how long it took to read it once."""
        if (path, question) not in self._read:
            reader = self.interpreter(path)
            started = time.process_time()
            found = reader.read(question)
            seconds = time.process_time() - started
            self._read[path, question] = found.candidates[:3], found.certain, seconds
        return self._read[path, question]

    def ask(self, question: GoldQuestion, verdicts: Mapping[str, bool] = MappingProxyType({})) -> Outcome:
        """Read, choose, run and compare; what the verdicts know is not run."""
        path = self.path(question)
        candidates, certain, seconds = self.read(path, question.question)
        probability = candidates[0].probability if candidates else 0.0
        best = False
        if not question.answerable:
            right = offered = not certain
        else:
            rights = (self.is_right(question, candidate.intent, verdicts) for candidate in candidates)
            best = next(rights, False)
            right, offered = certain and best, best or (not certain and any(rights))
        return Outcome(
            question=question,
            answered=certain,
            right=right,
            offered=offered,
            best=best,
            probability=probability,
            seconds=seconds,
            note=str(candidates[0].intent) if candidates else "no reading",
        )


def is_answered(
    question: GoldQuestion, connections: dict[str, duckdb.DuckDBPyConnection], path: Path, found: Answer
) -> bool:
    """Tell whether rows answer a question as its gold query does, or one of those that answer as well."""
    for asked in (question, *(replace(question, sql=sql) for sql in question.also)):
        gold = gold_rows(asked, connections, path)
        if is_correct(asked, gold, found.kind, found.columns, found.rows) or shows_rows(
            asked, gold_columns(asked, connections), gold, found.columns, found.rows
        ):
            return True
    return False


class _OneDatabase(SpareDatabase):
    """The database of the reader, which reads one table after the other."""

    def borrow(self) -> duckdb.DuckDBPyConnection | None:
        with self._guard:
            connection, self._connection = self._connection, None
        return connection


def _no_results(key: str) -> Result:
    raise AssertionError(f"nobody asked for {key}")


def figures(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """Return precision, coverage, how often the right reading was answered or offered, and right refusals."""
    found = list(outcomes)
    answered = [outcome for outcome in found if outcome.answered]
    answerable = [outcome for outcome in found if outcome.question.answerable]
    others = [outcome for outcome in found if not outcome.question.answerable]
    return {
        "questions": len(found),
        "precision": _ratio([outcome.right for outcome in answered]),
        "coverage": _ratio([outcome.answered for outcome in answerable]),
        "offered": _ratio([outcome.offered for outcome in answerable]),
        "refused": _ratio([not outcome.answered for outcome in others]),
    }


def _ratio(flags: list[bool]) -> float:
    return sum(flags) / len(flags) if flags else 1.0
