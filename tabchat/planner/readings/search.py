"""The best ways through a question, and the intents that they compose to.

A beam passes the words once from left to right: each word begins a phrase or is passed over at a cost. The few best ways
are composed by every builder, and what a builder left unused costs, too.
"""

from __future__ import annotations

import heapq
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import used_columns
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.bounds import bound_items
from tabchat.planner.readings.cells import cell_items, denied_items, event_items, flag_items, text_items
from tabchat.planner.readings.coherence import incoherences
from tabchat.planner.readings.comparatives import comparative_items
from tabchat.planner.readings.contrasts import (
    change_intents,
    comparison_intents,
    correlation_intents,
    share_group_intents,
    share_intents,
)
from tabchat.planner.readings.draft import Draft
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import group_count_intents, ratio_intents, value_intents
from tabchat.planner.readings.groups import group_intents, never_intents
from tabchat.planner.readings.keys import key_items, mark_items
from tabchat.planner.readings.phrases import (
    column_items,
    count_items,
    measure_items,
    money_items,
    piece_items,
    row_items,
    verb_items,
)
from tabchat.planner.readings.ranks import order_items, rank_items
from tabchat.planner.readings.rows import (
    exists_intents,
    function_rank_intents,
    rank_intents,
    row_intents,
    value_list_intents,
)
from tabchat.planner.readings.sense import sense_of
from tabchat.planner.readings.surveys import series_intents, survey_intents
from tabchat.planner.readings.times import time_items
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.draft import Built
    from tabchat.planner.readings.effect import Effect, Features, Item

_PHRASES: Final[tuple[Callable[[Lattice, int], Iterator[Item]], ...]] = (
    column_items,
    measure_items,
    count_items,
    row_items,
    verb_items,
    money_items,
    piece_items,
    key_items,
    mark_items,
    bound_items,
    comparative_items,
    cell_items,
    flag_items,
    event_items,
    text_items,
    denied_items,
    time_items,
    rank_items,
    order_items,
)
_BUILDERS: Final[tuple[Callable[[Draft], Iterator[Built]], ...]] = (
    value_intents,
    group_intents,
    never_intents,
    ratio_intents,
    group_count_intents,
    row_intents,
    rank_intents,
    function_rank_intents,
    value_list_intents,
    exists_intents,
    comparison_intents,
    change_intents,
    share_intents,
    share_group_intents,
    correlation_intents,
    survey_intents,
    series_intents,
)
_GUESSED: Final = frozenset(
    {"count.default", "count.bare", "default.measure", "groups.default_measure", "super.bare"}
)
"""Features of readings whose measure no word names."""
BEAM: Final = 40
"""Ways through the first words that are kept at each place."""
WAYS: Final = 24
"""Whole ways that are composed."""
_LONGEST_ITEMS: Final = 60
"""Phrases kept at one place, the best ones."""
HEAVY: Final = frozenset(
    {Skip.DENIAL, Skip.REFUSED, Skip.NUMBER, Skip.TABLE, Skip.NAME, Skip.UNKNOWN, Skip.CONCEPT}
)
"""What a reading must answer for when it passes it over."""


@record
class Reading:
    """An intent, how it came about, and the words that it does not explain."""

    intent: Intent
    features: Mapping[str, float]
    score: float
    sense: Intent
    """The intent less what is a matter of taste: readings of one sense answer a question alike."""
    unexplained: tuple[str, ...]
    """Words with a meaning that went into nothing, as they were typed."""


@record
class Way:
    """A way through the first words of a question."""

    score: float
    effects: tuple[Effect, ...]
    features: tuple[Features, ...]
    skipped: tuple[int, ...]


@record
class Composed:
    """An intent of a way, and how well it explains the question."""

    way: Way
    draft: Draft
    built: Built
    features: Mapping[str, float]
    score: float


def readings_of(lattice: Lattice, weights: Mapping[str, float]) -> list[Reading]:
    """Return what the question can mean, the likeliest first, each intent once."""
    found: dict[Intent, Composed] = {}
    for way in ways_of(lattice, weights):
        draft = Draft(way.effects, lattice.vocabulary)
        for builder in _BUILDERS:
            for built in builder(draft):
                composed = _composed(way, draft, built, weights)
                best = found.get(built.intent)
                if best is None or composed.score > best.score:
                    found[built.intent] = composed
    # `by region` is a key or an order: an order of nothing is no rival of a key.
    kept = [composed for composed in found.values() if "unused.order" not in composed.features]
    ranked = sorted(kept or found.values(), key=lambda composed: -composed.score)
    return [_reading(lattice, composed) for composed in ranked]


