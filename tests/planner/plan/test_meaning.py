"""The plan of a random intent over a random table, run by the engine, gives what the intent means."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tabchat.planner.intent import Intent
from tabchat.planner.plan import plan_of
from tests.effort import examples
from tests.planner.plan import families
from tests.planner.plan.meaning import meaning
from tests.planner.plan.tables import Workbench, plain


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    made = Workbench(tmp_path_factory.mktemp("plan"))
    yield made
    made.close()


SETTINGS = settings(
    deadline=None,
    max_examples=examples(10),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
)


@pytest.mark.parametrize(
    "family",
    [
        "values",
        "counted_groups",
        "groups",
        "ranked_groups",
        "rows",
        "heads",
        "value_lists",
        "comparisons",
        "changes",
        "odd",
    ],
)
def test_a_plan_computes_what_the_intent_means(family: str, bench: Workbench) -> None:
    strategy = getattr(families, family)
    strategy = strategy if isinstance(strategy, st.SearchStrategy) else strategy()

    @SETTINGS
    @given(intent=strategy, records=families.tables, exact=st.booleans())
    def agree(intent: Intent, records: list[dict[str, Any]], exact: bool) -> None:
        facts = bench.add(pa.Table.from_pylist(records, schema=families.SCHEMA), exact=exact)
        result = bench.run(plan_of(intent, facts))

        assert _cells(result.frame.rows()) == _cells(meaning(intent, records))

    agree()


def _cells(rows: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(plain(cell) for cell in row) for row in rows)
