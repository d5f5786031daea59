"""Weighing what the stretches of a question can mean against each other, and against their neighbours."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.headers import DERIVED, SYNONYM
from tabchat.planner.senses import Item, Sense, SenseKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.evidence import Evidence
    from tabchat.planner.tokens import Token

CONCEPT_COST: Final = 0.4
"""What it costs to read a word by the lexicon when it also is a column's own name."""
NEAR_COST: Final = 0.1
"""What it costs to shorten the name of a column of quantities."""
_PIECES: Final = ("entity.product", "entity.sale", "event.")
"""Nouns for what rows may hold several of."""
TYPO_COST: Final = 0.6
"""What it costs to read a word as another one."""
RISKY: Final = ("refuse.", "event.", "verb.", "entity.", "scale.", "stop.light_verb", "stop.work")
"""Concepts of words that may as well be cells."""


def with_value(
    items: tuple[Item, ...], start: int, end: int, sense: Sense, question: str, tokens: Sequence[Token]
) -> tuple[Item, ...]:
    """Put a value in the place of the items that it covers, when it covers whole items."""
    covered = [item for item in items if start <= item.start and item.end <= end]
    if not covered or covered[0].start != start or covered[-1].end != end:
        return items
    same = covered[0].senses if len(covered) == 1 and not covered[0].unknown else ()
    text = question[tokens[start].start : tokens[end - 1].end]
    made = Item(start=start, end=end, text=text, senses=(*same, sense))
    first = items.index(covered[0])
    return (*items[:first], made, *items[first + len(covered) :])


def weighed(items: Sequence[Item]) -> tuple[Item, ...]:
    """Weigh a word that is a column of quantities and also asks for a count (`кількість`).

    Before a noun for rows it counts them; before a noun for things either may be meant.
    """
    row = list(items)
    for place, (item, after) in enumerate(itertools.zip_longest(items, items[1:])):
        counts = [sense for sense in item.senses if sense.has("count")]
        columns = [sense for sense in item.senses if sense.kind is SenseKind.COLUMN]
        if not counts or not columns:
            continue
        if after is None or any(
            sense.has("by", "in") and sense.kind is SenseKind.CONCEPT for sense in after.senses
        ):
            # Nothing follows that could be counted, so it is the column of quantities, however it is shortened.
            near = [replace(sense, cost=min(sense.cost, NEAR_COST)) for sense in columns]
            row[place] = replace(
                item, senses=(*near, *(replace(sense, cost=CONCEPT_COST + NEAR_COST) for sense in counts))
            )
        elif any(sense.has("rows") for sense in after.senses) or any(
            sense.has("entity.") and not sense.has(*_PIECES) for sense in after.senses
        ):
            row[place] = replace(item, senses=tuple(replace(sense, cost=0.0) for sense in counts))
        elif any(sense.has("entity.order") and not sense.has("summed_noun") for sense in after.senses):
            # `кількість замовлень`: orders are what the rows are; products may be the pieces.
            row[place] = replace(item, senses=tuple(replace(sense, cost=0.0) for sense in counts))
        elif any(sense.has("entity.", "event.") for sense in after.senses):
            best = min(sense.cost for sense in columns)
            equal = [replace(sense, cost=best) for sense in counts]
            row[place] = replace(item, senses=(*columns, *equal))
    return tuple(row)


def directed(
    items: Sequence[Item], meanings: Mapping[int, frozenset[str]], located: tuple[str, ...]
) -> tuple[Item, ...]:
    """Read `из Москвы в Казань` as the origin and the destination that the headers tell apart."""
    row = list(items)
    for place, (before, item) in enumerate(itertools.pairwise(items), start=1):
        cells = [sense for sense in item.senses if sense.kind is SenseKind.VALUE and sense.column is not None]
        kinds = [
            meanings.get(sense.column.index, frozenset()) if sense.column else frozenset() for sense in cells
        ]
        if not all(any(way in kind for kind in kinds) for way in _WAYS):
            continue
        away = any(sense.has("from") for sense in before.senses)
        there = any(sense.has("in", "to") for sense in before.senses)
        if not away and (not there or item.text.casefold().endswith(located or ("",))):
            continue
        wanted = _WAYS[0] if away else _WAYS[1]
        kept = tuple(cell for cell, kind in zip(cells, kinds, strict=True) if wanted in kind)
        row[place] = replace(item, senses=(*kept, *(sense for sense in item.senses if sense not in cells)))
    return tuple(row)


