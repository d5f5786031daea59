"""How the numbers of a column are spread: bins of one width between round ends, counted by the engine."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.types import Engine

BINS: Final = 20
"""Bins at about most; their width is 1, 2, 2.5 or 5 times a power of ten."""
_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
_LEAST_WIDTH: Final = 1e-300
"""Below, numbers have too few digits for bins of one width."""


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
        first = round(Fraction(repr(self.start)) / Fraction(repr(self.width)))
        return tuple(_edge(self.width, first + place) for place in range(len(self.counts) + 1))


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
    # Halves, because the ends may be further apart than the largest number.
    width = _round_width((high / 2 - low / 2) / bins * 2 if high > low else 1.0)
    if width is None:
        raise _no_width(column)
    first = _below(low, width)
    most = max(_below(high, width) - first, 0)
    edges = [_edge(width, first + place) for place in range(most + 2)]
    if not all(map(math.isfinite, edges)):
        raise _no_width(column)
    # Compared with the very ends that are printed: a quotient would be rounded to the wrong side of some.
    place: exp.Expr = exp.Literal.number(0)
    for edge in edges[1:-1]:
        reached = fill("CASE WHEN :x >= :edge THEN 1 ELSE 0 END", x=exp.column("x"), edge=_double(edge))
        place = exp.Add(this=place, expression=reached)
    counted = (
        exp.select(exp.alias_(place, "place"), exp.Count(this=exp.Star()))
        .from_(source.subquery("cells"))
        .where(fill("NOT :x IS NULL", x=exp.column("x")))
        .group_by(exp.Literal.number(1))
    )
    found = {_int(place): _int(number) for place, number in engine.rows(counted)}
    return Histogram(
        start=edges[0],
        width=width,
        counts=tuple(found.get(place, 0) for place in range(most + 1)),
        missing=_int(total) - _int(count),
    )


def _round_width(width: float) -> float | None:
    """Return the next round width; None where numbers are too small or too large for one."""
    if not _LEAST_WIDTH <= width < math.inf:
        return None
    power = math.floor(math.log10(width))
    # From its digits, so that it is the number that stands there: a product may be the one next to it.
    widths = [float(f"{step}e{power}") for step in _STEPS]
    return next(found for found in widths if found >= width * (1 - 1e-9))


def _below(number: float, width: float) -> int:
    """Return how many widths the end of the bin below `number` is from zero."""
    return math.floor(Fraction(repr(number)) / Fraction(repr(width)))


def _edge(width: float, place: int) -> float:
    """Return the multiple of a width that is nearest to the one in decimal digits."""
    try:
        return float(Fraction(repr(width)) * place)
    except OverflowError:
        return math.inf


def _no_width(column: str) -> UsageError:
    message = f"The numbers of {column} are too far apart, or too close to each other, for bins of one width."
    hint = "Leave the extreme ones out with a condition, such as: where it is below 1000."
    return UsageError(message, hint=hint)


def _double(value: float) -> exp.Expr:
    return exp.cast(exp.Literal.string(repr(value)), "DOUBLE", dialect="duckdb")


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0
