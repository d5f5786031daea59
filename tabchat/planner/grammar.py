"""Words → clauses: filters, periods, groups, orders and measures are read out of the row, in that order.

What is left is the core of the question, a few nodes that say which kind of answer is wanted.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.alternatives import read_alternatives
from tabchat.planner.amounts import read_amounts
from tabchat.planner.comparing import read_comparisons
from tabchat.planner.conditions import read_booleans, read_values
from tabchat.planner.dating import date_groups, date_periods, named_dates
from tabchat.planner.grouping import read_groups
from tabchat.planner.happenings import read_staying
from tabchat.planner.headers import UNIT_ONLY
from tabchat.planner.idioms import read_idioms
from tabchat.planner.lasting import read_lasting, read_longest
from tabchat.planner.left_out import bound_groups, fill_in, read_units, without_own_unit
from tabchat.planner.measures import read_measures, read_scales
from tabchat.planner.mentions import counted_columns, one_column, said_numbers
from tabchat.planner.nodes import Node, match_at, replaced
from tabchat.planner.ordering import read_orders
from tabchat.planner.periods import read_periods
from tabchat.planner.scopes import mark_scopes
from tabchat.planner.senses import Sense, SenseKind
from tabchat.planner.sides import read_sides
from tabchat.planner.skeleton import GLUE
from tabchat.planner.spans import read_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Bound, Key, Match, Measure, Order
    from tabchat.planner.scene import Scene


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Clauses:
    """A question taken apart: its core, and the clauses that hang on it."""

    core: tuple[Node, ...]
    conditions: tuple[Node, ...] = ()
    periods: tuple[Node, ...] = ()
    keys: tuple[Key, ...] = ()
    by: tuple[Measure, ...] = ()
    """Measures that groups or rows are ranked by (`top 5 products by revenue`)."""
    bounds: tuple[Bound, ...] = ()
    order: Order | None = None
    per_row: bool = False
    predicates: tuple[int, ...] = ()
    """Places of the words that open a statement about the rows: `were`, `that`, `from`."""
    joints: tuple[int, ...] = ()
    """Places of the words that join: `and`, commas."""
    verbs: tuple[int, ...] = ()
    """Places of all verbs and relative words, whatever took them up."""
    among: tuple[int, ...] = ()
    """Places of `among`, behind which stands the whole of a share."""
    sold: bool = False
    """True when a verb says that something was bought or sold, in some quantity."""
    quantifiers: tuple[Node, ...] = ()
    """`only`, `all` and `any`, where nothing else took them up."""
    whether: bool = False
    """True when the question asks for a yes or a no."""
    dates: tuple[ColumnFacts, ...] = ()
    """Date columns of the events that are mentioned: `opened`, `paid`."""


def take_apart(nodes: Sequence[Node], scene: Scene) -> Clauses | None:
    """Read the clauses of a question, or nothing when some of them contradict each other."""
    row = _statements(tuple(node for node in _asked(nodes) if not _is_stop(node) or node.has("stop.work")))
    row = without_own_unit(read_units(row), scene)
    columns = _named_columns(counted_columns(one_column(said_numbers(row)), scene), scene)
    named = read_amounts(read_sides(columns), scene) if columns is not None else None
    if named is None or _counts_sold(named, scene) or _at_odds(row, scene) or _unit_of_another(row, scene):
        return None
    row = read_idioms(_percents(named), scene)
    if _asks_amount(row):
        return None
    row = one_column(read_scales(read_longest(fill_in(row, scene), scene), scene))
    row = bound_groups(row, scene)
    row = read_lasting(read_spans(read_alternatives(row, scene), scene.spans), scene)
    row = read_comparisons(row, scene)
    row = read_periods(row, scene)
    if _is_of_another_event(row, scene):
        return None
    row = date_periods(row, scene)
    dates = named_dates(row, scene)
    stayed = read_staying(row, scene)
    if stayed is None:
        return None
    row = read_groups(tuple(node for node in stayed if not _is_stop(node)), scene)
    row = date_groups(row, scene)
    row = read_values(_done_by(row), scene)
    row = read_orders(_of_whom(row))
    row = read_measures(row, scene)
    row = read_booleans(row, scene)
    row = mark_scopes(row, nodes)
    found = _collect(row, dates)
    courses = any(node.has("trend") for node in row)
    if found is None or (courses and not any(_is_time(key) for key in found.keys)):
        # What a course is followed by has to be said.
        return None
    verbs = tuple(node.place for node in nodes if node.has("pred", "stop.light_verb") and not node.has("in"))
    among = tuple(node.place for node in nodes if node.has("among"))
    return replace(
        found,
        whether=_asks_whether(nodes),
        verbs=verbs,
        among=among,
        sold=any(node.has("verb.quantity", "event.order") for node in nodes),
    )


def _asks_whether(nodes: Sequence[Node]) -> bool:
    """Tell whether a question opens with a verb (`are all …`) or holds the word for `whether`."""
    opened = (
        bool(nodes) and nodes[0].has("pred", "stop.auxiliary") and not nodes[0].has("stop.courtesy", "list")
    )
    return opened or any(node.has("stop.whether") for node in nodes)


def _percents(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read `over 10 percent` as `over 10%`; what follows `of` is no part of the number."""
    row, position = nodes, 0
    while position < len(row):
        match = next((m for p in _PERCENTS if (m := match_at(p, row, position)) is not None), None)
        if match is not None:
            numbers = [match[name] for name in ("low", "n") if match.get(name) is not None]
            said = [node.sense for node in numbers if node.sense is not None]
            marked = [replace(n, sense=replace(s, percent=True)) for n, s in zip(numbers, said, strict=True)]
            pairs = dict(zip(map(id, numbers), marked, strict=True))
            row = tuple(pairs.get(id(node), node) for node in row if node is not match["pct"])
        position += 1
    return row


