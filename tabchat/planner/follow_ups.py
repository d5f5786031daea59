"""A question that goes on from the one before: its words as changes of the intent of the last answer.

A question that is whole in itself means what it means alone. A fragment, and a question that opens like a follow-up, is
read as changes, and every word of it must be accounted for. Where a change can be made in two ways, both are returned.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.messages import ToolCall, ToolMessage, UserMessage
from tabchat.planner.intent import Condition, Output
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
_OPENING: Final = _AT_THE_START | {"against"}
"""Marks that are none in the middle of a question."""
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
_ALL: Final = frozenset({"all", Kind.COLUMN})
_REFERRING: Final = frozenset({"those", "instead"})
"""Marks that mean nothing without a question before."""
_POINTING: Final = _REFERRING | {"items"}
"""Those that point back where there is one: `which ones are paid`."""
_WHICH: Final = frozenset({"which", "who"})
_ORDERING: Final = frozenset({Kind.DIRECTION, Kind.ORDER, Kind.COLUMN, Kind.MEASURE, Kind.KEY, Kind.MARK})
_BACK: Final = "back"
"""Marks that point back where there is a question before, and nothing of the table stands before them."""
_NAMED: Final = frozenset({LinkKind.COLUMN, LinkKind.CELL, LinkKind.ROWS})
_BARE_LIST: Final = 2
"""Words of `which cities`, which asks of what was asked before; `which cities are there` asks of the table."""


@record
class FollowUp:
    """How a question goes on from the one before."""

    marks: frozenset[str]
    """What it says of itself: start, more, against, only, instead, too, rows, items, share, those, rest, reverse, unfiltered, ungrouped."""
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
    marks, places = _opening(lattice, previous)
    if previous is None and not marks:
        # Most questions begin a conversation, and need not be gone through twice.
        return FollowUp(marks=marks, whole=True, scoped=False)
    from tabchat.planner.intent_changes import is_silent

    if previous is None and not marks & (_REFERRING | _AT_THE_START):
        # Its words say what they say alone: `show rows without a capacity`.
        marks, places = frozenset(), frozenset()
    ways = ways_of(lattice, weights, idle=places)
    effects = [effect for effect in ways[0].effects if not is_silent(effect)] if ways else []
    kinds = frozenset(effect.kind for effect in effects)
    subject = kinds & {Kind.MEASURE, Kind.COLUMN, Kind.FUNCTION, Kind.SUPER}
    narrowed = _is_narrowed(previous)
    # After how many there are in Rome, `show the orders`: those in Rome, or all.
    listing = narrowed and kinds == {Kind.LIST, Kind.ROWS} and not marks and "all" not in lattice.names
    told = "items" in marks and Kind.ROWS in kinds
    if listing or told:
        marks = marks - {"items"} | {"rows"}
    elif (
        "those" in marks and kinds <= _SCOPE | {Kind.ASK} and any(effect.name in _WHICH for effect in effects)
    ):
        # `Which of them are paid` asks for what was counted; after rows they are what is shown anyway.
        marks |= {"items"} if previous is None or previous.output is not Output.ROWS else set()
    whole = _is_whole(kinds, marks) or (
        not marks and (_is_ranking(effects) or _is_list(lattice, effects) or _is_survey(effects))
    )
    return FollowUp(
        marks=marks,
        whole=whole
        and not told
        and not marks & (_REFERRING if previous is None else _POINTING)
        and not (previous is not None and _is_part(lattice, effects, kinds, previous)),
        scoped=bool(subject and kinds & _SCOPE),
        narrowed=narrowed,
        bare=listing or (narrowed and not marks & _AT_THE_START and _is_bare(lattice, effects)),
        changes=() if previous is None else _changes(lattice, previous, marks, places, ways),
    )


def _is_part(lattice: Lattice, effects: Sequence[Effect], kinds: frozenset[Kind], previous: Intent) -> bool:
    """Tell whether what could be asked alone is a part of a question where there is one before: its condition, `for all cities`."""
    first = 0
    while lattice.has(first, "only", "and", "comma"):
        first += 1
    condition = lattice.has(first, "where") and bool(lattice.at(first + 1, LinkKind.COLUMN))
    lifted = {effect.name for effect in effects} | kinds >= _ALL and any(
        isinstance(clause, Condition) and clause.column == lattice.vocabulary.columns[effect.column].name
        for effect in effects
        if effect.kind is Kind.COLUMN
        for clause in previous.clauses
    )
    return (
        (condition and kinds <= _SCOPE | {Kind.ASK, Kind.COLUMN, Kind.MARK, Kind.DENIAL})
        or kinds == {Kind.LIST, Kind.KEY}
        or lifted
        or _names_an_order(lattice, kinds, previous)
    )


def _is_narrowed(intent: Intent | None) -> bool:
    """Tell whether an intent is of some rows only, or of groups."""
    if intent is None:
        return False
    said = (intent.clauses, intent.periods, intent.having, intent.keys, intent.limit)
    return any(said) or any(measure.part for measure in intent.measures)


def _is_bare(lattice: Lattice, effects: Sequence[Effect]) -> bool:
    """Tell whether something is asked for, counted or ranked that no word names: `which are paid`, `from how many`."""
    named = any(
        effect.kind in _NAMING
        or (effect.kind is Kind.SUPER and (effect.column >= 0 or effect.measure is not None))
        for effect in effects
    )
    kinds = {effect.kind for effect in effects}
    asked = any(effect.name in _WHICH for effect in effects[:1]) and kinds.isdisjoint(_NAMING)
    behind = lattice.has(0, "from", "in") and lattice.has(1, "count")
    return asked or behind or (not named and not kinds.isdisjoint(_BARE))


def _is_whole(kinds: frozenset[Kind], marks: frozenset[str]) -> bool:
    # `show only Tea` lists nothing new.
    asking = kinds & _ASKING - ({Kind.LIST} if "only" in marks and Kind.ROWS not in kinds else set())
    if Kind.MEASURE in kinds or (asking and kinds & _SUBJECTS):
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


def _names_an_order(lattice: Lattice, kinds: frozenset[Kind], previous: Intent) -> bool:
    """Tell whether it is said what groups, or rows, are to be ordered by: `by the sum of prices`, `order by fee`."""
    if lattice.has(0, "sort"):
        return previous.output in {Output.ROWS, Output.GROUPS} and kinds <= _ORDERING
    return bool(previous.keys) and kinds == {Kind.MEASURE} and lattice.has(0, "by")


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


def _points_back(lattice: Lattice, start: int, end: int) -> bool:
    """Tell whether nothing of a question itself can be what `their` or `is that` stands for."""
    named = any(link.kind in _NAMED for place in range(start) for link in lattice.starts[place])
    return end == len(lattice.sentence.words) or not named


def _opening(lattice: Lattice, previous: Intent | None) -> tuple[frozenset[str], frozenset[int]]:
    """Return the phrases by which a question says that it goes on, the longest at each place, and their places."""
    words = [word.norm for word in lattice.sentence.words]
    first = next((place for place, skip in enumerate(lattice.skips) if skip is not Skip.JOIN), 0)
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
                and (start <= min(first, 1) or name not in _OPENING)
                and (
                    name != _BACK
                    or (previous is not None and _points_back(lattice, start, start + len(phrase)))
                )
                and not (name in _REFERRING and _is_told(lattice, start + len(phrase)))
            ),
            default=None,
        )
        if best is not None:
            marks.add("those" if best[1] == _BACK else best[1])
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
