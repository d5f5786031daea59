"""Doubts about what a noun is of: rows, different cells of a column, or something that the table does not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.counts import counts_things
from tabchat.planner.choice.doubts.grain import SORTS
from tabchat.planner.choice.doubts.missing import OWED
from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.choice.doubts.sums import is_bare
from tabchat.planner.intent import BOUNDING, COUNT, EXCLUDING, Operator, Output, all_conditions
from tabchat.planner.links.link import CALLED, LinkKind
from tabchat.planner.links.units import MONEY
from tabchat.planner.readings.states import STATES

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.link import Link

_COUNTING: Final = frozenset({"count", "howmuch", "count.max", "count.min", "agg.mode", "distribution"})
"""Words that ask for a number of rows, or for what there is most of."""
_SUPPOSED: Final = frozenset({"stranger", "near", "meant"})
"""Links of nouns for rows of which nothing in the table tells that it has them."""
_PARTLY: Final = frozenset({"column.missing", "column.agent", "column.kin"})
_DONE: Final = "ed"
_NOT: Final = ("not ", "not-", "non", "non-", "un", "in", "не ", "не")
"""Beginnings of what is not so, in whatever language the cells are written."""
_BOTH: Final = 2
"""Different cells of which one is what the other is not."""
_MANY_GIFTS: Final = 1_000
"""Gifts that nobody makes."""
_TIMES: Final = 10
"""How much more what was given is than how often."""
_LOWEST: Final = frozenset({1, 2})
_MARKS: Final = frozenset({5, 10})
"""Worst and best marks of a survey."""


@doubt
def _counts_rows_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`score by age group`, `salaries per month`, answered by numbers of rows, which nothing asks for or names."""
    grouped = intent.output is Output.GROUPS and bool(intent.keys) and intent.measures == (COUNT,)
    if not grouped or intent.orders or intent.having or not _COUNTING.isdisjoint(lattice.names):
        return False
    called = any(link.name not in _SUPPOSED for link in lattice.links(LinkKind.ROWS))
    # `failures by host`
    states = {*STATES, "result"}
    called = called or any(
        not states.isdisjoint(lattice.column(one).groups) for one in lattice.at(0, LinkKind.CELL)
    )
    # `arrivals by month`
    called = called or lattice.tells("event.") or "which" in lattice.names
    called = called or any(column.dated for link, column in lattice.column_links if link.start == 0)
    return not called and any(column.measure for column in lattice.vocabulary.columns)


@doubt
def _counts_cells_of_a_part(lattice: Lattice, intent: Intent) -> bool:
    """`how many visitors`, answered by two types, of a column `visitor_type`; `denied applications`, by their applicants."""
    if "distinct" in lattice.names:
        return False
    columns = lattice.vocabulary.by_name
    told = {one.column for one in intent.measures if one.function == "count_distinct" and one.column}
    # Answers are no days on which they were given, and comments no different ones.
    days = any(name.startswith(("unit.", "header.date")) for name in lattice.names)
    if any((columns[name].dated and not days) or "notes" in columns[name].groups for name in told):
        return True
    if intent.output is not Output.VALUE:
        if intent.having or all(one.function == "count" for one in intent.measures):
            return False
        # `revenue per visitor`, by the type of each
        told = {
            key.column for key in intent.keys if key.column and _is_of_sorts(lattice, columns[key.column])
        }
    return not told.isdisjoint(lattice.named_only(lambda link: _PARTLY & link.signs))


def _is_of_sorts(lattice: Lattice, column: TableColumn) -> bool:
    """Tell whether a word of a header is one for a sort of things: `visitor_type`."""
    return any(SORTS & lexicon.header_group(word) for lexicon in lattice.lexicons for word in column.words)


