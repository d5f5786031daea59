"""A measurement described: how many values, their mean, spread and percentiles, and what lies far outside.

Percentiles interpolate linearly between order statistics (type 7 of Hyndman & Fan 1996, "Sample quantiles in
statistical packages", The American Statistician 50, 361-365; the default of NumPy and R). The standard deviation
divides by n - 1. Outliers lie beyond the inner fences of Tukey (1977, "Exploratory Data Analysis"): below
Q1 - 1.5 IQR or above Q3 + 1.5 IQR, where IQR = Q3 - Q1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.recipes.columns import alias, free_names, keys_of, measured, quoted
from tabchat.engine.recipes.outcome import Computed, Shape, compute, one_row, result_of
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import KEYS, NUMBERS, RecipeRows, Wanted
from tabchat.engine.result.result import Chart, ResultKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result

FENCE: Final = 1.5
"""Interquartile ranges between a quartile and its fence."""
PERCENTILES: Final = (5.0, 25.0, 50.0, 75.0, 95.0)
_QUARTILES: Final = (0.25, 0.75)
_MOST: Final = 100
_VALUE: Final = "__value"


def measurement_statistics(request: Request) -> Result:
    """Return n, missing, mean, sd, min, percentiles, max and outliers of a number, for each group.

    Arguments: `value`, `by`, `percentiles` (0 to 100; 5, 25, 50, 75, 95). Without `by` the result is one row,
    of kind dict.
    """
    by = request.texts("by")
    percentiles = _percentiles(request)
    value = Wanted(argument="value", text=request.text("value") or "", accepts=NUMBERS)
    rows = RecipeRows(request, [value, *(Wanted(argument="by", text=name, accepts=KEYS) for name in by)])
    field = rows.field("value", value.text)
    keys = [rows.field("by", name) for name in by]
    titles = {point: f"p{point:g}" for point in percentiles}
    names = free_names(
        [key.name for key in keys],
        *(
            "n",
            "missing",
            "mean",
            "sd",
            "min",
            *titles.values(),
            "max",
            "low_fence",
            "high_fence",
            "outliers",
        ),
    )
    base = rows.layer(rows.select(*keys_of(keys), alias(measured(field), _VALUE)))
    groups = compute(rows, _grouped(base, [key.name for key in keys], titles, names))
    outliers = _outliers(rows, base, groups, [key.name for key in keys], names)
    facts = one_row(
        rows,
        exp.select(
            *(
                alias(fill("CAST(COALESCE(SUM(:x), 0) AS BIGINT)", x=quoted(names[name])), name)
                for name in ("n", "missing")
            )
        ).from_(groups.kept.subquery("kept")),
    )
    shown = [names[name] for name in ("n", "missing", "mean", "sd", "min", *titles.values(), "max")]
    shown += [names[name] for name in ("low_fence", "high_fence", "outliers")]

    def build(source: exp.Expr) -> exp.Select:
        query = exp.select(*(quoted(name) for name in (*(key.name for key in keys), *shown))).from_(source)
        order = [exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys]
        return query.order_by(*order) if order else query

    units = {
        name: field.unit for name in shown if name not in {names["n"], names["missing"], names["outliers"]}
    }
    return result_of(
        rows,
        outliers.both(build),
        Shape(
            kind=ResultKind.GROUPED if keys else ResultKind.DICT,
            source_rows=int(facts["n"]) + int(facts["missing"]),  # type: ignore[arg-type] # counts
            group_by=tuple(key.name for key in keys),
            chart=Chart(category=keys[0].name, value=names["mean"]) if keys else None,
            units=units,
            notes=(f"outliers: values beyond the quartiles by more than {FENCE} interquartile ranges",),
        ),
    )


def _percentiles(request: Request) -> tuple[float, ...]:
    given = request.arguments.get("percentiles")
    if not isinstance(given, (list, tuple)) or not given:
        return PERCENTILES
    points = sorted({float(point) for point in given if isinstance(point, (int, float))})
    if any(not 0 <= point <= _MOST for point in points):
        raise refusal("percentiles", given, "Percentiles lie between 0 and 100.", "Such as [10, 50, 90].")
    return tuple(points)


def _grouped(
    base: exp.Expr, keys: Sequence[str], titles: Mapping[float, str], names: Mapping[str, str]
) -> exp.Select:
    x = quoted(_VALUE)
    quartiles = [fill("QUANTILE_CONT(:x, :p)", x=x, p=double(p)) for p in _QUARTILES]
    reach = fill(":f * (:q3 - :q1)", f=FENCE, q1=quartiles[0], q3=quartiles[1])
    columns = {
        "n": fill("COUNT(:x)", x=x),
        "missing": fill("COUNT(*) - COUNT(:x)", x=x),
        "mean": fill("FAVG(:x)", x=x),
        "sd": fill("STDDEV_SAMP(:x)", x=x),
        "min": fill("MIN(:x)", x=x),
        **{
            title: fill("QUANTILE_CONT(:x, :p)", x=x, p=double(point / 100))
            for point, title in titles.items()
        },
        "max": fill("MAX(:x)", x=x),
        "low_fence": fill(":q - :reach", q=quartiles[0], reach=reach),
        "high_fence": fill(":q + :reach", q=quartiles[1], reach=reach),
    }
    query = exp.select(
        *(quoted(key) for key in keys), *(alias(sql, names[name]) for name, sql in columns.items())
    ).from_(base)
    return query.group_by(*(quoted(key) for key in keys)) if keys else query


def _outliers(
    rows: RecipeRows, base: exp.Expr, groups: Computed, keys: Sequence[str], names: Mapping[str, str]
) -> Computed:
    """Count the values beyond the fences of their group: a second look at the rows, with the fences known."""
    statistics = [name for name in names.values() if name != names["outliers"]]
    matched = [
        fill(
            ":a IS NOT DISTINCT FROM :b",
            a=exp.column(key, table="v", quoted=True),
            b=exp.column(key, table="g", quoted=True),
        )
        for key in keys
    ]
    value = exp.column(_VALUE, table="v", quoted=True)
    low, high = (exp.column(names[name], table="g", quoted=True) for name in ("low_fence", "high_fence"))

    def build(source: exp.Expr) -> exp.Select:
        counted = fill("COUNT(*) FILTER (WHERE :x < :low OR :x > :high)", x=value, low=low, high=high)
        group = [exp.column(name, table="g", quoted=True) for name in (*keys, *statistics)]
        return (
            exp.select(*(column.copy() for column in group), alias(counted, names["outliers"]))
            .from_(exp.alias_(source, "g", table=True))
            .join(
                exp.alias_(base.copy(), "v", table=True),
                on=exp.and_(*matched) if matched else exp.true(),
                join_type="LEFT",
            )
            .group_by(*(column.copy() for column in group))
        )

    source = groups.kept.subquery()
    run, shown = build(source), build(groups.layer.copy())
    kept = rows.request.engine.materialise(rows.runnable(run))
    return Computed(kept=kept, layer=rows.layer(shown))
