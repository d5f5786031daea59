"""A question that goes on from the one before: its words as changes of the intent of the last answer.

A question that is whole in itself means what it means alone. A fragment, and a question that opens like a follow-up, is
read as changes, and every word of it must be accounted for. Where a change can be made in two ways, both are returned.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.messages import ToolCall, ToolMessage, UserMessage
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.search import HEAVY, ways_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.chat.turn.messages import Message
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.effect import Effect
    from tabchat.planner.readings.search import Way
    from tabchat.values import JsonValue

_AT_THE_START: Final = frozenset({"start", "more"})
_SCOPE: Final = frozenset({Kind.PERIOD, Kind.CLAUSE, Kind.CELLS, Kind.KEY, Kind.BOUND})
_ASKING: Final = frozenset({Kind.ASK, Kind.LIST, Kind.COUNT, Kind.MARK, Kind.DISTINCT})
_SUBJECTS: Final = frozenset(
    {Kind.COLUMN, Kind.ROWS, Kind.KEY, Kind.SUPER, Kind.CELLS, Kind.CLAUSE, Kind.PERIOD}
)
_BARE_RANKS: Final = ("top.", "edge.", "rel.")
"""How names of ranks begin that say nothing of what is ranked."""
_ENDS: Final = ("edge.", "rel.")
_EARLIER: Final = ("before", "neighbour.previous")
_RANKED: Final = frozenset({Kind.ROWS, Kind.COLUMN, Kind.KEY, Kind.MEASURE})
_BARE: Final = frozenset({Kind.COUNT, Kind.SUPER})
_NAMING: Final = frozenset(
    {Kind.ROWS, Kind.COLUMN, Kind.KEY, Kind.MEASURE, Kind.FUNCTION, Kind.MARK, Kind.DISTINCT}
)
_REFERRING: Final = frozenset({"those", "instead"})
"""Marks that mean nothing without a question before."""
_POINTING: Final = _REFERRING | {"items"}
"""Those that point back where there is one: `which ones are paid`."""
_BARE_LIST: Final = 2
"""Words of `which cities`, which asks of what was asked before; `which cities are there` asks of the table."""


@record
class FollowUp:
    """How a question goes on from the one before."""

    marks: frozenset[str]
    """What it says of itself: start, more, only, instead, too, rows, items, share, those, reverse, unfiltered."""
    whole: bool
    """Whether it can be asked alone."""
    scoped: bool
    """Whether it names a subject and conditions of its own, so that those before may or may not hold."""
    narrowed: bool = False
    """Whether the question before was of some rows only, or of groups."""
    bare: bool = False
    """Whether what it counts or ranks is not named, `how many paid`, so that it may be of those rows or groups only."""
    changes: tuple[tuple[float, Intent], ...] = ()
    """(score, changed intent), the likeliest first; none where words are left over."""

    @property
    def opens(self) -> bool:
        """Tell whether it begins like one that goes on: `and`, `what about`."""
        return bool(self.marks & _AT_THE_START)


def follow_up_of(lattice: Lattice, previous: Intent | None, weights: Mapping[str, float]) -> FollowUp:
    """Return how a question goes on from the `previous` intent, or would if there was one."""
    marks, places = _opening(lattice)
    if previous is None and not marks:
        # Most questions begin a conversation, and need not be gone through twice.
        return FollowUp(marks=marks, whole=True, scoped=False)
    from tabchat.planner.intent_changes import is_silent

    if previous is None and not marks & (_REFERRING | _AT_THE_START):
        # There is nothing to go on from, so its words say what they say alone: `show rows without a capacity`.
        marks, places = frozenset(), frozenset()
    ways = ways_of(lattice, weights, idle=places)
    effects = [effect for effect in ways[0].effects if not is_silent(effect)] if ways else []
    kinds = frozenset(effect.kind for effect in effects)
    subject = kinds & {Kind.MEASURE, Kind.COLUMN, Kind.FUNCTION, Kind.SUPER}
    whole = _is_whole(kinds, marks) or (
        not marks and (_is_ranking(effects) or _is_list(lattice, effects) or _is_survey(effects))
    )
    return FollowUp(
        marks=marks,
        whole=whole
        and not marks & (_REFERRING if previous is None else _POINTING)
        and not _names_an_order(lattice, effects, previous),
        scoped=bool(subject and kinds & _SCOPE),
        narrowed=_is_narrowed(previous),
        bare=_is_narrowed(previous) and not marks & _AT_THE_START and _is_bare(effects),
        changes=() if previous is None else _changes(lattice, previous, marks, places, ways),
    )


def _is_narrowed(intent: Intent | None) -> bool:
    """Tell whether an intent is of some rows only, or of groups."""
    if intent is None:
        return False
    said = (intent.clauses, intent.periods, intent.having, intent.keys, intent.limit)
    return any(said) or any(measure.part for measure in intent.measures)


def _is_bare(effects: Sequence[Effect]) -> bool:
    """Tell whether something is counted or ranked that no word names."""
    named = any(
        effect.kind in _NAMING
        or (effect.kind is Kind.SUPER and (effect.column >= 0 or effect.measure is not None))
        for effect in effects
    )
    return not named and any(effect.kind in _BARE for effect in effects)


def _is_whole(kinds: frozenset[Kind], marks: frozenset[str]) -> bool:
    if Kind.MEASURE in kinds or (kinds & _ASKING and kinds & _SUBJECTS):
        return True
    alone = Kind.ROWS in kinds or (Kind.COLUMN in kinds and len(kinds) > 1 and Kind.DENIAL not in kinds)
    return alone and not marks


def _is_ranking(effects: Sequence[Effect]) -> bool:
    """Tell whether it is said what is ranked, and by what: neither `top 3` nor `the longest one` says both."""
    ranks = [effect for effect in effects if effect.kind is Kind.SUPER]
    kinds = frozenset(effect.kind for effect in effects)
    ends = any(effect.name.startswith(_ENDS) for effect in ranks)
    for rank in ranks:
        if rank.name.startswith(_BARE_RANKS):
            if Kind.ORDER in kinds:
                return True
        elif (rank.column >= 0 and not rank.name.startswith("scale.")) or (kinds & _RANKED and not ends):
            return True
    return False


def _is_list(lattice: Lattice, effects: Sequence[Effect]) -> bool:
    """Tell whether it is asked which cells a column has: `which cities are there`."""
    return len(lattice.sentence.words) > _BARE_LIST and any(
        effect.kind is Kind.COLUMN and effect.name == "which" for effect in effects
    )


def _is_survey(effects: Sequence[Effect]) -> bool:
    """Tell whether it is asked of all columns: `missing values per column`, `what columns are there`."""
    marks = {effect.name for effect in effects if effect.kind is Kind.MARK}
    return "columns" in marks and not marks.isdisjoint({"missing", "exist"})


def _names_an_order(lattice: Lattice, effects: Sequence[Effect], previous: Intent | None) -> bool:
    """Tell whether a measure may be what groups are ordered by: `by the sum of prices`."""
    kinds = [effect.kind for effect in effects]
    return previous is not None and bool(previous.keys) and kinds == [Kind.MEASURE] and lattice.has(0, "by")


def _changes(
    lattice: Lattice, previous: Intent, marks: frozenset[str], idle: frozenset[int], ways: list[Way]
) -> tuple[tuple[float, Intent], ...]:
    from tabchat.planner.intent_changes import Change

    change = Change(lattice.vocabulary, marks)
    found: dict[Intent, float] = {}
    for way in ways:
        if any(lattice.skips[place] in HEAVY and place not in idle for place in way.skipped):
            continue
        if any(effect.kind is Kind.FUNCTION and _is_end(lattice, effect) for effect in way.effects):
            # Only the last of the months is not the greatest figure of each.
            continue
        for changed in change.applied(previous, [_told(lattice, effect) for effect in way.effects]):
            if changed != previous:
                found.setdefault(changed, way.score)
    return tuple((score, intent) for intent, score in found.items())


def _is_end(lattice: Lattice, effect: Effect) -> bool:
    concepts = lattice.at(effect.start, LinkKind.CONCEPT)
    return any(concept.name.startswith(_ENDS) and concept.end == effect.end for concept in concepts)


def _told(lattice: Lattice, effect: Effect) -> Effect:
    """Return a period by the name of one that is told from the period of the question before: `the month before`."""
    from tabchat.planner.intent_periods import EARLIER

    places = range(effect.start, effect.end) if effect.kind is Kind.PERIOD else ()
    return replace(effect, name=EARLIER) if any(lattice.has(place, *_EARLIER) for place in places) else effect


def _is_told(lattice: Lattice, place: int) -> bool:
    """Tell whether the words from a place on say who is meant: `those who work from home` points nowhere back."""
    behind = place + int(lattice.has(place, "comma"))
    return lattice.has(behind, "who", "which")


def _opening(lattice: Lattice) -> tuple[frozenset[str], frozenset[int]]:
    """Return the phrases by which a question says that it goes on, the longest at each place, and their places."""
    words = [word.norm for word in lattice.sentence.words]
    skips = lattice.skips
    first = next((place for place, skip in enumerate(skips) if skip is not Skip.JOIN), 0)
    marks: set[str] = set()
    places: set[int] = set()
    for start in range(len(words)):
        if start in places:
            continue
        best = max(
            (
                (len(phrase), name)
                for lexicon in lattice.lexicons
                for name, phrases in lexicon.follow_ups.items()
                for phrase in phrases
                if tuple(words[start : start + len(phrase)]) == phrase
                and (start <= min(first, 1) or name not in _AT_THE_START)
                and not (name in _REFERRING and _is_told(lattice, start + len(phrase)))
            ),
            default=None,
        )
        if best is not None:
            marks.add(best[1])
            places |= set(range(start, start + best[0]))
    return frozenset(marks), frozenset(places)


def canonical(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """Return a call as one text, by which it is found again."""
    return json.dumps([tool, dict(arguments)], sort_keys=True, default=str)


def last_calls(earlier: Sequence[Message]) -> list[ToolCall]:
    """Return the calls behind the last answer of a conversation that gave a result."""
    calls: list[ToolCall] = []
    for message in reversed(earlier):
        if isinstance(message, UserMessage):
            break
        if isinstance(message, ToolMessage) and message.envelope.ok:
            calls.append(message.call)
    return calls
