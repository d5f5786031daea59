"""What an intent says against itself is marked, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.links import vocabulary_of
from tabchat.planner.readings.coherence import incoherences
from tabchat.planner.words import shipped_languages
from tests.planner.plan.tables import Workbench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links import Vocabulary

FILMS = pa.table(
    {
        "title": ["Ruby", "Amber", "Jade", "Opal"],
        "director": ["Ada", "Ada", "Bo", "Bo"],
        "rating": [7, 9, 8, 7],
        "budget": [10, 20, 30, 40],
    }
)
ADA = Condition(column="director", operator=Operator.EQ, values=("Ada",))
SEVEN = Condition(column="rating", operator=Operator.EQ, values=(7,))
DEAR = Condition(column="budget", operator=Operator.GT, values=(15,))
BY_DIRECTOR = Intent(
    output=Output.GROUPS, measures=(Measure(function="sum", column="budget"),), keys=(Key(column="director"),)
)
ROWS = Intent(output=Output.ROWS)
VALUE = Intent(output=Output.VALUE, measures=(Measure(function="mean", column="rating"),))


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vocabulary]:
    bench = Workbench(tmp_path_factory.mktemp("films"))
    languages = shipped_languages()
    yield vocabulary_of(bench.add(FILMS), languages, [languages.load("en")])
    bench.close()


def _measured(intent: Intent, function: str, column: str) -> Intent:
    return replace(intent, measures=(Measure(function=function, column=column),))


@pytest.mark.parametrize(
    "intent, names",
    [
        (BY_DIRECTOR, set()),
        (_measured(BY_DIRECTOR, "mean", "rating"), set()),
        (_measured(replace(BY_DIRECTOR, keys=(Key(column="title"),)), "sum", "rating"), set()),
        (replace(ROWS, clauses=(ADA, DEAR), orders=(Order(column="budget"),)), set()),
        (replace(VALUE, clauses=(ADA, DEAR)), set()),
        (_measured(BY_DIRECTOR, "sum", "rating"), {"summed_nonadditive"}),
        (_measured(BY_DIRECTOR, "mode", "title"), {"mode_of_groups"}),
        (_measured(BY_DIRECTOR, "count_distinct", "director"), {"measured_key"}),
        (replace(BY_DIRECTOR, clauses=(ADA,)), {"pinned_key"}),
        (
            replace(BY_DIRECTOR, keys=tuple(Key(column=name) for name in ("title", "director", "rating"))),
            {"many_keys"},
        ),
        (replace(VALUE, clauses=(SEVEN,)), {"measured_pinned"}),
        (_measured(replace(VALUE, clauses=(DEAR,)), "sum", "budget"), {"measured_bounded"}),
        (replace(ROWS, clauses=(SEVEN,), orders=(Order(column="rating"),)), {"ordered_pinned"}),
        (replace(ROWS, clauses=(ADA,), columns=("director",)), {"shown_pinned"}),
        (
            replace(ROWS, orders=(Order(column="rating"),), limit=1, limit_keys=(Key(column="rating"),)),
            {"ranked_within_itself"},
        ),
    ],
)
def test_what_does_not_go_together_is_marked(films: Vocabulary, intent: Intent, names: set[str]) -> None:
    found = {name.removeprefix("incoherent."): value for name, value in incoherences(intent, films)}

    assert found == dict.fromkeys(names, 1.0)