@doubt
def _takes_names_for_amounts(lattice: Lattice, intent: Intent) -> bool:
    """`respondents per region`, answered by a sum of their numbers; `respondents under 35`, by numbers below it."""
    if "agg.sum" in lattice.names:
        return False
    columns = lattice.vocabulary.by_name
    told = {one.column for one in intent.measures if one.function == "sum"}
    told |= {one.column for one in all_conditions(intent) if one.operator in BOUNDING}
    several = {
        column.name
        for link, column in lattice.column_links
        if "column.form" in link.signs and not link.is_loose
    }
    each = {one.per for one in intent.measures}
    named = (columns[name] for name in (told & several) | each if name is not None)
    numbered = any(
        one.operator in BOUNDING
        and columns[one.column].identifying
        and columns[one.column].facts.kind.is_numeric
        and not columns[one.column].facts.years
        for one in all_conditions(intent)
    )
    return numbered or any(is_bare(one) and len(one.words) == 1 and not one.kinds for one in named)


@doubt
def _takes_a_deed_for_a_thing(lattice: Lattice, intent: Intent) -> bool:
    """`how many calls were billed`, answered by those of which the topic is `billing`."""
    asked = {(one.column, value) for one in all_conditions(intent) for value in one.values}
    return any(
        "cell.form" in cell.signs
        and lattice.has(cell.start - 1, "yesno")
        and lattice.sentence.words[cell.end - 1].norm.endswith(_DONE)
        and not any(text.casefold().endswith(_DONE) for text in cell.texts)
        and column.groups.isdisjoint(STATES)
        and any((column.name, text) in asked for text in cell.texts)
        for cell, column in lattice.cell_links
    )


@doubt
def _denies_what_has_a_word(lattice: Lattice, intent: Intent) -> bool:
    """`not interested`, `not paid`, answered by all other cells although one of them says just that: `unpaid`."""
    columns = lattice.vocabulary.by_name
    return any(
        f"{start}{value.casefold()}" in texts
        for one in all_conditions(intent)
        if one.operator in EXCLUDING and columns[one.column].facts.distinct != _BOTH
        for texts in [{text.casefold() for text in columns[one.column].facts.texts}]
        for value in one.values
        if isinstance(value, str)
        for start in _NOT
    )


@doubt
def _takes_one_synonym_of_two(lattice: Lattice, intent: Intent) -> bool:
    """`units sold`, answered by `qty_in`, although `qty_out` tells a quantity, too."""
    told = {one.column for one in intent.measures if one.column is not None}
    links = lattice.links(LinkKind.COLUMN)
    named: dict[str, list[Link]] = {}
    for link in links:
        named.setdefault(lattice.column(link).name, []).append(link)
    return any(
        all("column.synonym" in link.signs for link in named[name])
        and any(
            other.start == link.start and other.column != link.column and "column.synonym" in other.signs
            for link in named[name]
            for other in links
            if lattice.column(other).measure
            and not set(lattice.column(other).words).isdisjoint(lattice.column(link).words)
            and lattice.column(other).monetary == lattice.column(link).monetary
        )
        for name in named.keys() & told
    )


@doubt
def _adds_up_an_adjective(lattice: Lattice, intent: Intent) -> bool:
    """`сколько оплаченных заказов` (how many paid orders), `insured parcels`, answered by what was paid, or insured."""
    summed = {one.column for one in intent.measures if one.function == "sum"}
    rows = {link.start: link.name for link in lattice.links(LinkKind.ROWS) if link.name not in _SUPPOSED}
    return "agg.sum" not in lattice.names and any(
        column.name in summed
        and (
            (
                "column.form" in link.signs
                and (link.end in rows or any(one.text for _, one in lattice.columns(link.end)))
            )
            or ("column.headless" in link.signs and rows.get(link.end) in CALLED)
        )
        for link, column in lattice.column_links
    )


@doubt
def _takes_how_many_for_how_much(lattice: Lattice, intent: Intent) -> bool:
    """`average gift`, `total donated`, answered by numbers of gifts, of a table that tells what was given."""
    columns = lattice.vocabulary.by_name
    told = {one.column for one in intent.measures} | {one.column for one in intent.orders}
    counts = [columns[name] for name in told if name is not None and columns[name].facts.integral]
    # What was given comes to far more than how often.
    return lattice.says("donated") and any(
        isinstance(few, int) and isinstance(much, int | float) and few < _MANY_GIFTS and _TIMES * few < much
        for few in (one.facts.high for one in counts)
        for much in (one.facts.high for one in lattice.vocabulary.money if one not in counts)
    )


