"""Fit the weights and the calibration of the planner's choice from questions with gold answers.

    python benchmarks/fit_planner.py [--questions own.jsonl …] [--wtq FOLDER] [--write] [--rounds 2]

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
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import GradientBoostingClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))

from tabchat.errors import TabchatError
from tabchat.planner.choice import read_weights, signs, softmax
from tabchat.planner.choice.trees import Trees
from tabchat.planner.choice.weights import FILE
from tabchat.planner.plan import Unplannable
from tests.planner.asking import Asker, is_answered
from tests.planner.gold import GoldQuestion, read_questions

MOST = 24
"""Readings of one question that are run."""
FARTHEST = 7.0
"""Distance from the best score from which on readings are not run."""
TRUST = {"traps": 0.5, "wtq": 0.3}
"""Weight of a source in the calibration: traps and what no rule reads are rarer among questions than in their files."""
BOOSTING = {
    "n_estimators": 160,
    "max_depth": 4,
    "learning_rate": 0.05,
    "subsample": 0.6,
    "max_features": 0.1,
    "min_samples_leaf": 3,
}
ENSEMBLES = 3
"""Ensembles of trees whose mean is taken."""
LEAST_SEEN = 8
"""Questions that show a feature, for the calibration to look at it."""
FOLDS = 5
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


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
    intents: list[str] = field(default_factory=list)


@dataclass
class Scored:
    """What `signs` reads of a reading."""

    features: dict[str, float]
    score: float
    unexplained: tuple[str, ...]
    sense: str


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
        for reading in found[:MOST]:
            if reading.score < found[0].score - FARTHEST:
                break
            case.features.append(dict(reading.features))
            case.unexplained.append(reading.unexplained)
            case.senses.append(brief(reading.sense))
            case.intents.append(brief(reading.intent))
            case.right.append(case.answerable and self._right(source, record, path, reading.intent))
        return case

    def _right(self, source: str, record: dict, path: Path, intent: object) -> bool:
        try:
            call = self.asker.call(path, intent)
        except Unplannable:
            return False
        arguments = json.dumps([call.tool, call.arguments], sort_keys=True, default=str)
        key = hashlib.sha256(
            f"{source} {record['id']} {record['question']} {record.get('sql')} {arguments}".encode()
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


class Model:
    """Weights of named features as a vector."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.index = {name: place for place, name in enumerate(names)}

    def matrix(self, rows: list[dict[str, float]]) -> csr_matrix:
        values, columns, ends = [], [], [0]
        for features in rows:
            for name, value in features.items():
                place = self.index.get(name)
                if place is not None:
                    values.append(value)
                    columns.append(place)
            ends.append(len(values))
        return csr_matrix((values, columns, ends), shape=(len(rows), len(self.names)))


def fit_scores(
    cases: list[Case], prior: dict[str, float], *, strength: float, steps: int = 250
) -> dict[str, float]:
    """Return the weights under which right readings are likeliest (Adam on the full batch)."""
    useful = [case for case in cases if any(case.right) and not all(case.right)]
    counts: dict[str, int] = defaultdict(int)
    for case in useful:
        for name in {name for features in case.features for name in features}:
            counts[name] += 1
    names = sorted(name for name, count in counts.items() if count >= 3 or name in prior)
    model = Model(names)
    start = np.array([prior.get(name, default_weight(name)) for name in names])
    rows = model.matrix([features for case in useful for features in case.features])
    turned = rows.T.tocsr()
    sizes = np.array([len(case.features) for case in useful])
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    group = np.repeat(np.arange(len(useful)), sizes)
    right = np.concatenate([np.array(case.right, dtype=float) for case in useful])
    weights, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, steps + 1):
        scores = rows @ weights
        top = np.maximum.reduceat(scores, bounds[:-1])
        parts = np.exp(scores - top[group])
        shares = parts / np.add.reduceat(parts, bounds[:-1])[group]
        good = parts * right
        wanted = good / np.add.reduceat(good, bounds[:-1]).clip(1e-300)[group]
        gradient = turned @ (shares - wanted) / len(useful) + strength * (weights - start) / len(useful)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        rate = 0.05 * min(1.0, 2 * (1 - step / (steps + 1)))
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def default_weight(name: str) -> float:
    """Return what a feature weighs that no question has shown."""
    return -3.0 if name.startswith("unused.") else -2.0 if name.startswith("skip.") else 0.0


def ordered(case: Case, weights: dict[str, float]) -> list[int]:
    scores = score_all(case, weights)
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def different(case: Case, places: list[int]) -> list[int]:
    """Keep the first reading of each sense."""
    firsts: dict[str, int] = {}
    for place in places:
        firsts.setdefault(case.senses[place], place)
    return list(firsts.values())


def score_all(case: Case, weights: dict[str, float]) -> list[float]:
    return [
        sum(weights.get(name, 0.0) * value for name, value in features.items()) for features in case.features
    ]


