"""Doubts about which amount is told: rows, what they name, or a sum of them; money, or the numbers of receipts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import COUNT, Measure, Operator, Output, plain_conditions
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import CALLED, PERSONS, LinkKind
from tabchat.planner.links.units import NEARNESS
from tabchat.planner.readings.mismatches import computed_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn


_DIGITS: Final = re.compile(r"\W*\d")
"""The beginning of a number, with a sign or a bracket before it."""
_ROOT: Final = 4
"""Letters by which a noun and a participle are of one root."""
_PLACES: Final = frozenset({"rel.first", "rel.last", "edge.first", "edge.last"})
"""Words for a place in an order, which say nothing of its direction."""
_RANKS: Final = ("super.", "top.", "scale.", "asc", "desc", "agg.max", "agg.min", "count.")
_ENTITIES: Final = frozenset({"entity", "stranger"})
"""Words that name things of a kind, as `product` does, whether or not rows are called so."""


@doubt
def _groups_by_a_unit(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a unit was meant: `the total talk time in hours`, of seconds, answered by each hour of the day."""
    columns = lattice.measured(intent)
    if not any(column.seconds for column in columns) or all(key.unit is None for key in intent.keys):
        return False
    headers = {word for column in columns for word in column.words}
    return any(
        one.name.startswith("unit.")
        and lattice.has(one.start - 1, "in")
        and not lattice.has(one.start - 1, "by")
        and lattice.sentence.words[one.start].norm not in headers
        for one in lattice.sentence.concepts
    )


@doubt
def _compares_counts(lattice: Lattice, intent: Intent) -> bool:
    """`where is bread cheaper`, answered by where there are fewer rows of it; `how many times bigger is London`, of one row."""
    if intent.output is not Output.COMPARISON or intent.measures != (COUNT,):
        return False
    compared = {clause.column for side in intent.sides for clause in plain_conditions(side.clauses)}
    return bool(compared & lattice.vocabulary.unique) or any(
        name.startswith("scale.more.") for name in lattice.names
    )


@doubt
def _compares_rows_unsaid(lattice: Lattice, intent: Intent) -> bool:
    """`did firms or persons give more`, answered by which have more rows although no word counts or names them."""
    counted = intent.output in {Output.COMPARISON, Output.CHANGE} and intent.measures == (COUNT,)
    # The first word of two cells of several, `Shop No 5 and Shop No 6`, names no rows.
    cells = {place for one in lattice.links(LinkKind.CELL) for place in range(one.start, one.end - 1)}
    rows = [one.start for one in lattice.links(LinkKind.ROWS) if one.name != "stranger"]
    named = not cells.issuperset(rows) or "count" in lattice.names
    # `more males or females` asks for no deed, of which there may be an amount.
    deeds = {Skip.VERB, Skip.DOING}.intersection(lattice.skips)
    bare = not deeds and not lattice.names.isdisjoint({"more", "more.bare", "fewer"})
    # `percent change from 2023 to 2024` says of nothing what it is.
    alone = intent.output is Output.COMPARISON and not deeds
    return counted and not (named or bare) and (bool(lattice.vocabulary.measures) or alone)


@doubt
def _takes_a_sum_for_its_header(lattice: Lattice, intent: Intent) -> bool:
    """`total bookings` of a table with a `total`: how many there are, or what all of them came to."""
    summed = {one.column for one in intent.measures if one.function == "sum"}
    said = [one for one in lattice.sentence.concepts if one.name == "agg.sum"]
    if len(said) != 1 or not summed:
        return False
    links = [link for link, column in lattice.column_links if column.name in summed]
    at = said[0].end
    # Languages with cases say a sum of them, and have another word for how many.
    bare = lattice.sentence.words[at].norm.isascii() if at < len(lattice.sentence.words) else False
    counted = bare and any(link.name in CALLED for link in lattice.at(at, LinkKind.ROWS))
    if not counted or lattice.has(at, "summed_noun"):
        return False
    return bool(links) and all(link.start == said[0].start for link in links)


@doubt
def _computes_with_names(lattice: Lattice, intent: Intent) -> bool:
    """`average room`: of the numbers on the doors, or of an amount of each room."""
    return bool(computed_names(lattice, intent))


