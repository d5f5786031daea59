"""How often the offline planner answers, how often it is right, and how long it takes to plan.

python benchmarks/planner.py [--questions dev.jsonl] [--lang en] [--wrong] [--refused]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.sql import run_sql
from tabchat.engine.table import ReadOptions
from tabchat.errors import NotUnderstoodError, TabchatError
from tabchat.planner import OfflinePlanner
from tests.planner.gold import GoldQuestion, gold_rows, is_correct, read_questions

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


class Bench:
    """Asks questions in-process, through the real reader and engine."""

    def __init__(self, folder: Path) -> None:
        self._engine = DuckDBEngine(spill=folder, folders=[folder], threads=1)
        self._cache = TableCache(folder / "tables", max_bytes=10**9)
        self._tables: dict[str, Table] = {}
        self._planners: dict[str, OfflinePlanner] = {}
        self._gold: dict[str, duckdb.DuckDBPyConnection] = {}

    def close(self) -> None:
        self._engine.close()

    def ask(self, question: GoldQuestion) -> Outcome:
        """Plan, run and compare."""
        planner = self._planner(question)
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
            result = self.run(self._tables[question.file], draft)
        except TabchatError as error:
            note = f"FAILED {error.message} | {note}"
            return Outcome(question=question, answered=False, right=False, seconds=seconds, note=note)
        right = is_correct(question, gold_rows(question, self._gold), result)
        return Outcome(question=question, answered=True, right=right, seconds=seconds, note=note)

    def run(self, table: Table, draft: Draft) -> Result:
        """Run a draft as its tool would."""
        if draft.tool == "run_sql":
            return run_sql(self._engine, {table.name: table}, str(draft.arguments["sql"]))
        plan = {name: value for name, value in draft.arguments.items() if name != "table"}
        return run_plan(self._engine, table, parse_plan(plan))

    def _planner(self, question: GoldQuestion) -> OfflinePlanner:
        if question.file not in self._planners:
            table = open_table(question.path, options=ReadOptions(), cache=self._cache, taken=())
            self._engine.attach(table.name, table.scan)
            self._tables[question.file] = table
            self._planners[question.file] = OfflinePlanner.for_tables(
                self._engine, {table.name: table}, results=_no_results
            )
        return self._planners[question.file]


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
        bench = Bench(Path(folder))
        try:
            return [bench.ask(question) for question in questions]
        finally:
            bench.close()


def _line(name: str, outcomes: list[Outcome]) -> str:
    found = figures(outcomes)
    return (
        f"{name:18} {found['questions']:5.0f}   precision {found['precision']:6.1%}   "
        f"coverage {found['coverage']:6.1%}   refused {found['refused']:6.1%}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", action="append")
    parser.add_argument("--lang")
    parser.add_argument("--wrong", action="store_true", help="list what was answered wrongly")
    parser.add_argument(
        "--refused", action="store_true", help="list what was refused although it has an answer"
    )
    options = parser.parse_args()
    for name in options.questions or ["dev.jsonl", "public.jsonl"]:
        asked = [item for item in read_questions(name) if options.lang in {None, item.lang}]
        outcomes = measure(asked)
        print(f"# {name}")
        for field in ("lang", "shape"):
            groups: dict[str, list[Outcome]] = defaultdict(list)
            for outcome in outcomes:
                groups[getattr(outcome.question, field)].append(outcome)
            for group in sorted(groups):
                print(_line(group, groups[group]))
        print(_line("all", outcomes))
        times = [outcome.seconds * 1000 for outcome in outcomes]
        print(f"question to plan: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")
        for outcome in outcomes:
            wrong = outcome.answered and not outcome.right
            missed = not outcome.answered and outcome.question.answerable
            if (wrong and options.wrong) or (missed and options.refused):
                mark = "WRONG" if wrong else "refused"
                print(f"{mark} {outcome.question.id} {outcome.question.question!r}: {outcome.note}")


if __name__ == "__main__":
    main()
