"""A table of types that text files do not have, under names that queries use themselves."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa

TYPED = pa.table(
    {
        "before": pa.array([1, 2, None], pa.int8()),
        "after": pa.array([Decimal("1.25"), None, Decimal("2.00")], pa.decimal128(10, 2)),
        "base": pa.array([2**64 - 1, 5, 6], pa.uint64()),
        "rows": pa.array([dt.datetime.fromisoformat("2024-01-01"), None, None], pa.timestamp("ns")),
        "frame": pa.array([0.5, None, 1.5], pa.float32()),
        "at": pa.array([dt.time(10, 0), None, dt.time(12, 0)], pa.time64("us")),
        "raw": pa.array([b"a", b"b", None], pa.binary()),
    }
)
