"""Answers as models write them about the example tables: right ones pass, wrong ones are flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.chat.validator.prose import (
    later_right,
    later_slavic,
    later_wrong,
    right,
    right_slavic,
    third_right,
    third_wrong,
    wrong,
)
from tests.chat.validator.prose.judged import is_flagged, verdict_on
from tests.chat.validator.prose.later_results import later_results
from tests.chat.validator.prose.results import Known, known_results
from tests.conftest import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Known]:
    """Every result that the answers speak of; nothing changes them."""
    return {
        **known_results(tmp_path_factory.mktemp("first"), EXAMPLES.joinpath),
        **later_results(tmp_path_factory.mktemp("later"), EXAMPLES.joinpath),
    }


def test_right_answers_pass(known: Mapping[str, Known]) -> None:
    flagged = [
        (keys, text)
        for keys, question, text in (*right.ANSWERS, *right_slavic.ANSWERS)
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


def test_right_answers_about_more_results_pass(known: Mapping[str, Known]) -> None:
    flagged = _flagged(known, [*later_right.ANSWERS, *later_slavic.RIGHT, *later_right.DOUBTED])

    assert flagged == _texts(later_right.DOUBTED)


def test_wrong_answers_about_more_results_are_flagged(known: Mapping[str, Known]) -> None:
    wrong_ones = [*later_wrong.ANSWERS, *later_slavic.WRONG]

    flagged = _flagged(known, wrong_ones)

    assert flagged == _texts(wrong_ones)


def test_right_answers_of_a_third_round_pass(known: Mapping[str, Known]) -> None:
    flagged = _flagged(known, [*third_right.ANSWERS, *third_right.DOUBTED])

    assert flagged == _texts(third_right.DOUBTED)


def test_wrong_answers_of_a_third_round_are_flagged(known: Mapping[str, Known]) -> None:
    flagged = _flagged(known, [*third_wrong.ANSWERS, *third_wrong.MISSED])

    assert flagged == _texts(third_wrong.ANSWERS)


def _texts(answers: list[tuple[str, str, list[str]]]) -> list[str]:
    return [text for _, _, texts in answers for text in texts]


def _flagged(known: Mapping[str, Known], answers: list[tuple[str, str, list[str]]]) -> list[str]:
    return [
        text
        for keys, question, texts in answers
        for text in texts
        if is_flagged(verdict_on(known, keys, question, text))
    ]
