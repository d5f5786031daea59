"""How the numbers of a column are spread: bins of one width between round ends, counted by the engine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.types import Engine

BINS: Final = 20
"""Bins at about most; their width is 1, 2, 2.5 or 5 times a power of ten."""
_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


@record
class Histogram:
    """Counts of numbers by bins of one width; the first begins at `start`, the last one ends at or above the maximum."""

    start: float
    width: float
    counts: tuple[int, ...]
    missing: int
    """Cells without a number."""

    @property
    def edges(self) -> tuple[float, ...]:
        """The ends of the bins, one more than there are bins."""
        return tuple(self.start + self.width * place for place in range(len(self.counts) + 1))


def histogram(engine: Engine, rows: exp.Query, column: str, bins: int = BINS) -> Histogram | None:
    """Count the numbers of `column` by bins that include their lower end; None when there is none."""
    cell = exp.cast(exp.column(column, quoted=True), "DOUBLE", dialect="duckdb")
    source = exp.select(exp.alias_(cell, "x")).from_(rows.subquery("rows"))
    finite = fill("CASE WHEN ISFINITE(:x) THEN :x END", x=exp.column("x"))
    source = exp.select(exp.alias_(finite, "x")).from_(source.subquery("cells"))
    ends = [fill(shape, x=exp.column("x")) for shape in ("MIN(:x)", "MAX(:x)", "COUNT(:x)", "COUNT(*)")]
    ((low, high, count, total),) = engine.rows(exp.select(*ends).from_(source.subquery("cells")))
    if not isinstance(low, float) or not isinstance(high, float):
        return None
    width = _round_width((high - low) / bins if high > low else 1.0)
    start = math.floor(low / width) * width
    most = max(math.floor((high - start) / width), 0)
    place = fill(
        "LEAST(GREATEST(CAST(FLOOR((:x - :start) / :width) AS BIGINT), 0), :most)",
        x=exp.column("x"),
        start=_double(start),
        width=_double(width),
        most=most,
    )
    counted = (
        exp.select(exp.alias_(place, "place"), exp.Count(this=exp.Star()))
        .from_(source.subquery("cells"))
        .where(fill("NOT :x IS NULL", x=exp.column("x")))
        .group_by(exp.Literal.number(1))
    )
    found = {_int(place): _int(number) for place, number in engine.rows(counted)}
    return Histogram(
        start=start,
        width=width,
        counts=tuple(found.get(place, 0) for place in range(most + 1)),
        missing=_int(total) - _int(count),
    )


def _round_width(width: float) -> float:
    power = 10.0 ** math.floor(math.log10(width))
    return next(step * power for step in _STEPS if step * power >= width * (1 - 1e-9))


def _double(value: float) -> exp.Expr:
    return exp.cast(exp.Literal.string(repr(value)), "DOUBLE", dialect="duckdb")


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0
