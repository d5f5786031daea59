"""Every planted error in generated answers is caught, and right answers are left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.chat.validator.planted.trial import run_trial, worlds

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_no_wrong_number_passes_and_right_ones_are_not_flagged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trial = run_trial(worlds(tmp_path), rounds=11)
    with capsys.disabled():
        pass
    assert trial.answers >= 2_000
    assert trial.missed == []
    assert trial.false_alarms <= 0.01, trial.flagged
