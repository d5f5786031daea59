"""Doubts about money: whether what each thing costs was to be added up, and whether money was meant at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.constructions import is_of_one_row
from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import COUNT, Operator, Output, plain_conditions, single_conditions
from tabchat.planner.links.header_words import groups_of
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.units import tells_units
from tabchat.planner.readings.flows import is_signed, keeps_one_way

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_SUMMING: Final = frozenset({"agg.sum", "total", "money"})
_PIECES: Final = frozenset({"stock", "quantity"})
LEVELS: Final = frozenset({"balance", "stock"})
"""Groups of headers of what there is at a time, which no two times have together."""
_CHANGING: Final = frozenset({"discount", "tax"})
"""Groups of headers of what changes a price."""
_PAYING: Final = frozenset({"verb.cost", "header.cost", "verb.salary", "money"})
"""Words for what was paid or earned."""
_PER: Final = frozenset({"per", "за", "unit"})
_OF_SEVERAL: Final = ("s", "ів", "їв", "ій", "ов", "ев", "ей")
"""Endings of several things behind a number, in English, Ukrainian and Russian."""


@doubt
def _takes_sums_for_expenses(lattice: Lattice, intent: Intent) -> bool:
    """`expenses by month`, answered by sums that may hold incomes, too: no column is called so."""
    said = [
        concept
        for concept in lattice.sentence.concepts
        # Who spent the most is told by what they paid; a verb names no column.
        if concept.name == "header.cost" and lattice.skips[concept.start] is not Skip.VERB
    ]
    # In a table of expenses each row is one.
    counted = "count" in lattice.names and all(measure == COUNT for measure in intent.measures)
    plain = counted or all(measure.column is not None for measure in intent.measures)
    if any(
        "cost" in groups_of(noun, lattice.vocabulary.lexicons) for noun in lattice.vocabulary.facts.row_nouns
    ):
        return False
    rows = {link.start for link in lattice.called if plain}
    told = [*(one.column for one in intent.measures), *(one.column for one in intent.orders)]
    kept = all(name and keeps_one_way(intent, name) for name in told)
    return not kept and any(
        found.start not in rows and all(link.is_near for link in lattice.at(found.start, LinkKind.COLUMN))
        for found in said
    )


@doubt
def _sums_prices(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether what rows come to may be meant: `what do all goods cost together`, answered by the sum of what one of each costs."""
    # `price of each plan` asks for no sum.
    each = lattice.names >= {"header.price", "each"} and _SUMMING.isdisjoint(lattice.names)
    columns, unique = lattice.vocabulary.by_name, lattice.vocabulary.unique
    told = {key.column for key in intent.keys}
    told |= {one.column for one in plain_conditions(intent.clauses, Operator.EQ)}
    # `top 3 products by price` is no sum of what each row costs, unless there is one row of each.
    timed = bool(intent.periods) or any(key.unit is not None for key in intent.keys)
    several = _SUMMING.isdisjoint(lattice.names) and unique.isdisjoint(told)
    # `pets by weight`: of each visit, or of each pet.
    listed = intent.output is Output.GROUPS and bool(intent.orders) and intent.limit is None
    return any(
        measure.column in lattice.vocabulary.amounts
        or _is_per_unit(columns[measure.column])
        or (each and intent.limit is None)
        or (several and not measure.per and _is_rate(columns[measure.column]))
        or (several and not (measure.per or timed) and _is_charged(lattice, columns[measure.column]))
        or (several and listed and "weight" in columns[measure.column].kinds)
        for measure in intent.measures
        if measure.function == "sum" and measure.column is not None
    )


def _is_per_unit(column: TableColumn) -> bool:
    """Tell whether prices are for a unit of each thing, so that they never add up: `Price per m2`, `Ціна за кг`."""
    return "price" in column.kinds and not _PER.isdisjoint(column.words)


def _is_rate(column: TableColumn) -> bool:
    """Tell whether a number is of each thing, so that several of them have no sum: a price, an age, a share."""
    return not column.additive and not column.identifying


def _is_charged(lattice: Lattice, column: TableColumn) -> bool:
    """Tell whether a column holds what each thing costs, named as that of one: `rent by district`, but not `fees by month`."""
    said = [link for link in lattice.links(LinkKind.COLUMN) if link.column == column.place]
    return any(lexicon.charges & set(column.words) for lexicon in lattice.lexicons) and not any(
        lattice.sentence.words[link.end - 1].norm.endswith(_OF_SEVERAL) for link in said
    )


