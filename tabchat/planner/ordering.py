"""Explicit orders in a question: `sorted by price descending`, `newest first`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.nodes import Measure, Node, Order, match_at, replaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.nodes import Match

_PATTERNS = (
    "comma? and? sort asc=asc? desc=desc? by? in? agg=agg.? in? col=col comma? in? asc=asc? desc=desc?",
    "comma? and? sort asc=asc? desc=desc? count=count in? entity.|rows? comma? in? asc=asc? desc=desc?",
    "comma? and? sort by? <by> comma? in? asc=asc? desc=desc?",
    "comma? in? asc=asc sort? by|in col=col",
    "comma? in? desc=desc sort? by|in col=col",
    "comma? in? asc=asc col=numcol",
    "comma? in? desc=desc col=numcol",
    "comma? sort? late=desc.time",
    "comma? sort? early=asc.time",
    "comma? and? sort? desc=desc",
    "comma? and? sort? asc=asc",
)


def read_orders(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Exchange what is said about order for order nodes."""
    row = tuple(nodes)
    for pattern in _PATTERNS:
        position = 0
        while position < len(row):
            match = match_at(pattern, row, position)
            order = _order(match) if match is not None else None
            if match is not None and order is not None:
                ranked = [node for node in row[match.start : match.end] if node.mark == "by"]
                if ranked:
                    order = Order(descending=order.descending, measure=ranked[0].measures[0])
                row = replaced(row, match, Node(order=order))
            position += 1
    return row


def _order(match: Match) -> Order | None:
    if match.get("late") is not None or match.get("early") is not None:
        return Order(descending=match.get("late") is not None, by_time=True)
    ascending, descending = match.get("asc") is not None, match.get("desc") is not None
    if ascending and descending:
        return None
    direction = True if descending else False if ascending else None
    column, aggregate = match.get("col"), match.get("agg")
    function = aggregate.sense.family("agg.") if aggregate is not None and aggregate.sense else None
    if function is not None and column is not None:
        return Order(descending=direction, measure=Measure(function=function, column=column.column))
    if match.get("count") is not None:
        return Order(descending=direction, measure=Measure(function="count"))
    return Order(descending=direction, column=column.column if column is not None else None)
