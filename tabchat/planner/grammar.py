"""Words → clauses: filters, periods, groups, orders and measures are read out of the row, in that order.

What is left is the core of the question, a few nodes that say which kind of answer is wanted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.conditions import read_booleans, read_comparisons, read_values
from tabchat.planner.grouping import read_groups
from tabchat.planner.measures import read_measures
from tabchat.planner.nodes import Node, match_at, replaced
from tabchat.planner.ordering import read_orders
from tabchat.planner.periods import read_periods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.conditions import Scene
    from tabchat.planner.nodes import Bound, Condition, Key, Measure, Order, Period


@dataclass(frozen=True, kw_only=True)
class Clauses:
    """A question taken apart: its core, and the clauses that hang on it."""

    core: tuple[Node, ...]
    conditions: tuple[Node, ...] = ()
    periods: tuple[Node, ...] = ()
    keys: tuple[Key, ...] = ()
    by: tuple[Measure, ...] = ()
    """Measures that groups or rows are ranked by (`top 5 products by revenue`)."""
    bounds: tuple[Bound, ...] = ()
    order: Order | None = None
    per_row: bool = False
    predicates: tuple[int, ...] = ()
    """Places of the words that open a statement about the rows: `were`, `that`, `from`."""
    group_places: tuple[int, ...] = ()


_GLUE: Final = (
    *("in", "from", "to", "pred", "and", "comma", "only", "also", "all", "table", "by", "until"),
    *("record_of", "stop.", "event.", "than"),
)
"""Words that only hold clauses together; they may be left over."""


def take_apart(nodes: Sequence[Node], scene: Scene) -> Clauses | None:
    """Read the clauses of a question, or nothing when some of them contradict each other."""
    row = tuple(node for node in nodes if not _is_stop(node))
    row = read_comparisons(row, scene)
    row = read_periods(row)
    row = _dated(row, scene)
    row = read_groups(row, scene)
    row = read_values(row, scene)
    row = read_orders(row)
    row = read_measures(row, scene)
    row = read_booleans(row, scene)
    return _collect(row)


def _is_stop(node: Node) -> bool:
    sense = node.sense
    return sense is not None and bool(sense.concepts) and all(item.startswith("stop.") for item in sense.concepts)


def _dated(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Give a period the date column that is named beside it."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("col=col in|pred|cmp.eq? p=<period>", row, position)
        column = match["col"].column if match is not None else None
        ready = column is not None and (column.kind.is_temporal or scene.is_year(column))
        before = row[position - 1] if position else None
        measured = before is not None and before.has("agg.", "super.", "by", "each", "and", "comma", "rel.last")
        if match is not None and ready and not measured and match["p"].period is not None:
            row = replaced(row, match, Node(period=replace(match["p"].period, column=column)))
        position += 1
    return row


def _collect(nodes: Sequence[Node]) -> Clauses | None:
    orders = [node.order for node in nodes if node.order is not None]
    if len(orders) > 1:
        return None
    return Clauses(
        core=tuple(node for node in nodes if _is_core(node)),
        conditions=tuple(node for node in nodes if node.condition is not None),
        periods=tuple(node for node in nodes if node.period is not None),
        keys=tuple(key for node in nodes if node.mark != "by" for key in node.keys),
        by=tuple(measure for node in nodes if node.mark == "by" for measure in node.measures),
        bounds=tuple(node.bound for node in nodes if node.bound is not None),
        order=orders[0] if orders else None,
        per_row=any(node.mark == "per_row" for node in nodes),
        predicates=tuple(node.place for node in nodes if node.has("pred", "from")),
        group_places=tuple(node.place for node in nodes if node.keys),
    )


def _is_core(node: Node) -> bool:
    if node.condition or node.period or node.keys or node.bound or node.order or node.mark:
        return False
    if node.sense is None:
        return bool(node.measures)
    if not node.sense.concepts:
        return True
    return not all(any(item == glue or item.startswith(glue) for glue in _GLUE) for item in node.sense.concepts)


def is_additive(column_words: Sequence[str], kind: ColumnKind, nonadditive: frozenset[str]) -> bool:
    """Tell whether the sum of a column means something."""
    return kind.is_numeric and not set(column_words) & nonadditive
