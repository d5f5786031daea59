"""Whether a process keeps within its specification: Cp, Cpk, Pp and Ppk.

With mean m, lower and upper limits L and U:

    Cp  = (U - L) / 6σw      Cpk = min(U - m, m - L) / 3σw      σw: within subgroups
    Pp  = (U - L) / 6s       Ppk = min(U - m, m - L) / 3s       s: of all values (n - 1)

V. E. Kane 1986, "Process capability indices", Journal of Quality Technology 18, 41-52; AIAG "Statistical Process
Control", 2nd ed. (2005), ch. IV. σw is the mean moving range of two / d2(2), or with subgroups the pooled standard
deviation. With one limit only, Cp and Pp do not exist. The intervals of Cpk and Ppk are those of A. F. Bissell 1990,
"How reliable is your capability index?", Applied Statistics 39, 331-340: C ± z √(1/9n + C²/2ν), with ν the degrees of
freedom of the standard deviation: n - 1 for s, n less the number of subgroups for a pooled one. Moving ranges tell less
(J. D. Cryer and T. P. Ryan 1990, "The estimation of sigma for an X chart", Journal of Quality Technology 22, 187-192):
their ν is that with which a standard deviation would vary as much, about 0.6 n.

The indices suppose values that are nearly normal, from a process in control.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.recipes.columns import alias, free_names, keys_of, measured, quoted
from tabchat.engine.recipes.control.constants import d2
from tabchat.engine.recipes.outcome import Computed, Shape, compute, one_row, result_of, without
from tabchat.engine.recipes.ratio import z_quantile
from tabchat.engine.recipes.request import fraction, refusal
from tabchat.engine.recipes.rows import KEYS, NUMBERS, ORDERED, RecipeRows, Wanted
from tabchat.engine.result.result import Chart, ResultKind
from tabchat.engine.types import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result

LIMITS: Final = ("lsl", "usl")
_VALUE, _PART, _WITHIN = "__value", "__subgroup", "__within"
_COLUMNS: Final = (
    *("n", "cp", "cpk", "cpk_low", "cpk_high", "pp", "ppk", "ppk_low", "ppk_high", "outside", "mean"),
    *("sd_within", "sd_overall", "lsl", "usl", "below", "above"),
)
_FREEDOM: Final = "__freedom"
_RANGE_VARIANCE: Final = 2 - 4 / math.pi
"""Variance of the range of two normal values of standard deviation 1."""
_RANGE_COVARIANCE: Final = (4 / math.pi) * (math.sqrt(3) / 2 + math.pi / 12 - 1)
"""Covariance of two such ranges that share a value: E|XY| = (2/π)(√(1-ρ²) + ρ asin ρ) with ρ = -1/2, twice, less d2²."""


def process_capability(request: Request) -> Result:
    """Return the indices of capability, for each group; the worst Cpk first.

    Arguments: `value`, `lsl`, `usl` (numbers, or columns with one limit in each group), `by`, `order`, `subgroup`,
    `confidence`. Without `by` the result is one row, of kind dict. Raises `PlanValidationError` without a limit,
    and for limits that differ within a group.
    """
    limits = {name: request.text(name) for name in LIMITS if request.text(name)}
    if not limits:
        raise refusal(
            "lsl", "", "There is no limit to compare with.", "Give lsl, usl or both: a number or a column."
        )
    numbers = {
        name: number for name, text in limits.items() if (number := _number(request, text)) is not None
    }
    if len(numbers) > 1 and numbers["lsl"] >= numbers["usl"]:
        raise refusal("lsl", limits["lsl"], "`lsl` is not below `usl`.", "Exchange them.")
    by, order, subgroup = request.texts("by"), request.text("order"), request.text("subgroup")
    z = z_quantile(fraction(request, "confidence", 0.95))
    value = Wanted(argument="value", text=request.text("value") or "", accepts=NUMBERS)
    wanted = [value, *(Wanted(argument="by", text=name, accepts=KEYS) for name in by)]
    wanted += [
        Wanted(argument=name, text=text or "", accepts=NUMBERS)
        for name, text in limits.items()
        if name not in numbers
    ]
    wanted += [Wanted(argument="order", text=order, accepts=ORDERED)] if order else []
    wanted += [Wanted(argument="subgroup", text=subgroup, accepts=KEYS)] if subgroup else []
    rows = RecipeRows(request, wanted)
    field = rows.field("value", value.text)
    keys = [rows.field("by", name) for name in by]
    names = free_names([key.name for key in keys], *_COLUMNS)
    missing = without(rows, field)
    rows.keep(fill("NOT :x IS NULL", x=measured(field)))
    columns = {
        name: double(numbers[name]) if name in numbers else measured(rows.field(name, text))
        for name, text in limits.items()
    }
    by_order = rows.field("order", order) if order else rows.time
    part = rows.field("subgroup", subgroup) if subgroup else None
    groups = compute(rows, _grouped(rows, keys, field, columns, by_order, part, names))
    _check_limits(rows, groups, limits, keys)
    shown = [quoted(names[name]) for name in _COLUMNS]

    def build(source: exp.Expr) -> exp.Select:
        indexed = exp.select(exp.Star(), *_indices(names)).from_(source)
        ended = exp.select(exp.Star(), *_interval(names, z)).from_(indexed.subquery("indexed"))
        query = exp.select(*(quoted(key.name) for key in keys), *shown).from_(ended.subquery("ended"))
        if not keys:
            return query
        worst = exp.Ordered(this=quoted(names["cpk"]), nulls_first=False)
        return query.order_by(worst, *(exp.Ordered(this=quoted(key.name), nulls_first=False) for key in keys))

    counted = one_row(
        rows,
        exp.select(alias(fill("CAST(COALESCE(SUM(:x), 0) AS BIGINT)", x=quoted(names["n"])), "n")).from_(
            groups.kept.subquery("kept")
        ),
    )
    measures = ("mean", "sd_within", "sd_overall", "lsl", "usl")
    within = "the pooled standard deviation of subgroups" if part else "the mean moving range of two / 1.128"
    return result_of(
        rows,
        groups.both(build),
        Shape(
            kind=ResultKind.GROUPED if keys else ResultKind.DICT,
            source_rows=int(counted["n"]),  # type: ignore[arg-type] # a count
            group_by=tuple(key.name for key in keys),
            chart=Chart(category=keys[0].name, value=names["cpk"]) if keys else None,
            units={names[name]: field.unit for name in measures},
            notes=(*missing, f"sd_within: {within}; cpk_low … ppk_high: Bissell's intervals"),
        ),
    )


def _number(request: Request, text: str | None) -> float | None:
    """Return a limit that is written out; nothing for one that a column or an expression gives."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and text not in request.table.by_name else None


