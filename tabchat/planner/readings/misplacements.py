"""Readings of another row, end or number than a question asks for, and of sides that it only names."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Operator, Output, plain_conditions, single_conditions
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind, is_named
from tabchat.planner.links.neighbours import SIDES
from tabchat.planner.links.rates import rated_by
from tabchat.planner.links.units import RANKS
from tabchat.planner.readings.draft import SIZES

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_BESIDE: Final = frozenset({"row_before", "row_after"})
"""Parts of a condition on the row beside one."""

_MOST: Final = ("super.", "degree.most", "degree.least", "scale.most.")
_ASKING: Final = ("more", "fewer", "compare", "diff", "either", "scale.more.", "comparative.")
"""Words that ask which side it is."""
_LISTING: Final = frozenset({"and", "or", "comma", "compare", "to", "until"})
"""Words between two times."""
_RISING: Final = ("asc", "super.min", "top.min", "top.worst", "agg.min", "agg.rarest", "count.min", "scale.")
"""Words for what comes first from below."""
_NAMING: Final = (LinkKind.COLUMN, LinkKind.ROWS, LinkKind.CELL)
_LISTED: Final = ["on", "the", "list"]


def misplaces(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether an intent is of another row than the one beside another, or only of their number."""
    return (
        _counts_the_row_beside(intent)
        or _tells_the_other(lattice, intent)
        or _ranks_what_is_listed(lattice, intent)
        or _ranks_from_below(lattice, intent)
        or _tells_an_end_for_its_row(lattice, intent)
        or _ranks_another(lattice, intent)
        or _groups_what_is_kept(lattice, intent)
        or _tells_an_end_for_what_is_first(lattice, intent)
        or _groups_by_what_is_so(lattice, intent)
        or _compares_what_restricts(lattice, intent)
        or _compares_where_rows_are_ranked(lattice, intent)
        or _takes_what_is_named_for_sides(lattice, intent)
        or _ranks_one_of_both_ends(lattice, intent)
        or _orders_nothing(lattice, intent)
        or _takes_the_beginning_alone(lattice, intent)
        or _compares_one_stretch(lattice, intent)
        or _passes_over_each_time(lattice, intent)
        or _lists_rows_for_things(lattice, intent)
    )


def _counts_the_row_beside(intent: Intent) -> bool:
    """`which city comes after Lviv`, answered by a number of rows: there is one behind each."""
    beside = any(one.part in _BESIDE for one in single_conditions(intent.clauses))
    figures = intent.output in {Output.VALUE, Output.GROUPS, Output.EXISTS}
    return beside and figures and all(one.function.startswith("count") for one in intent.measures)


def _tells_the_other(lattice: Lattice, intent: Intent) -> bool:
    """`which city comes after Lviv`, answered by the row of Lviv."""
    if not lattice.has(0, "which", "who"):
        return False
    sides = frozenset((*SIDES, *SIDES.values()))
    # Who looks after somebody stands behind nobody.
    ends = {
        one.end
        for one in lattice.sentence.concepts
        if one.name in sides and lattice.skips[max(0, one.start - 1)] is not Skip.UNKNOWN
    }
    named = {
        (lattice.column(cell).name, cell.texts)
        for end in ends
        for at in (end, lattice.beyond(end - 1))
        for cell in lattice.at(at, LinkKind.CELL)
        if cell.whole and lattice.column(cell).kept_unique
    }
    return any(
        one.part is None and (one.column, one.values) in named
        for one in plain_conditions(intent.clauses, Operator.EQ)
    )


def _ranks_what_is_listed(lattice: Lattice, intent: Intent) -> bool:
    """Tell of `the first yacht on the list`, `the yacht listed first`, answered by the one that was launched first."""
    placed = not lattice.names.isdisjoint({"rel.first", "rel.last", "edge.first", "edge.last"})
    if not placed or intent.output not in {Output.ROWS, Output.GROUPS} or intent.limit is None:
        return False
    words = [word.norm for word in lattice.sentence.words]
    listed = "listed" in words or any(words[at : at + len(_LISTED)] == _LISTED for at in range(len(words)))
    return listed and any(
        order.column is not None and order.column not in lattice.named for order in intent.orders
    )


