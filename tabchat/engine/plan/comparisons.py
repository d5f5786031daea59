"""The columns that a filter compares by more or less."""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from tabchat.engine.plan.expressions import parse_expression

_BOUNDS: Final = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)


def compared_columns(where: str) -> tuple[str, ...]:
    """Return the columns that stand in a comparison of `where`: what is equal to a cell is the same in every row.

    Raises `ExpressionError` when it is no expression of a plan.
    """
    tree = parse_expression(where).tree
    found = (column.name for bound in tree.find_all(*_BOUNDS) for column in bound.find_all(exp.Column))
    return tuple(dict.fromkeys(found))
