"""Control charts of single values and of subgroup means, with the points that break a rule (W. A. Shewhart 1931).

Formulas and constants: Montgomery, "Introduction to Statistical Quality Control", 7th ed. (2013), ch. 6; AIAG
"Statistical Process Control", 2nd ed. (2005).

- individuals: sigma = mean moving range of two / d2(2); limits mean ± 3 sigma; the moving range has the limit
  D4(2) times its mean.
- xbar_r: sigma = mean range / d2(n), subgroups of one size n; limits grand mean ± 3 sigma / sqrt(n).
- xbar_s: sigma = mean standard deviation / c4(n); for subgroups of several sizes sigma is the pooled standard
  deviation, and each has its own limits.

Limits are computed from all points, those beyond them included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.recipes.columns import alias, free_names, keys_of, measured, quoted
from tabchat.engine.recipes.control.constants import LARGEST, c4, d2, deviation_limits, range_limits
from tabchat.engine.recipes.control.points import Kind, Limits, PointChart, charted
from tabchat.engine.recipes.control.rules import PLACE
from tabchat.engine.recipes.outcome import compute, noted, one_row, without
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import KEYS, NUMBERS, ORDERED, RecipeRows, Wanted
from tabchat.engine.types import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Value

_ROW_NAME: Final = "row"
_POINT_NAME: Final = "point"
_RANGE_BEST: Final = 10
"""Largest subgroup for which the range is nearly as good as the standard deviation (Montgomery, 6.3)."""


def control_chart(request: Request) -> Result:
    """Return the points in order with center line, limits and the rules that each point breaks.

    Arguments: `value`, `order`, `subgroup`, `chart` (individuals, xbar_r, xbar_s), `rules` (western_electric,
    nelson). Rows without a value are left out. Raises `PlanValidationError` for a chart that the subgroups do not
    allow.
    """
    value = Wanted(argument="value", text=request.text("value") or "", accepts=NUMBERS)
    order, subgroup = request.text("order"), request.text("subgroup")
    wanted = [value]
    wanted += [Wanted(argument="order", text=order, accepts=ORDERED)] if order else []
    wanted += [Wanted(argument="subgroup", text=subgroup, accepts=KEYS)] if subgroup else []
    rows = RecipeRows(request, wanted)
    field = rows.field("value", value.text)
    by = rows.field("order", order) if order else rows.time
    missing = without(rows, field)
    rows.keep(fill("NOT :x IS NULL", x=measured(field)))
    rules = request.text("rules") or "western_electric"
    if subgroup:
        return noted(_means(rows, field, by, rows.field("subgroup", subgroup), rules), missing)
    chart = request.text("chart")
    if chart not in {None, "individuals"}:
        raise refusal(
            "chart", chart, f"{chart} charts subgroups, and none are given.", "Give `subgroup`: a column."
        )
    return noted(_individuals(rows, field, by, rules), missing)


def _individuals(rows: RecipeRows, field: Field, by: Field | None, rules: str) -> Result:
    place = exp.Window(this=exp.RowNumber(), order=_order(by))
    label, shown = _label(rows, field, by, place)
    names = free_names([label], field.name, "moving_range", "center", "lcl", "ucl", "rules")
    x = names[field.name]
    points = rows.layer(rows.select(alias(shown, label), alias(measured(field), x), alias(place, PLACE)))
    before = exp.Window(
        this=fill("LAG(:x)", x=quoted(x)), order=exp.Order(expressions=[exp.Ordered(this=quoted(PLACE))])
    )
    moving = fill("ABS(:x - :before)", x=quoted(x), before=before)
    computed = compute(
        rows,
        exp.select(quoted(label), quoted(x), alias(moving, names["moving_range"]), quoted(PLACE)).from_(
            points
        ),
    )
    facts = one_row(
        rows,
        exp.select(
            alias(fill("COUNT(*)"), "n"),
            alias(fill("FAVG(:x)", x=quoted(x)), "center"),
            alias(fill("FAVG(:x)", x=quoted(names["moving_range"])), "spread"),
        ).from_(computed.kept.subquery("kept")),
    )
    limits = None
    if isinstance(facts["spread"], float) and isinstance(facts["center"], float):
        high = range_limits(2)[1] * facts["spread"]
        limits = Limits(
            center=facts["center"],
            sigma=facts["spread"] / d2(2),
            spread_mean=facts["spread"],
            spread_low=0.0,
            spread_high=high,
        )
    chart = PointChart(
        kind="individuals",
        label=(label,),
        x=x,
        size=None,
        spread=names["moving_range"],
        names=names,
        unit=field.unit,
    )
    return charted(rows, computed, chart, limits, rules, points=facts["n"], source=facts["n"])


def _label(rows: RecipeRows, field: Field, by: Field | None, place: exp.Expr) -> tuple[str, exp.Expr]:
    """Return what the points are called by, and its name: what orders them, the numbers of their rows, or their places."""
    if by is not None and by.name.casefold() != field.name.casefold():
        return by.name, by.column()
    if rows.request.table.is_numbered:
        return _ROW_NAME, exp.column(ROW, quoted=True)
    return _POINT_NAME, place.copy()


def _means(rows: RecipeRows, field: Field, by: Field | None, group: Field, rules: str) -> Result:
    names = free_names([group.name], "n", "mean", "range", "sd", "center", "lcl", "ucl", "rules")
    first = [fill("MIN(:o)", o=by.column())] if by is not None else []
    first.append(fill("MIN(:o)", o=exp.column(ROW, quoted=True)))
    base = rows.layer(
        rows.select(
            *keys_of([group]),
            alias(measured(field), "__value"),
            *(alias(item.find(exp.Column).copy(), f"__order_{place}") for place, item in enumerate(first)),  # type: ignore[union-attr] # a column stands in each
        )
    )
    v = quoted("__value")
    grouped = rows.layer(
        exp.select(
            quoted(group.name),
            alias(fill("COUNT(*)"), names["n"]),
            alias(fill("FAVG(:x)", x=v), names["mean"]),
            alias(fill("MAX(:x) - MIN(:x)", x=v), names["range"]),
            alias(fill("STDDEV_SAMP(:x)", x=v), names["sd"]),
            *(
                alias(fill("MIN(:o)", o=quoted(f"__order_{place}")), f"__first_{place}")
                for place in range(len(first))
            ),
        )
        .from_(base)
        .group_by(quoted(group.name))
    )
    place = exp.Window(
        this=exp.RowNumber(),
        order=exp.Order(
            expressions=[
                exp.Ordered(this=quoted(f"__first_{place}"), nulls_first=False) for place in range(len(first))
            ]
        ),
    )
    computed = compute(
        rows,
        exp.select(
            quoted(group.name),
            *(quoted(names[name]) for name in ("n", "mean", "range", "sd")),
            alias(place, PLACE),
        ).from_(grouped),
    )
    n, mean, sd = quoted(names["n"]), quoted(names["mean"]), quoted(names["sd"])
    facts = one_row(
        rows,
        exp.select(
            alias(fill("COUNT(*)"), "points"),
            alias(fill("CAST(COALESCE(SUM(:n), 0) AS BIGINT)", n=n), "n"),
            alias(fill("MIN(:n)", n=n), "least"),
            alias(fill("MAX(:n)", n=n), "most"),
            alias(fill("FSUM(:n * :x) / SUM(:n)", n=n, x=mean), "center"),
            alias(fill("FAVG(:x)", x=quoted(names["range"])), "range"),
            alias(fill("FAVG(:x)", x=sd), "sd"),
            alias(fill("SQRT(FSUM((:n - 1) * :s * :s) / NULLIF(SUM(:n - 1), 0))", n=n, s=sd), "pooled"),
        ).from_(computed.kept.subquery("kept")),
    )
    kind, limits = _subgroup_limits(rows.request, facts)
    spread = names["range" if kind == "xbar_r" else "sd"]
    chart = PointChart(
        kind=kind,
        label=(group.name,),
        x=names["mean"],
        size=names["n"],
        spread=spread,
        names=names,
        unit=field.unit,
    )
    return charted(rows, computed, chart, limits, rules, points=facts["points"], source=facts["n"])


def _subgroup_limits(request: Request, facts: Mapping[str, Value]) -> tuple[Kind, Limits | None]:
    wanted = request.text("chart")
    least, most, center = facts["least"], facts["most"], facts["center"]
    if wanted == "individuals":
        hint = "Leave `subgroup` out, or chart xbar_r or xbar_s."
        raise refusal("chart", wanted, "A chart of individuals has no subgroups.", hint)
    if not isinstance(least, int) or not isinstance(most, int) or not isinstance(center, float):
        return "xbar_s", None
    even = least == most
    kind: Kind = (
        "xbar_r" if wanted == "xbar_r" or (wanted is None and even and most <= _RANGE_BEST) else "xbar_s"
    )
    if most == 1:
        message = (
            f"Every value of `{request.text('subgroup')}` has one row, so that no subgroup has a spread."
        )
        raise refusal(
            "subgroup", request.text("subgroup"), message, "Leave `subgroup` out for single values."
        )
    if kind == "xbar_r" and (not even or most > LARGEST):
        message = (
            f"xbar_r needs subgroups of one size, up to {LARGEST}; here they have {least} to {most} values."
        )
        raise refusal("chart", wanted, message, "Chart xbar_s.")
    spread, sd, pooled = facts["range"], facts["sd"], facts["pooled"]
    if kind == "xbar_r" and isinstance(spread, float):
        low, high = range_limits(most)
        return kind, Limits(
            center=center,
            sigma=spread / d2(most),
            spread_mean=spread,
            spread_low=low * spread,
            spread_high=high * spread,
        )
    if even and isinstance(sd, float):
        low, high = deviation_limits(most)
        return kind, Limits(
            center=center, sigma=sd / c4(most), spread_mean=sd, spread_low=low * sd, spread_high=high * sd
        )
    if isinstance(pooled, float):
        return kind, Limits(
            center=center, sigma=pooled, spread_mean=pooled, spread_low=None, spread_high=None
        )
    return kind, None


def _order(by: Field | None) -> exp.Order:
    keys = [by.column()] if by is not None else []
    keys.append(exp.column(ROW, quoted=True))
    return exp.Order(expressions=[exp.Ordered(this=key, nulls_first=False) for key in keys])
