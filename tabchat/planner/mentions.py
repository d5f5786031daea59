"""One thing that a question says in several words: a column by two of them, a number as a word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.nodes import Node, match_at, replaced
from tabchat.planner.senses import Sense, SenseKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.scene import Scene


def one_column(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Read neighbours that mean the same column as one mention of it: `soil moisture`, `air temp` for `T_air`."""
    row = list(nodes)
    place = 0
    while place + 1 < len(row):
        first, second = row[place], row[place + 1]
        if first.column is not None and first.column == second.column and _differ(first, second):
            surer = min(first, second, key=lambda node: node.sense.cost if node.sense is not None else 0.0)
            row[place : place + 2] = [replace(surer, text=f"{first.text} {second.text}", place=first.place)]
        else:
            place += 1
    return tuple(row)


def _differ(first: Node, second: Node) -> bool:
    """Tell whether two mentions are of different words, so that the second is no slip of the hand."""
    return first.text.casefold() != second.text.casefold()


def counted_columns(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `average number of pages` as the average of the column that holds those numbers."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("agg=agg. count=count in? col=numcol", row, position)
        column = match["col"].column if match is not None else None
        if match is not None and column is not None and scene.counts(column):
            row = replaced(row, match, match["agg"], match["col"])
        position += 1
    return row


def said_numbers(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read the word behind a comparison as the number that it is: `more than two`."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("cmp=cmp. n=number.", row, position)
        word = match["n"].sense.family("number.") if match is not None and match["n"].sense else None
        if match is not None and word is not None:
            number = Node(
                sense=Sense(kind=SenseKind.NUMBER, number=float(word)),
                text=match["n"].text,
                place=match["n"].place,
            )
            row = replaced(row, match, match["cmp"], number)
        position += 1
    return row
