"""What a question says in which order becomes features, and the order decides between readings of the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Measure, Operator, Output
from tabchat.planner.readings.sequence import LEARNED

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


@pytest.fixture(scope="module")
def tests(asker: Asker, tmp_path_factory: pytest.TempPathFactory) -> tuple[Asker, Path]:
    file = tmp_path_factory.mktemp("sequence") / "tests.csv"
    rows = [f"T{n},{('PASS', 'FAIL')[n % 3 == 0]},PN-{2000 + n % 4},{n}" for n in range(60)]
    file.write_text("\n".join(["test,result,part,reading", *rows]), encoding="utf-8")
    return asker, file


def test_the_word_beside_rate_is_the_part_whichever_side_the_whole_stands(tests: tuple[Asker, Path]) -> None:
    asker, file = tests
    passed = Condition(column="result", operator=Operator.EQ, values=("PASS",))
    part = Condition(column="part", operator=Operator.EQ, values=("PN-2002",))

    for question in ("pass rate for PN-2002", "what is the pass rate of PN-2002"):
        best = asker.readings(file, question)[0].intent

        assert best.output is Output.VALUE
        assert best.measures == (Measure(part=(passed,)),)
        assert best.clauses == (part,)


def test_neighbours_are_named_with_what_joins_them_and_what_became_of_them(tests: tuple[Asker, Path]) -> None:
    asker, file = tests
    best = asker.readings(file, "average reading by part")[0]
    learned = {name for name in best.features if name.startswith(LEARNED)}

    assert {
        "pair.groups.begin.near.measure:mean:measure",
        "pair.groups.measure:mean:measure.near.key",
        "pair.groups.key.end",
        "role.groups.key",
        "role.groups.measure:mean:measure",
    } == learned
