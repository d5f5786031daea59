"""Doubts about what stands for several: a row that sums up the others, a cell of more than one name, a time around another."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.vocabulary import is_total
from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import COUNT, OWN_MEAN, Operator, Output, plain_conditions, told_columns
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_BETWEEN: Final = re.compile(r"\s*(?:[,;/\n]|\band\b|&)\s*")
"""What stands between the names of a cell that holds several."""
_SEVERAL: Final = "(s)"
"""End of a header that says that a cell may hold several."""

_REPEATED: Final = 5
"""Rows for each figure, and steps from one to the next, from which on it seems to be a thing's own: an area, but no quantity."""
_EVENT: Final = "event."
_OF_MANY: Final = ("ів", "їв", "ов", "ев")
"""Endings of Ukrainian and Russian nouns for many: найбільше `штрафів`."""
_MEANS: Final = frozenset({"mean", OWN_MEAN})
_AS_WHOLES: Final = frozenset({"agg.sum", "agg.mean", "diff"})
"""What says of groups that all their rows are meant."""


@doubt
def _takes_the_total_for_one(lattice: Lattice, intent: Intent) -> bool:
    """`which party is listed last`, `who won the most medals`, answered by the row of the total."""
    if intent.clauses or intent.periods or not any(map(_has_a_total, lattice.vocabulary.columns)):
        return False
    columns = lattice.vocabulary.by_name
    if intent.output is Output.HEAD:
        return any(order.descending for order in intent.orders)
    if intent.output is Output.VALUE:
        return any(
            one.function == "max" and one.column and columns[one.column].additive for one in intent.measures
        )
    ranked = intent.limit is not None and intent.output in {Output.ROWS, Output.GROUPS}
    return ranked and any(
        order.descending and (order.column is None or columns[order.column].additive)
        for order in intent.orders
    )


def _has_a_total(column: TableColumn) -> bool:
    facts = column.facts
    return column.text and any(
        is_total(text) and count == 1 for text, count in zip(facts.texts, facts.counts, strict=False)
    )


@doubt
def _counts_cells_of_several(lattice: Lattice, intent: Intent) -> bool:
    """`how many coaches did they have in 2010`, answered by the different cells, of which some name two."""
    columns = lattice.vocabulary.by_name
    return any(
        one.function == "count_distinct" and one.column is not None and _holds_several(columns[one.column])
        for one in intent.measures
    )


def _holds_several(column: TableColumn) -> bool:
    texts = {text.casefold() for text in column.facts.texts}
    parted = [parts for text in texts if len(parts := _BETWEEN.split(text)) > 1]
    return bool(parted) and (
        column.name.rstrip().endswith(_SEVERAL) or any(not texts.isdisjoint(parts) for parts in parted)
    )


@doubt
def _widens_a_time_by_another(_: Lattice, intent: Intent) -> bool:
    """`in the first quarter of 2024, in 2024`, answered by the whole year: times of one date are alternatives."""
    bounds = [
        (one.start or dt.date.min, one.end or dt.date.max, one.column)
        for one in intent.periods
        if one.ago is None
    ]
    return any(
        one != other and one[2] == other[2] and other[0] <= one[0] and one[1] <= other[1]
        for one in bounds
        for other in bounds
    )


@doubt
def _joins_what_is_asked_of_each(lattice: Lattice, intent: Intent) -> bool:
    """`total fee for Rome and for Oslo`, answered by one sum: who says the preposition twice may ask for two."""
    listed = plain_conditions(intent.clauses, Operator.IN)
    columns = {one.column for one in listed if one.part is None}
    return intent.output is Output.VALUE and any(
        column.name in columns and lattice.has(cell.start - 1, "in") and lattice.has(cell.start - 2, "and")
        for cell, column in lattice.cell_links
    )


@doubt
def _tells_something_else(lattice: Lattice, intent: Intent) -> bool:
    """`since when do we have orders for tea`, answered by them, or that there are some; `where is the bill highest`, by the bill."""
    plain = intent.output is Output.ROWS and not (intent.columns or intent.orders)
    # `orders when the fee is below 30` asks for no date.
    asked = any(
        not (lattice.columns(end) or lattice.has(end, "stop.article")) for end in lattice.behind("when")
    )
    placed = intent.output is Output.VALUE and lattice.has(0, "where") and lattice.has(1, "yesno")
    return placed or (asked and (plain or intent.output is Output.EXISTS))


@doubt
def _lists_what_is_totalled(lattice: Lattice, intent: Intent) -> bool:
    """`orders in total where note is empty`, answered by these orders."""
    plain = intent.output is Output.ROWS and not (intent.orders or intent.limit or "count" in lattice.names)
    return plain and not {*lattice.behind("agg.sum")} <= {link.end for link in lattice.links(LinkKind.COLUMN)}


@doubt
def _chooses_by_wholes_for_parts(lattice: Lattice, intent: Intent) -> bool:
    """`departments over budget`, answered by those that went over it in all: others did in one month."""
    beyond = any(one.measure.less and one.values == (0.0,) for one in intent.having)
    single = all(key.column in lattice.vocabulary.unique for key in intent.keys)
    return beyond and not single and lattice.names.isdisjoint(_AS_WHOLES)


@doubt
def _bounds_a_sum_by_a_cell(lattice: Lattice, intent: Intent) -> bool:
    """`total fee by product with fee over 1000`: the sum of each product, or the fee of each row, of which none is so high."""
    summed = {one.measure.column for one in intent.having if one.measure.function == "sum"}
    links, words = lattice.links(LinkKind.COLUMN), lattice.sentence.words
    named = Counter(lattice.column(link).name for link in links if not link.is_loose)
    # `сумма` names an `amount`, too, where it is said twice.
    again = Counter((lattice.column(link).name, words[link.start].norm) for link in links)
    twice = {name for (name, _), count in again.items() if count > 1}
    return any(name is not None and (named[name] > 1 or name in twice) for name in summed)


