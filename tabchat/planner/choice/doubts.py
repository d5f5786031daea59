"""What no probability makes certain: constructions that two careful readers take differently, or that a word was lost from."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Output
from tabchat.planner.links.lattice import Skip

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_PER: Final = {"per", "per.time", "change.daily"}
_DENIALS: Final = {"not", "without"}
_KIN: Final = 5
"""Letters that a verb and a header share when they are of one root: `renewed`, `renewals`."""


def is_doubtful(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a reading is to be offered however likely it is."""
    return (
        _mean_per_thing(lattice, intent)
        or _denies_a_list(lattice, intent)
        or _sets_a_sum_apart(lattice, intent)
        or _loses_a_verb(lattice, intent)
    )


def _mean_per_thing(lattice: Lattice, intent: Intent) -> bool:
    """`average revenue per customer`: by each customer, or the mean of their totals; `pages per loan by genre`."""
    names = [concept.name for concept in lattice.sentence.concepts]
    if intent.output is not Output.GROUPS or _PER.isdisjoint(names):
        return False
    if any(measure.function == "mean" and measure.column is not None for measure in intent.measures):
        return True
    places = {concept.start for concept in lattice.sentence.concepts if concept.name in {"per", "by"}}
    return len(places) > 1 and not any(name.startswith("agg.") for name in names)


def _denies_a_list(lattice: Lattice, intent: Intent) -> bool:
    """`not reserved and damaged`: the denial may reach behind the `and`, or not."""
    concepts = lattice.sentence.concepts
    denied = [concept.end for concept in concepts if concept.name in _DENIALS]
    tied = [concept.start for concept in concepts if concept.name in {"and", "or"}]
    return len(intent.clauses) > 1 and bool(denied) and any(at > min(denied) for at in tied)


def _sets_a_sum_apart(lattice: Lattice, intent: Intent) -> bool:
    """`total for February and March`, read as a comparison of the two."""
    names = {concept.name for concept in lattice.sentence.concepts}
    return (
        intent.output is Output.COMPARISON
        and {"agg.sum", "and"} <= names
        and names.isdisjoint({"compare", "diff"})
    )


def _loses_a_verb(lattice: Lattice, intent: Intent) -> bool:
    """`loans that were renewed`, read without the column of renewals."""
    said = repr(intent)
    verbs = [
        word.norm
        for word, skip in zip(lattice.sentence.words, lattice.skips, strict=True)
        if skip in {Skip.VERB, Skip.DOING}
    ]
    return any(
        _shared(verb, word) >= _KIN
        for verb in verbs
        for column in lattice.vocabulary.columns
        if column.measure and repr(column.name) not in said
        for word in column.words
    )


def _shared(one: str, two: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
