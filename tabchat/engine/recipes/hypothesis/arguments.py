"""What a hypothesis test is asked: its arguments, checked together, and what is said when it has no answer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from tabchat.engine.recipes.hypothesis.significance import Question
from tabchat.engine.recipes.request import fraction, refusal
from tabchat.errors import PlanIssue, PlanValidationError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.engine.recipes.hypothesis.significance import Figures
    from tabchat.engine.recipes.request import Request

OF_GROUPS: Final = ("t", "welch", "anova", "mann_whitney", "kolmogorov_smirnov")
"""Tests that compare groups of rows."""
OF_PAIRS: Final = ("paired_t", "pearson", "spearman", "kendall", "chi_square")
"""Tests of two columns, row by row."""
TESTS: Final = (*OF_GROUPS, *OF_PAIRS, "one_sample_t", "shapiro_wilk")
ALTERNATIVES: Final = ("two-sided", "less", "greater")
_BOTH_SIDES: Final = frozenset({"anova", "chi_square", "shapiro_wilk"})
"""Tests that know no direction."""


@record
class Asked:
    """The arguments of a call."""

    test: str
    value: str
    other: str | None
    by: str | None
    groups: tuple[str, ...]
    question: Question


def read(request: Request) -> Asked:
    """Return the arguments of a call; raises `PlanValidationError` with everything that is wrong with them."""
    asked = Asked(
        test=request.text("test") or "",
        value=request.text("value") or "",
        other=request.text("other"),
        by=request.text("by"),
        groups=request.texts("groups"),
        question=Question(
            alternative=request.text("alternative") or ALTERNATIVES[0],
            confidence=fraction(request, "confidence", 0.95),
        ),
    )
    issues = [
        PlanIssue(step=step, expression=str(request.arguments.get(step, "")), message=message, hint=hint)
        for step, message, hint in (*_wrong_words(asked), *_missing(request, asked))
    ]
    if issues:
        raise PlanValidationError(issues)
    return asked


def _wrong_words(asked: Asked) -> Iterator[tuple[str, str, str]]:
    side = asked.question.alternative
    if asked.test not in TESTS:
        yield "test", f"There is no test `{asked.test}`.", f"Tests: {', '.join(TESTS)}."
    if side not in ALTERNATIVES:
        yield "alternative", f"There is no alternative `{side}`.", f"Use {', '.join(ALTERNATIVES)}."
    elif side != ALTERNATIVES[0] and asked.test in _BOTH_SIDES:
        yield "alternative", f"The test {asked.test} has no direction.", "Leave `alternative` out."


def _missing(request: Request, asked: Asked) -> Iterator[tuple[str, str, str]]:
    test, given = asked.test, request.arguments.keys()
    fits = test == "kolmogorov_smirnov" and (asked.other is not None or {"mean", "sd"} <= given)
    if test in OF_GROUPS and asked.by is None and not fits:
        others = ", a second column as `other`, or `mean` and `sd` of a normal distribution"
        more = others if test == "kolmogorov_smirnov" else ""
        yield "by", f"The test {test} compares groups.", f"Name their column as `by`{more}."
    if test in OF_PAIRS and asked.other is None:
        yield "other", f"The test {test} takes two columns.", "Name the second one as `other`."
    if test == "one_sample_t" and "mean" not in given:
        yield "mean", "The test one_sample_t needs the mean that is expected.", "Such as mean 100."
    if test in TESTS and asked.by is not None and test not in OF_GROUPS:
        yield "by", f"The test {test} compares no groups.", "Leave `by` out, or keep one group by `where`."
    if "sd" in given and request.number("sd", 0) <= 0:
        yield "sd", "A standard deviation is above zero.", "Such as sd 15."


def sound(figures: Figures, asked: Asked) -> Figures:
    """Return the figures of a test; raises `PlanValidationError` where one of them is no number."""
    if any(not math.isfinite(value) for value in figures.values()):
        raise does_not_vary(asked)
    return figures


def does_not_vary(asked: Asked) -> PlanValidationError:
    """Return the error for values that are all alike."""
    message = f"The values of `{asked.value}` do not vary enough for the test {asked.test}."
    return refusal("value", asked.value, message, "Look at them: measurement_statistics.")


def too_few(asked: Asked, n: int, least: int) -> PlanValidationError:
    """Return the error for fewer values than a test needs."""
    message = f"There are {n:,} values without a gap; the test {asked.test} needs {least}."
    return refusal("value", asked.value, message, "Keep more rows.")
