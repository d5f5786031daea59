"""Doubts about sums: whether what is added up may be added up, and whether one row was meant rather than the sum of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.choice.doubts.counts import counts_things
from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import COUNT, Operator, Output, plain_conditions, single_conditions
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.link import Link

_MANY: Final = frozenset({"count", "count.max", "count.min", "super.max", "super.min", "top.max", "top.min"})
"""Words for how many there are of something, or that there are the most."""
_LETTERS_OF_ONE: Final = tuple("бвгґджзйклмнпрстфхцчшщьо")
"""Letters that Ukrainian and Russian nouns end in as subjects in the singular, and in the plural do not."""
_SIZES: Final = ("super.", "scale.most.", "rel.", "edge.")
"""Words for the greatest, the first of some things."""
_CODES: Final = 2_500
"""Numbers of rooms, routes and years are mostly smaller."""
_OF_MANY: Final = ("s", "и", "ы", "і", "ів", "їв", "ов", "ев", "ей", "ые", "ие", "ок", "ек")
"""Endings of headers that name several things."""
_TIMELY: Final = ("super.late", "super.early", "rel.", "edge.", "when")
"""Words for the first and the last in time."""
_RATES: Final = frozenset({"discount", "rate", "share", "percent"})
"""Groups of columns of what may be parts of a price."""
_ASKING_MORE: Final = frozenset({"who", "which", "when", "where", "and"})
"""Words that ask whose figure it is, too."""


@doubt
def _sums_what_is_asked_of_one(lattice: Lattice, intent: Intent) -> bool:
    """`which class is Ann in`, answered by a sum of classes."""
    asked = {
        lattice.vocabulary.columns[found.column].name
        for place in lattice.behind("which")
        # `на яку суму` (for what sum) asks for one.
        if not lattice.has(place, "agg.sum")
        for found in lattice.at(place, LinkKind.COLUMN)
    }
    columns = lattice.vocabulary.by_name
    is_one = any(columns[one.column].kept_unique for one in plain_conditions(intent.clauses, Operator.EQ))
    return (intent.output is Output.VALUE and not is_one) and any(
        measure.function == "sum" and measure.column in asked for measure in intent.measures
    )


@doubt
def _adds_what_goes_both_ways(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether amounts that came in are added to those that went out: `the total amount`, of deposits and withdrawals."""
    vocabulary = lattice.vocabulary
    measured = [
        measure.column for measure in intent.measures if measure.function in {"sum", "mean", "median"}
    ]
    columns = [vocabulary.by_name[name] for name in measured if name is not None]
    if not any(column.additive and column.seconds is None for column in columns):
        return False
    told = intent.used_columns
    return any(vocabulary.directed(column) and column.name not in told for column in vocabulary.columns)


@doubt
def _ranks_what_is_grouped(lattice: Lattice, intent: Intent) -> bool:
    """`highest claim by state`: the highest one in each state, or the state with the most; not `weakest state by total claim`."""
    ranked = intent.output is Output.GROUPS and intent.limit == 1 and bool(intent.measures[0].column)
    told = {key.column for key in intent.keys}
    opened = any(
        found.start <= 1 and any(column.name not in told for _, column in lattice.columns(found.end))
        for found in lattice.sentence.concepts
        if found.name.startswith("super.")
    )
    return ranked and opened and not {"by", "per"}.isdisjoint(lattice.names)


