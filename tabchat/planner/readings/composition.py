"""The intents that ways through a question compose to: each way by every builder, and what it leaves unused costs."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import OWN_MEAN, Condition, Measure
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.skips import says_what_it_is
from tabchat.planner.readings.changes import change_intents, series_intents
from tabchat.planner.readings.coherence import Coherence, of_things
from tabchat.planner.readings.contrasts import (
    comparison_intents,
    correlation_intents,
    ratio_intents,
    share_group_intents,
    share_intents,
    sorts_what_is_placed,
    standing_intents,
)
from tabchat.planner.readings.draft import JUDGED, Draft
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import group_count_intents, limited_intents, value_intents
from tabchat.planner.readings.flows import flow_said, of_one_way
from tabchat.planner.readings.groups import group_intents
from tabchat.planner.readings.memberships import membership_intents, never_intents, newcomer_intents
from tabchat.planner.readings.mismatches import lists_what_is_counted
from tabchat.planner.readings.orders import in_order, one_rank
from tabchat.planner.readings.rows import function_rank_intents, rank_intents, row_intents
from tabchat.planner.readings.search import HEAVY, ways_of
from tabchat.planner.readings.sense import sense_of
from tabchat.planner.readings.sequence import Sequence
from tabchat.planner.readings.surveys import exists_intents, survey_intents, value_list_intents
from tabchat.planner.readings.times import cuts_a_time
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.draft import Built
    from tabchat.planner.readings.effect import Features
    from tabchat.planner.readings.search import Way

_BUILDERS: Final[tuple[Callable[[Draft], Iterator[Built]], ...]] = (
    value_intents,
    limited_intents,
    group_intents,
    standing_intents,
    never_intents,
    membership_intents,
    newcomer_intents,
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
_ENDS: Final = {"max": "min", "min": "max"}
_IDLE: Final = ("unused.order", 1.0)
"""The feature of a reading that makes nothing of an order that was said."""


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
class Composed:
    """An intent of a way, and how well it explains the question."""

    way: Way
    draft: Draft
    built: Built
    told: Features
    """Features beside those of the way."""
    score: float

    @property
    def features(self) -> Mapping[str, float]:
        """Feature → value, of the way and of what was built of it."""
        found: dict[str, float] = {}
        for name, value in chain(*self.way.features, self.told):
            if value:
                found[name] = found.get(name, 0.0) + value
        return found


def readings_of(lattice: Lattice, weights: Mapping[str, float]) -> list[Reading]:
    """Return what the question can mean, the likeliest first, each intent once."""
    # `by region` is a key or an order: an order of nothing is no rival of a key.
    found: dict[Intent, Composed] = {}
    idle: dict[Intent, Composed] = {}
    sequence, coherence, flow = Sequence(lattice), Coherence(lattice), flow_said(lattice)
    # What is cheaper has the lower price.
    dearer = "price" in lattice.dimensions("scale.more.", "scale.most.")
    amounts = {} if dearer else lattice.vocabulary.amounts
    for way in ways_of(lattice, weights):
        draft = Draft(in_order(one_rank(way.effects), lattice.vocabulary.columns), lattice.vocabulary)
        built_of = _either_way(draft, coherence.thing)
        for built in _with_amounts(built_of, amounts) if amounts else built_of:
            told = coherence.of(built.intent)
            used = [draft.effects[place] for place in built.used]
            if (
                told is None
                or lists_what_is_counted(lattice, way, built.intent)
                or cuts_a_time(lattice, used, built.intent)
                or sorts_what_is_placed(lattice, built.intent)
            ):
                continue
            composed = _composed(sequence, way, draft, built, told, weights)
            intent = of_one_way(of_things(built.intent, coherence.thing), flow, lattice.vocabulary)
            kept = idle if _IDLE in composed.told else found
            best = kept.get(intent)
            if best is None or composed.score > best.score:
                if intent is not built.intent:
                    composed = replace(composed, built=replace(composed.built, intent=intent))
                kept[intent] = composed
    ranked = sorted((found or idle).values(), key=lambda composed: -composed.score)
    return [_reading(lattice, composed) for composed in ranked]


def _either_way(draft: Draft, thing: str | None) -> Iterator[Built]:
    """Yield the readings of a way, and those of the best by what nothing says is better high with its other end: the best position.

    What lies above the mean in Germany is so above that of all rows, or of those in Germany. The mean of orders is that of their lines,
    or of what each comes to.
    """
    judged = any(rank.name in JUDGED for rank in draft.each(Kind.SUPER))
    for built in chain.from_iterable(builder(draft) for builder in _BUILDERS):
        yield built
        if (own := _of_own_mean(built.intent)) is not None:
            yield replace(built, intent=own, features=(*built.features, ("mean.own", 1.0)))
        if thing is not None and (whole := _of_wholes(draft, built.intent, thing)) is not None:
            yield replace(built, intent=whole, features=(*built.features, ("amount.of_things", 1.0)))
        # The biggest difference may be that of either sign.
        apart = built.intent.limit is not None and any(one.less for one in built.intent.measures)
        turned = _other_end(draft, built.intent) if judged or apart else None
        if turned is not None:
            features = (*built.features, ("super.rank_turned", 1.0))
            yield replace(built, intent=turned, features=features)


def _of_own_mean(intent: Intent) -> Intent | None:
    """Return an intent whose rows lie above the mean of those that meet its other conditions; None without others."""
    own = tuple(
        replace(one, part=OWN_MEAN) if isinstance(one, Condition) and one.part == "mean" else one
        for one in intent.clauses
    )
    alone = len(own) + len(intent.periods) == 1
    return None if alone or own == intent.clauses else replace(intent, clauses=own)


def _of_wholes(draft: Draft, intent: Intent, thing: str) -> Intent | None:
    """Return an intent of the mean of what all rows of each thing come to, for one of the mean of rows: the average order value."""
    known = draft.vocabulary.by_name
    measures = tuple(
        replace(one, function="sum", per=thing, each=True)
        if one == Measure(function="mean", column=one.column) and known[one.column or ""].additive
        else one
        for one in intent.measures
    )
    keys = {key.column for key in intent.keys}
    return None if measures == intent.measures or thing in keys else replace(intent, measures=measures)


def _other_end(draft: Draft, intent: Intent) -> Intent | None:
    """Return the other end of what an intent ranks, or has the most of; None where a header tells which is better."""
    first = intent.measures[0] if intent.measures else None
    name = intent.orders[0].column if intent.orders else None
    column = draft.vocabulary.by_name.get(name or (first.column if first else None) or "")
    apart = first is not None and first.less is not None
    if column is None or (not apart and column.is_better_low(draft.vocabulary.lexicons) is not None):
        return None
    if intent.orders:
        (order, *rest) = intent.orders
        return replace(intent, orders=(replace(order, descending=not order.descending), *rest))
    if first is None or first.function not in _ENDS:
        return None
    return replace(intent, measures=(replace(first, function=_ENDS[first.function]), *intent.measures[1:]))


def _with_amounts(found: Iterator[Built], amounts: Mapping[str, str]) -> Iterator[Built]:
    """Yield readings, and of those that add up prices what rows come to: `what do all goods cost`, of which there are several each."""
    for built in found:
        measures = tuple(
            replace(one, column=amounts.get(one.column or "", one.column)) if one.function == "sum" else one
            for one in built.intent.measures
        )
        priced = measures != built.intent.measures
        yield replace(built, features=(*built.features, ("amount.prices_added", 1.0))) if priced else built
        if priced:
            features = (*built.features, ("amount.of_price", 1.0))
            yield replace(built, intent=replace(built.intent, measures=measures), features=features)


def _composed(
    sequence: Sequence,
    way: Way,
    draft: Draft,
    built: Built,
    coherence: Features,
    weights: Mapping[str, float],
) -> Composed:
    built, restated = _restating(draft, built)
    again: Features = (("column.restated", float(restated)),)
    told = (*again, *built.features, *_unused(draft, built), *coherence, *sequence.of(draft, built))
    score = way.score + sum(weights[name] * value for name, value in told if name in weights)
    return Composed(way=way, draft=draft, built=built, told=told, score=score)


def _reading(lattice: Lattice, composed: Composed) -> Reading:
    built, features, skipped = composed.built, composed.features, composed.way.skipped
    words = lattice.sentence.words
    known = lattice.vocabulary.by_name
    told = [known[name] for name in built.intent.used_columns & known.keys()]
    missed = [
        words[place].text
        for place in skipped
        if lattice.skips[place] in HEAVY and not any(says_what_it_is(lattice, place, one) for one in told)
    ]
    if _GUESSED & features.keys():
        # An unknown verb may say what is measured, where nothing else does.
        missed += [words[place].text for place in skipped if lattice.skips[place] is Skip.DOING]
    if "rows.stranger" in features:
        # People, in a table of earthquakes.
        rows = lattice.links(LinkKind.ROWS)
        missed += [words[link.start].text for link in rows if link.name == "stranger"]
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
    names = built.intent.used_columns
    said = frozenset(place for place in spare if draft.column_at(place).name in names)
    return replace(built, used=built.used | said), len(said)


def _unused(draft: Draft, built: Built) -> Features:
    return tuple(
        (f"unused.{effect.kind.value}" + (f".{effect.name}" if effect.kind is Kind.MARK else ""), 1.0)
        for place, effect in enumerate(draft.effects)
        if place not in built.used
    )
