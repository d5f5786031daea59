"""Lengths of time in a question (`over 10 minutes`), brought to the unit that a column's header states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.nodes import Node, match_at
from tabchat.planner.senses import Sense, SenseKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.nodes import Match

FAMILY: Final = "span."
"""Concepts of units of time; behind the point stand the seconds of one."""
_PATTERNS: Final = (
    "between low=num and|to|sign.dash high=num unit=span.",
    "cmp.|limit.|until|scale.more. than|in|by? high=num unit=span.",
    "high=num unit=span. post.",
    "one=cmp.|scale.more. than? unit=span.",
)


def header_spans(columns: Sequence[ColumnFacts], lexicons: Sequence[Lexicon]) -> dict[int, float]:
    """Return column → seconds of the unit that its header begins or ends with: `wait_sec`, `days_open`."""
    found: dict[int, float] = {}
    nightly = frozenset().union(*(lexicon.lasting for lexicon in lexicons))
    for column in columns:
        if not column.kind.is_numeric or (len(column.base) < 2 and not nightly.intersection(column.base)):  # noqa: PLR2004 - a thing and its unit
            continue
        for word in (column.base[0], column.base[-1]):
            units = {
                float(concept.removeprefix(FAMILY))
                for lexicon in lexicons
                for concept in lexicon.find((word,))
                if concept.startswith(FAMILY)
            } | {float(lexicon.lasting[word]) for lexicon in lexicons if word in lexicon.lasting}
            if len(units) == 1:
                found[column.index] = units.pop()
    return found


def read_spans(nodes: tuple[Node, ...], spans: Mapping[int, float]) -> tuple[Node, ...]:
    """Put the unit of time behind a compared number into the number; that of a column only says what its header does."""
    row, position = _without_units(nodes, spans), 0
    while position < len(row):
        for pattern in _PATTERNS:
            match = match_at(pattern, row, position)
            unit = match["unit"].sense if match is not None else None
            if match is None or unit is None:
                continue
            if match.get("one") is not None:
                row = _single(row, match, unit)
                break
            numbers = [node for node in match.named.values() if node.sense and node.sense.number is not None]
            row = tuple(
                _with_unit(node, unit) if node in numbers else node
                for node in row
                if node is not match["unit"]
            )
            break
        position += 1
    return row


def _without_units(nodes: tuple[Node, ...], spans: Mapping[int, float]) -> tuple[Node, ...]:
    """Read `response time in minutes` as the column, where that is its unit."""
    for position in range(len(nodes)):
        match = match_at("col=numcol in unit=span.", nodes, position)
        column, unit = (match["col"].column, match["unit"].sense) if match is not None else (None, None)
        if match is None or column is None or unit is None or column.index not in spans:
            continue
        if float(unit.family(FAMILY) or 0) == spans[column.index]:
            return (*nodes[: position + 1], *nodes[match.end :])
    return nodes


def _single(row: tuple[Node, ...], match: Match, unit: Sense) -> tuple[Node, ...]:
    """Read `more than a week` as more than one; `over the week` compares nothing."""
    compared = match["one"]
    if compared.text.isascii() and " " not in compared.text and not compared.has("scale."):
        return row
    said = match["unit"]
    number = Node(sense=Sense(kind=SenseKind.NUMBER, number=1.0), text=said.text, place=said.place)
    return tuple(_with_unit(number, unit) if node is said else node for node in row)


def _with_unit(node: Node, unit: Sense) -> Node:
    seconds = frozenset(item for item in unit.concepts if item.startswith(FAMILY))
    number = node.sense.number if node.sense is not None else None
    sense = Sense(kind=SenseKind.NUMBER, number=number, concepts=seconds)
    return Node(sense=sense, text=node.text, place=node.place)


def has_span(node: Node) -> bool:
    """Tell whether a number was said with a unit of time."""
    return node.sense is not None and node.sense.has(FAMILY)


def in_unit(value: float, node: Node, column_span: float | None) -> float | None:
    """Return a number as a column of that unit (seconds) holds it; nothing when its unit is not known."""
    seconds = node.sense.family(FAMILY) if node.sense is not None else None
    if seconds is None:
        return value
    return None if column_span is None else round(value * float(seconds) / column_span, 9)
