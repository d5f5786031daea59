"""Intents that can be composed of the words of a question, and that tell what it did not ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import BOUNDING, COUNT, EXCLUDING, Condition, Operator, Output, single_conditions
from tabchat.planner.links.units import RANKS
from tabchat.planner.readings.amounts import bounds_another, takes_pieces_for_their_price
from tabchat.planner.readings.miscounts import miscounts
from tabchat.planner.readings.misplacements import misplaces
from tabchat.planner.readings.mistimings import mistimes
from tabchat.planner.readings.omissions import omits
from tabchat.planner.readings.targets import parts_at

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.search import Way

_LISTING: Final = frozenset({"and", "or", "both"})
"""What joins two figures that are asked for."""
_SUMMING: Final = frozenset({"agg.sum", "howmuch"})
"""What asks for a sum."""
_COMPUTED: Final = frozenset({"sum", "mean", "median", "std"})
_OF_PRICES: Final = (".price", ".cost")
_SIZES: Final = frozenset({"length", "width", "height", "depth", "thickness", "age"})
"""What does not add up where things are compared by it."""
_OF_SIZES: Final = tuple(f".{size}" for size in sorted(_SIZES))
_OPENERS: Final = ("which", "who", "when", "where", "howmuch")


def is_mismatch(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether an intent is what a question did not ask for."""
    return (
        takes_one_for_each(lattice, intent)
        or _tells_one_column_twice(lattice, intent)
        or _tells_what_a_verb_says_as_well(lattice, intent)
        or _groups_one_side(lattice, intent)
        or _bounds_what_names_rows(lattice, intent)
        or _says_yes_to_what(lattice, intent)
        or _counts_a_difference(lattice, intent)
        or _lists_what_is_divided(lattice, intent)
        or _lists_columns_for_one(lattice, intent)
        or _denies_twice(lattice, intent)
        or _sums_what_does_not_add_up(lattice, intent)
        or _computes_with_numbers_of_things(lattice, intent)
        or _lists_columns_of_some_rows(lattice, intent)
        or _adds_up_what_is_dear(lattice, intent)
        or _counts_how_much(lattice, intent)
        or _names_nobody(lattice, intent)
        or miscounts(lattice, intent)
        or misplaces(lattice, intent)
        or _shows_as_many_as_usual(lattice, intent)
        or mistimes(lattice, intent)
        or omits(lattice, intent)
        or bounds_another(lattice, intent)
        or takes_pieces_for_their_price(lattice, intent)
        or _adds_up_times(lattice, intent)
        or _adds_up_what_is_compared(lattice, intent)
        or _ranks_the_last_by_an_amount(lattice, intent)
        or _denies_rows_for_never(lattice, intent)
    )


