"""Closes what no reading of the code can see: texts put together at run time that libraries take for more.

Runs inside the worker, on its own copy of the libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

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
