"""Spans of a question → conditions on texts: cells and lists of them, parts of texts, missing cells, flags, denials."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import AnyOf, Condition, Operator
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.bounds import bound_items, denied
from tabchat.planner.readings.comparatives import comparative_items
from tabchat.planner.readings.effect import Item, Kind, clause_said, said
from tabchat.planner.readings.phrases import columns_behind, hop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features

_TEXTS: Final = {
    "text.contains": Operator.CONTAINS,
    "text.starts": Operator.STARTS,
    "text.ends": Operator.ENDS,
}
_LONGEST_LIST: Final = 8
_UNRECORDED: Final = ("missing.unrecorded", 1.0)


def cells_condition(column: str, texts: Sequence[str]) -> Condition:
    """Return the condition that a cell is one of `texts`."""
    if len(texts) == 1:
        return Condition(column=column, operator=Operator.EQ, values=(texts[0],))
    return Condition(column=column, operator=Operator.IN, values=tuple(dict.fromkeys(texts)))


def cell_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Cells, alone or in a list, with or without their column before or behind."""
    for run in _runs(lattice, place):
        yield run
        for link, column, skipped in columns_behind(lattice, run.end, 1):
            if column.place == run.effect.column:
                yield _widened(run, place, link.end, (*skipped, ("cell.column_behind", 1.0)))
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 2):
            for start in (at, *(concept.end for concept in lattice.concepts(at, "cmp.eq"))):
                for run in _runs(lattice, start):
                    if run.effect.column == column.place:
                        yield _widened(run, place, run.end, (*skipped, ("cell.column_before", 1.0)))


def _widened(run: Item, start: int, end: int, features: Features) -> Item:
    effect = replace(run.effect, kind=Kind.CELLS, start=start, end=end)
    return Item(effect=effect, features=(*run.features, *features))


def _runs(lattice: Lattice, place: int) -> Iterator[Item]:
    for link in lattice.at(place, LinkKind.CELL):
        if link.name == "denied":
            opposite = denied(cells_condition(lattice.vocabulary.columns[link.column].name, link.texts))
            if opposite is not None:
                yield clause_said(place, link.end, opposite, link.features, link.column)
            continue
        yield from _run(lattice, place, [link], link.features)


def _run(
    lattice: Lattice, start: int, links: list[Link], features: Features, name: str = ""
) -> Iterator[Item]:
    last, texts = links[-1], tuple(text for link in links for text in link.texts)
    condition = cells_condition(lattice.vocabulary.columns[last.column].name, texts)
    fields = {"name": name, "column": last.column, "texts": texts, "count": len(links)}
    yield said(Kind.CELLS, start, last.end, features, clauses=(condition,), **fields)
    if len(links) >= _LONGEST_LIST:
        return
    for tie, tied in _ties(lattice, last.end):
        for at, _ in hop(lattice, tie, 1):
            for link in lattice.at(at, LinkKind.CELL):
                if link.column == last.column and link.texts != last.texts:
                    more: Features = (*features, *link.features, ("cell.list", 1.0))
                    yield from _run(lattice, start, [*links, link], more, tied or name)


def _ties(lattice: Lattice, place: int) -> list[tuple[int, str]]:
    """Return the places behind `and`, `or`, a comma, a comma and `and`, and `versus`, which is told."""
    ends: list[tuple[int, str]] = []
    for concept in lattice.concepts(place, "and", "or", "nor", "comma", "compare"):
        ends.append((concept.end, "versus" if concept.name == "compare" else ""))
        if concept.name == "comma":
            ends += [(more.end, "") for more in lattice.concepts(concept.end, "and", "or")]
    return list(dict.fromkeys(ends))


def flag_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a column of yes and no as a condition: `returned orders`, `in stock`."""
    for link, column in lattice.columns(place):
        if column.flag:
            clause = flag_condition(column, truth=link.name != "denied")
            yield clause_said(place, link.end, clause, (*link.features, ("flag.yes", 1.0)), link.column)
            for at, skipped in hop(lattice, link.end, 2):
                for concept in lattice.concepts(at, "true", "false"):
                    clause = flag_condition(column, truth=concept.name == "true")
                    yield clause_said(place, concept.end, clause, (*link.features, *skipped), link.column)


def flag_condition(column: TableColumn, *, truth: bool) -> Condition:
    """Return the condition that a column of yes and no says yes (or no)."""
    if column.kind is ColumnKind.BOOLEAN:
        return Condition(column=column.name, operator=Operator.EQ, values=(truth,))
    yes, no = column.yes_no or ("", "")
    if not truth and not no:
        return Condition(column=column.name, operator=Operator.NE, values=(yes,))
    return Condition(column=column.name, operator=Operator.EQ, values=(yes if truth else no,))


def event_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read what only some rows came to: `tickets that were closed` have a date of it."""
    for link, column in lattice.columns(place):
        if column.temporal and _has_gaps(lattice, column):
            yield _missing(lattice, place, link.end, link, "present", (("event", 1.0),))


def _has_gaps(lattice: Lattice, column: TableColumn) -> bool:
    """Tell whether cells of a column are known to be missing."""
    filled, rows = column.facts.filled, lattice.vocabulary.facts.row_count
    return filled is not None and rows is not None and filled < rows


