"""Answers as models write them about the example tables: right ones pass, wrong ones are flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.chat.validator.prose import right, wrong
from tests.chat.validator.prose.judged import is_flagged, verdict_on
from tests.chat.validator.prose.results import Known, known_results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@pytest.fixture
def known(tmp_path: Path, example: Callable[[str], Path]) -> Mapping[str, Known]:
    return known_results(tmp_path, example)


def test_right_answers_pass(known: Mapping[str, Known]) -> None:
    flagged = [
        (keys, text)
        for keys, question, text in right.ANSWERS
        if is_flagged(verdict_on(known, keys, question, text))
    ]

    assert flagged == []


def test_wrong_answers_are_flagged(known: Mapping[str, Known]) -> None:
    passed = [
        (keys, text)
        for keys, question, text in wrong.ANSWERS
        if not is_flagged(verdict_on(known, keys, question, text))
    ]

    assert passed == []