def _composed(way: Way, draft: Draft, built: Built, weights: Mapping[str, float]) -> Composed:
    built, restated = _restating(draft, built)
    features: dict[str, float] = {"column.restated": float(restated)} if restated else {}
    for group in (
        *way.features,
        built.features,
        _unused(draft, built),
        incoherences(built.intent, draft.vocabulary),
    ):
        for name, value in group:
            if value:
                features[name] = features.get(name, 0.0) + value
    score = sum(weights.get(name, 0.0) * value for name, value in features.items())
    return Composed(way=way, draft=draft, built=built, features=features, score=score)


def _reading(lattice: Lattice, composed: Composed) -> Reading:
    built, features, skipped = composed.built, composed.features, composed.way.skipped
    words = lattice.sentence.words
    missed = [words[place].text for place in skipped if lattice.skips[place] in HEAVY]
    if _GUESSED & features.keys():
        # An unknown verb may say what is measured, where nothing else does.
        missed += [words[place].text for place in skipped if lattice.skips[place] is Skip.DOING]
    if "rows.stranger" in features:
        missed += _strangers(lattice)
    for place, effect in enumerate(composed.draft.effects):
        if place not in built.used and effect.kind not in {Kind.ROWS, Kind.LIST}:
            missed += [words[at].text for at in range(effect.start, effect.end)]
    return Reading(
        intent=built.intent,
        features=features,
        score=composed.score,
        sense=sense_of(built.intent, lattice.vocabulary),
        unexplained=tuple(missed),
    )


def _restating(draft: Draft, built: Built) -> tuple[Built, int]:
    """Count a column as used that is in the intent without it: `the height of limes in metres`."""
    spare = [place for place in draft.places(Kind.COLUMN) if place not in built.used]
    if not spare:
        return built, 0
    names = used_columns(built.intent)
    said = frozenset(place for place in spare if draft.column_at(place).name in names)
    return replace(built, used=built.used | said), len(said)


def _strangers(lattice: Lattice) -> list[str]:
    """Return the words for rows that nothing in the table shows that it has: people, in a table of earthquakes."""
    words = lattice.sentence.words
    return [
        words[link.start].text
        for start in lattice.starts
        for link in start
        if link.kind is LinkKind.ROWS and link.name == "stranger"
    ]


def _unused(draft: Draft, built: Built) -> Features:
    return tuple(
        (f"unused.{effect.kind.value}" + (f".{effect.name}" if effect.kind is Kind.MARK else ""), 1.0)
        for place, effect in enumerate(draft.effects)
        if place not in built.used
    )


def ways_of(lattice: Lattice, weights: Mapping[str, float], idle: frozenset[int] = frozenset()) -> list[Way]:
    """Return the best ways through a question; the words at `idle` places say nothing of the table."""
    count = len(lattice.sentence.words)
    # A way is known by the numbers of its effects, so that each effect is hashed once.
    beams: list[dict[tuple[int, ...], Way]] = [{} for _ in range(count + 1)]
    beams[0][()] = Way(score=0.0, effects=(), features=(), skipped=())
    numbered = 0
    for place in range(count):
        ways = heapq.nlargest(BEAM, beams[place].items(), key=lambda pair: pair[1].score)
        beams[place] = {}
        if not ways:
            continue
        items = _items(lattice, place, weights) if place not in idle else []
        skip = _skipped(lattice, place) if place not in idle else ()
        skip_score = sum(weights.get(name, 0.0) * value for name, value in skip)
        for key, way in ways:
            passed = way.score + skip_score
            if _is_better(beams[place + 1], key, passed):
                beams[place + 1][key] = Way(
                    score=passed,
                    effects=way.effects,
                    features=(*way.features, skip),
                    skipped=(*way.skipped, place),
                )
            for number, (score, item) in enumerate(items, start=numbered):
                further, longer = way.score + score, (*key, number)
                if _is_better(beams[item.end], longer, further):
                    beams[item.end][longer] = Way(
                        score=further,
                        effects=(*way.effects, item.effect),
                        features=(*way.features, item.features),
                        skipped=way.skipped,
                    )
        numbered += len(items)
    return heapq.nlargest(WAYS, beams[count].values(), key=lambda way: way.score)


def _is_better(beam: Mapping[tuple[int, ...], Way], key: tuple[int, ...], score: float) -> bool:
    best = beam.get(key)
    return best is None or score > best.score


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
        if any(
            link.name == "count" and link.end in {place, place - 1}
            for start in lattice.starts[:place]
            for link in start
        ):
            return ((name, 1.0), (f"{name}.counted", 1.0))
        if lattice.has(before, "which", "who", "list"):
            return ((name, 1.0), (f"{name}.asked", 1.0))
        if lattice.has(before, "by", "per", "each"):
            return ((name, 1.0), (f"{name}.key", 1.0))
    return ((name, 1.0),)
