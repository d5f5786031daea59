"""Asking the planner gold questions in-process, through the real reader and engine, and counting what comes back."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.sql import run_sql
from tabchat.engine.table import ReadOptions
from tabchat.errors import NotUnderstoodError, TabchatError
from tabchat.planner import OfflinePlanner
from tests.planner.gold import GoldQuestion, gold_rows, is_correct
from tests.seals import SEAL

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

    from tabchat.engine.result import Result
    from tabchat.engine.table import Table
    from tabchat.planner.plans import Draft


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one question."""

    question: GoldQuestion
    answered: bool
    right: bool
    seconds: float
    """From the question to the plan."""
    note: str


class Asker:
    """Asks questions in-process, through the real reader and engine."""

    def __init__(self, folder: Path) -> None:
        self.engine = DuckDBEngine(spill=folder, folders=[folder], threads=1)
        self._cache = TableCache(folder / "tables", max_bytes=10**9, seal=SEAL)
        self.tables: dict[str, Table] = {}
        self._paths: dict[str, Path] = {}
        self._planners: dict[str, OfflinePlanner] = {}
        self._gold: dict[str, duckdb.DuckDBPyConnection] = {}

    def close(self) -> None:
        self.engine.close()

    def ask(self, question: GoldQuestion) -> Outcome:
        """Plan, run and compare."""
        planner = self.planner(question.path)
        started = time.perf_counter()
        try:
            draft = planner.plan(question.question)
        except NotUnderstoodError as error:
            seconds = time.perf_counter() - started
            note = f"{error.message} {list(error.readings) or ''}"
            return Outcome(
                question=question, answered=False, right=not question.answerable, seconds=seconds, note=note
            )
        seconds = time.perf_counter() - started
        note = f"{draft.interpretation} {dict(draft.arguments)}"
        if not question.answerable:
            return Outcome(question=question, answered=True, right=False, seconds=seconds, note=note)
        try:
            result = self.run(self.tables[question.file], draft)
        except TabchatError as error:
            note = f"FAILED {error.message} | {note}"
            return Outcome(question=question, answered=False, right=False, seconds=seconds, note=note)
        right = is_correct(question, gold_rows(question, self._gold), result)
        return Outcome(question=question, answered=True, right=right, seconds=seconds, note=note)

    def run(self, table: Table, draft: Draft) -> Result:
        """Run a draft as its tool would."""
        if draft.tool == "run_sql":
            return run_sql(self.engine, {table.name: table}, str(draft.arguments["sql"]))
        plan = {name: value for name, value in draft.arguments.items() if name != "table"}
        return run_plan(self.engine, table, parse_plan(plan))

    def planner(self, path: Path) -> OfflinePlanner:
        """Return a planner over one file, opened at the first need; no two files may have one name."""
        assert self._paths.setdefault(path.name, path) == path
        if path.name not in self._planners:
            table = open_table(path, options=ReadOptions(), cache=self._cache, taken=())
            self.engine.attach(table.name, table.scan)
            self.tables[path.name] = table
            self._planners[path.name] = OfflinePlanner.for_tables(
                self.engine, {table.name: table}, results=_no_results
            )
        return self._planners[path.name]


def _no_results(key: str) -> Result:
    raise KeyError(key)


def figures(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """Return precision, coverage and the rate of right refusals."""
    found = list(outcomes)
    answered = [outcome for outcome in found if outcome.answered]
    answerable = [outcome for outcome in found if outcome.question.answerable]
    others = [outcome for outcome in found if not outcome.question.answerable]
    return {
        "questions": len(found),
        "precision": _ratio([outcome.right for outcome in answered]),
        "coverage": _ratio([outcome.answered for outcome in answerable]),
        "refused": _ratio([not outcome.answered for outcome in others]),
    }


def _ratio(flags: list[bool]) -> float:
    return sum(flags) / len(flags) if flags else 1.0


def measure(questions: Iterable[GoldQuestion]) -> list[Outcome]:
    """Ask every question."""
    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(Path(folder))
        try:
            return [asker.ask(question) for question in questions]
        finally:
            asker.close()