_PERCENTS: Final = (
    "between|from low=num and|to|sign.dash n=num pct=pctword",
    "cmp.|limit.|until n=num pct=pctword",
    "than n=num pct=pctword",
    "n=num pct=pctword post.",
)


def _is_time(key: Key) -> bool:
    return key.unit is not None or (key.column is not None and key.column.kind.is_temporal)


def _is_of_another_event(row: Sequence[Node], scene: Scene) -> bool:
    """Tell whether a year is said of an event that the only column of years does not date: `sold in 2010`."""
    column = scene.year_column
    if column is None:
        return False
    for place in range(len(row)):
        match = match_at("event=event. in|pred|from* time=<period>", row, place)
        sense = match["event"].sense if match is not None else None
        period = match["time"].period if match is not None else None
        if sense is None or period is None or period.column is not None:
            continue
        if not any(scene.evidence.may_tell(column, event) for event in sense.starting("event.")):
            return True
    return False


def _asked(nodes: Sequence[Node]) -> Sequence[Node]:
    """Leave out the word that only opens a question, although it may join elsewhere: `чи`."""
    return nodes[1:] if nodes and nodes[0].has("or") and nodes[0].has("stop.auxiliary") else nodes


def _is_stop(node: Node) -> bool:
    sense = node.sense
    return (
        sense is not None
        and bool(sense.concepts)
        and all(item.startswith("stop.") for item in sense.concepts)
    )


