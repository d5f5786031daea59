"""A question that was answered before is answered from what is kept: in the same words, over the same rows, without an engine."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.cli import run
from tabchat.config import Settings
from tabchat.session import Session
from tests.conftest import Example

QUESTIONS = [
    "total revenue by region",
    "average revenue by month",
    "top 5 products by revenue",
    "how many orders in Germany?",
    "average and maximum unit price",
    "orders with revenue over 2000 in 2023",
    "revenue by region and channel",
    "share of returned orders by channel",
    "earliest order date",
    "середня виручка за регіонами",
]
FORMS = ["--json", "--source --rows 3 --format csv", "--chart bar"]


@pytest.mark.examples_read
@pytest.mark.parametrize(
    "question, form",
    [(question, form) for place, question in enumerate(QUESTIONS) for form in ("", FORMS[place % 3])],
)
def test_it_prints_what_was_computed(
    example: Example, question: str, form: str, isolated_home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def told() -> tuple[int, str, str]:
        return run(["ask", str(example("sales.csv")), question, *form.split()]), *capfd.readouterr()

    computed = told()
    # Rows of the table itself have no others behind them, and that is said again in the same words.
    assert computed[0] == 0 or ("--source" in form and "of its own" in computed[2])
    assert told() == computed
    shutil.rmtree(isolated_home / ".cache" / "tabchat" / "results")
    assert told() == computed


def engine_runs(session: Session) -> bool:
    return session.engine._engine is not None


def asked(settings: Settings, source: Path, question: str = QUESTIONS[0]) -> tuple[list[object], bool]:
    """Answer a question as `tabchat ask` does; returns its rows, and whether that took an engine."""
    with Session.open([source], settings=settings, direct=True) as session:
        answer = session.answer(question)
        assert answer.block is not None, answer.error
        return list(answer.block.result.frame.rows()), engine_runs(session)


def test_it_starts_no_engine(settings: Settings, source: Path) -> None:
    for question in QUESTIONS:
        rows, ran = asked(settings, source, question)
        assert ran
        assert asked(settings, source, question) == (rows, False)


def test_the_rows_behind_it_are_there(settings: Settings, source: Path) -> None:
    def behind() -> list[object]:
        with Session.open([source], settings=settings, direct=True) as session:
            block = session.answer("how many orders in Germany?").block
            assert block is not None
            assert block.result.source is not None
            return list(block.result.source.rows())

    computed = behind()
    assert len(computed) > 100
    assert behind() == computed


def test_a_file_that_has_changed_is_read_and_computed_again(settings: Settings, source: Path) -> None:
    before, _ = asked(settings, source)
    source.write_text(source.read_text().replace("Europe", "Mars"))
    after, ran = asked(settings, source)
    assert ran
    assert before != after


def test_what_another_program_computed_is_computed_again_and_then_kept(
    settings: Settings, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(settings, source)
    for place in ("store.program", "store.held", "tools.results"):
        monkeypatch.setattr(f"tabchat.{place}.this_program", lambda: "a later one")
    assert asked(settings, source)[1]
    assert not asked(settings, source)[1]


def test_rows_that_were_evicted_or_changed_are_computed_again(settings: Settings, source: Path) -> None:
    rows, _ = asked(settings, source)
    for path in settings.cache_dir.glob("results/**/*.parquet"):
        path.unlink()
    assert asked(settings, source) == (rows, True)
    with closing(sqlite3.connect(settings.cache_dir / "results" / "cache.db")) as index:
        changed = index.execute(
            "UPDATE Cache SET value = replace(value, '611714.5', '711714.5') WHERE key LIKE 'held:%'"
        ).rowcount
        index.commit()
    assert changed == 1
    assert asked(settings, source) == (rows, True)


def test_another_first_day_of_the_week_is_another_result(settings: Settings, source: Path) -> None:
    asked(settings, source)
    assert asked(replace(settings, week_start="sunday"), source)[1]


def test_a_plan_that_somebody_wrote_is_computed(settings: Settings, source: Path) -> None:
    plan = {"group_by": "region", "select": "sum(revenue)"}
    asked(settings, source)
    with Session.open([source], settings=settings, direct=True) as session:
        assert session.query(plan).block is not None
        assert engine_runs(session)


def test_a_session_that_is_closed_before_anything_was_asked_starts_no_engine(
    settings: Settings, source: Path
) -> None:
    asked(settings, source)
    session = Session.open([source], settings=settings, direct=True)
    session.close()
    assert not engine_runs(session)
