"""Spans of a question → columns of amounts that no header names: the money that rows come to, pieces, verbs such as sold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import BOUNDING, Measure, single_conditions
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.rates import (
    COMING_TO,
    GOING_OUT,
    OTHERWISE,
    flow_of,
    prices_what_is_beside,
    sells,
    spends,
)
from tabchat.planner.links.rows import is_coded
from tabchat.planner.links.units import HELD, MONEY
from tabchat.planner.readings.effect import Kind, said
from tabchat.planner.readings.phrases import counted_rows, functions
from tabchat.planner.readings.repeats import says_how_often

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Intent
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.effect import Item

_MONEY: Final = (
    *("header.revenue", "header.amount", "header.total", "header.sales", "header.cost", "header.price"),
    *("money", "summed_noun", "ticket"),
)
"""Words for columns of money, which stand for one another where a table has only some of them."""

_DEEDS: Final = (
    *("нь", "ний", "ень", "ань", "ння", "ття", "ние", "тие", "цій", "ций", "ія", "ия"),
    *("ок", "ка", "ки", "ing", "ings"),
)
"""Endings of nouns for what is done, in English, Ukrainian and Russian."""
_PRICED: Final = frozenset({"price", "cost"})
_FLOWS: Final = ("header.revenue", "header.sales", "header.cost", "header.expense")
"""Words for money that came in or went out."""


def amount_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read words for amounts that no header names: the money that rows come to, pieces, and verbs such as sold."""
    columns, money = lattice.vocabulary.columns, lattice.vocabulary.money[:2]
    for concept in lattice.concepts(place, "verb.") if not _is_noun(lattice, place) else ():
        if says_how_often(lattice, concept.end):
            continue  # `ordered more than once` asks of orders, not of how many pieces were ordered.
        group = concept.name.removeprefix("verb.")
        named = [column for column in columns if column.measure and group in column.kinds]
        # `sold`, of what was sold rather than of what was baked.
        owned = {link.column for link, _ in lattice.columns(place)}
        for column in [column for column in named if column.place in owned] or named:
            yield said(Kind.COLUMN, place, concept.end, (("column.verb", 1.0),), column=column.place)
        # What repairs cost is what they come to, beside a price of one piece of them.
        totals = (one for one in money if group in _PRICED and not COMING_TO.isdisjoint(one.kinds))
        for column in (one for one in totals if named and one not in named):
            yield said(Kind.COLUMN, place, concept.end, (("column.verb_of_money", 1.0),), column=column.place)
        sure = _goes_by(lattice, place, group)
        for rank, column in enumerate(money if not named and group in MONEY else ()):
            earned = (("column.verb_of_money", float(not sure)), ("money.rank", float(rank)))
            yield said(Kind.COLUMN, place, concept.end, earned, column=column.place)
    for concept in lattice.concepts(place, *_MONEY) if not _is_a_department(lattice, place) else ():
        # Turnover, sales, the average ticket, where no column has their name.
        _, header, group = concept.name.rpartition("header.")
        if header and prices_what_is_beside(lattice, place):
            continue
        # A price of one comes to nothing by itself, where another column does.
        summed = [column for column in lattice.vocabulary.money if column.additive]
        # A tax or a discount beside an amount is no turnover.
        sums = [column for column in summed or money if OTHERWISE.isdisjoint(column.kinds)][:2]
        for rank, column in enumerate(sums if not any(group in other.groups for other in columns) else ()):
            comes = float(not COMING_TO.isdisjoint(column.kinds))
            told = (("money.rank", float(rank)), ("money.comes_to", comes))
            sure = bool(header) and _goes_by(lattice, place, group)
            features = ((f"money.{concept.name}", float(not sure)), *told)
            if sure and lattice.at(place, LinkKind.ROWS):
                # `expenses by category` are added up, though rows are called so.
                added = Measure(function="sum", column=column.name)
                whole = (("money.summed_noun", 1.0), *told)
                yield said(Kind.MEASURE, place, concept.end, whole, measure=added, column=column.place)
            if header:
                yield said(Kind.COLUMN, place, concept.end, features, column=column.place)
                continue
            measure = Measure(function="mean" if concept.name == "ticket" else "sum", column=column.name)
            yield said(Kind.MEASURE, place, concept.end, features, measure=measure, column=column.place)
    yield from _earned(lattice, place)
    for concept in lattice.concepts(place, "pieces"):
        # `How many pieces`: the sum of the column that counts them.
        counted = [column for column in lattice.vocabulary.measures if column.additive]
        known = [one for one in counted if "quantity" in one.groups or "piece" in one.units]
        # `Print run`: the only amount that is no money.
        others = [column for column in counted if not column.monetary]
        for column in known or (others if len(others) == 1 else ()):
            fields = {"measure": Measure(function="sum", column=column.name), "column": column.place}
            yield said(Kind.MEASURE, place, concept.end, (("pieces", 1.0),), **fields)
    for column in goods_counted(lattice, place):
        fields = {"measure": Measure(function="sum", column=column.name), "column": column.place}
        yield said(Kind.MEASURE, place, place + 1, (("pieces", 1.0),), **fields)


