"""Collects what attributes the objects have that code can get hold of, from the installed libraries."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import types
from datetime import date, datetime, time, timedelta, timezone
from typing import Final

import numpy as np
import pandas as pd

_PACKAGES: Final = re.compile(
    r"pandas\.core\.(accessor|arraylike|arrays(\..*)?|base|flags|frame|generic|groupby(\..*)?|indexes(\..*)?|indexing"
    r"|internals(\..*)?|methods(\..*)?|resample|series|strings(\..*)?|window(\..*)?)|pandas\._libs\.tslibs(\..*)?"
)
_OTHERS: Final[tuple[type, ...]] = (
    *(np.ndarray, np.dtype, np.ufunc, np.float64, np.str_, np.random.Generator, np.random.RandomState, np.poly1d),
    *(np.vectorize, np.finfo, np.flatiter, type(np.zeros(1).flags), type(np.zeros(1).data)),
    *(bool, bytes, complex, dict, enumerate, float, frozenset, int, list, map, object, range, set, slice, str, tuple),
    *(AttributeError, Exception, ImportError, KeyError, NameError, OSError, StopIteration, SyntaxError),
    *(SystemExit, UnicodeDecodeError, ExceptionGroup),
    *(type, zip, date, datetime, time, timedelta, timezone),
    *(re.Pattern, re.Match, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.GeneratorType),
    *(types.CodeType, types.FrameType, types.TracebackType, types.ModuleType, types.CoroutineType),
    *(types.AsyncGeneratorType, types.MappingProxyType, types.CellType),
)  # fmt: skip


def public_names() -> frozenset[str]:
    """Return the attributes of all those classes, and what their methods store in `self`."""
    found: set[str] = set()
    for kind in _OTHERS:
        found |= set(dir(kind))
    for name, module in sorted(sys.modules.items()):
        if not _PACKAGES.fullmatch(name) or ".tests" in name:
            continue
        for kind in vars(module).values():
            if (
                isinstance(kind, type)
                and kind.__module__.startswith("pandas")
                and not issubclass(kind, Exception)
            ):
                found |= set(dir(kind))
        found |= _stored(module)
    return frozenset(name for name in found if not name.startswith("_"))


def _stored(module: types.ModuleType) -> set[str]:
    try:
        source = inspect.getsource(module)
    except (OSError, TypeError):  # compiled
        return set()
    return {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


if __name__ == "__main__":
    from tabchat.sandbox.guarding.attributes import OBJECTS

    print(pd.__version__, np.__version__, *sorted(public_names() - OBJECTS))  # noqa: T201 - its answer
