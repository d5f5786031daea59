"""Filters that name a column once for several numbers or texts: `3 or 5 cylinders`, `below 50 or above 220`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.comparing import number_in, operator_of
from tabchat.planner.filters import compare
from tabchat.planner.nodes import Condition, Node, match_at, reduced, replaced
from tabchat.planner.periods import year_of
from tabchat.planner.senses import SenseKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.comparing import Builder
    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene

_QUOTES: Final = "'\"«»“”„‘’"
_TEXTS: Final = {
    "contains": ("contains", "icontains"),
    "starts": ("starts with", "starts_with"),
    "ends": ("ends with", "ends_with"),
}


def read_alternatives(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange lists of numbers, two-sided comparisons and conditions on texts for condition nodes."""
    row = _number_lists(tuple(nodes), scene)
    return reduced(row, _RULES, scene)


def _number_lists(nodes: tuple[Node, ...], scene: Scene) -> tuple[Node, ...]:
    row, position = nodes, 0
    while position < len(row):
        found = _list_before(row, position, scene) or _list_after(row, position, scene)
        row = found or row
        position += 1
    return row


def _list_before(row: tuple[Node, ...], position: int, scene: Scene) -> tuple[Node, ...] | None:
    """Read `with 3, 5 or 6 cylinders`."""
    start = match_at("pred|in or? first=num", row, position)
    numbers, end = _numbers(row, start.end - 1) if start is not None else ((), 0)
    column = match_at("col=numcol", row, end) if len(numbers) > 1 else None
    if column is None:
        return None
    return _listed(row, position, column.end, numbers, column["col"].column, scene)


def _list_after(row: tuple[Node, ...], position: int, scene: Scene) -> tuple[Node, ...] | None:
    """Read `cylinders equal to 3 or 5`."""
    start = match_at("col=numcol pred|in? cmp.eq|in? first=num", row, position)
    if start is None:
        return None
    numbers, end = _numbers(row, start.end - 1)
    if len(numbers) < 2 or match_at("col", row, end) is not None:  # noqa: PLR2004 - a list
        return None
    return _listed(row, position, end, numbers, start["col"].column, scene)


def _numbers(row: Sequence[Node], position: int) -> tuple[tuple[Node, ...], int]:
    """Return the numbers of a list that ends in `or`, and where it ends."""
    found, end, closed = [row[position]], position + 1, False
    while True:
        match = match_at("comma? or=or? n=num", row, end)
        if match is None or closed or match.end - end < 2:  # noqa: PLR2004 - a sign or a word, and the number
            return (tuple(found), end) if closed else ((), position)
        closed = match.get("or") is not None
        found.append(match["n"])
        end = match.end


def _listed(
    row: tuple[Node, ...],
    start: int,
    end: int,
    numbers: Sequence[Node],
    column: ColumnFacts | None,
    scene: Scene,
) -> tuple[Node, ...] | None:
    if column is None or scene.is_year(column) or any(year_of(node) for node in numbers):
        return None
    values = [number_in(node, column, scene) for node in numbers]
    if any(value is None for value in values):
        return None
    shown = [write.number(value) for value in values if value is not None]
    condition = Condition(
        expr=f"{write.name(column.name)} in [{', '.join(shown)}]",
        text=f"{column.name} in {', '.join(shown)}",
        column=column,
    )
    whole = match_at("any*", row[:end], start)
    return replaced(row, whole, Node(condition=condition)) if whole is not None else None


def _two_sided(match: Match, scene: Scene) -> Node | None:
    """Read `horsepower below 50 or above 220`."""
    column = match["col"].column
    first, second = operator_of(match["cmp"]), _other(match)
    if column is None or scene.is_year(column) or first is None or second is None:
        return None
    low, high = (number_in(match[name], column, scene) for name in ("num", "num2"))
    if low is None or high is None:
        return None
    one, two = compare(column, first, low), compare(column, second, high)
    tie = "or"
    if _covers_all(first, low, second, high):
        # `over 10 and under 25` is a range; every number is over 10 or under 25.
        if match.get("post") is None:
            return None
        tie = "and"
    return Node(
        condition=Condition(
            expr=f"({one.expr}) {tie} ({two.expr})", text=f"{one.text} {tie} {two.text}", column=column
        )
    )


def _covers_all(first: str, low: float, second: str, high: float) -> bool:
    """Tell whether every number meets one of two comparisons."""
    if first[0] == "<":
        first, low, second, high = second, high, first, low
    return first[0] == ">" and second[0] == "<" and low < high


def _textual(match: Match, _scene: Scene) -> Node | None:
    """Read `name does not contain “ford”`, `“diesel” in the name`."""
    column, wanted = match["col"].column, _typed(match["text"])
    if column is None or column.kind is not ColumnKind.TEXT or not wanted:
        return None
    how, negated = match.get("how"), match.get("not") is not None
    relation = how.sense.family("text.") if how is not None and how.sense else "contains"
    shown, function = _TEXTS[relation or "contains"]
    subject, pattern = write.name(column.name), write.text(wanted)
    if function != "icontains":
        subject, pattern = write.call("lower", subject), write.text(wanted.lower())
    expression = write.call(function, subject, pattern)
    return Node(
        condition=Condition(
            expr=f"not {expression}" if negated else expression,
            text=f"{column.name} {'not ' if negated else ''}{shown} {wanted}",
            column=column,
            negated=negated,
        )
    )


def _other(match: Match) -> str | None:
    """Return the operator of the second side; `or above` before a number is no end of the first."""
    post = match.get("post")
    if post is not None:
        return ">" if post.has("post.ge") else "<"
    return operator_of(match["other"])


def _typed(node: Node) -> str:
    """Return a text as it was typed: part of a text need not be a cell, however like one it looks."""
    sense = node.sense
    return (
        sense.value or ""
        if sense is not None and sense.kind is SenseKind.QUOTED
        else node.text.strip(_QUOTES)
    )


def _unequal(match: Match, scene: Scene) -> Node | None:
    """Read `without 8 cylinders`, `do not have 8 cylinders`."""
    column = match["col"].column
    value = number_in(match["num"], column, scene) if column is not None else None
    if column is None or scene.is_year(column) or year_of(match["num"]) or value is None:
        return None
    return Node(condition=compare(column, "!=", value))


_RULES: Final[tuple[tuple[str, Builder], ...]] = (
    ("col=numcol pred|in? cmp=cmp. num=num or pred? other=cmp. num2=num", _two_sided),
    ("col=numcol pred|in? cmp=cmp. num=num post=post.ge|post.le than? num2=num", _two_sided),
    ("col=textcol pred|which|in* not=not? pred|in? how=text. in? text=quoted|val|any", _textual),
    ("pred|in? not=not? how=text. text=quoted in col=textcol", _textual),
    ("in col=textcol pred|which|in* not=not|no exist? text=quoted", _textual),
    ("in col=textcol pred|which|in* exist|pred text=quoted", _textual),
    ("pred|in? text=quoted in col=textcol", _textual),
    ("not|without|no pred|in? num=num col=numcol", _unequal),
)
