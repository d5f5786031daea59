"""How the cells of a column follow one another in the order of the rows."""

from __future__ import annotations

from operator import eq, ge, le
from typing import TYPE_CHECKING, Any

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.types import Value


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
