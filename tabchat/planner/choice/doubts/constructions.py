"""Doubts about constructions that two careful readers take differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.choice.doubts.bounds import ASKING
from tabchat.planner.intent import (
    DENYING,
    Condition,
    Intent,
    Measure,
    Operator,
    Output,
    single_conditions,
)
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.draft import JUDGED
from tabchat.planner.readings.figures import ADDED

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.links import Lattice

_RANKING: Final = frozenset({"points", "rank"})
"""Groups of columns by which a table is ranked."""
_GROUPING: Final = frozenset(
    {"by", "per", "each", "wise", "which", "who", "distribution", "compare", "versus", "either"}
)
"""Words that ask for groups."""
_COMPARING: Final = (
    "exceed.",
    *("cmp.", "more", "fewer", "than", "scale.more", "same", "diff", "sign."),
    *("before", "after", "late", "punctual"),
)
"""Beginnings of concepts that compare."""
_JOINING: Final = frozenset({"and", "or", "compare", "either"})
"""Words between two things that are told of."""
_ALL: Final = frozenset({"list", "all", "table", "head", "each", "rows"})
"""Words that ask for rows as they are."""


def _groups_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`average rating of drivers`: of each, or of all of them."""
    return (
        intent.output is Output.GROUPS
        and not (intent.orders or intent.having)
        and any(key.column is not None and key.unit is None for key in intent.keys)
        and _GROUPING.isdisjoint(lattice.names)
    )


