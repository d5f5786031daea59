"""Causes ranked by how much they bring about, with the cumulative share: the Pareto analysis.

J. M. Juran, "Quality Control Handbook" (1951), after V. Pareto's distribution of incomes: a vital few of the
causes make most of the effect. The share of a cause is its part of the sum over all causes, in percent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.recipes.columns import alias, free_names, keys_of, quoted, size_of, summed
from tabchat.engine.recipes.exact import SIZE, as_decimal, as_double, decimal_scale
from tabchat.engine.recipes.outcome import Shape, compute, one_row, result_of, without
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import KEYS, NUMBERS, RecipeRows, Wanted
from tabchat.engine.result.result import Chart, ResultKind
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.recipes.rows import RecipeRows as Rows
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Value

_PERCENT = 100


def analyze_pareto(request: Request) -> Result:
    """Return the causes, largest first, each with its amount, share and cumulative share in percent.

    Arguments: `by` (columns that name the cause), `weight` (number added up for each cause; rows are counted
    without it), `threshold` (percent that the vital few are to make, 80). Raises `PlanValidationError` when a
    cause has a negative amount, of which there is no share.
    """
    by, weight = request.texts("by"), request.text("weight")
    threshold = request.number("threshold", 80)
    if not 0 < threshold <= _PERCENT:
        raise refusal("threshold", threshold, "`threshold` is a percentage up to 100.", "Such as 80.")
    wanted = [Wanted(argument="by", text=name, accepts=KEYS) for name in by]
    wanted += [Wanted(argument="weight", text=weight, accepts=NUMBERS)] if weight else []
    rows = RecipeRows(request, wanted)
    keys = [rows.field("by", name) for name in by]
    field = rows.field("weight", weight) if weight else None
    amount = "count" if field is None else f"sum_{field.name}"
    names = free_names([key.name for key in keys], amount, "share", "cumulative", "rows")
    groups = compute(rows, _grouped(rows, keys, field, names[amount], names["rows"]))
    is_double = field is not None and field.kind is not ColumnKind.INTEGER
    column = quoted(names[amount])
    scale = decimal_scale(request.engine, groups.kept, quoted(SIZE)) if is_double else None
    exact = as_decimal(column, scale) if is_double else column.copy()
    facts = one_row(
        rows,
        exp.select(
            alias(fill("CAST(COALESCE(SUM(:x), 0) AS BIGINT)", x=quoted(names["rows"])), "rows"),
            alias(fill("COUNT(*) FILTER (WHERE :x < 0)", x=column), "negative"),
            alias(fill("SUM(:x)", x=exact), "total"),
        ).from_(groups.kept.subquery("kept")),
    )
    if facts["negative"] and weight:
        message = f"Some causes have a negative sum of `{weight}`, and there is no share of that."
        raise refusal("weight", weight, message, f'Keep what counts: where "{weight} > 0".')

    def build(source: exp.Expr) -> exp.Select:
        order = [exp.Ordered(this=column.copy(), desc=True, nulls_first=False)]
        order += [exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys]
        running = exp.Window(
            this=fill("SUM(:x)", x=exact),
            order=exp.Order(expressions=order),
            spec=exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"),
        )
        total = as_double(exp.Window(this=fill("SUM(:x)", x=exact)))
        share = "100 * (:part / NULLIF(:total, 0))"
        return (
            exp.select(
                *(quoted(key.name) for key in keys),
                alias(as_double(exact) if is_double else column.copy(), names[amount]),
                alias(fill(share, part=as_double(exact.copy()), total=total), names["share"]),
                alias(fill(share, part=as_double(running), total=total), names["cumulative"]),
            )
            .from_(source)
            .where(fill("NOT :x IS NULL", x=column))
            .order_by(*(item.copy() for item in order))
        )

    unit = field.unit if field is not None else None
    result = result_of(
        rows,
        groups.both(build),
        Shape(
            kind=ResultKind.GROUPED,
            source_rows=int(facts["rows"]),  # type: ignore[arg-type] # a count
            group_by=tuple(key.name for key in keys),
            chart=Chart(category=keys[0].name, value=names[amount], kind="pareto", line=names["cumulative"]),
            units={names[amount]: unit, names["share"]: "%", names["cumulative"]: "%"},
            values={"total": _plain(facts["total"])},
            notes=without(rows, field),
        ),
    )
    return _with_vital_few(result, names["cumulative"], threshold)


def _grouped(rows: Rows, keys: list[Field], field: Field | None, amount: str, count: str) -> exp.Select:
    total = fill("COUNT(*)") if field is None else summed(field)
    columns = [alias(total, amount), alias(fill("COUNT(*)"), count)]
    columns += [alias(size_of(field), SIZE)] if field is not None else []
    groups = (exp.Literal.number(place + 1) for place in range(len(keys)))
    return rows.select(*keys_of(keys), *columns).group_by(*groups)


def _with_vital_few(result: Result, cumulative: str, threshold: float) -> Result:
    """Say how few causes make the threshold."""
    from dataclasses import replace

    frame = result.frame
    column = quoted(cumulative)
    # The cumulative share rises, so those below the threshold come first; the next one reaches it.
    query = exp.select(fill("COUNT(*) FILTER (WHERE :x < :edge)", x=column, edge=threshold - 1e-9)).from_(
        frame.query.subquery("frame")
    )
    ((below,),) = frame.engine.rows(query)
    few = min(int(below) + 1, frame.row_count)  # type: ignore[arg-type] # a count
    if not frame.row_count or not result.values["total"]:
        return result
    note = f"{few:,} of {frame.row_count:,} causes make at least {threshold:.4g}%"
    values = {**result.values, "causes": frame.row_count, "vital_few": few}
    metadata = replace(result.metadata, notes=(*result.metadata.notes, note))
    return replace(result, values=values, metadata=metadata)


def _plain(value: Value) -> Value:
    from decimal import Decimal

    return float(value) if isinstance(value, Decimal) else value
