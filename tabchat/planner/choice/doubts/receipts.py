"""Doubts about receipts: what an average one comes to, where a row is a line of one, or no receipt at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import COUNT, Output
from tabchat.planner.links.link import CALLED, LinkKind
from tabchat.planner.links.rows import is_coded

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_DOCUMENTS: Final = frozenset({"entity.order", "entity.invoice"})
_NUMBERS: Final = frozenset({"no", "number", "num", "nr", "id", "name", "номер", "ид", "ід"})
"""Words of headers that number whatever rows are: no `zip`, and no `code`."""
_OF_EACH: Final = frozenset({"mean", "median", "max", "min"})
_PAST: Final = ("ли", "ло", "но", "то")
"""Endings of verbs for what was done, in Ukrainian and Russian."""
_PRICED: Final = frozenset({"price", "cost"})
_RECEIVED: Final = frozenset({"revenue", "amount", "total", "gross", "sales", "paid", "payment", "worth"})
"""Groups of columns of what one row comes to."""


@doubt
def _computes_with_receipts(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether receipts may be meant by their money: `the average receipt`, over a column of their numbers, or with several lines each."""
    if "ticket" not in lattice.names or not intent.measures:
        return False
    columns = lattice.vocabulary.columns
    # A word of `order_date` names no receipts.
    links = [link for link in lattice.links(LinkKind.COLUMN) if "column.missing" not in link.signs]
    spans = [(one.start, one.end) for one in lattice.sentence.concepts if one.name == "ticket"]
    named = [columns[link.column] for link in links if any(start <= link.start < end for start, end in spans)]
    told = lattice.measured(intent)
    # A `Ticket price` is one, whatever receipts come to.
    others = [column for column in named if column not in told]
    several = any(not column.facts.unique for column in others) or any(
        _numbers_documents(lattice, one) for one in columns
    )
    return several or not all(_is_received(lattice, column) for column in told)


def _is_received(lattice: Lattice, column: TableColumn) -> bool:
    """Tell whether a column is of what was received for something at once: no salary, no fine, no price per kilogram."""
    rates = {word for lexicon in lattice.vocabulary.lexicons for word in lexicon.joining}
    priced = not column.kinds.isdisjoint(_PRICED) and rates.isdisjoint(column.words)
    comes = bool(column.facts.operands) or not column.kinds.isdisjoint(_RECEIVED)
    return column.monetary and (comes or (priced and bool(lattice.vocabulary.people)))


def _numbers_documents(lattice: Lattice, column: TableColumn) -> bool:
    """Tell whether a column numbers receipts of several lines each: an `Invoice No`, or just a `Number`, that repeats."""
    coded = (column.identifying or is_coded(column)) and lattice.repeats(column)
    return coded and (_NUMBERS | lattice.vocabulary.evidence("billed")).issuperset(column.words)


@doubt
def _takes_lines_for_orders(lattice: Lattice, intent: Intent) -> bool:
    """`how many orders`, `average order amount`, answered by lines of orders, whose numbers stand in several rows."""
    columns = lattice.vocabulary.columns
    numbering = {one.name for one in columns if _numbers_documents(lattice, one)}
    if lattice.names.isdisjoint(_DOCUMENTS) or not numbering or not numbering.isdisjoint(intent.used_columns):
        return False
    computed = any(one.column is None or one.function in _OF_EACH for one in intent.measures)
    return computed or (intent.limit is not None and not intent.measures)


@doubt
def _counts_others_for_orders(lattice: Lattice, intent: Intent) -> bool:
    """`how many orders`, answered by how many customers placed them, or by the rows of a list of what is in stock."""
    rows = lattice.links(LinkKind.ROWS)
    asked = {link.start for link in rows if lattice.has(link.start, *_DOCUMENTS)}
    counted = {one.column for one in intent.measures if one.function == "count_distinct" and one.column}
    placed = any(
        column.name in counted and link.start in asked and "column.synonym" in link.signs and column.text
        for link, column in lattice.column_links
    )
    stocked = any("stock" in column.groups for column in lattice.vocabulary.columns)
    called = any(link.name in CALLED for link in rows)
    return placed or (bool(asked) and stocked and not called and COUNT in intent.measures)


@doubt
def _counts_rows_for_a_deed(lattice: Lattice, intent: Intent) -> bool:
    """`скільки нарахували за травень` (how much was charged in May), answered by how many charges there were: a verb asks for money."""
    words = lattice.sentence.words
    rows = (link for link in lattice.links(LinkKind.ROWS) if link.name == "meant")
    done = any(words[link.start].norm.endswith(_PAST) for link in rows)
    counted = intent.output is Output.VALUE and intent.measures == (COUNT,)
    return done and counted and "howmuch" in lattice.names and bool(lattice.vocabulary.money)