def _ranks_from_below(lattice: Lattice, intent: Intent) -> bool:
    """Tell of «перші три міста за сумою», the same word as of a top, answered by the three lowest."""
    rising = intent.limit is not None and bool(intent.orders) and not intent.orders[0].descending
    doubled = {"top.max", "rel.first"} <= lattice.names
    if not (rising and doubled) or any(is_named(name, _RISING) for name in lattice.names):
        return False
    column = lattice.vocabulary.by_name.get(intent.orders[0].column or "")
    if column is None:
        return intent.output is Output.GROUPS and any(key.unit is None for key in intent.keys)
    return column.measure and RANKS.isdisjoint(column.words)


def _ranks_another(lattice: Lattice, intent: Intent) -> bool:
    """`which show had the most awards`, answered by the award of most shows."""
    if intent.output is not Output.GROUPS or intent.limit is None or not lattice.has(0, "which"):
        return False
    ends = {link.end for link in lattice.concepts(0, "which")}
    asked = [(link.end, column) for end in ends for link, column in lattice.columns(end) if not link.is_near]
    # The manager is asked for by `which store manager`.
    if any(lattice.at(end, kind) for end, _ in asked for kind in _NAMING):
        return False
    named = {column.name for _, column in asked if column.text}
    return bool(named) and named.isdisjoint(key.column for key in (*intent.keys, *intent.limit_keys))


def _groups_what_is_kept(lattice: Lattice, intent: Intent) -> bool:
    """Tell of `among the paid ones, the highest fee`, answered by which of paid and unpaid ones have it."""
    keys = {key.column for key in intent.keys}
    return any(
        column.flag and column.name in keys
        for place in lattice.behind("among")
        for _, column in lattice.columns(place)
    )


def _tells_an_end_for_its_row(lattice: Lattice, intent: Intent) -> bool:
    """`trip with the maximum distance`, answered by the distance."""
    ends = intent.output is Output.VALUE and any(one.function in {"max", "min"} for one in intent.measures)
    with_it = {link.end for link in lattice.links(LinkKind.ROWS) if lattice.has(link.end, "had")}
    return ends and any(lattice.has(lattice.beyond(at), "agg.max", "agg.min", *SIZES) for at in with_it)


def _tells_an_end_for_what_is_first(lattice: Lattice, intent: Intent) -> bool:
    """`which title was the first title released`, answered by its date: what is first is named, and is no date or figure."""
    if intent.output is not Output.VALUE or not lattice.has(0, "which", "who"):
        return False
    if not any(one.function in {"max", "min"} for one in intent.measures):
        return False
    behind = {one.end for one in lattice.sentence.concepts if one.name in {"rel.first", "rel.last"}}
    return any(
        column.text and not link.is_loose and not any(lattice.columns(link.end))
        for place in behind
        for link, column in lattice.columns(place)
    )


def _groups_by_what_is_so(lattice: Lattice, intent: Intent) -> bool:
    """`first 5 trips that are electric`, answered for those that are and those that are not."""
    flags = [key.column for key in intent.keys if key.column and lattice.vocabulary.by_name[key.column].flag]
    said = [link for link, column in lattice.column_links if column.name in flags]
    return bool(said) and all(lattice.has(link.start - 1, "pred") for link in said)


def _compares_what_restricts(lattice: Lattice, intent: Intent) -> bool:
    """`average fee where product is tea or milk`, answered by the fees of both, or by product."""
    sides = {one.column for side in intent.sides for one in single_conditions(side.clauses)}
    said = Counter(column.name for _, column in lattice.column_links)
    conditions = {one.column for one in single_conditions(intent.clauses)}
    # `fee per product where product is tea or milk` says the key beside the condition.
    kept = {key.column for key in intent.keys if key.column in conditions and said[key.column] == 1}
    return bool(sides or kept) and any(
        lattice.column(link).name in names and lattice.has(link.start - 1, before)
        # `total fee, only tea and milk`
        for kind, before, names in ((LinkKind.COLUMN, "where", sides | kept), (LinkKind.CELL, "only", sides))
        for link in lattice.links(kind)
    )


def _compares_where_rows_are_ranked(lattice: Lattice, intent: Intent) -> bool:
    """`who earns the most in sales or support`, answered by one of these two; `top 5 players by wage in either`."""
    if intent.comparison != "which":
        return False
    counted = {link.start for link in lattice.links(LinkKind.NUMBER)}
    if any(lattice.has(at - 1, "top.") or lattice.at(at + 1, LinkKind.ROWS) for at in counted):
        # `top 5 players by wage`
        return True
    people = {column.name for column in lattice.vocabulary.people}
    most = any(name.startswith(_MOST) for name in lattice.names)
    if people and most and "who" in lattice.names:
        return people.isdisjoint(
            one.column for each in intent.sides for one in single_conditions(each.clauses)
        )
    return False


