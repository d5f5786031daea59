"""Sums of doubles as the decimals that they stand for, so that parts add up to their whole digit by digit.

A double holds any decimal of 15 significant digits (IEEE 754-2008, 5.12.2). Sums are therefore rounded to 15
digits of all of them together and added as decimals; what comes out is a double again, whose shortest form is
that decimal. Cents survive up to a hundred billions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill

if TYPE_CHECKING:
    from tabchat.engine.types import Engine

DIGITS: Final = 15
SIZE: Final = "__size"
"""Column with the sum of the absolute values behind a sum."""
_LARGEST_SCALE: Final = 20
_WIDTH: Final = 38
"""Digits of the engine's widest decimal."""
_LARGEST: Final = 28
"""Digits before the point up to which sums are decimals."""


def decimal_scale(engine: Engine, rows: exp.Select, size: exp.Expr) -> int | None:
    """Return how many decimals sums keep; nothing when they are too large to be decimals.

    `size` is the sum of the absolute values behind each sum: where large values cancel, a sum is known to
    fewer digits than it seems to have.
    """
    total = as_double(fill("COALESCE(SUM(:x), 0)", x=size))
    ((found,),) = engine.rows(exp.select(total).from_(rows.subquery("kept")))
    return scale_for(found) if isinstance(found, float) else None


def scale_for(peak: float) -> int | None:
    """Return how many decimals values up to `peak` keep in 15 digits."""
    if not peak:
        return DIGITS
    before = math.floor(math.log10(peak)) + 1 if math.isfinite(peak) else _WIDTH
    return None if before > _LARGEST else max(0, min(DIGITS - before, _LARGEST_SCALE))


def as_decimal(column: exp.Expr, scale: int | None) -> exp.Expr:
    """Return a double column as a decimal of `scale` digits; unchanged where none fits."""
    if scale is None:
        return column.copy()
    return exp.cast(column.copy(), f"DECIMAL({_WIDTH}, {scale})", dialect="duckdb")


def as_double(value: exp.Expr) -> exp.Expr:
    """Return a decimal as the double nearest to it."""
    return exp.cast(value, "DOUBLE", dialect="duckdb")
