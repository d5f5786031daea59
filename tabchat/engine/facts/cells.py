"""The measures of a column whose cells are in memory: those of a small table, or of a sample of a large one; and their order."""

from __future__ import annotations

from collections import Counter
from operator import eq, ge, le
from typing import TYPE_CHECKING, Any

from tabchat.engine.facts.columns import Measures
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.types import Column, Value


@record
class Order:
    """How the cells of a column follow one another in the order of the rows; missing ones are passed over."""

    ascending: bool = False
    descending: bool = False
    strict: bool = False
    """Whether no two are the same."""


def average_length(texts: Mapping[str, int] | None) -> float | None:
    """Return the characters of a text, on average over its rows; None without any."""
    if not texts:
        return None
    return sum(len(text) * count for text, count in texts.items()) / sum(texts.values())


def order_of(cells: Sequence[Value]) -> Order:
    """Return how cells that lie on a line follow one another; nothing is in order without two of them."""
    # All of one kind.
    filled: list[Any] = [cell for cell in cells if cell is not None]
    if not filled:
        return Order()
    behind = filled[1:]
    rises, falls = all(map(le, filled, behind)), all(map(ge, filled, behind))
    return Order(
        ascending=rises, descending=falls, strict=(rises or falls) and not any(map(eq, filled, behind))
    )


def measure_cells(column: Column, cells: Sequence[Value]) -> Measures:
    """Measure cells of one column, in the order of the rows."""
    filled = [cell for cell in cells if cell is not None]
    is_text = column.kind is ColumnKind.TEXT
    texts = Counter(map(str, filled)) if is_text else None
    order = order_of(filled) if column.kind.is_ordered else Order()
    has_ends = bool(filled) and (is_text or column.kind.is_ordered)
    known = [*texts] if texts is not None else filled
    return Measures(
        filled=len(filled),
        distinct=None if column.kind is ColumnKind.OTHER else len(set(known)),
        low=min(known) if has_ends else None,  # type: ignore[type-var]  # cells of one kind
        high=max(known) if has_ends else None,  # type: ignore[type-var]
        ascending=order.ascending,
        integral=column.kind is ColumnKind.NUMBER and all(cell == int(cell) for cell in filled),  # type: ignore[arg-type]
        texts=texts,
        average_length=average_length(texts),
    )
