"""Answers as models write them about the example tables: right ones pass, wrong ones are flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

from tests.chat.validator.prose import (
    everyday,
    everyday_code,
    everyday_hard,
    everyday_slavic,
    fifth_hard,
    fifth_right,
    fifth_slavic,
    later_right,
    later_slavic,
    later_wrong,
    right,
    right_slavic,
    seventh_right,
    sixth_right,
    third_right,
    third_wrong,
    wrong,
)
from tests.chat.validator.prose.fifth_results import fifth_results
from tests.chat.validator.prose.fourth_results import fourth_results
from tests.chat.validator.prose.judged import is_flagged, verdict_on
from tests.chat.validator.prose.later_results import later_results
from tests.chat.validator.prose.results import Known, known_results
from tests.conftest import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Known]]:
    """Every result that the answers speak of; nothing changes them."""
    tables = tmp_path_factory.mktemp("tables")
    with (
        fourth_results(tmp_path_factory.mktemp("session"), EXAMPLES.joinpath) as fourth,
        fifth_results(tmp_path_factory.mktemp("session"), EXAMPLES.joinpath) as fifth,
    ):
        yield {
            **known_results(tables, EXAMPLES.joinpath),
            **later_results(tables, EXAMPLES.joinpath),
            **fourth,
            **fifth,
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


Answer: TypeAlias = tuple[str, str, str, list[tuple[str, str]]]
EVERYDAY = [*everyday.ANSWERS, *everyday_code.ANSWERS, *everyday_slavic.ANSWERS, *everyday_hard.ANSWERS]


def test_everyday_answers_pass(known: Mapping[str, Known]) -> None:
    flagged = _marked(known, [*EVERYDAY, *everyday_hard.DOUBTED])

    assert flagged == [text for _, _, text, _ in everyday_hard.DOUBTED]


def test_everyday_answers_with_one_slip_are_flagged(known: Mapping[str, Known]) -> None:
    passed = _passed(known, [*EVERYDAY, *everyday_hard.DOUBTED, *everyday_hard.MISSED])

    assert passed == _slips(everyday_hard.MISSED)


LONG = [*fifth_right.ANSWERS, *fifth_slavic.ANSWERS, *sixth_right.ANSWERS, *seventh_right.ANSWERS]


def test_long_answers_pass(known: Mapping[str, Known]) -> None:
    flagged = _marked(known, [*LONG, *fifth_hard.DOUBTED])

    assert flagged == [text for _, _, text, _ in fifth_hard.DOUBTED]


def test_long_answers_with_one_slip_are_flagged(known: Mapping[str, Known]) -> None:
    passed = _passed(known, [*LONG, *fifth_hard.DOUBTED, *fifth_hard.MISSED])

    assert passed == _slips(fifth_hard.MISSED)


def test_wrong_claims_without_a_figure_are_flagged(known: Mapping[str, Known]) -> None:
    flagged = _flagged(known, [*everyday_hard.CLAIMS, *everyday_hard.UNTOLD])

    assert flagged == _texts(everyday_hard.CLAIMS)


def _marked(known: Mapping[str, Known], answers: list[Answer]) -> list[str]:
    """Return the answers of which something is flagged."""
    return [
        text for keys, question, text, _ in answers if is_flagged(verdict_on(known, keys, question, text))
    ]


def _slips(answers: list[Answer]) -> list[tuple[str, str, str]]:
    return [(text, old, new) for _, _, text, changes in answers for old, new in changes]


def _passed(known: Mapping[str, Known], answers: list[Answer]) -> list[tuple[str, str, str]]:
    """Return each change that makes an answer wrong and that nothing flags."""
    assert [(text, old) for text, old, _ in _slips(answers) if old not in text] == []
    return [
        (text, old, new)
        for keys, question, text, changes in answers
        for old, new in changes
        if not is_flagged(verdict_on(known, keys, question, text.replace(old, new, 1)))
    ]


def _texts(answers: list[tuple[str, str, list[str]]]) -> list[str]:
    return [text for _, _, texts in answers for text in texts]


def _flagged(known: Mapping[str, Known], answers: list[tuple[str, str, list[str]]]) -> list[str]:
    return [
        text
        for keys, question, texts in answers
        for text in texts
        if is_flagged(verdict_on(known, keys, question, text))
    ]