def _counts_rows(intent: Intent) -> bool:
    return intent.output is Output.VALUE and intent.measures == (COUNT,) and not intent.keys


@doubt
def _counts_rows_for_things(lattice: Lattice, intent: Intent) -> bool:
    """`how many clients`, answered by the rows although a column of clients names some of them repeatedly.

    `how many products in each category`, unless products are what rows are called.
    """
    rows = lattice.links(LinkKind.ROWS)
    by_group = intent.output is Output.GROUPS and intent.measures == (COUNT,) and not intent.having
    divided = any(
        one.per is not None and one == Measure(per=one.per, each=one.each) for one in intent.measures
    )
    places = {*lattice.behind("count"), *(found.start for found in rows if found.name != "generic")}
    places -= {found.start for found in rows if found.name not in _ENTITIES}
    if by_group:
        keys = {key.column for key in intent.keys}
        places -= {found.start for found, column in lattice.column_links if column.name in keys}
    return (by_group or divided or _counts_rows(intent)) and any(
        column.text and not (column.flag or column.facts.unique or found.is_loose)
        for place in places
        for found, column in lattice.columns(place)
    )


@doubt
def _counts_things_for_times(lattice: Lattice, intent: Intent) -> bool:
    """`how many times did customers order`, answered by how many customers there are."""
    asked = "often" in lattice.names or any(lattice.has(end - 1, "times") for end in lattice.behind("count"))
    return asked and any(measure.function == "count_distinct" for measure in intent.measures)


@doubt
def _counts_rows_for_people(lattice: Lattice, intent: Intent) -> bool:
    """`how many people work in sales`, answered by the rows of a table that does not name each person once."""
    # `how many bookings have kids` counts bookings.
    rows = any(
        link.name in {"generic", "noun"} and not lattice.has(link.start, *PERSONS)
        for place in lattice.behind("count")
        for link in lattice.at(place, LinkKind.ROWS)
    )
    return (
        _counts_rows(intent)
        and lattice.tells_people
        and not rows
        and not any(column.facts.unique for column in lattice.vocabulary.people)
        # An `EmployeeNumber` numbers employees.
        and not any(
            column.facts.unique and column.identifying
            for at in lattice.behind("count")
            for _, column in lattice.columns(at)
        )
    )


@doubt
def _counts_all_for_an_event(lattice: Lattice, intent: Intent) -> bool:
    """`how many tickets are still open`, answered by all of them."""
    everything = intent.output is Output.VALUE and not (intent.clauses or intent.periods or intent.keys)
    if not everything or not _counts_rows(intent):
        return False
    if Skip.DOING in lattice.skips:
        return True
    rows = [found.start for found in lattice.links(LinkKind.ROWS)]
    # `how many orders` names the rows by what they are of.
    happened = {concept.start for concept in lattice.sentence.concepts if concept.name.startswith("event.")}
    # `how many images are listed`, where no column tells which are.
    happened -= {at for at in happened if lattice.has(at, "recorded") and not lattice.at(at, LinkKind.COLUMN)}
    return not happened <= {*rows[:1]}


@doubt
def _adds_up_all_for_an_unknown_deed(lattice: Lattice, intent: Intent) -> bool:
    """`сколько упаковок разбили` (how many packs were broken), answered by all packs: a cell may tell what was done to them."""
    summed = any(one.function == "sum" for one in intent.measures)
    return summed and intent.output is Output.VALUE and Skip.DOING in lattice.skips


@doubt
def _ranks_by_an_unknown_deed(lattice: Lattice, intent: Intent) -> bool:
    """`who was ill most often`, answered by who has the most rows: what is done may be told by cells."""
    counted = intent.output is Output.GROUPS and intent.measures == (COUNT,) and intent.limit is not None
    return counted and Skip.DOING in lattice.skips