def takes_one_for_each(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether some of all are told of: `the most popular car at each branch`, by one branch, `top 3 lots per grape`, by 3 grapes."""
    if intent.output is not Output.GROUPS or intent.limit is None or intent.limit_keys:
        return False
    computed = intent.limit > 1 and lattice.tells("agg.")
    told = {key.column for key in intent.keys}
    return not computed and any(
        lattice.concepts(place, "unit.") or any(column.name in told for _, column in lattice.columns(place))
        for name in (("each",) if intent.limit == 1 else ("each", "per"))
        for place in lattice.behind(name)
    )


def lists_what_is_counted(lattice: Lattice, way: Way, intent: Intent) -> bool:
    """Tell whether a question that opens with `how many` is answered by all cells of the rows."""
    counted = 0 in way.skipped and lattice.has(0, "count") and not lattice.has(0, "howmuch")
    return counted and intent.output is Output.ROWS and not intent.columns


def _tells_what_a_verb_says_as_well(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a second figure stands for the verb alone: `which boats pay the highest fees`, answered by what was paid, too."""
    told = {one.column for one in intent.measures if one.column is not None}
    if not (intent.keys and intent.orders) or not (_LISTING | {"comma"}).isdisjoint(lattice.names):
        return False
    named = {
        column.name
        for link, column in lattice.column_links
        if not lattice.concepts(link.start, "verb.", "event.")
    }
    return bool(told & named) and not told <= named


def _bounds_what_names_rows(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `orders over 5000` are those with a higher `order_id`, which no word names, beside amounts that reach 5000."""
    columns = lattice.vocabulary.by_name
    bounds = [one for one in single_conditions(intent.clauses) if one.operator in BOUNDING]
    named = lattice.named_only(lambda link: "column.identifier" in link.signs) if bounds else frozenset()
    return any(
        one.column in named and columns[one.column].identifying and parts_at(column, value) is not False
        for one in bounds
        for value in one.values
        if isinstance(value, int | float)
        for column in lattice.vocabulary.measures
    )


def _groups_one_side(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether groups by yes and no are of one of both alone: `compare those with and without a visit`."""
    pinned = {one.column for one in single_conditions(intent.clauses) if one.values}
    return any(key.column in pinned and lattice.vocabulary.by_name[key.column].flag for key in intent.keys)


def _says_yes_to_what(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether yes or no answers `what do we have in French`, or `where did it go`."""
    if intent.output is not Output.EXISTS:
        return False
    # `where note is late, are there orders over 50` opens with a condition.
    whether = (0, *lattice.behind("comma"))
    asked = any(lattice.has(at, "yesno", "exist") for at in whether)
    return lattice.has(0, *_OPENERS) and not asked


def _lists_what_is_divided(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `ratio of paid to unpaid orders` is answered by orders."""
    ratios = [one for one in lattice.sentence.concepts if one.name == "ratio"]
    return intent.output is Output.ROWS and any(not lattice.columns(one.start) for one in ratios)


def _denies_twice(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `ніколи не вводив`, never entered, is taken for never without: one denial, said twice."""
    gaps = any(
        isinstance(clause, Condition) and clause.operator is Operator.MISSING
        for one in intent.having
        for clause in one.measure.part
    )
    return gaps and not any(name.startswith("missing") for name in lattice.names)


def _sums_what_does_not_add_up(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether percentages or numbers of rooms are added up although nothing asks for a sum."""
    if not _SUMMING.isdisjoint(lattice.names):
        return False
    known = lattice.vocabulary.by_name
    summed = (known[one.column] for one in intent.measures if one.function == "sum" and one.column)
    return any(column.identifying or column.facts.unit == "%" for column in summed)


def _computes_with_numbers_of_things(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `average invoice` is one of the numbers that invoices bear: they rise, or have as many digits all."""
    return bool(lattice.vocabulary.measures) and any(
        column.facts.numbers_rows
        or (
            column.kept_unique
            and (column.facts.ascending or len(str(column.facts.low)) == len(str(column.facts.high)))
        )
        for column in computed_names(lattice, intent)
    )


def computed_names(lattice: Lattice, intent: Intent) -> list[TableColumn]:
    """Return the columns of numbers that things bear, as rooms do, of which an intent computes a figure, or one of each."""
    columns = lattice.vocabulary.by_name
    told = {one.column for one in intent.measures if one.function in _COMPUTED}
    if told and lattice.names.isdisjoint({"by", "per", "each"}):
        told |= {key.column for key in intent.keys}
    if not told & columns.keys():
        return []
    bare = lattice.named_only(
        lambda link: "column.identifier" in link.signs or len(lattice.column(link).words) == 1
    )
    return [
        column
        for column in (columns[name] for name in columns.keys() & told & bare)
        if column.identifying
        and column.facts.integral
        and RANKS.isdisjoint(column.words)
        # A few prices, and an `n` that means nothing, may go up one by one as well.
        and column.kinds
        and not (column.groups or column.units)
    ]


def _lists_columns_of_some_rows(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the columns are listed of some rows only, or where a figure of one is asked for: `sum of the column Amount`."""
    told = intent.clauses or intent.periods
    return intent.output is Output.SCHEMA and (bool(told) or lattice.tells("agg."))


def _lists_columns_for_one(lattice: Lattice, intent: Intent) -> bool:
    """`врожайність по полях` (yield by field), answered by the columns although one of them is called so."""
    return intent.output is Output.SCHEMA and any(
        lattice.columns(concept.start) for concept in lattice.sentence.concepts if concept.name == "columns"
    )


def _counts_a_difference(lattice: Lattice, intent: Intent) -> bool:
    """`by how much is the cost above the plan`, answered by how many are."""
    compared = any(one.other is not None for one in single_conditions(intent.clauses))
    return compared and "byhowmuch" in lattice.names and intent.measures == (COUNT,)


def _adds_up_what_is_dear(lattice: Lattice, intent: Intent) -> bool:
    """`which product is the dearest`, answered by what all of it came to, although a price tells, or the longest, by all lengths."""
    if intent.output is not Output.GROUPS or not intent.orders or "agg.sum" in lattice.names:
        return False
    if any(name.startswith("scale.most.") and name.endswith(_OF_SIZES) for name in lattice.names):
        sized = {column.name for column in lattice.vocabulary.measures if not _SIZES.isdisjoint(column.kinds)}
        return any(one.function == "sum" and one.column in sized for one in intent.measures)
    if not any(name.startswith("scale.most.") and name.endswith(_OF_PRICES) for name in lattice.names):
        return False
    return any(one.function == "sum" for one in intent.measures) and any(
        "price" in column.kinds and not column.additive for column in lattice.vocabulary.measures
    )


def _counts_how_much(lattice: Lattice, intent: Intent) -> bool:
    """`how much did each patient pay`, answered by a number of rows: `скільки`, which is how many as well, may be."""
    much = lattice.has(0, "howmuch") and not (lattice.has(0, "count") or lattice.has(1, "count"))
    return much and any(one.function == "count" and not one.part for one in intent.measures)


def _shows_as_many_as_usual(lattice: Lattice, intent: Intent) -> bool:
    """`head 3`, answered by the first five rows."""
    if intent.output is not Output.HEAD:
        return False
    said = {float(number.value) for link, number in lattice.quantities if lattice.has(link.start - 1, "head")}
    return bool(said) and intent.limit not in said


def _names_nobody(lattice: Lattice, intent: Intent) -> bool:
    """`who gets the largest salary`, answered by the salary."""
    ends = any(one.function in {"max", "min"} for one in intent.measures)
    return (
        lattice.has(0, "who") and intent.output is Output.VALUE and ends and bool(lattice.vocabulary.people)
    )


def _tells_one_column_twice(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether two figures of one column are told, and no two are asked for: `on average, how many hours …`."""
    columns = [
        one.column for one in intent.measures if one.column and not (one.part or one.per or one.per_unit)
    ]
    # `how many litres in total` asks for no number of rows beside.
    counted = COUNT in intent.measures and bool(columns) and lattice.has(0, "count")
    if (len(set(columns)) == len(columns) and not counted) or not _LISTING.isdisjoint(lattice.names):
        return False
    return not any(lattice.has(place, "agg.") for place in lattice.behind("comma"))


def _adds_up_times(lattice: Lattice, intent: Intent) -> bool:
    """`how many times did we pick radishes`, answered by how much of them was picked."""
    if "times" not in lattice.names:
        return False
    asked = any(lattice.has(place, "times") for place in lattice.behind("count"))
    asked = asked or any(lattice.has(end - 1, "times") for end in lattice.behind("count"))
    known = lattice.vocabulary.by_name
    # `how many times was it downloaded`, over a column that counts downloads
    counts = {name for name in lattice.named if known[name].facts.integral and not known[name].units}
    return (
        asked
        and bool(intent.measures)
        and all(one.function in {"sum", "mean"} and one.column not in counts for one in intent.measures)
    )


def _ranks_the_last_by_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """`when did we last pick lettuce`, answered by the day when most of it was picked."""
    ranked = {one.column for one in intent.orders if one.column} if intent.limit else set()
    if not ranked:
        return False
    columns = lattice.vocabulary.by_name
    last = lattice.tells("edge.") and bool(lattice.vocabulary.dates)
    ranks = any(name.startswith(("super.", "scale.", "degree.", "top.", "by")) for name in lattice.names)
    return last and not ranks and any(columns[name].measure for name in ranked if name in columns)


def _denies_rows_for_never(lattice: Lattice, intent: Intent) -> bool:
    """`who never bought a chair`, answered by all rows of something else."""
    several = any(column.facts.unique is False for column in lattice.vocabulary.people[:1])
    told = several and {"who", "never"} <= lattice.names and intent.output in {Output.ROWS, Output.VALUES}
    return told and any(one.operator in EXCLUDING for one in single_conditions(intent.clauses))


def _adds_up_what_is_compared(lattice: Lattice, intent: Intent) -> bool:
    """`do we talk longer on complaints or on sales`, answered by what all calls of each took together."""
    lasting = bool(lattice.dimensions("scale.more.")) and "agg.sum" not in lattice.names
    return intent.comparison == "which" and lasting and any(one.function == "sum" for one in intent.measures)
