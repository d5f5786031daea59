"""The weights of the choice: a data file that `benchmarks/fit_planner.py` writes."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.trees import Trees, packed_trees, read_trees
from tabchat.planner.words.data_files import DataFiles
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.planner.words.data_files import Sections

FILE: Final = Path(__file__).with_name("weights.json")


def _packed(text: str) -> Sections:
    data = json.loads(text)
    packed = packed_trees(data["calibration"])
    return {"score": data["score"], "calibration": packed, "threshold": data["threshold"]}


WEIGHT_FILES: Final = DataFiles(
    paths=(FILE,),
    code=(Path(__file__), FILE.with_name("trees.py")),
    compiled=FILE.with_suffix(".compiled"),
    read=_packed,
)


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
    return _weights(WEIGHT_FILES.sections())


def read_weights(text: str) -> Weights:
    """Read weights from JSON."""
    return _weights(_packed(text))


def _weights(packed: Sections) -> Weights:
    return Weights(
        score=packed["score"],
        calibration=read_trees(packed["calibration"]),
        threshold=float(packed["threshold"]),
    )
