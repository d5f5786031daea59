"""Whether a question says exactly what an utterance says: every word of each is accounted for by the other.

A word of the question is a word of the utterance, fills a slot, belongs to a filter or a period that the grammar
reads by itself, or changes nothing; a word of the utterance that carries meaning stands in the question.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.planner.grammar import take_apart
from tabchat.planner.nodes import Node
from tabchat.planner.readings import RIVAL_WINDOW
from tabchat.planner.senses import SenseKind
from tabchat.planner.shortcuts.slots import Filling, Surroundings, fillings, kind_of, names_rows
from tabchat.planner.shortcuts.words import Phrase, only_frames, phrases, same
from tabchat.planner.tokens import tokenize
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.grammar import Clauses
    from tabchat.planner.inflection import Inflection
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.scene import Scene
    from tabchat.planner.senses import Item, Sense
    from tabchat.planner.shortcuts.intents import Utterance
    from tabchat.planner.tokens import Token

_PERCENT: Final = frozenset({"share", "pctword"})
_MOST: Final = 64
"""Assignments of items to slots, and choices of senses, that are tried for one utterance."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Asked:
    """A question as it is compared with utterances."""

    tokens: tuple[Token, ...]
    """Typing errors corrected towards the words of the catalogue."""
    items: tuple[Item, ...]
    lexicons: Sequence[Lexicon]
    inflection: Inflection
    scene: Scene
    nonadditive: frozenset[str]


@record
class Wording:
    """One utterance, cut into phrases."""

    utterance: Utterance
    phrases: tuple[Phrase, ...]
    """What carries meaning; every phrase when none of them does."""
    literal: bool
    """True when function words alone make the utterance, so that it must be met word for word."""

    @property
    def percent(self) -> bool:
        """True when the utterance has a word for percent."""
        return any(phrase.concepts & _PERCENT for phrase in self.phrases)


@record
class Agreement:
    """One way in which a question says what an utterance says."""

    fillings: Mapping[str, Filling] = field(default_factory=dict)
    clauses: Clauses
    cost: float


def wording_of(utterance: Utterance, lexicons: Sequence[Lexicon]) -> Wording:
    """Cut an utterance into phrases."""
    found = [phrase for part in utterance.parts for phrase in phrases(tokenize(part), lexicons)]
    carrying = tuple(phrase for phrase in found if phrase.carries)
    return Wording(utterance=utterance, phrases=carrying or tuple(found), literal=not carrying)


def agreements(asked: Asked, wording: Wording) -> Iterator[Agreement]:
    """Yield every way in which the question says what the utterance says."""
    for chosen in itertools.islice(_assignments(asked, wording), _MOST):
        filled = frozenset(place for place, _, _ in chosen.values())
        row = _literally(asked, wording, filled) if wording.literal else _rest(asked, wording, filled)
        if row is None:
            continue
        cost = sum(price for _, price, _ in chosen.values())
        found = {slot: filling for slot, (_, _, filling) in chosen.items()}
        for extra, clauses in _filters(row, asked.scene):
            yield Agreement(fillings=found, clauses=clauses, cost=cost + extra)


def _literally(asked: Asked, wording: Wording, filled: frozenset[int]) -> list[Item | None] | None:
    """Return no items when the words outside the slots are just those of the utterance, else nothing.

    Without slots, the same function words in any wording will do (`what's in the file`, `what is in this table`).
    """
    outside = [item for place, item in enumerate(asked.items) if place not in filled]
    if any(_names_column(item) for item in outside):
        return None
    found = _phrases_outside(asked, filled)
    if wording.utterance.slots:
        typed = [word for phrase in found for word in phrase.words if word != ","]
        return [] if typed == [word for phrase in wording.phrases for word in phrase.words] else None
    said, meant = _said(found), _said(wording.phrases)
    return [] if said == meant and any(meant) else None


def _said(found: Sequence[Phrase]) -> list[list[str]]:
    return sorted(
        sorted(phrase.concepts or phrase.words) for phrase in found if phrase.is_said or phrase.carries
    )