def _statements(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read `when` after a noun as the opening of a statement, not as a question."""
    row = list(nodes)
    for place in range(1, len(row)):
        before = row[place - 1]
        if before.has("comma") and place > 1:
            before = row[place - 2]
        if row[place].has("when") and (before.column or before.has("entity.", "unit.", "rows")):
            row[place] = replace(
                row[place], sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"pred"}))
            )
    return tuple(row)


_UNITS_AT_ODDS: Final = ("col=numcol pred|in* cmp=cmp. num=num unit=numcol", "by num=num unit=numcol")


_TALLER: Final = "adj=scale. than|in|by? num=num unit=numcol"


def _is_unit_of_another(match: Match | None, scene: Scene) -> bool:
    """Tell whether an adjective is about another column than the unit behind its number."""
    unit, adjective = (match["unit"].sense, match["adj"].sense) if match is not None else (None, None)
    if unit is None or adjective is None or unit.cost < UNIT_ONLY:
        return False
    meant = (scene.meant(name.rpartition(".")[2]) for name in adjective.starting("scale."))
    return unit.column not in meant


def _at_odds(row: tuple[Node, ...], scene: Scene) -> bool:
    """Tell whether a unit belongs to another column than the figure before it (`expenses over 50 litres`, `на 100 км`)."""
    sold = any(node.has("entity.order", "entity.sale") for node in row)
    if sold and any(node.has("scale.more.max.price", "scale.more.min.price") for node in row):
        # An expensive sale may be one of a high price or of a high sum.
        return True
    if any(_is_unit_of_another(match_at(_TALLER, row, place), scene) for place in range(len(row))):
        return True
    computed = any(node.has("agg.") for node in row)
    for pattern, place in itertools.product(_UNITS_AT_ODDS, range(len(row))):
        match = match_at(pattern, row, place)
        unit = match["unit"] if match is not None else None
        if match is None or unit is None or unit.sense is None or unit.sense.cost < UNIT_ONLY:
            continue
        named = match.get("col")
        if computed if named is None else named.column != unit.column:
            return True
    return False


def _unit_of_another(row: tuple[Node, ...], scene: Scene) -> bool:
    """Tell whether a unit behind an adjective belongs to another column: `heavier than 500 km`."""
    for place in range(len(row)):
        match = match_at("adj=scale.more.|scale.plain. than|in|by? num=num unit=numcol", row, place)
        adjective, unit = (match["adj"].sense, match["unit"]) if match is not None else (None, None)
        if adjective is None or unit is None:
            continue
        names = {name.rpartition(".")[2] for name in adjective.starting("scale.")}
        meant = [column for name in names for column in scene.meanings.get(name, ())]
        if meant and unit.column not in meant:
            return True
    return False


def _counts_sold(nodes: Sequence[Node], scene: Scene) -> bool:
    """Tell whether sold things are counted without a word for rows, where rows hold several of them."""
    if not any(node.has("count") for node in nodes) or any(_is_rows(node, scene) for node in nodes):
        return False
    return any(node.has("verb.quantity") for node in nodes) and bool(scene.meanings.get("quantity"))


def _asks_amount(nodes: Sequence[Node]) -> bool:
    """Tell whether an amount of something is asked that is not named: `скільки отримали вчителі`."""
    return any(match_at("count val* verb.got|verb.revenue", nodes, place) for place in range(len(nodes)))


def _is_rows(node: Node, scene: Scene) -> bool:
    """Tell whether a node names the rows, or a column that is counted or summed itself."""
    if node.column is not None:
        # Of what is sold, the kinds may be meant, or the pieces.
        return node.column not in scene.evidence.columns("product") or node.column.kind.is_numeric
    return node.has("entity.", "rows", "times") and not node.has("verb.quantity")


def _done_by(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Leave out `by` before a cell, which is no group: `closed by Dana`; of several cells each may be meant."""
    return tuple(
        node
        for place, node in enumerate(nodes)
        if not node.has("by")
        or node.has("each", "in")
        or match_at("by val", nodes, place) is None
        or match_at("by val and|or|comma val", nodes, place) is not None
    )


_ORDINALS: Final = (("rel.first", 1), ("nth.1", 1), ("second", 2), ("nth.2", 2), ("nth.3", 3), ("nth.4", 4))


def _named_columns(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...] | None:
    """Read `the revenue column` and `the second Amount column`; nothing when it is not that column."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at(
            "nth=rel.first|second|nth.? word=columns? col=col word=columns|types?", row, position
        )
        dated = match is not None and match.get("nth") is not None and _is_date(match["col"])
        if match is not None and match.end - match.start > 1 and not dated and _is_mention(match, scene):
            wanted = next(
                (n for concept, n in _ORDINALS if match.get("nth") and match["nth"].has(concept)), None
            )
            if wanted is not None and wanted != _nth_of_name(match["col"], row):
                return None
            row = replaced(row, match, match["col"])
        position += 1
    return row


def _is_mention(match: Match, scene: Scene) -> bool:
    """Tell whether an ordinal counts columns: `first floor` does not where one column is called floor."""
    column = match["col"].column
    alike = [other for other in scene.table.columns if column is not None and other.base == column.base]
    return match.get("nth") is None or match.get("word") is not None or len(alike) > 1


def _is_date(node: Node) -> bool:
    """Tell whether a node is a date column, whose first is its earliest."""
    return node.column is not None and node.column.kind.is_temporal


def _nth_of_name(node: Node, _row: Sequence[Node]) -> int:
    """Return which of the columns of one name a node means, from 1."""
    column = node.column
    if column is None or column.words == column.base:
        return 1
    return int(column.words[-1])


def _collect(nodes: Sequence[Node], dates: tuple[ColumnFacts, ...]) -> Clauses | None:
    orders = [node.order for node in nodes if node.order is not None]
    if len(orders) > 1:
        return None
    return Clauses(
        core=tuple(node for node in nodes if _is_core(node)),
        conditions=tuple(node for node in nodes if node.condition is not None),
        periods=tuple(node for node in nodes if node.period is not None),
        keys=tuple(key for node in nodes if node.mark != "by" for key in node.keys),
        by=tuple(measure for node in nodes if node.mark == "by" for measure in node.measures),
        bounds=tuple(node.bound for node in nodes if node.bound is not None),
        order=orders[0] if orders else None,
        per_row=any(node.mark == "per_row" for node in nodes),
        predicates=tuple(node.place for node in nodes if node.has("pred", "from")),
        joints=tuple(node.place for node in nodes if node.has("and", "comma")),
        quantifiers=tuple(node for node in nodes if node.has("only", "all", "any")),
        dates=dates,
    )


def _of_whom(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Leave out the noun of `total VAT of Irish customers`: a sum over the rows of those is one over their rows."""
    if not any(node.has("agg.sum", "share") for node in nodes) or any(
        node.has("count", "distinct", "by", "super.", "top.") for node in nodes
    ):
        return nodes
    row, position = nodes, 0
    while position < len(row):
        match = match_at("in|from|to kept=<cond> noun=textcol", row, position)
        kept = match["kept"].condition if match is not None else None
        after = row[match.end] if match is not None and match.end < len(row) else None
        plural = match is not None and match["noun"].text.casefold().endswith("s")
        ends = (
            after is None or after.condition or after.period or after.keys or after.has("in", "from", "pred")
        )
        if match is not None and kept is not None and kept.value and not kept.link and plural and ends:
            row = (*row[: match.end - 1], *row[match.end :])
        position += 1
    return row


def _is_core(node: Node) -> bool:
    if node.condition or node.period or node.keys or node.bound or node.order or node.mark:
        return False
    if node.sense is None:
        return bool(node.measures)
    if node.sense.kind is not SenseKind.CONCEPT:
        return True
    concepts = node.sense.concepts
    if not concepts:
        return True
    families = {item.partition(".")[0] for item in concepts}
    if families <= {"stop", "event", "verb"} and families & {"stop", "event"}:
        return False
    return not concepts <= GLUE
