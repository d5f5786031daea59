"""Filters in a question that name a value: cells, yes and no, missing cells become `Condition` nodes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.comparing import operator_of
from tabchat.planner.filters import compare, either, equals, missing, neither
from tabchat.planner.nodes import OPEN_SCOPE, Bound, Condition, Measure, Node, match_at, reduced, replaced
from tabchat.planner.spans import has_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.comparing import Builder
    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene


def _counted_values(match: Match, _scene: Scene) -> Node | None:
    """Read `more than 50 failures`: a bound on the rows that have a value."""
    operator, sense, value = operator_of(match["cmp"]), match["num"].sense, match["val"].sense
    if operator is None or sense is None or sense.number is None or value is None or not value.inflected:
        return None
    if value.column is None or value.value is None or has_span(match["num"]):
        return None
    return Node(
        bound=Bound(measure=Measure(function="count"), operator=operator, number=sense.number),
        condition=equals(value.column, value.value, noun=True),
    )


_STAGE: Final = "stage"
"""The name under which lexicons list the headers of stages that rows pass through."""


def _value(match: Match, scene: Scene) -> Node | None:
    node = match["val"]
    sense = node.sense
    if sense is None or sense.column is None or sense.value is None:
        return None
    named = match.get("col")
    if named is not None and (named.column is None or named.column.index != sense.column.index):
        return None
    if sense.value.isdigit() and named is None:
        return None
    staged = sense.inflected and sense.column in scene.evidence.columns(_STAGE)
    if staged and _underwent(node.text, scene) and not _underwent(sense.value, scene):
        # Who was interviewed may have left the stage of interviews.
        return None
    negated = match.get("not") is not None
    made = equals(sense.column, sense.value, negated=negated, noun=sense.inflected)
    return Node(condition=replace(made, timed=sense.timed and named is None))


def _underwent(text: str, scene: Scene) -> bool:
    """Tell whether a word says what happened to a row."""
    return bool(scene.participles) and text.casefold().endswith(scene.participles)


def _undone(match: Match, scene: Scene) -> Node | None:
    """Read `not settled yet`, `not assigned` where a column holds the day of it, or whom it concerned."""
    column = match["col"].column
    said = match["col"].text.casefold().split()
    if column is None or column.words[:1] != tuple(said[:1]):
        return None
    if column.kind is ColumnKind.TEXT and (not scene.is_participle_at(column, 0) or len(column.words) == 1):
        return None
    return _missing(match, scene)


def _not_happened(match: Match, scene: Scene) -> Node | None:
    """Read `not paid yet` by the only date that tells when it was, where some rows have none."""
    sense = match["event"].sense
    times = (
        [column for name in sense.starting("event.") for column in scene.evidence.times(name)]
        if sense
        else []
    )
    if len({column.index for column in times}) != 1 or not _is_open(times[0], scene):
        return None
    return Node(condition=missing(times[0]))


def _is_open(column: ColumnFacts, scene: Scene) -> bool:
    """Tell whether a date is missing where its event has not happened: the table has another date, for all rows."""
    dates = [other for other in scene.table.columns if other.kind.is_temporal]
    filled = scene.table.spread(column).filled
    return len(dates) > 1 and column.kind.is_temporal and filled < scene.table.row_count


def _boolean(match: Match, _scene: Scene) -> Node | None:
    column = match["col"].column
    if column is None or column.kind is not ColumnKind.BOOLEAN:
        return None
    flag = match.get("flag")
    negated = (match.get("not") is not None) != (flag is not None and flag.has("false", "not"))
    shown = write.name(column.name)
    condition = Condition(
        expr=f"not {shown}" if negated else shown,
        text=f"not {column.name}" if negated else column.name,
        column=column,
        negated=negated,
    )
    return Node(condition=condition)


def _missing(match: Match, scene: Scene) -> Node | None:
    column = match["col"].column
    if column is None:
        return None
    if match.get("none") is not None and column.kind.is_numeric:
        low, _ = scene.table.extremes(column)
        if isinstance(low, int | float) and low <= 0:
            # `no discount` is a discount of zero; where some are not known it may be one of those as well.
            known = scene.table.spread(column).filled == scene.table.row_count
            return Node(condition=compare(column, "==", 0)) if low == 0 and known else None
    partly = match["col"].sense is not None and match["col"].sense.cost > 0
    full = scene.table.spread(column).filled == scene.table.row_count
    if match.get("none") is not None and partly and full:
        # `without payment` beside a status of payment: no cell is missing, so that is not what is asked.
        return None
    return Node(condition=missing(column))


def _present(match: Match, _scene: Scene) -> Node | None:
    column = match["col"].column
    return Node(condition=missing(column, present=True)) if column is not None else None


def _signed(match: Match, _scene: Scene) -> Node | None:
    """Read `negative change` as a comparison with zero."""
    column, sense = match["col"].column, match["polar"].sense
    if column is None or sense is None or match.get("flag") is not None:
        return None
    return Node(condition=compare(column, ">" if sense.has("polar.positive") else "<", 0))


_SECOND: Final[tuple[tuple[str, Builder], ...]] = (
    ("cmp=cmp. num=num val=val", _counted_values),
    ("pred|in polar=polar. col=numcol", _signed),
    ("pred|in? col=numcol pred|in polar=polar.", _signed),
    ("not=not|without|no in|pred? col=boolcol", _boolean),
    ("pred? not pred? col=datecol|textcol", _undone),
    ("pred? not pred? event=event.", _not_happened),
    ("col=boolcol cmp.eq|pred? flag=true|false", _boolean),
    ("col=col pred? present", _present),
    ("pred|in present col=col", _present),
    ("not=not|without in? col=col pred? val=val", _value),
    ("missing in? col=col", _missing),
    ("none=no|without col=col", _missing),
    ("pred? missing in? col=col", _missing),
    ("col=col pred? missing", _missing),
    ("not=not|without in? val=val col=col", _value),
    ("col=col pred|in|cmp.eq? not=not|cmp.ne? val=val", _value),
    ("not=not|without|cmp.ne in? val=val", _value),
    ("val=val col=col", _value),
    ("val=val", _value),
)


def read_values(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange values, missing cells and negated booleans for condition nodes."""
    return _joined(reduced(tuple(nodes), _SECOND, scene))


