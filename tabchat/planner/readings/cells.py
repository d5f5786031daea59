"""Spans of a question → conditions on texts: cells and lists of them, parts of texts, missing cells, flags, denials."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import EXCLUDING, AnyOf, Condition, Operator
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.neighbours import SIDES, beside_of
from tabchat.planner.readings.bounds import bound_items, bounds_at, denied
from tabchat.planner.readings.comparatives import comparative_items
from tabchat.planner.readings.effect import DENIED, Item, Kind, clause_said, said
from tabchat.planner.readings.phrases import columns_behind, hop, paths
from tabchat.planner.readings.states import flag_condition, flag_items, lacks_no, missing_said, yes_of
from tabchat.planner.readings.times import clause_items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Features
    from tabchat.planner.readings.phrases import Step

_TEXTS: Final = {
    "text.contains": Operator.CONTAINS,
    "text.starts": Operator.STARTS,
    "text.ends": Operator.ENDS,
}
_TOLD_TIES: Final = {"compare": "versus", "or": "or"}
"""What stands between cells → how a reading that knows both is told."""
_LONGEST_LIST: Final = 8
_LACKING: Final = frozenset({"without", "no"})
"""Denials of what stands right behind them."""


def cells_condition(column: str, texts: Sequence[str]) -> Condition:
    """Return the condition that a cell is one of `texts`."""
    values = tuple(dict.fromkeys(texts))
    operator = Operator.EQ if len(texts) == 1 else Operator.IN
    return Condition(column=column, operator=operator, values=values)


def cell_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Cells, alone or in a list, with or without their column before or behind."""
    for run in _runs(lattice, place):
        yield run
        for link, column, skipped in columns_behind(lattice, run.end, 1):
            if column.place == run.effect.column and not _is_key(lattice, link, run):
                yield _widened(run, place, link.end, (*skipped, ("cell.column_behind", 1.0)))
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 2):
            for start in (at, *(concept.end for concept in lattice.concepts(at, "cmp.eq"))):
                for run in _runs(lattice, start):
                    if run.effect.column == column.place and not _is_key(lattice, link, run):
                        yield _widened(run, place, run.end, (*skipped, ("cell.column_before", 1.0)))


def _is_key(lattice: Lattice, column: Link, run: Item) -> bool:
    """Tell whether rows are grouped by a column beside its cells: «по містах не в Києві», where there are several left."""
    several = run.effect.name == DENIED or run.effect.count != 1
    return several and lattice.has(column.start - 1, "by", "per", "each")


def _widened(run: Item, start: int, end: int, features: Features) -> Item:
    kind = run.effect.kind if run.effect.name == DENIED else Kind.CELLS
    effect = replace(run.effect, kind=kind, start=start, end=end)
    return Item(effect=effect, features=(*run.features, *features))


def _runs(lattice: Lattice, place: int) -> Iterator[Item]:
    for link in lattice.at(place, LinkKind.CELL):
        if link.name == "denied":
            opposite = denied(cells_condition(lattice.column(link).name, link.texts))
            if opposite is not None:
                yield clause_said(place, link.end, opposite, link.features, link.column)
            continue
        if link.name == "part":
            yield from _listed(lattice, place, [link], link.features)
            continue
        yield from _run(lattice, place, [link], link.features)


def _run(
    lattice: Lattice, start: int, links: list[Link], features: Features, name: str = ""
) -> Iterator[Item]:
    last, texts = links[-1], tuple(text for link in links for text in link.texts)
    condition = cells_condition(lattice.column(last).name, texts)
    fields = {"name": name, "column": last.column, "texts": texts, "count": len(links)}
    yield said(Kind.CELLS, start, last.end, features, clauses=(condition,), **fields)
    if len(links) >= _LONGEST_LIST:
        return
    for tie, tied in _ties(lattice, last.end):
        for at, _ in hop(lattice, tie, 1):
            for link in lattice.at(at, LinkKind.CELL):
                if link.column == last.column and link.texts != last.texts and link.name != "part":
                    more: Features = (*features, *link.features, ("cell.list", 1.0))
                    yield from _run(lattice, start, [*links, link], more, tied or name)


def _listed(lattice: Lattice, start: int, links: list[Link], features: Features) -> Iterator[Item]:
    """Read items of cells that list several: rows that hold one of them or more."""
    last, name = links[-1], lattice.column(links[-1]).name
    held = [Condition(column=name, operator=Operator.CONTAINS, values=link.texts) for link in links]
    clause = held[0] if len(held) == 1 else AnyOf(conditions=tuple(held))
    yield clause_said(start, last.end, clause, features, last.column)
    if len(links) < _LONGEST_LIST:
        for tie in lattice.concepts(last.end, "or", "and"):
            for link in lattice.at(tie.end, LinkKind.CELL):
                if (link.name, link.column) == ("part", last.column) and link.texts != last.texts:
                    more: Features = (*features, *link.features, ("cell.list", 1.0))
                    yield from _listed(lattice, start, [*links, link], more)


