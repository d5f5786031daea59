"""How often the offline planner answers, how often it is right, and how long it takes to plan.

python benchmarks/planner.py [--questions dev.jsonl] [--lang en] [--wrong] [--refused]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.planner.asking import Outcome, figures, measure
from tests.planner.gold import read_questions


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
