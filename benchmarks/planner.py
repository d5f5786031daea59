"""How often the offline planner answers, how often it is right, and how long it takes to plan.

python benchmarks/planner.py [--questions dev.jsonl] [--lang en] [--wrong] [--refused]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tabchat.__main__ import GC_THRESHOLD
from tabchat.errors import NotUnderstoodError
from tests.planner.asking import Asker, Outcome, figures, measure
from tests.planner.gold import read_questions


def _line(name: str, outcomes: list[Outcome]) -> str:
    found = figures(outcomes)
    return (
        f"{name:18} {found['questions']:5.0f}   precision {found['precision']:6.1%}   "
        f"coverage {found['coverage']:6.1%}   refused {found['refused']:6.1%}"
    )


WIDE_QUESTIONS = (
    "total measure 7 by label 3",
    "how many rows have label 2 town 2005",
    "average measure 12 for label 51 city 51002 by label 7",
    "top 5 label 9 by measure 200",
    "average mesure 12",
    "total profit by label 3",
)


def wide(folder: Path, columns: int = 400, distinct: int = 100_000) -> list[tuple[str, float, str]]:
    """Time questions about a table of many columns and many distinct texts; the first builds the indexes.

    They are asked twice, of one planner.
    """
    path = folder / "wide.csv"
    texts = columns // 4
    per_column = distinct // texts
    with path.open("w", encoding="utf-8") as file:
        names = [f"label {n}" for n in range(texts)] + [f"measure {n}" for n in range(columns - texts)]
        file.write(",".join(names) + "\n")
        for row in range(2 * per_column):
            cells = [
                f"{'city' if n % 2 else 'town'} {n * per_column + row % per_column}" for n in range(texts)
            ]
            file.write(",".join([*cells, *(str(row * n % 997) for n in range(columns - texts))]) + "\n")
    asker = Asker(folder)
    asker.open(path)
    # As the command line sets it: garbage of reading the file is not looked for in the middle of a question.
    gc.set_threshold(GC_THRESHOLD, 20, 20)
    found = []
    planner = asker.planner(path)
    for run in ("first", "again"):
        for question in WIDE_QUESTIONS:
            started = time.perf_counter()
            try:
                note = planner.plan(question).interpretation
            except NotUnderstoodError as error:
                note = error.message
            found.append((f"{run}: {question}", (time.perf_counter() - started) * 1000, note))
    asker.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", action="append")
    parser.add_argument("--lang")
    parser.add_argument("--wrong", action="store_true", help="list what was answered wrongly")
    parser.add_argument(
        "--refused", action="store_true", help="list what was refused although it has an answer"
    )
    parser.add_argument("--wide", action="store_true", help="time questions about a very wide table instead")
    options = parser.parse_args()
    if options.wide:
        with tempfile.TemporaryDirectory() as folder:
            timed = wide(Path(folder))
            for question, milliseconds, note in timed:
                print(f"{milliseconds:7.1f} ms  {question}  =>  {note}")
            times = [milliseconds for _, milliseconds, _ in timed]
            print(f"question to plan: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")
        return
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
