"""Doubts about how many: rows, or the number that a column tells of them; rows, or the different things that they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import COUNT, Output, all_conditions, plain_conditions, single_conditions
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.rates import GOING_OUT
from tabchat.planner.links.rows import is_coded
from tabchat.planner.links.units import HELD, MONEY
from tabchat.planner.readings.states import STATES

if TYPE_CHECKING:
    from collections.abc import Collection

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_OF_MONEY: Final = GOING_OUT | {"budget"}
_QUANTITIES: Final = frozenset({"quantity", "piece"})
"""Groups and units of columns that count things."""
_POPULAR: Final = frozenset({"agg.mode", "count.max", "count.min"})
"""Words for what there is most of, by rows or by what they count."""
_CROWDS: Final = frozenset({"visitors", "visits", "attendance"})
"""Groups of headers of how many people came."""
_FIGURED: Final = frozenset({Output.VALUE, Output.GROUPS})
_DIFFERENT: Final = frozenset({"count_distinct", "mode"})
_MIDDLES: Final = frozenset({"mean", "median"})
_AMOUNTS: Final = frozenset({*MONEY, "balance"})
_BY_EACH: Final = ("ами", "ями", "ам", "ям")
"""Endings of what is grouped by, in Ukrainian and Russian."""
_OF_MANY: Final = ("их", "ых")
"""Endings of adjectives of what there are so many of."""


def _counts_rows(intent: Intent) -> bool:
    return COUNT in intent.measures and intent.output in {Output.VALUE, Output.GROUPS}


@doubt
def _mean_per_thing(lattice: Lattice, intent: Intent) -> bool:
    """`average revenue per customer`: by each customer, or the mean of their totals; `pages per loan by genre`."""
    names, columns, words = lattice.names, lattice.vocabulary.by_name, lattice.sentence.words
    told = {measure.column for measure in intent.measures if measure.column is not None}
    headers = {word for name in told for word in columns[name].words}
    # A `Monthly fee` is no mean of each month.
    every = [one for one in lattice.sentence.concepts if one.name.startswith("every.")]
    monthly = bool(names & {"agg.mean", "agg.median"}) and any(
        words[one.start].norm not in headers for one in every
    )
    # `за місяцями` is by months, `за місяць` each month.
    spans = any(
        not word.norm.endswith(_BY_EACH) for at in lattice.behind("per.time") for word in words[at : at + 1]
    )
    timed = spans and any(key.unit is not None for key in intent.keys)
    if intent.output is not Output.GROUPS or not (names & {"per", "change.daily"} or monthly or timed):
        return False
    if any(
        # The mean of ratings is one thing; that of sums and that of the rows are two.
        measure.function in _MIDDLES and measure.column is not None and columns[measure.column].additive
        for measure in intent.measures
    ):
        people = {column.name for column in lattice.vocabulary.people}
        # Lines of an order have a mean, and orders have one.
        lines = {name for name, column in columns.items() if column.identifying or is_coded(column)}
        lines -= lattice.vocabulary.unique
        each = any(key.column in people | lines or lattice.vocabulary.is_timed(key) for key in intent.keys)
        if lattice.vocabulary.tells_apart and _names_what_rows_are(lattice, told):
            # The mean of what each invoice comes to is one thing.
            return monthly or timed
        return monthly or timed or (each and bool(names & {"per", "change.daily"}))
    if any(measure.per or measure.per_unit for measure in intent.measures):
        # `energy per unit by product`, over columns of both: what is divided by what was said.
        return False
    said = {at for at in (*lattice.behind("per"), *lattice.behind("by")) if at < len(words)}
    # `затраты на ремонт по адресам`, by addresses, of a `Стоимость ремонта`
    own = {
        at
        for at in said
        if any(one.alike(words[at].norm, word) for one in lattice.lexicons for word in headers)
    }
    places = {at for at in said - own if not lattice.at(at, LinkKind.TIME)}
    return len(places) > 1 and not any(name.startswith("agg.") for name in names)


def _names_what_rows_are(lattice: Lattice, told: Collection[str]) -> bool:
    """Tell whether the word for rows stands right before what is told of them: `average invoice amount per customer`."""
    ends = {link.end for link in lattice.called}
    return any(
        link.start in ends and column.name in told and not link.is_near
        for link, column in lattice.column_links
    )


def counts_things(column: TableColumn) -> bool:
    """Tell whether a header says that its numbers are of things, so that a row may be several of them."""
    return column.measure and column.additive and bool(_QUANTITIES & (column.kinds | column.units))


@doubt
def _counts_rows_for_a_quantity(lattice: Lattice, intent: Intent) -> bool:
    """`how many hammers do we have`, `items sold`, answered by rows beside a column of how many; `the most popular dish`."""
    measures = lattice.vocabulary.measures
    held = any(counts_things(one) or not HELD.isdisjoint(one.groups) for one in measures)
    crowds = any(not _CROWDS.isdisjoint(one.kinds) for one in measures)
    if not (held or crowds) or not _counts_rows(intent) or len(intent.measures) > 1:
        return False
    if intent.limit is not None and intent.keys and not _POPULAR.isdisjoint(lattice.names):
        # «який товар зустрічається найчастіше» (which occurs most often): in the most rows.
        return not ("exist" in lattice.names and _POPULAR & lattice.names == {"agg.mode"})
    # What is dearer than so much is counted by its prices.
    bounded = any(lattice.vocabulary.by_name[one.column].measure for one in plain_conditions(intent.clauses))
    return held and _says_things(lattice, bounded=bounded)


def _says_things(lattice: Lattice, *, bounded: bool) -> bool:
    """Tell whether what is counted are things of which a row may have several, rather than rows."""
    behind = {*lattice.behind("count"), *map(lattice.beyond, lattice.behind("count"))}
    happened = lattice.tells("event.")
    called = {link.start for link in lattice.called}
    if happened and any(lattice.has(place, "goods") for place in behind - called):
        return True
    # `number of sold lamps`
    sold = {place + 1 for place in behind if lattice.has(place, "verb.quantity")}
    if any(lattice.at(place, LinkKind.CELL) for place in sold):
        return True
    if any(lattice.has(place, "pieces", "measure.piece", "header.pieces") for place in behind):
        return not bounded
    # `how many sofas were ordered`: orders are not, though rows are called so; `how many are pending`: rows are.
    rows = any(
        link.name == "entity" or lattice.skips[place] is not Skip.VERB
        for place in behind
        for link in lattice.at(place, LinkKind.ROWS)
    )
    if bounded or rows:
        return False
    cells = (cell for place in behind for cell in lattice.at(place, LinkKind.CELL))
    return any(lattice.column(cell).groups.isdisjoint(STATES) for cell in cells)


@doubt
def _counts_rows_for_money(lattice: Lattice, intent: Intent) -> bool:
    """`сколько ушло` (how much went out), `сколько аренда` (how much is rent), answered by the number of payments."""
    if not _counts_rows(intent) or not lattice.vocabulary.money or intent.output is not Output.VALUE:
        return False
    if not (lattice.has(0, "count") and lattice.has(0, "howmuch")) or len(lattice.skips) == 1:
        return False
    # What is counted stands in the plural of the genitive, and so is written as no cell is.
    cash = lattice.sentence.words[1].norm in lattice.said("cash")
    things = any(
        cash
        or (
            not ({"cell.form", "cell.part"} & cell.signs)
            and lattice.column(cell).groups.isdisjoint({*STATES, "gender"})
            and not lattice.column(cell).named
            and not lattice.at(cell.end, LinkKind.ROWS)
        )
        for cell in lattice.at(1, LinkKind.CELL)
    )
    # «скільки оплачених замовлень» asks for their number.
    paid = lattice.skips[1] is Skip.VERB and lattice.has(1, "event.pay", "cell.movement.", "verb.")
    paid = paid and not (lattice.sentence.words[1].norm.endswith(_OF_MANY) and lattice.at(2, LinkKind.ROWS))
    return paid or (things and not lattice.at(1, LinkKind.ROWS))


@doubt
def _shares_rows_for_money(lattice: Lattice, intent: Intent) -> bool:
    """`доля аренды` (the share of rent), `процент продаж Москвы`, answered by that of the payments rather than of what was paid."""
    if not lattice.vocabulary.money or not any(
        one.part and one.function == "count" for one in intent.measures
    ):
        return False
    said = {place for cell in lattice.links(LinkKind.CELL) for place in range(cell.start, cell.end)}
    known = lattice.vocabulary.by_name
    said.update(place for place in range(len(lattice.skips)) if lattice.has(place, "summed_noun"))
    # Expenses, or an estimate, are no rows of which some are counted.
    said.update(
        one.start for one in lattice.sentence.concepts if one.name.removeprefix("header.") in _OF_MONEY
    )
    rows = any(link.name != "stranger" and link.start not in said for link in lattice.links(LinkKind.ROWS))
    kinds = not rows and all(
        known[one.column].text and not known[one.column].flag and known[one.column].groups.isdisjoint(STATES)
        for measure in intent.measures
        for one in single_conditions(measure.part)
    )
    return kinds and all(
        place in said or lattice.has(place, "share", "rank.verb") or skip in {Skip.JOIN, Skip.NOTHING}
        for place, skip in enumerate(lattice.skips)
    )


@doubt
def _loses_different(lattice: Lattice, intent: Intent) -> bool:
    """`how many different books were borrowed`, answered by the number of loans."""
    if "distinct" not in lattice.names or intent.output is Output.VALUES:
        return False
    told = any(one.function in _DIFFERENT for one in intent.measures)
    return _counts_rows(intent) and not (told or intent.keys)


@doubt
def _loses_every(lattice: Lattice, intent: Intent) -> bool:
    """`how many students passed every exam`, answered by those who passed any of them."""
    if not intent.clauses or intent.having or intent.output not in {Output.VALUE, Output.VALUES, Output.ROWS}:
        return False
    return any(
        lattice.at(place, LinkKind.ROWS) or lattice.columns(place)
        for place in lattice.behind("each")
        if place > 1 and lattice.skips[place - 2] not in {Skip.JOIN, Skip.NOTHING}
    )


@doubt
def _counts_what_may_be_added_up(lattice: Lattice, intent: Intent) -> bool:
    """`donations by month`: how many there were, or how much was given."""
    if intent.output is not Output.GROUPS or not _counts_rows(intent) or intent.orders or intent.having:
        return False
    given = lattice.said("given")
    named = any(lattice.sentence.words[link.start].norm in given for link in lattice.links(LinkKind.ROWS))
    return named and bool(lattice.vocabulary.money) and lattice.names.isdisjoint({"count", "howmuch"})


@doubt
def _adds_up_what_each_cost(lattice: Lattice, intent: Intent) -> bool:
    """`сколько стоил безлимит` (what did a pass cost), answered by what all of them came to."""
    summed = any(one.function == "sum" for one in intent.measures) and intent.output is Output.VALUE
    if not (summed and lattice.says("priced")) or not lattice.names.isdisjoint({"agg.sum", "all"}):
        return False
    return any(one.column not in lattice.vocabulary.unique for one in plain_conditions(intent.clauses))


@doubt
def _counts_rows_for_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """`spending on Netflix per month`, answered by the number of payments."""
    if not lattice.vocabulary.measures or any(one.function != "count" for one in intent.measures):
        return False
    rows = {link.start for link in lattice.links(LinkKind.ROWS) if not link.is_near}
    amounts = any(
        one.name.removeprefix("header.") in _AMOUNTS
        and (one.name != "header.balance" or lattice.skips[one.start] is Skip.UNKNOWN)
        and one.start not in rows
        and all(link.is_near for link, _ in lattice.columns(one.start))
        and not lattice.at(one.start, LinkKind.CELL)
        for one in lattice.sentence.concepts
        if one.name.startswith("header.")
    )
    listed = intent.output is Output.ROWS and not (intent.columns or intent.orders)
    # `how many items cost more than 50`
    if any(lattice.vocabulary.by_name[one.column].monetary and one.values for one in all_conditions(intent)):
        return False
    return amounts and (listed or (bool(intent.measures) and intent.output in _FIGURED))


@doubt
def _mean_in_each_time(lattice: Lattice, intent: Intent) -> bool:
    """`средняя сумма в день` (the mean sum a day), answered by the mean of rows, or by that of the rows of each day."""
    means = [one.column for one in intent.measures if one.function in _MIDDLES and one.column is not None]
    added = any(lattice.vocabulary.by_name[name].additive for name in means)
    return added and any(
        lattice.has(place, "unit.") and not lattice.has(place - 1, "by") for place in lattice.behind("in")
    )


@doubt
def _counts_rows_for_different_things(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether several rows are taken for several things: `customers who bought more than one product`."""
    if all(one.measure != COUNT for one in intent.having):
        return False
    rows = {link.start for link in lattice.called}
    return any(
        column.text and number.end not in rows and not lattice.has(number.end, "times")
        for number in lattice.links(LinkKind.NUMBER)
        for link, column in lattice.columns(number.end)
        if "column.missing" not in link.signs
    )


@doubt
def _counts_times_for_what_is_in_them(lattice: Lattice, intent: Intent) -> bool:
    """`how many hours in total`, answered by how many hours of the day have rows; `сколько в день` (how many a day), by how many days."""
    known = lattice.vocabulary.by_name
    different = {one.column or "" for one in intent.measures if one.function == "count_distinct"}
    timed = any(key.unit for key in intent.keys) or any(
        known[name].dated for name in known.keys() & different
    )
    summed = "agg.sum" in lattice.names or any(lattice.has(place, "in") for place in lattice.behind("count"))
    return intent.output is Output.VALUE and timed and summed


@doubt
def _counts_ways_of_paying(lattice: Lattice, intent: Intent) -> bool:
    """`скільки заплачено` (how much was paid), answered by how many ways of paying there are."""
    likened = lattice.named_only(
        lambda link: link.is_loose and lattice.concepts(link.start, "header.paid", "verb.", "event.")
    )
    different = {one.column for one in intent.measures if one.function == "count_distinct"}
    return lattice.has(0, "howmuch") and not likened.isdisjoint(different)
