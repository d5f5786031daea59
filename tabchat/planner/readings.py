"""All readings of a linked question: equal ones merge, different ones make it ambiguous."""

from __future__ import annotations

import heapq
import itertools
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.doubts import doubt_of
from tabchat.planner.grammar import take_apart
from tabchat.planner.headers import COLUMN_WINDOW
from tabchat.planner.nodes import Node
from tabchat.planner.plans import Draft, Unreadable
from tabchat.planner.senses import SenseKind
from tabchat.planner.shapes import (
    aggregates,
    changes,
    comparisons,
    distributions,
    lists,
    movements,
    moving,
    outliers,
    ranks,
    repeats,
    shares,
    summaries,
    tables,
)
from tabchat.planner.shapes.base import Question
from tabchat.planner.skeleton import skeletons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.grammar import Clauses
    from tabchat.planner.linker import Linked
    from tabchat.planner.scene import Scene
    from tabchat.planner.senses import Item, Sense

_SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    *outliers.SHAPES,
    *distributions.SHAPES,
    *moving.SHAPES,
    *summaries.SHAPES,
    *tables.SHAPES,
    *repeats.SHAPES,
    *shares.SHAPES,
    *comparisons.SHAPES,
    *changes.SHAPES,
    *movements.SHAPES,
    *lists.SINGLE,
    *aggregates.SHAPES,
    *ranks.SHAPES,
    *lists.SHAPES,
)

RIVAL_WINDOW: Final = 0.35
"""Readings whose words fit this much worse than the best one's are not rivals of it."""
_MOST_READINGS: Final = 96


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Readings:
    """What a question can mean."""

    drafts: tuple[Draft, ...]
    reasons: tuple[str, ...] = ()
    """Why readings that were almost there are none."""


def read(linked: Linked, scene: Scene, nonadditive: frozenset[str]) -> Readings:
    """Return the readings that account for every word, the cheapest only."""

    def build(clauses: Clauses, reasons: list[str]) -> Sequence[Draft]:
        draft = shaped(clauses, scene, nonadditive, reasons)
        return () if draft is None else (draft,)

    return explored(linked, scene, build)


def explored(
    linked: Linked, scene: Scene, build: Callable[[Clauses, list[str]], Sequence[Draft]]
) -> Readings:
    """Take the question apart in every way that its words allow; `build` gives drafts, or adds to the reasons."""
    found: dict[str, Draft] = {}
    reasons: list[str] = []
    limit: float | None = None
    doubted: float | None = None
    for cost, senses in itertools.islice(_choices(linked.items), _MOST_READINGS):
        if limit is not None and cost > limit:
            break
        known = len(reasons)
        clauses = _clauses(linked.items, senses, scene)
        drafts = build(clauses, reasons) if clauses is not None else ()
        if len(reasons) > known and limit is None:
            # A likelier reading that only lacks a detail is not to be passed over for a less likely one.
            limit, doubted = cost + RIVAL_WINDOW, cost
        if doubted is not None and cost > doubted:
            continue
        for draft in drafts:
            found.setdefault(identity(draft), draft)
            limit = cost + RIVAL_WINDOW if limit is None else limit
    return Readings(drafts=tuple(found.values()), reasons=tuple(dict.fromkeys(reasons)))


def identity(draft: Draft) -> str:
    """Return a text that is the same for the same call of the same tool."""
    return json.dumps([draft.tool, draft.arguments], sort_keys=True, ensure_ascii=False)


def _clauses(items: Sequence[Item], senses: Sequence[Sense], scene: Scene) -> Clauses | None:
    nodes = [
        Node(sense=sense, text=item.text, place=place)
        for place, (item, sense) in enumerate(zip(items, senses, strict=True))
    ]
    if any(
        node.has("refuse.") and all(name.startswith("refuse.") for name in node.sense.concepts)
        for node in nodes
        if node.sense
    ):
        return None
    return take_apart(nodes, scene)


def shaped(clauses: Clauses, scene: Scene, nonadditive: frozenset[str], reasons: list[str]) -> Draft | None:
    """Return what the first kind of question that fits the clauses makes of them."""
    scene = replace(scene, dates=clauses.dates) if clauses.dates else scene
    for codes, core in skeletons(clauses.core, scene):
        for pattern, build in _SHAPES:
            # A pattern that lacks a code of the core cannot match; most are never compiled.
            if not set(codes) <= set(pattern) or re.fullmatch(pattern, codes) is None:
                continue
            question = Question(
                clauses=replace(clauses, core=core), codes=codes, scene=scene, nonadditive=nonadditive
            )
            try:
                draft = build(question)
            except Unreadable as reason:
                reasons.append(str(reason))
                return None
            if draft is None:
                continue
            doubt = doubt_of(question, draft)
            if doubt is None:
                return draft
            reasons.append(doubt)
            return None
    return None


def _choices(items: Sequence[Item]) -> Iterator[tuple[float, tuple[Sense, ...]]]:
    """Yield one sense for each item, the cheapest choices first."""
    options = [_rivals(item.senses) for item in items]
    start = tuple(0 for _ in options)
    queue = [(_cost(options, start), start)]
    seen = {start}
    while queue:
        cost, chosen = heapq.heappop(queue)
        yield cost, tuple(option[index] for option, index in zip(options, chosen, strict=True))
        for place, index in enumerate(chosen):
            if index + 1 < len(options[place]):
                after = (*chosen[:place], index + 1, *chosen[place + 1 :])
                if after not in seen:
                    seen.add(after)
                    heapq.heappush(queue, (_cost(options, after), after))


def _cost(options: Sequence[Sequence[Sense]], chosen: Sequence[int]) -> float:
    return sum(option[index].cost for option, index in zip(options, chosen, strict=True))


def _rivals(senses: Sequence[Sense]) -> tuple[Sense, ...]:
    columns = [sense.cost for sense in senses if sense.kind is SenseKind.COLUMN]
    best = min(columns, default=0.0)
    kept = [
        sense for sense in senses if sense.kind is not SenseKind.COLUMN or sense.cost <= best + COLUMN_WINDOW
    ]
    return tuple(sorted(kept, key=lambda sense: sense.cost))
