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
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.scope import ScopeError, period_condition, read_period
from tabchat.engine.functions.templates import double, fill
from tabchat.engine.plan import QueryPlan
from tabchat.engine.query import plan_facts
from tabchat.engine.recipes.exact import as_decimal, as_double, decimal_scale, scale_for
from tabchat.engine.recipes.outcome import Computed, Shape, compute, one_row, result_of
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import (
    CONDITION,
    KEYS,
    NUMBERS,
    RecipeRows,
    Wanted,
    alias,
    free_names,
    keys_of,
    measured,
    quoted,
    summed,
)
from tabchat.engine.result import Chart, ResultKind
from tabchat.engine.types import ColumnKind
from tabchat.errors import PlanIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.compile.scope import Span
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.relation import Field
    from tabchat.engine.result import Result
    from tabchat.engine.types import Value

_PERIODS: Final = ("from", "to")
_SIDES: Final = ("before", "after")
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
        return _of_rates(rows, keys, field, conditions, is_rate=statistic == "rate")
    return _of_sums(rows, keys, field, conditions)


def _spans(request: Request) -> tuple[list[Span], list[PlanIssue]]:
    """Read both periods; what cannot be read is an issue."""
    spans: list[Span] = []
    issues: list[PlanIssue] = []
    for name in _PERIODS:
        text = request.text(name) or ""
        facts = _facts(request, text)
        try:
            spans.append(read_period(text, facts, request.week_start))
        except ScopeError as error:
            issues.append(PlanIssue(step=name, expression=text, message=error.message, hint=error.hint))
    if len(spans) == len(_PERIODS) and _overlap(*spans):
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


def _grouped(rows: RecipeRows, keys: Sequence[Field], columns: Mapping[str, exp.Expr]) -> Computed:
    query = rows.select(*keys_of(keys), *(alias(sql, name) for name, sql in columns.items()))
    return compute(rows, query.group_by(*(exp.Literal.number(place + 1) for place in range(len(keys)))))