@doubt
def _counts_two_things_together(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether each was meant by itself: `how many cats and how many dogs`, answered by one number, also in each group."""
    again = any(lattice.concepts(place, "count") for place in lattice.behind("and"))
    apart = {key.column for key in intent.keys}
    listed = any(one.column not in apart for one in plain_conditions(intent.clauses, Operator.IN))
    one = intent.output is Output.VALUE or (listed and intent.output is Output.GROUPS)
    return again and one and len(intent.measures) == 1


@doubt
def _chooses_among_equals(lattice: Lattice, intent: Intent) -> bool:
    """`orders dearer than 10000`, answered by one of two prices; `the oldest listing`, by when the house was built, not listed."""
    dimensions = lattice.dimensions("scale.most.", "scale.more.")
    columns = lattice.vocabulary.columns
    levels = {
        column.name: min(NEARNESS.index(near) for near in found)
        for column in columns
        if (found := [near for name in dimensions if (near := column.nearness(name)) is not None])
    }
    taken = {order.column for order in intent.orders} | {
        clause.column for clause in plain_conditions(intent.clauses)
    }
    named = {column.name for _, column in lattice.column_links}
    called = [lattice.sentence.words[link.start].norm for link in lattice.links(LinkKind.ROWS)]
    for name in levels.keys() & taken - named:
        equals = [column for column in columns if levels.get(column.name) == levels[name]]
        events = [
            column
            for column in columns
            if column.dated and column.name != name and "age" in dimensions and _is_of(column, called)
        ]
        if len(equals) > 1 or events:
            return True
    return False


def _is_of(column: TableColumn, called: Sequence[str]) -> bool:
    """Tell whether a date is of what rows are: `listed`, of listings."""
    return any(word[:_ROOT] == noun[:_ROOT] for word in column.words for noun in called if len(noun) >= _ROOT)


@doubt
def _ranks_by_places(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the first may be the best ones: `the first 3 products by revenue`, answered by the lowest."""
    if not intent.orders or intent.limit is None or _PLACES.isdisjoint(lattice.names):
        return False
    if any(name.startswith(_RANKS) for name in lattice.names):
        return False
    column = lattice.vocabulary.by_name.get(intent.orders[0].column or "")
    if column is None:
        # Groups of rows that are sorted begin with the highest; rows that are sorted, with the lowest.
        rows = not lattice.vocabulary.unique.isdisjoint(key.column for key in intent.keys)
        return intent.output is Output.GROUPS and (rows or "sort" not in lattice.names)
    return column.measure


@doubt
def _takes_numbers_together(lattice: Lattice, intent: Intent) -> bool:
    """`average minutes for one, two and three flues`: of all of these together, or of each."""
    lists = plain_conditions(intent.clauses, Operator.IN)
    if len(lists) == 1 and "agg.sum" in lattice.names:
        # `goals in 2000 and 2004 combined`
        return False
    return intent.output is Output.VALUE and any(
        clause.part is None
        and all(isinstance(value, int | float) and not isinstance(value, bool) for value in clause.values)
        for clause in plain_conditions(intent.clauses, Operator.IN)
    )


@doubt
def _adds_up_who_did(lattice: Lattice, intent: Intent) -> bool:
    """`responses per region`, answered by sums of the numbers of respondents."""
    summed = {one.column for one in intent.measures if one.function in {"sum", "mean"}}
    return not summed.isdisjoint(lattice.named_only(lambda link: "column.agent" in link.signs))


@doubt
def _ranks_numbers_as_texts(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether numbers or durations are compared by their letters: `max amount` of `1,200`, `longest stay` of `45m` and `1h 30m`."""
    known = lattice.vocabulary.by_name
    ends = lattice.measured(intent, "max", "min")
    if any(one.text and any(map(str.isdigit, "".join(one.facts.texts))) for one in ends):
        return True
    told = {one.column for one in intent.orders if intent.output is Output.ROWS}
    ordered = [known[name] for name in known.keys() & told]
    texts = [one.facts.texts for one in ordered if one.text and one.facts.span is None]
    return any(2 * sum(bool(_DIGITS.match(text)) for text in cells) >= len(cells) > 0 for cells in texts)


@doubt
def _ranks_things_by_their_rate(lattice: Lattice, intent: Intent) -> bool:
    """`average unemployment rate of the 5 largest cities`, answered by the cities with the highest rates."""
    known, measured = lattice.vocabulary.by_name, {one.column for one in intent.measures}
    ranked = {one.column for one in intent.orders if intent.output is Output.VALUE} & measured
    return any(not known[name].additive for name in known.keys() & ranked)
