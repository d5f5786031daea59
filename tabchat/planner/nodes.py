"""The grammar's working material: a question as a row of nodes, and small patterns over them.

A pattern is text such as `in? cmp. than? num`: tests in a row, `?` for may be absent, `*` for any number,
`|` between alternatives, `name=` to keep what matched. A test is a kind of node (`num`, `col`, `<cond>`) or
a concept of the lexicon (`agg.mean`; `agg.` for the whole family).

Records that are never compared by value go without generated comparisons here and in the linker: each costs
start-up time on every question asked from a shell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.senses import SenseKind
from tabchat.record import record

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.scene import Scene
    from tabchat.planner.senses import Sense


OPEN_SCOPE: Final = "scope"
"""The link of a filter of which it is open whether the refusal before it holds for it."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Condition:
    """A filter on rows, in the plan's expression language."""

    expr: str
    text: str
    """As the person reads it back."""
    column: ColumnFacts | None = None
    value: str | None = None
    """The cell value of a plain `column == value`."""
    noun: bool = False
    """True when it was said as a noun that also names the rows (`failures`, `notebooks`)."""
    maps: tuple[tuple[str, str], ...] = ()
    """Computed columns that the filter needs."""
    negated: bool = False
    timed: bool = False
    """True for a cell whose word also is one of the calendar, where nothing said that the cell is meant."""
    refused: bool = False
    """True when rows with a cell are refused (`without a discount`), whatever the expression looks like."""
    link: str = ""
    """`and`, `or` or `versus`: how it was tied to the condition before it."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Period:
    """A stretch of time, or a recurring part of the calendar."""

    text: str
    start: dt.date | None = None
    end: dt.date | None = None
    """Last day, included."""
    relative: str | None = None
    """A period of the plan language that is anchored at the last date: `last_year`, `last_30_days`."""
    anchored: str | None = None
    """A calendar unit: the one that holds the last date."""
    recurring: str | None = None
    """A condition with `{t}` for the date column, such as `month({t}) == 3`."""
    level: str = "day"
    """The finest unit that was said."""
    column: ColumnFacts | None = None
    opened: bool = False
    """True for a part of every year behind `since` or `until`, which has no year to begin or to end in."""
    ends: tuple[Period, ...] = ()
    """The two ends of a range, kept for comparisons between them."""
    versus: bool = False
    """True when the word between the ends asks for a comparison."""


@record
class Measure:
    """What is computed over rows."""

    function: str
    column: ColumnFacts | None = None
    bare: bool = False
    """True when no function was said and the sum is understood."""
    parameter: float | None = None
    plain: bool = False
    """True for a count that was only said by naming the rows."""


@record
class Key:
    """What rows are grouped by: a column, or a calendar unit of the date column."""

    column: ColumnFacts | None = None
    unit: str | None = None
    rated: bool = False
    """True when it was said as a rate: `monthly`, `per customer`."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Bound:
    """A condition on an aggregate."""

    measure: Measure
    operator: str
    number: float
    high: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Order:
    """An explicit order of rows or groups."""

    descending: bool | None
    column: ColumnFacts | None = None
    measure: Measure | None = None
    by_time: bool = False


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Node:
    """One thing in the row: a sense of the question, or what the grammar made of several."""

    sense: Sense | None = None
    text: str = ""
    place: int = 0
    """Where it stood in the question."""
    condition: Condition | None = None
    period: Period | None = None
    measures: tuple[Measure, ...] = ()
    keys: tuple[Key, ...] = ()
    bound: Bound | None = None
    order: Order | None = None
    mark: str | None = None
    """A finding that needs no data, such as `per_row`."""

    def names(self, *concepts: str) -> bool:
        """Tell whether the word, whatever it was taken for, also has one of these concepts."""
        return self.sense is not None and self.sense.has(*concepts)

    @property
    def column(self) -> ColumnFacts | None:
        """The column, when the node is the mention of one."""
        if self.sense is not None and self.sense.kind is SenseKind.COLUMN:
            return self.sense.column
        return None

    def has(self, *concepts: str) -> bool:
        """Tell whether the node still is a word with one of these concepts."""
        return self.sense is not None and self.sense.kind is SenseKind.CONCEPT and self.sense.has(*concepts)


def _is_column(*kinds: ColumnKind) -> Callable[[Node], bool]:
    return lambda node: node.column is not None and node.column.kind in kinds