def _takes_what_is_named_for_sides(lattice: Lattice, intent: Intent) -> bool:
    """`top 3 cities by fee for tea or coffee`, `what is the fee for tea or coffee`, answered by which of both comes to more."""
    # `where fee is at least 20, …` asks for no place.
    asks = lattice.has(0, "who") or (lattice.has(0, "where") and not lattice.columns(1))
    if intent.comparison != "which" or asks:
        return False
    if any(is_named(name, _ASKING) for name in lattice.names):
        return False
    sided = {one.column for side in intent.sides for one in single_conditions(side.clauses) if not one.part}
    cells = [link.start for link, column in lattice.cell_links if column.name in sided]
    # «У Хірургії» names no `лікар`, as a cell of another column.
    heads = [one for one in lattice.links(LinkKind.COLUMN) if not lattice.at(one.start, LinkKind.CELL)]
    if not cells or any(lattice.column(link).name in sided for link in heads):
        return False
    first = min(cells)
    # `who sold most, Ann or Bob`, `which of Ann and Bob sold most`
    apart = any(lattice.has(place, "comma") for place in (first - 1, first - 2))
    opened = max((one.end for one in lattice.concepts(0, "which")), default=0)
    return not apart and first > opened + 1


def _ranks_one_of_both_ends(lattice: Lattice, intent: Intent) -> bool:
    """`lowest and highest fee by city`, answered by the city with one of both."""
    both = any(
        lattice.has(place, *SIZES - {one.name})
        for one in lattice.sentence.concepts
        if one.name in SIZES and lattice.has(one.end, "and")
        for place in (one.end + 1, one.end + 2)
    )
    return both and intent.limit == 1


def _orders_nothing(lattice: Lattice, intent: Intent) -> bool:
    """`in April, orders in descending order of price`, answered by the sum of these."""
    if intent.output not in {Output.VALUE, Output.COMPARISON} or intent.orders:
        return False
    directed = [one.end for one in lattice.sentence.concepts if one.name in {"desc", "asc"}]
    return any(lattice.columns(place) for end in directed for place in (end, end + 1))


def _takes_the_beginning_alone(lattice: Lattice, intent: Intent) -> bool:
    """Tell of «по містах, починаючи з найбільшої суми» (by city, starting from the greatest), answered by one, or by the greatest of each."""
    begun = [one.end for one in lattice.sentence.concepts if one.name == "since" and one.end - one.start > 1]
    ends = intent.limit == 1 or any(one.function in {"max", "min"} for one in intent.measures)
    return ends and any(lattice.has(end, *_MOST) for end in begun)


def _compares_one_stretch(lattice: Lattice, intent: Intent) -> bool:
    """Tell of «який середній пробіг раніше березня» (before March), answered by January against February: one stretch was said."""
    sides = [one for side in intent.sides for one in plain_conditions(side.clauses) if one.part]
    numbers = {value for one in sides for value in one.values}
    listed = {one.start for one in lattice.sentence.concepts if one.name in _LISTING}
    return len(sides) > 1 and any(
        link.time is not None
        and numbers == {number for _, numbers in link.time.parts for number in numbers}
        and listed.isdisjoint(range(link.start, link.end))
        for link in lattice.links(LinkKind.TIME)
    )


def _passes_over_each_time(lattice: Lattice, intent: Intent) -> bool:
    """Tell of «сума помісячно» (the sum by month), answered by one sum."""
    summed = all(one.function in {"sum", "count"} and not one.per for one in intent.measures)
    return (intent.output is Output.VALUE and summed and not intent.keys) and any(
        one.name.startswith("every.")
        and not (lattice.columns(one.start) or lattice.at(one.start, LinkKind.CELL))
        and not rated_by(lattice, one.name.removeprefix("every."))
        for one in lattice.sentence.concepts
    )


def _lists_rows_for_things(lattice: Lattice, intent: Intent) -> bool:
    """`which drivers are there at Mill`, answered by all the rows, of which several are of one driver."""
    if intent.output is not Output.ROWS or intent.columns or intent.orders or lattice.links(LinkKind.ROWS):
        return False
    asked = {one.end for one in lattice.sentence.concepts if one.name in {"list", "which", "all", "exist"}}
    named = [(link, column) for link, column in lattice.column_links if not link.is_near]
    return any(
        link.start in asked
        and column.text
        and not column.facts.unique
        # `filter product tea` says which rows.
        and not any(cell.column == link.column for cell in lattice.at(link.end, LinkKind.CELL))
        for link, column in named
    )
