"""What a comparison leaves out: the number one (`over a million`, `дольше суток`), or the column that a unit names (`длиннее 800 км`)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.planner.filters import compare
from tabchat.planner.headers import UNIT_ONLY
from tabchat.planner.nodes import Bound, Measure, Node, match_at, replaced
from tabchat.planner.senses import Sense, SenseKind

if TYPE_CHECKING:
    from tabchat.planner.scene import Scene

_ONE: Final = ("cmp.|scale.more. than|in? one=scale.k|scale.m|scale.b", "cmp.|scale.more. than|in? one=span.")
_BY_UNIT: Final = "adj=scale.more. than|in|by? n=num unit=numcol"
_GROUPS: Final = "label=textcol pred|in|comma* col=numcol pred? cmp=cmp. n=num"
_SIGNS: Final = {"cmp.gt": ">", "cmp.ge": ">="}


def fill_in(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Write the number one before a magnitude or a unit of time that is compared with."""
    row, position = nodes, 0
    while position < len(row):
        match = next((found for text in _ONE if (found := match_at(text, row, position)) is not None), None)
        position += 1
        if match is None or (match["one"].has("span.") and not scene.spans):
            continue
        number = Node(sense=Sense(kind=SenseKind.NUMBER, number=1.0), text="1", place=match["one"].place)
        row = (*row[: match.end - 1], number, *row[match.end - 1 :])
    return row


def without_own_unit(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Leave out the unit of time that the header of a column states as well: `простой в часах`."""
    lasting = [
        scene.spans[node.column.index] for node in nodes if node.column and node.column.index in scene.spans
    ]
    for position in range(len(nodes)):
        match = match_at("in unit=span.", nodes, position)
        sense = match["unit"].sense if match is not None else None
        seconds = sense.family("span.") if sense is not None else None
        if match is not None and seconds is not None and lasting == [float(seconds)]:
            return (*nodes[:position], *nodes[match.end :])
    return nodes


def read_units(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read `длиннее 800 км` as a condition on the one column whose header has that unit."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at(_BY_UNIT, row, position)
        unit = match["unit"] if match is not None else None
        number = match["n"].sense.number if match is not None and match["n"].sense is not None else None
        if match is not None and unit is not None and unit.sense is not None and number is not None:
            column = unit.column
            if column is not None and unit.sense.cost >= UNIT_ONLY:
                up = match["adj"].has("scale.more.max.")
                row = replaced(row, match, Node(condition=compare(column, ">" if up else "<", number)))
        position += 1
    return row


def bound_groups(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `заказчики с суммой больше миллиона` as a bound on the sum of each, where no single row is above it."""
    opening = next((place for place, node in enumerate(nodes) if not node.has("which", "list", "all")), 0)
    match = match_at(_GROUPS, nodes, opening)
    if match is None or match.end != len(nodes):
        return nodes
    label, column = match["label"].column, match["col"].column
    number = match["n"].sense.number if match["n"].sense is not None else None
    sign = next((sign for name, sign in _SIGNS.items() if match["cmp"].has(name)), None)
    if label is None or column is None or number is None or sign is None:
        return nodes
    summed = column.unit != "%" and not set(column.words) & scene.nonadditive
    _, most = scene.table.extremes(column)
    above = isinstance(most, int | float | Decimal) and most < number
    if not summed or not above or not scene.repeats(label):
        return nodes
    bound = Bound(measure=Measure(function="sum", column=column), operator=sign, number=number)
    joint = replace(match["cmp"], sense=None, bound=bound)
    return (*nodes[:opening], match["label"], joint)
