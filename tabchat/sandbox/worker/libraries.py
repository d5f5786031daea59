"""The libraries that code finds, by what is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Final

_SHORT_NAMES: Final = frozenset({"stats", "sm", "smf"})
_STATS: Final = ("scipy", "statsmodels", "sklearn")


def stats_installed() -> bool:
    """Return whether the extra `stats` is there as a whole: SciPy, statsmodels and scikit-learn."""
    return all(map(find_spec, _STATS))


def names_stats(code: str) -> bool:
    """Return whether code names anything of SciPy, statsmodels or scikit-learn; it may use them without, by pandas."""
    from tabchat.sandbox.guarding.stats_paths import ESTIMATORS

    words = set(re.findall(r"\w+", code))
    return any(words & names for names in (_SHORT_NAMES, set(_STATS), ESTIMATORS.keys()))


def names_of_code(*, with_stats: bool) -> str:
    """Return what code may use without importing it, for messages and descriptions."""
    names = "df, pd, np, re, math, statistics, datetime"
    return f"{names}, scipy, stats, sm, smf and the estimators of scikit-learn" if with_stats else names
