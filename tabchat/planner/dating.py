"""Which date a question is about: the one that it names, the one of what happened, or that on which rows begin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.filters import missing
from tabchat.planner.nodes import Node, match_at, replaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.scene import Scene


def date_periods(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Give periods the date columns that are named beside them, and say which events rows must have had."""
    return _undergone(_happened(_dated(nodes, scene), scene), scene)


def _dated(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Give a period the date column that is named beside it."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("col=col in|pred|cmp.eq? p=<period>", row, position)
        column = match["col"].column if match is not None else None
        ready = column is not None and (column.kind.is_temporal or scene.evidence.holds_years(column))
        before = row[position - 1] if position else None
        measured = before is not None and before.has(
            "agg.", "super.", "by", "each", "and", "comma", "rel.last"
        )
        if match is not None and ready and not measured and match["p"].period is not None:
            row = replaced(row, match, Node(period=replace(match["p"].period, column=column)))
        position += 1
    return row


def _happened(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Give a period the only column that tells when the event beside it was: `built after 2000`."""
    row = list(nodes)
    for place, node in enumerate(row):
        if node.period is None or node.period.column is not None:
            continue
        match = match_at("event=event. in|pred|from|comma*", row, place - 1) or (
            match_at("event=event. in|pred|from", row, place - 2) if place > 1 else None
        )
        if match is None or place == 0 or match.end != place:
            continue
        sense = match["event"].sense
        columns = {
            column.index: column
            for name in (sense.starting("event.") if sense is not None else ())
            for column in scene.evidence.times(name)
        }
        if len(columns) == 1:
            row[place] = replace(node, period=replace(node.period, column=next(iter(columns.values()))))
    return tuple(row)


def _undergone(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Read `tickets that were closed` as those that have a date of it, and `not closed` as the others."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("pred? not=not|no|without? pred? event=event.", row, position)
        columns = _times(match["event"], scene) if match is not None else ()
        position += 1
        if match is None or len(columns) != 1 or not _has_gaps(columns[0], scene):
            continue
        if any(node.period and node.period.column == columns[0] for node in row):
            continue
        denied = match.get("not") is not None
        condition = Node(condition=missing(columns[0], present=not denied))
        made = (condition,) if denied else (*row[match.start : match.end], condition)
        row = replaced(row, match, *made)
        position = match.start + len(made)
    return row


def _has_gaps(column: ColumnFacts, scene: Scene) -> bool:
    return scene.table.spread(column).filled < scene.table.row_count


def _times(node: Node, scene: Scene) -> tuple[ColumnFacts, ...]:
    """Return the columns that tell when the events of a word were."""
    names = node.sense.starting("event.") if node.sense is not None and node.has("event.") else ()
    found = {column.index: column for name in names for column in scene.evidence.times(name)}
    return tuple(found.values())


def date_groups(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    """Give calendar groups the date column that is named before them: `closed per month`."""
    row = list(nodes)
    for place in range(len(row) - 1, 0, -1):
        column, keys = row[place - 1].column, row[place].keys
        if column is None or not column.kind.is_temporal or not keys or row[place].mark == "by":
            continue
        before = row[place - 2] if place > 1 else None
        if any(key.column is not None for key in keys) or (
            before is not None and before.has("agg.", "super.")
        ):
            continue
        row[place - 1 : place + 1] = [
            replace(row[place], keys=tuple(replace(key, column=column) for key in keys)),
            *([Node(condition=missing(column, present=True))] if _has_gaps(column, scene) else []),
        ]
    return tuple(row)


def named_dates(nodes: Sequence[Node], scene: Scene) -> tuple[ColumnFacts, ...]:
    """Return the date columns of the events that a question mentions."""
    found = {column.index: column for node in nodes for column in _times(node, scene)}
    return tuple(column for column in found.values() if column.kind.is_temporal)
