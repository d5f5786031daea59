"""Fitting the planner's choice: weights of readings, and trees for whether the best reading is right."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import GradientBoostingClassifier

from tabchat.planner.choice import signs, softmax
from tabchat.planner.readings.sequence import LEARNED

if TYPE_CHECKING:
    from benchmarks.judged_questions import Case
    from tabchat.planner.choice.trees import Trees

TRUST = {
    "traps": 3.0,
    "wtq": 0.3,
    "first": 120.0,
    "asked": 40.0,
    "dev": 60.0,
    "own": 5.0,
    "wiki": 4.0,
    "plain": 4.0,
    "wider": 2.0,
    "idioms": 0.5,
    "phrasebook": 2.0,
    "small": 2.0,
}
"""Weight of a source in the calibration: what no rule reads and what a program wrote are rarer among questions than in their files.

`dev` and `first` are what has to be answered; `own`, `wiki`, `plain` and `traps` hold most of what no table answers. More of them moves
the other sources along their own curves of right answers over answered ones."""
WITHOUT_ANSWER = 12.0
"""Weight of a question that the table cannot answer: an answer to it is worse than an offer to another one."""
BOOSTING = {
    "n_estimators": 240,
    "max_depth": 4,
    "learning_rate": 0.05,
    "subsample": 0.6,
    "max_features": 0.1,
    "min_samples_leaf": 20,
}
ENSEMBLES = 2
"""Ensembles of trees whose mean is taken."""
LEAST_LEARNED = 8
"""Questions that show a learned feature, for it to have a weight; with 3 the same readings are best, of twice as many weights."""
SLIGHT = 0.05
"""Weight of a learned feature below which it is left out."""
LEAST_SEEN = 8
"""Questions that show a feature, for the calibration to look at it."""


@dataclass
class Scored:
    """What `signs` reads of a reading."""

    features: dict[str, float]
    score: float
    unexplained: tuple[str, ...]
    sense: str


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
    names = sorted(
        name
        for name, count in counts.items()
        if count >= (LEAST_LEARNED if name.startswith(LEARNED) else 3) or name in prior
    )
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
    return {
        name: round(float(weight), 4)
        for name, weight in zip(names, weights, strict=True)
        if abs(weight) >= SLIGHT or not name.startswith(LEARNED)
    }


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
    found = signs(readings, shares, [case.subjects[place] for place in order], case.lang)
    return dict(found), case.right[order[0]]


def chance(case: Case, weights: dict[str, float], calibration: Trees) -> tuple[float, bool]:
    if not case.features:
        return 0.0, False
    features, right = signs_of(case, weights)
    total = calibration.log_odds(features)
    likely = float(1 / (1 + np.exp(-max(-30.0, min(30.0, total)))))
    best = ordered(case, weights)[0]
    return (min(likely, 0.49) if case.unexplained[best] else likely), right


def written(data: dict) -> str:
    """Write the data file: a line for each weight and for each tree."""
    trees = data["calibration"]["trees"]
    rest = data | {"calibration": data["calibration"] | {"trees": ["TREES"]}}
    text = json.dumps(rest, indent=1, sort_keys=True, ensure_ascii=False)
    lines = ",\n   ".join(json.dumps(tree, separators=(",", ":")) for tree in trees)
    return text.replace('"TREES"', lines) + "\n"


def fit_calibration(parts: list[tuple[dict[str, float], list[Case]]]) -> dict:
    """Fit one calibration on questions that were scored by weights which did not see them; as the data file has it."""
    pairs = [(case, weights) for weights, cases in parts for case in cases if case.features]
    found = [signs_of(case, weights) for case, weights in pairs]
    counts: dict[str, int] = defaultdict(int)
    for features, _ in found:
        for name in features:
            counts[name] += 1
    names = sorted(name for name, count in counts.items() if count >= LEAST_SEEN)
    rows = Model(names).matrix([features for features, _ in found]).toarray()
    right = np.array([flag for _, flag in found])
    trust = np.array(
        [TRUST.get(case.source, 1.0) * (1.0 if case.answerable else WITHOUT_ANSWER) for case, _ in pairs]
    )
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
    return {
        "features": [names[feature] for feature in used],
        "bias": round(bias, 4),
        "trees": [
            [(places[node[0]], *node[1:]) if isinstance(node, tuple) else node for node in tree]
            for tree in trees
        ],
    }


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
