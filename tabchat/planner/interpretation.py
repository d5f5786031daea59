"""A question and the facts of a table → what it can mean: the stages of the planner, each entered once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice import MOST_OFFERED, Candidate, rated, shipped_weights, softmax
from tabchat.planner.choice.doubts import is_doubtful
from tabchat.planner.derived import with_derived
from tabchat.planner.follow_ups import follow_up_of
from tabchat.planner.links import Vocabulary, link, vocabulary_of, widened
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.plan import Unplannable, plan_of
from tabchat.planner.readings import readings_of
from tabchat.planner.readings.search import HEAVY, ways_of
from tabchat.planner.words import last_language, ranked_languages, read_sentence, shipped_languages, tokenize
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.choice import Weights
    from tabchat.planner.context import UserContext
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings import Reading
    from tabchat.planner.readings.search import Way
    from tabchat.planner.words import Languages, Lexicon

LONGEST_QUESTION: Final = 600
"""Characters; a longer text is not one question."""
_LEAST_OFFERED: Final = 0.005
"""Probability below which a reading is not worth offering."""
_BESIDE: Final = 0.03
"""Part of the best one's probability below which a reading is not worth offering beside it."""
_LOOKED_AT: Final = 16
"""Readings for which a plan is tried."""
_TURNING: Final = frozenset({Skip.DENIAL, Skip.REFUSED, Skip.NAME})
_OF_THE_TABLE: Final = frozenset({LinkKind.COLUMN, LinkKind.CELL, LinkKind.ROWS, LinkKind.TIME})
_CERTAIN_CHANGE: Final = 0.75
"""Share of its score from which on a change of the question before is certain."""


def _says_something(lattice: Lattice, reading: Reading) -> bool:
    """Tell whether a reading explains any of the words that mean something, if there are any."""
    counts = any(concept.name in {"count", "howmuch"} for concept in lattice.sentence.concepts)
    if not counts and all(skip in {Skip.NOTHING, Skip.JOIN} for skip in lattice.skips):
        return False
    telling = sum(
        skip in HEAVY or bool(lattice.at(place, LinkKind.COLUMN)) for place, skip in enumerate(lattice.skips)
    )
    if _guesses(lattice, reading):
        return False
    return not reading.unexplained or len(reading.unexplained) < telling


def _guesses(lattice: Lattice, reading: Reading) -> bool:
    """Tell whether a reading is a function of a column that no word names: `average frobnication` is of nothing here."""
    if not reading.unexplained or not reading.features.keys() >= {"default.measure", "function"}:
        return False
    return not any(
        link.kind in _OF_THE_TABLE and link.name != "stranger" and word.text not in reading.unexplained
        for word, start in zip(lattice.sentence.words, lattice.starts, strict=True)
        for link in start
    )


def is_barred(lattice: Lattice, reading: Reading | Candidate) -> bool:
    """Tell whether a reading is never more than offered, however likely it is.

    Words that are passed over may turn its meaning round: a denial, `why`, a name that no cell has, or so many unknown
    words that what is left may be about something else.
    """
    words = zip(lattice.sentence.words, lattice.skips, strict=True)
    left = [skip for word, skip in words if word.text in reading.unexplained]
    heavy = sum(skip in HEAVY for skip in lattice.skips)
    turns = not _TURNING.isdisjoint(left) or 2 * left.count(Skip.UNKNOWN) >= heavy > 0
    return turns or is_doubtful(lattice, reading.intent)


def _unknown(lattice: Lattice, best: Reading | None) -> tuple[str, ...]:
    """Return the words that the best reading leaves over: those that nothing knows, if there are any."""
    left = [word.text for word in lattice.sentence.words] if best is None else best.unexplained
    strange = [
        word.text
        for word, skip, start in zip(lattice.sentence.words, lattice.skips, lattice.starts, strict=True)
        if (skip in {Skip.UNKNOWN, Skip.NAME, Skip.REFUSED} and word.text in left)
        or (skip is not Skip.VERB and any(link.is_near for link in start))
    ]
    return tuple(strange or (left if best is not None else ()))