@doubt
def _shows_rows_for_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether rows are shown where a figure was asked for: `tell me how much we took in January`."""
    plain = intent.output is Output.ROWS and not (intent.orders or intent.limit)
    return plain and "howmuch" in lattice.names and "count" not in lattice.names


@doubt
def _tells_how_many_for_a_worth(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether pieces are added up where their worth was asked for: `the total value of stock`."""
    told = lattice.measured(intent)
    return "worth" in lattice.names and any(
        not column.monetary and not _PIECES.isdisjoint(column.groups | column.kinds) for column in told
    )


@doubt
def _adds_what_is_compared(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the greatest one may be meant, rather than the greatest sum: `which pet was the heaviest`, of several visits."""
    ranked = intent.output is Output.GROUPS and bool(intent.orders) and intent.limit is not None
    if not ranked or {"agg.sum", "sum"} & lattice.names or not intent.measures:
        return False
    if any(key.column in lattice.vocabulary.unique or key.unit is not None for key in intent.keys):
        return False
    first = intent.measures[0]
    column = lattice.vocabulary.by_name.get(first.column or "")
    if column is None or first.function != "sum":
        return False
    dimensions = lattice.dimensions("scale.most.")
    # Where no column is called a price, the cheapest one is told by money.
    return any(map(column.measures, dimensions)) or (column.monetary and bool({"price", "cost"} & dimensions))


@doubt
def _sums_what_was_counted(lattice: Lattice, intent: Intent) -> bool:
    """`скільки штрафів на кожній філії` (how many fines), answered by what they come to."""
    if not _SUMMING.isdisjoint(lattice.names) or is_of_one_row(lattice, intent):
        return False
    columns, words = lattice.vocabulary.columns, lattice.sentence.words
    counted = {
        columns[link.column].name
        for place in lattice.behind("count")
        for link in lattice.at(place, LinkKind.COLUMN)
        if columns[link.column].monetary and words[place].norm.endswith(_OF_SEVERAL)
    }
    return any(measure.function == "sum" and measure.column in counted for measure in intent.measures)


@doubt
def _tells_time_for_money(lattice: Lattice, intent: Intent) -> bool:
    """`how much did each driver take`, answered by minutes: of money, or of another amount if no word names them."""
    if "howmuch" not in lattice.names or "count" in lattice.names:
        return False
    columns = lattice.vocabulary.by_name
    lasting = {
        one.column for one in intent.measures if one.column and columns[one.column].seconds is not None
    }
    others = any(column.additive and column.seconds is None for column in lattice.vocabulary.measures)
    return bool(lasting if lattice.vocabulary.money else others and lasting - lattice.named)


@doubt
def _takes_both_ways_for_one(lattice: Lattice, intent: Intent) -> bool:
    """`which month did I spend the most`, answered by amounts of which some are above zero and some below."""
    if _PAYING.isdisjoint(lattice.names):
        return False
    named = {link.column for link in lattice.links(LinkKind.COLUMN) if "column.synonym" not in link.signs}
    return any(
        column.place not in named
        and "profit" not in column.groups
        and is_signed(column)
        and not keeps_one_way(intent, column.name)
        for column in (lattice.vocabulary.by_name[name] for name in intent.used_columns)
    )


@doubt
def _adds_levels(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether several levels are added up: `the balance at the end of June`, of several days, or `the largest population`, of years."""
    summed = lattice.measured(intent, "sum")
    groups = frozenset[str]().union(*(column.groups for column in summed))
    # Of things of a row each there is one level.
    single = any(column.kept_unique and not column.identifying for column in lattice.vocabulary.columns)
    timed = bool(lattice.vocabulary.dates) and not single and _SUMMING.isdisjoint(lattice.names)
    # What stock was worth on several days is a level of each, even in total; when it was counted last is no such day.
    made_of = {name for column in summed for name in column.facts.operands}
    worth = any(not LEVELS.isdisjoint(lattice.vocabulary.by_name[name].groups) for name in made_of)
    heads = lattice.vocabulary.evidence("heads")
    dates = lattice.vocabulary.dates
    pinned = {one.column for one in single_conditions(intent.clauses) if one.operator is Operator.EQ}
    at_once = not pinned.isdisjoint(one.name for one in dates) or any(
        one.unit in {"day", dates[0].facts.span} for one in intent.periods
    )
    at_once = at_once or any(map(lattice.vocabulary.is_timed, intent.keys))
    return (
        (timed and not LEVELS.isdisjoint(groups))
        or (bool(dates) and not at_once and any(not heads.isdisjoint(one.words) for one in summed))
        or (worth and any("date" in column.kinds for column in lattice.vocabulary.dates))
        or ("population" in groups and _spans_years(lattice, intent))
    )


def _spans_years(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether rows of several years are taken together, of a table with a row of each thing in each year."""
    vocabulary = lattice.vocabulary
    told = {key.column for key in intent.keys}
    told |= {one.column for one in plain_conditions(intent.clauses, Operator.EQ)}
    # Of towns with the year when each was founded, there is one row each.
    single = any(vocabulary.by_name[name].text for name in vocabulary.unique)
    return (
        bool(vocabulary.year_columns)
        and not single
        and all(one.name not in told for one in vocabulary.year_columns)
    )


@doubt
def _takes_a_level_for_rows(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a word of the file's name is what is asked for: the stock of salt, by the rows of `stock_moves`."""
    rows = {link.span for link in lattice.links(LinkKind.ROWS) if link.name == "table"}
    levels = {
        (one.start, one.end)
        for one in lattice.sentence.concepts
        if one.name.removeprefix("header.") in LEVELS
    }
    none = any(one.values == (0,) for one in single_conditions(intent.clauses))
    unsaid = not none and all(measure.column is None for measure in intent.measures)
    return unsaid and not rows.isdisjoint(levels)


@doubt
def _mixes_units(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether amounts in several currencies or units are taken for amounts in one: `spend per month`, of dollars and euros."""
    vocabulary, used = lattice.vocabulary, intent.used_columns
    told = used | {one.column for one in single_conditions(intent.clauses)}
    # Each kind of measurement has its unit.
    settled = {name for one in told for name in (vocabulary.facts.determined or {}).get(one, ())}
    money = any(column.name not in told | settled for column in vocabulary.currency_columns)
    sizes = any(
        column.text and column.name not in told | settled and tells_units(column.facts.texts, column.words)
        for column in vocabulary.columns
    )
    # A `fare` is money beside a column of currencies, where nothing else is; a unit is of what is sold, not of what that came to.
    unsaid = money and not vocabulary.money
    sized = {"quantity", "price"} if any("quantity" in one.kinds for one in vocabulary.measures) else None
    return any(
        (money and column.monetary)
        or (unsaid and "quantity" not in column.kinds and _is_without_unit(column))
        or (sizes and _is_without_unit(column) and (sized is None or not sized.isdisjoint(column.kinds)))
        for column in vocabulary.columns
        if column.name in used
    )


@doubt
def _takes_a_price_for_a_worth(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether what one of it costs is taken for what a row comes to: `biggest trade by value`, `dearest order`."""
    columns, used = lattice.vocabulary.by_name, intent.used_columns & lattice.vocabulary.amounts.keys()
    averaged = {one.column for one in intent.measures if one.function == "mean"}
    literal = {
        link.column
        for link in lattice.links(LinkKind.COLUMN)
        if not link.is_near and "column.synonym" not in link.signs
    }
    # The average price per thing may be weighted by how many of it there are.
    each = any(lattice.at(place, LinkKind.CELL) for place in lattice.behind("per"))
    worth = {word.norm for word in lattice.sentence.words} if "worth" in lattice.names else None
    return any(
        (name in averaged and (each or columns[name].place not in literal))
        or (worth is not None and worth.isdisjoint(columns[name].words))
        for name in used
    )


@doubt
def _leaves_a_discount_out(lattice: Lattice, intent: Intent) -> bool:
    """`total sales`, answered by quantities at their prices, of a table that tells a discount or a tax, too."""
    columns, used = lattice.vocabulary.by_name, intent.used_columns
    changed = any(not _CHANGING.isdisjoint(column.kinds) for column in lattice.vocabulary.measures)
    return changed and any(columns[name].facts.operands and columns[name].seconds is None for name in used)


def _is_without_unit(column: TableColumn) -> bool:
    return column.measure and not (column.currencies or column.units or column.seconds)