@doubt
def _takes_one_mean_of_several(_: Lattice, intent: Intent) -> bool:
    """`orders above average in Germany`: above the mean of all, or of those in Germany."""
    above = any(clause.part in _MEANS for clause in plain_conditions(intent.clauses))
    return above and len(intent.clauses) + len(intent.periods) > 1


@doubt
def _divides_by_what_is_repeated(lattice: Lattice, intent: Intent) -> bool:
    """`electricity per square metre by building`, answered by the sum over the area of the building once for each month."""
    divided = {one.per for one in intent.measures if not one.each}
    rows = lattice.vocabulary.facts.row_count or 0
    return any(one.name in divided and _is_of_few(one, rows) for one in lattice.vocabulary.columns)


def _is_of_few(column: TableColumn, rows: int) -> bool:
    """Tell whether far fewer figures than rows lie far apart: each thing has its own, in every row."""
    low, high, distinct = column.facts.low, column.facts.high, column.facts.distinct
    if not isinstance(low, int | float) or not isinstance(high, int | float) or not distinct:
        return False
    return _REPEATED * distinct < min(rows, high - low)


@doubt
def _tells_otherwise_of_what_comes_back(lattice: Lattice, intent: Intent) -> bool:
    """`revenue from repeat customers`, answered by the revenue of each; `repeat orders`, by rows that are there twice."""
    again = [link.end for link in lattice.sentence.concepts if link.name == "again"]
    if not again:
        return False
    told = any(one.function != "count" for one in intent.measures) and bool(intent.having)
    owned = any(lattice.columns(end) or lattice.at(end, LinkKind.ROWS) for end in again)
    return told or (owned and intent.output is Output.DUPLICATES)


@doubt
def _ranks_entries_for_who_did_most(lattice: Lattice, intent: Intent) -> bool:
    """`who spent the most hours for each client`, answered by the longest entry of each: a person has several of them."""
    vocabulary = lattice.vocabulary
    order = vocabulary.by_name.get(next((one.column for one in intent.orders if one.column), ""))
    if "who" not in lattice.names or not intent.limit_keys or order is None or not order.additive:
        return False
    within = {key.column for key in intent.limit_keys}
    people = [one for one in vocabulary.people[:1] if one.name not in within]
    return intent.output is Output.ROWS and any(map(lattice.repeats, people))


@doubt
def _shares_rows_of_a_state_among_groups(lattice: Lattice, intent: Intent) -> bool:
    """`attendance of each pupil in percent`, answered by the part of each pupil in all that attended."""
    known = lattice.vocabulary.by_name
    shared = any(one.share and one.function == "count" for one in intent.measures)
    kept = [one for one in plain_conditions(intent.clauses) if not one.part and known[one.column].flag]
    return shared and bool(intent.keys and kept)


@doubt
def _counts_gaps_of_what_it_names(lattice: Lattice, intent: Intent) -> bool:
    """`how many absences without a reason`, answered by the rows whose `Reason of absence` is empty: most of them are none."""
    missing = {one.column for one in plain_conditions(intent.clauses, Operator.MISSING)}
    if COUNT not in intent.measures or not missing or lattice.names.isdisjoint(("without", "no")):
        return False
    rows = {link.start for link in lattice.links(LinkKind.ROWS)}
    counted = {*lattice.behind("count")} - rows
    return any(
        link.start in counted
        and link.is_loose
        and column.name in missing
        and not lattice.has(link.start, _EVENT)
        for link, column in lattice.column_links
    )


@doubt
def _adds_up_what_did_not_happen_yet(lattice: Lattice, intent: Intent) -> bool:
    """`how much have students already paid`, answered by what all owe, beside a date of payment that has gaps."""
    vocabulary, told = lattice.vocabulary, told_columns(intent)
    gaps = [one for one in vocabulary.dates if vocabulary.lacks(one) and one.name not in told]
    if not gaps or not any(one.function != "count" for one in intent.measures):
        return False
    happened = [
        one.name.removeprefix(_EVENT) for one in lattice.sentence.concepts if one.name.startswith(_EVENT)
    ]
    return any(not vocabulary.evidence(deed).isdisjoint(one.words) for deed in happened for one in gaps)


@doubt
def _adds_up_what_a_deed_took(lattice: Lattice, intent: Intent) -> bool:
    """`which department clicked the most`, answered by the sum of `Minutes to click` of those who `Clicked`."""
    kept = {one.column for one in plain_conditions(intent.clauses)}
    deeds = {
        link.span for link, column in (*lattice.column_links, *lattice.cell_links) if column.name in kept
    }
    told = lattice.measured(intent)
    spans = {
        one.name: {link.span for link, column in lattice.column_links if column.name == one.name}
        for one in told
    }
    return bool(intent.orders) and any(found and found <= deeds for found in spans.values())


@doubt
def _adds_up_what_is_in_some_rows(lattice: Lattice, intent: Intent) -> bool:
    """`who got the most fines`, answered by who paid most: few rows have one, and they may be counted."""
    summed = {one.column for one in intent.measures if one.function == "sum"}
    most = {one.end for one in lattice.sentence.concepts if one.name in {"degree.most", "super.max"}}
    return intent.limit is not None and any(
        column.name in summed
        and link.start in most
        and lattice.vocabulary.lacks(column)
        and (
            lattice.is_plural(link.start, link.end)
            or lattice.sentence.words[link.start].norm.endswith(_OF_MANY)
        )
        for link, column in lattice.column_links
    )
