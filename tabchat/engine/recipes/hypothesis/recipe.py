"""Hypothesis tests: whether a difference, a dependence or a correlation is more than chance.

A test is named, never chosen: which one fits depends on how the data came about. Missing values are left out.
What each test computes, and its effect size, is in `significance`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.engine.recipes.hypothesis import significance
from tabchat.engine.recipes.hypothesis.arguments import read
from tabchat.engine.recipes.hypothesis.columns import independence, of_columns
from tabchat.engine.recipes.hypothesis.groups import by_group

if TYPE_CHECKING:
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result


def hypothesis_test(request: Request) -> Result:
    """Return a test's statistic, degrees of freedom, exact p-value and effect size, with n, mean and sd of each group.

    Arguments: `test`, `value`, and as the test needs `by` (with `groups`, the two that are compared), `other` (a
    second column), `mean` and `sd` (what is expected), `alternative`, `confidence`. A comparison of groups has a row
    for each of them, chi_square one for each pair of values; the figures of the test stand beside these rows. Any
    other result is one row, of kind dict. Raises `PlanError` without SciPy.
    """
    asked = read(request)
    significance.scipy_stats()
    if asked.test == "chi_square":
        return independence(request, asked)
    return by_group(request, asked) if asked.by is not None else of_columns(request, asked)
