"""What is measured of one file: questions, reading it, describing it, and writing its rows."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from questions import QUESTIONS, duckdb_code, pandas_code, polars_code, same
from running import DATA, TABCHAT, Measure, at_home, middle, run, wait_for_background

if TYPE_CHECKING:
    from collections.abc import Iterator

    from files import Make

MOST_XLSX = 1_000_000
DIRECT_BYTES = 50_000_000
"""From this size on tabchat scans a text where it lies for a first question (`engine.reader.loading`)."""


@dataclass(frozen=True)
class Row:
    """One task of one contender on one file: medians of its runs."""

    file: str
    rows: int
    task: str
    who: str
    seconds: float
    processor: float
    megabytes: float
    runs: int


class Bench:
    """The runs of one file, gathered by task and contender."""

    def __init__(self, make: Make, rows: int) -> None:
        self.make, self.rows = make, rows
        self.path = make.write(rows)
        self.source = make.read(self.path)
        self.taken: dict[tuple[str, str], list[Measure]] = {}

    def note(self, task: str, who: str, command: list[str], env: dict[str, str] | None = None) -> Measure:
        """Run a command and remember what it took."""
        measure = run(command, env)
        self.taken.setdefault((task, who), []).append(measure)
        print(f"  {self.make.name} {self.rows:,} {task} / {who}: {measure.processor:.2f} s", file=sys.stderr)
        return measure

    def medians(self) -> Iterator[Row]:
        """Yield the medians of all runs."""
        for (task, who), measures in self.taken.items():
            figures = asdict(middle(measures))
            figures.pop("said")
            yield Row(file=self.make.name, rows=self.rows, task=task, who=who, runs=len(measures), **figures)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@contextmanager
def home_folder() -> Iterator[Path]:
    """Give a folder for what tabchat keeps, on the disk of the files."""
    (DATA / "scratch").mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(dir=DATA / "scratch"))
    try:
        yield home
    finally:
        wait_for_background(home)
        shutil.rmtree(home)


def measure_file(make: Make, rows: int, repeat: int) -> list[Row]:
    """Measure everything of one file, `repeat` times in turn, so that other work on the machine meets all alike."""
    bench = Bench(make, rows)
    for _ in range(repeat):
        with home_folder() as home:
            _read(bench, home)
            _ask(bench, home)
            if make.name == "orders":
                _write(bench, home)
        if bench.path.stat().st_size > DIRECT_BYTES:
            with home_folder() as home:
                _ask_at_once(bench, home)
    return list(bench.medians())


def _read(bench: Bench, home: Path) -> None:
    copy = f"COPY (FROM {bench.source}) TO '{home}/copied.parquet'"
    bench.note("build", "duckdb", python(f'import duckdb; duckdb.sql("""{copy}""")'))
    bench.note("build", "tabchat", [*TABCHAT, "cache", "build", str(bench.path)], at_home(home))
    bench.note(
        "profile", "duckdb", python(f'import duckdb; print(duckdb.sql("""SUMMARIZE FROM {bench.source}"""))')
    )
    bench.note("profile", "tabchat", [*TABCHAT, "profile", str(bench.path)], at_home(home))


def _ask(bench: Bench, home: Path) -> None:
    for question in QUESTIONS:
        ask = [*TABCHAT, "ask", str(bench.path), question.words, "--json"]
        known = bench.note(question.words, "duckdb", python(duckdb_code(question, bench.source)))
        # Without a cache nothing is kept and nothing is left running: the first question and no more.
        first = bench.note(question.words, "first", [*ask, "--no-cache"], at_home(home))
        later = bench.note(question.words, "later", ask, at_home(home))
        for answer in (first, later):
            if not same(answer.said, known.said):
                sys.exit(f"{bench.path.name}: {question.words!r} has two answers")
        if bench.make.name == "orders" and question.polars:
            bench.note(question.words, "polars", python(polars_code(question, bench.path)))
            bench.note(question.words, "pandas", python(pandas_code(question, bench.path)))


def _ask_at_once(bench: Bench, home: Path) -> None:
    """Ask two questions of a file that was never read, the second while the version is built."""
    for who, words in (("first of two", QUESTIONS[2].words), ("at once after", QUESTIONS[4].words)):
        bench.note("two questions", who, [*TABCHAT, "ask", str(bench.path), words], at_home(home))


def _write(bench: Bench, home: Path) -> None:
    """Write all rows with their numbers; the module copies the Parquet file that it made itself, and numbers its rows."""
    run([*TABCHAT, "query", str(bench.path), json.dumps({"select": "count()"})], at_home(home))
    formats = ("parquet", "csv", *(["xlsx"] if bench.rows <= MOST_XLSX else []))
    for name in formats:
        ours = home / f"ours.{name}"
        bench.note(
            f"export {name}", "tabchat", [*TABCHAT, "export", "_", "--source", "-o", str(ours)], at_home(home)
        )
        if name != "xlsx":
            rows = f"read_parquet('{home}/copied.parquet', file_row_number = true)"
            numbered = f"SELECT file_row_number + 1 AS row, * EXCLUDE (file_row_number) FROM {rows}"
            copy = f"COPY ({numbered}) TO '{home}/theirs.{name}'"
            bench.note(f"export {name}", "duckdb", python(f'import duckdb; duckdb.sql("""{copy}""")'))