def read_booleans(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange what is left of boolean columns for conditions; groups have taken theirs before."""
    row = _counted_flags(reduced(tuple(nodes), (("pred? col=boolcol", _boolean),), scene))
    return reduced(row, (("not=not? pred? col=numcol", _flag),), scene)


def _counted_flags(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Take a yes/no column behind `most` or `percentage of` for the rows that have it: `most returns`."""
    row = list(nodes)
    for place, (before, node) in enumerate(itertools.pairwise(nodes), start=1):
        condition = node.condition
        if condition is None or condition.column is None or condition.column.kind is not ColumnKind.BOOLEAN:
            continue
        if before.has("super.max", "super.min", "share") and not condition.negated:
            row[place] = replace(node, condition=replace(condition, noun=True))
    return tuple(row)


def _flag(match: Match, scene: Scene) -> Node | None:
    """Read `survived` as a condition when the column holds nothing but 0 and 1 and is named by a participle."""
    column = match["col"].column
    if column is None or scene.is_identifier(column) or not scene.is_participle(column):
        return None
    if scene.table.extremes(column) != (0, 1) or column.kind is not ColumnKind.INTEGER:
        return None
    value = 0 if match.get("not") is not None else 1
    return Node(condition=compare(column, "==", value))


def _joined(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Join values of one column (`Germany, France or Poland`) into one condition."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at("a=<cond> link=and|or|comma|compare and|or? prep=in? b=<cond>", row, position)
        joined = _join(match) if match is not None else None
        if match is not None and joined is not None:
            row = replaced(row, match, joined)
        else:
            position += 1
    return row


def _join(match: Match) -> Node | None:
    first, second = match["a"].condition, match["b"].condition
    if first is None or second is None:
        return None
    link = match["link"]
    tie = "or" if link.has("or") else "versus" if link.has("compare") else "and"
    same = (
        first.column is not None and second.column is not None and first.column.index == second.column.index
    )
    if (
        same
        and first.value is not None
        and second.value is not None
        and not first.negated
        and not second.negated
    ):
        return Node(condition=either(first, second, tie))
    if same and first.negated and first.value is not None and second.value is not None and tie != "versus":
        return Node(condition=neither(first, second))
    if first.negated and not second.negated and not same and match.get("prep") is None:
        # `not online and returned`: what is refused may be the first, or both.
        return Node(condition=replace(second, expr=f"({first.expr}) {tie} ({second.expr})", link=OPEN_SCOPE))
    if tie == "or" and (not same or first.value is None or second.value is None):
        condition = Condition(
            expr=f"({first.expr}) or ({second.expr})",
            text=f"{first.text} or {second.text}",
            maps=first.maps + second.maps,
            link="" if same else "or",
        )
        return Node(condition=condition)
    return None