def _grouped(
    rows: RecipeRows,
    keys: Sequence[Field],
    field: Field,
    limits: Mapping[str, exp.Expr],
    order: Field | None,
    part: Field | None,
    names: Mapping[str, str],
) -> exp.Select:
    placed = [order.column()] if order is not None else []
    placed.append(exp.column(ROW, quoted=True))
    base = rows.layer(
        rows.select(
            *keys_of(keys),
            alias(measured(field), _VALUE),
            *([alias(part.column(), _PART)] if part is not None else []),
            *(alias(sql, f"__{name}") for name, sql in limits.items()),
            *(alias(sql, f"__order_{place}") for place, sql in enumerate(placed)),
        )
    )
    partition = [quoted(key.name) for key in keys]
    v = quoted(_VALUE)
    if part is not None:
        middle = exp.Window(this=fill("FAVG(:x)", x=v), partition_by=[*partition, quoted(_PART)])
        spread = fill(":x - :middle", x=v, middle=middle)
        freedom = fill(
            "COUNT(*) - COUNT(DISTINCT :p) - CAST(COUNT(*) > COUNT(:p) AS BIGINT)", p=quoted(_PART)
        )
        freedom = exp.Paren(this=freedom)
        within = fill("SQRT(FSUM(:d * :d) / NULLIF(:f, 0))", d=quoted(_WITHIN), f=freedom.copy())
    else:
        before = exp.Window(
            this=fill("LAG(:x)", x=v),
            partition_by=[item.copy() for item in partition] or None,
            order=exp.Order(
                expressions=[
                    exp.Ordered(this=quoted(f"__order_{place}"), nulls_first=False)
                    for place in range(len(placed))
                ]
            ),
        )
        spread = fill("ABS(:x - :before)", x=v, before=before)
        within = fill("FAVG(:d) / :d2", d=quoted(_WITHIN), d2=d2(2))
        freedom = moving_range_freedom()
    moved = rows.layer(exp.select(exp.Star(), alias(spread, _WITHIN)).from_(base))
    lsl, usl = (quoted(f"__{name}") if name in limits else exp.cast(exp.Null(), "DOUBLE") for name in LIMITS)
    grouped = exp.select(
        *(item.copy() for item in partition),
        alias(fill("COUNT(*)"), names["n"]),
        alias(fill("FAVG(:x)", x=v), names["mean"]),
        alias(within, names["sd_within"]),
        alias(freedom, _FREEDOM),
        alias(fill("STDDEV_SAMP(:x)", x=v), names["sd_overall"]),
        alias(fill("MIN(:l)", l=lsl), names["lsl"]),
        alias(fill("MAX(:u)", u=usl), names["usl"]),
        alias(fill("COUNT(*) FILTER (WHERE :x < :l)", x=v, l=lsl), names["below"]),
        alias(fill("COUNT(*) FILTER (WHERE :x > :u)", x=v, u=usl), names["above"]),
        alias(fill("COUNT(*) FILTER (WHERE :x < :l OR :x > :u)", x=v, l=lsl, u=usl), names["outside"]),
        alias(fill("MAX(:l)", l=lsl), "__lsl_most"),
        alias(fill("MIN(:u)", u=usl), "__usl_least"),
    ).from_(moved)
    return grouped.group_by(*(item.copy() for item in partition)) if partition else grouped


