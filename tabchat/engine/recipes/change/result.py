"""What sums and rates share when a change is explained: groups, order and result."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.recipes.columns import alias, keys_of, quoted
from tabchat.engine.recipes.outcome import Computed, Shape, compute, result_of, without
from tabchat.engine.result.result import Chart, ResultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.rows import RecipeRows
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Value


PERIODS: Final = ("from", "to")
"""Arguments that name the periods."""
SIDES: Final = ("before", "after")
"""What the periods are called in a result."""


def grouped(rows: RecipeRows, keys: Sequence[Field], columns: Mapping[str, exp.Expr]) -> Computed:
    """Compute `columns`, aggregates by name, for each group."""
    query = rows.select(*keys_of(keys), *(alias(sql, name) for name, sql in columns.items()))
    return compute(rows, query.group_by(*(exp.Literal.number(place + 1) for place in range(len(keys)))))


def ranked(query: exp.Select, keys: Sequence[Field], change: str, total: Value) -> exp.Select:
    """Put first what contributes most in the direction of the change."""
    falls = isinstance(total, (int, float, Decimal)) and total < 0
    order = [exp.Ordered(this=quoted(change), desc=not falls, nulls_first=False)]
    order += [exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys]
    return exp.select(exp.Star()).from_(query.subquery("explained")).order_by(*order)


def explained(
    rows: RecipeRows,
    groups: Computed,
    build: Callable[[exp.Expr], exp.Select],
    whole: Mapping[str, Value],
    names: Mapping[str, str],
    keys: Sequence[Field],
    units: Mapping[str, str | None],
    field: Field | None,
) -> Result:
    """Return the result: `build` makes its rows of the groups, `whole` has the measure of all rows together."""
    periods = [rows.request.text(name) or "" for name in PERIODS]
    counts = [int(whole[f"n_{side}"] or 0) for side in SIDES]  # type: ignore[arg-type] # counts
    warnings = [
        f"There are no rows in {period}." for period, count in zip(periods, counts, strict=True) if not count
    ]
    values = {name: _plain(whole[name]) for name in (*SIDES, "change")}
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
            notes=without(rows, field),
            warnings=tuple(warnings),
        ),
    )


def _plain(value: Value) -> Value:
    return float(value) if isinstance(value, Decimal) else value
