"""Doubts about missing cells: whether an empty cell is what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    Operator,
    Output,
    all_conditions,
    plain_conditions,
    single_conditions,
)
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.states import unfinished

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn


_ENDINGS: Final = frozenset({"end", "close", "resolve", "return", "complete"})
"""Deeds by which anything ends."""
_DEEDS: Final = frozenset(
    {"arrive", "deliver", "ship", "pay", "approve", "reject", "publish", "issue", "inspect", "decide"}
    | {"register", "renew", "leave", "admit", "discharge", "test", "release", "hire", "reserve", "apply"}
    | {"update", "cancel"}
)
"""Deeds that a date can be of, and that end nothing but themselves."""
_OPEN: Final = ("open", "откры", "відкри")
"""Beginnings of words for what has not ended."""
OWED: Final = frozenset({"debt", "fine", "fee"})
"""Groups of columns of what is owed."""
_WITHIN: Final = frozenset({Operator.LE, Operator.LT})


@doubt
def _denies_a_degree(lattice: Lattice, intent: Intent) -> bool:
    """`how many are not satisfied`, answered by those whose satisfaction is not told: a low one denies it as well."""
    columns = lattice.vocabulary.by_name
    return "not" in lattice.names and any(
        one.operator is Operator.MISSING
        and columns[one.column].measure
        and "satisfaction" in columns[one.column].groups
        for one in all_conditions(intent)
    )


@doubt
def _surveys_cells_for_rows(lattice: Lattice, intent: Intent) -> bool:
    """`how many rows have a missing value`, `empty trips`, `which books are missing`, answered by the missing cells of each column."""
    if intent.output is not Output.MISSING:
        return False
    missing = [one for one in lattice.sentence.concepts if one.name.startswith("missing")]
    gone = {one.start for one in missing}
    named = [*lattice.links(LinkKind.ROWS), *lattice.links(LinkKind.CELL)]
    counted = any(lattice.at(place, LinkKind.ROWS) for place in lattice.behind("count"))
    empty = {one.end for one in missing} & {link.start for link in lattice.called}
    return counted or bool(empty) or any(link.end in gone for link in named)


@doubt
def _takes_a_part_for_the_whole(lattice: Lattice, intent: Intent) -> bool:
    """`total with tax`, answered by the tax; `revenue without shipping`, by the revenue of what has no shipping.

    `orders without shipping` are just these; a header `Amount with VAT` says itself what it is.
    """
    figures = {one.column for one in intent.measures if one.column is not None}
    used = figures.union(
        one.column
        for one in single_conditions(intent.clauses)
        if one.operator is Operator.MISSING or one.values == (0,)
    )
    rows, named = lattice.links(LinkKind.ROWS), lattice.links(LinkKind.COLUMN)
    told = {place for link in named for place in range(link.start + 1, link.end)}
    told.update(link.end for link in rows)
    apart = [
        one.end
        for one in lattice.sentence.concepts
        if one.start not in told
        and (one.name == "without" or (one.name == "had" and _says_an_amount(lattice, one.start - 1)))
    ]
    return bool(figures) and any(
        column.measure and column.name in used for end in apart for _, column in lattice.columns(end)
    )


def _says_an_amount(lattice: Lattice, place: int) -> bool:
    """Tell whether a word ends what names an amount, or asks for a sum."""
    ends = {link.end for link, column in lattice.column_links if column.measure}
    return lattice.has(place, "agg.", "total", "summed_noun", "money") or place + 1 in ends


@doubt
def _misses_what_a_cell_tells(lattice: Lattice, intent: Intent) -> bool:
    """`unknown cost`, answered by the empty cells of a column in which `Unknown` is written."""
    told = {
        lattice.vocabulary.columns[cell.column].name
        for concept in lattice.sentence.concepts
        if concept.name.startswith("missing")
        for cell in lattice.at(concept.start, LinkKind.CELL)
    }
    denied = any(
        cell.end > cell.start + 1 and lattice.has(cell.start, "not", "no", "without")
        for cell in lattice.links(LinkKind.CELL)
    )
    # `not assigned`, of those without anybody, where a status says so of one.
    return any(
        denied or clause.column in told for clause in plain_conditions(intent.clauses, Operator.MISSING)
    )


@doubt
def _misses_what_was_failed(lattice: Lattice, intent: Intent) -> bool:
    """`кто не сдал математику` (who did not pass), answered by those who have no mark; `how many absences`, by empty cells."""
    if intent.output is Output.MISSING:
        return bool(lattice.vocabulary.people) and lattice.says("absence")
    return lattice.says("passed") and any(
        one.operator is Operator.MISSING and lattice.vocabulary.by_name[one.column].measure
        for one in single_conditions(intent.clauses)
    )


@doubt
def _misses_the_rows(lattice: Lattice, intent: Intent) -> bool:
    """`days with no deliveries`, `share of bins that are empty`, answered by rows that have no number, although each has one."""
    called = {link.span for link in lattice.links(LinkKind.ROWS)}
    named = {column.name for link, column in lattice.column_links if link.span in called}
    return any(
        one.operator is Operator.MISSING and one.column in named & lattice.vocabulary.unique
        for one in all_conditions(intent)
    )


@doubt
def _has_what_was_run_out_of(lattice: Lattice, intent: Intent) -> bool:
    """`laptops out of warranty`, over a column of its end: no share of anything, and none of those that have it."""
    empty = any(
        one.operator is Operator.LE and one.values == (0,) for one in single_conditions(intent.clauses)
    )
    return not empty and any(
        bool(lattice.columns(one.end)) and not lattice.at(one.end, LinkKind.ROWS)
        for one in lattice.sentence.concepts
        # `among` and «серед оплачених» say no other thing.
        if one.name == "among" and one.end - one.start > 1
    )


@doubt
def _owes_what_may_be_paid(lattice: Lattice, intent: Intent) -> bool:
    """`which client owes most`, answered by all invoices, of a table that tells no debts but when each was paid."""
    if "verb.debt" not in lattice.names or (intent.output is Output.ROWS and not intent.orders):
        return False
    used = (lattice.vocabulary.by_name.get(name) for name in intent.used_columns)
    unpaid = bool(plain_conditions(intent.clauses, Operator.MISSING))
    if unpaid:
        # How much is owed is no number of invoices.
        return all(one.function == "count" for one in intent.measures)
    # A fee may have been paid.
    return not any(column is not None and (OWED - {"fee"}) & column.kinds for column in used)


@doubt
def _lists_who_owes_nothing(lattice: Lattice, intent: Intent) -> bool:
    """`who owes us`, answered by the debts of all, of whom some owe nothing."""
    owed = [column.facts.low for column in lattice.measured(intent) if "debt" in column.kinds]
    listed = intent.output is Output.GROUPS and not (intent.orders or intent.having or intent.clauses)
    return (
        listed and "who" in lattice.names and any(isinstance(low, int | float) and low <= 0 for low in owed)
    )


@doubt
def _takes_a_deed_for_the_end(lattice: Lattice, intent: Intent) -> bool:
    """`orders not paid yet`, answered by those that have not arrived: another deed, or one that a cell tells of, too."""
    columns = lattice.vocabulary.by_name
    gaps = [
        columns[one.column]
        for one in single_conditions(intent.clauses)
        if one.operator is Operator.MISSING and columns[one.column].temporal
    ]
    deeds = [deed for at in range(len(lattice.starts)) for deed, _ in unfinished(lattice, at) if deed]
    return any(not _ends(lattice, deed, column) for column in gaps for deed in deeds)


@doubt
def _takes_what_opened_then_for_open(lattice: Lattice, intent: Intent) -> bool:
    """`tickets open in March`, answered by those of March without an end: others were open then, too, or were opened then."""
    then = [one.end for one in lattice.sentence.concepts if one.name == "pending"]
    then += [one.end for one in lattice.sentence.concepts if one.name == "in" and one.start in then]
    return any(lattice.at(place, LinkKind.TIME) for place in then) and any(
        one.operator is Operator.MISSING for one in single_conditions(intent.clauses)
    )


@doubt
def _has_no_date_for_later(lattice: Lattice, intent: Intent) -> bool:
    """`loans not due yet`, answered by those that have no date when they are due, rather than by a later one."""
    columns = lattice.vocabulary.by_name
    return "yet" in lattice.names and any(
        one.operator is Operator.MISSING
        and columns[one.column].temporal
        and not lattice.vocabulary.evidence("due").isdisjoint(columns[one.column].words)
        for one in single_conditions(intent.clauses)
    )


def _ends(lattice: Lattice, deed: range, column: TableColumn) -> bool:
    """Tell whether what some words say was not done is what a date is of."""
    found = [link for at in deed for link in lattice.starts[at]]
    if any(link.kind is LinkKind.CELL and link.whole for link in found):
        return False
    if any(link.column == column.place for link in found):
        return True
    said = {link.name.removeprefix("event.") for link in found if link.name.startswith("event.")}
    told = {
        event
        for event in _ENDINGS | _DEEDS
        if not lattice.vocabulary.evidence(event).isdisjoint(column.words)
    }
    ended = told <= _ENDINGS and not said.isdisjoint(_ENDINGS)
    # What was delivered or paid is not therefore returned, and what has no date until which it is good not open.
    pending = {lattice.sentence.words[one.start].norm for one in found if one.name == "pending"}
    # `still out` tells of what comes back; anything may be `open`.
    open_still = (
        bool(pending)
        and told <= _ENDINGS
        and (bool(told) or not any(word.startswith(_OPEN) for word in pending))
    )
    return not said.isdisjoint(told) or ended or open_still


@doubt
def _takes_what_is_only_near(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether nothing but a word that is near names a cell: `rows for banks`, answered by those of Denmark."""
    cells = lattice.links(LinkKind.CELL)
    near, said = (
        {(cell.column, text) for cell in cells if ("cell.near" in cell.signs) is alone for text in cell.texts}
        for alone in (True, False)
    )
    only = {(lattice.vocabulary.columns[place].name, text) for place, text in near - said}
    return any((one.column, str(value)) in only for one in all_conditions(intent) for value in one.values)


