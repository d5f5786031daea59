"""How much the tests try: in every run what is cheap enough for it, in a thorough one (`make thorough`) far more."""

import os
from typing import Final

THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
_FACTOR: Final = 10
_PART: Final = 3
_FEW: Final = 12
"""Of a law with no more examples than these every run tries them all."""


def examples(usual: int) -> int:
    """Return how many examples of a law to try in this run: others in each, so that many runs try what a long one does."""
    return usual * _FACTOR if THOROUGH else max(min(usual, _FEW), usual // _PART)
