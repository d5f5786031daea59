"""Which rows the aggregates of a plan use: those that have a value where they read one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.engine.plan.binding import Reading


def used_rows(readings: Iterable[Reading]) -> exp.Expr | None:
    """Return the condition of the rows that any of the aggregates uses; nothing where one uses all.

    A value that an expression makes of a row, such as a quotient, is what must be there, not the cells that it is
    made of. A condition is looked at in every row, also where it does not hold.
    """
    used: list[exp.Expr] = []
    for function, arguments in readings:
        accepts = {parameter.name: parameter.accepts for parameter in function.parameters}
        cells = [value.sql for value in arguments.values() if value.literal is None]
        if not cells or any(accepts.get(name) == "condition" for name in arguments):
            return None
        used.append(exp.and_(*(cell.copy().is_(exp.null()).not_() for cell in cells)))
    return exp.or_(*dict.fromkeys(used)) if used else None
