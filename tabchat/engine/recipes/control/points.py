"""The points of a control chart with their center line, limits and marks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.recipes.columns import alias, quoted
from tabchat.engine.recipes.control.rules import PLACE, RULES, Z, marks, with_patterns
from tabchat.engine.recipes.outcome import Computed, Shape, result_of
from tabchat.engine.result.result import Chart, ResultKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.recipes.rows import RecipeRows
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Value

Kind = Literal["individuals", "xbar_r", "xbar_s"]


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


@record
class PointChart:
    """What is charted: the columns of the points."""

    kind: Kind
    label: tuple[str, ...]
    x: str
    size: str | None
    spread: str
    names: Mapping[str, str]
    unit: str | None


def charted(
    rows: RecipeRows,
    computed: Computed,
    chart: PointChart,
    limits: Limits | None,
    rules: str,
    *,
    points: Value,
    source: Value,
) -> Result:
    """Return the points with their lines, marked by the set of rules called `rules`; `source` counts the rows."""
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


def _sigma(chart: PointChart, limits: Limits | None) -> exp.Expr:
    """Return the standard deviation of a point: of a mean of n values it is smaller by the root of n."""
    if limits is None:
        return exp.cast(exp.Null(), "DOUBLE")
    if chart.size is None:
        return double(limits.sigma)
    return fill(":s / SQRT(:n)", s=limits.sigma, n=quoted(chart.size))


def _spread_rule(chart: PointChart, limits: Limits | None) -> Mapping[str, exp.Expr]:
    if limits is None or limits.spread_low is None or limits.spread_high is None:
        return {}
    x = quoted(chart.spread)
    return {"R": fill(":x < :low OR :x > :high", x=x, low=limits.spread_low, high=limits.spread_high)}


_SPREADS: Final = {"individuals": "moving range", "xbar_r": "range", "xbar_s": "standard deviation"}


def _counted(result: Result, chart: PointChart, limits: Limits | None, rules: str, points: int) -> Result:
    """Add the figures of the whole chart, and how many points break each rule."""
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


def _edges(result: Result, chart: PointChart) -> dict[str, Value]:
    """Return the limits, when they are the same for every point."""
    low, high = quoted(chart.names["lcl"]), quoted(chart.names["ucl"])
    query = exp.select(
        fill("MIN(:x)", x=low), fill("MAX(:x)", x=low), fill("MIN(:x)", x=high), fill("MAX(:x)", x=high)
    ).from_(result.frame.query.subquery("frame"))
    ((least, most, first, last),) = result.frame.engine.rows(query)
    return {"lcl": least, "ucl": last} if least == most and first == last else {}
