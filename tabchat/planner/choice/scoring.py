"""The choice among readings: a log-linear score, calibrated to the probability that the best one is right.

The weights and the calibration are fitted by `benchmarks/fit_planner.py` from questions with gold answers. The score is
that of a conditional log-linear model over candidate readings (Pasupat and Liang 2015); the calibration is an ensemble of
boosted trees over the features of the best reading and over how far it stands above the others.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.subject import subject_of
from tabchat.planner.intent import Condition, Operator, Output
from tabchat.planner.links.link import is_named
from tabchat.planner.readings.sequence import LEARNED
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tabchat.planner.choice.subject import Subject
    from tabchat.planner.choice.weights import Weights
    from tabchat.planner.intent import Clause, Intent
    from tabchat.planner.readings import Reading

MOST_OFFERED: Final = 3
"""Readings that a person is offered."""
_LEFT_OVER: Final = 0.02
"""How far below the threshold a reading stays that leaves words unexplained."""
_CLEARLY: Final = 0.55
"""From which probability on rows were meant rather than anything but their number."""
_LIKELY: Final = 2 / 3
"""From which probability on rows are no rival of their number that was asked for, nor of some of them.

Below, every third such answer to the gold questions would be wrong, above one of twenty."""
_LIKENED: Final = frozenset({"rows.near", "hop"})
"""Signs of a word that is near in meaning to one for rows, or that stands between a column and its cell."""
_PLAINLY: Final = 0.7
"""From which probability on groups that no word asked for are no rival."""
_SUREST: Final = 0.99
_ASKING_ROWS: Final = frozenset(
    {"open.howmuch.rows", "open.howmany.rows", "open.yesno.rows", "open.where.rows", "open.degree.values"}
)
"""Signs of rows that answer a question for a figure."""
_FAR: Final = 8.0
"""Distance of scores above which more distance tells nothing."""
_SUMS: Final = {
    "linked": ("column", "cell", "column.unit", "rows.noun", "rows.meant", "rows.generic", "function"),
    "loose": ("column.synonym", "column.kin", "column.form", "column.missing", "cell.form", "cell.part"),
    "skipped": ("skip.row", "skip.verb", "skip.concept", "skip.number", "skip.table", "skip.unknown"),
    "guessed": ("default.", "count.default", "money.rank", "super.no_dimension"),
    "rivalled": ("column.rivals", "column.outdone", "cell.columns", "cell.several", "cell.outdone"),
}
"""Features that tell the same of a reading, as one: how much of it was linked, loosely so, passed over, guessed."""
_MOST: Final = 2.0
"""Value above which more of one feature tells nothing about being right."""


@record
class Candidate:
    """A reading with the probability that it is what was meant."""

    intent: Intent
    probability: float
    unexplained: tuple[str, ...]


def rated(
    readings: Sequence[Reading], weights: Weights, unique: Collection[str], language: str
) -> list[Candidate]:
    """Return readings, best first, each sense once, with their probabilities; columns of `unique` hold no cell twice."""
    if not readings:
        return []
    shares = softmax([reading.score for reading in readings])
    subjects = [subject_of(reading.sense, unique) for reading in readings]
    readings = [_explained(readings, subjects), *readings[1:]]
    firsts: dict[Intent, Reading] = {}
    together: dict[Intent, float] = {}
    for reading, share in zip(readings, shares, strict=True):
        firsts.setdefault(reading.sense, reading)
        together[reading.sense] = together.get(reading.sense, 0.0) + share
    best = _logistic(weights.calibration.log_odds(signs(readings, shares, subjects, language)))
    if readings[0].unexplained:
        # A word that nothing explains may turn the question; no score makes up for it.
        best = min(best, weights.threshold - _LEFT_OVER)
    rest = max(1e-9, 1.0 - together[readings[0].sense])
    likely = {sense: min(best, (1.0 - best) * share / rest) for sense, share in together.items()}
    likely[readings[0].sense] = best + _counted(readings, subjects, likely)
    return [
        Candidate(intent=reading.intent, probability=likely[sense], unexplained=reading.unexplained)
        for sense, reading in firsts.items()
    ]


def _explained(readings: Sequence[Reading], subjects: Sequence[Subject]) -> Reading:
    """Return the best reading, whose words another one may explain that shows some of the same cells: `the next stop after Lviv`.

    Where the whole row is shown, so is the column that a word of it names.
    """
    first, shown = readings[0], subjects[0]
    part = shown.shown is None and any(
        not reading.unexplained and subject.rows == shown.rows
        for reading, subject in zip(readings, subjects, strict=True)
    )
    return replace(first, unexplained=()) if part and first.unexplained else first


def _counted(
    readings: Sequence[Reading], subjects: Sequence[Subject], likely: Mapping[Intent, float]
) -> float:
    """Return how likely it is that something else was meant that is told with the best reading, or that nobody asks for.

    The number of the rows is told beside them; `cancelled flights` and `how many cities` ask for no list of groups.
    """
    first, best = readings[0], likely[readings[0].sense]
    if first.unexplained or best < _CLEARLY or not _ASKING_ROWS.isdisjoint(first.features):
        return 0.0
    if first.intent.orders and not first.intent.limit:
        # In which order rows come is told by nothing else.
        return 0.0
    # What is only likened to rows may be some of them, or none: `how many shorts`, of films; `how many bees does H04 have`.
    counted = (
        best >= _LIKELY
        and "open.howmany.value" in first.features
        and first.features.keys().isdisjoint(_LIKENED)
    )
    counts = {
        reading.sense: likely[reading.sense]
        for reading, subject in zip(readings, subjects, strict=True)
        if reading.sense != first.sense
        and (
            subjects[0].tells(subject)
            or (best >= _PLAINLY and _groups_unasked(first, reading))
            or (counted and subject.tells(subjects[0]))
            or (best >= _LIKELY and _passes_over_a_cell(first, reading))
        )
    }
    told = sum(counts.values())
    return min(told, max(0.0, _SUREST - best)) if told < best else 0.0


def _groups_unasked(first: Reading, other: Reading) -> bool:
    """Tell whether groups by a column that no word grouped by rival rows or a figure."""
    groups = other.intent.output is Output.GROUPS and not (other.intent.orders or other.intent.having)
    return groups and "groups.bare" in other.features and first.intent.output in {Output.ROWS, Output.VALUE}


def _passes_over_a_cell(first: Reading, other: Reading) -> bool:
    """Tell whether a rival is the best reading without a condition on a cell that the question says."""
    best = first.intent
    said, kept = frozenset(best.clauses), frozenset(other.intent.clauses)
    is_less = kept < said and all(map(_is_a_cell, said - kept))
    return is_less and other.intent == replace(best, clauses=other.intent.clauses)


def _is_a_cell(clause: Clause) -> bool:
    return (
        isinstance(clause, Condition)
        and clause.operator is Operator.EQ
        and clause.part is None
        and all(isinstance(value, str) for value in clause.values)
    )


def signs(
    readings: Sequence[Reading], shares: Sequence[float], subjects: Sequence[Subject], language: str
) -> Mapping[str, float]:
    """Return what tells whether the best reading is right; the question is in `language`."""
    first = readings[0]
    alike = sum(
        share for share, reading in zip(shares, readings, strict=True) if reading.sense == first.sense
    )
    second = next((reading.score for reading in readings if reading.sense != first.sense), first.score - _FAR)
    found = {
        name: min(_MOST, value) for name, value in first.features.items() if not name.startswith(LEARNED)
    }
    sums = {name: _sum(first.features, kinds) for name, kinds in _SUMS.items()}
    found |= {f"choice.{name}": value for name, value in sums.items()}
    found["choice.score_per_phrase"] = first.score / (1.0 + sums["linked"] + sums["skipped"])
    found["choice.log_odds"] = _log_odds(alike)
    found["choice.margin"] = min(_FAR, first.score - second)
    found |= _agreement(readings, shares, subjects)
    found["choice.explained.margin"] = min(_FAR, first.score - _best_rival(readings, subjects))
    found["choice.score"] = max(-_FAR, min(_FAR, first.score))
    found[f"choice.language.{language}"] = 1.0
    found["choice.unexplained"] = min(3.0, float(len(first.unexplained)))
    return found


def _agreement(
    readings: Sequence[Reading], shares: Sequence[float], subjects: Sequence[Subject]
) -> Mapping[str, float]:
    """Return how far the readings that show what the first one shows stand above those that show something else."""
    first = readings[0]
    found = {}
    for name, agrees in (
        ("agreed", [subject.agrees(subjects[0]) for subject in subjects]),
        ("same_rows", [subject.rows == subjects[0].rows for subject in subjects]),
    ):
        together = sum(share for share, is_one in zip(shares, agrees, strict=True) if is_one)
        others = (reading.score for reading, is_one in zip(readings, agrees, strict=True) if not is_one)
        found[f"choice.{name}.log_odds"] = _log_odds(together)
        found[f"choice.{name}.margin"] = min(_FAR, first.score - next(others, first.score - _FAR))
    return found


def _best_rival(readings: Sequence[Reading], subjects: Sequence[Subject]) -> float:
    """Return the score of the best reading that shows something else and leaves no more words unexplained."""
    most = len(readings[0].unexplained)
    return next(
        (
            reading.score
            for reading, subject in zip(readings, subjects, strict=True)
            if len(reading.unexplained) <= most and not subject.agrees(subjects[0])
        ),
        readings[0].score - _FAR,
    )


def _sum(features: Mapping[str, float], kinds: tuple[str, ...]) -> float:
    """Return the sum of the features that are one of some kinds: named so, or below a name that ends in a point."""
    return sum(value for name, value in features.items() if is_named(name, kinds))


def softmax(scores: Sequence[float]) -> list[float]:
    """Return the shares of `scores` in the sum of their exponentials."""
    top = max(scores)
    parts = [math.exp(score - top) for score in scores]
    total = sum(parts)
    return [part / total for part in parts]


def _log_odds(share: float) -> float:
    kept = min(1 - 1e-4, max(1e-4, share))
    return math.log(kept / (1 - kept))


def _logistic(value: float) -> float:
    if value < -30:  # noqa: PLR2004 - below, the exponential overflows and the result is nothing
        return 0.0
    return 1.0 / (1.0 + math.exp(-value))
