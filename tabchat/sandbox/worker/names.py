"""The names that code in the sandbox finds. Runs inside the worker."""

from __future__ import annotations

import builtins
import sys
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding.stats_paths import ESTIMATORS
from tabchat.sandbox.guarding.words import BUILTINS
from tabchat.sandbox.worker.holes import close_holes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

_LIBRARIES: Final = frozenset(("numpy", "pandas", "pyarrow", "scipy", "sklearn", "statsmodels"))
_SCIPY: Final = (
    "scipy.cluster.hierarchy",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.signal",
    "scipy.spatial.distance",
    "scipy.special",
    "scipy.stats",
)


def code_namespace(frame: pd.DataFrame, *, with_stats: bool) -> dict[str, object]:
    """Return the globals of code that works on `frame`, which it sees as `df` and may change.

    Holds pandas, NumPy and modules that only compute, few builtins, and with
    `with_stats` SciPy, statsmodels and scikit-learn's estimators; ImportError
    when these are not installed. Closes the holes of the libraries in this process.
    """
    import datetime  # noqa: ICN001 - the name that code sees
    import math
    import re
    import statistics

    import numpy as np
    import pandas as pd

    names: dict[str, object] = {
        "__builtins__": _builtins(),
        "df": frame,
        "pd": pd,
        "np": np,
        "re": re,
        "math": math,
        "statistics": statistics,
        "datetime": datetime,
    }
    if with_stats:
        names |= _stats()
    close_holes(with_stats=with_stats)
    return names


def _builtins() -> dict[str, object]:
    allowed = {name: getattr(builtins, name) for name in sorted(BUILTINS)}
    return allowed | {"type": _type_of, "__import__": _import_library}


def _type_of(value: object, /) -> type:
    """Return the type of `value`; unlike `type`, make none.

    TypeError for a type, an array, a pandas dtype and a MultiIndex: who has the type of
    these can make others, lay an array over any memory, name a file as a time zone, or
    have codes point anywhere.
    """
    import numpy as np
    from pandas import MultiIndex
    from pandas.api.extensions import ExtensionDtype

    if isinstance(value, type | np.ndarray | ExtensionDtype | MultiIndex):
        raise TypeError("`type` tells the type of plain values and tables here: use `isinstance`")
    return type(value)


def _import_library(
    name: str,
    scope: Mapping[str, object] | None = None,
    local: Mapping[str, object] | None = None,
    wanted: Sequence[str] = (),
    level: int = 0,
) -> object:
    """Import a part of a library: compiled code that the code calls does so under the code's builtins."""
    if name not in sys.modules and name.partition(".")[0] not in _LIBRARIES:
        raise ImportError(f"{name} is not available here")
    return __import__(name, scope, local, wanted, level)


def _stats() -> dict[str, object]:
    from importlib import import_module

    for module in _SCIPY:
        import_module(module)
    found: dict[str, object] = {
        "scipy": import_module("scipy"),
        "stats": import_module("scipy.stats"),
        "sm": import_module("statsmodels.api"),
        "smf": import_module("statsmodels.formula.api"),
    }
    for name, module in ESTIMATORS.items():
        found[name] = getattr(import_module(module), name)
    return found
