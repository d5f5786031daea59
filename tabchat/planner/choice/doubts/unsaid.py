"""Doubts about what is computed of a column although no word says so: its mean, that of means, the sum of namesakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import BOUNDING, Measure, Output, all_conditions, told_columns
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.nearness import BY_CELLS
from tabchat.planner.readings.amounts import goods_counted

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_EXTENTS: Final = frozenset({"area", "length", "distance", "weight", "volume"})
"""Groups of columns of what parts have together, whatever each of them has."""
_BY_EACH: Final = ("ами", "ями", "ими", "ам", "ям", "ом", "ем", "єм", "им", "їм", "ою", "ею", "єю")
"""Endings of what is grouped by behind `за`: за тарифом, за змінами; за зміну is in each of them."""
_WAYS: Final = frozenset({"distance", "length"})
"""Groups of columns of how far something went."""


@doubt
def _takes_a_mean_for_a_sum(lattice: Lattice, intent: Intent) -> bool:
    """`площа за породами` (area by species), answered by means: what was planted of each may be meant."""
    told = lattice.measured(intent, "mean")
    asked = lattice.tells("agg.", "top.", "super.", "scale.")
    return (
        intent.output is Output.GROUPS
        and not asked
        and any(not column.groups.isdisjoint(_EXTENTS) for column in told)
    )


@doubt
def _averages_in_each_turn(lattice: Lattice, intent: Intent) -> bool:
    """`пациентов в среднем за смену` (patients per shift), answered for the morning and for the evening."""
    columns, words = lattice.vocabulary.by_name, lattice.sentence.words
    keys = {key.column for key in intent.keys}
    added = any(
        one.function == "mean" and one.column and columns[one.column].additive for one in intent.measures
    )
    # A header in Latin letters has no ending that could say it.
    return added and any(
        lattice.column(link).name in keys and not (word.isascii() or word.endswith(_BY_EACH))
        for place in lattice.behind("per.time")
        for link in lattice.at(place, LinkKind.COLUMN)
        for word in (words[link.start].norm,)
    )


@doubt
def _bounds_what_is_a_mean(lattice: Lattice, intent: Intent) -> bool:
    """`how many visits took longer than 20 minutes`, answered by the days whose mean visit did."""
    columns, means = lattice.vocabulary.by_name, lattice.vocabulary.evidence("mean")
    bounded = {one.column for one in all_conditions(intent) if one.operator in BOUNDING}
    # `shifts with a mean visit above 20 minutes` are rows of a `Mean visit, min`, or those of which the mean is so.
    averaged = {one.measure.column for one in intent.having if one.measure.function == "mean"}
    told = averaged if "agg.mean" in lattice.names else bounded
    return any(not means.isdisjoint(columns[name].words) for name in told if name)


@doubt
def _lists_what_nothing_names(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether another column may tell as well: `what do we print`, answered by the products."""
    told = [lattice.vocabulary.by_name[name] for name in intent.columns if name not in lattice.named]
    return intent.output is Output.VALUES and any(one.text and not one.kept_unique for one in told)


@doubt
def _adds_up_namesakes(lattice: Lattice, intent: Intent) -> bool:
    """`top 5 pupils by score`, answered by sums where two of fifty have one name: they may be two, or one twice."""
    computed = any(one != Measure() for one in intent.measures)
    keys = [lattice.vocabulary.by_name[key.column] for key in intent.keys if key.column] if computed else []
    return any(
        key.text and key.kept_unique and key.facts.unique is False and not lattice.repeats(key)
        for key in keys
    )


@doubt
def _counts_rows_of_goods(lattice: Lattice, intent: Intent) -> bool:
    """`how many tyres`, answered by the rows of a list of tyres that tells how many there are of each.

    Orders and deliveries are rows, however many pieces each of them is of.
    """
    # What is dearer than so much is counted by its prices.
    bounded = any(lattice.vocabulary.by_name[one.column].measure for one in all_conditions(intent))
    counted = Measure() in intent.measures and intent.output in {Output.VALUE, Output.GROUPS}
    if bounded or not counted:
        return False
    return any(goods_counted(lattice, link.start) for link in lattice.links(LinkKind.ROWS))


@doubt
def _ranks_age_or_speed_by_another(lattice: Lattice, intent: Intent) -> bool:
    """`oldest stock`, answered by the smallest one; `fastest ride`, by the briefest, where each tells its distance, too."""
    columns, asked = lattice.vocabulary.by_name, lattice.dimensions("scale.most.")
    ranked = [columns[one.column] for one in intent.orders if one.column]
    if "age" in asked and any(one.measure and not one.measures("age") for one in ranked):
        return True
    lasted = "speed" in asked and any(one.measures("duration") for one in ranked)
    return lasted and any(not _WAYS.isdisjoint(one.kinds) for one in lattice.vocabulary.measures)


@doubt
def _passes_over_a_quantity(lattice: Lattice, intent: Intent) -> bool:
    """`общее количество и средняя сумма`, answered by sums, where neither rows are counted nor a column tells how many."""
    told, columns = told_columns(intent), lattice.vocabulary.columns
    counted = (*intent.measures, *(bound.measure for bound in intent.having))
    if any(one.function.startswith("count") for one in counted) or intent.output is Output.EXISTS:
        return False
    spoken = {
        place
        for link in lattice.links(LinkKind.COLUMN)
        if columns[link.column].name in told
        # `количество пассажиров` is that of a column `пассажиры`.
        for place in range(link.start - 1, link.end)
    }
    return any(
        lattice.has(one.start, "count") and not spoken.intersection(range(one.start, one.end))
        for one in lattice.sentence.concepts
        if one.name == "header.quantity"
    )


@doubt
def _takes_a_kind_by_one_of_it(lattice: Lattice, intent: Intent) -> bool:
    """`rows by country`, answered by a column that nothing calls so: one of its cells is near to the word."""
    by_cells = lattice.named_only(lambda link: BY_CELLS in link.signs)
    return not by_cells.isdisjoint(told_columns(intent))