_WAYS: Final = ("origin", "destination")


def happened(items: Sequence[Item], evidence: Evidence) -> tuple[Item, ...]:
    """Weigh a word for an event that also is a cell or a date column: `paid`.

    Before a time it is the event, otherwise rather the cell; behind a noun it is no name of a column.
    """
    row = list(items)
    for place, item in enumerate(items):
        events = [sense for sense in item.senses if sense.has("event.")]
        if not events:
            continue
        timed = any(evidence.times(name) for sense in events for name in sense.starting("event."))
        if is_value(item):
            dear = SenseKind.VALUE if timed and _before_time(items, place) else SenseKind.CONCEPT
        elif timed and _after_noun(items, place):
            dear = SenseKind.COLUMN
        else:
            continue
        row[place] = replace(item, senses=_costed(item.senses, dear))
    return tuple(row)


def listed_cells(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Read words of the calendar as cells where two of one column are set side by side: `monthly vs annual`."""
    row = list(items)
    for first, joint, second in zip(range(len(row)), row[1:], range(2, len(row)), strict=False):
        shared = _cell_columns(row[first]) & _cell_columns(row[second])
        if shared and any(sense.has("compare", "and", "or", "comma") for sense in joint.senses):
            row[first], row[second] = (
                replace(item, senses=_costed(item.senses, SenseKind.CONCEPT))
                for item in (row[first], row[second])
            )
    return tuple(row)


def _cell_columns(item: Item) -> set[int]:
    return {s.column.index for s in item.senses if s.kind is SenseKind.VALUE and s.column is not None}


def _costed(senses: Sequence[Sense], dear: SenseKind) -> tuple[Sense, ...]:
    least = min(sense.cost for sense in senses)
    changed = [replace(sense, cost=least + (CONCEPT_COST if sense.kind is dear else 0.0)) for sense in senses]
    return tuple(sorted(changed, key=lambda sense: sense.cost))


def _before_time(items: Sequence[Item], place: int) -> bool:
    for item in items[place + 1 :]:
        if any(
            sense.kind is SenseKind.DATE or sense.has(*_TIMES) or _is_year(sense) for sense in item.senses
        ):
            return True
        if not any(
            sense.has("in", "by", "from", "since", "before", "after", "between", "stop.")
            for sense in item.senses
        ):
            return False
    return False


_TIMES: Final = ("month.", "quarter.", "weekday.", "unit.", "every.", "rel.", "half.")


def _is_year(sense: Sense) -> bool:
    return sense.number is not None and 1900 <= sense.number <= 2100  # noqa: PLR2004 - as years are typed


def _after_noun(items: Sequence[Item], place: int) -> bool:
    before = items[place - 1].senses if place else ()
    return any(sense.column is not None or sense.has("who", "pred", "entity.", "rows") for sense in before)


def is_value(item: Item) -> bool:
    """Tell whether a stretch can be a cell."""
    return any(sense.kind is SenseKind.VALUE for sense in item.senses)


def free_texts(items: tuple[Item, ...], table: PlannerTable) -> tuple[Item, ...]:
    """Take a word as it stands after `contains` or `starts with`, and in `with … in the name`."""
    row = list(items)
    for place, (before, item) in enumerate(itertools.pairwise(row), start=1):
        if not item.unknown:
            continue
        if any(sense.has("text.") for sense in before.senses) or (
            any(sense.has("in") for sense in before.senses) and _in_label(row[place + 1 :], table)
        ):
            row[place] = replace(item, senses=(Sense(kind=SenseKind.QUOTED, value=item.text),))
    return tuple(row)


def _in_label(items: Sequence[Item], table: PlannerTable) -> bool:
    """Tell whether `in the name` follows, of a column whose texts mostly differ."""
    said = [item for item in items[:3] if not any(sense.has("stop.article") for sense in item.senses)]
    if len(said) < 2 or not any(sense.has("in") for sense in said[0].senses):  # noqa: PLR2004 - `in` and a name
        return False
    column = said[1].senses[0].column
    return (
        said[1].senses[0].kind is SenseKind.COLUMN
        and column is not None
        and column.kind is ColumnKind.TEXT
        and 2 * table.spread(column).distinct > table.row_count
    )


def dearer(item: Item) -> Item:
    """Let a corrected word lose against a reading without it."""
    return replace(item, senses=tuple(replace(sense, cost=sense.cost + TYPO_COST) for sense in item.senses))


def _only_noun(sense: Sense) -> bool:
    """Tell whether a sense says no more than that rows are meant, which a column of that name says better."""
    return bool(sense.concepts) and all(item.startswith(("entity.", "event.")) for item in sense.concepts)


def ordered(senses: Sequence[Sense]) -> tuple[Sense, ...]:
    """Sort what a stretch can mean by its cost, after columns and nouns were weighed against each other."""
    columns = [sense.column for sense in senses if sense.kind is SenseKind.COLUMN and sense.cost < 1]
    named = bool(columns)
    if any(column is not None and not column.kind.is_temporal for column in columns):
        nouns_said = frozenset().union(*(sense.concepts for sense in senses if _only_noun(sense)))
        senses = [
            replace(sense, concepts=nouns_said) if sense.kind is SenseKind.COLUMN else sense
            for sense in senses
            if not _only_noun(sense)
        ]
    nouns = [sense for sense in senses if sense.kind is SenseKind.CONCEPT and sense.has("entity.", "event.")]
    if nouns and not named:
        # A part of a name is a weaker hint than the noun; a synonym of a name is as good as the noun, and another
        # form of the verb in a header is better than that something happened.
        things = any(sense.has("entity.") for sense in nouns)
        most = SYNONYM if things else DERIVED
        senses = [sense for sense in senses if sense.kind is not SenseKind.COLUMN or sense.cost <= most]
        best = min((sense.cost for sense in senses if sense.kind is SenseKind.COLUMN), default=0.0)
        weighed_nouns = best if best <= SYNONYM else best + CONCEPT_COST
        rivals = any(sense.kind is SenseKind.COLUMN for sense in senses)
        plain = {"summed_noun"} if rivals else set()
        # Where the noun is listed as a column besides, what it sums up to is that reading.
        senses = [
            replace(sense, cost=weighed_nouns, concepts=sense.concepts - plain) if sense in nouns else sense
            for sense in senses
        ]
    costed = [
        Sense(kind=sense.kind, concepts=sense.concepts, cost=CONCEPT_COST)
        if named and sense.kind is SenseKind.CONCEPT
        else sense
        for sense in senses
    ]
    return tuple(sorted(costed, key=lambda sense: sense.cost))


def needs_values(item: Item) -> bool:
    """Tell whether a stretch means nothing for certain without the cells."""
    return all(
        sense.kind is SenseKind.UNKNOWN
        or (sense.kind is SenseKind.COLUMN and sense.cost > 0)
        or (sense.kind is SenseKind.CONCEPT and sense.has(*RISKY))
        for sense in item.senses
    )


def names_cell(items: Sequence[Item]) -> bool:
    """Tell whether a number stands beside a text column, as in `code 00131`."""
    for one, two in itertools.pairwise(items):
        kinds = [
            any(
                sense.kind is SenseKind.NUMBER
                or (sense.column is not None and sense.column.kind is ColumnKind.TEXT)
                for sense in item.senses
            )
            for item in (one, two)
        ]
        if all(kinds) and any(item.senses[0].kind is SenseKind.NUMBER for item in (one, two)):
            return True
    return False
