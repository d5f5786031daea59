"""Spans of a question → conditions on texts: cells and lists of them, parts of texts, missing cells, flags, denials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import AnyOf, Condition, Operator
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.bounds import bound_items, denied
from tabchat.planner.readings.effect import Effect, Item, Kind
from tabchat.planner.readings.phrases import hop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features

_TEXTS: Final = {
    "text.contains": Operator.CONTAINS,
    "text.starts": Operator.STARTS,
    "text.ends": Operator.ENDS,
}
_LONGEST_LIST: Final = 8


def cells_condition(column: str, texts: Sequence[str]) -> Condition:
    """Return the condition that a cell is one of `texts`."""
    if len(texts) == 1:
        return Condition(column=column, operator=Operator.EQ, values=(texts[0],))
    return Condition(column=column, operator=Operator.IN, values=tuple(dict.fromkeys(texts)))


def cell_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Cells, alone or in a list, with or without their column before or behind."""
    for run in _runs(lattice, place):
        yield run
        column = run.effect.column
        for at, skipped in hop(lattice, run.end, 1):
            for link in lattice.at(at, LinkKind.COLUMN):
                if link.column == column:
                    yield _widened(run, place, link.end, (*skipped, ("cell.column_behind", 1.0)))
    for link in lattice.at(place, LinkKind.COLUMN):
        for at, skipped in hop(lattice, link.end, 2):
            starts = [(at, skipped)]
            starts += [(concept.end, skipped) for concept in lattice.concepts(at, "cmp.eq")]
            for start, small in starts:
                for run in _runs(lattice, start):
                    if run.effect.column == link.column:
                        yield _widened(run, place, run.end, (*small, ("cell.column_before", 1.0)))


def _widened(run: Item, start: int, end: int, features: Features) -> Item:
    effect = run.effect
    wide = Effect(
        kind=Kind.CELLS,
        start=start,
        end=end,
        column=effect.column,
        texts=effect.texts,
        clauses=effect.clauses,
        count=effect.count,
        name=effect.name,
    )
    return Item(effect=wide, features=(*run.features, *features))


def _runs(lattice: Lattice, place: int) -> Iterator[Item]:
    for link in lattice.at(place, LinkKind.CELL):
        if link.name == "denied":
            opposite = denied(cells_condition(lattice.vocabulary.columns[link.column].name, link.texts))
            if opposite is not None:
                effect = Effect(
                    kind=Kind.CLAUSE, start=place, end=link.end, column=link.column, clauses=(opposite,)
                )
                yield Item(effect=effect, features=link.features)
            continue
        yield from _run(lattice, link.column, place, [link], link.features)


def _run(
    lattice: Lattice,
    column: int,
    start: int,
    links: list[Link],
    features: Features,
    name: str = "",
) -> Iterator[Item]:
    texts = tuple(text for link in links for text in link.texts)
    condition = cells_condition(lattice.vocabulary.columns[column].name, texts)
    yield Item(
        effect=Effect(
            kind=Kind.CELLS,
            start=start,
            end=links[-1].end,
            name=name,
            column=column,
            texts=texts,
            clauses=(condition,),
            count=len(links),
        ),
        features=features,
    )
    if len(links) >= _LONGEST_LIST:
        return
    for tie, said in _ties(lattice, links[-1].end):
        for at, _ in hop(lattice, tie, 1):
            for link in lattice.at(at, LinkKind.CELL):
                if link.column == column and link.texts != links[-1].texts:
                    more: Features = (*features, *link.features, ("cell.list", 1.0))
                    yield from _run(lattice, column, start, [*links, link], more, said or name)


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
    for link in lattice.at(place, LinkKind.COLUMN):
        column = lattice.vocabulary.columns[link.column]
        if column.flag:
            truth = link.name != "denied"
            for name in ("flag.yes",):
                yield Item(
                    effect=Effect(
                        kind=Kind.CLAUSE,
                        start=place,
                        end=link.end,
                        column=link.column,
                        clauses=(flag_condition(lattice, link.column, truth=truth),),
                    ),
                    features=(*link.features, (name, 1.0)),
                )
            for at, skipped in hop(lattice, link.end, 2):
                for concept in lattice.concepts(at, "true", "false"):
                    yield Item(
                        effect=Effect(
                            kind=Kind.CLAUSE,
                            start=place,
                            end=concept.end,
                            column=link.column,
                            clauses=(flag_condition(lattice, link.column, truth=concept.name == "true"),),
                        ),
                        features=(*link.features, *skipped, ("flag.said", 1.0)),
                    )


def flag_condition(lattice: Lattice, column: int, *, truth: bool) -> Condition:
    """Return the condition that a column of yes and no says yes (or no)."""
    found = lattice.vocabulary.columns[column]
    if found.kind is ColumnKind.BOOLEAN:
        return Condition(column=found.name, operator=Operator.EQ, values=(truth,))
    yes, no = found.yes_no or ("", "")
    if not truth and not no:
        return Condition(column=found.name, operator=Operator.NE, values=(yes,))
    return Condition(column=found.name, operator=Operator.EQ, values=(yes if truth else no,))


