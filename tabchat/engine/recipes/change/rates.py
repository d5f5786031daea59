"""The change of a mean or a rate, split into what changed within each group and what the mix of groups did."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.recipes.change.result import SIDES, explained, grouped, ranked
from tabchat.engine.recipes.columns import alias, free_names, measured, quoted
from tabchat.engine.recipes.exact import as_decimal, as_double, scale_for
from tabchat.engine.recipes.outcome import Computed, one_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.rows import RecipeRows
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Value


def of_rates(
    rows: RecipeRows, keys: Sequence[Field], field: Field, conditions: Sequence[exp.Expr], *, is_rate: bool
) -> Result:
    """Explain the change of the mean of `field`, or of the percentage of rows where it holds (`is_rate`).

    `conditions` say which rows are before and which after. The method is that of `change`.
    """
    names = free_names(
        [key.name for key in keys], "n_before", "n_after", *SIDES, "within", "mix", "change", "share"
    )
    value = (
        fill("CASE WHEN :c THEN 100e0 WHEN NOT :c THEN 0e0 END", c=field.column())
        if is_rate
        else measured(field)
    )
    columns: dict[str, exp.Expr] = {}
    for side, condition in zip(SIDES, conditions, strict=True):
        columns[f"__sum_{side}"] = fill("COALESCE(FSUM(:x) FILTER (WHERE :c), 0)", x=value, c=condition)
        columns[names[f"n_{side}"]] = fill("COUNT(:x) FILTER (WHERE :c)", x=value, c=condition)
        columns[f"__rows_{side}"] = fill("COUNT(*) FILTER (WHERE :c)", c=condition)
    groups = grouped(rows, keys, columns)
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
                for side in SIDES
            ),
            *(
                alias(fill("CAST(SUM(:n) AS BIGINT)", n=quoted(names[f"n_{side}"])), f"counted_{side}")
                for side in SIDES
            ),
            *(
                alias(fill("CAST(SUM(:n) AS BIGINT)", n=quoted(f"__rows_{side}")), f"n_{side}")
                for side in SIDES
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
        return ranked(_settled(effects, keys, names, whole, scale), keys, names["change"], whole["change"])

    unit = "%" if is_rate else field.unit
    units: dict[str, str | None] = {names[name]: unit for name in SIDES}
    units |= {names[name]: None if is_rate else unit for name in ("within", "mix", "change")} | {
        names["share"]: "%"
    }
    return explained(rows, groups, build, whole, names, keys, units, field)


def _effects(
    source: exp.Expr, keys: Sequence[Field], names: Mapping[str, str], whole: Mapping[str, Value]
) -> exp.Select:
    """Return what each group contributes, as doubles."""
    rate, weight = {}, {}
    for side in SIDES:
        n, total = quoted(names[f"n_{side}"]), whole[f"counted_{side}"]
        rate[side] = fill(":s / NULLIF(:n, 0)", s=quoted(f"__sum_{side}"), n=n)
        weight[side] = fill(":n / :all", n=n, all=float(total))  # type: ignore[arg-type] # a count
    rates = exp.select(
        *(quoted(key.name) for key in keys),
        *(quoted(names[f"n_{side}"]) for side in SIDES),
        *(alias(rate[side], names[side]) for side in SIDES),
        *(alias(weight[side], f"__w_{side}") for side in SIDES),
    ).from_(source)
    r0, r1 = (quoted(names[side]) for side in SIDES)
    w0, w1 = (quoted(f"__w_{side}") for side in SIDES)
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
        *(quoted(names[name]) for name in ("n_before", "n_after", *SIDES)),
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
        *(quoted(names[f"n_{side}"]) for side in SIDES),
        *(
            alias(
                fill(":s / NULLIF(:n, 0)", s=quoted(f"__sum_{side}"), n=quoted(names[f"n_{side}"])),
                names[side],
            )
            for side in SIDES
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
        for side in SIDES
    ]
    ((*found,),) = rows.request.engine.rows(exp.select(*means).from_(groups.kept.subquery("kept")))
    return scale_for(8 * max((peak for peak in found if isinstance(peak, float)), default=0.0))


def _rounded(value: float, scale: int | None) -> Decimal:
    exact = Decimal(repr(value))
    return exact if scale is None else exact.quantize(Decimal(1).scaleb(-scale))