def _of_sums(
    rows: RecipeRows, keys: Sequence[Field], field: Field | None, conditions: Sequence[exp.Expr]
) -> Result:
    names = free_names([key.name for key in keys], *_SIDES, "change", "share")
    columns: dict[str, exp.Expr] = {}
    for side, condition in zip(_SIDES, conditions, strict=True):
        total = fill("COUNT(*) FILTER (WHERE :c)", c=condition) if field is None else summed(field, condition)
        columns[names[side]] = fill("COALESCE(:x, 0)", x=total)
        columns[f"__n_{side}"] = fill("COUNT(*) FILTER (WHERE :c)", c=condition)
    groups = _grouped(rows, keys, columns)
    is_double = field is not None and field.kind is not ColumnKind.INTEGER
    before, after = (quoted(names[side]) for side in _SIDES)
    scale = decimal_scale(rows.request.engine, groups.kept, before, after) if is_double else None
    first, last = ((as_decimal(item, scale) if is_double else item) for item in (before, after))
    change = fill(":b - :a", a=first, b=last)
    whole = one_row(
        rows,
        exp.select(
            alias(fill("SUM(:x)", x=first), "before"),
            alias(fill("SUM(:x)", x=last), "after"),
            alias(fill("SUM(:x)", x=change), "change"),
            *(
                alias(fill("CAST(SUM(:x) AS BIGINT)", x=quoted(f"__n_{side}")), f"n_{side}")
                for side in _SIDES
            ),
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
        return _ranked(query, keys, names["change"], whole["change"])

    unit = field.unit if field is not None else None
    units: dict[str, str | None] = {names[name]: unit for name in (*_SIDES, "change")} | {names["share"]: "%"}
    return _result(rows, groups, build, whole, names, keys, units)


def _of_rates(
    rows: RecipeRows, keys: Sequence[Field], field: Field, conditions: Sequence[exp.Expr], *, is_rate: bool
) -> Result:
    names = free_names(
        [key.name for key in keys], "n_before", "n_after", *_SIDES, "within", "mix", "change", "share"
    )
    value = (
        fill("CASE WHEN :c THEN 100e0 WHEN NOT :c THEN 0e0 END", c=field.column())
        if is_rate
        else measured(field)
    )
    columns: dict[str, exp.Expr] = {}
    for side, condition in zip(_SIDES, conditions, strict=True):
        columns[f"__sum_{side}"] = fill("COALESCE(FSUM(:x) FILTER (WHERE :c), 0)", x=value, c=condition)
        columns[names[f"n_{side}"]] = fill("COUNT(:x) FILTER (WHERE :c)", x=value, c=condition)
        columns[f"__rows_{side}"] = fill("COUNT(*) FILTER (WHERE :c)", c=condition)
    groups = _grouped(rows, keys, columns)
    whole = one_row(
        rows,
        exp.select(
            *(
                alias(
                    fill(
                        "FSUM(:s) / NULLIF(SUM(:n), 0)",
                        s=quoted(f"__sum_{side}"),
                        n=quoted(names[f"n_{side}"]),
                    ),
                    side,
                )
                for side in _SIDES
            ),
            *(
                alias(fill("CAST(SUM(:n) AS BIGINT)", n=quoted(names[f"n_{side}"])), f"counted_{side}")
                for side in _SIDES
            ),
            *(
                alias(fill("CAST(SUM(:n) AS BIGINT)", n=quoted(f"__rows_{side}")), f"n_{side}")
                for side in _SIDES
            ),
        ).from_(groups.kept.subquery("kept")),
    )
    before, after = whole["before"], whole["after"]
    known = isinstance(before, float) and isinstance(after, float)
    scale = _scale(rows, groups, names)
    whole["change"] = None
    if isinstance(before, float) and isinstance(after, float):
        whole["change"] = _rounded(after, scale) - _rounded(before, scale)

    def build(source: exp.Expr) -> exp.Select:
        effects = _effects(source, keys, names, whole) if known else _unknown(source, keys, names)
        if not known:
            return effects.order_by(*(exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys))
        return _ranked(_settled(effects, keys, names, whole, scale), keys, names["change"], whole["change"])

    unit = "%" if is_rate else field.unit
    units: dict[str, str | None] = {names[name]: unit for name in _SIDES}
    units |= {names[name]: None if is_rate else unit for name in ("within", "mix", "change")} | {
        names["share"]: "%"
    }
    return _result(rows, groups, build, whole, names, keys, units)


def _effects(
    source: exp.Expr, keys: Sequence[Field], names: Mapping[str, str], whole: Mapping[str, Value]
) -> exp.Select:
    """Return what each group contributes, as doubles."""
    rate, weight = {}, {}
    for side in _SIDES:
        n, total = quoted(names[f"n_{side}"]), whole[f"counted_{side}"]
        rate[side] = fill(":s / NULLIF(:n, 0)", s=quoted(f"__sum_{side}"), n=n)
        weight[side] = fill(":n / :all", n=n, all=float(total))  # type: ignore[arg-type] # a count
    rates = exp.select(
        *(quoted(key.name) for key in keys),
        *(quoted(names[f"n_{side}"]) for side in _SIDES),
        *(alias(rate[side], names[side]) for side in _SIDES),
        *(alias(weight[side], f"__w_{side}") for side in _SIDES),
    ).from_(source)
    r0, r1 = (quoted(names[side]) for side in _SIDES)
    w0, w1 = (quoted(f"__w_{side}") for side in _SIDES)
    middle = (float(whole["before"]) + float(whole["after"])) / 2  # type: ignore[arg-type] # known doubles
    within = fill("COALESCE((:b - :a) * (:v + :w) / 2, 0)", a=r0, b=r1, v=w0, w=w1)
    mean = "(COALESCE(:a, :b) + COALESCE(:b, :a)) / 2"
    mix = fill(f"COALESCE((:w - :v) * ({mean} - :middle), 0)", a=r0, b=r1, v=w0, w=w1, middle=middle)
    return exp.select(exp.Star(), alias(within, "__within"), alias(mix, "__mix")).from_(
        rates.subquery("rates")
    )


def _settled(
    effects: exp.Select,
    keys: Sequence[Field],
    names: Mapping[str, str],
    whole: Mapping[str, Value],
    scale: int | None,
) -> exp.Select:
    """Return the contributions as decimals of one scale that add up to the change.

    What rounding leaves over, some units of the 15th digit, goes to the group that contributes most.
    """
    within, mix = (as_decimal(quoted(name), scale) for name in ("__within", "__mix"))
    total = as_decimal(double(float(whole["change"])), scale)  # type: ignore[arg-type] # a known decimal
    rest = fill(":total - :all", total=total, all=exp.Window(this=fill("SUM(:a + :b)", a=within, b=mix)))
    order = [exp.Ordered(this=fill("ABS(:a + :b)", a=within, b=mix), desc=True)]
    order += [exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys]
    place = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=order))
    settled = fill(":a + CASE WHEN :place = 1 THEN :rest ELSE 0 END", a=within, place=place, rest=rest)
    parts = exp.select(exp.Star(), alias(settled, "__settled"), alias(mix, "__settled_mix")).from_(
        effects.subquery("effects")
    )
    change = fill(":a + :b", a=quoted("__settled"), b=quoted("__settled_mix"))
    return exp.select(
        *(quoted(key.name) for key in keys),
        *(quoted(names[name]) for name in ("n_before", "n_after", *_SIDES)),
        alias(as_double(quoted("__settled")), names["within"]),
        alias(as_double(quoted("__settled_mix")), names["mix"]),
        alias(as_double(change), names["change"]),
        alias(
            fill("100 * (:x / NULLIF(:total, 0))", x=as_double(change.copy()), total=float(whole["change"])),  # type: ignore[arg-type] # a known decimal
            names["share"],
        ),
    ).from_(parts.subquery("parts"))


