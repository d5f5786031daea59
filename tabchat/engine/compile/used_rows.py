"""Which rows the aggregates of a plan use: those that have a value where they read one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.step import lookup
from tabchat.engine.expressions import call_name
from tabchat.engine.functions import find_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.compile.step import StepContext
    from tabchat.engine.expressions import Parsed

_MISSING_WHERE_ONE_IS: Final = (
    exp.Column,
    exp.Identifier,
    exp.Literal,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Paren,
    exp.Neg,
)
"""What is missing where an operand is, and nowhere else; a quotient is missing where its divisor is zero, too."""


def used_rows(context: StepContext, outputs: Sequence[Parsed]) -> exp.Expr | None:
    """Return the condition of the rows that any of the aggregates uses.

    Nothing where all rows are used, and where it is not as simple as the columns that an aggregate reads:
    figures of other shapes, such as counts of conditions, are left alone.
    """
    used: list[exp.Expr] = []
    for parsed in outputs:
        columns = _columns_read(parsed)
        fields = [lookup(context.fields, name) for name in columns]
        if not fields or any(field is None for field in fields):
            return None
        filled = [field.column().is_(exp.null()).not_() for field in fields if field is not None]
        used.append(exp.and_(*filled))
    return exp.or_(*dict.fromkeys(used)) if used else None


def _columns_read(parsed: Parsed) -> tuple[str, ...]:
    """Return the columns of one aggregate over columns and arithmetic; nothing for any other expression."""
    function = find_function(call_name(parsed.tree) or "")
    if function is None or not function.aggregate:
        return ()
    nodes = [node for argument in parsed.tree.expressions for node in argument.walk()]
    if not all(isinstance(node, _MISSING_WHERE_ONE_IS) for node in nodes):
        return ()
    return tuple(dict.fromkeys(node.name for node in nodes if isinstance(node, exp.Column)))
