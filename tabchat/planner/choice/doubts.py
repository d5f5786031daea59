"""What no probability makes certain: constructions that two careful readers take differently, or that a word was lost from."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Measure, Operator, Output
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.draft import JUDGED

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_PER: Final = {"per", "change.daily"}
_GROUPING: Final = frozenset(
    {"by", "per", "each", "wise", "which", "who", "distribution", "compare", "versus", "unit.each"}
)
"""Words that ask for groups."""
_ABOVE: Final = {Operator.GT, Operator.GE}
_BELOW: Final = {Operator.LT, Operator.LE}
_ASKING: Final = ("agg.", "howmuch", "count")
"""Beginnings of concepts that ask for a figure."""
_DENIALS: Final = {"not", "without"}
_KIN: Final = 5
"""Letters that a verb and a header share when they are of one root: `renewed`, `renewals`."""


def is_doubtful(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a reading is to be offered however likely it is."""
    return (
        _mean_per_thing(lattice, intent)
        or _denies_a_list(lattice, intent)
        or _sets_a_sum_apart(lattice, intent)
        or _loses_a_verb(lattice, intent)
        or _judges_what_nothing_tells(lattice, intent)
        or _bounds_twice(intent)
        or _measures_what_it_bounds(lattice, intent)
        or _asks_whether_all(lattice, intent)
        or _counts_rows_for_things(lattice, intent)
        or _lists_amounts(lattice, intent)
        or _groups_unasked(lattice, intent)
        or _averages_several(lattice, intent)
        or _counts_something_else(lattice, intent)
        or _counts_without_a_noun(lattice, intent)
        or _counts_goods(lattice, intent)
        or _denies_one_of_many(lattice, intent)
        or _shares_nothing_named(lattice, intent)
    )


def _counts_goods(lattice: Lattice, intent: Intent) -> bool:
    """`how many desserts`: rows with them, or pieces of them, where a column holds pieces."""
    named = any(found.kind is LinkKind.ROWS for start in lattice.starts for found in start)
    return (
        intent.output is Output.VALUE
        and intent.measures == (Measure(),)
        and not named
        and any("quantity" in column.groups for column in lattice.vocabulary.measures)
        and any(
            lattice.at(concept.end, LinkKind.CELL)
            for concept in lattice.sentence.concepts
            if concept.name == "count"
        )
    )


def _denies_one_of_many(lattice: Lattice, intent: Intent) -> bool:
    """`unpaid invoices`, where paid is one status of four."""
    several = {
        lattice.vocabulary.columns[found.column].name
        for start in lattice.starts
        for found in start
        if found.kind is LinkKind.CELL
        and found.name == "denied"
        and (lattice.vocabulary.columns[found.column].facts.distinct or 0) > 2  # noqa: PLR2004
    }
    return any(
        isinstance(clause, Condition)
        and clause.operator in {Operator.NE, Operator.NOT_IN}
        and clause.column in several
        for clause in intent.clauses
    )