def event_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read what only some rows came to: `tickets that were closed` have a date of it."""
    for link in lattice.at(place, LinkKind.COLUMN):
        column = lattice.vocabulary.columns[link.column]
        if column.temporal and _has_gaps(lattice, link.column):
            yield _missing(lattice, place, link.end, link, "present", (("event", 1.0),))


def _has_gaps(lattice: Lattice, column: int) -> bool:
    """Tell whether cells of a column are known to be missing."""
    facts, rows = lattice.vocabulary.columns[column].facts, lattice.vocabulary.facts.row_count
    return facts.filled is not None and rows is not None and facts.filled < rows


def text_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Parts of texts: `name contains box`, `starting with A`; missing and present cells."""
    for link in lattice.at(place, LinkKind.COLUMN):
        for at, skipped in hop(lattice, link.end, 3):
            yield from _parts(lattice, place, at, link, skipped)
            for concept in lattice.concepts(at, "missing", "present"):
                yield _missing(lattice, place, concept.end, link, concept.name, skipped)
    for concept in lattice.concepts(place, "missing", "present", "no", "without"):
        for at, skipped in hop(lattice, concept.end, 2):
            for link in lattice.at(at, LinkKind.COLUMN):
                name = "present" if concept.name == "present" else "missing"
                more: Features = (
                    () if concept.name in {"missing", "present"} else ((f"{concept.name}.column", 1.0),)
                )
                yield _missing(lattice, place, link.end, link, name, (*skipped, *more))
                found = lattice.vocabulary.columns[link.column]
                if found.measure and found.facts.low == 0 and concept.name in {"no", "without"}:
                    zero: Clause = Condition(column=found.name, operator=Operator.EQ, values=(0,))
                    if isinstance(zero, Condition) and _has_gaps(lattice, link.column):
                        zero = AnyOf(
                            conditions=(zero, Condition(column=found.name, operator=Operator.MISSING))
                        )
                    effect = Effect(
                        kind=Kind.CLAUSE, start=place, end=link.end, column=link.column, clauses=(zero,)
                    )
                    yield Item(effect=effect, features=(*link.features, *skipped, ("no.zero", 1.0)))
    yield from _parts(lattice, place, place, None, ())


def _parts(lattice: Lattice, start: int, place: int, link: Link | None, features: Features) -> Iterator[Item]:
    words = lattice.sentence.words
    for concept in lattice.concepts(place, *_TEXTS):
        for at in (concept.end, concept.end + 1, concept.end + 2):
            if at >= len(words) or (
                at > concept.end and lattice.skips[at - 1] not in {Skip.NOTHING, Skip.JOIN, Skip.UNKNOWN}
            ):
                break
            found = words[at]
            column = link.column if link is not None else _texted(lattice)
            if column is None or not any(sign.isalnum() for sign in found.text):
                continue
            condition = Condition(
                column=lattice.vocabulary.columns[column].name,
                operator=_TEXTS[concept.name],
                values=(found.text,),
            )
            effect = Effect(kind=Kind.CLAUSE, start=start, end=at + 1, column=column, clauses=(condition,))
            own = link.features if link is not None else (("text.unnamed", 1.0),)
            yield Item(
                effect=effect,
                features=(*own, *features, ("text.part", 1.0), ("text.far", float(at - concept.end))),
            )


def _texted(lattice: Lattice) -> int | None:
    """Return the column that parts of texts are looked for in when none is named."""
    label = lattice.vocabulary.label
    return label.place if label is not None else None


def _missing(lattice: Lattice, start: int, end: int, link: Link, name: str, features: Features) -> Item:
    operator = Operator.MISSING if name == "missing" else Operator.PRESENT
    column = lattice.vocabulary.columns[link.column]
    condition = Condition(column=column.name, operator=operator)
    full = column.facts.exact and column.facts.filled == lattice.vocabulary.facts.row_count
    more: Features = (("missing.none", 1.0),) if full else ()
    return Item(
        effect=Effect(kind=Kind.CLAUSE, start=start, end=end, column=link.column, clauses=(condition,)),
        features=(*link.features, *features, *more, (f"cell.{name}", 1.0)),
    )


def denied_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a condition behind not, except, without, outside."""
    for concept in lattice.concepts(place, "not", "without", "no", "none", "never", "but"):
        if concept.name == "but" and not (place and lattice.has(place - 1, "all", "each")):
            # `all but the cancelled ones`; `older than 30 but younger than 40` denies nothing.
            continue
        for at, skipped in hop(lattice, concept.end, 3):
            for item in (*cell_items(lattice, at), *flag_items(lattice, at), *bound_items(lattice, at)):
                if item.effect.kind not in {Kind.CELLS, Kind.CLAUSE}:
                    continue
                opposite = _opposites(item.effect.clauses)
                if opposite is None:
                    continue
                effect = Effect(
                    kind=Kind.CLAUSE, start=place, end=item.end, column=item.effect.column, clauses=opposite
                )
                yield Item(
                    effect=effect,
                    features=(*item.features, *skipped, (f"denied.{concept.name}", 1.0)),
                )
            for link in lattice.at(at, LinkKind.COLUMN):
                if concept.name in {"not", "never"} and _has_gaps(lattice, link.column):
                    features = (*skipped, ("denied.event", 1.0))
                    yield _missing(lattice, place, link.end, link, "missing", features)


def _opposites(clauses: Sequence[Clause]) -> tuple[Clause, ...] | None:
    found = [denied(clause) for clause in clauses]
    return None if not found or any(item is None for item in found) else tuple(item for item in found if item)
