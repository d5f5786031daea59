"""Words that are read together before anything else: quartiles, moving windows, bins, and a leading `sort`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import is_row_label
from tabchat.planner.filters import compare
from tabchat.planner.grouping import few_numbers
from tabchat.planner.headers import UNIT_ONLY
from tabchat.planner.money import read_money
from tabchat.planner.nodes import Node, match_at, replaced
from tabchat.planner.senses import Sense, SenseKind
from tabchat.planner.side_by_side import read_comparatives

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene

_UNITS: Final = ("year", "quarter", "month", "week", "day", "hour")
_WINDOW: Final = "window."
_FUNCTION: Final = "rolling."
_ROLLING: Final = frozenset({"mean", "sum", "min", "max", "std"})


def read_idioms(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Exchange what stands for one thing in several words."""
    row = _each(nodes, "part=quantile.", _quantile)
    row = _dated_events(read_money(_cells_first(row), scene), scene)
    row = _attributes(_without_units(row, scene), scene)
    if any(node.has("moving", "rolling") for node in row):
        row = _windowed(row)
    if any(node.has("distribution") for node in row):
        for pattern, build in _BINS:
            row = _each(row, pattern, build)
    return _sorted_last(read_comparatives(row), scene)


_EVENTS: Final = (
    "when=when pred* val=val pred* event=event.|numcol|datecol",
    "when=when pred* event=event.|numcol|datecol pred* val=val",
)


def _dated_events(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `when did Hawk open` as the cell of that row in the one column that says when it was."""
    for pattern in _EVENTS:
        match = match_at(pattern, nodes, 0)
        sense = match["event"].sense if match is not None else None
        if match is None or sense is None or match.end != len(nodes):
            continue
        times = {
            column.index: column for name in sense.starting("event.") for column in scene.evidence.times(name)
        }
        named = match["event"].column
        if named is not None and (named.kind.is_temporal or scene.evidence.holds_years(named)):
            times = {named.index: named}
        if len(times) == 1:
            asked = Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"which"}))
            column = Sense(kind=SenseKind.COLUMN, column=next(iter(times.values())))
            return (
                replace(nodes[0], sense=asked),
                Node(sense=column, place=1),
                replace(match["val"], place=2),
            )
    return nodes


def _cells_first(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Put a cell before the column that is compared: `with yields of corn over 90`."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("col=numcol in? val=val cmp=cmp. num", row, position)
        if match is not None:
            row = (*row[:position], match["val"], match["col"], *row[match.end - 2 :])
            position += 1
        position += 1
    return row


def _without_units(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Leave out the unit behind a number (`over 20 kg`) when its column is named besides."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("num scale.k|scale.m|scale.b? unit=col", row, position)
        unit = match["unit"] if match is not None else None
        if match is not None and unit is not None and unit.sense is not None and unit.sense.cost >= UNIT_ONLY:
            scaled = row[position - 1] if position else None
            others = (*(node.column for node in row if node is not unit), _scaled_column(scaled, scene))
            if any(column is not None and column == unit.column for column in others):
                ratio = match_at("comma unit=col", row, match.end) if _is_ratio(row, match.end) else None
                row = (*row[: match.end - 1], *row[ratio.end if ratio is not None else match.end :])
        position += 1
    return row


def _is_ratio(row: Sequence[Node], place: int) -> bool:
    """Tell whether the unit goes on behind a stroke: `90 ц/га`."""
    behind = row[place + 1].sense if place + 1 < len(row) else None
    return behind is not None and row[place].text == "/" and behind.cost >= UNIT_ONLY


def _scaled_column(node: Node | None, scene: Scene) -> ColumnFacts | None:
    """Return the column that an adjective before a number is about: `дороже 1000 рублей`."""
    names = node.sense.starting("scale.more.") if node is not None and node.sense is not None else ()
    columns = [scene.meant(name.rpartition(".")[2]) for name in names]
    return columns[0] if len(columns) == 1 else None


def _attributes(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `3 bedroom houses`: a number and its column that stand before the rows, as in `with 3 bedrooms`."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("n=num col=numcol", row, position)
        noun = match is not None and match_at("entity.|rows", row, match.end) is not None
        ranked = position > 0 and row[position - 1].has(
            "top.", "super.", "rel.", "cmp.", "agg.", "list", "between", "and", "or", "comma", "to", "pred"
        )
        column = match["col"].column if match is not None else None
        if match is not None and noun and not ranked and column is not None:
            number = _held_number(match["n"], column, scene)
            row = (
                row if number is None else replaced(row, match, Node(condition=compare(column, "==", number)))
            )
        position += 1
    return row


def _held_number(node: Node, column: ColumnFacts, scene: Scene) -> float | None:
    """Return a number that a column of few whole numbers can hold."""
    number = node.sense.number if node.sense is not None else None
    low, high = scene.table.extremes(column)
    if (
        number is None
        or not isinstance(low, int)
        or not isinstance(high, int)
        or not few_numbers(column, scene)
    ):
        return None
    return number if low <= number <= high else None


def _each(
    nodes: tuple[Node, ...], pattern: str, build: Callable[[Match], Sequence[Node] | None]
) -> tuple[Node, ...]:
    row, position = nodes, 0
    while position < len(row):
        match = match_at(pattern, row, position)
        made = build(match) if match is not None else None
        if match is not None and made is not None:
            row = replaced(row, match, *made)
            position += len(made)
        else:
            position += 1
    return row


def _quantile(match: Match) -> Sequence[Node] | None:
    """Read `first quartile` and `p95` as the percentiles that they are."""
    percent = match["part"].sense.family("quantile.") if match["part"].sense else None
    if percent is None:
        return None
    number = Sense(kind=SenseKind.NUMBER, number=float(percent))
    return (
        Node(sense=number),
        Node(sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"agg.percentile"}))),
    )


_LENGTH: Final = "n=num|number. sign.dash? unit=unit.|every.|change.daily|rows|entity."
_HEADS: Final = (
    (f"{_LENGTH} how=moving", True),
    (f"{_LENGTH} how=rolling agg=agg.", True),
    (f"how=rolling {_LENGTH} agg=agg.", True),
    ("how=rolling agg=agg.", False),
    ("how=moving", False),
)
"""The words that ask for a moving figure, and whether they say how long its window is."""
_TAIL: Final = f"in|by|cmp.gt|since|from|than? rel.last|rel.past? {_LENGTH}"


def _windowed(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Put the length of the window, which may follow the column, into one node with its function."""
    for position in range(len(nodes)):
        for pattern, measured in _HEADS:
            match = match_at(pattern, nodes, position)
            if match is None:
                continue
            length = match if measured else _tail(nodes, match)
            head = _window(match, length)
            if head is None:
                return nodes
            row = nodes if measured or length is None else (*nodes[: length.start], *nodes[length.end :])
            return replaced(row, match, head)
    return nodes


def _tail(nodes: tuple[Node, ...], head: Match) -> Match | None:
    for position in range(head.end, len(nodes)):
        match = match_at(_TAIL, nodes, position)
        if match is not None:
            return match
    return None


def _window(head: Match, length: Match | None) -> Node | None:
    aggregate = head.get("agg")
    function = aggregate.sense.family("agg.") if aggregate is not None and aggregate.sense else "mean"
    if function not in _ROLLING:
        return None
    concepts = {"moving", f"{_FUNCTION}{function}"}
    number = None
    if length is not None:
        number, unit = _number(length["n"]), _unit(length["unit"])
        concepts |= {f"{_WINDOW}{unit}"} if unit else set()
    return Node(sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset(concepts), number=number))


