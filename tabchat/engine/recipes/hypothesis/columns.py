"""Hypothesis tests of one column, or of two row by row: means, normality, correlation, dependence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.recipes.columns import alias, free_names, keys_of, measured, quoted
from tabchat.engine.recipes.hypothesis import significance
from tabchat.engine.recipes.hypothesis.arguments import does_not_vary, sound, too_few
from tabchat.engine.recipes.hypothesis.significance import Sample
from tabchat.engine.recipes.outcome import Shape, compute, one_row, result_of
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import KEYS, NUMBERS, RecipeRows, Wanted
from tabchat.engine.result.result import ResultKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.recipes.hypothesis.arguments import Asked
    from tabchat.engine.recipes.hypothesis.significance import Figures
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Row, Value

MOST_SHAPIRO: Final = 5_000
"""Values up to which the p-value of the algorithm is known to be right (Royston 1995, AS R94)."""
MOST_CELLS: Final = 10_000
"""Cells of a table of counts."""
_LEAST: Final = 3
_FEW, _SHARE = 5, 0.2
"""Cochran (1954, Biometrics 10): no more than a fifth of the expected counts are below five."""
_X, _Y = "__value", "__other"


def of_columns(request: Request, asked: Asked) -> Result:
    """Return the test of one column, or of two, as one row."""
    given = [("value", asked.value), *([("other", asked.other)] if asked.other is not None else [])]
    rows = RecipeRows(request, [Wanted(argument=name, text=text, accepts=NUMBERS) for name, text in given])
    columns = [measured(rows.field(name, text)) for name, text in given]
    base = rows.layer(
        rows.select(*(alias(column, name) for column, name in zip(columns, (_X, _Y), strict=False)))
    )
    in_rows = asked.test != "kolmogorov_smirnov"  # two samples need not have as many values
    described = one_row(rows, rows.runnable(_figures_of(base, pairs=len(columns) > 1 and in_rows)))
    n = int(described["n"])  # type: ignore[arg-type] # a count
    least = 1 if asked.test == "kolmogorov_smirnov" else _LEAST if asked.test != "one_sample_t" else 2
    if n < least:
        raise too_few(asked, n, least)
    figures = sound(_tested(request, rows, base, asked, described), asked)
    shown = {
        "n": n,
        **{name: described[name] for name in _SHOWN if described.get(name) is not None},
        **figures,
    }
    literals = [alias(_literal(value), name) for name, value in shown.items()]
    query = exp.select(*literals).from_(base).limit(1)
    total = one_row(rows, rows.runnable(exp.select(alias(fill("COUNT(*)"), "n")).from_(base)))
    return result_of(
        rows,
        (rows.runnable(query), query),
        Shape(kind=ResultKind.DICT, source_rows=int(total["n"])),  # type: ignore[arg-type] # a count
    )


_SHOWN: Final = ("mean", "sd", "mean_other", "sd_other")


def _figures_of(base: exp.Expr, *, pairs: bool) -> exp.Select:
    """Return the counts and sums that tests are computed from; of pairs, over the rows that have both."""
    x, y = quoted(_X), quoted(_Y)
    columns = {"n": "COUNT(:x)", "mean": "FAVG(:x)", "sd": "STDDEV_SAMP(:x)"}
    if pairs:
        columns |= {
            "mean_other": "FAVG(:y)",
            "sd_other": "STDDEV_SAMP(:y)",
            "mean_difference": "FAVG(:x - :y)",
            "sd_difference": "STDDEV_SAMP(:x - :y)",
            "correlation": "CORR(:x, :y)",
        }
    query = exp.select(*(alias(fill(text, x=x, y=y), name) for name, text in columns.items())).from_(base)
    return query.where(fill("NOT :x IS NULL AND NOT :y IS NULL", x=x, y=y)) if pairs else query


def _tested(
    request: Request, rows: RecipeRows, base: exp.Expr, asked: Asked, described: dict[str, Value]
) -> Figures:
    def sample(mean: str, sd: str) -> Sample:
        if not described[sd]:
            raise does_not_vary(asked)
        return Sample(n=described["n"], mean=described[mean], variance=described[sd] ** 2)  # type: ignore[operator,arg-type] # numbers

    match asked.test:
        case "one_sample_t":
            return significance.one_sample(sample("mean", "sd"), request.number("mean", 0), asked.question)
        case "paired_t":
            return significance.one_sample(sample("mean_difference", "sd_difference"), 0, asked.question)
        case "pearson":
            sample("mean", "sd"), sample("mean_other", "sd_other")
            return significance.pearson(described["correlation"], described["n"], asked.question)  # type: ignore[arg-type] # numbers
        case _:
            return _ranked(request, rows, base, asked, described["n"])


def _ranked(request: Request, rows: RecipeRows, base: exp.Expr, asked: Asked, n: Value) -> Figures:
    """Return the test that needs every value."""
    x, y = quoted(_X), quoted(_Y)
    if asked.test == "shapiro_wilk":
        if isinstance(n, int) and n > MOST_SHAPIRO:
            message = (
                f"There are {n:,} values; the p-value of Shapiro-Wilk is known for up to {MOST_SHAPIRO:,}."
            )
            raise refusal("value", asked.value, message, "Keep fewer rows, or look at skewness and kurtosis.")
        (values,) = rows.arrays(exp.select(x).from_(base).where(fill("NOT :x IS NULL", x=x)))
        if min(values) == max(values):
            raise does_not_vary(asked)
        return significance.shapiro_wilk(values)
    if asked.test == "kolmogorov_smirnov":
        samples = [
            rows.arrays(exp.select(column).from_(base).where(fill("NOT :x IS NULL", x=column)))[0]
            for column in ((x, y) if asked.other is not None else (x,))
        ]
        if len(samples) > 1:
            first, second = samples
            return significance.kolmogorov_smirnov(first, second, asked.question) | {"n_other": len(second)}
        mean, deviation = request.number("mean", 0), request.number("sd", 1)
        return significance.kolmogorov_smirnov_normal(samples[0], mean, deviation, asked.question)
    both = fill("NOT :x IS NULL AND NOT :y IS NULL", x=x, y=y)
    first, second = rows.arrays(exp.select(x, y).from_(base).where(both))
    return significance.rank_correlation(first, second, asked.question, kendall=asked.test == "kendall")


def _literal(value: Value) -> exp.Expr:
    return double(value) if isinstance(value, float) else exp.convert(value)


def independence(request: Request, asked: Asked) -> Result:
    """Return how often each pair of values occurs and is expected to, and Pearson's test of independence."""
    wanted = [("value", asked.value), ("other", asked.other or "")]
    rows = RecipeRows(request, [Wanted(argument=name, text=text, accepts=KEYS) for name, text in wanted])
    keys = [rows.field(name, text) for name, text in wanted]
    base = rows.layer(rows.select(*keys_of(keys)))
    first, second = (quoted(key.name) for key in keys)
    names = free_names([key.name for key in keys], "observed", "expected")
    present = fill("NOT :x IS NULL AND NOT :y IS NULL", x=first, y=second)
    counted = compute(
        rows,
        exp.select(first, second, alias(fill("COUNT(*)"), names["observed"]))
        .from_(base)
        .where(present)
        .group_by(first, second),
    )
    figures, warnings = _dependence(asked, request.engine.rows(counted.kept))

    def build(source: exp.Expr) -> exp.Select:
        return (
            exp.select(
                first, second, quoted(names["observed"]), alias(_expected(names, keys), names["expected"])
            )
            .from_(source)
            .order_by(exp.Ordered(this=first), exp.Ordered(this=second))
        )

    total = one_row(rows, rows.runnable(exp.select(alias(fill("COUNT(*)"), "n")).from_(base)))
    return result_of(
        rows,
        counted.both(build),
        Shape(
            kind=ResultKind.GROUPED,
            source_rows=int(total["n"]),  # type: ignore[arg-type] # a count
            group_by=tuple(key.name for key in keys),
            values=figures,
            notes=("pairs that never occur have no row",),
            warnings=warnings,
        ),
    )


