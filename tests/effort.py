"""How much the tests try: in every run what is cheap enough for it, in a thorough one (`make thorough`) far more."""

from __future__ import annotations

import os
from typing import Final

THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
_FACTOR: Final = 10


def examples(usual: int) -> int:
    """Return how many examples of a law to try in this run."""
    return usual * _FACTOR if THOROUGH else usual
