"""The names of code that runs behind the kernel lock alone: for the tests that attack it. Runs inside the worker."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tabchat.sandbox.guarding.stats_paths import ESTIMATORS

if TYPE_CHECKING:
    import pandas as pd

_MODULES: Final = {"pd": "pandas", "np": "numpy"}
_COMPUTING: Final = ("re", "math", "statistics", "datetime")
_STATISTICS: Final = {
    "scipy": "scipy",
    "stats": "scipy.stats",
    "sm": "statsmodels.api",
    "smf": "statsmodels.formula.api",
}


def open_namespace(frame: pd.DataFrame, *, with_stats: bool) -> dict[str, Any]:
    """Return the usual names with every built-in function and the libraries as they are: the lock stands alone."""
    names = {name: import_module(_MODULES.get(name, name)) for name in (*_MODULES, *_COMPUTING)}
    if with_stats:
        names |= {name: import_module(module) for name, module in _STATISTICS.items()}
        names |= {name: getattr(import_module(module), name) for name, module in ESTIMATORS.items()}
    return {"df": frame, **names}
