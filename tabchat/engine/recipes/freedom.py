"""How much the mean moving range of two tells of a standard deviation, as degrees of freedom."""

from __future__ import annotations

import math
from typing import Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill

_RANGE_VARIANCE: Final = 2 - 4 / math.pi
"""Variance of the range of two normal values of standard deviation 1."""
_RANGE_COVARIANCE: Final = (4 / math.pi) * (math.sqrt(3) / 2 + math.pi / 12 - 1)
"""Covariance of two such ranges that share a value: E|XY| = (2/π)(√(1-ρ²) + ρ asin ρ) with ρ = -1/2, twice, less d2²."""


def moving_range_freedom() -> exp.Expr:
    """Return ν = d2² / 2 Var(mean range), of the n - 1 ranges of n values, each of which overlaps with the next."""
    ranges = exp.Paren(this=fill("COUNT(*) - 1"))
    return fill(
        ":half * :m * :m / NULLIF(:own * :m + :next * (:m - 1), 0)",
        half=2 / math.pi,
        m=ranges,
        own=_RANGE_VARIANCE,
        next=2 * _RANGE_COVARIANCE,
    )
