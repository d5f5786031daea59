"""Conditions on what rows came to, or have not come to yet: flags, events, ends that have no date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.derived import SPANS
from tabchat.planner.intent import AnyOf, Condition, Operator
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.medals import tells_a_win
from tabchat.planner.readings.effect import Kind, clause_said, said
from tabchat.planner.readings.phrases import names_several, paths
from tabchat.planner.readings.targets import placings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Clause, Scalar
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features, Item

STATES: Final = frozenset({"status", "state", "condition", "stage"})
_UNTOLD: Final = frozenset({Skip.UNKNOWN, Skip.TABLE, Skip.ROW})
"""What may say in what rows are still: cells and columns that may tell it are looked at."""
_LONGEST_DEED: Final = 4
"""Words between `not` and `yet`."""


def flag_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a column of yes and no as a condition: `returned orders`, `in stock`."""
    figures = {found.start: found.value for found in lattice.sentence.quantities}
    for link, column in lattice.columns(place):
        # `paid = 1` says which of its ones and noughts.
        own = any(figures.get(at) in (column.yes_no or ()) for at in (link.end, link.end + 1))
        if column.flag and not own:
            clause = flag_condition(column, truth=link.name != "denied")
            yield clause_said(place, link.end, clause, (*link.features, ("flag.yes", 1.0)), link.column)
    for (link, said_so), end, told in paths(lattice, place, LinkKind.COLUMN, 2, ("true", "false")):
        if lattice.column(link).flag:
            clause = flag_condition(lattice.column(link), truth=said_so.name == "true")
            yield clause_said(place, end, clause, told, link.column)


def yes_of(column: TableColumn) -> Scalar:
    """Return the cell that says yes in a column of yes and no."""
    return True if column.yes_no is None else column.yes_no[0]


def lacks_no(column: TableColumn) -> bool:
    """Tell whether cells say yes or nothing in a column of yes and no."""
    if column.yes_no is not None:
        return column.yes_no[1] == ""
    return column.kind is ColumnKind.BOOLEAN and column.facts.distinct == 1


def flag_condition(column: TableColumn, *, truth: bool) -> Clause:
    """Return the condition that a column of yes and no says yes (or no)."""
    # A comparison leaves out what is empty.
    missing = Condition(column=column.name, operator=Operator.MISSING)
    if column.text and not truth and lacks_no(column):
        return missing
    no = False if column.yes_no is None else column.yes_no[1]
    said = Condition(column=column.name, operator=Operator.EQ, values=(yes_of(column) if truth else no,))
    return AnyOf(conditions=(said, missing)) if lacks_no(column) and not truth else said


def event_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read what only some rows came to: `tickets that were closed` have a date of it, and open ones have none."""
    for link, column in lattice.columns(place):
        lacking = column.text and not column.flag and link.name == "denied"
        if (column.temporal or lacking) and lattice.vocabulary.lacks(column):
            name = "missing" if link.name == "denied" else "present"
            yield missing_said(lattice, place, link.end, link, name, (*link.features, ("event", 1.0)))


def pending_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read what has not come to its end, whatever it is called: `loans not back yet`, `what is still out`."""
    for deed, end in unfinished(lattice, place):
        name, own = open_end(lattice)
        # `not paid yet`, beside a column that tells what was paid; `have not given a mark yet`; `open bugs` are bugs.
        behind = () if deed.stop == end else (min(end, len(lattice.starts) - 1),)
        told_else = any(
            link.whole if link.kind is LinkKind.CELL else _may_tell(lattice, link, own)
            for at in {*deed, *behind}
            for kind in (LinkKind.CELL, LinkKind.COLUMN)
            for link in lattice.at(at, kind)
        )
        if name and not told_else:
            clause = Condition(column=name, operator=Operator.MISSING)
            column = lattice.vocabulary.by_name[name]
            yield clause_said(place, end, clause, (("pending", 1.0),), column.place)


def present_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read what is so now as what has not ended: `currently working`, where some have a date of leaving."""
    concepts = lattice.concepts(place, "now")
    name = left_at(lattice) if concepts else ""
    for concept in concepts if name else ():
        if any(column.measure for _, column in lattice.columns(concept.end)):
            # the current salary
            continue
        clause = Condition(column=name, operator=Operator.MISSING)
        said = (("pending.now", 1.0),)
        yield clause_said(place, concept.end, clause, said, lattice.vocabulary.by_name[name].place)


def won_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read who won as who came first: `who won the race`, where a column of numbers tells the places."""
    # Where a column has the number of wins, or of medals, `won` is of these.
    counted = bool(lattice.columns(place)) or tells_a_win(lattice, place)
    placed = [] if counted else placings(lattice.vocabulary)
    for concept in lattice.concepts(place, "cell.status.won", "header.winner") if len(placed) == 1 else ():
        clause = Condition(column=placed[0].name, operator=Operator.EQ, values=(1,))
        yield clause_said(place, concept.end, clause, (("level.won", 1.0),), placed[0].place)