def _judges_what_nothing_tells(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether more of it may be worse as well as better: `the best manager by weight`."""
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


def _sums_what_each_has(lattice: Lattice, intent: Intent) -> bool:
    """`how long does Hamlet last`, answered by the sum of all its evenings although no word asks for one."""
    if intent.output is not Output.VALUE or any(name.startswith("agg.") for name in lattice.names):
        return False
    columns = lattice.vocabulary.by_name
    is_one = any(
        isinstance(clause, Condition)
        and clause.operator is Operator.EQ
        and columns[clause.column].facts.unique
        for clause in intent.clauses
    )
    return (
        not is_one
        and any(measure.function == "sum" for measure in intent.measures)
        and any(
            word.norm in lexicon.habitual for word in lattice.sentence.words for lexicon in lattice.lexicons
        )
    )


def _takes_the_file_for_time(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the latest may be meant: `the last 5 records`, answered by the end of a file whose dates do not rise."""
    dates = lattice.vocabulary.dates
    placed = intent.output is Output.HEAD and bool(intent.orders) and intent.orders[0].descending
    return placed and bool(dates) and dates[0].temporal and not dates[0].facts.ascending


def _takes_rows_for_units(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether months may have several rows, or stand in another order: `last 4 weeks`, answered by 4 rows of the file."""
    if intent.output not in {Output.HEAD, Output.ROWS} or not intent.limit:
        return False
    ends = [
        link.end
        for link in lattice.links(LinkKind.NUMBER)
        if link.quantity is not None and link.quantity.value == intent.limit
    ]
    units = {at - back for at in ends for back in (0, 1) if lattice.concepts(at - back, "unit.")}
    named = [column.facts for at in units for _, column in lattice.columns(at)]
    ordered = intent.output is Output.ROWS and bool(intent.orders)
    return bool(units) and not any(one.unique and (ordered or one.ascending) for one in named)


def _takes_the_edge_of_a_file(lattice: Lattice, intent: Intent) -> bool:
    """`which team is last`, `first class on Monday`, answered by a row's place in the file beside points, or a time of day."""
    columns, rows = lattice.vocabulary.columns, lattice.links(LinkKind.ROWS)
    ranked = any(not column.groups.isdisjoint(_RANKING) for column in columns)
    timed = any(column.kind is ColumnKind.TIME for column in columns)
    named = any(link.name != "generic" for link in rows)
    return intent.output is Output.HEAD and not lattice.vocabulary.dates and (ranked or (timed and named))


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


_APART: Final = frozenset({Output.COMPARISON, Output.CHANGE, Output.CORRELATION})
"""Outputs that keep apart what is compared."""


def _groups_what_is_sorted(lattice: Lattice, intent: Intent) -> bool:
    """`sort by date, newest first`, answered by the number of rows of each day."""
    counted = intent.output is Output.GROUPS and all(measure == Measure() for measure in intent.measures)
    return counted and "sort" in lattice.names and not any(name.startswith(ASKING) for name in lattice.names)


def _lists_all_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`what's out of stock`, answered by the whole table."""
    return intent == Intent(output=Output.ROWS) and _ALL.isdisjoint(lattice.names)


def _groups_all(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether groups may be meant together: Russian and Ukrainian say `by all cities` of both."""
    return intent.output is Output.GROUPS and any(lattice.has(place, "all") for place in lattice.behind("by"))


def _takes_one_mean_of_several(_: Lattice, intent: Intent) -> bool:
    """`orders above average in Germany`: above the mean of all, or of those in Germany."""
    above = any(isinstance(clause, Condition) and clause.part == "mean" for clause in intent.clauses)
    return above and len(intent.clauses) + len(intent.periods) > 1


def _parts_what_is_joined(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether one mean may be meant: `the average mark in March and April`, answered by that of each."""
    timed = any(
        side.period is not None or any(one.part for one in single_conditions(side.clauses))
        for side in intent.sides
    )
    joined = intent.comparison is None and "and" in lattice.names and "compare" not in lattice.names
    return timed and joined and any(one.function == "mean" for one in intent.measures)


def _denies_of_one_row(lattice: Lattice, intent: Intent) -> bool:
    """`which regions have no returns`, answered by those with any order that was not returned."""
    columns = lattice.vocabulary.by_name
    repeated = any(columns[name].text and not columns[name].facts.unique for name in intent.columns)
    clauses = single_conditions(intent.clauses) if intent.output is Output.VALUES and repeated else ()
    return any(item.operator in {Operator.NE, Operator.NOT_IN} for item in clauses)


def _denies_one_of_two(lattice: Lattice, intent: Intent) -> bool:
    """`without returned orders and discount over 10%`, `not reserved and damaged`: whether the second is left out, too."""
    joined = lattice.behind("and")
    bare = [place for place in joined if lattice.at(place, LinkKind.CELL)]
    without, denials = lattice.behind("without"), lattice.behind("not")
    if not any(place > min(without) for place in joined if without) and not any(
        place > min(denials) for place in bare if denials
    ):
        return False
    flat = [clause.operator for clause in intent.clauses if isinstance(clause, Condition)]
    denied = [operator in {Operator.NE, Operator.NOT_IN} for operator in flat]
    return any(denied) and not all(denied)


def _joins_what_it_compares(lattice: Lattice, intent: Intent) -> bool:
    """`2023 vs 2024`, `with and without a cafe`, answered by the rows of both, or of one, or by one sum over them, also in each group."""
    if lattice.names.isdisjoint({"compare", "either"}) or intent.output in _APART:
        return False
    if intent.output is not Output.GROUPS:
        return True
    columns = lattice.vocabulary.by_name
    if intent.clauses and any(key.column and columns[key.column].flag for key in intent.keys):
        # `compare the returning ones and the new ones`, by yes and no among those that are new.
        return True
    listed = [clause for clause in single_conditions(intent.clauses) if clause.operator is Operator.IN]
    joined = {clause.column for clause in listed} - {key.column for key in intent.keys}
    timed = len(intent.periods) > 1 or any(clause.part is not None for clause in listed)
    return not (timed and any(key.unit is not None for key in intent.keys)) and bool(joined or timed)


def _takes_two_for_one(_: Lattice, intent: Intent) -> bool:
    """Tell whether two were to be compared: `what breaks more often, city or electric bikes`, answered by what breaks most of both."""
    return any(
        measure.function == "mode" and isinstance(clause, Condition) and clause.operator is Operator.IN
        for measure in intent.measures
        for clause in measure.part
    )


def _compares_columns_unasked(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether nothing says that one column is compared with another: `does pay depend on age`."""
    compared = any(isinstance(clause, Condition) and clause.other is not None for clause in intent.clauses)
    return compared and not any(name.startswith(_COMPARING) for name in lattice.names)


def _ranks_what_is_popular_in_each(lattice: Lattice, intent: Intent) -> bool:
    """`most popular genre for each member`: by how often each took it, or by how well they like it."""
    return bool(intent.limit_keys) and "count.max" in lattice.names and "refuse.opinion" in lattice.names


def _takes_one_of_both(lattice: Lattice, intent: Intent) -> bool:
    """`open and non-open orders by region`, answered by those that are not open."""
    links = [*lattice.links(LinkKind.CELL), *lattice.links(LinkKind.COLUMN)]
    denied = [link for link in links if link.name == "denied" or lattice.has(link.start - 1, "not")]
    both = {
        lattice.column(one).name
        for one in denied
        for other in links
        if (other.kind, other.column, other.texts) == (one.kind, one.column, one.texts)
        and other not in denied
        and (other.end <= one.start or other.start >= one.end)
    }
    joined = not _JOINING.isdisjoint(lattice.names)
    return joined and any(clause.column in both for clause in single_conditions(intent.clauses))


def _averages_both_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`rating of shared vs not shared rides`: which figure of the ratings, nothing says."""
    sided = (clause for side in intent.sides for clause in single_conditions(side.clauses))
    said = any(name.startswith("agg.") for name in lattice.names)
    averaged = any(one.function == "mean" for one in intent.measures)
    return averaged and not said and any(clause.operator in DENYING for clause in sided)


def _joins_what_is_paired(lattice: Lattice, intent: Intent) -> bool:
    """`total revenue of N and average revenue of S`, answered by both figures of N and S together."""
    named = {one.column for one in intent.measures}
    figures = [one.start for one in lattice.sentence.concepts if one.name.startswith(("agg.", "count"))]
    figures += [one.start for one in lattice.links(LinkKind.COLUMN) if lattice.column(one).name in named]
    scopes = [one.start for kind in (LinkKind.CELL, LinkKind.TIME) for one in lattice.links(kind)]
    return len(intent.measures) > 1 and any(
        min(figures, default=place) < scope < place <= figure < max(scopes)
        for name in ("and", "comma", "compare")
        for place in lattice.behind(name)
        for scope in scopes
        for figure in figures
    )


def _sorts_what_is_placed(lattice: Lattice, intent: Intent) -> bool:
    """`rank of North by revenue`, answered by the rows of North in that order."""
    pinned = [one for one in single_conditions(intent.clauses) if one.operator is Operator.EQ]
    return "rank" in lattice.names and bool(intent.orders and pinned)


def _takes_any_window(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether nothing says how many are moved over: `moving average of revenue by month`, answered by that of seven months."""
    said = {link.quantity.value for link in lattice.links(LinkKind.NUMBER) if link.quantity is not None}
    return intent.window is not None and intent.window not in said


def _averages_means_of_totals(lattice: Lattice, intent: Intent) -> bool:
    """`3 month moving average of revenue`: of what all rows of a month come to, or of what one of them comes to."""
    columns, dates = lattice.vocabulary.by_name, lattice.vocabulary.dates
    if intent.window is None or not dates:
        return False
    averaged = [columns[one.column] for one in intent.measures if one.function == "mean" and one.column]
    daily = len(intent.keys) == 1 and intent.keys[0].unit in {None, "day"} and dates[0].facts.unique
    return not daily and any(column.additive for column in averaged)


def _changes_a_figure(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the mean of all changes may be meant, or the change of a mean: `average monthly growth of revenue`."""
    figures = {f"agg.{one.function}" for one in intent.measures if one.function not in ADDED}
    grown = [one.start for one in lattice.sentence.concepts if one.name == "growth"]
    said = [one.start for one in lattice.sentence.concepts if one.name in figures]
    return (
        intent.output is Output.CHANGE
        and intent.window is None
        and any(min(said) < at for at in grown if said)
    )


CONSTRUCTIONS: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _groups_what_is_sorted,
    _lists_all_unasked,
    _groups_all,
    _groups_unasked,
    _judges_what_nothing_tells,
    _sums_what_each_has,
    _takes_the_file_for_time,
    _takes_rows_for_units,
    _takes_the_edge_of_a_file,
    _lists_amounts,
    _joins_what_it_compares,
    _takes_one_mean_of_several,
    _parts_what_is_joined,
    _denies_of_one_row,
    _denies_one_of_two,
    _takes_two_for_one,
    _compares_columns_unasked,
    _ranks_what_is_popular_in_each,
    _sorts_what_is_placed,
    _takes_one_of_both,
    _averages_both_unasked,
    _joins_what_is_paired,
    _takes_any_window,
    _averages_means_of_totals,
    _changes_a_figure,
)
"""Each tells whether a reading is doubtful."""