def goods_counted(lattice: Lattice, place: int) -> list[TableColumn]:
    """Return the columns of how many there are of what a word for rows names, where it is counted: tyres, and no orders."""
    if "count" not in lattice.names or lattice.has(place, "entity.", "event."):
        return []
    rows = [link for link in lattice.at(place, LinkKind.ROWS) if link.name == "noun"]
    # Walks that are numbered are rows, whatever was counted on each of them.
    numbered = any(is_coded(column) for _, column in lattice.columns(place))
    if not rows or numbered or lattice.sentence.words[place].norm.endswith(_DEEDS):
        return []
    held = [one for one in lattice.vocabulary.measures if one.additive and not HELD.isdisjoint(one.groups)]
    # There may be none left of goods; nothing is ordered or prescribed that is none.
    return [one for one in held if "stock" in one.groups or one.facts.low == 0]


def _earned(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `total revenue` of sales, whose only amount of money is what they came to."""
    for found in functions(lattice, place):
        for concept in lattice.concepts(found.end, *_FLOWS):
            group = concept.name.removeprefix("header.")
            for column in lattice.vocabulary.money if _goes_by(lattice, found.end, group) else ():
                if column.additive and group not in column.groups:
                    told = (("function.of", 1.0), ("function", 1.0))
                    fields = {"measure": found.of(column), "column": column.place}
                    yield said(Kind.MEASURE, place, concept.end, told, **fields)


def flows_at(lattice: Lattice, place: int) -> Iterator[tuple[int, TableColumn]]:
    """Yield (end, column) of words for what came in or went out, where the only amount of money tells it."""
    column = flow_of(lattice.vocabulary)
    if column is None:
        return
    for concept in lattice.concepts(place, *_FLOWS):
        group = concept.name.removeprefix("header.")
        if group not in column.groups and _goes_by(lattice, place, group):
            yield concept.end, column


def _goes_by(lattice: Lattice, place: int, group: str) -> bool:
    """Tell whether the only amount of money is what a word means: earned, of sales; spent, of expenses."""
    vocabulary = lattice.vocabulary
    column = flow_of(vocabulary)
    if column is None:
        return False
    if group in GOING_OUT or lattice.sentence.words[place].norm in lattice.said("spending"):
        return spends(vocabulary)
    return group in COMING_TO and sells(vocabulary) and column.kinds.isdisjoint(GOING_OUT)


def _is_a_department(lattice: Lattice, place: int) -> bool:
    """Tell whether a cell is meant where rows lie: `how many people work in Sales`."""
    within = lattice.has(place - 1, "in") and any(cell.whole for cell in lattice.at(place, LinkKind.CELL))
    return within and bool(lattice.links(LinkKind.ROWS) or lattice.has(0, "who"))


def _is_noun(lattice: Lattice, place: int) -> bool:
    """Tell whether a word for rows stands where no verb does: `the largest order`."""
    before = lattice.has(place - 1, "stop.article", "super.", "top.", "scale.most.", "rel.", "edge.")
    return before and bool(counted_rows(lattice, place))


def takes_pieces_for_their_price(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether pieces are answered by money: `how many units did each country buy`, by a `Unit price`, or by what they cost at it."""
    links = [
        (column.name, bool(lattice.concepts(link.start, "measure.piece")))
        for link, column in lattice.column_links
        if column.monetary or "price" in column.kinds
    ]
    pieces = {name for name, is_piece in links if is_piece} - {
        name for name, is_piece in links if not is_piece
    }
    worth = {sums for price, sums in lattice.vocabulary.amounts.items() if price in pieces} - lattice.named
    told = {one.column for one in intent.measures} | {one.column for one in intent.orders}
    return not (pieces | worth).isdisjoint(told)


def bounds_another(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a number that is said of one amount bounds another."""
    return _bounds_money_by_pieces(lattice, intent) or _bounds_another_than_named(lattice, intent)


def _bounds_money_by_pieces(lattice: Lattice, intent: Intent) -> bool:
    """`items under 10 pieces`, answered by those whose `Unit price` is."""
    numbers = lattice.quantities
    counted = {number.value for link, number in numbers if lattice.concepts(link.end - 1, "measure.piece")}
    known = lattice.vocabulary.by_name
    bounds = [(one.column, one.values) for one in single_conditions(intent.clauses)]
    bounds += [(one.measure.column or "", one.values) for one in intent.having]
    return any(
        name in known and known[name].monetary and not counted.isdisjoint(values) for name, values in bounds
    )


def _bounds_another_than_named(lattice: Lattice, intent: Intent) -> bool:
    """`with more than 4 days worked`, of a column `days_worked`, answered by something else that lasted 4 days."""
    named = {
        (number.value, column.name)
        for said, number in lattice.quantities
        for at in (said.end - 1, said.end)
        for link, column in lattice.columns(at)
        if "column.verbatim" in link.signs
    }
    values = {value for value, _ in named}
    bounds = [one for one in single_conditions(intent.clauses) if one.operator in BOUNDING]
    return any(value in values and (value, one.column) not in named for one in bounds for value in one.values)
