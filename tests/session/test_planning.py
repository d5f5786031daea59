"""What a session does for a question by rules: nothing is asked of the engine before the readings are there."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tabchat.config import Planner, Settings
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.errors import NotUnderstoodError
from tabchat.session import Session
from tests.conftest import Example
from tests.test_session import write_large

ASKING = ("schema", "rows", "stream", "execute", "materialise", "hold", "write_parquet")
QUESTIONS = (
    "average revenue by channel",
    "how many orders in Germany in 2023",
    "revenue by planet",
    "xyzzy plugh",
    "найбільші замовлення",
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the engine's methods, as they are called."""
    calls: list[str] = []
    for name in ASKING:
        monkeypatch.setattr(DuckDBEngine, name, _counted(name, getattr(DuckDBEngine, name), calls))
    return calls


def _counted(name: str, method: Callable[..., object], calls: list[str]) -> Callable[..., object]:
    def counted(*args: object, **kwargs: object) -> object:
        calls.append(name)
        return method(*args, **kwargs)

    return counted


@pytest.mark.parametrize("again", [False, True], ids=["first", "read before"])
def test_planning_asks_the_engine_nothing(example: Example, asked: list[str], *, again: bool) -> None:
    if again:
        Session.open([example("sales.csv")], settings=Settings()).close()
    with Session.open([example("sales.csv")], settings=Settings()) as session:
        planner = session.panel.rules()
        asked.clear()
        for question in QUESTIONS:
            with suppress(NotUnderstoodError):
                planner.plan(question, "sales")

        assert asked == []


def test_planning_over_a_file_that_was_never_read_asks_nothing_either(
    tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabchat.engine.reader.loading.DIRECT_BYTES", 1_000_000)
    path = tmp_path / "large.csv"
    write_large(path, last="1.25")
    with Session.open([path], settings=Settings(), direct=True) as session:
        assert not session.current.stored
        asked.clear()
        found = session.panel.rules().interpreter("large").read("total amount by region")

        assert found.candidates
        assert asked == []


def test_facts_are_kept_until_the_version_changes(example: Example) -> None:
    with Session.open([example("sales.csv")], settings=Settings()) as session:
        facts = session.facts()
        assert session.facts() is facts

        session.commit(session.preview_edit({"operation": "drop_columns", "columns": ["revenue"]}))

        assert session.facts() is not facts
        assert session.facts().column("revenue") is None
        assert session.facts() is session.facts("sales")


def test_a_reading_is_picked_of_those_that_were_offered(example: Example) -> None:
    with Session.open([example("sales.csv")], settings=Settings()) as session:
        refused = session.answer("revenue by planet")
        offered = refused.to_json()["readings"]
        assert isinstance(offered, list)
        assert offered

        picked = list(session.ask("revenue by planet", pick=1))[-1].answer  # type: ignore[union-attr]

        assert picked.ok
        assert picked.interpretation == refused.offered[0].interpretation
        assert picked.offered[0] == refused.offered[0]


def test_a_follow_up_survives_another_answerer(example: Example) -> None:
    with Session.open([example("sales.csv")], settings=Settings()) as session:
        session.answer("average revenue by channel")
        session.set_planner(Planner.RULES)

        assert session.answer("and in Germany?").interpretation == (
            "mean of revenue · by channel · country = Germany"
        )


def test_what_a_person_computed_is_gone_on_from(example: Example) -> None:
    with Session.open([example("sales.csv")], settings=Settings()) as session:
        session.query({"group_by": "region", "select": "sum(revenue)"}, asked="/query …")

        assert session.answer("and in 2023?").interpretation == "sum of revenue · by region · 2023"