def _is_sense(kind: SenseKind) -> Callable[[Node], bool]:
    return lambda node: node.sense is not None and node.sense.kind is kind


_NUMERIC: Final = (ColumnKind.INTEGER, ColumnKind.NUMBER)
_TEMPORAL: Final = (ColumnKind.DATE, ColumnKind.DATETIME)
_TESTS: Final = {
    "num": _is_sense(SenseKind.NUMBER),
    "date": _is_sense(SenseKind.DATE),
    "val": _is_sense(SenseKind.VALUE),
    "quoted": _is_sense(SenseKind.QUOTED),
    "col": lambda node: node.column is not None,
    "numcol": _is_column(*_NUMERIC),
    "datecol": _is_column(*_TEMPORAL),
    "boolcol": _is_column(ColumnKind.BOOLEAN),
    "textcol": _is_column(ColumnKind.TEXT),
    "<cond>": lambda node: node.condition is not None,
    "<period>": lambda node: node.period is not None,
    "<measure>": lambda node: bool(node.measures),
    "<group>": lambda node: bool(node.keys) and node.mark != "by",
    "<by>": lambda node: node.mark == "by",
    "<bound>": lambda node: node.bound is not None,
    "<order>": lambda node: node.order is not None,
    "<row>": lambda node: node.mark == "per_row",
    "any": lambda node: node.text != "",
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Step:
    name: str | None
    tests: tuple[Callable[[Node], bool], ...]
    optional: bool
    repeated: bool

    def fits(self, node: Node) -> bool:
        return any(test(node) for test in self.tests)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Match:
    """Where a pattern matched, and what its named parts are."""

    start: int
    end: int
    named: dict[str, Node] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Node:
        return self.named[name]

    def get(self, name: str) -> Node | None:
        """Return a part that may be absent."""
        return self.named.get(name)


def match_at(pattern: str, nodes: Sequence[Node], start: int) -> Match | None:
    """Match `pattern` at one place; an optional part is taken when it can be."""
    position = start
    named: dict[str, Node] = {}
    for step in _compiled(pattern):
        taken = 0
        while position < len(nodes) and step.fits(nodes[position]) and (step.repeated or not taken):
            if step.name:
                named[step.name] = nodes[position]
            position += 1
            taken += 1
        if not taken and not step.optional:
            return None
    return Match(start=start, end=position, named=named)


def search(pattern: str, nodes: Sequence[Node], start: int = 0) -> Match | None:
    """Find the first place where `pattern` matches."""
    for position in range(start, len(nodes)):
        match = match_at(pattern, nodes, position)
        if match is not None and match.end > match.start:
            return match
    return None


def replaced(nodes: Sequence[Node], match: Match, *new: Node) -> tuple[Node, ...]:
    """Return the row with what matched exchanged for `new`, which takes over its place."""
    place = nodes[match.start].place
    placed = tuple(
        Node(
            sense=node.sense,
            text=node.text or " ".join(old.text for old in nodes[match.start : match.end]),
            place=place,
            condition=node.condition,
            period=node.period,
            measures=node.measures,
            keys=node.keys,
            bound=node.bound,
            order=node.order,
            mark=node.mark,
        )
        for node in new
    )
    return (*nodes[: match.start], *placed, *nodes[match.end :])


def reduced(
    nodes: tuple[Node, ...], rules: Sequence[tuple[str, Callable[[Match, Scene], Node | None]]], scene: Scene
) -> tuple[Node, ...]:
    """Apply each rule from left to right, as often as it matches and makes a node."""
    row = nodes
    for pattern, build in rules:
        position = 0
        while position < len(row):
            match = match_at(pattern, row, position)
            made = build(match, scene) if match is not None else None
            if match is not None and made is not None:
                row = replaced(row, match, made)
            else:
                position += 1
    return row


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> tuple[_Step, ...]:
    return tuple(_step(part) for part in pattern.split())


def _step(part: str) -> _Step:
    name, equals, tests = part.partition("=")
    if not equals:
        name, tests = "", part
    optional, repeated = tests.endswith(("?", "*")), tests.endswith(("*", "+"))
    tests = tests.rstrip("?*+")
    return _Step(name or None, tuple(_test(test) for test in tests.split("|")), optional, repeated)


def _test(name: str) -> Callable[[Node], bool]:
    if name in _TESTS:
        return _TESTS[name]
    return lambda node: node.has(name)