def _shares_nothing_named(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether it is of the rows or of the money: `the share of each method`."""
    rows = any(found.kind is LinkKind.ROWS for start in lattice.starts for found in start)
    counted = any(measure.share and measure.function == "count" for measure in intent.measures)
    return counted and not rows and bool(lattice.vocabulary.money)


def _counts_without_a_noun(lattice: Lattice, intent: Intent) -> bool:
    """`how many were from Labour`: rows, or the persons whom some of them name repeatedly."""
    repeated = any(not column.facts.unique for column in lattice.vocabulary.people)
    return (
        intent.output is Output.VALUE
        and intent.measures == (Measure(),)
        and repeated
        and any(
            lattice.has(concept.end, "pred", "yesno", "stop.auxiliary")
            for concept in lattice.sentence.concepts
            if concept.name == "count"
        )
    )


def _groups_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`average rating of drivers`: of each, or of all of them."""
    names = {concept.name for concept in lattice.sentence.concepts}
    return (
        intent.output is Output.GROUPS
        and not (intent.orders or intent.having)
        and any(key.column is not None and key.unit is None for key in intent.keys)
        and _GROUPING.isdisjoint(names)
    )


def _averages_several(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a mean may be of each or of all: `the average in comedies and in dramas`."""
    names = {concept.name for concept in lattice.sentence.concepts}
    several = any(
        isinstance(clause, Condition) and clause.operator is Operator.IN and len(clause.values) > 1
        for clause in intent.clauses
    )
    return (
        intent.output is Output.VALUE
        and several
        and {"agg.mean", "and"} <= names
        and any(measure.function == "mean" for measure in intent.measures)
    )


def _counts_something_else(lattice: Lattice, intent: Intent) -> bool:
    """`how many contracts with a delay`, answered by the sum of the days of delay."""
    if intent.output not in {Output.VALUE, Output.GROUPS} or any(
        measure.function in {"count", "count_distinct"} for measure in intent.measures
    ):
        return False
    counts = [concept for concept in lattice.sentence.concepts if concept.name == "count"]
    heads = [found for concept in counts for found in lattice.at(concept.end, LinkKind.ROWS)]
    said = {
        lattice.vocabulary.columns[found.column].name
        for head in heads
        for found in lattice.at(head.start, LinkKind.COLUMN)
    }
    return bool(heads) and not any(measure.column in said for measure in intent.measures)


def _judges_what_nothing_tells(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether more of it may be worse as well as better: `the best manager by weight`."""
    if not intent.orders or not any(concept.name in JUDGED for concept in lattice.sentence.concepts):
        return False
    name = intent.orders[0].column or (intent.measures[0].column if intent.measures else None)
    columns = lattice.vocabulary.by_name
    return name is not None and name in columns and columns[name].is_better_low(lattice.lexicons) is None


def _bounds_twice(intent: Intent) -> bool:
    """Tell whether one column has two bounds of one direction: one of them was not meant so."""
    bounds = [
        (clause.column, clause.operator in _ABOVE)
        for clause in intent.clauses
        if isinstance(clause, Condition) and clause.operator in _ABOVE | _BELOW
    ]
    return len(bounds) != len(set(bounds))


def _measures_what_it_bounds(lattice: Lattice, intent: Intent) -> bool:
    """`stays longer than 5 nights`, read as a sum of the nights although no word asks for one."""
    names = [concept.name for concept in lattice.sentence.concepts]
    if intent.output is not Output.VALUE or any(name.startswith(_ASKING) for name in names):
        return False
    bound = {clause.column for clause in intent.clauses if isinstance(clause, Condition)}
    return any(measure.column in bound for measure in intent.measures)


def _asks_whether_all(lattice: Lattice, intent: Intent) -> bool:
    """`are all donations anonymous`, answered by those that are."""
    names = {concept.name for concept in lattice.sentence.concepts}
    return {"yesno", "all"} <= names and intent.output in {Output.ROWS, Output.EXISTS}


def _counts_rows_for_things(lattice: Lattice, intent: Intent) -> bool:
    """`how many clients`, answered by the rows although a column of clients names some of them repeatedly."""
    if intent.output is not Output.VALUE or intent.measures != (Measure(),):
        return False
    columns = lattice.vocabulary.columns
    counts = [concept.end for concept in lattice.sentence.concepts if concept.name == "count"]
    rows = [
        found.start
        for start in lattice.starts
        for found in start
        if found.kind is LinkKind.ROWS and found.name != "generic"
    ]
    return any(
        columns[found.column].text
        and not columns[found.column].facts.unique
        and not {name for name, _ in found.features} & {"column.missing", "column.synonym"}
        for place in {*counts, *rows}
        for found in lattice.at(place, LinkKind.COLUMN)
    )


def _lists_amounts(lattice: Lattice, intent: Intent) -> bool:
    """`sales until March`, answered by the rows where a column of money may have been meant."""
    if intent.output is not Output.ROWS or not lattice.vocabulary.money:
        return False
    concepts = lattice.sentence.concepts
    return not any(concept.name == "list" for concept in concepts) and any(
        concept.name == "header.revenue" and lattice.at(concept.start, LinkKind.ROWS) for concept in concepts
    )


def _mean_per_thing(lattice: Lattice, intent: Intent) -> bool:
    """`average revenue per customer`: by each customer, or the mean of their totals; `pages per loan by genre`."""
    names = [concept.name for concept in lattice.sentence.concepts]
    monthly = "agg.mean" in names and any(name.startswith("every.") for name in names)
    timed = "per.time" in names and any(key.unit is not None for key in intent.keys)
    if intent.output is not Output.GROUPS or (_PER.isdisjoint(names) and not monthly and not timed):
        return False
    columns = lattice.vocabulary.by_name
    if any(
        # The mean of ratings is one thing; that of sums and that of the rows are two.
        measure.function == "mean" and measure.column is not None and columns[measure.column].additive
        for measure in intent.measures
    ):
        return True
    places = {concept.start for concept in lattice.sentence.concepts if concept.name in {"per", "by"}}
    return len(places) > 1 and not any(name.startswith("agg.") for name in names)


def _denies_a_list(lattice: Lattice, intent: Intent) -> bool:
    """`not reserved and damaged`: the denial may reach behind the `and`, or not."""
    concepts = lattice.sentence.concepts
    denied = [concept.end for concept in concepts if concept.name in _DENIALS]
    tied = [concept.start for concept in concepts if concept.name in {"and", "or"}]
    return len(intent.clauses) > 1 and bool(denied) and any(at > min(denied) for at in tied)


def _sets_a_sum_apart(lattice: Lattice, intent: Intent) -> bool:
    """`total for February and March`, read as a comparison of the two."""
    names = {concept.name for concept in lattice.sentence.concepts}
    return (
        intent.output is Output.COMPARISON
        and {"agg.sum", "and"} <= names
        and names.isdisjoint({"compare", "diff"})
    )


def _loses_a_verb(lattice: Lattice, intent: Intent) -> bool:
    """`loans that were renewed`, read without the column of renewals."""
    said = repr(intent)
    verbs = [
        word.norm
        for word, skip in zip(lattice.sentence.words, lattice.skips, strict=True)
        if skip in {Skip.VERB, Skip.DOING}
    ]
    return any(
        _shared(verb, word) >= _KIN
        for verb in verbs
        for column in lattice.vocabulary.columns
        if column.measure and repr(column.name) not in said
        for word in column.words
    )


def _shared(one: str, two: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
