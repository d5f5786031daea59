"""Hypothesis tests that compare groups of rows: means, ranks, distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.recipes.columns import alias, free_names, keys_of, measured, quoted
from tabchat.engine.recipes.hypothesis import significance
from tabchat.engine.recipes.hypothesis.arguments import does_not_vary, sound
from tabchat.engine.recipes.hypothesis.significance import Sample
from tabchat.engine.recipes.outcome import Shape, compute, one_row, result_of
from tabchat.engine.recipes.request import refusal
from tabchat.engine.recipes.rows import KEYS, NUMBERS, RecipeRows, Wanted
from tabchat.engine.result.result import Chart, ResultKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.recipes.hypothesis.arguments import Asked
    from tabchat.engine.recipes.hypothesis.significance import Figures
    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Row

_VALUE: Final = "__value"
_RANKED: Final = {
    "mann_whitney": significance.mann_whitney,
    "kolmogorov_smirnov": significance.kolmogorov_smirnov,
}
_TWO: Final = 2


def by_group(request: Request, asked: Asked) -> Result:
    """Return n, mean, sd and median of each group, the first named or else the lowest first, and the test of them."""
    rows = RecipeRows(
        request,
        [
            Wanted(argument="value", text=asked.value, accepts=NUMBERS),
            Wanted(argument="by", text=asked.by or "", accepts=KEYS),
        ],
    )
    value, key = rows.field("value", asked.value), rows.field("by", asked.by)
    (label,) = keys_of([key])
    if asked.groups:
        rows.keep(exp.In(this=_text(label.this), expressions=list(map(exp.Literal.string, asked.groups))))
    base = rows.layer(rows.select(label, alias(measured(value), _VALUE)))
    names = free_names([key.name], "n", "mean", "sd", "median")
    groups = compute(rows, _described(base, key.name, names))
    order = _order(key.name, asked.groups)
    found = request.engine.rows(
        exp.select(_text(quoted(key.name)), *(quoted(names[name]) for name in ("n", "mean", "sd")))
        .from_(groups.kept.subquery("kept"))
        .order_by(*order)
    )
    _check(asked, found)
    figures = sound(_compared(rows, base, key.name, asked, found), asked)
    total = one_row(rows, rows.runnable(exp.select(alias(fill("COUNT(*)"), "n")).from_(base)))

    def build(source: exp.Expr) -> exp.Select:
        shown = (quoted(name) for name in (key.name, *names.values()))
        return exp.select(*shown).from_(source).order_by(*(part.copy() for part in order))

    return result_of(
        rows,
        groups.both(build),
        Shape(
            kind=ResultKind.GROUPED,
            source_rows=int(total["n"]),  # type: ignore[arg-type] # a count
            group_by=(key.name,),
            chart=Chart(category=key.name, value=names["mean"]),
            units={names[name]: value.unit for name in ("mean", "sd", "median")},
            values=figures,
            notes=("differences are of the first group minus the second",) if len(found) == _TWO else (),
        ),
    )


def _text(key: exp.Expr) -> exp.Expr:
    return fill("CAST(:key AS TEXT)", key=key)


def _order(key: str, named: Sequence[str]) -> list[exp.Expr]:
    first = [fill(":key <> :first", key=_text(quoted(key)), first=named[0])] if named else []
    return [*first, exp.Ordered(this=quoted(key))]


def _described(base: exp.Expr, key: str, names: Mapping[str, str]) -> exp.Select:
    x = quoted(_VALUE)
    columns = {
        "n": fill("COUNT(:x)", x=x),
        "mean": fill("FAVG(:x)", x=x),
        "sd": fill("STDDEV_SAMP(:x)", x=x),
        "median": fill("MEDIAN(:x)", x=x),
    }
    query = exp.select(quoted(key), *(alias(sql, names[name]) for name, sql in columns.items())).from_(base)
    return query.where(_present(key)).group_by(quoted(key))


def _present(key: str) -> exp.Expr:
    return fill("NOT :key IS NULL AND NOT :x IS NULL", key=quoted(key), x=quoted(_VALUE))


def _check(asked: Asked, groups: Sequence[Row]) -> None:
    labels, sizes = [row[0] for row in groups], [row[1] for row in groups]
    lost = [name for name in asked.groups if name not in labels]
    if lost:
        message = f"No row with a value has `{lost[0]}` in `{asked.by}`."
        raise refusal("groups", lost[0], message, "Write it as it stands in the table.")
    if len(labels) < _TWO or (asked.test != "anova" and len(labels) > _TWO):
        message = f"`{asked.by}` has {len(labels):,} groups with values; the test {asked.test} compares two"
        hint = "Name two of them as `groups`; the test anova compares more."
        raise refusal("by", asked.by, f"{message}{' or more' if asked.test == 'anova' else ''}.", hint)
    least = 1 if asked.test in _RANKED else _TWO
    if any(isinstance(size, int) and size < least for size in sizes):
        raise refusal("by", asked.by, f"A group has fewer than {least} values.", "Leave it out by `where`.")


def _compared(rows: RecipeRows, base: exp.Expr, key: str, asked: Asked, groups: Sequence[Row]) -> Figures:
    if asked.test in _RANKED:
        label = alias(_text(quoted(key)), "__label")
        labels, values = rows.arrays(exp.select(label, quoted(_VALUE)).from_(base).where(_present(key)))
        first, second = (values[labels == row[0]].astype(float) for row in groups)
        return _RANKED[asked.test](first, second, asked.question)
    samples = [
        Sample(n=n, mean=mean, variance=sd**2)  # type: ignore[operator,arg-type] # numbers: each group has two values
        for _, n, mean, sd in groups
    ]
    if not any(sample.variance for sample in samples):
        raise does_not_vary(asked)
    if asked.test == "anova":
        return significance.analysis_of_variance(samples)
    first, second = samples
    return significance.two_samples(first, second, asked.question, pooled=asked.test == "t")
