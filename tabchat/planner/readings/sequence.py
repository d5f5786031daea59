"""What a question says in which order, and what an intent makes of it: features that the fit learns from, whatever they are.

`the pass rate for PN-2002` and `the share of smartphones above 15000` say the same parts in another order, and mean another
part of another whole. Each part of the question is named by what it says and by what became of it in the intent (`cells:part`);
features are these names and the pairs of neighbours with what joins them, each under the construction that was built. No rule
looks at them: the weights of the choice do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Output, single_conditions
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.planner.intent import Clause, Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Effect

LEARNED: Final = ("pair.", "role.")
"""Beginnings of the names of these features."""
_NAMED: Final = frozenset({Kind.MARK, Kind.ASK})
"""Kinds whose effects say by their name what they are."""
_JOINING: Final = frozenset(
    {"in", "by", "per", "each", "and", "or", "comma", "from", "to", "than", "among", "also", "until"}
)
"""Concepts of words between two parts."""


class Sequence:
    """The features of one question; what joins its parts is looked up once for all intents."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._joints: dict[tuple[int, int], str] = {}

    def of(self, draft: Draft, built: Built) -> Iterator[tuple[str, float]]:
        """Yield the features of an intent that was built of a draft."""
        roles, name = _Roles(built.intent), built.name
        before, end = "begin", 0
        # What an intent leaves out costs by itself.
        for effect in sorted((draft.effects[place] for place in built.used), key=lambda one: one.start):
            part = roles.of(effect, draft)
            yield f"role.{name}.{part}", 1.0
            yield f"pair.{name}.{before}.{self._joint(end, effect.start)}.{part}", 1.0
            before, end = part, effect.end
        yield f"pair.{name}.{before}.end", 1.0

    def _joint(self, start: int, end: int) -> str:
        """Return what the words between two parts are called: by the last that joins, else by whether there are any."""
        if (start, end) not in self._joints:
            names = [
                link.name
                for place in range(start, end)
                for link in self._lattice.at(place, LinkKind.CONCEPT)
                if link.name in _JOINING and link.end <= end
            ]
            self._joints[start, end] = names[-1] if names else "near" if start == end else "far"
        return self._joints[start, end]


class _Roles:
    """What the columns and conditions of an intent are in it."""

    def __init__(self, intent: Intent) -> None:
        self._suffix = ":rows" if intent.output is Output.ROWS else ""
        roles: dict[str | None, str] = dict.fromkeys(intent.columns, "shown")
        roles |= {order.column: "order" for order in intent.orders if order.column is not None}
        roles |= {measure.column: "measure" for measure in intent.measures if measure.column is not None}
        roles |= {key.column: "key" for key in intent.keys if key.column is not None}
        self._columns: Mapping[str | None, str] = roles
        self._clauses: dict[Clause, str] = _played(intent.clauses, "scope")
        for measure in intent.measures:
            self._clauses |= _played(measure.part, "part")
        for side in intent.sides:
            self._clauses |= _played(side.clauses, "side")

    def of(self, effect: Effect, draft: Draft) -> str:
        """Return what an effect says and became."""
        kind = effect.kind.value
        if effect.kind in _NAMED:
            return f"{kind}:{effect.name}"
        if effect.clauses:
            return f"{kind}:{self._clauses.get(effect.clauses[0], 'other')}"
        if effect.measure is not None:
            kind = f"{kind}:{effect.measure.function}"
        if effect.column >= 0:
            kind = f"{kind}:{self._columns.get(draft.column(effect).name, 'other')}"
        return f"{kind}{self._suffix}"


def _played(clauses: tuple[Clause, ...], role: str) -> dict[Clause, str]:
    """Return clauses, and those of which one must hold, with the role that they have."""
    return dict.fromkeys((*clauses, *single_conditions(clauses)), role)
