"""How far a refusal reaches: `not online and returned`, `except online orders in Germany`.

Where both readings are good English, the second filter is marked, and no plan is made.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.nodes import OPEN_SCOPE, Node

if TYPE_CHECKING:
    from collections.abc import Sequence


def mark_scopes(row: tuple[Node, ...], said: Sequence[Node]) -> tuple[Node, ...]:
    """Mark the filters of which it is open whether the refusal before them holds for them; `said` is the question."""
    found = list(row)
    filters = [place for place, node in enumerate(row) if node.condition is not None]
    for one, two in itertools.pairwise(filters):
        second = row[two]
        reaches = _is_joined(row, one, two, said) or _lies_within(row, one, two, said)
        if reaches and second.condition is not None:
            found[two] = replace(second, condition=replace(second.condition, link=OPEN_SCOPE))
    return tuple(found)


def _is_joined(row: Sequence[Node], one: int, two: int, said: Sequence[Node]) -> bool:
    """Tell whether `and` alone stands between a refused filter and another that was said as it is."""
    first, second = row[one].condition, row[two].condition
    if first is None or second is None or not first.negated or second.negated:
        return False
    own = any(node.place == row[two].place and node.has("pred", "in") for node in said)
    between = row[one + 1 : two]
    tied = any(node.has("and", "or") for node in between)
    return tied and all(node.has("and", "or", "entity.", "rows") for node in between) and not own


def _lies_within(row: Sequence[Node], one: int, two: int, said: Sequence[Node]) -> bool:
    """Tell whether a filter follows the noun of what is left out: `except online orders in Germany`."""
    start, end = row[one].place, row[two].place
    opened = any(node.place == start and node.has("without") for node in said)
    noun = any(start < node.place < end and node.has("entity.", "rows", "stop.relative") for node in said)
    return opened and noun and row[two - 1].has("in", "from")
