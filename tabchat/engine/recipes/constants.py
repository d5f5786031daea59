"""Control-chart constants for samples of n normal values with standard deviation 1.

d2 and d3 are the mean and the standard deviation of the range (L. H. C. Tippett 1925, Biometrika 17, 364-387), as
tabled in D. C. Montgomery, "Introduction to Statistical Quality Control", 7th ed. (2013), Appendix VI, and in the
AIAG "Statistical Process Control" manual, 2nd ed. (2005), Appendix E. c4 is the mean of the sample standard
deviation, c4(n) = sqrt(2/(n-1)) Γ(n/2) / Γ((n-1)/2).
"""

from __future__ import annotations

import math
from typing import Final

D2: Final = (
    *(1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970, 3.078, 3.173, 3.258, 3.336),
    *(3.407, 3.472, 3.532, 3.588, 3.640, 3.689, 3.735, 3.778, 3.819, 3.858, 3.895, 3.931),
)
D3: Final = (
    *(0.853, 0.888, 0.880, 0.864, 0.848, 0.833, 0.820, 0.808, 0.797, 0.787, 0.778, 0.770),
    *(0.763, 0.756, 0.750, 0.744, 0.739, 0.734, 0.729, 0.724, 0.720, 0.716, 0.712, 0.708),
)
"""Mean and standard deviation of the range, from n = 2 on."""

SMALLEST: Final = 2
LARGEST: Final = SMALLEST + len(D2) - 1
"""Largest subgroup whose range is tabled."""


def d2(n: int) -> float:
    """Return the mean range of n values."""
    return D2[n - SMALLEST]


def d3(n: int) -> float:
    """Return the standard deviation of the range of n values."""
    return D3[n - SMALLEST]


def c4(n: int) -> float:
    """Return the mean standard deviation of n values."""
    return math.sqrt(2 / (n - 1)) * math.exp(math.lgamma(n / 2) - math.lgamma((n - 1) / 2))


def range_limits(n: int) -> tuple[float, float]:
    """Return D3 and D4: the limits of a range chart as parts of the mean range."""
    reach = 3 * d3(n) / d2(n)
    return max(0.0, 1 - reach), 1 + reach


def deviation_limits(n: int) -> tuple[float, float]:
    """Return B3 and B4: the limits of a chart of standard deviations as parts of their mean."""
    reach = 3 * math.sqrt(1 - c4(n) ** 2) / c4(n)
    return max(0.0, 1 - reach), 1 + reach
