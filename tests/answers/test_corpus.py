"""Answers as models write them, over real results: the text that is read, its receipts, and nothing flagged that is right."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tabchat.answers.check import AnswerContext, CheckedAnswer, check_answer
from tests.answers.results import scene

Scenes = Callable[[str], AnswerContext]

FOLDER: Final = Path(__file__).parent / "corpus"


def cases(*names: str) -> list[Any]:
    """Return the cases of some files of the corpus, each under the beginning of its text."""
    return [
        pytest.param(case, id=f"{name}-{index}")
        for name in names
        for index, case in enumerate(tomllib.loads((FOLDER / f"{name}.toml").read_text())["case"])
    ]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    """Return a scene by its name; each is computed once."""

    @cache
    def context(name: str) -> AnswerContext:
        return scene(tmp_path_factory.mktemp(name), name)[1]

    return context


def spaced(text: str) -> str:
    return text.replace("\u00a0", " ")


def figures(checked: CheckedAnswer) -> list[str]:
    return [f"{receipt.status} {spaced(receipt.text)}" for receipt in checked.verification.receipts]


def check(scenes: Scenes, case: Any) -> CheckedAnswer:
    return check_answer(case["text"], replace(scenes(case["scene"]), question=case.get("ask", "")))


@pytest.mark.parametrize("case", cases("templates", "blind_templates"))
def test_right_references_read_as_expected(scenes: Scenes, case: Any) -> None:
    checked = check(scenes, case)
    assert spaced(checked.text) == case["reads"]
    assert figures(checked) == case["figures"]
    assert checked.issues == ()
    assert checked.feedback is None


@pytest.mark.parametrize("case", cases("digits", "blind_digits"))
def test_typed_figures_are_linked_where_they_are_bound(scenes: Scenes, case: Any) -> None:
    checked = check(scenes, case)
    assert checked.text == case["text"]
    assert figures(checked) == case["figures"]
    doubted = [said.partition(" ")[2] for said in case["figures"] if said.startswith("unverified")]
    assert [spaced(issue).partition(": is typed")[0] for issue in checked.issues] == doubted