def text_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Parts of texts: `name contains box`, `starting with A`; missing and present cells."""
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 3):
            yield from _parts(lattice, place, at, column, (*link.features, *skipped))
            for concept in lattice.concepts(at, "missing", "present"):
                yield _missing(lattice, place, concept.end, link, concept.name, skipped)
            for end in _unrecorded(lattice, at):
                yield _missing(lattice, place, end, link, "missing", (*skipped, _UNRECORDED))
    for end in _unrecorded(lattice, place):
        for link, _, skipped in columns_behind(lattice, end, 2):
            yield _missing(lattice, place, link.end, link, "missing", (*skipped, _UNRECORDED))
    for concept in lattice.concepts(place, "missing", "present", "no", "without"):
        denies = concept.name in {"no", "without"}
        more: Features = ((f"{concept.name}.column", 1.0),) if denies else ()
        for link, column, skipped in columns_behind(lattice, concept.end, 2):
            name = "present" if concept.name == "present" else "missing"
            yield _missing(lattice, place, link.end, link, name, (*skipped, *more))
            if denies and column.measure and column.facts.low == 0:
                zero = Condition(column=column.name, operator=Operator.EQ, values=(0,))
                features = (*link.features, *skipped, ("no.zero", 1.0))
                yield clause_said(place, link.end, zero, features, link.column)
    yield from _beside(lattice, place)
    label = lattice.vocabulary.label
    if label is not None:
        yield from _parts(lattice, place, place, label, (("text.unnamed", 1.0),))


def _beside(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `which city comes after Lviv`: the row whose neighbour in the file holds a cell."""
    for concept in lattice.concepts(place, "neighbour."):
        part = "row_before" if concept.name == "neighbour.next" else "row_after"
        for at, skipped in hop(lattice, concept.end, 2):
            for cell in lattice.at(at, LinkKind.CELL):
                column = lattice.vocabulary.columns[cell.column]
                if cell.name != "denied" and len(cell.texts) == 1 and column.kept_unique:
                    clause = replace(cells_condition(column.name, cell.texts), part=part)
                    told = (*cell.features, *skipped, ("cell.beside", 1.0))
                    yield clause_said(place, cell.end, clause, told, cell.column)


def _unrecorded(lattice: Lattice, place: int) -> Iterator[int]:
    """Yield the places behind `not recorded`, `without a specified`."""
    for denial in lattice.concepts(place, "not", "no", "without"):
        for at, _ in hop(lattice, denial.end, 1):
            for concept in lattice.concepts(at, "recorded"):
                yield concept.end


def _parts(
    lattice: Lattice, start: int, place: int, column: TableColumn, features: Features
) -> Iterator[Item]:
    words = lattice.sentence.words
    for concept in lattice.concepts(place, *_TEXTS):
        for at in range(concept.end, min(concept.end + 3, len(words))):
            if at > concept.end and lattice.skips[at - 1] not in {Skip.NOTHING, Skip.JOIN, Skip.UNKNOWN}:
                break
            text = words[at].text
            if any(sign.isalnum() for sign in text):
                clause = Condition(column=column.name, operator=_TEXTS[concept.name], values=(text,))
                told = (*features, ("text.part", 1.0), ("text.far", float(at - concept.end)))
                yield clause_said(start, at + 1, clause, told, column.place)


def _missing(lattice: Lattice, start: int, end: int, link: Link, name: str, features: Features) -> Item:
    operator = Operator.MISSING if name == "missing" else Operator.PRESENT
    column = lattice.vocabulary.columns[link.column]
    full = column.facts.exact and column.facts.filled == lattice.vocabulary.facts.row_count
    more: Features = (("missing.none", 1.0),) if full else ()
    told = (*link.features, *features, *more, (f"cell.{name}", 1.0))
    return clause_said(start, end, Condition(column=column.name, operator=operator), told, link.column)


def _denied_from(lattice: Lattice, place: int) -> Iterator[tuple[int, Features]]:
    """Yield the places of what may be denied: behind small words, and behind a verb, `not paid by card`."""
    yield from hop(lattice, place, 3)
    if place < len(lattice.skips) and lattice.skips[place] in {Skip.VERB, Skip.DOING}:
        for at, skipped in hop(lattice, place + 1, 2):
            yield at, (*skipped, ("denied.verb", 1.0))


def _bounded(lattice: Lattice, place: int) -> Iterator[Item]:
    yield from bound_items(lattice, place)
    yield from comparative_items(lattice, place)


def _or_unknown(lattice: Lattice, clause: Clause) -> Clause:
    if isinstance(clause, AnyOf) or clause.operator not in {Operator.NE, Operator.NOT_IN}:
        return clause
    column = lattice.vocabulary.by_name[clause.column]
    if not (column.text and _has_gaps(lattice, column)):
        return clause
    return AnyOf(conditions=(clause, Condition(column=clause.column, operator=Operator.MISSING)))


def denied_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a condition behind not, except, without, outside."""
    for concept in lattice.concepts(place, "not", "without", "no", "none", "never", "but"):
        if concept.name == "but" and not (place and lattice.has(place - 1, "all", "each")):
            # `all but the cancelled ones`; `older than 30 but younger than 40` denies nothing.
            continue
        for at, skipped in _denied_from(lattice, concept.end):
            for item in (*cell_items(lattice, at), *flag_items(lattice, at), *_bounded(lattice, at)):
                opposite = tuple(turned for clause in item.effect.clauses if (turned := denied(clause)))
                if not opposite or len(opposite) < len(item.effect.clauses):
                    continue
                features = (*item.features, *skipped, (f"denied.{concept.name}", 1.0))
                found = [opposite]
                if concept.name in {"without", "but"}:
                    # All but some: a row of which it is not known may stay.
                    found.append(tuple(_or_unknown(lattice, clause) for clause in opposite))
                for clauses in dict.fromkeys(found):
                    fields = {"column": item.effect.column, "clauses": clauses}
                    yield said(Kind.CLAUSE, place, item.end, features, **fields)
            for link, column in lattice.columns(at):
                if concept.name in {"not", "never"} and _has_gaps(lattice, column):
                    told = (*skipped, ("denied.event", 1.0))
                    yield _missing(lattice, place, link.end, link, "missing", told)