@doubt
def _denies_a_term(lattice: Lattice, intent: Intent) -> bool:
    """`not paid within 30 days`, answered by what was never paid, and was to be within 30 days."""
    columns, conditions = lattice.vocabulary.by_name, [*single_conditions(intent.clauses)]
    within = any(one.operator in _WITHIN and columns[one.column].facts.operands for one in conditions)
    missed = any(one.operator is Operator.MISSING for one in conditions)
    return within and missed and not lattice.names.isdisjoint({"not", "no"})


@doubt
def _takes_a_difference_for_clear(lattice: Lattice, intent: Intent) -> bool:
    """`actual minus planned`, where some rows lack one of both; `the biggest difference`, which may be one below nothing."""
    if intent.limit is not None and any(one.less is not None for one in intent.measures):
        return True
    known, told = lattice.vocabulary.by_name, (*intent.measures, *(bound.measure for bound in intent.having))
    names = (name for one in told if one.less is not None for name in (one.column, one.less))
    return any(name is not None and lattice.vocabulary.lacks(known[name]) for name in names)


@doubt
def _surveys_gaps_for_somebody(lattice: Lattice, intent: Intent) -> bool:
    """`хто був відсутній` (who was absent), answered by how many cells of each column are empty."""
    return intent.output is Output.MISSING and lattice.has(0, "who", "when")