def _assignments(asked: Asked, wording: Wording) -> Iterator[dict[str, tuple[int, float, Filling]]]:
    """Yield slot → (place of the item, cost, filling); slots of one kind in the order of the question."""
    around = Surroundings(scene=asked.scene, nonadditive=asked.nonadditive, percent=wording.percent)
    slots = wording.utterance.slots
    options = [
        [
            (place, cost, filling)
            for place, item in enumerate(asked.items)
            for cost, filling in _near(fillings(slot, item, around), item)
        ]
        for slot in slots
    ]
    for chosen in itertools.product(*options):
        places = [place for place, _, _ in chosen]
        if len(set(places)) == len(places) and _in_order(slots, places):
            yield dict(zip(slots, chosen, strict=True))


def _near(found: list[tuple[float, Filling]], item: Item) -> list[tuple[float, Filling]]:
    """Keep the fillings that are about as likely as anything else that the item can mean."""
    best = min(sense.cost for sense in item.senses)
    return [(cost, filling) for cost, filling in found if cost <= best + RIVAL_WINDOW + 0.1]


def _in_order(slots: Sequence[str], places: Sequence[int]) -> bool:
    last: dict[str, int] = {}
    for slot, place in zip(slots, places, strict=True):
        kind = kind_of(slot)
        if place < last.get(kind, -1):
            return False
        last[kind] = place
    return True


def _rest(asked: Asked, wording: Wording, filled: frozenset[int]) -> list[Item | None] | None:
    """Return the items that are neither words of the utterance nor in slots, None in the place of those that are.

    Nothing when a word of the utterance is missing, or an item is only in part a word of it.
    """
    found = _phrases_outside(asked, filled)
    missing = list(wording.phrases)
    met: set[int] = set()
    for phrase in found:
        alike = [other for other in wording.phrases if same(phrase, other, asked.inflection)]
        if alike and phrase.carries:
            met |= set(range(phrase.start, phrase.end))
            first = next((other for other in missing if other in alike), None)
            missing = [other for other in missing if other is not first]
    if missing:
        return None
    idle = {place for phrase in found if not phrase.carries for place in range(phrase.start, phrase.end)}
    row: list[Item | None] = []
    for place, item in enumerate(asked.items):
        span = set(range(item.start, item.end))
        if place in filled or (span & met and span <= met | idle):
            row.append(None)
        elif span & met:
            return None
        else:
            row.append(item)
        if place not in filled and span & met and _names_column(item):
            return None
    return row


def _phrases_outside(asked: Asked, filled: frozenset[int]) -> list[Phrase]:
    found: list[Phrase] = []
    run: list[Token] = []
    start = 0
    for place, item in enumerate(asked.items):
        if place in filled:
            found += phrases(run, asked.lexicons, start)
            run, start = [], item.end
        else:
            run += asked.tokens[item.start : item.end]
    return found + phrases(run, asked.lexicons, start)


def _names_column(item: Item) -> bool:
    """Tell whether an item is a column by its whole name, which a word of an utterance may not hide."""
    return any(sense.kind is SenseKind.COLUMN and sense.cost == 0 for sense in item.senses)


def _filters(row: Sequence[Item | None], scene: Scene) -> Iterator[tuple[float, Clauses]]:
    """Yield the readings of what is left as filters and periods, with their cost above the likeliest one."""
    options = [item.senses if item is not None else (None,) for item in row]
    best = sum(min((sense.cost for sense in senses if sense), default=0.0) for senses in options)
    for senses in itertools.islice(itertools.product(*options), _MOST):
        cost = sum(sense.cost for sense in senses if sense) - best
        if cost > RIVAL_WINDOW:
            continue
        clauses = take_apart(_nodes(row, senses), scene)
        if clauses is not None and _only_filters(clauses, scene):
            yield cost, clauses


def _nodes(row: Sequence[Item | None], senses: Sequence[Sense | None]) -> list[Node]:
    """Return nodes for what is left; an empty one keeps words apart that did not stand together."""
    return [
        Node(sense=sense, text=item.text if item is not None else "", place=place)
        for place, (item, sense) in enumerate(zip(row, senses, strict=True))
    ]


def _only_filters(clauses: Clauses, scene: Scene) -> bool:
    others = clauses.keys or clauses.by or clauses.bounds or clauses.order or clauses.per_row
    return not others and all(
        node.sense is not None and (only_frames(node.sense.concepts) or names_rows(node.sense, scene))
        for node in clauses.core
    )
