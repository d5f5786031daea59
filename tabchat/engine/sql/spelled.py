"""Numbers of rows that SQL asks for must be spelled out where a model wrote it: of cells, they would tell the cells.

A count of rows is told at every privacy level; `range((SELECT price …))` would make any cell such a count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.sql.policy import DIALECT, called_functions
from tabchat.errors import SqlRefusedError
from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

_SERIES: Final = frozenset({"range", "generate_series"})
_WRITTEN: Final = (
    *(exp.Boolean, exp.Cast, exp.DataType, exp.DataTypeParam, exp.Interval, exp.IntervalSpan),
    *(exp.Literal, exp.Neg, exp.Null, exp.Paren, exp.Var),
)
"""What a number, a date or an interval may be written with."""

_ROW_MAKING: Final = word_set(
    "generate_series generate_subscripts json_each json_tree range regexp_split_to_table unnest"
)


def check_spelled(query: exp.Query) -> None:
    """Raise `SqlRefusedError` unless LIMIT, OFFSET, samples, `range` and `generate_series` hold nothing but literals."""
    for what, value in _numbers(query):
        if not all(isinstance(node, _WRITTEN) for node in value.walk()):
            message = f"{what} takes numbers and dates that are spelled out, and nothing that is computed."
            raise SqlRefusedError(message, hint="Query the number first, or filter with WHERE.")


def makes_rows(sql: str) -> bool:
    """Return whether `sql` calls a function that makes rows which stand in no table."""
    return not _ROW_MAKING.isdisjoint(called_functions(sql))


def _numbers(query: exp.Query) -> Iterator[tuple[str, exp.Expr]]:
    """Yield everything that a number of rows depends on, and what it belongs to."""
    for node in query.walk():
        match node:
            case exp.Limit() | exp.Fetch():
                yield from _given(node, "LIMIT", "expression", "count")
            case exp.Offset():
                yield "OFFSET", node.expression
            case exp.TableSample():
                yield from _given(node, "A sample", "size", "percent", "seed")
            case exp.Func() if _name(node) in _SERIES:
                yield from ((f"{_name(node)}()", child) for child in node.iter_expressions())


def _given(node: exp.Expr, what: str, *names: str) -> Iterator[tuple[str, exp.Expr]]:
    for name in names:
        value = node.args.get(name)
        if isinstance(value, exp.Expr):
            yield what, value


def _name(function: exp.Func) -> str:
    return next(called_functions(function.sql(DIALECT, identify=True)), "")
