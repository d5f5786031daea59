"""The level that the planner has reached on the gold questions is kept.

Its weights were fitted on these questions; what it does on unseen ones is measured by `benchmarks/fit_planner.py`, by table.
"""

from __future__ import annotations

import pytest

from tests.planner.asking import figures, measure
from tests.planner.gold import read_questions

PRECISION = {"dev": 0.99, "public": 0.98, "own": 0.97, "wiki": 0.96, "everyday": 0.98}
COVERAGE = {"dev": 0.45, "public": 0.6, "own": 0.33, "wiki": 0.33, "everyday": 0.25}
OFFERED = {"dev": 0.95, "public": 0.96, "own": 0.85, "wiki": 0.84, "everyday": 0.7}
REFUSED = {"dev": 1.0, "public": 0.97, "own": 0.97, "wiki": 0.98, "everyday": 0.98}


@pytest.mark.parametrize("questions", PRECISION)
def test_what_is_answered_is_right_and_the_right_reading_is_mostly_among_those_offered(
    questions: str,
) -> None:
    found = figures(measure(read_questions(f"{questions}.jsonl")))

    assert found["precision"] >= PRECISION[questions]
    assert found["coverage"] >= COVERAGE[questions]
    assert found["offered"] >= OFFERED[questions]
    assert found["refused"] >= REFUSED[questions]
