"""The weights of the choice: a data file that `benchmarks/fit_planner.py` writes."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.trees import Trees, read_trees
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE: Final = Path(__file__).with_name("weights.json")


@record
class Weights:
    """What the choice was fitted to."""

    score: Mapping[str, float]
    """Feature → weight."""
    calibration: Trees
    """From the signs of a choice to the log-odds that its first reading is right."""
    threshold: float
    """The probability from which on a reading is certain."""


@lru_cache(maxsize=1)
def shipped_weights() -> Weights:
    """Return the weights that come with the package."""
    return read_weights(FILE.read_text(encoding="utf-8"))


def read_weights(text: str) -> Weights:
    """Read weights from JSON."""
    data = json.loads(text)
    return Weights(
        score=data["score"],
        calibration=read_trees(data["calibration"]),
        threshold=float(data["threshold"]),
    )
