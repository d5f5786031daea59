"""What a question takes for granted of the rows: that somebody still works here, that one thing is asked of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.filters import missing
from tabchat.planner.nodes import Node, match_at

if TYPE_CHECKING:
    from tabchat.planner.scene import Scene

_LEAVING = "leave"
"""The event that ends what `works here` says."""


def read_staying(row: tuple[Node, ...], scene: Scene) -> tuple[Node, ...] | None:
    """Read `who works here` as those who have not left, where a column holds the day on which one leaves.

    Nothing when somebody is said to have worked at some time, which two dates bound, or when two events are joined.
    """
    if any(match_at("event. and event.", row, place) is not None for place in range(len(row))):
        return None
    said = [place for place, node in enumerate(row) if node.has("stop.work")]
    columns = [column for column in scene.evidence.times(_LEAVING) if column.kind.is_temporal]
    if not said or len(columns) != 1 or any(node.has("event.") for node in row):
        return row
    if scene.table.spread(columns[0]).filled == scene.table.row_count:
        return row
    if any(node.period is not None for node in row):
        return None
    return (*row, Node(text=row[said[0]].text, place=row[said[0]].place, condition=missing(columns[0])))
