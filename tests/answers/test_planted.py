"""Planted wrong figures and references are caught, all of them; right figures are linked, nearly all."""

import pytest

from tabchat.answers.check import AnswerContext
from tests.answers.planted import contexts_in, run_trial
from tests.effort import examples


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, AnswerContext]:
    return contexts_in(tmp_path_factory.mktemp("planted"))


@pytest.mark.parametrize("seed", range(examples(1)))
def test_every_planted_error_is_caught_and_right_figures_are_linked(
    contexts: dict[str, AnswerContext], seed: int
) -> None:
    trial = run_trial(contexts, rounds=14, seed=seed)
    assert trial.planted.total() > 1_000
    assert trial.missed == []
    assert len(trial.flagged) <= 0.05 * trial.right, trial.report()
