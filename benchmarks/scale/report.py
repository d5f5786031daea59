"""The report: tables of medians and of ratios, how they grow with rows, and a picture of that."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import geometric_mean
from typing import TYPE_CHECKING

from files import MAKES
from growth import ASKED, draw, growth
from questions import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from measures import Row

HERE = Path(__file__).parent.parent
REPORT = HERE / "REPORT.md"
PICTURE = HERE / "report.svg"


def write_report(rows: Sequence[Row]) -> None:
    """Write the report of what was measured, and its picture."""
    parts = [
        *_head(rows),
        *_questions(rows),
        *_tasks(rows),
        *_rivals(rows),
        "## Growth with rows\n",
        *_table(*growth(rows)),
        *_scripts(),
    ]
    REPORT.write_text("\n".join(parts) + "\n", encoding="utf-8")
    draw(rows, PICTURE)


def _head(rows: Sequence[Row]) -> Iterator[str]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "polars", "pandas"))
    yield "# Large text files, measured\n"
    yield (
        "`python benchmarks/scale` writes this page from what it measured, also in parts. What was measured once has the noise"
        f" of one run; the machine's load when this page was written was {os.getloadavg()[0]:.1f}, so that the clock says little.\n"
    )
    yield (
        f"Machine: {os.cpu_count()} processors ({platform.machine()}), {memory:.0f} GB of memory, {platform.system()},"
        f" Python {platform.python_version()}; {versions}. Ratios are of processor time, user and system, to the"
        " `duckdb` module's own program with the same answer; it reads the text anew each time."
        " Each run is a process of its own, start included; contenders take turns."
        " `first`: the file was never read and nothing is kept; `later`: its version is in the cache.\n"
    )
    for make in MAKES:
        asked = [row for row in rows if row.file == make.name and row.task in ASKED]
        counts = {row.rows: row.runs for row in sorted(asked, key=lambda row: (row.rows, -row.runs))}
        said = "; ".join(f"{size:,} rows, {_times(runs)}" for size, runs in counts.items())
        yield f"- `{make.name}`: {make.what}. Measured: {said or 'not'}."
    yield "\n![Processor time by rows](report.svg)\n"


def _times(runs: int) -> str:
    return "once" if runs == 1 else f"{runs} times"


def _table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield "| " + " | ".join(names) + " |"
    yield "|---|" + "--:|" * (len(names) - 1)
    for line in lines:
        yield "| " + " | ".join(line) + " |"
    yield ""


class _Found:
    """The medians of one file, by task and contender."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = {(row.task, row.who): row for row in rows}

    def ratio(self, task: str, who: str, figure: Callable[[Row], float]) -> float | None:
        found, base = self._rows.get((task, who)), self._rows.get((task, "duckdb"))
        return None if found is None or base is None else figure(found) / figure(base)

    def seconds(self, task: str, who: str) -> str:
        found = self._rows.get((task, who))
        return "" if found is None else f"{found.processor:.2f}"

    def tasks(self) -> list[str]:
        return list(dict.fromkeys(task for task, _ in self._rows))


def _files(rows: Sequence[Row]) -> Iterator[tuple[str, int, _Found]]:
    order = [make.name for make in MAKES]
    for name, size in sorted(
        {(row.file, row.rows) for row in rows}, key=lambda key: (order.index(key[0]), key[1])
    ):
        yield name, size, _Found(row for row in rows if (row.file, row.rows) == (name, size))


def _shown(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def _questions(rows: Sequence[Row]) -> Iterator[str]:
    yield f"## {len(QUESTIONS)} questions\n"
    for name, size, found in _files(rows):
        asked = [task for task in found.tasks() if task in ASKED]
        if not asked:
            continue
        yield f"### `{name}`, {size:,} rows\n"
        lines = []
        for task in asked:
            ratios = [found.ratio(task, who, _processor) for who in ("polars", "pandas", "first", "later")]
            memory = [found.ratio(task, who, _memory) for who in ("first", "later")]
            lines.append([task, found.seconds(task, "duckdb"), *map(_shown, ratios), *map(_shown, memory)])
        lines.append(["**geometric mean**", "", *_means(found, asked)])
        head = (
            "question",
            "duckdb, s",
            "polars",
            "pandas",
            "first",
            "later",
            "memory, first",
            "memory, later",
        )
        yield from _table(head, lines)


def _means(found: _Found, asked: Sequence[str]) -> Iterator[str]:
    wanted = [(who, _processor) for who in ("polars", "pandas", "first", "later")]
    for who, figure in (*wanted, ("first", _memory), ("later", _memory)):
        ratios = [ratio for task in asked if (ratio := found.ratio(task, who, figure)) is not None]
        yield f"**{geometric_mean(ratios):.2f}**" if ratios else ""


def _processor(row: Row) -> float:
    return row.processor


def _memory(row: Row) -> float:
    return row.megabytes


def _tasks(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Reading, describing, writing\n"
    yield (
        "`build` reads the text into a version, beside `COPY … TO` Parquet; a first question that built it first would cost `build` and"
        " `later` together, which is why it scans the text; `profile` stands beside `SUMMARIZE` of the text,"
        " and reads the version; `export` writes all rows of the version with their numbers, beside `COPY` of the module's own Parquet"
        " file. `first of two` and `at once after`: two questions of a file that was never read, the second while it is built.\n"
    )
    others = [row for row in rows if row.task not in ASKED and row.task != "with a model"]
    lines = []
    for name, size, found in _files(others):
        for row in (row for row in others if (row.file, row.rows) == (name, size) and row.who != "duckdb"):
            ratio, memory = (found.ratio(row.task, row.who, figure) for figure in (_processor, _memory))
            what = row.task if row.who == "tabchat" else row.who
            lines.append(
                [
                    f"`{name}`, {size:,}: {what}",
                    f"{row.processor:.2f}",
                    f"{row.seconds:.2f}",
                    f"{row.megabytes:.0f}",
                    _shown(ratio),
                    _shown(memory),
                ]
            )
    yield from _table(("task", "processor, s", "clock, s", "memory, MB", "ratio", "memory"), lines)


def _rivals(rows: Sequence[Row]) -> Iterator[str]:
    found = [row for row in rows if row.task == "with a model"]
    if not found:
        return
    yield "## One question with a model\n"
    yield (
        f"“{QUESTIONS[2].words}” of {found[0].rows:,} rows, each in its own environment, with a model on this machine that reads"
        " a script; `first` and `later` are tabchat's.\n"
    )
    lines = [[row.who, f"{row.processor:.2f}", f"{row.seconds:.2f}", f"{row.megabytes:.0f}"] for row in found]
    yield from _table(("who", "processor, s", "clock, s", "memory, MB"), lines)


def _scripts() -> Iterator[str]:
    """Yield what the programs say that measure the start of every command and the size of prompts."""
    for title, *command in (
        ("Start of every command", "startup.py", "--repeat", "3"),
        ("Size of prompts", "prompt_size.py", "--rows", "1000", "100000", "--columns", "9", "50"),
    ):
        said = subprocess.run(
            [sys.executable, str(HERE / command[0]), *command[1:]],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        yield f"## {title}\n"
        yield f"`python benchmarks/{' '.join(command)}`\n"
        yield f"```text\n{said.stdout.rstrip()}\n```\n"