def _unknown(source: exp.Expr, keys: Sequence[Field], names: Mapping[str, str]) -> exp.Select:
    """Return the groups of a change that is unknown, because one period has no value."""
    nothing = exp.cast(exp.Null(), "DOUBLE")
    return exp.select(
        *(quoted(key.name) for key in keys),
        *(quoted(names[f"n_{side}"]) for side in _SIDES),
        *(
            alias(
                fill(":s / NULLIF(:n, 0)", s=quoted(f"__sum_{side}"), n=quoted(names[f"n_{side}"])),
                names[side],
            )
            for side in _SIDES
        ),
        *(alias(nothing.copy(), names[name]) for name in ("within", "mix", "change", "share")),
    ).from_(source)


def _scale(rows: RecipeRows, groups: Computed, names: Mapping[str, str]) -> int | None:
    """Return how many decimals contributions keep: none of them is larger than four times the largest mean."""
    means = [
        fill(
            "COALESCE(MAX(ABS(:s / NULLIF(:n, 0))), 0)",
            s=quoted(f"__sum_{side}"),
            n=quoted(names[f"n_{side}"]),
        )
        for side in _SIDES
    ]
    ((*found,),) = rows.request.engine.rows(exp.select(*means).from_(groups.kept.subquery("kept")))
    return scale_for(8 * max((peak for peak in found if isinstance(peak, float)), default=0.0))


def _rounded(value: float, scale: int | None) -> Decimal:
    exact = Decimal(repr(value))
    return exact if scale is None else exact.quantize(Decimal(1).scaleb(-scale))


def _ranked(query: exp.Select, keys: Sequence[Field], change: str, total: Value) -> exp.Select:
    """Put first what contributes most in the direction of the change."""
    falls = isinstance(total, (int, float, Decimal)) and total < 0
    order = [exp.Ordered(this=quoted(change), desc=not falls, nulls_first=False)]
    order += [exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys]
    return exp.select(exp.Star()).from_(query.subquery("explained")).order_by(*order)


def _result(
    rows: RecipeRows,
    groups: Computed,
    build: Callable[[exp.Expr], exp.Select],
    whole: Mapping[str, Value],
    names: Mapping[str, str],
    keys: Sequence[Field],
    units: Mapping[str, str | None],
) -> Result:
    periods = [rows.request.text(name) or "" for name in _PERIODS]
    counts = [int(whole[f"n_{side}"] or 0) for side in _SIDES]  # type: ignore[arg-type] # counts
    warnings = [
        f"There are no rows in {period}." for period, count in zip(periods, counts, strict=True) if not count
    ]
    values = {name: _plain(whole[name]) for name in (*_SIDES, "change")}
    return result_of(
        rows,
        groups.both(build),
        Shape(
            kind=ResultKind.GROUPED,
            source_rows=sum(counts),
            group_by=tuple(key.name for key in keys),
            chart=Chart(category=keys[0].name, value=names["change"]),
            units=units,
            values=values,
            warnings=tuple(warnings),
        ),
    )


def _plain(value: Value) -> Value:
    return float(value) if isinstance(value, Decimal) else value
