"""A question and the facts of a table → what it can mean: the stages of the planner, each entered once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice import Candidate, rated, shipped_weights, softmax
from tabchat.planner.links import Vocabulary, link, vocabulary_of
from tabchat.planner.plan import Unplannable, plan_of
from tabchat.planner.readings import readings_of
from tabchat.planner.words import read_sentence, shipped_languages
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.choice import Weights
    from tabchat.planner.context import UserContext
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings import Reading
    from tabchat.planner.words import Languages

LONGEST_QUESTION: Final = 600
"""Characters; a longer text is not one question."""
_LEAST_OFFERED: Final = 0.04
"""Probability below which a reading is not worth offering."""
LOOKED_AT: Final = 16
"""Readings for which a plan is tried."""
_CERTAIN_CHANGE: Final = 0.6
"""Share of its score from which on a change of the question before is certain."""


def plannable(readings: Sequence[Reading], facts: TableFacts) -> list[Reading]:
    """Return the likeliest readings that the table can give."""
    return [reading for reading in readings[:LOOKED_AT] if is_plannable(reading.intent, facts)]


def is_plannable(intent: Intent, facts: TableFacts) -> bool:
    """Tell whether a plan can be written for an intent."""
    try:
        plan_of(intent, facts)
    except Unplannable:
        return False
    return True


@record
class Interpretation:
    """What a question can mean."""

    question: str
    language: str
    candidates: tuple[Candidate, ...]
    """Best first."""
    certain: bool
    """Whether the best one is certain enough to be answered."""
    unknown: tuple[str, ...]
    """Words that the best reading does not explain, as they were typed."""

    @property
    def offered(self) -> tuple[Candidate, ...]:
        """The readings that are worth offering, at most three; none when even the best leaves too much unexplained."""
        return tuple(found for found in self.candidates[:3] if found.probability >= _LEAST_OFFERED)


class Interpreter:
    """Reads questions of one table: a pure function of the question and of what it was made with."""

    def __init__(
        self,
        facts: TableFacts,
        *,
        languages: Languages | None = None,
        weights: Weights | None = None,
        context: UserContext | None = None,
    ) -> None:
        self.facts = facts
        self._languages = languages or shipped_languages()
        self._weights = weights or shipped_weights()
        self._context = context
        self._vocabulary = lru_cache(maxsize=4)(self._made)

    def read(self, question: str, previous: Intent | None = None) -> Interpretation:
        """Return what `question` can mean, by itself or as a change of the `previous` intent."""
        lattice = self._lattice(question)
        readings = plannable(readings_of(lattice, self._weights.score), self.facts)
        candidates = tuple(rated(readings, len(question.split()), self._weights))
        best = candidates[0] if candidates else None
        alone = Interpretation(
            question=question,
            language=lattice.sentence.language,
            candidates=candidates,
            certain=best is not None and best.probability >= self._weights.threshold,
            unknown=best.unexplained if best is not None else tuple(question.split()),
        )
        return alone if previous is None else self._followed(lattice, alone, previous)

    def _followed(self, lattice: Lattice, alone: Interpretation, previous: Intent) -> Interpretation:
        """Return a question as a change of the intent before, where it opens like one or means nothing alone."""
        from tabchat.planner.follow_ups import followed, opening_of

        opening = opening_of(lattice)
        if alone.certain and not opening.marks & {"start", "more"}:
            return alone
        changes = [
            (score, intent)
            for score, intent in followed(lattice, previous, self._weights.score, opening)
            if is_plannable(intent, self.facts)
        ]
        if not changes:
            return alone
        shares = softmax([score for score, _ in changes])
        candidates = tuple(
            Candidate(intent=intent, probability=share, unexplained=())
            for (_, intent), share in zip(changes, shares, strict=True)
        )
        return replace(alone, candidates=candidates, certain=shares[0] >= _CERTAIN_CHANGE, unknown=())

    def _lattice(self, question: str) -> Lattice:
        names = self._languages.of(question)
        lexicons = [self._languages.load(name) for name in names]
        vocabulary = self._vocabulary(names)
        sentence = read_sentence(
            question,
            lexicons=self._languages,
            known=vocabulary.spelled or vocabulary.known,
            prefer=self._preferred(names),
        )
        return link(sentence, vocabulary, lexicons)

    def _made(self, names: tuple[str, ...]) -> Vocabulary:
        lexicons = [self._languages.load(name) for name in names]
        return vocabulary_of(self.facts, self._languages, lexicons, self._context)

    def _preferred(self, names: tuple[str, ...]) -> str | None:
        headers = self._languages.of(" ".join(column.name for column in self.facts.columns))
        return next((name for name in headers if name in names), None)
