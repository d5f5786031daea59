"""Doubts about constructions that two careful readers take differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.choice.doubts.bounds import ASKING
from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    COUNT,
    EXCLUDING,
    Intent,
    Operator,
    Output,
    all_conditions,
    plain_conditions,
    single_conditions,
)
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.draft import JUDGED
from tabchat.planner.readings.ranks import most_of_unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.links import Lattice

_LISTING: Final = frozenset({"listed", "list", "chart", "file", "dataset"})
_RANKING: Final = frozenset({"points", "rank"})
"""Groups of columns by which a table is ranked."""
_GROUPING: Final = frozenset(
    {"by", "per", "each", "wise", "which", "who", "distribution", "compare", "versus", "either"}
)
"""Words that ask for groups."""
_OF_EACH: Final = ("ах", "ях", "ам", "ям", "ами", "ями")
"""Endings of several behind по and за, by each of which something is told."""
_MANY: Final = ("и", "і", "ы", "ї")
"""Endings of several that are named."""
_ALL: Final = frozenset({"list", "all", "table", "head", "each", "rows"})
"""Words that ask for rows as they are."""


@doubt
def _groups_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`average rating of drivers`: of each, or of all of them; `drivers: average rating`, `city averages of fee` are of each."""
    keys = {key.column for key in intent.keys if key.column is not None and key.unit is None}
    if intent.output is not Output.GROUPS or intent.orders or intent.having or not keys:
        return False
    figures = [one.start for one in lattice.sentence.concepts if one.name.startswith("agg.")]
    named = [link for link, column in lattice.column_links if column.name in keys]
    starts = [link.start for link in named]
    if (
        starts
        and figures
        and max(starts) < min(figures)
        and not any(lattice.has(at - 1, "in") for at in starts)
    ):
        return False
    headed = {
        lattice.column(link).name
        for link in named
        if (not link.start or lattice.has(link.start - 1, "comma"))
        and lattice.has(link.end + int(lattice.has(link.end, "and")), "agg.", "count")
    }
    return _GROUPING.isdisjoint(lattice.names) and not keys <= headed


@doubt
def _loses_a_key(lattice: Lattice, intent: Intent) -> bool:
    """«загальна вартість у Києві або Львові по містах», answered by one figure of both, since the column is in a condition."""
    keys = {key.column for key in (*intent.keys, *intent.limit_keys)} | {one.column for one in intent.orders}
    several = {
        one.column for one in all_conditions(intent) if one.operator in EXCLUDING or len(one.values) > 1
    }
    return any(
        column.text and column.name in several - keys and lattice.has(link.start - 1, "by", "per", "each")
        for link, column in lattice.column_links
    )


@doubt
def _bounds_another_than_it_names(lattice: Lattice, intent: Intent) -> bool:
    """`with more than 30 losses, average points by division`, answered by means of points above 30."""
    told = [(one.column, one.values) for one in all_conditions(intent)]
    told += [(one.measure.column, one.values) for one in intent.having if one.measure.column is not None]
    for link in lattice.links(LinkKind.NUMBER):
        named = [
            column.name for noun, column in lattice.columns(link.end) if column.numeric and not noun.is_loose
        ]
        bounded = {name for name, values in told if link.quantity and link.quantity.value in values}
        if named and bounded and bounded.isdisjoint(named):
            return True
    return False


