"""What the start of each command costs beside `python -c "import duckdb, rich.table"`, in one run.

    python benchmarks/startup.py [--repeat 15] [--only NAME…]

Every round runs each command once, in a fresh process, so that whatever else the
machine does meets all of them alike. "first" starts from an empty cache, the others
find the table's version there; "again" was asked before, "new" never was. CPU is user and system time, with that of processes
which the command waited for. The package and its data files are compiled before, as
when pip installs one.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from running import Measure, at_home, compile_package, run

ROOT = Path(__file__).parent.parent
EXAMPLE = str(ROOT / "examples" / "data" / "sales.csv")
QUESTION = "total revenue by region"
OTHER_QUESTION = "average quantity by country"
PLAN = '{"group_by": "region", "select": "sum(revenue)"}'
TABCHAT = str(Path(sys.executable).with_name("tabchat"))


@dataclass
class Course:
    """A command, the most that it may cost as a multiple of the imports, and what each run took in seconds."""

    name: str
    command: list[str]
    limit: float | None = None
    taken: list[Measure] = field(default_factory=list)

    def run(self, env: dict[str, str], key: str) -> str:
        """Run it once and return what it said."""
        self.taken.append(run([key if word == "KEY" else word for word in self.command], env))
        return self.taken[-1].said

    def wall(self) -> list[float]:
        """Return the seconds that each run took."""
        return [measure.seconds for measure in self.taken]

    def cpu(self) -> list[float]:
        """Return the seconds of processor time that each run took."""
        return [measure.processor for measure in self.taken]


def courses(folder: str) -> list[Course]:
    def tabchat(name: str, *words: str, limit: float | None = None) -> Course:
        return Course(name, [TABCHAT, *words], limit)

    return [
        Course("imports", [sys.executable, "-c", "import duckdb, rich.table"]),
        tabchat("ask, first", "ask", EXAMPLE, QUESTION, limit=2.5),
        tabchat("ask, again", "ask", EXAMPLE, QUESTION, limit=2.0),
        tabchat("ask, new", "ask", EXAMPLE, OTHER_QUESTION, limit=2.0),
        tabchat("query", "query", EXAMPLE, PLAN),
        tabchat("show", "show", "KEY"),
        tabchat("export", "export", "KEY", "-o", f"{folder}/out.csv", "--force", limit=1.3),
        tabchat("results", "results", limit=1.3),
        tabchat("--help", "--help", limit=1.0),
        tabchat("run", "run", EXAMPLE, "df.revenue.mean()"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--only", nargs="*", help="measure these alone, and the imports")
    given = parser.parse_args()
    compile_package()
    folder = tempfile.mkdtemp(prefix="bench-")
    measured = courses(folder)
    if given.only:
        measured = [course for course in measured if course.name in {"imports", *given.only}]
    try:
        for number in range(given.repeat):
            measure(measured, Path(folder) / str(number))
    finally:
        shutil.rmtree(folder)
    show(measured)


def measure(measured: list[Course], home: Path) -> None:
    """Run each once, those that need a cached table or a kept result after a question that is not measured."""
    env = dict(os.environ)
    key = ""
    for course in measured:
        if course.name == "ask, first":
            env = at_home(home / "first")
            course.run(env, key)
            continue
        if not key and course.name != "imports":
            env = at_home(home / "kept")
            said = Course("ask", [TABCHAT, "ask", EXAMPLE, QUESTION, "--json"]).run(env, key)
            key = re.findall(r"\bds_\w+", said)[0]
        course.run(env, key)


def show(measured: list[Course]) -> None:
    """Print medians and minima, and how many times the imports each median is."""
    imports = measured[0]
    print(f"{'':12}{'wall, ms':>12}{'least':>7}{'×':>7}{'CPU, ms':>12}{'least':>7}{'×':>7}   at most")
    for course in measured:
        columns = []
        for times, base in ((course.wall(), imports.wall()), (course.cpu(), imports.cpu())):
            middle = statistics.median(times)
            ratio = middle / statistics.median(base)
            columns.append(f"{middle * 1000:12.0f}{min(times) * 1000:7.0f}{ratio:7.2f}")
        limit = "" if course.limit is None else f"   × {course.limit:.1f}"
        print(f"{course.name:12}{columns[0]}{columns[1]}{limit}")
    by_name = {course.name: course for course in measured}
    if {"run", "ask, again"} <= by_name.keys():
        behind = statistics.median(by_name["run"].wall()) - statistics.median(by_name["ask, again"].wall())
        print(f"run ends {behind * 1000:.0f} ms behind a question to the same table; at most 300")


if __name__ == "__main__":
    main()
