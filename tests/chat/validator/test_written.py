"""Answers as models write them: exactly the wrong figures and names are flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.chat.validator import validate
from tests.chat.validator.written import english, more_english, more_slavic, russian, ukrainian
from tests.chat.validator.written.examples import example_results
from tests.chat.validator.written.results import results

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabchat.chat.answer import DataBlock


def _wrongly_judged(
    answers: list[tuple[str, str, tuple[str, ...]]], known: dict[str, DataBlock]
) -> list[str]:
    wrong = []
    for keys, text, expected in answers:
        verdict = validate(text, blocks=[known[key] for key in keys.split()])
        flagged = tuple(claim.text for claim in verdict.verification.claims if claim.status == "unverified")
        if flagged != expected:
            wrong.append(f"{text!r}: expected {expected}, flagged {flagged}, issues {verdict.issues}")
    return wrong


@pytest.mark.parametrize(
    "answers", [english.ANSWERS, ukrainian.ANSWERS, russian.ANSWERS], ids=["english", "ukrainian", "russian"]
)
def test_answers_about_small_tables(tmp_path: Path, answers: list[tuple[str, str, tuple[str, ...]]]) -> None:
    assert _wrongly_judged(answers, results(tmp_path)) == []


@pytest.mark.parametrize("answers", [more_english.ANSWERS, more_slavic.ANSWERS], ids=["english", "slavic"])
def test_answers_about_the_example_tables(
    tmp_path: Path, example: Callable[[str], Path], answers: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    assert _wrongly_judged(answers, example_results(tmp_path, example)) == []
