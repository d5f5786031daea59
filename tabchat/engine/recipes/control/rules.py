"""The rules that say a point of a control chart is no chance: sets of them, as SQL over the points in order.

`western_electric`: Western Electric Company, "Statistical Quality Control Handbook" (1956), pp. 25-28.
`nelson`: L. S. Nelson 1984, "The Shewhart control chart - tests for special causes", Journal of Quality
Technology 16, 237-239.

A rule marks the point that completes its pattern. Zones are counted in standard deviations from the center line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Z: Final = "__z"
"""Standard deviations of a point from the center line."""
RISE: Final = "__rise"
"""1, 0 or -1: whether a point lies above, at or below the one before."""
TURN: Final = "__turn"
"""True where a point turns back from the direction of the one before."""
PLACE: Final = "__place"
"""Number of the point, from 1 on."""


@record
class Rule:
    """One rule: what it is called, what it says, and its condition."""

    name: str
    meaning: str
    condition: Callable[[], exp.Expr]


def _run(condition: str, of: int, need: int) -> exp.Expr:
    """Return whether a point meets `condition`, and `need` of the last `of` points do."""
    met = fill(condition, z=_column(Z), rise=_column(RISE), turn=_column(TURN))
    spec = exp.WindowSpec(
        kind="ROWS",
        start=exp.Literal.number(of - 1),
        start_side="PRECEDING",
        end="CURRENT ROW",
    )
    counted = exp.Window(
        this=fill("COUNT(*) FILTER (WHERE :met)", met=met),
        order=exp.Order(expressions=[exp.Ordered(this=_column(PLACE))]),
        spec=spec,
    )
    return fill(":met AND :counted >= :need", met=exp.Paren(this=met), counted=counted, need=need)


def _either(condition: str, of: int, need: int) -> exp.Expr:
    """Return the same for one side of the center line or the other."""
    upper = _run(condition, of, need)
    lower = _run(condition.replace(":z", "-:z").replace(":rise", "-:rise"), of, need)
    return fill("(:upper) OR (:lower)", upper=exp.Paren(this=upper), lower=exp.Paren(this=lower))


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


_Pattern: TypeAlias = "tuple[str, Callable[[], exp.Expr]]"
"""What a rule says, and its condition."""


def _numbered(*patterns: _Pattern) -> tuple[Rule, ...]:
    return tuple(
        Rule(name=str(number), meaning=meaning, condition=condition)
        for number, (meaning, condition) in enumerate(patterns, 1)
    )


_BEYOND: Final[_Pattern] = ("beyond 3 standard deviations", lambda: fill("ABS(:z) > 3", z=_column(Z)))
_TWO_OF_THREE: Final[_Pattern] = (
    "2 of 3 points beyond 2 standard deviations on one side",
    lambda: _either(":z > 2", 3, 2),
)
_FOUR_OF_FIVE: Final[_Pattern] = (
    "4 of 5 points beyond 1 standard deviation on one side",
    lambda: _either(":z > 1", 5, 4),
)

RULES: Final[Mapping[str, tuple[Rule, ...]]] = {
    "western_electric": _numbered(
        _BEYOND,
        _TWO_OF_THREE,
        _FOUR_OF_FIVE,
        ("8 points in a row on one side of the center", lambda: _either(":z > 0", 8, 8)),
    ),
    "nelson": _numbered(
        _BEYOND,
        ("9 points in a row on one side of the center", lambda: _either(":z > 0", 9, 9)),
        ("6 points in a row that only rise or only fall", lambda: _either(":rise > 0", 5, 5)),
        ("14 points in a row that turn up and down by turns", lambda: _run(":turn", 12, 12)),
        _TWO_OF_THREE,
        _FOUR_OF_FIVE,
        ("15 points in a row within 1 standard deviation", lambda: _run("ABS(:z) < 1", 15, 15)),
        ("8 points in a row beyond 1 standard deviation, on either side", lambda: _run("ABS(:z) > 1", 8, 8)),
    ),
}
"""Name of a set → its rules."""


def with_patterns(points: exp.Expr, value: str) -> exp.Select:
    """Return the points with what the rules look at besides their distance: rises and turns."""
    order = exp.Order(expressions=[exp.Ordered(this=_column(PLACE))])
    before = exp.Window(this=fill("LAG(:x)", x=_column(value)), order=order)
    risen = exp.select(
        exp.Star(), exp.alias_(fill("SIGN(:x - :before)", x=_column(value), before=before), RISE, quoted=True)
    ).from_(points)
    last = exp.Window(this=fill("LAG(:x)", x=_column(RISE)), order=order.copy())
    turned = fill(":x * :last < 0", x=_column(RISE), last=last)
    return exp.select(exp.Star(), exp.alias_(turned, TURN, quoted=True)).from_(risen.subquery("risen"))


def marks(rules: tuple[Rule, ...], extra: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return the names of the rules that a point breaks, such as `1, 4`; null for none."""
    conditions = {rule.name: rule.condition() for rule in rules} | dict(extra)
    parts = [
        exp.Case(ifs=[exp.If(this=condition, true=exp.Literal.string(name))])
        for name, condition in conditions.items()
    ]
    joined = exp.func("CONCAT_WS", exp.Literal.string(", "), *parts, dialect="duckdb")
    return fill("NULLIF(:joined, '')", joined=joined)