@doubt
def _sums_numbers_of_things(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether numbers are names rather than amounts: `how many rooms`, `who has the most routes`, over a `Room`, a `Route`."""
    if _MANY.isdisjoint(lattice.names) or "agg.sum" in lattice.names:
        return False
    links = lattice.links(LinkKind.COLUMN)
    turned = {lattice.column(link).name for link in links if "column.form" in link.signs}
    columns = lattice.vocabulary.by_name
    amounts = {measure.column for measure in intent.measures if measure.function == "sum"}
    amounts |= {order.column for order in intent.orders if intent.limit is not None}
    # `the most offers`, of an `offer_amount`
    partly = {
        lattice.column(link).name
        for link in links
        if "column.missing" in link.signs and lattice.has(link.start - 1, "degree.", "count.max", "count.min")
    }
    return any(
        name is not None and (is_bare(columns[name]) or (name in partly and columns[name].monetary))
        for name in amounts & turned
    )


def is_bare(column: TableColumn) -> bool:
    """Tell whether nothing says that whole numbers are of anything: no unit, no money, no time, and not several of them."""
    unit = column.units or column.facts.unit or column.seconds is not None or column.monetary
    several = any(column.words[place].endswith(_OF_MANY) for place in column.core if column.words)
    low, high = column.facts.low, column.facts.high
    near = isinstance(low, int) and isinstance(high, int) and 0 < high < 2 * low  # wagons 3001 to 3030
    large = isinstance(high, int) and high > _CODES and not near
    return column.kind is ColumnKind.INTEGER and not (unit or several or large)


@doubt
def _ranks_rows_of_what_repeats(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the sum of several rows may be meant: `the cheapest month for the Web team`, of a row of many in each month."""
    if intent.output is not Output.ROWS or intent.limit is None or not intent.orders or intent.limit_keys:
        return False
    if any(rows.name in {"noun", "meant", "generic"} for rows in lattice.links(LinkKind.ROWS)):
        return False
    columns, unique = lattice.vocabulary.by_name, lattice.vocabulary.unique
    order = columns.get(intent.orders[0].column or "")
    if order is None or not (order.measure and order.additive):
        return False
    shown = [name for name in intent.columns if name != order.name and not columns[name].measure]
    return bool(shown) and unique.isdisjoint(shown)


@doubt
def _groups_one_row(lattice: Lattice, intent: Intent) -> bool:
    """`which customer made the largest order`, answered by the customer whose orders come to most."""
    if intent.output is not Output.GROUPS or intent.limit is None:
        return False
    return any(
        lattice.has(rows.start - 1, *_SIZES)
        and not lattice.has(rows.start - 1, "degree.most", "degree.least")
        and lattice.sentence.words[rows.end - 1].norm.isascii()
        and not (lattice.is_plural(rows.start, rows.end) or lattice.has(rows.end, "count"))
        for rows in lattice.links(LinkKind.ROWS)
        if rows.name in {"noun", "entity"}
    )


@doubt
def _counts_rows_of_a_mass(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether an amount was meant: `waste by product`, `output by line`, answered by the rows of a table of waste."""
    counted = bool(intent.measures) and all(measure == COUNT for measure in intent.measures)
    if (
        not counted
        or any(bound.measure == COUNT or bound.measure.part for bound in intent.having)
        or "count" in lattice.names
        or not any(one.additive for one in lattice.vocabulary.measures)
    ):
        return False
    named = lattice.called
    # `the guest in episode 12` is a cell of one row.
    single = any(
        clause.column in lattice.vocabulary.unique for clause in plain_conditions(intent.clauses, Operator.EQ)
    )
    return bool(named) and not single and all(_is_one(lattice, link) for link in named)


@doubt
def _counts_rows_for_days(lattice: Lattice, intent: Intent) -> bool:
    """`how many days in April`, answered by the rows although there are several of a day."""
    if intent.output is not Output.VALUE or intent.measures != (COUNT,) or intent.keys:
        return False
    vocabulary = lattice.vocabulary
    # A balance lasts until the next row, however many days that are.
    lasts = any(
        "balance" in vocabulary.by_name[one.column].groups for one in single_conditions(intent.clauses)
    )
    daily = any(column.temporal and column.name in vocabulary.unique for column in vocabulary.columns)
    called = {link.start for link in lattice.called if not lasts}
    days = any(lattice.has(place, "unit.") for place in {*lattice.behind("count")} - called)
    return days and (lasts or not daily)


def _is_one(lattice: Lattice, rows: Link) -> bool:
    """Tell whether a word for rows is in the singular: by its ending, in Ukrainian and Russian where it opens the question."""
    word = lattice.sentence.words[rows.end - 1].norm
    if word.isascii():
        several = any(word in lexicon.several for lexicon in lattice.lexicons)
        return not (several or lattice.is_plural(rows.start, rows.end))
    return rows.start == 0 and word.endswith(_LETTERS_OF_ONE)


@doubt
def _counts_the_values_of_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """`how many moths were caught in total`, answered by how many different numbers of moths there are; `worked`, of hours."""
    told = lattice.measured(intent, "count_distinct")
    summed = not {"agg.sum", "total"}.isdisjoint(lattice.names)
    return "distinct" not in lattice.names and any(
        one.kind is ColumnKind.TIME
        or one.seconds is not None
        or (one.measure and (summed or counts_things(one)))
        for one in told
    )


@doubt
def _ranks_rows_for_a_deed(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether kinds of things may be meant: `what do we spend most on`, answered by the dearest row."""
    single = intent.output is Output.ROWS and intent.limit == 1 and bool(intent.orders) and not intent.columns
    named = [link for link in lattice.links(LinkKind.COLUMN) if not link.is_near]
    return single and not (named or lattice.links(LinkKind.ROWS)) and lattice.tells("verb.")


@doubt
def _adds_percentages(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether percentages, or means, are added up: `total bonus`, of bonuses in percent, `total avg_time`."""
    means = lattice.vocabulary.evidence("mean")
    summed = lattice.measured(intent, "sum")
    return any(
        one.facts.unit == "%"
        or not means.isdisjoint(one.words)
        or (not _RATES.isdisjoint(one.groups) and _is_fraction(one.facts))
        for one in summed
    )


def _is_fraction(facts: ColumnFacts) -> bool:
    """Tell whether numbers are parts of one: `0.15` of a price."""
    bounds = (facts.low, facts.high)
    return not facts.integral and all(isinstance(one, int | float) and 0 <= one <= 1 for one in bounds)


@doubt
def _ranks_a_sum_of_levels(lattice: Lattice, intent: Intent) -> bool:
    """`which vehicle has the highest mileage`, answered by a sum of what its odometer said each time."""
    columns, levels = lattice.vocabulary.by_name, lattice.vocabulary.evidence("level")
    keys = [columns[key.column] for key in intent.keys if key.column]
    summed = lattice.measured(intent, "sum")
    if any(columns[one.column].kept_unique for one in plain_conditions(intent.clauses, Operator.EQ)):
        return False
    several = not keys or any(lattice.repeats(key) for key in keys)
    # A `Balance Due` is what one invoice still owes, and no level.
    return several and any(not levels.isdisjoint(one.words) and "debt" not in one.kinds for one in summed)


@doubt
def _takes_a_date_for_a_peak(lattice: Lattice, intent: Intent) -> bool:
    """`peak day`, answered by the last one, of a table that has amounts."""
    times = {
        measure.column
        for measure in intent.measures
        if measure.function in {"max", "min"} and measure.column is not None
    }
    named = {
        column.name
        for link, column in lattice.column_links
        if "column.synonym" not in link.signs and not lattice.concepts(link.start, "unit.")
    }
    late = any(name.startswith(_TIMELY) for name in lattice.names)
    return not late and any(
        column.temporal and column.name in times - named and bool(lattice.vocabulary.measures)
        for column in lattice.vocabulary.columns
    )


@doubt
def _shows_rows_for_a_figure(lattice: Lattice, intent: Intent) -> bool:
    """`hottest temperature at each station`, answered by the rows that have it: two of one station, where they tie."""
    if (
        intent.output is not Output.ROWS
        or not intent.limit_keys
        or not _ASKING_MORE.isdisjoint(lattice.names)
    ):
        return False
    ordered = {order.column for order in intent.orders}
    # `the player with the highest wage in each club` is a player.
    rows = min((link.start for link in lattice.links(LinkKind.ROWS)), default=len(lattice.skips))
    return any(
        column.name in ordered
        and link.start <= rows
        and lattice.has(link.start - 1, "super.max", "super.min", "scale.most.")
        for link, column in lattice.column_links
    )
