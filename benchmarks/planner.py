"""How often the offline planner is certain, how often it is right, what it offers, and how long it takes.

    python benchmarks/planner.py [--questions dev.jsonl …] [--folder DIR …] [--misses] [--wide]

`--folder` names a folder with `questions.jsonl` (fields as in the tests' files) and its tables in `tables/`.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tabchat.__main__ import GC_THRESHOLD
from tests.planner.asking import Asker, Outcome, figures
from tests.planner.gold import GoldQuestion, read_questions

WIDE_QUESTIONS = (
    "total measure 7 by label 3",
    "how many rows have label 2 town 2005",
    "average measure 12 for label 51 city 51002 by label 7",
    "top 5 label 9 by measure 200",
    "average mesure 12",
    "total profit by label 3",
)


def line(name: str, outcomes: list[Outcome]) -> str:
    found = figures(outcomes)
    return (
        f"{name:20} {found['questions']:5.0f}   certain and right {found['precision']:6.1%}   "
        f"answered {found['coverage']:6.1%}   right or offered {found['offered']:6.1%}   "
        f"unanswerable refused {found['refused']:6.1%}"
    )


def wide_table(path: Path, columns: int = 400, distinct: int = 100_000) -> None:
    """Write a table of many columns, a quarter of them texts, with many different texts."""
    texts = columns // 4
    per_column = distinct // texts
    with path.open("w", encoding="utf-8") as file:
        names = [f"label {n}" for n in range(texts)] + [f"measure {n}" for n in range(columns - texts)]
        file.write(",".join(names) + "\n")
        for row in range(2 * per_column):
            cells = [f"{'city' if n % 2 else 'town'} {n * per_column + row % per_column}" for n in range(texts)]
            file.write(",".join([*cells, *(str(row * n % 997) for n in range(columns - texts))]) + "\n")


def wide(folder: Path) -> None:
    path = folder / "wide.csv"
    wide_table(path)
    times = []
    for run in ("first", "again"):
        asker = Asker(folder)
        asker.open(path)
        # As the command line sets it: garbage of reading the file is not looked for in the middle of a question.
        gc.set_threshold(GC_THRESHOLD, 20, 20)
        for question in WIDE_QUESTIONS:
            started = time.process_time()
            found = asker.readings(path, question)
            times.append((time.process_time() - started) * 1000)
            print(f"{times[-1]:7.1f} ms  {run}: {question}  =>  {found[0].intent if found else None}"[:200])
        asker.close()
    print(f"processor time from question to readings: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")


def measured(items: list[GoldQuestion], folder: Path | None) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as place:
        asker = Asker(Path(place), tables=folder / "tables" if folder is not None else None)
        try:
            return [asker.ask(question) for question in items]
        finally:
            asker.close()


def report(title: str, outcomes: list[Outcome]) -> None:
    print(f"# {title}")
    for field in ("lang", "shape"):
        groups: dict[str, list[Outcome]] = defaultdict(list)
        for outcome in outcomes:
            groups[getattr(outcome.question, field)].append(outcome)
        for group in sorted(groups):
            print(line(group, groups[group]))
    print(line("all", outcomes))
    bins: dict[int, list[bool]] = defaultdict(list)
    for outcome in outcomes:
        bins[min(9, int(outcome.probability * 10))].append(outcome.best)
    shown = (f"{low / 10:.1f}: {sum(flags) / len(flags):.0%} of {len(flags)}" for low, flags in sorted(bins.items()))
    print("right by probability  " + "  ".join(shown))
    times = [outcome.seconds * 1000 for outcome in outcomes]
    print(f"processor time from question to readings: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")


def misses(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        question = outcome.question
        kind = ""
        if outcome.answered and not outcome.right:
            kind = "WRONG"
        elif question.answerable and not outcome.answered:
            kind = "offered" if outcome.offered else "missed"
        if kind:
            print(f"{kind:8} {outcome.probability:.2f} {question.id} {question.file} | {question.question} | {outcome.note[:300]} | {(question.sql or '')[:160]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", action="append")
    parser.add_argument("--folder", action="append", type=Path)
    parser.add_argument("--misses", action="store_true", help="list what was answered wrongly, offered or missed")
    parser.add_argument("--wide", action="store_true", help="time questions about a very wide table instead")
    options = parser.parse_args()
    if options.wide:
        with tempfile.TemporaryDirectory() as folder:
            wide(Path(folder))
        return
    sets = [(name, list(read_questions(name)), None) for name in options.questions or ()]
    for folder in options.folder or ():
        lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        sets.append((folder.name, [GoldQuestion(**json.loads(item)) for item in lines if item.strip()], folder))
    if not sets:
        sets = [(name, list(read_questions(name)), None) for name in ("dev.jsonl", "public.jsonl")]
    for title, items, folder in sets:
        outcomes = measured(items, folder)
        report(title, outcomes)
        if options.misses:
            misses(outcomes)


if __name__ == "__main__":
    main()
