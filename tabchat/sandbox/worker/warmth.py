"""How much a zygote loads before it forks: the less, the sooner the first code runs."""

from __future__ import annotations

from enum import IntEnum


class Warmth(IntEnum):
    """Each holds what the one before holds."""

    IMPORTED = 0
    """The libraries, as they are imported: code that asks for more is noticed, and run again by a warmer process."""
    USED = 1
    """Also what pandas, NumPy and pyarrow load when something is first used, and the time zones."""
    STATISTICS = 2
    """Also SciPy, statsmodels and scikit-learn."""