def signs_of(case: Case, weights: dict[str, float]) -> tuple[dict[str, float], bool]:
    scores = score_all(case, weights)
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    readings = [
        Scored(case.features[place], scores[place], case.unexplained[place], case.senses[place])
        for place in order
    ]
    shares = softmax([reading.score for reading in readings])
    return dict(signs(readings, shares)), case.right[order[0]]


def chance(case: Case, weights: dict[str, float], calibration: Trees) -> tuple[float, bool]:
    if not case.features:
        return 0.0, False
    features, right = signs_of(case, weights)
    total = calibration.log_odds(features)
    likely = float(1 / (1 + np.exp(-max(-30.0, min(30.0, total)))))
    best = ordered(case, weights)[0]
    return (min(likely, 0.49) if case.unexplained[best] else likely), right


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
        "--rounds", type=int, default=1, help="how often readings are found anew with fitted weights"
    )
    parser.add_argument("--write", action="store_true", help="write the weights that come with the package")
    parser.add_argument("--memory", type=Path, help="folder where judged calls are kept between runs")
    parser.add_argument("--misses", action="store_true", help="list what is wrong or missing")
    parser.add_argument("--only", help="language")
    parser.add_argument("--most", type=int, help="questions of each file at the most, every n-th of them")
    parser.add_argument("--strength", type=float, default=2.0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    names = options.questions or [
        "dev.jsonl",
        "own.jsonl",
        "wiki.jsonl",
        "public.jsonl",
        "traps.jsonl",
        "everyday.jsonl",
        "plain.jsonl",
        "first.jsonl",
    ]
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
    text = FILE.read_text(encoding="utf-8")
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
            crossed |= judge_all(held, weights, calibration)
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
        data |= {"score": weights, "calibration": asdict(calibration)}
        text = written(data)
        report("on the questions of the fit", cases, judge_all(cases, weights, calibration))
    if options.misses:
        misses(cases, crossed)
    if options.write:
        FILE.write_text(text, encoding="utf-8")


def written(data: dict) -> str:
    """Write the data file: a line for each weight and for each tree."""
    trees = data["calibration"]["trees"]
    rest = data | {"calibration": data["calibration"] | {"trees": ["TREES"]}}
    text = json.dumps(rest, indent=1, sort_keys=True, ensure_ascii=False)
    lines = ",\n   ".join(json.dumps(tree, separators=(",", ":")) for tree in trees)
    return text.replace('"TREES"', lines) + "\n"


def thinned(items: list[tuple[str, dict]], most: int) -> list[tuple[str, dict]]:
    """Keep every n-th question of each source."""
    kept = []
    for source in dict.fromkeys(source for source, _ in items):
        own = [item for item in items if item[0] == source]
        kept += own[:: max(1, len(own) // most)]
    return kept


def fit_calibration(parts: list[tuple[dict[str, float], list[Case]]]) -> Trees:
    """Fit one calibration on questions that were scored by weights which did not see them."""
    pairs = [(case, weights) for weights, cases in parts for case in cases if case.features]
    found = [signs_of(case, weights) for case, weights in pairs]
    counts: dict[str, int] = defaultdict(int)
    for features, _ in found:
        for name in features:
            counts[name] += 1
    names = sorted(name for name, count in counts.items() if count >= LEAST_SEEN)
    rows = Model(names).matrix([features for features, _ in found]).toarray()
    right = np.array([flag for _, flag in found])
    trust = np.array([TRUST.get(case.source, 1.0) for case, _ in pairs])
    fitted = [
        GradientBoostingClassifier(**BOOSTING, random_state=seed).fit(rows, right, sample_weight=trust)
        for seed in range(ENSEMBLES)
    ]
    first = [model.init_.class_prior_[1] for model in fitted]
    bias = float(np.mean([np.log(share / (1 - share)) for share in first]))
    trees = [
        nodes_of(estimator.tree_, model.learning_rate / ENSEMBLES)
        for model in fitted
        for estimator in model.estimators_[:, 0]
    ]
    used = sorted({node[0] for tree in trees for node in tree if isinstance(node, tuple)})
    places = {feature: place for place, feature in enumerate(used)}
    return Trees(
        features=tuple(names[feature] for feature in used),
        bias=round(bias, 4),
        trees=tuple(
            tuple((places[node[0]], *node[1:]) if isinstance(node, tuple) else node for node in tree)
            for tree in trees
        ),
    )


def nodes_of(tree: object, rate: float) -> list:
    """Write a fitted tree as nodes: (feature, highest value to the left, left, right), or what a leaf adds."""
    return [
        round(float(tree.value[place, 0, 0]) * rate, 4)
        if tree.children_left[place] < 0
        else (
            int(tree.feature[place]),
            round(float(tree.threshold[place]), 3),
            int(tree.children_left[place]),
            int(tree.children_right[place]),
        )
        for place in range(tree.node_count)
    ]


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
