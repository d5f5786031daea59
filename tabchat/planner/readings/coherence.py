"""What an intent as a whole says against itself: features of what hardly anybody asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator, Output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Vocabulary
    from tabchat.planner.readings.effect import Features

_MOST_KEYS: Final = 2


def incoherences(intent: Intent, vocabulary: Vocabulary) -> Features:
    """Return features of parts of an intent that do not go together, however each of them was said."""
    return tuple((f"incoherent.{name}", 1.0) for name in dict.fromkeys(_found(intent, vocabulary)))


def _found(intent: Intent, vocabulary: Vocabulary) -> Iterator[str]:
    keys = {key.column for key in intent.keys if key.column is not None}
    single = [clause for clause in intent.clauses if isinstance(clause, Condition) and clause.part is None]
    pinned = {clause.column for clause in single if clause.operator is Operator.EQ}
    bounded = {clause.column for clause in single} - pinned
    grouped = intent.output is Output.GROUPS and keys.isdisjoint(vocabulary.unique)
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
    if any(order.column in pinned for order in intent.orders):
        yield "ordered_pinned"
    if keys & pinned and intent.output is Output.GROUPS:
        yield "pinned_key"
    if pinned.intersection(intent.columns) and intent.output is Output.ROWS:
        yield "shown_pinned"
    each = {key.column for key in intent.limit_keys if key.column is not None}
    if any(order.column in each for order in intent.orders):
        # The first row by weight in each weight.
        yield "ranked_within_itself"
    if len(intent.keys) > _MOST_KEYS:
        yield "many_keys"
