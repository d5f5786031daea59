"""Spans of a question → what one column of amounts is less another, or in parts of it: actual minus planned, the ratio of both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Measure
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.bounds import COMPARED
from tabchat.planner.readings.effect import Kind, said
from tabchat.planner.readings.phrases import functions, paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.effect import Item
    from tabchat.planner.readings.phrases import Path, Step

_AMOUNT: Final = LinkKind.COLUMN
_TOTAL: Final = ("agg.sum", "agg.mean")
_FORMS: Final[tuple[tuple[str, tuple[Step, ...]], ...]] = (
    ("less", (("diff",), 2, _AMOUNT, ("and",), 2, _AMOUNT)),
    ("less", (("diff",), 2, _TOTAL, 1, _AMOUNT, ("and",), 2, _AMOUNT)),
    ("less", (("diff",), 2, _TOTAL, 1, _AMOUNT, ("and",), 2, _TOTAL, 1, _AMOUNT)),
    ("less", (_AMOUNT, ("diff",), 2, _AMOUNT)),
    ("less", (("count", "howmuch"), ("more", "degree.more"), _AMOUNT, ("than",), 1, _AMOUNT)),
    ("per", (("ratio",), 2, _AMOUNT, ("to", "and"), 1, _AMOUNT)),
    ("per", (_AMOUNT, ("ratio",), 2, _AMOUNT)),
    ("percent", (_AMOUNT, 2, ("share", "pctword"), 2, _AMOUNT)),
    ("percent of", (("share",), 2, _AMOUNT, 2, _AMOUNT)),
    ("over", (_TOTAL, 1, _AMOUNT, 2, tuple(COMPARED), 2, _AMOUNT)),
    ("over", (_TOTAL, 1, _AMOUNT, 2, tuple(COMPARED), 2, _TOTAL, 1, _AMOUNT)),
)
"""What is told of two columns, and how it is said: `difference between A and B`, `A minus B`, `ratio of A to B`, `A as a percentage of B`,
`what percentage of B is A`; or of each group, `where total A is over total B`."""
_FIELDS: Final = {"less": "less", "over": "less", "per": "per", "percent": "per", "percent of": "per"}


def difference_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read two columns of amounts as one figure, behind the function that is asked for: `total actual minus planned`."""
    starts = [(place, None), *((found.end, found.name) for found in functions(lattice, place))]
    for start, function in starts:
        for field, steps in _FORMS:
            for path in paths(lattice, start, *steps):
                yield from _figures(lattice, place, path, field, function)


def _figures(lattice: Lattice, place: int, path: Path, field: str, function: str | None) -> Iterator[Item]:
    one, other = (link for link in path.links if link.kind is LinkKind.COLUMN)
    if field == "percent of":
        one, other = other, one
    above, below = lattice.column(one), lattice.column(other)
    told = {link.name.removeprefix("agg.") for link in path.links if link.name in _TOTAL}
    named = ({function} if function else set()) | told
    if above is below or not (above.measure and below.measure) or len(named) > 1 or named - {"sum", "mean"}:
        return
    chosen = next(iter(named), "sum" if above.additive else "mean")
    filled = _FIELDS[field]
    if (filled == "per" and chosen != "sum") or (field != "per" and not are_alike(above, below)):
        return
    total = Measure(function=chosen, column=above.name, percent=field.startswith("percent"))
    measure = replace(total, less=below.name) if filled == "less" else replace(total, per=below.name)
    features = (*path.features, (f"{filled}.columns", 1.0))
    operators = [COMPARED[link.name] for link in path.links if link.name in COMPARED]
    fields = {"operator": operators[0], "values": (0.0,)} if operators else {"column": one.column}
    yield said(
        Kind.BOUND if operators else Kind.MEASURE, place, path.end, features, measure=measure, **fields
    )


def are_alike(one: TableColumn, other: TableColumn) -> bool:
    """Tell whether two amounts can be taken from one another: no kilograms from euros, and no percentages from anything else."""
    units = {_unit_of(one), _unit_of(other)}
    measured = any(not column.monetary and _unit_of(column) for column in (one, other))
    apart = "%" in units or None not in units or (measured and (one.monetary or other.monetary))
    return one.seconds == other.seconds and (len(units) == 1 or not apart)


def _unit_of(column: TableColumn) -> str | None:
    """Return the unit that cells tell, be they numbers or figures with notes."""
    return column.facts.noted.unit if column.facts.noted is not None else column.facts.unit
