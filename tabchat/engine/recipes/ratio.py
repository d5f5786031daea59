"""The rate of a condition by group, with its counts and score intervals: yield by station, returns by channel.

The interval is Wilson's score interval (E. B. Wilson 1927, "Probable inference, the law of succession, and
statistical inference", JASA 22, 209-212): with p = successes / n and z the normal quantile,

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)

which stays within 0 and 1, also for small n and for rates near the ends.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.recipes.columns import alias, free_names, keys_of, quoted
from tabchat.engine.recipes.outcome import Shape, compute, one_row, result_of
from tabchat.engine.recipes.request import fraction
from tabchat.engine.recipes.rows import CONDITION, KEYS, RecipeRows, Wanted
from tabchat.engine.result.result import Chart, ResultKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result

PERCENT = "%"


def analyze_ratio(request: Request) -> Result:
    """Return, for each group, n, the successes, the rate in percent and its interval; highest rate first.

    Arguments: `success` (condition), `by`, `confidence`. Rows whose condition is unknown, because a cell is
    missing, are left out and counted in a note. Without `by` the result is one row, of kind dict.
    """
    by = request.texts("by")
    success = Wanted(argument="success", text=request.text("success") or "", accepts=CONDITION)
    confidence = fraction(request, "confidence", 0.95)
    rows = RecipeRows(request, [success, *(Wanted(argument="by", text=name, accepts=KEYS) for name in by)])
    condition = rows.field("success", success.text).column()
    keys = [rows.field("by", name) for name in by]
    names = free_names([key.name for key in keys], "n", "success", "rate", "low", "high", "unknown")
    counted = rows.select(
        *keys_of(keys),
        alias(fill("COUNT(:c)", c=condition), names["n"]),
        alias(fill("COUNT(*) FILTER (WHERE :c)", c=condition), names["success"]),
        alias(fill("COUNT(*) FILTER (WHERE :c IS NULL)", c=condition), names["unknown"]),
    ).group_by(*(exp.Literal.number(place + 1) for place in range(len(keys))))
    groups = compute(rows, counted)
    n, k = quoted(names["n"]), quoted(names["success"])
    totals = one_row(
        rows,
        exp.select(
            *(
                alias(fill("CAST(COALESCE(SUM(:x), 0) AS BIGINT)", x=quoted(names[name])), name)
                for name in ("n", "success", "unknown")
            )
        ).from_(groups.kept.subquery("kept")),
    )

    def build(source: exp.Expr) -> exp.Select:
        low, high = wilson(n, k, confidence)
        query = exp.select(
            *(quoted(key.name) for key in keys),
            n,
            k,
            alias(fill("100 * :k / NULLIF(:n, 0)", k=k, n=n), names["rate"]),
            alias(fill("100 * :x", x=low), names["low"]),
            alias(fill("100 * :x", x=high), names["high"]),
        ).from_(source)
        if not keys:
            return query
        order = [exp.Ordered(this=quoted(names["rate"]), desc=True, nulls_first=False)]
        order += [exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys]
        return query.where(fill(":n > 0", n=n)).order_by(*order)

    unknown = int(totals["unknown"])  # type: ignore[arg-type] # a count
    total = int(totals["n"])  # type: ignore[arg-type] # a count
    return result_of(
        rows,
        groups.both(build),
        Shape(
            kind=ResultKind.GROUPED if keys else ResultKind.DICT,
            source_rows=total + unknown,
            group_by=tuple(key.name for key in keys),
            chart=Chart(category=keys[0].name, value=names["rate"]) if keys else None,
            units={names[name]: PERCENT for name in ("rate", "low", "high")},
            values=_whole(total, int(totals["success"]), confidence) if keys else {},  # type: ignore[arg-type] # a count
            notes=tuple(_notes(confidence, unknown)),
        ),
    )


def wilson(n: exp.Expr, k: exp.Expr, confidence: float) -> tuple[exp.Expr, exp.Expr]:
    """Return the ends of the score interval of k in n, as SQL; null for no trials."""
    z = z_quantile(confidence)
    ends = []
    for sign, edge in (
        ("-", "CASE WHEN :k = 0 THEN 0e0 ELSE :end END"),
        ("+", "CASE WHEN :k = :n THEN 1e0 ELSE :end END"),
    ):
        end = fill(
            f"((:k + :half) / :n {sign} :z * SQRT(:k / :n * (1 - :k / :n) / :n + :quarter / :n / :n)) / (1 + :zz / :n)",
            k=k,
            n=n,
            z=z,
            zz=z * z,
            half=z * z / 2,
            quarter=z * z / 4,
        )
        ends.append(fill(f"CASE WHEN :n > 0 THEN {edge} END", k=k, n=n, end=end))
    return ends[0], ends[1]


def z_quantile(confidence: float) -> float:
    """Return how many standard deviations of a normal distribution hold `confidence` of it, around its middle."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson_interval(n: int, k: int, confidence: float) -> tuple[float, float]:
    """Return the score interval of k successes in n > 0 trials."""
    z = z_quantile(confidence)
    p = k / n
    middle, half = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    scale = 1 + z * z / n
    return (0.0 if k == 0 else (middle - half) / scale), (1.0 if k == n else (middle + half) / scale)


def _whole(n: int, k: int, confidence: float) -> Mapping[str, int | float]:
    if not n:
        return {"n": 0, "success": 0}
    low, high = wilson_interval(n, k, confidence)
    return {"n": n, "success": k, "rate": 100 * k / n, "low": 100 * low, "high": 100 * high}


def _notes(confidence: float, unknown: int) -> list[str]:
    notes = [f"low and high: Wilson score interval, {confidence:.4g} confidence, in percent"]
    if unknown:
        left = "1 row was" if unknown == 1 else f"{unknown:,} rows were"
        notes.append(f"{left} left out: a missing cell leaves the condition unknown")
    return notes
