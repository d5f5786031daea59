"""Fit the weights and the calibration of the planner's choice from questions with gold answers.

    python benchmarks/fit_planner.py [--questions own.jsonl …] [--wtq FOLDER] [--write] [--rounds 1]

Every question's readings are run against the real engine and compared with the gold answer; the weights maximise the
probability of the readings that are right (conditional log-linear model, L2 towards the weights before), the calibration is an
ensemble of boosted trees for whether the best reading is right. Figures are cross-validated by table. `--wtq` names a folder with
`questions.jsonl`, `tables/`, `score.py`, `matching.py` of the WikiTableQuestions sample; nothing of it is copied. Deterministic.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from typing import TYPE_CHECKING

from benchmarks.judged_questions import Case, gather
from benchmarks.planner_fit import chance, different, fit_calibration, fit_scores, ordered, written
from tabchat.planner.choice.trees import packed_trees, read_trees
from tabchat.planner.choice.weights import FILE
from tests.planner.gold import GoldQuestion, read_questions

if TYPE_CHECKING:
    from tabchat.planner.choice.trees import Trees

FOLDS = 5
SOURCES = (
    "dev",
    "own",
    "wiki",
    "public",
    "traps",
    "everyday",
    "plain",
    "first",
    "mixed",
    "daily",
    "wider",
    "owners",
    "pastimes",
    "counters",
    "firms",
    "hobbies",
    "services",
    "operations",
    "lessons",
    "reference",
    "small",
    "phrasebook",
    "idioms",
    "ledgers",
    "workplaces",
    "companies",
    "lists",
    "diaries",
    "departments",
    "desks",
)
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


def fold_of(case: Case) -> int:
    return int(hashlib.sha256(f"{case.table}".encode()).hexdigest(), 16) % FOLDS


def report(title: str, cases: list[Case], found: dict[int, tuple[float, bool, bool]]) -> None:
    print(f"\n{title}")
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.source].append(case)
        if case.source != "wtq":
            groups[f"lang {case.lang}"].append(case)
    for name, members in sorted(groups.items()):
        rows = [found[id(case)] for case in members]
        answerable = [case.answerable for case in members]
        total = max(1, sum(answerable))
        top = sum(right for (_, right, _), able in zip(rows, answerable, strict=True) if able)
        three = sum(offered for (_, _, offered), able in zip(rows, answerable, strict=True) if able)
        any_right = sum(any(case.right) for case in members)
        line = f"{name:14} n {len(members):4}  best right {top / total:5.1%}  top 3 {three / total:5.1%}  any {any_right / total:5.1%} |"
        for threshold in THRESHOLDS:
            said = [
                (right, able)
                for (chance_, right, _), able in zip(rows, answerable, strict=True)
                if chance_ >= threshold
            ]
            precision = sum(right for right, _ in said) / max(1, len(said))
            coverage = sum(able for _, able in said) / total
            wrong = sum(not able for _, able in said) / max(1, len(members) - sum(answerable))
            line += f" {threshold:.2f}: {precision:5.1%}/{coverage:5.1%}/{wrong:4.1%}"
        print(line)
    bins: dict[int, list[bool]] = defaultdict(list)
    for case in cases:
        chance_, right, _ = found[id(case)]
        bins[min(9, int(chance_ * 10))].append(right)
    print(
        "calibration   "
        + "  ".join(
            f"{low / 10:.1f}: {np.mean(flags):4.0%} of {len(flags)}" for low, flags in sorted(bins.items())
        )
    )


def judge_all(cases: list[Case], weights: dict, calibration: Trees) -> dict[int, tuple[float, bool, bool]]:
    found = {}
    for case in cases:
        likely, right = chance(case, weights, calibration)
        found[id(case)] = (
            likely,
            right,
            any(case.right[place] for place in different(case, ordered(case, weights))[:3])
            if case.features
            else False,
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", action="append")
    parser.add_argument("--wtq", type=Path)
    parser.add_argument(
        "--rounds", type=int, default=4, help="how often readings are found, first with the prior weights"
    )
    parser.add_argument("--write", action="store_true", help="write the weights that come with the package")
    parser.add_argument("--memory", type=Path, help="folder where judged calls are kept between runs")
    parser.add_argument("--misses", action="store_true", help="list what is wrong or missing")
    parser.add_argument("--only", help="language")
    parser.add_argument("--most", type=int, help="questions of each file at the most, every n-th of them")
    parser.add_argument("--strength", type=float, default=2.0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    names = options.questions or [f"{name}.jsonl" for name in SOURCES]
    items = [
        (
            name.removesuffix(".jsonl"),
            {key: getattr(question, key) for key in GoldQuestion.__dataclass_fields__},
        )
        for name in names
        for question in read_questions(name)
        if options.only in {None, question.lang}
    ]
    if options.wtq:
        lines = (options.wtq / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        items += [("wtq", json.loads(line)) for line in lines]
    if options.most:
        items = thinned(items, options.most)
    items.sort(key=lambda item: (item[1].get("file") or item[1].get("table"), item[1]["id"]))
    text = begun(FILE.read_text(encoding="utf-8"))
    cases: list[Case] = []
    for turn in range(options.rounds):
        half = (len(items) + options.jobs - 1) // options.jobs
        if options.memory:
            options.memory.mkdir(exist_ok=True, parents=True)
        jobs = [
            (
                items[place * half : (place + 1) * half],
                text,
                str(options.wtq) if options.wtq else None,
                str(options.memory / f"judged-{place}.json") if options.memory else None,
            )
            for place in range(options.jobs)
        ]
        with ProcessPoolExecutor(options.jobs) as pool:
            cases = [case for part in pool.map(gather, jobs) for case in part]
        prior = json.loads(text)["prior"]
        crossed: dict[int, tuple[float, bool, bool]] = {}
        for fold in range(FOLDS):
            train = [case for case in cases if fold_of(case) != fold]
            held = [case for case in cases if fold_of(case) == fold]
            weights = fit_scores(train, prior, strength=options.strength)
            # The calibration looks at questions that its scores were not fitted on, as it will later.
            inner = [case for case in train if fold_of(case) % 2 == fold % 2]
            outer = [case for case in train if fold_of(case) % 2 != fold % 2]
            signs_fit = []
            for one, other in ((inner, outer), (outer, inner)):
                signs_fit.append((fit_scores(one, prior, strength=options.strength), other))
            calibration = fit_calibration(signs_fit)
            crossed |= judge_all(held, weights, read_trees(packed_trees(calibration)))
        report(
            f"cross-validated by table, round {turn + 1}: precision/coverage/unanswerable answered",
            cases,
            crossed,
        )
        weights = fit_scores(cases, prior, strength=options.strength)
        parts = [[case for case in cases if fold_of(case) == fold] for fold in range(FOLDS)]
        signs_fit = [
            (
                fit_scores(
                    [case for case in cases if fold_of(case) != fold], prior, strength=options.strength
                ),
                parts[fold],
            )
            for fold in range(FOLDS)
        ]
        calibration = fit_calibration(signs_fit)
        data = json.loads(text)
        data |= {"score": weights, "calibration": calibration}
        text = written(data)
        report(
            "on the questions of the fit",
            cases,
            judge_all(cases, weights, read_trees(packed_trees(calibration))),
        )
    if options.misses:
        misses(cases, crossed)
    if options.write:
        FILE.write_text(text, encoding="utf-8")


def begun(text: str) -> str:
    """Return weights of which only the prior is known, so that a fit does not hang on the one before it."""
    data = json.loads(text)
    return written(data | {"score": data["prior"]})


def thinned(items: list[tuple[str, dict]], most: int) -> list[tuple[str, dict]]:
    """Keep every n-th question of each source."""
    kept = []
    for source in dict.fromkeys(source for source, _ in items):
        own = [item for item in items if item[0] == source]
        kept += own[:: max(1, len(own) // most)]
    return kept


def misses(cases: list[Case], found: dict[int, tuple[float, bool, bool]]) -> None:
    for case in sorted(cases, key=lambda case: (case.source, case.id)):
        likely, right, _ = found[id(case)]
        kind = (
            "NONE"
            if case.answerable and not any(case.right)
            else "WRONG"
            if not right and likely >= 0.8
            else "low"
            if case.answerable and not right
            else "unsure"
            if case.answerable and likely < 0.8
            else ""
        )
        if kind:
            first = case.intents[0] if case.intents else "-"
            print(
                f"{kind:6} {likely:.2f} {case.source} {case.id} {case.table} | {case.question} | {case.unexplained[0] if case.unexplained else ''} | {first[:400]}"
            )


if __name__ == "__main__":
    main()
