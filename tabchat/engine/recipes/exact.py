"""Sums of doubles as the decimals that they stand for, so that parts add up to their whole digit by digit.

A double holds any decimal of 15 significant digits (IEEE 754-2008, 5.12.2). Sums are therefore rounded to 15
digits of the largest of them and added as decimals; what comes out is a double again, whose shortest form is
that decimal.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill

if TYPE_CHECKING:
    from tabchat.engine.types import Engine

DIGITS: Final = 15
_LARGEST_SCALE: Final = 30
_WIDTH: Final = 38
"""Digits of the engine's widest decimal."""


def decimal_scale(engine: Engine, rows: exp.Select, *columns: exp.Expr) -> int | None:
    """Return how many decimals sums of `columns` keep; nothing when they are too large to be decimals."""
    largest = fill(
        "MAX(GREATEST(:all))".replace(":all", ", ".join(f"ABS(:c{place})" for place in range(len(columns)))),
        **{f"c{place}": column for place, column in enumerate(columns)},
    )
    ((peak,),) = engine.rows(
        exp.select(exp.cast(largest, "DOUBLE", dialect="duckdb")).from_(rows.subquery("kept"))
    )
    if not isinstance(peak, float) or not peak:
        return 0
    # Two digits are left for the carries of a sum.
    before = math.floor(math.log10(peak)) + 1 if math.isfinite(peak) else _WIDTH
    if before > _WIDTH - 10:
        return None
    return max(0, min(DIGITS - before, _LARGEST_SCALE))


def as_decimal(column: exp.Expr, scale: int | None) -> exp.Expr:
    """Return a double column as a decimal of `scale` digits; unchanged where none fits."""
    if scale is None:
        return column.copy()
    return exp.cast(column.copy(), f"DECIMAL({_WIDTH}, {scale})", dialect="duckdb")


def as_double(value: exp.Expr) -> exp.Expr:
    """Return a decimal as the double nearest to it."""
    return exp.cast(value, "DOUBLE", dialect="duckdb")
