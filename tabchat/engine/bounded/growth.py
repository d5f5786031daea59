"""How much longer than a cell the texts of a query can get.

The language of plans has few functions that build texts, but each can be applied to what another built: forty
times `concat(a, a)` is a text of a terabyte, inside one call that nothing can interrupt.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST: Final = 256.0
"""Times the length of a cell that texts may reach in the session's own process: 2,048 rows of them, which the
engine holds outside of its memory limit, stay below a gigabyte for cells of two kilobytes."""

_JOINING: Final = (exp.Concat, exp.ConcatWs, exp.DPipe)
_REPLACING: Final = (exp.Replace, exp.RegexpReplace)
_BUILDING: Final = (*_JOINING, *_REPLACING)
_SHORT: Final = (
    *(exp.Boolean, exp.Literal, exp.Null, exp.Query),
    *(exp.Year, exp.Quarter, exp.Month, exp.TimeToStr),
)
"""What is as short whatever the cells are; a query inside an expression has outermost nodes of its own."""
_SPELLED: Final = ("concat", "||", "replace")
"""One of these is in the SQL of every query that builds texts."""


def outgrows(query: exp.Expr, sql: str) -> bool:
    """Return whether a text of `query`, which is `sql` when written, may be more than `MOST` times a cell's length."""
    lowered = sql.lower()
    if not any(word in lowered for word in _SPELLED):
        return False
    # What one of them built, another may be given in a later layer, so all of them multiply.
    return math.prod(max(_factor(node), 1.0) for node in _outermost(query)) > MOST


def _outermost(query: exp.Expr) -> Iterator[exp.Expr]:
    for node in query.find_all(*_BUILDING):
        above = node.parent
        while above is not None and not isinstance(above, (*_BUILDING, exp.Query)):
            above = above.parent
        if not isinstance(above, _BUILDING):
            yield node


def _factor(node: exp.Expr) -> float:
    if isinstance(node, _SHORT):
        return 0.0
    if isinstance(node, exp.Column):
        return 1.0
    if isinstance(node, _REPLACING):
        by = node.args.get("replacement")
        times = float(len(by.name)) if isinstance(by, exp.Literal) else math.inf
        return max(_factor(node.this), 1.0) * max(times, 1.0)
    return sum(map(_factor, node.iter_expressions()))