def _ties(lattice: Lattice, place: int) -> list[tuple[int, str]]:
    """Return the places behind `and`, `or`, a comma, a comma and `and`, `versus`; `or` and what compares are told."""
    ties = [*lattice.concepts(place, "and", "or", "nor", "comma", "compare")]
    ties += [more for tie in ties if tie.name == "comma" for more in lattice.concepts(tie.end, "and", "or")]
    ends = [(tie.end, _TOLD_TIES.get(tie.name, "")) for tie in ties]
    # How many were paid `and how many` returned is asked of each.
    again = [one.end for tie in ties if tie.name == "and" for one in lattice.concepts(tie.end, "count")]
    return list(dict.fromkeys([*ends, *((end, "versus") for end in again)]))


def text_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Parts of texts: `name contains box`, `starting with A`; missing and present cells."""
    for (link,), at, told in paths(lattice, place, LinkKind.COLUMN, 3):
        yield from _parts(lattice, place, at, lattice.column(link), told)
    for steps, feature in _MISSING:
        for path in paths(lattice, place, *steps):
            name = "present" if path.link(LinkKind.CONCEPT).name == "present" else "missing"
            features = (*path.features, (feature, float(bool(feature))))
            yield missing_said(lattice, place, path.end, path.link(LinkKind.COLUMN), name, features)
    for (denial, link), end, told in paths(lattice, place, ("no", "without"), 2, LinkKind.COLUMN):
        column = lattice.column(link)
        yield missing_said(lattice, place, end, link, "missing", (*told, (f"{denial.name}.column", 1.0)))
        yield from _nothing(lattice, place, end, column, told)
    for (_, link), end, told in paths(lattice, place, ("had",), 2, LinkKind.COLUMN):
        yield from _had(lattice, place, end, link, told)
    yield from _beside(lattice, place)
    label = lattice.vocabulary.label
    if label is not None:
        yield from _parts(lattice, place, place, label, (("text.unnamed", 1.0),))


def _nothing(lattice: Lattice, place: int, end: int, column: TableColumn, told: Features) -> Iterator[Item]:
    """Yield that an amount is nothing, where some are: `no price`, where some are not told, is more likely one of these."""
    if column.measure and column.facts.low == 0:
        zero = Condition(column=column.name, operator=Operator.EQ, values=(0,))
        gaps = ("no.zero_beside_gaps", float(lattice.vocabulary.lacks(column)))
        yield clause_said(place, end, zero, (*told, ("no.zero", 1.0), gaps), column.place)


def _beside(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield the row whose neighbour holds a cell: `which city comes after Lviv`, `the next stop after Lviv`."""
    sides = [(concept.name, concept.end) for concept in lattice.concepts(place, "neighbour.")]
    if (name := beside_of(lattice, place)) is not None:
        sides += [(name, concept.end) for concept in lattice.concepts(place, SIDES[name])]
    for name, start in sides:
        for (cell,), end, told in paths(lattice, start, 2, LinkKind.CELL):
            column = lattice.column(cell)
            if not cell.name and len(cell.texts) == 1 and column.kept_unique:
                part = "row_before" if name == "neighbour.next" else "row_after"
                clause = replace(cells_condition(column.name, cell.texts), part=part)
                yield clause_said(place, end, clause, (*told, ("cell.beside", 1.0)), cell.column)


def _had(lattice: Lattice, place: int, end: int, link: Link, told: Features) -> Iterator[Item]:
    """Yield what is asked of rows that have something: `episodes with a sponsor`, `orders with a discount`."""
    column = lattice.column(link)
    behind = [at for at, _ in hop(lattice, end, 2)]
    # `with a wait of at least 30 minutes` says how much of it.
    bounded = any(lattice.has(at, "cmp.") or any(bounds_at(lattice, at)) for at in behind)
    # What is written in cells is had by their rows; `with the minutes` asks to show them.
    told_else = lattice.at(link.start, LinkKind.CELL) or "column.unit" in link.signs
    if column.flag or link.name == "denied" or bounded or told_else:
        return
    if lattice.vocabulary.lacks(column):
        yield missing_said(lattice, place, end, link, "present", (*told, ("had.column", 1.0)))
    if column.measure and column.facts.low == 0:
        some = Condition(column=column.name, operator=Operator.GT, values=(0,))
        yield clause_said(place, end, some, (*told, ("had.some", 1.0)), link.column)


_KNOWN: Final = ("missing", "present")
_UNRECORDED: Final[tuple[Step, ...]] = (("not", "no", "without"), 1, ("recorded",))
"""`not recorded`, `without a specified`."""
_MISSING: Final[tuple[tuple[tuple[Step, ...], str], ...]] = (
    ((LinkKind.COLUMN, 3, _KNOWN), ""),
    ((LinkKind.COLUMN, 3, *_UNRECORDED), "missing.unrecorded"),
    ((*_UNRECORDED, 2, LinkKind.COLUMN), "missing.unrecorded"),
    ((_KNOWN, 2, LinkKind.COLUMN), ""),
)
"""What says that cells of a column are missing, or are not, with a feature of its own."""


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


