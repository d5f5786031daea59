"""Loads what pandas, NumPy and pyarrow would load when something is first used.

A locked process opens no file, so an import after the lock fails. Each step
uses one family of functions once, on a tiny table, and so has the library load
what belongs to it. Nothing here depends on anybody's data.
"""

from __future__ import annotations

import datetime as dt
import sys
import time
import warnings
import zoneinfo
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, Any, Final

from tabchat.sandbox.worker.warm_families import FAMILIES
from tabchat.sandbox.worker.warmth import Warmth

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

_ROWS: Final = 12
_MOMENT: Final = dt.datetime(2024, 7, 1, 12, tzinfo=dt.UTC)
_PARTS: Final = (
    # What NumPy, pandas, or code that is in reach of a snippet, imports inside functions.
    "_strptime",
    "bisect",
    "calendar",
    "collections.abc",
    "csv",
    "decimal",
    "difflib",
    "fractions",
    "heapq",
    "html.parser",
    "locale",
    "numbers",
    "pprint",
    "random",
    "statistics",
    "string",
    "textwrap",
    "traceback",
    "unicodedata",
    "xml.dom.minidom",
    "xml.etree.ElementTree",
    "numpy.linalg",
    "numpy.ma",
    "numpy.polynomial",
    "numpy.random",
    "pyarrow.compute",
    "pyarrow.ipc",
    "pandas.api.indexers",
    "pandas.api.types",
    "pandas.core._numba.executor",
    "pandas.core.arrays.arrow.extension_types",
    "pandas.core.reshape.api",
    "pandas.io.formats.html",
    "pandas.io.formats.string",
    "pandas.io.formats.xml",
)
_USED: Final = (
    # What the families load, so that ordinary code needs no warmer process.
    "pyarrow.pandas_compat",
    "pyarrow.vendored.version",
    "encodings.idna",
    "encodings.punycode",
    "numpy.char",
    "numpy.fft",
    "numpy.rec",
    "numpy.strings",
    "pandas.core.arrays.arrow._arrow_utils",
    "pandas.core.methods.to_dict",
    "pandas.core.reshape.reshape",
    "pandas.io.formats.csvs",
)
_LEFT_OUT: Final = frozenset(
    {"polars", "numexpr", "numba", "bottleneck", "dask", "torch", "jax", "matplotlib"}
)
"""Libraries that others load when they find them; they start threads, compile code, or open windows."""
_OURS: Final = (
    "tabchat.sandbox.worker.frame_in",
    "tabchat.sandbox.guard",
    "tabchat.sandbox.worker.names",
    "tabchat.sandbox.worker.open_names",
    "tabchat.sandbox.worker.result_out",
    "tabchat.sandbox.worker.placing",
    "tabchat.sandbox.worker.result_table",
)


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """What was loaded."""

    zones: tuple[dt.tzinfo, ...]
    """Every time zone: while one is alive, asking for it by name opens no file."""
    unloaded: list[str]
    """Families that raised, with the reason: another version of a library may lack what is used here."""


def warm(warmth: Warmth) -> Loaded:
    """Load what `warmth` says; raises ImportError when pandas, pyarrow or a part of ours is broken."""
    sys.meta_path.insert(0, _LeftOut())
    unloaded: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in _OURS:
            import_module(name)
        if warmth is Warmth.IMPORTED:
            _common()
            return Loaded(zones=(), unloaded=[])
        zones, frame = _zones(), _frame()
        _exchange(frame)
        for step in (_parts, *FAMILIES, *_stats(with_stats=warmth is Warmth.STATISTICS)):
            try:
                step(frame)
            except Exception as error:  # noqa: BLE001 - reported; all that does not need it still works
                unloaded.append(f"{step.__name__.strip('_')}: {type(error).__name__}: {error}"[:500])
    return Loaded(zones=zones, unloaded=unloaded)


def _common() -> None:
    """Load what ordinary code uses, without using it."""
    for name in (*_PARTS, *_USED):
        # What another version of a library has not is lacking like anything else.
        with suppress(ImportError):
            import_module(name)
    time.localtime()


def _parts(_: pd.DataFrame) -> None:
    missing = []
    for name in _PARTS:
        try:
            import_module(name)
        except ImportError:
            missing.append(name)
    if missing:
        raise ImportError(f"no {', '.join(missing)}")


def _stats(*, with_stats: bool) -> tuple[Callable[[pd.DataFrame], None], ...]:
    if not with_stats:
        return ()
    from tabchat.sandbox.worker.warm_stats import FAMILIES as STATISTICS

    return STATISTICS


class _LeftOut(MetaPathFinder):
    """Says of some libraries that they are not there."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002 - protocol
        """Refuse the libraries that are left out; leave all others to the finders that follow."""
        if fullname.partition(".")[0] in _LEFT_OUT:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def _zones() -> tuple[dt.tzinfo, ...]:
    """Load every time zone, also as the twin in plain Python that pandas reads the changes of the clock from."""
    twin = import_module("zoneinfo._zoneinfo").ZoneInfo
    zones: list[dt.tzinfo] = []
    for key in sorted(zoneinfo.available_timezones()):
        zones += (zoneinfo.ZoneInfo(key), twin(key))
        _MOMENT.astimezone(zones[-2]).astimezone(dt.UTC)
    time.localtime()
    time.strptime("2024", "%Y")
    return tuple(zones)


def _frame() -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    numbers = np.arange(_ROWS)
    return pd.DataFrame(
        {
            "t": pd.date_range("2024-01-01", periods=_ROWS, freq="D"),
            "k": ["a", "b", None] * (_ROWS // 3),
            "n": numbers,
            "x": numbers * 1.5,
            "b": numbers % 2 == 0,
            "c": pd.Categorical(["u", "v"] * (_ROWS // 2)),
        }
    )


def _exchange(frame: pd.DataFrame) -> None:
    """Take the way of every table and every result: Arrow in, Arrow out, values as text."""
    import pyarrow as pa

    from tabchat.sandbox.worker.frame_in import to_frame
    from tabchat.sandbox.worker.result_out import found
    from tabchat.sandbox.worker.result_table import to_arrow

    sink = pa.BufferOutputStream()
    table = pa.table(
        {
            "day": pa.array([dt.date(2024, 1, 1), None]),
            "moment": pa.array([_MOMENT, None]),
            "away": pa.array([_MOMENT, None], pa.timestamp("us", tz="Europe/Kyiv")),
            "clock": pa.array([dt.time(1, 2), None]),
            "span": pa.array([dt.timedelta(1), None]),
            "money": pa.array([Decimal(1), None], pa.decimal128(12, 2)),
            "long": pa.array([Decimal(10**20), None], pa.decimal128(38, 2)),
            "whole": pa.array([2**60, None]),
            "text": pa.array(["a", None]),
            "flag": pa.array([True, None]),
            "words": pa.array(["a", None]).dictionary_encode(),
            "list": pa.array([[1], None]),
        }
    )
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    read = to_frame(pa.ipc.open_stream(sink.getvalue()).read_all())
    results: tuple[Any, ...] = (
        frame,
        read,
        frame["x"],
        frame["t"].max(),
        {"a": 1},
        [1, "b"],
        {1.5},
        object(),
    )
    for result in (
        *results,
        frame["t"] - frame["t"],
        frame.set_index("t").to_period("M"),
        frame.memory_usage(),
    ):
        item = found(result, _ROWS, frozenset(frame.columns))
        if item.frame is not None:
            to_arrow(item.frame)
