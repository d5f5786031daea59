"""The intents that ways through a question compose to: each way by every builder, and what it leaves unused costs."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Measure, Operator, Output, used_columns
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.skips import says_what_it_is
from tabchat.planner.readings.column_uses import ColumnUses
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
from tabchat.planner.readings.grain import counts_parts, of_things, thing_of
from tabchat.planner.readings.groups import group_intents, never_intents
from tabchat.planner.readings.mismatches import is_mismatch
from tabchat.planner.readings.rows import function_rank_intents, rank_intents, row_intents
from tabchat.planner.readings.search import HEAVY, ways_of
from tabchat.planner.readings.sense import sense_of
from tabchat.planner.readings.sequence import Sequence
from tabchat.planner.readings.surveys import (
    exists_intents,
    series_intents,
    survey_intents,
    value_list_intents,
)
from tabchat.planner.readings.times import cuts_a_time
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
    # `by region` is a key or an order: an order of nothing is no rival of a key.
    found: dict[Intent, Composed] = {}
    idle: dict[Intent, Composed] = {}
    sequence, uses, thing = Sequence(lattice), ColumnUses(lattice), thing_of(lattice)
    # What is cheaper has the lower price.
    dearer = "price" in lattice.dimensions("scale.more.", "scale.most.")
    amounts = {} if dearer else lattice.vocabulary.amounts
    for way in ways_of(lattice, weights):
        draft = Draft(way.effects, lattice.vocabulary)
        for builder in _BUILDERS:
            for built in _with_amounts(builder(draft), amounts):
                used = [draft.effects[place] for place in built.used]
                if (
                    _means_nothing(built.intent, lattice.vocabulary)
                    or cuts_a_time(lattice, used, built.intent)
                    or is_mismatch(lattice, way, built.intent)
                    or counts_parts(built.intent, thing)
                ):
                    continue
                composed = _composed(sequence, uses, way, draft, built, weights)
                intent = of_things(built.intent, thing)
                kept = idle if "unused.order" in composed.features else found
                best = kept.get(intent)
                if best is None or composed.score > best.score:
                    kept[intent] = replace(composed, built=replace(composed.built, intent=intent))
    ranked = sorted((found or idle).values(), key=lambda composed: -composed.score)
    return [_reading(lattice, composed) for composed in ranked]


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


def _means_nothing(intent: Intent, vocabulary: Vocabulary) -> bool:
    """Tell whether years are added up, one figure is told twice, or no row can meet the conditions."""
    if len(set(intent.measures)) < len(intent.measures):
        return True
    single = [clause for clause in intent.clauses if isinstance(clause, Condition) and clause.part is None]
    equal = {(clause.column, clause.values) for clause in single if clause.operator is Operator.EQ}
    others = {(clause.column, clause.values) for clause in single if clause.operator is Operator.NE}
    if len({column for column, _ in equal}) < len(equal) or equal & others:
        return True
    present = {clause.column for clause in single if clause.operator is Operator.PRESENT}
    gaps = {clause.column for clause in single if clause.operator is Operator.MISSING}
    known = vocabulary.by_name
    ends = {name for one in gaps & known.keys() for name in known[one].facts.operands}
    if present & (gaps | ends):
        return True
    sums = (measure.column or "" for measure in intent.measures if measure.function == "sum")
    columns = (vocabulary.by_name[name] for name in sums if name in vocabulary.by_name)
    return any(
        column.facts.years or (column.measures("age") and column.originates("age")) for column in columns
    )


def _composed(
    sequence: Sequence,
    uses: ColumnUses,
    way: Way,
    draft: Draft,
    built: Built,
    weights: Mapping[str, float],
) -> Composed:
    built, restated = _restating(draft, built)
    features: dict[str, float] = {"column.restated": float(restated)} if restated else {}
    wrong = incoherences(built.intent, draft.vocabulary)
    learned = chain(sequence.of(draft, built), uses.of(built.intent))
    said = chain(*way.features, built.features, _unused(draft, built), wrong, learned)
    for name, value in said:
        if value:
            features[name] = features.get(name, 0.0) + value
    score = sum(weights.get(name, 0.0) * value for name, value in features.items())
    return Composed(way=way, draft=draft, built=built, features=features, score=score)


def _reading(lattice: Lattice, composed: Composed) -> Reading:
    built, features, skipped = composed.built, composed.features, composed.way.skipped
    words = lattice.sentence.words
    known = lattice.vocabulary.by_name
    told = [known[name] for name in used_columns(built.intent) & known.keys()]
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
    names = used_columns(built.intent) if spare else frozenset()
    said = frozenset(place for place in spare if draft.column_at(place).name in names)
    return replace(built, used=built.used | said), len(said)


def _unused(draft: Draft, built: Built) -> Features:
    return tuple(
        (f"unused.{effect.kind.value}" + (f".{effect.name}" if effect.kind is Kind.MARK else ""), 1.0)
        for place, effect in enumerate(draft.effects)
        if place not in built.used
    )


def _is_a_year(clause: Condition, vocabulary: Vocabulary) -> bool:
    """Tell whether an amount is compared with what is rather a year: `revenue in 2023`, in a table that tells times."""
    timed = bool(vocabulary.dates or vocabulary.year_columns)
    amount = clause.operator is Operator.EQ and vocabulary.by_name[clause.column].measure
    return (
        timed
        and amount
        and all(isinstance(value, int | float) and value in _YEARS for value in clause.values)
    )


def incoherences(intent: Intent, vocabulary: Vocabulary) -> Features:
    """Return features of parts of an intent that do not go together, however each of them was said."""
    known = vocabulary.by_name
    keys = {key.column for key in intent.keys if key.column is not None}
    single = [clause for clause in intent.clauses if isinstance(clause, Condition) and clause.part is None]
    pinned = {clause.column for clause in single if clause.operator is Operator.EQ}
    bounded = {clause.column for clause in single} - pinned
    groups, measures = intent.output is Output.GROUPS, intent.measures
    measured, ordered = {measure.column for measure in measures}, {order.column for order in intent.orders}
    single_rows = groups and not (keys.isdisjoint(vocabulary.unique) or intent.having)
    each = {key.column for key in intent.limit_keys if key.column is not None}
    sums = [known.get(one.column or "") for one in measures if one.function == "sum"]
    found = {
        "derived": any(known[name].facts.operands for name in used_columns(intent) & known.keys()),
        # The sum of the ratings of each director.
        "summed_nonadditive": groups
        and keys.isdisjoint(vocabulary.unique)
        and any(column is not None and not column.additive for column in sums),
        # The most frequent bait by bait.
        "measured_key": any(one.column in keys and one.function != "count" for one in measures),
        "mode_of_groups": groups and any(one.function == "mode" for one in measures),
        # The mean of the ages that are 13.
        "measured_pinned": not pinned.isdisjoint(measured),
        "measured_bounded": intent.output is Output.VALUE and not bounded.isdisjoint(measured),
        # A mean as a percentage of a mean.
        "part_of_no_whole": any(one.part and one.function not in _PARTS for one in measures),
        # The number of rows of each single row.
        "counted_single": single_rows and Measure() in measures,
        "year_as_amount": any(_is_a_year(clause, vocabulary) for clause in single),
        "ordered_pinned": not pinned.isdisjoint(ordered),
        "pinned_key": groups and not pinned.isdisjoint(keys),
        "shown_pinned": intent.output is Output.ROWS and not pinned.isdisjoint(intent.columns),
        # The first row by weight in each weight.
        "ranked_within_itself": not each.isdisjoint(ordered),
        "many_keys": len(intent.keys) > _MOST_KEYS,
    }
    return tuple((f"incoherent.{name}", 1.0) for name, wrong in found.items() if wrong)