@doubt
def _adds_up_what_nobody_named(lattice: Lattice, intent: Intent) -> bool:
    """`which department borrows most`, answered by its fines."""
    columns, named = lattice.vocabulary.by_name, lattice.named
    money = any(
        name.startswith(("verb.", "money", "howmuch")) or name.removeprefix("header.") in {*MONEY, *OWED}
        for name in lattice.names
    )
    summed = {one.column for one in intent.measures if one.function == "sum" and one.column} - named
    if any(not counts_things(columns[name]) for name in summed) and _has_most_of_a_kind(lattice):
        return True
    return not money and any(not OWED.isdisjoint(columns[name].kinds) for name in summed)


def _has_most_of_a_kind(lattice: Lattice) -> bool:
    """Tell whether there are most rows of a kind: `who was on call for most P1s`, of which each has a number of customers."""
    places = [one.end for one in lattice.sentence.concepts if one.name.startswith("degree.")]
    return any(
        cell.whole and lattice.is_plural(*cell.span)
        for place in places
        for cell in lattice.at(place, LinkKind.CELL)
    )


@doubt
def _adds_up_somebody(lattice: Lattice, intent: Intent) -> bool:
    """`weight of Bella`, answered by the sum of what she weighed at each visit."""
    summed = lattice.measured(intent, "sum")
    whose = {one.column for one in all_conditions(intent) if one.operator is Operator.EQ}
    whose -= lattice.vocabulary.unique
    named = intent.output is Output.VALUE and any(lattice.vocabulary.by_name[name].text for name in whose)
    weighed = "header.weight" in lattice.names and lattice.names.isdisjoint({"agg.sum", "count", "howmuch"})
    return named and weighed and any("weight" in one.kinds for one in summed)


@doubt
def _ranks_orders_by_a_price(lattice: Lattice, intent: Intent) -> bool:
    """`dearest order`, answered by what one piece of it cost, of a table that tells a total."""
    ranked = {one.column for one in intent.orders if one.column} - lattice.named
    sold = not lattice.names.isdisjoint({"entity.order", "entity.invoice"})
    totals = [one for one in lattice.vocabulary.money if "price" not in one.kinds]
    return sold and bool(totals) and any("price" in lattice.vocabulary.by_name[name].kinds for name in ranked)


@doubt
def _values_what_no_row_is(lattice: Lattice, intent: Intent) -> bool:
    """`average order value` of a table of loans, answered by the mean of a column of money that nothing names."""
    strangers = {link.start for link in lattice.links(LinkKind.ROWS) if link.name == "stranger"}
    valued = any(one.name == "header.worth" and one.start in strangers for one in lattice.sentence.concepts)
    return valued and any("worth" not in one.kinds for one in lattice.measured(intent, "mean", "sum", "max"))


@doubt
def _lists_who_did_it_all(lattice: Lattice, intent: Intent) -> bool:
    """`хто сплатив усе` (who paid it all), answered by what each paid."""
    last = len(lattice.skips) - 1
    return (
        "who" in lattice.names
        and lattice.has(last, "all")
        and not lattice.has(last, "degree.beyond")
        and intent.output is Output.GROUPS
        and not intent.having
    )


@doubt
def _adds_up_marks(lattice: Lattice, intent: Intent) -> bool:
    """`men vs women service`, answered by sums of marks from 1 to 5, of which there may be more of one side."""
    summed = lattice.measured(intent, "sum")
    return "agg.sum" not in lattice.names and any(
        one.facts.integral
        and one.facts.low in _LOWEST
        and one.facts.high in _MARKS
        and not (one.units or one.monetary)
        and (not one.kinds or intent.output is Output.COMPARISON)
        for one in summed
    )
