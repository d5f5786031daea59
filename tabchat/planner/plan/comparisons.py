"""Two or more things side by side, and how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, fresh, query
from tabchat.planner.plan.conditions import of_one_row
from tabchat.planner.plan.figures import Aggregate, value_of
from tabchat.planner.plan.groups import COUNT
from tabchat.planner.plan.scope import is_relative, period_condition, scope_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Intent, Side
    from tabchat.planner.plan.call import Fields, PlannedCall
    from tabchat.planner.plan.columns import Columns
    from tabchat.values import JsonValue

_LONGEST: Final = 1_000_000
"""Characters of the names of all sides together."""
_FORMULAS: Final = {
    "difference": "{one} - {two}",
    "ratio": "{one} / nullif({two}, 0)",
    "percent": "({two} - {one}) / nullif({one}, 0) * 100",
}


@record
class _Column:
    name: str
    """Of the result."""
    condition: str
    formula: str | None = None
    """What the condition is computed by, ahead of the aggregates."""


def comparison(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the first measure on each side, and how two differ, or which side is the greatest (else: the least).

    The difference is the first minus the second, the ratio the first by the second, the percentage the change from
    the first to the second.
    """
    if len(intent.sides) < 2:  # noqa: PLR2004 - what stands alone is compared with nothing
        raise Unplannable("compared with what?")
    if intent.keys or intent.having:
        raise Unplannable("sides are compared as wholes, not by groups")
    measure = (intent.measures or (COUNT,))[0]
    if measure.share:
        raise Unplannable("a share of which total?")
    sides = _sides(intent.sides, columns)
    figures = [
        Aggregate(expression=value_of(measure, columns, side.condition), name=side.name) for side in sides
    ]
    maps = {side.condition: side.formula for side in sides if side.formula is not None}
    select: list[JsonValue] = [item.select for item in (*figures, *_difference(intent, figures))]
    steps: list[Fields] = [{**scope_of(intent, columns).fields(maps=maps), "select": select}]
    return query(columns.table, [*steps, _which(intent, figures)] if intent.comparison == "which" else steps)


def _sides(sides: Sequence[Side], columns: Columns) -> list[_Column]:
    names: list[str] = []
    found: list[_Column] = []
    for side in sides:
        name = fresh(side.label or "side", names)
        names.append(name)
        conditions = of_one_row(side.clauses, columns)
        if side.period is not None:
            conditions.append(period_condition(side.period, columns))
        if not conditions:
            conditions = ["true"]
        text = write.joined(conditions)
        if side.period is not None and is_relative(side.period):
            helper = columns.fresh(f"in_{len(found) + 1}", names)
            found.append(_Column(name=name, condition=helper, formula=text))
        else:
            found.append(_Column(name=name, condition=text))
    return found


def _difference(intent: Intent, figures: Sequence[Aggregate]) -> list[Aggregate]:
    if intent.comparison in {None, "which"}:
        return []
    if len(figures) != 2:  # noqa: PLR2004 - a difference has two sides
        raise Unplannable("the difference of which two?")
    one, two = (f"({figure.expression})" for figure in figures)
    formula = _FORMULAS[str(intent.comparison)].format(one=one, two=two)
    name = fresh(str(intent.comparison), [figure.name for figure in figures])
    return [Aggregate(expression=formula, name=name)]


def _which(intent: Intent, figures: Sequence[Aggregate]) -> Fields:
    """Return the step that names the sides with the greatest (else: least) figure, all that share it."""
    least = bool(intent.orders) and not intent.orders[0].descending
    names = [write.name(figure.name) for figure in figures]
    best = write.call("least" if least else "greatest", *names)
    parts = [
        write.call("if", f"{name} == {best}", write.text(f", {figure.name}"), "''")
        for name, figure in zip(names, figures, strict=True)
    ]
    which = fresh("which", [figure.name for figure in figures])
    formula = write.call("substring", write.call("concat", *parts), "3", str(_LONGEST))
    return {"map": {which: formula}, "columns": [which, *(figure.name for figure in figures)]}
