"""The measures of a column whose cells are in memory: those of a small table, or of a sample of a large one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tabchat.engine.facts.columns import Measures
from tabchat.engine.facts.order import Order, average_length, order_of
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Column, Value


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
