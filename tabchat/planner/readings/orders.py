"""Spans of a question → orders: sorted by, a direction by itself, dearest first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import COUNT, Measure
from tabchat.planner.readings.amounts import flows_at
from tabchat.planner.readings.effect import Kind, said
from tabchat.planner.readings.phrases import columns_behind, counted_rows, functions, hop, paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Effect, Features, Item

_END_NAMES: Final = {
    "max": "desc",
    "min": "asc",
    "best": "desc",
    "worst": "asc",
    "late": "desc.time",
    "early": "asc.time",
}
"""Superlatives → the order that puts what they name first."""
_TURNED: Final = {"max": "asc", "min": "desc"}
"""The same where the numbers are of when things began: the oldest have the earliest dates."""
_TWO_WAYS: Final = frozenset({"speed", "duration"})
"""Dimensions that share their adjectives: `fastest first` begins with the highest speed, or the shortest time."""
DIRECTIONS: Final = ("asc", "desc", "asc.time", "desc.time", "asc.name")
_OF: Final = ("desc", "asc")
_ORDERS: Final = frozenset({Kind.ORDER, Kind.DIRECTION})
_UNDIRECTED: Final = frozenset({"", "sort"})
"""Names of orders that say no direction."""
_PLACES: Final = frozenset({"rel.first", "edge.first", "rel.last", "edge.last"})
"""Superlatives that say a place in an order, whichever it is."""
_ROWS_EACH: Final = 3
"""Rows of one number from which on numbers look like groups."""


def order_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Sorted by a column; a direction by itself; `by price` behind a superlative."""
    for concept in lattice.concepts(place, "sort", "by"):
        if lattice.has(place, "per") or lattice.has(concept.end - 1, "each"):
            continue
        for at, skipped in hop(lattice, concept.end, 2):
            for end, features, column, measure in _orderable(lattice, at, skipped):
                kind = _order_kind(column, lattice.vocabulary.facts.row_count)
                told = (*features, (f"order.{concept.name}.{kind}", 1.0))
                fields: dict[str, Any] = {
                    "measure": measure,
                    "column": -1 if column is None else column.place,
                }
                yield said(Kind.ORDER, place, end, told, descending=False, **fields)
                for (way,), last, _ in paths(lattice, end, 1, DIRECTIONS):
                    fields |= {"name": "directed", "descending": way.name.startswith("desc")}
                    yield said(Kind.ORDER, place, last, told, **fields)
    for concept in lattice.concepts(place, *DIRECTIONS, "sort"):
        yield _directed(place, concept.end, concept.name, ())
        # `in descending order of price`
        for link, column, small in columns_behind(lattice, concept.end, 2) if concept.name in _OF else ():
            kind = _order_kind(column, lattice.vocabulary.facts.row_count)
            told = (*link.features, *small, (f"order.sort.{kind}", 1.0))
            fields = {"name": "directed", "column": column.place, "descending": concept.name == "desc"}
            yield said(Kind.ORDER, place, link.end, told, **fields)
    yield from _ends_first(lattice, place)


def _orderable(
    lattice: Lattice, place: int, skipped: Features
) -> Iterator[tuple[int, Features, TableColumn | None, Measure | None]]:
    """Yield (end, features, column, measure) of what an order can be by."""
    for link, column in lattice.columns(place):
        yield link.end, (*link.features, *skipped), column, None
    for found in functions(lattice, place):
        for link, column, small in columns_behind(lattice, found.end, 2):
            yield link.end, (*link.features, *small), column, found.of(column)
    for rows in counted_rows(lattice, place):
        yield rows.end, rows.features, None, COUNT
    for counted in lattice.concepts(place, "count"):
        yield counted.end, (), None, COUNT
    # `by revenue`, of sales with an `Amount`
    yield from ((end, (), column, None) for end, column in flows_at(lattice, place))


def _order_kind(column: TableColumn | None, rows: int | None) -> str:
    """Return what an order is by; where several rows have each number, the numbers may be groups: `swims by age`."""
    if column is not None and not column.numeric:
        return "other"
    distinct = 0 if column is None else column.facts.distinct
    return "repeated" if rows and distinct and _ROWS_EACH * distinct <= rows else "number"


def _directed(start: int, end: int, name: str, columns: tuple[str, ...]) -> Item:
    fields: dict[str, Any] = {"name": name, "descending": name.startswith("desc"), "columns": columns}
    return said(Kind.DIRECTION, start, end, (("direction", 1.0),), **fields)