@doubt
def _judges_what_nothing_tells(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether more of it may be worse as well as better: `the best manager by weight`."""
    if intent.orders and any(most_of_unknown(lattice, place) for place in range(len(lattice.skips))):
        return True
    # `best paid` says what is best.
    said = {one.start for one in lattice.sentence.concepts if one.name.startswith("scale.most.")}
    judged = [one for one in lattice.sentence.concepts if one.name in JUDGED and one.start not in said]
    if not intent.orders or not judged:
        return False
    name = intent.orders[0].column or (intent.measures[0].column if intent.measures else None)
    if name is None and any(measure.part for measure in intent.measures):
        # The worst rate of failures is the highest one.
        return True
    columns = lattice.vocabulary.by_name
    return name is not None and name in columns and columns[name].is_better_low(lattice.lexicons) is None


def is_of_one_row(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a question is of one row, whose amount is no sum: `how many sales did the single Sunrise have`."""
    columns = lattice.vocabulary.by_name
    return any(
        columns[clause.column].facts.unique for clause in plain_conditions(intent.clauses, Operator.EQ)
    )


@doubt
def _sums_what_each_has(lattice: Lattice, intent: Intent) -> bool:
    """`how long does Hamlet last`, answered by the sum of all its evenings although no word asks for one."""
    if intent.output is not Output.VALUE or lattice.tells("agg."):
        return False
    return (
        not is_of_one_row(lattice, intent)
        and any(measure.function == "sum" and not measure.part for measure in intent.measures)
        and any(
            word.norm in lexicon.habitual for word in lattice.sentence.words for lexicon in lattice.lexicons
        )
    )


@doubt
def _takes_the_file_for_time(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the latest may be meant: `the last 5 records`, answered by the end of a file whose dates do not rise."""
    dates = lattice.vocabulary.dates
    placed = intent.output is Output.HEAD and bool(intent.orders) and intent.orders[0].descending
    return placed and bool(dates) and dates[0].temporal and not dates[0].facts.ascending


@doubt
def _takes_the_last_time_for_one(lattice: Lattice, intent: Intent) -> bool:
    """`items last counted in March`, answered by the one that was counted last in March."""
    several = (link.end for link in lattice.links(LinkKind.ROWS) if lattice.is_plural(link.start, link.end))
    done = (at + 1 for at in several if lattice.has(at, "edge.last"))
    dated = (column.dated for at in done for _, column in lattice.columns(at))
    return intent.limit == 1 and bool(intent.periods) and any(dated)


@doubt
def _takes_rows_for_units(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether months may have several rows, or stand in another order: `last 4 weeks`, answered by 4 rows of the file."""
    if intent.output not in {Output.HEAD, Output.ROWS} or not intent.limit:
        return False
    ends = [link.end for link, number in lattice.quantities if number.value == intent.limit]
    units = {at - back for at in ends for back in (0, 1) if lattice.concepts(at - back, "unit.")}
    named = [column.facts for at in units for _, column in lattice.columns(at)]
    ordered = intent.output is Output.ROWS and bool(intent.orders)
    return bool(units) and not any(one.unique and (ordered or one.ascending) for one in named)


@doubt
def _takes_the_edge_of_a_file(lattice: Lattice, intent: Intent) -> bool:
    """`which team is last`, `first class on Monday`, answered by a row's place in the file beside points, or a time of day."""
    columns, rows = lattice.vocabulary.columns, lattice.links(LinkKind.ROWS)
    ranked = any(not column.groups.isdisjoint(_RANKING) for column in columns)
    timed = any(column.kind is ColumnKind.TIME for column in columns)
    named = any(link.name != "generic" for link in rows)
    if any(
        link.name == "table" and lattice.sentence.words[link.end - 1].norm in _LISTING
        for link in lattice.links(LinkKind.CONCEPT)
    ):
        # `listed last`, `last on the chart` asks for just that; `last overall`, `last in the table` may be of the points.
        return False
    return intent.output is Output.HEAD and not lattice.vocabulary.dates and (ranked or (timed and named))


@doubt
def _lists_amounts(lattice: Lattice, intent: Intent) -> bool:
    """`sales until March`, answered by the rows where a column of money may have been meant."""
    if (
        intent.output is not Output.ROWS
        or intent.orders
        or "list" in lattice.names
        or not lattice.vocabulary.money
    ):
        return False
    return any(
        concept.name == "header.revenue" and lattice.at(concept.start, LinkKind.ROWS)
        for concept in lattice.sentence.concepts
    )


@doubt
def _groups_what_is_sorted(lattice: Lattice, intent: Intent) -> bool:
    """`sort by date, newest first`, answered by the number of rows of each day."""
    counted = intent.output is Output.GROUPS and all(measure == COUNT for measure in intent.measures)
    return counted and "sort" in lattice.names and not any(name.startswith(ASKING) for name in lattice.names)


@doubt
def _lists_all_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`what's out of stock`, answered by the whole table."""
    return intent == Intent(output=Output.ROWS) and _ALL.isdisjoint(lattice.names)


@doubt
def _groups_all(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether groups may be meant together: Russian and Ukrainian say `by all cities` of both."""
    # «менше за все» is least of all.
    least = {one.end for one in lattice.sentence.concepts if one.name.startswith("super.")}
    return intent.output is Output.GROUPS and any(
        lattice.has(place, "all") and place + 1 not in least for place in lattice.behind("by")
    )


@doubt
def _parts_what_is_joined(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether one mean may be meant: `the average mark in March and April`, answered by that of each."""
    timed = any(
        side.period is not None or any(one.part for one in single_conditions(side.clauses))
        for side in intent.sides
    )
    joined = intent.comparison is None and "and" in lattice.names and "compare" not in lattice.names
    return timed and joined and any(one.function == "mean" for one in intent.measures)


@doubt
def _denies_of_one_row(lattice: Lattice, intent: Intent) -> bool:
    """`which regions have no returns`, answered by those with any order that was not returned."""
    columns = lattice.vocabulary.by_name
    repeated = any(columns[name].text and not columns[name].facts.unique for name in intent.columns)
    clauses = single_conditions(intent.clauses) if intent.output is Output.VALUES and repeated else ()
    return any(item.operator in EXCLUDING for item in clauses)


@doubt
def _ranks_what_is_popular_in_each(lattice: Lattice, intent: Intent) -> bool:
    """`most popular genre for each member`: by how often each took it, or by how well they like it."""
    return bool(intent.limit_keys) and "count.max" in lattice.names and "refuse.opinion" in lattice.names


@doubt
def _keeps_one_of_what_it_is_grouped_by(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether each of several may be meant: `stations by villages`, answered by those of the kind `village`."""
    kept = {item.column for item in single_conditions(intent.clauses)} if not intent.keys else set()
    columns, words = lattice.vocabulary.columns, lattice.sentence.words
    return any(
        columns[cell.column].name in kept and _is_of_many(words[cell.end - 1].norm, cell.texts)
        # `на` and `в` say where.
        for place in lattice.behind("by")
        if not lattice.has(place - 1, "at")
        for cell in lattice.at(place, LinkKind.CELL)
    )


def _is_of_many(word: str, cells: Sequence[str]) -> bool:
    """Tell whether a word is the plural of cells that are written in the singular."""
    if word.isascii():
        return word.endswith("s") and not any(cell.endswith("s") for cell in cells)
    # `по Черкасах` is in the plural as its cell is.
    one = not any(cell.isascii() or cell.casefold().endswith(_MANY) for cell in cells)
    return one and word.endswith(_OF_EACH)
