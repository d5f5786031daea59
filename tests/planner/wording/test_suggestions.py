"""Questions that are suggested: five or more for every table, each one that its plan answers."""

from collections.abc import Iterator

import pytest

from tabchat.planner.plan import plan_of
from tabchat.planner.wording.suggestions import suggestions
from tests.planner.plan.tables import Workbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    made = Workbench(tmp_path_factory.mktemp("suggestions"))
    yield made
    made.close()


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
@pytest.mark.parametrize("table", ["sales", "prices", "stations", "installations"])
def test_questions_are_suggested_that_the_table_answers(bench: Workbench, table: str, language: str) -> None:
    found = suggestions(bench.facts(table), language)

    assert len(found) == len({text for text, _ in found}) >= 5
    for _, intent in found:
        assert plan_of(intent, bench.facts(table)).tool != "run_query" or bench.ask(table, intent)


def test_suggestions_speak_of_the_table(bench: Workbench) -> None:
    assert [text for text, _ in suggestions(bench.facts("sales"), "en")][:5] == [
        "how many rows are there",
        "average revenue by channel",
        "average revenue by month",
        "how many rows where channel is online",
        "top 5 rows by revenue",
    ]
