"""The names that code in the sandbox finds. Runs inside the worker, on its own copy of the libraries.

Holes that no reading of the code can see are closed: texts put together at run time that libraries take for more.
"""

from __future__ import annotations

import builtins
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tabchat.sandbox.guarding.stats_paths import ESTIMATORS
from tabchat.sandbox.guarding.words import BUILTINS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

_MARK = "_only_plain_names"


def close_holes(*, with_stats: bool) -> None:
    """Make pandas and NumPy safe against their own conveniences; may be called again.

    - A series finds its labels, and SciPy's and scikit-learn's results their
      keys, as attributes, also those of NumPy's protocols: with a dict under
      `__array_interface__`, `np.asarray` reads and writes any address.
    - A time zone `dateutil/<path>` reads that file.
    - A pipeline's `memory` is a folder, which a search over parameters can set by its name.
    """
    from pandas.core.generic import NDFrame

    setattr(import_module("pandas._libs.tslibs.timezones"), "dateutil_gettz", _no_file)  # noqa: B010 - as below
    kinds: list[type] = [NDFrame]
    if with_stats:
        from scipy.optimize import OptimizeResult
        from sklearn.utils import Bunch

        kinds += [Bunch, *(kind for kind in OptimizeResult.__mro__ if "__getattr__" in vars(kind))]
        memory = import_module("joblib").Memory
        if not hasattr(memory.__init__, _MARK):
            memory.__init__ = _no_folder(memory.__init__)
    for kind in kinds:
        found = vars(kind)["__getattr__"]
        if not hasattr(found, _MARK):
            setattr(kind, "__getattr__", _plain_names_only(found))  # noqa: B010 - mypy knows no assignment to it


def _plain_names_only(look_up: Callable[[Any, str], object]) -> Callable[[Any, str], object]:
    def attribute(self: Any, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return look_up(self, name)

    setattr(attribute, _MARK, True)
    return attribute


def _no_folder(make: Callable[..., None]) -> Callable[..., None]:
    def initialise(self: Any, location: object = None, *arguments: Any, **named: Any) -> None:
        if location is not None:
            raise ValueError("a cache in a folder is not available here")
        make(self, None, *arguments, **named)

    setattr(initialise, _MARK, True)
    return initialise


def _no_file(name: object) -> NoReturn:
    raise ValueError(f"the time zone {name!r} would be read from a file")


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
