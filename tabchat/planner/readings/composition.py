"""The intents that ways through a question compose to: each way by every builder, and what it leaves unused costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Measure, Operator, Output, used_columns
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
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
from tabchat.planner.readings.rows import (
    exists_intents,
    function_rank_intents,
    rank_intents,
    row_intents,
    value_list_intents,
)
from tabchat.planner.readings.search import HEAVY, ways_of
from tabchat.planner.readings.sense import sense_of
from tabchat.planner.readings.sequence import Sequence
from tabchat.planner.readings.surveys import series_intents, survey_intents
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, Vocabulary
    from tabchat.planner.readings.draft import Built
    from tabchat.planner.readings.effect import Features
    from tabchat.planner.readings.search import Way

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
_MOST_KEYS: Final = 2
_YEARS: Final = range(1900, 2100)
_PARTS: Final = frozenset({"count", "count_distinct", "sum"})
"""Functions whose figure over some rows is a part of that over all."""


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
    features: Mapping[str, float]
    score: float


def readings_of(lattice: Lattice, weights: Mapping[str, float]) -> list[Reading]:
    """Return what the question can mean, the likeliest first, each intent once."""
    found: dict[Intent, Composed] = {}
    sequence = Sequence(lattice)
    for way in ways_of(lattice, weights):
        draft = Draft(way.effects, lattice.vocabulary)
        for builder in _BUILDERS:
            for built in builder(draft):
                if _sums_years(built.intent, lattice.vocabulary):
                    continue
                composed = _composed(sequence, way, draft, built, weights)
                best = found.get(built.intent)
                if best is None or composed.score > best.score:
                    found[built.intent] = composed
    # `by region` is a key or an order: an order of nothing is no rival of a key.
    kept = [composed for composed in found.values() if "unused.order" not in composed.features]
    ranked = sorted(kept or found.values(), key=lambda composed: -composed.score)
    return [_reading(lattice, composed) for composed in ranked]


def _sums_years(intent: Intent, vocabulary: Vocabulary) -> bool:
    """Tell whether years are added up, which means nothing."""
    for measure in intent.measures:
        column = vocabulary.by_name.get(measure.column or "")
        if measure.function == "sum" and column is not None:
            born = column.measures("age") and column.originates("age")
            if column.facts.years or born:
                return True
    return False


def _composed(
    sequence: Sequence, way: Way, draft: Draft, built: Built, weights: Mapping[str, float]
) -> Composed:
    built, restated = _restating(draft, built)
    features: dict[str, float] = {"column.restated": float(restated)} if restated else {}
    for group in (
        *way.features,
        built.features,
        _unused(draft, built),
        incoherences(built.intent, draft.vocabulary),
        sequence.of(draft, built),
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


def incoherences(intent: Intent, vocabulary: Vocabulary) -> Features:
    """Return features of parts of an intent that do not go together, however each of them was said."""
    return tuple((f"incoherent.{name}", 1.0) for name in dict.fromkeys(_found(intent, vocabulary)))


def _found(intent: Intent, vocabulary: Vocabulary) -> Iterator[str]:
    if any(
        vocabulary.by_name[name].facts.operands for name in used_columns(intent) if name in vocabulary.by_name
    ):
        yield "derived"
    keys = {key.column for key in intent.keys if key.column is not None}
    single = [clause for clause in intent.clauses if isinstance(clause, Condition) and clause.part is None]
    pinned = {clause.column for clause in single if clause.operator is Operator.EQ}
    bounded = {clause.column for clause in single} - pinned
    grouped = intent.output is Output.GROUPS and keys.isdisjoint(vocabulary.unique)
    single_rows = intent.output is Output.GROUPS and not (keys.isdisjoint(vocabulary.unique) or intent.having)
    for measure in intent.measures:
        if grouped and measure.function == "sum" and not vocabulary.by_name[measure.column or ""].additive:
            # The sum of the ratings of each director.
            yield "summed_nonadditive"
        if measure.column in keys and measure.function != "count":
            # The most frequent bait by bait.
            yield "measured_key"
        if measure.function == "mode" and intent.output is Output.GROUPS:
            yield "mode_of_groups"
        if measure.column in pinned:
            # The mean of the ages that are 13.
            yield "measured_pinned"
        if measure.column in bounded and intent.output is Output.VALUE:
            yield "measured_bounded"
        if measure.part and measure.function not in _PARTS:
            # A mean as a percentage of a mean.
            yield "part_of_no_whole"
        if measure == Measure() and single_rows:
            # The number of rows of each single row.
            yield "counted_single"
    if any(order.column in pinned for order in intent.orders):
        yield "ordered_pinned"
    if keys & pinned and intent.output is Output.GROUPS:
        yield "pinned_key"
    if pinned.intersection(intent.columns) and intent.output is Output.ROWS:
        yield "shown_pinned"
    if (vocabulary.dates or vocabulary.year_columns) and any(
        clause.operator is Operator.EQ
        and vocabulary.by_name[clause.column].measure
        and all(isinstance(value, int | float) and value in _YEARS for value in clause.values)
        for clause in single
    ):
        # `revenue in 2023` as the rows with a revenue of 2023.
        yield "year_as_amount"
    each = {key.column for key in intent.limit_keys if key.column is not None}
    if any(order.column in each for order in intent.orders):
        # The first row by weight in each weight.
        yield "ranked_within_itself"
    if len(intent.keys) > _MOST_KEYS:
        yield "many_keys"
