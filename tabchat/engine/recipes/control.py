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

from typing import TYPE_CHECKING, Final, Literal

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.recipes.constants import LARGEST, c4, d2, deviation_limits, range_limits
from tabchat.engine.recipes.control_rules import PLACE, RULES, Z, marks, with_patterns
from tabchat.engine.recipes.outcome import Computed, Shape, compute, one_row, result_of
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import (
    KEYS,
    NUMBERS,
    ORDERED,
    RecipeRows,
    Wanted,
    alias,
    free_names,
    keys_of,
    measured,
    quoted,
)
from tabchat.engine.result import Chart, ResultKind
from tabchat.engine.types import ROW
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.recipes.request import Request
    from tabchat.engine.relation import Field
    from tabchat.engine.result import Result
    from tabchat.engine.types import Value

Kind = Literal["individuals", "xbar_r", "xbar_s"]

_ROW_NAME: Final = "row"
_RANGE_BEST: Final = 10
"""Largest subgroup for which the range is nearly as good as the standard deviation (Montgomery, 6.3)."""


@record
class Limits:
    """What the chart's lines are drawn from."""

    center: float
    sigma: float
    """Standard deviation of single values within subgroups."""
    spread_mean: float
    """Mean moving range, range or standard deviation."""
    spread_low: float | None
    spread_high: float | None
    """Limits of that spread; none for subgroups of several sizes."""


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
    rows.keep(fill("NOT :x IS NULL", x=measured(field)))
    rules = request.text("rules") or "western_electric"
    if subgroup:
        return _means(rows, field, by, rows.field("subgroup", subgroup), rules)
    chart = request.text("chart")
    if chart not in {None, "individuals"}:
        raise refusal(
            "chart", chart, f"{chart} charts subgroups, and none are given.", "Give `subgroup`: a column."
        )
    return _individuals(rows, field, by, rules)


def _individuals(rows: RecipeRows, field: Field, by: Field | None, rules: str) -> Result:
    label = by.name if by is not None and by.name.casefold() != field.name.casefold() else _ROW_NAME
    names = free_names([label], field.name, "moving_range", "center", "lcl", "ucl", "rules")
    x = names[field.name]
    shown = by.column() if by is not None and label == by.name else exp.column(ROW, quoted=True)
    points = rows.layer(
        rows.select(
            alias(shown, label),
            alias(measured(field), x),
            alias(exp.Window(this=exp.RowNumber(), order=_order(by)), PLACE),
        )
    )
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
    chart = _Chart(
        kind="individuals",
        label=(label,),
        x=x,
        size=None,
        spread=names["moving_range"],
        names=names,
        unit=field.unit,
    )
    return _charted(rows, computed, chart, limits, rules, points=facts["n"], source=facts["n"])


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
    chart = _Chart(
        kind=kind,
        label=(group.name,),
        x=names["mean"],
        size=names["n"],
        spread=spread,
        names=names,
        unit=field.unit,
    )
    return _charted(rows, computed, chart, limits, rules, points=facts["points"], source=facts["n"])


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


@record
class _Chart:
    kind: Kind
    label: tuple[str, ...]
    x: str
    size: str | None
    spread: str
    names: Mapping[str, str]
    unit: str | None