def _ends_first(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield the order that a superlative says from which end: `dearest first`, `from the dearest`."""
    opened, before = lattice.has(place, "from"), lattice.has(place, "edge.before")
    start = lattice.beyond(place) if opened or before else place
    open_ended = ("scale.more.", "top.best", "top.worst", *(("scale.plain.",) if before else ()))
    tops = ("super.", "scale.most.", *(open_ended if opened or before else ()))
    for concept in lattice.concepts(start, *tops):
        ends = [found.end for found in lattice.concepts(concept.end, "edge.first", "edge.before")]
        if before:
            # сначала самые быстрые
            ends.append(concept.end)
        if opened and (concept.end == len(lattice.starts) or lattice.has(concept.end, "comma")):
            ends.append(concept.end)
        if opened:
            # `from the dearest to the cheapest`
            ends += [path.end for path in paths(lattice, concept.end, ("to", "until"), 1, tops)]
        # `orders from the cheapest`, of which nothing says that it orders them, may be of the cheapest region.
        apart = not opened or place == 0 or lattice.has(place - 1, "comma")
        for name, columns in _end_names(lattice, concept).items() if ends else ():
            yield from (_directed(place, end, name, tuple(columns) if apart else ()) for end in ends)


def _end_names(lattice: Lattice, concept: Link) -> Mapping[str, list[str]]:
    """Return the orders that put first what a superlative names, each with the columns of the dimension that it is of."""
    said_of = concept.name
    for prefix in ("super.", "top.", "scale.most.", "scale.more.", "scale.plain."):
        said_of = said_of.removeprefix(prefix)
    kind, _, dimension = said_of.partition(".")
    columns = [column for column in lattice.vocabulary.columns if dimension and column.measures(dimension)]
    names: dict[str, list[str]] = {}
    for column in columns:
        turned = column.dated or column.originates(dimension)
        names.setdefault((_TURNED if turned else _END_NAMES)[kind], []).append(column.name)
    if not names and dimension not in _TWO_WAYS and not is_dimensioned(lattice, concept):
        names = {_END_NAMES[kind]: []}
    return names


def is_dimensioned(lattice: Lattice, concept: Link) -> bool:
    """Tell whether a word has a dimension of which there is a column: the fastest have the least time."""
    others = (other for other in lattice.concepts(concept.start, "scale.") if other.end == concept.end)
    dimensions = {other.name.split(".", 3)[3] for other in others if other.name.count(".") > 2}  # noqa: PLR2004
    return any(column.measures(name) for name in dimensions for column in lattice.vocabulary.columns)


def one_rank(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Return effects, of which a bare `top 3` behind a superlative says how many it asks for: `with the lowest stock, top 3`."""
    ranks = [effect for effect in effects if effect.kind is Kind.SUPER]
    match ranks:
        case [first, top] if first.count is None and top.count is not None:
            bare = top.name.startswith("top.") and top.column < 0 and top.measure is None
        case _:
            return effects
    if not bare or not (first.column >= 0 or first.measure):
        return effects
    return tuple(replace(one, count=top.count) if one is first else one for one in effects if one is not top)


def in_order(effects: tuple[Effect, ...], columns: Sequence[TableColumn]) -> tuple[Effect, ...]:
    """Return effects, of which `first` and `last` are the ends of the order beside them: `ranked by total fee, first three`.

    Groups that are ordered by a figure begin with the highest unless another direction is said, as they do without `first`.
    """
    if not any(one.name in _PLACES for one in effects):
        return effects
    orders = [one for one in effects if one.kind in _ORDERS]
    said = [one.descending for one in orders if one.name not in _UNDIRECTED]
    figured = any(
        one.measure is not None or (one.column >= 0 and columns[one.column].measure)
        for one in effects
        if one.kind in {Kind.ORDER, Kind.MEASURE}
    )
    # In `order the cities by fee and show 2` the verb is a word for rows as well.
    things = any(one.kind is Kind.COLUMN and columns[one.column].text for one in effects)
    rows = any(one.kind is Kind.ROWS for one in effects) and not things
    if not (said or (orders and figured and not rows)):
        return effects
    down = said[-1] if said else True
    return tuple(
        replace(one, descending=down == one.name.endswith(".first"))
        if one.kind is Kind.SUPER and one.name in _PLACES
        else one
        for one in effects
    )
