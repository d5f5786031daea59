"""Doubts about what is computed of a column although no word says so: its mean, that of means, the sum of namesakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.nouns import singular
from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    BOUNDING,
    COUNT,
    Operator,
    Output,
    all_conditions,
    single_conditions,
    told_columns,
)
from tabchat.planner.links.header_words import groups_of
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.nearness import BY_CELLS
from tabchat.planner.links.units import KINDRED
from tabchat.planner.readings.amounts import goods_counted

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_EXTENTS: Final = frozenset({"area", "length", "distance", "weight", "volume"})
"""Groups of columns of what parts have together, whatever each of them has."""
_BY_EACH: Final = ("ами", "ями", "ими", "ам", "ям", "ом", "ем", "єм", "им", "їм", "ою", "ею", "єю")
"""Endings of what is grouped by behind `за`: за тарифом, за змінами; за зміну is in each of them."""
_HOW_MANY: Final = frozenset({"most", "fewest", "least", "number", "больше", "меньше", "більше", "менше"}) | {
    *("найбільше", "найменше", "найбільш", "найменш")
}
"""Words for how many, rather than how great."""
_ENDS: Final = frozenset({"max", "min"})
_MEASURED: Final = frozenset({"duration", "length", "speed", "rating"})
"""Dimensions that a unit alone does not tell: a delay is in minutes, too."""
_SPANS: Final = frozenset({"header.hours", "header.minutes", "header.days"})
_LAST_HOUR: Final = 24
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
def _adds_up_namesakes(lattice: Lattice, intent: Intent) -> bool:
    """`top 5 pupils by score`, answered by sums where two of fifty have one name: they may be two, or one twice."""
    computed = any(one != COUNT for one in intent.measures)
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
    counted = COUNT in intent.measures and intent.output in {Output.VALUE, Output.GROUPS}
    if bounded or not counted:
        return False
    return any(goods_counted(lattice, link.start) for link in lattice.links(LinkKind.ROWS))


@doubt
def _counts_rows_for_their_size(lattice: Lattice, intent: Intent) -> bool:
    """`who has the biggest bill`, `у кого самый большой счёт`, answered by how many each has: `the most bills` asks for that."""
    words = lattice.sentence.words
    sizes = [
        concept.end
        for concept in lattice.sentence.concepts
        if concept.name in {"super.max", "super.min"}
        and _HOW_MANY.isdisjoint(word.norm for word in words[concept.start : concept.end])
    ]
    # `the highest repair count` is one.
    sized = any(
        not lattice.has(link.end, "count", "header.quantity")
        for place in sizes
        for link in lattice.at(place, LinkKind.ROWS)
    )
    return sized and intent.limit is not None and intent.measures == (COUNT,)


@doubt
def _ranks_by_another_dimension(lattice: Lattice, intent: Intent) -> bool:
    """`oldest stock`, answered by the smallest one; `longest`, by a delay; `fastest ride`, by the briefest, where each tells its distance, too."""
    asked = lattice.dimensions("scale.most.")
    names = {one.column for one in intent.orders}
    names |= {one.column for one in intent.measures if one.function in _ENDS}
    ranked = [one for one in lattice.vocabulary.columns if asked and one.name in names]
    # `oldest stock` names what is in stock, and asks for no number of it.
    if "age" in asked and any(one.measure and not one.measures("age") for one in ranked):
        return True
    unnamed = [column for column in ranked if column.name not in lattice.named]
    if any(not any(_is_of(lattice, column, one) for one in asked) for column in unnamed):
        return True
    lasted = "speed" in asked and any(one.measures("duration") for one in ranked)
    return lasted and any(not _WAYS.isdisjoint(one.kinds) for one in lattice.vocabulary.measures)


def _is_of(lattice: Lattice, column: TableColumn, dimension: str) -> bool:
    """Tell whether the numbers of a column are of a dimension by its header, or by its unit where that is all of it."""
    near = column.nearness(dimension)
    if dimension in {"price", "cost"}:
        return near is not None or column.monetary
    if near is None or column.facts.operands or near == "dated" or dimension not in _MEASURED:
        return near is not None or (dimension == "age" and column.facts.years)
    lexicons = lattice.vocabulary.lexicons
    # A `rate` per night rates nothing.
    heads = [column.words[place] for place in column.core if column.words[place] != "rate"]
    named = (lexicon.groups_named(column.words) for lexicon in lexicons)
    said = frozenset[str]().union(*named, *(groups_of(word, lexicons) for word in heads))
    # Rows that are called downtimes last as long as their `Downtime`.
    nouns = {singular(noun) for noun in lattice.vocabulary.facts.row_nouns}
    known = nouns.union(*(lexicon.units for lexicon in lexicons), *(lexicon.lasting for lexicon in lexicons))
    bare = bool(heads) and known.issuperset(heads)
    return bare or not said.isdisjoint((dimension, *KINDRED.get(dimension, ())))


@doubt
def _measures_another_duration(lattice: Lattice, intent: Intent) -> bool:
    """`average duration`, answered by a holiday in days; `total hours`, by the hours at which it happened, or by days between dates."""
    told, columns = {one.name for one in lattice.measured(intent)}, lattice.vocabulary.by_name
    loose = {
        column.name: {one.name for one in lattice.sentence.concepts if one.start == link.start}
        for link, column in lattice.column_links
        if column.name in told and {"column.synonym", "column.form"} & link.signs
    }
    return any(
        ("header.duration" in names and not _is_of(lattice, columns[name], "duration"))
        or (
            not _SPANS.isdisjoint(names)
            and (bool(columns[name].facts.operands) or _is_of_a_clock(columns[name]))
        )
        for name, names in loose.items()
    )


def _is_of_a_clock(column: TableColumn) -> bool:
    """Tell whether whole numbers are hours of a day: at which something happened, and not for how long."""
    low, high = column.facts.low, column.facts.high
    clock = isinstance(low, int) and isinstance(high, int) and 0 <= low < high <= _LAST_HOUR
    return column.facts.integral and clock and "hour" in column.words and len(column.words) == 1


@doubt
def _averages_years(lattice: Lattice, intent: Intent) -> bool:
    """`average commission`, answered by the mean of the years in which ships were `Commissioned`."""
    years = {one.name for one in lattice.measured(intent, "mean", "sum", "median") if one.facts.years}
    loose = {"column.form", "column.kin", "column.synonym", "column.agent"}
    return not years.isdisjoint(lattice.named_only(lambda link: not loose.isdisjoint(link.signs)))


@doubt
def _returns_a_rate(lattice: Lattice, intent: Intent) -> bool:
    """`return rate`, answered by a list of what may be called a rate: of what came back, rather than shown."""
    words = lattice.sentence.words
    shown = any(
        words[one.start].norm == "return" and lattice.has(one.end, "rate")
        for one in lattice.sentence.concepts
        if one.name == "list"
    )
    return shown and intent.output in {Output.ROWS, Output.VALUES}


@doubt
def _takes_none_ordered_for_sold_out(lattice: Lattice, intent: Intent) -> bool:
    """`out of stock`, answered by orders of no piece: only what is counted in stock can run out."""
    columns = lattice.vocabulary.by_name
    return not lattice.quantities and any(
        one.operator is Operator.LE and one.values == (0,) and "stock" not in columns[one.column].groups
        for one in single_conditions(intent.clauses)
    )


@doubt
def _measures_no_stay(lattice: Lattice, intent: Intent) -> bool:
    """`average length of stay`, answered by how long anything takes, of a table in which nobody stays."""
    stays = lattice.vocabulary.evidence("stays")
    stay = "header.stay" in lattice.names and bool(lattice.measured(intent))
    return stay and all(stays.isdisjoint(column.words) for column in lattice.vocabulary.columns)


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
