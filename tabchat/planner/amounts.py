"""Amounts of a mass noun: `how much coffee` and `сколько товара` ask for a quantity, not for a number of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.catalog import is_row_label
from tabchat.planner.headers import HEAD
from tabchat.planner.nodes import Measure, Node, match_at, replaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.scene import Scene

_PATTERN = "how=count|howmuch noun=textcol|entity.|val"
_SOLD = (
    "count|howmuch pred? verb.quantity pred? noun=val",
    "count|howmuch noun=val in|val* pred? verb.quantity",
)


def read_amounts(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...] | None:
    """Exchange the question after an amount for the sum of the quantities; nothing when no one column holds them."""
    row, position = _sold(_pieces(nodes, scene), scene), 0
    while position < len(row):
        match = match_at(_PATTERN, row, position)
        position += 1
        if match is None or match["how"].has("money"):
            continue
        column = _quantity(scene)
        if not _is_mass(match["how"], match["noun"], scene):
            counted = match_at("entity.|rows", row, match.end) is not None
            if (
                column is not None
                and not counted
                and _is_thing(match["noun"], scene)
                and not _rows_are_things(scene)
            ):
                # `how many desserts` in a table of sales: those rows, or the pieces that they add up to.
                return None
            continue
        cell = (
            match["noun"].column is None
            and match["noun"].condition is None
            and not match["noun"].has("entity.")
        )
        if column is None and cell:
            # Rows of a thing that has no column of quantities are all that can be counted of it.
            continue
        named = match["noun"].sense
        if column is None or (match["noun"].column is not None and named and named.cost >= HEAD):
            # `сколько воды` in a table with a column `Тип воды` is of no column.
            return None
        if cell and column == scene.meant("quantity") and not _is_thing(match["noun"], scene):
            # `how much did Germany make`: a place or a person is who sold, not what was sold.
            return None
        if _moves_both_ways(row, scene):
            # What came in and what went out do not add up to what there is.
            return None
        total = Node(measures=(Measure(function="sum", column=column),))
        row = replaced(row, match, total, *((match["noun"],) if cell else ()))
        # That it was sold, or harvested, is what the column of quantities says.
        row = tuple(node for node in row if not node.has("verb.quantity") and node.column != column)
    return row


def _moves_both_ways(row: Sequence[Node], scene: Scene) -> bool:
    """Tell whether the rows are movements to and fro, and none of the words says which of them are meant."""
    said = {
        node.sense.column.index for node in row if node.sense is not None and node.sense.column is not None
    }
    return any(column.index not in said for column in scene.directions())


def _pieces(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `скільки штук продано` as the sum of the quantities."""
    column = _quantity(scene)
    for position in range(len(nodes)):
        match = match_at("pieces", nodes, position)
        if match is not None and column is not None and not _moves_both_ways(nodes, scene):
            row = replaced(nodes, match, Node(measures=(Measure(function="sum", column=column),)))
            return tuple(node for node in row if not node.has("verb.quantity"))
    return nodes


def _sold(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `скільки продали кави`: what was sold of a thing is its quantity, whatever the number of rows."""
    column = _quantity(scene)
    for position in range(len(nodes)):
        match = next(
            (found for item in _SOLD if (found := match_at(item, nodes, position)) is not None), None
        )
        thing = match is not None and column is not None and _is_thing(match["noun"], scene)
        thing = thing and not nodes[position].has("money")
        if match is not None and column is not None and thing and not _moves_both_ways(nodes, scene):
            total = Node(measures=(Measure(function="sum", column=column),))
            cells = [node for node in nodes[match.start : match.end] if node.sense and node.sense.value]
            return replaced(nodes, match, total, *cells)
    return nodes


def _is_mass(how: Node, noun: Node, scene: Scene) -> bool:
    """Tell whether a noun after the question word stands in the singular, as only what is measured does."""
    if not how.has("count"):
        return True
    word = noun.text.casefold().rpartition(" ")[2]
    return bool(scene.mass) and word.endswith(scene.mass) and not word.endswith(scene.stated)


def _is_thing(noun: Node, scene: Scene) -> bool:
    """Tell whether a cell is a product or a kind of product."""
    sense = noun.sense
    if sense is None or sense.value is None or sense.column is None:
        return False
    things = (
        *scene.meanings.get("category", ()),
        *scene.meanings.get("group", ()),
        *scene.evidence.columns("product"),
    )
    return any(sense.column.index == column.index for column in things)


def _rows_are_things(scene: Scene) -> bool:
    """Tell whether each row is a product of its own, with a name that no other row has."""
    columns = scene.evidence.columns("product")
    return any(column.kind.value == "text" and is_row_label(scene.table, column) for column in columns)


def _quantity(scene: Scene) -> ColumnFacts | None:
    column = scene.meant("quantity") or scene.meant("harvest")
    if column is None or not column.kind.is_numeric or scene.is_identifier(column):
        return None
    return column
