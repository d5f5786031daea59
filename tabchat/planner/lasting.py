"""Lengths of time by adjectives and verbs: `slowest to resolve`, `took longer than 8 hours`, `more than a week`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.filters import compare
from tabchat.planner.nodes import Node, match_at, replaced
from tabchat.planner.senses import Sense, SenseKind
from tabchat.planner.spans import has_span, in_unit

if TYPE_CHECKING:
    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene

_LONG: Final = "duration"
_MOST: Final = ("scale.most.max.duration", "scale.most.min.duration")
_COMPARED: Final = (
    "pred|in? verb.duration? adj=scale.more. than num=num to|in|from* col=numcol?",
    "pred|in? verb=verb.duration cmp=cmp. num=num to|in|from* col=numcol?",
    "pred|in? cmp=cmp. num=num to col=numcol",
)
_COUNTED: Final = "pred|in? verb.duration? adj=scale.more. than num=num col=numcol"
"""As in `longer than 5 nights`, where the unit is the column."""
_SIGNS: Final = {"cmp.gt": ">", "cmp.ge": ">=", "cmp.lt": "<", "cmp.le": "<="}


def read_lasting(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Exchange comparisons of lengths of time for conditions."""
    if not scene.spans:
        return nodes
    row, position = nodes, 0
    while position < len(row):
        for pattern in (_COUNTED, *_COMPARED):
            match = match_at(pattern, row, position)
            made = _compared(match, row, scene) if match is not None else None
            if match is not None and made is not None:
                row = replaced(row, match, made)
                break
        position += 1
    return row


def _compared(match: Match, row: tuple[Node, ...], scene: Scene) -> Node | None:
    said = match.get("col")
    if said is None and any(node.column and node.column.kind.is_numeric for node in row):
        # `in stage longer than 5 weeks` names its column before.
        return None
    column = said.column if said is not None else _only(scene)
    number = match["num"]
    if column is None or column.index not in scene.spans:
        return None
    if not has_span(number) and (said is None or len(column.base) > 1):
        return None
    sign = _sign(match)
    plain = number.sense.number if number.sense is not None else None
    value = in_unit(plain, number, scene.spans[column.index]) if plain is not None else None
    return Node(condition=compare(column, sign, value)) if sign is not None and value is not None else None


def _sign(match: Match) -> str | None:
    adjective, compared = match.get("adj"), match.get("cmp")
    if adjective is not None:
        if adjective.has(f"scale.more.max.{_LONG}"):
            return ">"
        return "<" if adjective.has(f"scale.more.min.{_LONG}") else None
    return next((sign for name, sign in _SIGNS.items() if compared is not None and compared.has(name)), None)


def read_longest(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `5 slowest tickets to resolve`: the column is named behind, or it is the only length of time."""
    if not scene.spans:
        return nodes
    places = [place for place, node in enumerate(nodes) if node.has(*_MOST)]
    if len(places) != 1 or _is_about_another(nodes[places[0]], scene):
        return nodes
    place = places[0]
    named = [at for at, node in enumerate(nodes) if node.column and node.column.index in scene.spans]
    column = nodes[named[0]].column if len(named) == 1 else _only(scene) if not named else None
    if column is None:
        return nodes
    # The last words that tie the column to the adjective go with it.
    gone = (
        {named[0], *([named[0] - 1] if named[0] and nodes[named[0] - 1].has("to", "in") else [])}
        if named
        else set()
    )
    highest = nodes[place].has(_MOST[0])
    made = (
        Node(sense=_concept("super.max" if highest else "super.min"), text=nodes[place].text, place=place),
        Node(
            sense=Sense(kind=SenseKind.COLUMN, column=column, concepts=frozenset({"scaled"})),
            text=nodes[place].text,
            place=place,
        ),
    )
    kept = [(at, node) for at, node in enumerate(nodes) if at not in gone]
    return tuple(new for at, node in kept for new in (made if at == place else (node,)))


def _concept(name: str) -> Sense:
    return Sense(kind=SenseKind.CONCEPT, concepts=frozenset({name}))


def _is_about_another(node: Node, scene: Scene) -> bool:
    """Tell whether the adjective fits a column of another meaning: `slowest` one of speed."""
    names = (
        {name.rpartition(".")[2] for name in node.sense.starting("scale.")}
        if node.sense is not None
        else set()
    )
    return any(scene.meanings.get(name) for name in names)


def _only(scene: Scene) -> ColumnFacts | None:
    found = [column for column in scene.table.columns if column.index in scene.spans]
    return found[0] if len(found) == 1 else None
