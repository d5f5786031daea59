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
    *(0.8525, 0.8884, 0.8798, 0.8641, 0.8480, 0.8332, 0.8198, 0.8078, 0.7971, 0.7873, 0.7785, 0.7704),
    *(0.7630, 0.7562, 0.7499, 0.7441, 0.7386, 0.7335, 0.7287, 0.7242, 0.7199, 0.7159, 0.7121, 0.7084),
)
"""Mean and standard deviation of the range, from n = 2 on.

d3 has a digit more than in the tables: with 0.853 for two values, D4 would be 3.269 and not the 3.267 of every manual.
"""

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