def _check_limits(
    rows: RecipeRows, groups: Computed, limits: Mapping[str, str | None], keys: Sequence[Field]
) -> None:
    """Raise `PlanValidationError` where the rows of one group have several limits, or a lower one above the upper."""
    names = free_names([key.name for key in keys], *_COLUMNS)
    low, high = quoted(names["lsl"]), quoted(names["usl"])
    found = one_row(
        rows,
        exp.select(
            alias(fill("COUNT(*) FILTER (WHERE :a < :b)", a=low, b=quoted("__lsl_most")), "lsl"),
            alias(fill("COUNT(*) FILTER (WHERE :a > :b)", a=high, b=quoted("__usl_least")), "usl"),
            alias(fill("COUNT(*) FILTER (WHERE :a >= :b)", a=low, b=high), "crossed"),
        ).from_(groups.kept.subquery("kept")),
    )
    for name in LIMITS:
        if found[name]:
            message = f"`{limits[name]}` holds several limits within one group."
            hint = "Group by what the limits belong to, or keep its rows alone with `where`."
            raise refusal(name, limits[name], message, hint)
    if found["crossed"]:
        raise refusal(
            "lsl", limits["lsl"], "A lower limit is not below its upper one.", "Exchange lsl and usl."
        )


def _indices(names: Mapping[str, str]) -> list[exp.Expr]:
    mean, low, high = (quoted(names[name]) for name in ("mean", "lsl", "usl"))
    made = []
    for potential, actual, sd in (("cp", "cpk", "sd_within"), ("pp", "ppk", "sd_overall")):
        s = quoted(names[sd])
        made.append(alias(fill("(:u - :l) / NULLIF(6 * :s, 0)", u=high, l=low, s=s), names[potential]))
        nearest = "LEAST(:u - :m, :m - :l) / NULLIF(3 * :s, 0)"
        made.append(alias(fill(nearest, u=high, l=low, m=mean, s=s), names[actual]))
    return made


def _interval(names: Mapping[str, str], z: float) -> list[exp.Expr]:
    n = quoted(names["n"])
    ends = []
    for name, freedom in (("cpk", quoted(_FREEDOM)), ("ppk", exp.Paren(this=fill(":n - 1", n=n)))):
        index = quoted(names[name])
        reach = fill(":z * SQRT(1 / (9 * :n) + :c * :c / NULLIF(2 * :f, 0))", z=z, n=n, c=index, f=freedom)
        ends.append(alias(fill(":c - :reach", c=index, reach=reach), names[f"{name}_low"]))
        ends.append(alias(fill(":c + :reach", c=index, reach=reach), names[f"{name}_high"]))
    return ends


def moving_range_freedom() -> exp.Expr:
    """Return ν = d2² / 2 Var(mean range), of the n - 1 ranges of n values, each of which overlaps with the next."""
    ranges = exp.Paren(this=fill("COUNT(*) - 1"))
    return fill(
        ":half * :m * :m / NULLIF(:own * :m + :next * (:m - 1), 0)",
        half=2 / math.pi,
        m=ranges,
        own=_RANGE_VARIANCE,
        next=2 * _RANGE_COVARIANCE,
    )
