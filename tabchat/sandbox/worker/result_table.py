"""A result as rows: which index is kept, how columns are named, and which plain type each one gets.

Runs inside the worker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tabchat.sandbox.reply.plain_types import is_plain

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_VALUE: Final = "value"
_NAME_LIMIT: Final = 500


def framed_result(result: pd.DataFrame | pd.Series, rows: int, columns: frozenset[str]) -> pd.DataFrame:
    """Return a frame with unique text names, its index among the columns where the index says something."""
    import pandas as pd

    if isinstance(result, pd.Series):
        own = result.name in columns
        name = _VALUE if result.name is None else result.name
        frame = pd.DataFrame({0: result.array}, index=result.index)
        frame.columns = pd.Index([name], dtype=object)
    else:
        own = any(name in columns for name in result.columns)
        frame = result.copy(deep=False)
    kept = index_columns(frame.index, rows=rows, own=own)
    names = unique_names([*(name for name, _ in kept), *map(_name, frame.columns)])
    frame = frame.reset_index(drop=True)
    # Set before the index joins: a column index of categories takes no new name.
    frame.columns = pd.Index(names[len(kept) :], dtype=object)
    for place, (name, (_, level)) in enumerate(zip(names, kept, strict=False)):
        frame.insert(place, name, level.array)
    return frame


def index_columns(index: pd.Index, *, rows: int, own: bool) -> list[tuple[str, pd.Index]]:
    """Return the levels of an index that say something, with their names.

    What says nothing is a plain count, and the row numbers of the table under
    a result that still has `own` columns of it: what is left after filtering
    and sorting.
    """
    import pandas as pd

    if isinstance(index, pd.MultiIndex):
        return [
            (_name(name) if name is not None else f"level_{place}", index.get_level_values(place))
            for place, name in enumerate(index.names)
        ]
    if index.name is not None:
        return [(_name(index.name), index)]
    if isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1:
        return []
    if pd.api.types.is_integer_dtype(index.dtype) and len(index):
        counted = bool((index == pd.RangeIndex(len(index))).all())
        rest = own and index.min() >= 0 and index.max() < rows
        return [] if counted or rest else [("index", index)]
    return [("index", index)] if len(index) else []


def listed(result: object) -> pd.DataFrame | None:
    """Return a list, tuple, set, index or array as rows, None for anything that is none of these."""
    import numpy as np
    import pandas as pd

    if isinstance(result, pd.MultiIndex):
        return framed_result(result.to_frame(index=False), 0, frozenset())
    if isinstance(result, pd.Index | pd.api.extensions.ExtensionArray):
        name = getattr(result, "name", None)
        return pd.DataFrame({_VALUE if name is None else str(name): pd.Series(result).array})
    if isinstance(result, np.ndarray):
        return _from_array(result)
    if isinstance(result, set | frozenset | range | Mapping) or type(result) in _VIEWS:
        result = _ordered(result)
    if isinstance(result, list | tuple):
        return _from_items(list(result))
    return None


_VIEWS: Final[tuple[type, ...]] = (
    type({}.keys()),
    type({}.values()),
    type({}.items()),
    zip,
    map,
    filter,
    enumerate,
)


def _ordered(result: Any) -> list[Any]:
    items = list(result)
    if not isinstance(result, set | frozenset):
        return items
    try:
        return sorted(items)
    except TypeError:  # values of several types have no order
        return sorted(items, key=repr)


def _from_array(array: Any) -> pd.DataFrame:
    import pandas as pd

    if array.dtype.names:
        return framed_result(pd.DataFrame.from_records(array), 0, frozenset())
    if array.ndim == 1:
        return pd.DataFrame({_VALUE: array})
    flat = array.reshape(array.shape[0], -1) if array.shape[0] else array.reshape(0, 1)
    return framed_result(pd.DataFrame(flat), 0, frozenset())


def _from_items(items: list[Any]) -> pd.DataFrame:
    import pandas as pd

    if items and all(isinstance(item, Mapping) for item in items):
        return framed_result(pd.DataFrame.from_records(items), 0, frozenset())
    widths = {len(item) if isinstance(item, tuple | list) else 0 for item in items}
    if len(widths) == 1 and widths != {0}:
        (width,) = widths
        names = getattr(type(items[0]), "_fields", None) or [f"value_{place + 1}" for place in range(width)]
        return pd.DataFrame(
            {name: _column([item[place] for item in items]) for place, name in enumerate(names)}
        )
    return pd.DataFrame({_VALUE: _column(items)})


def _column(items: list[Any]) -> Any:
    import pandas as pd

    return pd.Series(items, dtype=None if items else object).infer_objects()


def table_of_columns(fields: Mapping[Any, Any]) -> pd.DataFrame | None:
    """Return a dict of equally long columns as rows, None when it is not one."""
    import numpy as np
    import pandas as pd

    values = list(fields.values())
    if not all(isinstance(value, list | tuple | np.ndarray | pd.Series | pd.Index) for value in values):
        return None
    if len({len(value) for value in values}) != 1 or any(getattr(value, "ndim", 1) != 1 for value in values):
        return None
    return framed_result(pd.DataFrame(dict(fields)), 0, frozenset())


def table_of_entries(fields: Mapping[Any, Any]) -> pd.DataFrame:
    """Return a long dict as rows of key and value."""
    import pandas as pd

    return pd.DataFrame({"key": _column(list(fields)), _VALUE: _column(list(fields.values()))})


def unique_names(names: list[str]) -> list[str]:
    """Return the names, a repeated one with the first number that makes it unique."""
    taken: set[str] = set()
    made = []
    for name in names:
        unique, number = name, 2
        while unique in taken:
            unique, number = f"{name}_{number}", number + 1
        taken.add(unique)
        made.append(unique)
    return made


def _name(name: object) -> str:
    parts = [str(part) for part in name if str(part)] if isinstance(name, tuple) else [str(name)]
    return "_".join(parts)[:_NAME_LIMIT] or "column"


def to_arrow(frame: pd.DataFrame) -> tuple[pa.Table, list[str]]:
    """Return the frame as Arrow in plain types, and the names of columns that had to become text."""
    import pyarrow as pa

    arrays, as_text = [], []
    for place, name in enumerate(frame.columns):
        array = _array(frame.iloc[:, place])
        if array is None:
            array = _as_text(frame.iloc[:, place])
            as_text.append(name)
        arrays.append(array)
    return pa.table(arrays, names=list(frame.columns)), as_text


def _array(column: pd.Series) -> Any:
    """Return a column in a plain type, None when it has none."""
    import pandas as pd
    import pyarrow as pa

    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        column = column.astype(kind.categories.dtype if len(kind.categories) else object)
        kind = column.dtype
    if isinstance(kind, pd.SparseDtype):
        column = column.astype(kind.subtype)
        kind = column.dtype
    if kind == "float16":
        column = column.astype("float32")  # each has its exact counterpart there, and no engine knows halves
    if isinstance(kind, pd.PeriodDtype | pd.IntervalDtype) or getattr(kind, "kind", "") == "c":
        return _as_text(column)
    try:
        array = pa.array(column, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError, OverflowError):
        return None
    if pa.types.is_float16(array.type):
        # Neither the engine nor most of Arrow computes with it; every such number is one of 32 bits, too.
        array = array.cast(pa.float32())
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), pa.large_string())
    return array if is_plain(array.type) else None


def _as_text(column: pd.Series) -> pa.Array:
    import pyarrow as pa

    return pa.array([_cell_text(cell) for cell in column], pa.large_string())


def _cell_text(cell: Any) -> str | None:
    """Return a cell as text: nested values as JSON, so that they can be read again."""
    import numpy as np
    import pandas as pd

    if isinstance(cell, np.ndarray | list | tuple | dict):
        return json.dumps(cell, default=_json_cell, ensure_ascii=False)
    return None if pd.isna(cell) is True else str(cell)


def _json_cell(value: Any) -> Any:
    import numpy as np

    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return list(value) if isinstance(value, set | frozenset) else str(value)
