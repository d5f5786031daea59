"""The best ways through a question: a beam passes the words once from left to right; each begins a phrase or is passed over at a cost."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.lattice import Skip
from tabchat.planner.readings.alternatives import either_items
from tabchat.planner.readings.amounts import amount_items
from tabchat.planner.readings.bounds import bound_items
from tabchat.planner.readings.cells import cell_items, denied_cell_items, denied_items, text_items
from tabchat.planner.readings.comparatives import comparative_items
from tabchat.planner.readings.differences import difference_items
from tabchat.planner.readings.keys import dated_key_items, key_items, mark_items, window_items
from tabchat.planner.readings.levels import level_items
from tabchat.planner.readings.orders import order_items
from tabchat.planner.readings.phrases import (
    column_items,
    count_items,
    counted_kind_items,
    listed_items,
    measure_items,
    row_items,
)
from tabchat.planner.readings.ranks import rank_items
from tabchat.planner.readings.repeats import repeat_items
from tabchat.planner.readings.states import (
    event_items,
    flag_items,
    kind_items,
    owed_items,
    pending_items,
    present_items,
    won_items,
)
from tabchat.planner.readings.times import stretch_items, time_items
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.effect import Effect, Features, Item

_PHRASES: Final[tuple[Callable[[Lattice, int], Iterator[Item]], ...]] = (
    column_items,
    listed_items,
    measure_items,
    difference_items,
    count_items,
    row_items,
    counted_kind_items,
    amount_items,
    key_items,
    dated_key_items,
    mark_items,
    window_items,
    bound_items,
    repeat_items,
    comparative_items,
    cell_items,
    kind_items,
    flag_items,
    event_items,
    pending_items,
    present_items,
    owed_items,
    won_items,
    level_items,
    text_items,
    denied_items,
    denied_cell_items,
    either_items,
    time_items,
    stretch_items,
    rank_items,
    order_items,
)
BEAM: Final = 40
"""Ways through the first words that are kept at each place."""
WAYS: Final = 24
"""Whole ways that are composed, at most."""
GAP: Final = 6.0
"""How far below the best way one may be that is composed."""
_LONGEST_ITEMS: Final = 60
"""Phrases kept at one place, the best ones."""
HEAVY: Final = frozenset(
    {Skip.DENIAL, Skip.REFUSED, Skip.NUMBER, Skip.TABLE, Skip.NAME, Skip.UNKNOWN, Skip.CONCEPT}
)
"""What a reading must answer for when it passes it over."""


@record
class Way:
    """A way through the first words of a question."""

    score: float
    effects: tuple[Effect, ...]
    features: tuple[Features, ...]
    skipped: tuple[int, ...]


def ways_of(lattice: Lattice, weights: Mapping[str, float], idle: frozenset[int] = frozenset()) -> list[Way]:
    """Return the best ways through a question; the words at `idle` places say nothing of the table."""
    count = len(lattice.sentence.words)
    # Nothing is left out by `without` in `with and without a discount`.
    both = [concept for concept in lattice.sentence.concepts if concept.name == "either"]
    idle |= {place for concept in both for place in range(concept.start + 1, concept.end)}
    beams: list[list[Way]] = [[] for _ in range(count + 1)]
    beams[0] = [Way(score=0.0, effects=(), features=(), skipped=())]
    for place in range(count):
        ways = heapq.nlargest(BEAM, beams[place], key=lambda way: way.score)
        if not ways:
            continue
        items = _items(lattice, place, weights) if place not in idle else []
        skip = _skipped(lattice, place) if place not in idle else ()
        skip_score = sum(weights.get(name, 0.0) * value for name, value in skip)
        for way in ways:
            passed = Way(
                score=way.score + skip_score,
                effects=way.effects,
                features=(*way.features, skip),
                skipped=(*way.skipped, place),
            )
            beams[place + 1].append(passed)
            for score, item in items:
                longer = Way(
                    score=way.score + score,
                    effects=(*way.effects, item.effect),
                    features=(*way.features, item.features),
                    skipped=way.skipped,
                )
                beams[item.end].append(longer)
    best = heapq.nlargest(WAYS, beams[count], key=lambda way: way.score)
    return [way for way in best if way.score >= best[0].score - GAP]


def _items(lattice: Lattice, place: int, weights: Mapping[str, float]) -> list[tuple[float, Item]]:
    best: dict[Effect, tuple[float, Item]] = {}
    for phrases in _PHRASES:
        for item in phrases(lattice, place):
            score = sum(weights.get(name, 0.0) * value for name, value in item.features)
            if item.effect not in best or score > best[item.effect][0]:
                best[item.effect] = (score, item)
    return heapq.nlargest(_LONGEST_ITEMS, best.values(), key=lambda pair: pair[0])


def _skipped(lattice: Lattice, place: int) -> Features:
    if place in lattice.courtesies:
        return ()
    skip = lattice.skips[place]
    name = f"skip.{skip.value}"
    if skip in {Skip.UNKNOWN, Skip.NAME, Skip.VERB, Skip.DOING} and place > 0:
        before = place - 1
        if lattice.skips[before] in {Skip.NOTHING, Skip.JOIN} and before > 0:
            before -= 1
        signs = {
            # What came in, or took place, is no part of what there is.
            "counted": any(end in {place, place - 1} for end in lattice.behind("count"))
            and not lattice.has(place, "stop.happening", "stop.deed"),
            "asked": lattice.has(before, "which", "who", "list"),
            "key": lattice.has(before, "by", "per", "each"),
        }
        return ((name, 1.0), *((f"{name}.{sign}", 1.0) for sign, found in signs.items() if found))[:2]
    return ((name, 1.0),)
