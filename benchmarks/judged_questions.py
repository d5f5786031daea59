"""Questions with gold answers, their readings, and which of these are right: what the planner is fitted to."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from tabchat.errors import TabchatError
from tabchat.planner.choice import Subject, read_weights, subject_of
from tabchat.planner.interpretation import is_barred
from tabchat.planner.plan import Unplannable
from tests.planner.asking import Asker, is_answered
from tests.planner.gold import GoldQuestion

MOST = 24
"""Readings of one question that are looked at."""
RUN = 8
"""Those that are run: what comes behind is hardly ever right."""
FARTHEST = 7.0
"""Distance from the best score from which on readings are not run."""


@dataclass
class Case:
    """One question with its readings, and which of them are right."""

    id: str
    lang: str
    source: str
    table: str
    answerable: bool
    question: str
    features: list[dict[str, float]] = field(default_factory=list)
    unexplained: list[tuple[str, ...]] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    senses: list[str] = field(default_factory=list)
    barred: list[bool] = field(default_factory=list)
    """Readings that are never more than offered."""
    subjects: list[Subject] = field(default_factory=list)
    intents: list[str] = field(default_factory=list)


def brief(value: object) -> str:
    """Write a record with what differs from its defaults."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return f"({', '.join(map(brief, value))})"
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is None:
        return repr(value)
    said = [
        f"{name}={brief(getattr(value, name))}"
        for name, item in fields.items()
        if getattr(value, name) != item.default
    ]
    return f"{type(value).__name__}[{', '.join(said)}]"


class Judge:
    """Runs readings and remembers what came of the same call before."""

    def __init__(self, folder: Path, weights: str, wtq: Path | None, memory: Path | None) -> None:
        self.asker = Asker(folder, read_weights(weights))
        self.gold: dict = {}
        self.wtq = wtq
        self.memory_path = memory
        self.memory: dict[str, bool] = (
            json.loads(memory.read_text()) if memory is not None and memory.exists() else {}
        )
        if wtq is not None:
            sys.path.insert(0, str(wtq))

    def case(self, source: str, record: dict) -> Case:
        if source == "wtq":
            path = self.wtq / record["table"]
            case = Case(record["id"], "en", source, record["table"], True, record["question"])
        else:
            question = GoldQuestion(**record)
            path = question.path
            case = Case(
                question.id, question.lang, source, question.file, question.answerable, question.question
            )
        found = self.asker.readings(path, case.question)
        lattice = self.asker.interpreter(path).wide_lattice(case.question)
        unique = lattice.vocabulary.unique
        for place, reading in enumerate(found[:MOST]):
            if reading.score < found[0].score - FARTHEST:
                break
            case.features.append(dict(reading.features))
            case.unexplained.append(reading.unexplained)
            case.barred.append(bool(reading.unexplained) or is_barred(lattice, reading))
            case.senses.append(brief(reading.sense))
            case.subjects.append(subject_of(reading.sense, unique))
            case.intents.append(brief(reading.intent))
            run = case.answerable and place < RUN
            case.right.append(run and self._right(source, record, path, reading.intent))
        return case

    def _right(self, source: str, record: dict, path: Path, intent: object) -> bool:
        try:
            call = self.asker.call(path, intent)
        except Unplannable:
            return False
        arguments = json.dumps([call.tool, call.arguments], sort_keys=True, default=str)
        key = hashlib.sha256(
            " ".join(
                map(str, (source, record["id"], record["question"], record.get("sql"), arguments))
            ).encode()
            + "".join(record.get("also", ())).encode()
        ).hexdigest()[:24]
        if key not in self.memory:
            self.memory[key] = self._compare(source, record, path, call)
        return self.memory[key]

    def _compare(self, source: str, record: dict, path: Path, call: object) -> bool:
        try:
            found = self.asker.answer(path, call)
            if source != "wtq":
                question = GoldQuestion(**record)
                return is_answered(question, self.gold, path, found)
            import score

            rows = [list(row) for row in found.rows][:200]
            shown = [
                [cell.isoformat() if hasattr(cell, "isoformat") else cell for cell in row] for row in rows
            ]
            answer = {
                "table": {"rows": shown},
                "value": shown[0][0] if len(shown) == 1 and len(shown[0]) == 1 else None,
            }
            return bool(score.is_right(record, answer))
        except (TabchatError, ArithmeticError, TypeError, ValueError):
            return False


def gather(job: tuple[list[tuple[str, dict]], str, str | None, str | None]) -> list[Case]:
    """Judge in a thread: the engine runs queries of the main thread in another one each, so that Ctrl-C stops them."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(gathered, job).result()


def gathered(job: tuple[list[tuple[str, dict]], str, str | None, str | None]) -> list[Case]:
    """Read and judge some questions; runs in a process of its own."""
    items, weights, wtq, memory = job
    memory_path = Path(memory) if memory else None
    with tempfile.TemporaryDirectory() as fresh:
        folder = memory_path.with_suffix("") if memory_path is not None else Path(fresh)
        folder.mkdir(exist_ok=True)
        judge = Judge(folder, weights, Path(wtq) if wtq else None, memory_path)
        cases = []
        for place, (source, record) in enumerate(items):
            if place % 100 == 99 and memory_path is not None:
                memory_path.write_text(json.dumps(judge.memory))
            try:
                cases.append(judge.case(source, record))
            except TabchatError as error:
                print("skipped", record["id"], error.message, file=sys.stderr)
        judge.asker.close()
        if memory_path is not None:
            memory_path.write_text(json.dumps(judge.memory))
    return cases
