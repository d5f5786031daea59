"""The level that the planner has reached on the gold questions is kept.

Its weights were fitted on these questions; what it does on unseen ones is measured by `benchmarks/fit_planner.py`, by table.
"""

from __future__ import annotations

import pytest

from tests.planner.asking import figures, measure
from tests.planner.gold import read_questions

PRECISION = {
    "dev": 0.99,
    "public": 0.98,
    "own": 0.985,
    "wiki": 0.98,
    "everyday": 0.985,
    "plain": 0.98,
    "first": 0.99,
}
COVERAGE = {
    "dev": 0.72,
    "public": 0.73,
    "own": 0.58,
    "wiki": 0.53,
    "everyday": 0.33,
    "plain": 0.42,
    "first": 0.95,
}
OFFERED = {
    "dev": 0.97,
    "public": 0.96,
    "own": 0.885,
    "wiki": 0.845,
    "everyday": 0.72,
    "plain": 0.81,
    "first": 0.98,
}
REFUSED = {
    "dev": 1.0,
    "public": 1.0,
    "own": 0.98,
    "wiki": 0.96,
    "everyday": 0.98,
    "plain": 0.97,
    "first": 1.0,
}


@pytest.mark.parametrize("questions", PRECISION)
def test_what_is_answered_is_right_and_the_right_reading_is_mostly_among_those_offered(
    questions: str,
) -> None:
    found = figures(measure(read_questions(f"{questions}.jsonl")))

    assert found["precision"] >= PRECISION[questions]
    assert found["coverage"] >= COVERAGE[questions]
    assert found["offered"] >= OFFERED[questions]
    assert found["refused"] >= REFUSED[questions]
