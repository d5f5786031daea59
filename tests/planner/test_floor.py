"""The level that the planner has reached on the gold questions is kept."""

from __future__ import annotations

import pytest

from tests.planner.asking import figures, measure
from tests.planner.gold import read_questions


@pytest.fixture(scope="module")
def development() -> dict[str, dict[str, float]]:
    outcomes = measure(read_questions("dev.jsonl"))
    by_language = {
        language: [item for item in outcomes if item.question.lang == language]
        for language in ("en", "uk", "ru")
    }
    return {"all": figures(outcomes), **{language: figures(found) for language, found in by_language.items()}}


def test_what_is_answered_is_right(development: dict[str, dict[str, float]]) -> None:
    assert development["all"]["precision"] >= 0.99


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_most_of_what_can_be_answered_is(development: dict[str, dict[str, float]], language: str) -> None:
    assert development[language]["coverage"] >= 0.95


def test_nothing_unanswerable_is_answered(development: dict[str, dict[str, float]]) -> None:
    assert development["all"]["refused"] == 1.0


def test_public_tables_that_no_one_here_wrote_are_answered_right() -> None:
    found = figures(measure(read_questions("public.jsonl")))

    assert found["precision"] >= 0.98
    assert found["coverage"] >= 0.95
    assert found["refused"] == 1.0


def test_tables_of_other_domains_are_answered_right() -> None:
    found = figures(measure(read_questions("own.jsonl")))

    assert found["precision"] >= 0.98
    assert found["coverage"] >= 0.84
    assert found["refused"] == 1.0


def test_tables_with_notes_and_units_in_their_cells_are_answered_right_or_refused() -> None:
    found = figures(measure(read_questions("wiki.jsonl")))

    assert found["precision"] >= 0.98
    assert found["coverage"] >= 0.78
    assert found["refused"] == 1.0