def _denied_from(lattice: Lattice, place: int, denial: str) -> Iterator[tuple[int, Features]]:
    """Yield the places of what may be denied: behind small words, behind a verb, `do not work in Leeds`, and `by`, `not paid by card`."""
    yield from _behind_by(lattice, place, 3)
    verb = place < len(lattice.skips) and lattice.skips[place] in {Skip.VERB, Skip.DOING}
    columns = [column for _, column in lattice.columns(place)]
    # `not paid by card` denies the cell, `has not paid` of a column of yes and no denies that, and `never` any row;
    # `without a note in Rome` lacks the note.
    named = bool(columns) and not any(column.flag for column in columns) and denial not in _LACKING
    if verb or (denial != "never" and (named or lattice.has(place, "stop.light_verb"))):
        for at, skipped in _behind_by(lattice, place + 1, 2):
            yield at, (*skipped, ("denied.verb", 1.0))


def _behind_by(lattice: Lattice, place: int, most: int) -> Iterator[tuple[int, Features]]:
    yield from hop(lattice, place, most)
    if lattice.has(place, "by"):
        yield from hop(lattice, place + 1, 1)


def _or_unknown(lattice: Lattice, clause: Clause) -> Clause:
    if isinstance(clause, AnyOf) or clause.operator not in EXCLUDING:
        return clause
    column = lattice.vocabulary.by_name[clause.column]
    if not (column.text and lattice.vocabulary.lacks(column)):
        return clause
    return AnyOf(conditions=(clause, Condition(column=clause.column, operator=Operator.MISSING)))


def _opposite(lattice: Lattice, clause: Clause) -> Clause | None:
    """Return the opposite of a condition; of yes in a column of yes or nothing that there is nothing."""
    if isinstance(clause, Condition) and clause.operator is Operator.EQ:
        column = lattice.vocabulary.by_name[clause.column]
        if column.flag and lacks_no(column) and clause.values == (yes_of(column),):
            return flag_condition(column, truth=False)
    return denied(clause)


def denied_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a condition behind not, except, without, outside."""
    for concept in lattice.concepts(place, "not", "without", "no", "none", "never", "but", "cmp.ne"):
        # `all but the cancelled ones`, `all countries but Japan`; `older than 30 but younger than 40` denies nothing.
        every = 1 if place and not (lattice.at(place - 1, LinkKind.ROWS) or lattice.columns(place - 1)) else 2
        if concept.name == "but" and not (place >= every and lattice.has(place - every, "all", "each")):
            continue
        # «хто ніколи не збирав салат» denies no row, but that there is any.
        if concept.name == "not" and lattice.has(place - 1, "never"):
            continue
        for at, skipped in _denied_from(lattice, concept.end, concept.name):
            for item in (item for items in _DENIABLE for item in items(lattice, at)):
                opposite = [
                    turned for clause in item.effect.clauses if (turned := _opposite(lattice, clause))
                ]
                if not opposite or len(opposite) < len(item.effect.clauses):
                    continue
                name = "not" if concept.name == "cmp.ne" else concept.name
                features = (*item.features, *skipped, (f"denied.{name}", 1.0))
                found = [opposite]
                if concept.name in {"without", "but", "not"}:
                    # All but some: a row of which it is not known may stay.
                    found.append([_or_unknown(lattice, clause) for clause in opposite])
                for clauses in dict.fromkeys(map(tuple, found)):
                    fields = {"name": DENIED, "column": item.effect.column, "clauses": clauses}
                    yield said(Kind.CLAUSE, place, item.end, features, **fields)
            for link, column in lattice.columns(at) if concept.name in {"not", "never"} else ():
                if lattice.vocabulary.lacks(column):
                    told = (*link.features, *skipped, ("denied.event", 1.0))
                    yield missing_said(lattice, place, link.end, link, "missing", told)
                    # `has not got any days left`
                    yield from _nothing(lattice, place, link.end, column, told)


def denied_cell_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read a column whose cells are denied: `city is not Oslo`."""
    for link, column in lattice.columns(place):
        for at, skipped in hop(lattice, link.end, 2):
            for item in denied_items(lattice, at):
                own = item.effect.column == column.place and item.effect.name == DENIED
                if own and not _is_key(lattice, link, item):
                    yield _widened(item, place, item.end, (*skipped, ("cell.column_before", 1.0)))


_DENIABLE: Final[tuple[Callable[[Lattice, int], Iterator[Item]], ...]] = (
    *(cell_items, flag_items, bound_items, comparative_items, clause_items),
)