def _charted(
    rows: RecipeRows,
    computed: Computed,
    chart: _Chart,
    limits: Limits | None,
    rules: str,
    *,
    points: Value,
    source: Value,
) -> Result:
    names, found = chart.names, RULES[rules]
    shown = [*chart.label, *([chart.size] if chart.size else []), chart.x, chart.spread]
    lines = ("center", "lcl", "ucl")

    def build(table: exp.Expr) -> exp.Select:
        distance = fill(":three * :sigma", three=3.0, sigma=_sigma(chart, limits))
        center = double(limits.center) if limits is not None else exp.cast(exp.Null(), "DOUBLE")
        placed = exp.select(
            *(quoted(name) for name in shown),
            quoted(PLACE),
            alias(center, names["center"]),
            alias(fill(":c - :d", c=center, d=distance), names["lcl"]),
            alias(fill(":c + :d", c=center, d=distance), names["ucl"]),
            alias(fill("(:x - :c) / NULLIF(:s, 0)", x=quoted(chart.x), c=center, s=_sigma(chart, limits)), Z),
        ).from_(table)
        ready = with_patterns(placed.subquery("placed"), chart.x)
        return (
            exp.select(
                *(quoted(name) for name in shown),
                *(quoted(names[name]) for name in lines),
                alias(marks(found, _spread_rule(chart, limits)), names["rules"]),
            )
            .from_(ready.subquery("points"))
            .order_by(quoted(PLACE))
        )

    result = result_of(
        rows,
        computed.both(build),
        Shape(
            kind=ResultKind.TABLE,
            source_rows=int(source),  # type: ignore[arg-type] # a count
            chart=Chart(category=chart.label[0], value=chart.x, kind="control", line=names["rules"]),
            focus=(chart.x, names["rules"]),
            units=dict.fromkeys((chart.x, chart.spread, *(names[line] for line in lines)), chart.unit),
        ),
    )
    return _counted(result, chart, limits, rules, int(points))  # type: ignore[arg-type] # a count


def _sigma(chart: _Chart, limits: Limits | None) -> exp.Expr:
    """Return the standard deviation of a point: of a mean of n values it is smaller by the root of n."""
    if limits is None:
        return exp.cast(exp.Null(), "DOUBLE")
    if chart.size is None:
        return double(limits.sigma)
    return fill(":s / SQRT(:n)", s=limits.sigma, n=quoted(chart.size))


def _spread_rule(chart: _Chart, limits: Limits | None) -> Mapping[str, exp.Expr]:
    if limits is None or limits.spread_low is None or limits.spread_high is None:
        return {}
    x = quoted(chart.spread)
    return {"R": fill(":x < :low OR :x > :high", x=x, low=limits.spread_low, high=limits.spread_high)}


_SPREADS: Final = {"individuals": "moving range", "xbar_r": "range", "xbar_s": "standard deviation"}


def _counted(result: Result, chart: _Chart, limits: Limits | None, rules: str, points: int) -> Result:
    """Add the figures of the whole chart, and how many points break each rule."""
    from dataclasses import replace

    names = {rule.name: rule.meaning for rule in RULES[rules]}
    names["R"] = f"{_SPREADS[chart.kind]} beyond its limits"
    column = quoted(chart.names["rules"])
    counts = [
        fill("COUNT(*) FILTER (WHERE CONTAINS(CONCAT(', ', :x, ','), :name))", x=column, name=f", {name},")
        for name in names
    ]
    query = exp.select(fill("COUNT(:x)", x=column), *counts).from_(result.frame.query.subquery("frame"))
    ((broken, *by_rule),) = result.frame.engine.rows(query)
    notes = [f"Chart {chart.kind}; rules {rules}"]
    for (name, meaning), count in zip(names.items(), by_rule, strict=True):
        if isinstance(count, int) and count:
            notes.append(f"Rule {name} ({meaning}): {count:,} point{'' if count == 1 else 's'}")
    values: dict[str, Value] = {"points": points, "out_of_control": broken}
    if limits is not None:
        values |= {"center": limits.center, "sigma": limits.sigma, "spread_mean": limits.spread_mean}
        values["spread_ucl"] = limits.spread_high
        values |= _edges(result, chart)
    metadata = replace(result.metadata, notes=(*result.metadata.notes, *notes))
    return replace(result, values=values, metadata=metadata)


def _edges(result: Result, chart: _Chart) -> dict[str, Value]:
    """Return the limits, when they are the same for every point."""
    low, high = quoted(chart.names["lcl"]), quoted(chart.names["ucl"])
    query = exp.select(
        fill("MIN(:x)", x=low), fill("MAX(:x)", x=low), fill("MIN(:x)", x=high), fill("MAX(:x)", x=high)
    ).from_(result.frame.query.subquery("frame"))
    ((least, most, first, last),) = result.frame.engine.rows(query)
    return {"lcl": least, "ucl": last} if least == most and first == last else {}


def _order(by: Field | None) -> exp.Order:
    keys = [by.column()] if by is not None else []
    keys.append(exp.column(ROW, quoted=True))
    return exp.Order(expressions=[exp.Ordered(this=key, nulls_first=False) for key in keys])