def owed_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read what is owed: a debt above nothing, or, where no column tells debts, what has no date or no amount of its payment."""
    vocabulary, pay = lattice.vocabulary, lattice.vocabulary.evidence("pay")
    debts = [column for column in vocabulary.measures if "debt" in column.kinds]
    ranked = lattice.tells("super.", "top.", "count.max", "count.min")
    debtors = lattice.sentence.words[place].norm in lattice.said("debtor")
    owing = len(debts) == 1 and not ranked and (debtors or "who" in lattice.names)
    for concept in lattice.concepts(place, "verb.debt", "header.debt") if owing else ():
        # Debtors, and who owes something, owe more than nothing.
        clause = Condition(column=debts[0].name, operator=Operator.GT, values=(0,))
        yield clause_said(place, concept.end, clause, (("event", 1.0), ("pending", 1.0)), debts[0].place)
    if debts:
        return
    paid = [
        column
        for column in vocabulary.columns
        if not pay.isdisjoint(column.words)
        and (column.temporal or column.measure)
        and vocabulary.lacks(column)
    ]
    for concept in lattice.concepts(place, "verb.debt", "header.debt") if len(paid) == 1 else ():
        clause = Condition(column=paid[0].name, operator=Operator.MISSING)
        yield clause_said(place, concept.end, clause, (("event", 1.0), ("pending", 1.0)), paid[0].place)


def kind_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a word for things that are of one kind: `which vans`, where vehicles have plates and `Van` is a type of them."""
    for link, column in lattice.columns(place):
        if "column.synonym" not in link.signs or not column.text:
            continue
        for cell in lattice.at(place, LinkKind.CELL):
            of = lattice.column(cell)
            one_cell = cell.whole and not cell.name and len(cell.texts) == 1
            if one_cell and cell.span == link.span and of is not column:
                clause = Condition(column=of.name, operator=Operator.EQ, values=cell.texts)
                # A cell is surer than the synonym of a header.
                features, many = (("column", 1.0), *cell.features), names_several(lattice, link, column)
                kind = {"column": link.column, "clauses": (clause,), "many": many}
                yield said(Kind.COLUMN, place, link.end, features, **kind)


def left_at(lattice: Lattice) -> str:
    """Return the date from which on a row is none of those that are there now; empty where none is, or a cell tells."""
    vocabulary = lattice.vocabulary
    gone = vocabulary.evidence("gone")
    ends = [column.name for column in vocabulary.dates if vocabulary.lacks(column) and gone & {*column.words}]
    name, _ = open_end(lattice)
    if name not in ends:
        # Of many dates it is open which belong together, but not which one says that somebody left.
        name = ends[0] if len(ends) == 1 and not name else ""
    # What is available now is not what is gone.
    if "at_hand" in lattice.names or not name:
        return ""
    said = (column for link, column in lattice.cell_links if link.whole)
    return "" if any(not column.groups.isdisjoint(STATES) for column in said) else name


def open_end(lattice: Lattice) -> tuple[str, set[int]]:
    """Return the one date that is the end of another and has gaps, empty where there is none, with the places of both."""
    columns = lattice.vocabulary.by_name
    derived = (column.facts for column in columns.values() if column.facts.operands)
    spans = {facts.operands for facts in derived if facts.unit in SPANS}
    ends = {end for _, end in spans if lattice.vocabulary.lacks(columns[end])}
    if len(ends) != 1:
        return "", set()
    (name,) = ends
    return name, {columns[one].place for span in spans if span[1] == name for one in span}


def _may_tell(lattice: Lattice, link: Link, own: set[int]) -> bool:
    """Tell whether the cells of a column, which is none of the `own` ones, may tell that something was not done."""
    column = lattice.column(link)
    if link.is_near or not {"column.agent", "column.kin"}.isdisjoint(link.signs):
        return False
    return link.column not in own and (not column.text or column.flag or lattice.vocabulary.lacks(column))


def unfinished(lattice: Lattice, place: int) -> Iterator[tuple[range, int]]:
    """Yield what is said not to be done yet, and the place behind it: `not back yet`, `still not back`, `still out`."""
    for concept in lattice.concepts(place, "pending"):
        # Tickets that were opened, or that we open, need not be open; nor is an `open price`.
        named = any(link.end > concept.end for link, _ in lattice.columns(place))
        done = "concept.form" in concept.signs or lattice.has(place - 1, "stop.person")
        if not (named or done or _ends_in_an_opening(lattice)):
            yield range(concept.start, concept.end), concept.end
    for denial in lattice.concepts(place, "not"):
        for at in range(denial.end + 1, denial.end + _LONGEST_DEED):
            yield from ((range(denial.end, at), concept.end) for concept in lattice.concepts(at, "yet"))
    for concept in lattice.concepts(place, "yet"):
        for denial in lattice.concepts(concept.end, "not"):
            if denial.end < len(lattice.skips):
                yield range(denial.end, denial.end + 1), denial.end + 1
        for within in lattice.concepts(concept.end, "in"):
            # `still in transit`, where no word says what is in it, and no cell that it is so
            told = any(link.whole for link in lattice.at(concept.end, LinkKind.CELL))
            if not told and within.end < len(lattice.skips) and lattice.skips[within.end] in _UNTOLD:
                yield range(within.end, within.end + 1), within.end + 1


def _ends_in_an_opening(lattice: Lattice) -> bool:
    """Tell whether rows end when something opens: a road that is closed until it is `reopened` is not open before."""
    column = lattice.vocabulary.by_name.get(open_end(lattice)[0])
    opened = lattice.vocabulary.evidence("open")
    return column is not None and any(word.removeprefix("re") in opened for word in column.words)


def missing_said(lattice: Lattice, start: int, end: int, link: Link, name: str, features: Features) -> Item:
    """Return the condition that cells of a column are `missing`, or `present`."""
    operator = Operator.MISSING if name == "missing" else Operator.PRESENT
    column = lattice.column(link)
    full = column.facts.exact and column.facts.filled == lattice.vocabulary.facts.row_count
    told = (*features, ("missing.none", float(full)), (f"cell.{name}", 1.0))
    return clause_said(start, end, Condition(column=column.name, operator=operator), told, link.column)
