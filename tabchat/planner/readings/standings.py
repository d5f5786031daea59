"""Drafts → intents about the place of something in an order: the rank of Germany by revenue, where Ann stands by score."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Key, Operator, Order, Output, single_conditions
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.groups import group_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.draft import Built, Draft

RANK: Final = "rank"
"""The mark of a place in an order."""
_NAMING: Final = frozenset({Operator.EQ, Operator.IN})
_GUESSED: Final = frozenset({("count.default", 1.0), ("default.measure", 1.0)})
"""Features of figures that no word names: a place is by something."""


def sorts_what_is_placed(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the place of something would be answered by sorting it: `rank of North by revenue` by the rows of North."""
    asked = "rank" in lattice.names or ("rank.verb" in lattice.names and "where" in lattice.names)
    pinned = (one for one in single_conditions(intent.clauses) if one.operator is Operator.EQ)
    return asked and intent.output is not Output.STANDING and bool(intent.orders) and any(pinned)


def standing_intents(draft: Draft) -> Iterator[Built]:
    """Read whose place is asked for, each of the cells that are named in turn; by what, says a figure or an order."""
    if not draft.has(RANK) or draft.places(Kind.SUPER, Kind.KEY):
        return
    if any(RANK in column.groups for column in draft.vocabulary.columns):
        # The table says itself who came where.
        return
    used = {draft.marks[RANK], *draft.places(Kind.ORDER, Kind.DIRECTION), *draft.idle("sort", "table", "all")}
    found = [one for one in group_figures(draft, frozenset()) if _GUESSED.isdisjoint(one.features)]
    for figure in found:
        ascending = any(draft.effects[place].name == "asc" for place in draft.places(Kind.DIRECTION))
        for scope in draft.scopes(figure.focus, measure=figure.measures[0]):
            for clause in scope.clauses:
                if not isinstance(clause, Condition) or clause.operator not in _NAMING or clause.part:
                    continue
                if clause.column in draft.vocabulary.unique and figure is not found[0]:
                    # The sum of one row is its mean.
                    continue
                rest = tuple(other for other in scope.clauses if other is not clause)
                yield draft.built(
                    "standing",
                    replace(scope, clauses=rest),
                    figure,
                    used,
                    output=Output.STANDING,
                    measures=figure.measures[:1],
                    keys=(Key(column=clause.column),),
                    placed=(clause,),
                    orders=(Order(descending=not ascending),),
                )
