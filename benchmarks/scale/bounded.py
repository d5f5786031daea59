"""A file larger than memory, worked with inside a bound: questions, a profile, exports, each with all its processes."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from measures import home_folder
from questions import QUESTIONS
from running import TABCHAT, at_home
from tree import run_tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from files import Make


def print_bounded(make: Make, rows: int, limit: str) -> None:
    """Do what one does with a large file under `limit`, and print what each step took; nothing is kept in the report."""
    path = make.write(rows)
    print(f"{make.name}, {rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB, memory_limit {limit}")
    with home_folder() as home:
        env = at_home(home, TABCHAT_MEMORY_LIMIT=limit)
        for name, arguments in _steps(path, home):
            # The first question leaves a process behind that reads the file: it counts, and is waited for.
            print(f"  {name}: {run_tree([*TABCHAT, *arguments], env, home).told()}", flush=True)
            shutil.rmtree(home / "out", ignore_errors=True)
            (home / "out").mkdir()


def _steps(path: Path, home: Path) -> Iterator[tuple[str, list[str]]]:
    yield "ask, first, and its background", ["ask", str(path), QUESTIONS[2].words]
    yield "ask, again", ["ask", str(path), QUESTIONS[4].words]
    yield "profile", ["profile", str(path)]
    yield "query", ["query", str(path), '{"select": "count()"}']
    for name in ("parquet", "csv"):
        yield f"export {name}", ["export", "_", "--source", "-o", str(home / "out" / f"all.{name}")]
