"""Which groups explain the change of a measure between two periods: contributions that add up to the change.

Sums and counts: the contribution of a group is its own change.

Means and rates R = Σ wᵢ rᵢ, where wᵢ is the group's share of the rows that count and rᵢ its own mean: the change is
split by midpoints (E. M. Kitagawa 1955, "Components of a difference between two rates", JASA 50, 1168-1194; the
same as the indicator of T. L. Bennet 1920, JRSS 83, 455-462) into

    within  = (rᵢ' - rᵢ) (wᵢ + wᵢ')/2         the group itself changed
    mix     = (wᵢ' - wᵢ) ((rᵢ + rᵢ')/2 - (R + R')/2)   there is more or less of the group

The sum over all groups is R' - R, with nothing left over. A group that is absent in one period is taken to have
there the mean that it has in the other, so that all of its contribution is mix.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.scope import ScopeError, period_condition, read_period
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.query_plan import QueryPlan
from tabchat.engine.query import plan_facts
from tabchat.engine.recipes.change.rates import of_rates
from tabchat.engine.recipes.change.result import PERIODS, SIDES, explained, grouped, ranked
from tabchat.engine.recipes.columns import alias, free_names, quoted, size_of, summed
from tabchat.engine.recipes.exact import SIZE, as_decimal, as_double, decimal_scale
from tabchat.engine.recipes.outcome import one_row
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import CONDITION, KEYS, NUMBERS, RecipeRows, Wanted
from tabchat.engine.types import ColumnKind
from tabchat.errors import PlanIssue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.compile.scope import Span
    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result

_RATES: Final = frozenset({"mean", "rate"})


def explain_change(request: Request) -> Result:
    """Return, for each group, the measure before and after and what it contributes to the change, largest first.

    Arguments: `measure`, `statistic` (sum, count, mean, rate), `by`, `from` and `to` (periods as in a plan),
    `time_column`. Contributions are in the measure's own unit, those of a rate in percentage points; they add
    up to the change digit by digit. Raises `PlanValidationError` for periods that overlap.
    """
    statistic = request.text("statistic") or "sum"
    measure, by = request.text("measure"), request.texts("by")
    spans, issues = _spans(request)
    if measure is None and statistic != "count":
        hint = "Give `measure`, or the statistic count."
        issues.append(
            PlanIssue(step="measure", expression="", message=f"`{statistic}` needs a measure.", hint=hint)
        )
    if measure is not None and statistic == "count":
        message = "`count` counts rows, whatever they hold, and takes no measure."
        hint = f'Leave `measure` out; rows that have a value are kept by where "{measure} is not null".'
        issues.append(PlanIssue(step="measure", expression=measure, message=message, hint=hint))
    wanted = [Wanted(argument="by", text=name, accepts=KEYS) for name in by]
    if measure is not None and statistic != "count":
        accepts = CONDITION if statistic == "rate" else NUMBERS
        wanted.append(Wanted(argument="measure", text=measure, accepts=accepts))
    rows = RecipeRows(request, wanted, issues)
    time = rows.time
    if time is None:
        raise refusal(
            "time_column", "", "There is no date column to tell periods by.", "Open a table with dates."
        )
    conditions = [exp.Paren(this=period_condition(time, span)) for span in spans]
    rows.keep(exp.Paren(this=exp.or_(*(condition.copy() for condition in conditions))))
    field = rows.field("measure", measure) if measure is not None and statistic != "count" else None
    keys = [rows.field("by", name) for name in by]
    if statistic in _RATES and field is not None:
        return of_rates(rows, keys, field, conditions, is_rate=statistic == "rate")
    return _of_sums(rows, keys, field, conditions)


def _spans(request: Request) -> tuple[list[Span], list[PlanIssue]]:
    """Read both periods; what cannot be read is an issue."""
    spans: list[Span] = []
    issues: list[PlanIssue] = []
    for name in PERIODS:
        text = request.text(name) or ""
        facts = _facts(request, text)
        try:
            spans.append(read_period(text, facts, request.week_start))
        except ScopeError as error:
            issues.append(PlanIssue(step=name, expression=text, message=error.message, hint=error.hint))
    if len(spans) == len(PERIODS) and _overlap(*spans):
        message = "The two periods overlap, so that rows would count in both."
        issues.append(
            PlanIssue(
                step="to", expression=request.text("to") or "", message=message, hint="Such as 2023 and 2024."
            )
        )
    return spans, issues


def _facts(request: Request, period: str) -> dt.date:
    plan = QueryPlan(period=period, time_column=request.text("time_column"))
    facts = plan_facts(request.engine, request.table, plan)
    return facts.last if facts is not None and facts.last is not None else dt.date(2000, 12, 31)


def _overlap(first: Span, second: Span) -> bool:
    low, high = dt.date.min, dt.date.max
    return (first.start or low) <= (second.end or high) and (second.start or low) <= (first.end or high)


def _of_sums(
    rows: RecipeRows, keys: Sequence[Field], field: Field | None, conditions: Sequence[exp.Expr]
) -> Result:
    names = free_names([key.name for key in keys], *SIDES, "change", "share")
    columns: dict[str, exp.Expr] = {}
    for side, condition in zip(SIDES, conditions, strict=True):
        total = fill("COUNT(*) FILTER (WHERE :c)", c=condition) if field is None else summed(field, condition)
        columns[names[side]] = fill("COALESCE(:x, 0)", x=total)
        columns[f"__n_{side}"] = fill("COUNT(*) FILTER (WHERE :c)", c=condition)
    if field is not None:
        columns[SIZE] = size_of(field)
    groups = grouped(rows, keys, columns)
    is_double = field is not None and field.kind is not ColumnKind.INTEGER
    before, after = (quoted(names[side]) for side in SIDES)
    scale = decimal_scale(rows.request.engine, groups.kept, quoted(SIZE)) if is_double else None
    first, last = ((as_decimal(item, scale) if is_double else item) for item in (before, after))
    change = fill(":b - :a", a=first, b=last)
    whole = one_row(
        rows,
        exp.select(
            alias(fill("SUM(:x)", x=first), "before"),
            alias(fill("SUM(:x)", x=last), "after"),
            alias(fill("SUM(:x)", x=change), "change"),
            *(alias(fill("CAST(SUM(:x) AS BIGINT)", x=quoted(f"__n_{side}")), f"n_{side}") for side in SIDES),
        ).from_(groups.kept.subquery("kept")),
    )

    def shown(value: exp.Expr) -> exp.Expr:
        return as_double(value.copy()) if is_double else value.copy()

    def build(source: exp.Expr) -> exp.Select:
        total = exp.Window(this=fill("SUM(:x)", x=change))
        query = exp.select(
            *(quoted(key.name) for key in keys),
            alias(shown(first), names["before"]),
            alias(shown(last), names["after"]),
            alias(shown(change), names["change"]),
            alias(
                fill("100 * (:x / NULLIF(:total, 0))", x=as_double(change.copy()), total=as_double(total)),
                names["share"],
            ),
        ).from_(source)
        return ranked(query, keys, names["change"], whole["change"])

    unit = field.unit if field is not None else None
    units: dict[str, str | None] = {names[name]: unit for name in (*SIDES, "change")} | {names["share"]: "%"}
    return explained(rows, groups, build, whole, names, keys, units, field)