def _number(node: Node) -> float | None:
    if node.sense is None or node.sense.number is not None:
        return node.sense.number if node.sense is not None else None
    word = node.sense.family("number.")
    return float(word) if word is not None else None


def _unit(node: Node) -> str | None:
    if node.sense is None:
        return None
    if node.sense.has("change.daily"):
        return "day"
    unit = node.sense.family("unit.") or node.sense.family("every.")
    if unit is None and node.sense.has("entity."):
        unit = node.sense.family("entity.")
    return unit if unit in _UNITS else "row"


def window_of(node: Node) -> tuple[str, int | None, str | None]:
    """Return (function, length, unit) of a node that asks for a moving figure."""
    sense = node.sense
    if sense is None:
        return "mean", None, None
    length = int(sense.number) if sense.number is not None and sense.number.is_integer() else None
    return sense.family(_FUNCTION) or "mean", length, sense.family(_WINDOW)


def _binned(match: Match) -> Sequence[Node] | None:
    number, wide = _number(match["n"]), match.get("wide")
    if number is None or number <= 0:
        return None
    concept = "bins.width" if wide is not None else "bins.count"
    return (Node(sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({concept}), number=number)),)


_BINS: Final[tuple[tuple[str, Callable[[Match], Sequence[Node] | None]], ...]] = (
    ("in|by? wide=binwidth in|cmp.eq? n=num", _binned),
    ("in|by? bins wide=in|by n=num", _binned),
    ("in|by? n=num|number. bins", _binned),
)


def _sorted_last(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `sort the orders by revenue` as `show the orders sorted by revenue`."""
    match = match_at("verb=sort all|each|in|table* rows=entity.|rows|textcol by|in", nodes, 0)
    column = match["rows"].column if match is not None else None
    if match is None or (column is not None and not is_row_label(scene.table, column)):
        return nodes
    shown = Node(
        sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"list"})), text=nodes[0].text, place=0
    )
    return (shown, match["rows"], replace(match["verb"], place=match["rows"].place), *nodes[match.end - 1 :])
