"""The table as pandas shows it best: what `df` is when the code begins. Runs inside the worker.

Text becomes `str`, dates and times `datetime64`, numbers NumPy types.

- Integers with missing cells become `float64` with NaN, as every reader of
  pandas does, unless one lies beyond 2**53: then `Int64`, so that no digit is lost.
- Booleans with missing cells become `boolean`: with `object`, `~` gives -2 and -1.
- Decimals become `float64`, correctly rounded, unless one has more than 15
  digits: then they stay `Decimal`.
- Times of day, bytes and nested values are Python objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_EXACT: Final = 2**53
"""Every integer up to here has a float of its own."""
_SHORT_DECIMAL: Final = 10**15
_MOST_DIGITS: Final = 22
"""Powers of ten up to here are exact as floats, so that dividing by one rounds once."""


def to_frame(table: pa.Table) -> pd.DataFrame:
    """Return `table` as a fresh, writable frame with a plain index."""
    import pyarrow as pa

    eased = pa.table(
        [_eased(column) for column in table.columns], names=[str(name) for name in table.column_names]
    )
    frame: pd.DataFrame = eased.to_pandas(
        date_as_object=False, use_threads=False, ignore_metadata=True, self_destruct=True
    )
    for place, column in enumerate(table.columns):
        if (kept := _extension(column)) is not None:
            frame.isetitem(place, kept)
    return frame


def _eased(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return what converts to the type that pandas users expect."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_decimal(kind):
        return decimals_as_floats(column)
    if pa.types.is_dictionary(kind):
        return column.cast(kind.value_type)
    if pa.types.is_string_view(kind):
        return column.cast(pa.large_string())
    if pa.types.is_null(kind):
        return column.cast(pa.float64())
    if pa.types.is_integer(kind) and column.null_count and _all_exact(column):
        return column.cast(pa.float64())
    return column


def _extension(column: pa.ChunkedArray) -> Any:
    """Return the column as pandas holds it where Arrow's own choice does not fit, else None."""
    import pandas as pd
    import pyarrow as pa

    if pa.types.is_nested(column.type):
        return pd.Series(column.to_pylist(), dtype=object)
    if not column.null_count:
        return None
    target: Any
    if pa.types.is_boolean(column.type):
        target = pd.BooleanDtype()
        return target.__from_arrow__(column)
    if pa.types.is_integer(column.type) and not _all_exact(column):
        unsigned = pa.types.is_unsigned_integer(column.type)
        target = pd.UInt64Dtype() if unsigned else pd.Int64Dtype()
        return target.__from_arrow__(column)
    return None


def _all_exact(column: pa.ChunkedArray) -> bool:
    import pyarrow.compute as pc

    if column.type.bit_width < 64:  # noqa: PLR2004 - bits
        return True
    ends = pc.min_max(column).as_py()
    return ends["min"] is None or (ends["min"] >= -_EXACT and ends["max"] <= _EXACT)


def decimals_as_floats(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return decimals as floats where all are short.

    Arrow's own cast multiplies by a power of ten that no float holds, and so
    makes 0.3 into 0.30000000000000004; a division rounds correctly.
    """
    import numpy as np
    import pyarrow as pa

    scale = column.type.scale
    if not 0 <= scale <= _MOST_DIGITS:
        return column
    chunks = []
    for chunk in column.cast(pa.decimal256(76, scale)).chunks:
        digits = _unscaled(chunk)
        if digits is None:
            return column
        missing = np.asarray(chunk.is_null())
        chunks.append(pa.array(digits / np.float64(10**scale), mask=missing))
    return pa.chunked_array(chunks, type=pa.float64())


def _unscaled(chunk: pa.Array) -> Any:
    """Return the digits of a chunk of decimals as integers, None when one is too long."""
    import numpy as np

    if not len(chunk):
        return np.empty(0, dtype=np.int64)
    words = np.frombuffer(chunk.buffers()[1], dtype=np.int64).reshape(-1, 4)
    words = words[chunk.offset : chunk.offset + len(chunk)].copy()
    words[np.asarray(chunk.is_null(), dtype=bool)] = 0
    lowest = words[:, 0]
    sign = np.where(lowest < 0, -1, 0)[:, None]
    short = (words[:, 1:] == sign).all() and ((lowest > -_SHORT_DECIMAL) & (lowest < _SHORT_DECIMAL)).all()
    return lowest if short else None