def _expected(names: Mapping[str, str], keys: Sequence[Field]) -> exp.Expr:
    """Return how often a pair is expected without any dependence: its row's total times its column's, by all."""
    observed = quoted(names["observed"])
    totals = [exp.Window(this=exp.Sum(this=observed.copy()), partition_by=[quoted(key.name)]) for key in keys]
    everything = exp.Window(this=exp.Sum(this=observed.copy()))
    return fill("CAST(:row AS DOUBLE) * :column / :all", row=totals[0], column=totals[1], all=everything)


def _dependence(asked: Asked, cells: Sequence[Row]) -> tuple[Figures, tuple[str, ...]]:
    firsts, seconds = (list(dict.fromkeys(row[place] for row in cells)) for place in (0, 1))
    if min(len(firsts), len(seconds)) < 2:  # noqa: PLR2004 - a table of counts has two rows and two columns
        raise does_not_vary(asked)
    if len(firsts) * len(seconds) > MOST_CELLS:
        message = f"The values make {len(firsts):,} × {len(seconds):,} cells, more than {MOST_CELLS:,}."
        raise refusal("value", asked.value, message, "Group the values first, such as by bucket().")
    counts = {(one, other): int(count) for one, other, count in cells}  # type: ignore[arg-type] # counts
    table = [[counts.get((one, other), 0) for other in seconds] for one in firsts]
    figures, expected = significance.chi_square(table)
    flat = [cell for row in expected for cell in row]
    few = sum(cell < _FEW for cell in flat)
    if few <= _SHARE * len(flat):
        return sound(figures, asked), ()
    return sound(figures, asked), (
        f"{few:,} of {len(flat):,} expected counts are below {_FEW}: the p-value is rough.",
    )