def _is_confirmed(lattice: Lattice, alone: Interpretation, changes: Sequence[tuple[float, Intent]]) -> bool:
    """Tell whether a question means the same by itself and as a change of the one before: `sort by price, dearest first`."""
    best = next(iter(alone.candidates), None)
    if best is None or best.unexplained or not changes or changes[0][1] != best.intent:
        return False
    return softmax([score for score, _ in changes])[0] >= _CERTAIN_CHANGE and not is_barred(lattice, best)


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
        best = max((found.probability for found in self.candidates[:1]), default=0.0)
        least = max(_LEAST_OFFERED, _BESIDE * best)
        return tuple(found for found in self.candidates[:MOST_OFFERED] if found.probability >= least)


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
        self._languages = languages or shipped_languages()
        self.facts = with_derived(facts if context is None else context.with_units(facts), self._groups_of)
        self._choice = weights or shipped_weights()
        self._context = context
        self._vocabulary = lru_cache(maxsize=4)(self._made)
        self._prefer = lru_cache(maxsize=4)(self._preferred)
        # Whether a question asks for help, what it means and which shortcut says it is asked of the same words.
        self.lattice = lru_cache(maxsize=2)(self._linked)
        # What words that nothing knows may mean is for what is asked, not for what an edit may change.
        self.wide_lattice = lru_cache(maxsize=2)(lambda question: widened(self.lattice(question)))
        self._suggested: dict[str, tuple[str, ...]] = {}

    def read(self, question: str, previous: Intent | None = None) -> Interpretation:
        """Return what `question` can mean, by itself or as a change of the `previous` intent."""
        lattice = self.wide_lattice(question)
        found = self.readings(lattice)
        readings = [reading for reading in found if _says_something(lattice, reading)]
        language = lattice.sentence.language
        candidates = tuple(rated(readings, self._choice, lattice.vocabulary.unique, language))
        best = candidates[0] if candidates else None
        alone = Interpretation(
            question=question,
            language=language,
            candidates=candidates,
            certain=best is not None
            and best.probability >= self._choice.threshold
            and not is_barred(lattice, best),
            unknown=_unknown(lattice, found[0] if found else None),
        )
        return self._followed(self.lattice(question), alone, previous)

    def readings(self, lattice: Lattice) -> list[Reading]:
        """Return what the words can mean of what the table can give, the likeliest first."""
        found = readings_of(lattice, self.weights)[:_LOOKED_AT]
        return [reading for reading in found if self.can_answer(reading.intent)]

    @property
    def weights(self) -> Mapping[str, float]:
        """Feature → weight of what the readings are scored by."""
        return self._choice.score

    def language_of(self, text: str, before: Sequence[str] = ()) -> str:
        """Return the language of a text, where its words leave it open of those `before`; of the headers if it is empty."""
        language = self.lattice(text or " ".join(self._headers)).sentence.language
        return last_language((*before, text), self._languages, language) if before else language

    def asks_for_help(self, question: str) -> bool:
        """Tell whether a question asks only what can be asked; an empty one does."""
        sentence = self.lattice(question).sentence
        idle = {
            place
            for concept in sentence.concepts
            if concept.name == "help" or concept.name.startswith("stop.")
            for place in range(concept.start, concept.end)
        }
        asked = not sentence.words or any(concept.name == "help" for concept in sentence.concepts)
        return asked and all(
            place in idle or not any(map(str.isalnum, word.norm)) for place, word in enumerate(sentence.words)
        )

    def suggestions(self, language: str, most: int) -> tuple[str, ...]:
        """Return at most `most` questions that are certain to be read as what they were made to mean."""
        known = self._suggested.get(language, ())
        if len(known) < most:
            from tabchat.planner.wording.suggestions import suggestions

            asked = (text for text, intent in suggestions(self.facts, language) if self._means(text, intent))
            known = self._suggested[language] = tuple(islice(asked, most))
        return known[:most]

    def _means(self, question: str, intent: Intent) -> bool:
        found = self.read(question)
        if not found.certain:
            return False
        return plan_of(found.candidates[0].intent, self.facts) == plan_of(intent, self.facts)

    def ways(self, lattice: Lattice) -> list[Way]:
        """Return the likeliest ways through the words."""
        return ways_of(lattice, self.weights)

    def can_answer(self, intent: Intent) -> bool:
        """Tell whether the table can give what an intent asks for."""
        try:
            plan_of(intent, self.facts)
        except Unplannable:
            return False
        return True

    def strange(self, lattice: Lattice) -> tuple[str, ...]:
        """Return the words that nothing knows, as they were typed."""
        return _unknown(lattice, None)

    def _groups_of(self, header: str) -> frozenset[str]:
        lexicons = map(self._languages.load, self._languages.of(header))
        return frozenset().union(*(lexicon.groups_of_header(header) for lexicon in lexicons))

    @property
    def _headers(self) -> list[str]:
        return [column.name for column in self.facts.columns if column.formula is None]

    def _followed(self, lattice: Lattice, alone: Interpretation, previous: Intent | None) -> Interpretation:
        """Return a question as changes of the intent before, where it opens like one or is no whole question."""
        going_on = follow_up_of(lattice, previous, self.weights)
        changes = [(score, intent) for score, intent in going_on.changes if self.can_answer(intent)]
        tied = going_on.opens and (changes or going_on.narrowed)
        if going_on.whole and not tied and not going_on.bare:
            return replace(alone, certain=alone.certain or _is_confirmed(lattice, alone, changes))
        if not changes:
            strange = set(alone.unknown) & set(self.strange(lattice))
            lost = not going_on.whole or going_on.bare or going_on.marks or strange or previous is None
            return replace(alone, certain=alone.certain and not lost)
        shares = softmax([score for score, _ in changes])
        certain = shares[0] >= _CERTAIN_CHANGE
        either = going_on.whole and going_on.bare
        own = next((one.intent for one in alone.candidates if alone.certain or either), None)
        is_open = going_on.scoped and (going_on.whole or not going_on.marks or "those" in going_on.marks)
        if own is not None and (is_open or either) and all(own != item for _, item in changes):
            # `and how many orders in France?`, `sum by shop`: of what was asked before, or of all?
            shares, certain = [share / 2 for share in shares], False
            changes.insert(1, (0.0, own))
            shares.insert(1, 0.5)
        candidates = tuple(
            Candidate(intent=intent, probability=share, unexplained=())
            for (_, intent), share in zip(changes, shares, strict=True)
        )
        return replace(alone, candidates=candidates, certain=certain, unknown=())

    def _linked(self, question: str) -> Lattice:
        """Return all that the words of a question can stand for, as the table and the lexicons know them."""
        names = self._languages.of(question)
        vocabulary = self._vocabulary(names)
        sentence = read_sentence(
            question, lexicons=self._languages, known=self._known(vocabulary), prefer=self._prefer(names)
        )
        return link(sentence, vocabulary, [self._lexicon(name) for name in names])

    def _known(self, vocabulary: Vocabulary) -> Callable[[str], bool] | frozenset[str]:
        """Return what tells whether the table, or the person, has a word."""
        if self._context is None:
            return vocabulary.spelled or vocabulary.known
        own = self._context.words
        if vocabulary.spelled:
            return vocabulary.spelled | own
        return lambda word: word in own or vocabulary.known(word)

    def _lexicon(self, name: str) -> Lexicon:
        """Return what the words of a language mean, the person's names of cells among them."""
        lexicon = self._languages.load(name)
        if self._context is None or not self._context.cell_names:
            return lexicon
        return lexicon.with_cell_names(self._context.cell_names)

    def _made(self, names: tuple[str, ...]) -> Vocabulary:
        lexicons = [self._languages.load(name) for name in names]
        return vocabulary_of(self.facts, self._languages, lexicons, self._context)

    def _preferred(self, names: tuple[str, ...]) -> str:
        """Return which of some languages the headers and the cells are in."""
        cells = chain.from_iterable(column.texts[:_LOOKED_AT] for column in self.facts.columns)
        return ranked_languages(names, tokenize(" ".join((*self._headers, *cells))), self._languages)[0]
