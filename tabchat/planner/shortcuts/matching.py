"""Which shortcuts a question says, word by word: every word of an utterance, its slots, and conditions beside them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent_changes import is_silent
from tabchat.planner.links.lattice import Skip
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.search import HEAVY, ways_of
from tabchat.planner.shortcuts.slots import SLOT, fillings, kind_of
from tabchat.planner.words.token import tokenize
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.effect import Effect
    from tabchat.planner.readings.search import Way
    from tabchat.planner.shortcuts.catalogue import Shortcut, Utterance
    from tabchat.planner.shortcuts.slots import Filling
    from tabchat.planner.words import Lexicon, Word

_FRAME: Final = frozenset({"which", "list", "table", "in", "pred", "from"})
_JOINING: Final = frozenset({"by", "in"})
_SYNONYMS: Final = frozenset(
    {
        *("count", "howmuch", "when", "who", "by", "each", "and", "columns", "missing", "share", "pctword"),
        *("super.max", "agg.sum", "agg.mean", "corr", "cmp.gt", "number.1", "dup.more"),
    }
)
"""Concepts whose words may stand for each other."""
_BEGINNING: Final = 2
"""Letters that all forms of a word begin with."""
_SCOPE: Final = frozenset({Kind.CLAUSE, Kind.CELLS, Kind.PERIOD})
_LOST: Final = HEAVY | {Skip.DOING}
_ASKING: Final = ("count", "howmuch", "rel.", "edge.", "super.", "top.")
"""Concepts that ask for a figure, or for one row of all: an utterance that lacks them is no wording of such a question."""


@record
class Match:
    """A shortcut as a question says it."""

    shortcut: Shortcut
    fillings: Mapping[str, Filling]
    clauses: tuple[Clause, ...] = ()
    periods: tuple[Period, ...] = ()


class Matcher:
    """Finds shortcuts in one question."""

    def __init__(self, lattice: Lattice, weights: Mapping[str, float]) -> None:
        self._lattice = lattice
        self._weights = weights
        self._besides: dict[frozenset[int], Way | None] = {}

    def said(self, shortcut: Shortcut) -> list[Match]:
        """Return the ways in which a question says an utterance in one of its languages, in any order of its words.

        What it says beside must be conditions.
        """
        utterances = [
            utterance
            for language in self._lattice.sentence.languages
            for utterance in shortcut.utterances.get(language, ())
        ]
        found = [
            (len(places), _match(shortcut, filled, way))
            for utterance in utterances
            if (used := _said(utterance, self._lattice)) is not None
            for filled, places in _filled(utterance.slots, self._lattice, self._weights, used)
            if (way := self._beside(places)) is not None
        ]
        # `unit price` as one column explains more than `price` beside a `unit`.
        most = max((length for length, _ in found), default=0)
        return [match for length, match in found if length == most]

    def _beside(self, places: frozenset[int]) -> Way | None:
        """Return the conditions that the words at other places say; None where they say more, or what nobody knows."""
        if places not in self._besides:
            ways = ways_of(self._lattice, self._weights, idle=places)
            self._besides[places] = next((way for way in ways if self._is_scope(way, places)), None)
        return self._besides[places]

    def _is_scope(self, way: Way, places: frozenset[int]) -> bool:
        missed = any(
            self._lattice.skips[place] in _LOST or self._lattice.has(place, *_ASKING)
            for place in way.skipped
            if place not in places
        )
        return not missed and all(effect.kind in _SCOPE or _is_frame(effect) for effect in way.effects)


def _match(shortcut: Shortcut, fillings: Mapping[str, Filling], way: Way) -> Match:
    effects = [effect for effect in way.effects if not _is_frame(effect)]
    return Match(
        shortcut=shortcut,
        fillings=fillings,
        clauses=tuple(clause for effect in effects for clause in effect.clauses),
        periods=tuple(period for effect in effects for period in effect.periods),
    )


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[Word, ...]:
    return tokenize(SLOT.sub(" ", text))


def _said(utterance: Utterance, lattice: Lattice) -> frozenset[int] | None:
    """Return the places of the words of an utterance; None where one is not said."""
    used: set[int] = set()
    told, whole = False, True
    for word in _words(utterance.text):
        place = next(
            (
                place
                for place, said in enumerate(lattice.sentence.words)
                if place not in used and _same(said.norm, word.norm, lattice)
            ),
            None,
        )
        small = _is_small(word.norm, lattice)
        if place is not None:
            used.add(place)
        elif not small:
            return None
        else:
            whole = False
        told = told or not (small or _meanings(word.norm, lattice) & _JOINING)
    # An utterance of nothing but small words, and such as join them, says something only as a whole.
    return frozenset(used) if told or whole else None


def _same(one: str, other: str, lattice: Lattice) -> bool:
    """Tell whether two words are one, or forms of one, or mean the same by the lexicon."""
    if one == other:
        return True
    meant, others = _meanings(one, lattice), _meanings(other, lattice)
    begins = one[:_BEGINNING] == other[:_BEGINNING]
    # `часть` (a part) and `часто` (often) mean different things.
    apart = bool(meant and others) and meant.isdisjoint(others)
    if begins and not apart and any(lexicon.alike(one, other) for lexicon in lattice.lexicons):
        return True
    return not meant.isdisjoint(others & _SYNONYMS)


def _meanings(word: str, lattice: Lattice) -> frozenset[str]:
    return frozenset().union(*(_concepts(lexicon, word) for lexicon in lattice.lexicons))


@lru_cache(maxsize=8192)
def _concepts(lexicon: Lexicon, word: str) -> frozenset[str]:
    return lexicon.find((word,))


def _is_small(word: str, lattice: Lattice) -> bool:
    """Tell whether a word of an utterance need not be said: it puts the question without changing what is asked."""
    concepts = _meanings(word, lattice)
    return bool(concepts) and all(concept.startswith("stop.") or concept in _FRAME for concept in concepts)


def _filled(
    slots: Sequence[str],
    lattice: Lattice,
    weights: Mapping[str, float],
    used: frozenset[int],
    after: Mapping[str, int] | None = None,
) -> Iterator[tuple[dict[str, Filling], frozenset[int]]]:
    """Yield what the slots can be filled with, and the places that are taken then; two of a kind in their order."""
    if not slots:
        yield {}, used
        return
    slot, *others = slots
    kind, begun = kind_of(slot), after or {}
    for place in range(begun.get(kind, 0), len(lattice.starts)):
        if place in used:
            continue
        for end, filling in fillings(slot, place, lattice, weights):
            taken = frozenset(range(place, end))
            if taken & used:
                continue
            for more, places in _filled(others, lattice, weights, used | taken, {**begun, kind: end}):
                yield {slot: filling, **more}, places


def _is_frame(effect: Effect) -> bool:
    return (
        effect.kind in {Kind.ROWS, Kind.LIST, Kind.ASK}
        or is_silent(effect)
        or (effect.kind is Kind.MARK and effect.name in _FRAME)
    )
