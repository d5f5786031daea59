"""Groups in a question: `by region and month`, `for each country`, `monthly`, and what things are ranked by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.catalog import is_row_label
from tabchat.planner.headers import UNIT_ONLY
from tabchat.planner.nodes import Key, Measure, Node, match_at, replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene

_MOST_NUMBER_GROUPS = 60
"""Different whole numbers up to which a number column can make groups (`by cylinders`)."""


def read_groups(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange `by …`, `each …` and `monthly` for group nodes, and ranked-by phrases for `by` nodes."""
    row = tuple(nodes)
    ranked = any(node.has("top.", "super.", "sort") for node in row)
    position = 0
    while position < len(row):
        found = _per_row(row, position, scene) or _ranked_by(row, position, scene, ranked=ranked)
        found = found or (None if ranked else _numbered(row, position, scene))
        found = found or _group(row, position, scene) or _unit_word(row, position) or _wise(row, position)
        if found is not None:
            row = found
        position += 1
    return row


def _per_row(row: tuple[Node, ...], position: int, scene: Scene) -> tuple[Node, ...] | None:
    match = (
        match_at("by entity.|rows", row, position)
        or match_at("record_of", row, position)
        or _by_label(row, position, scene)
    )
    if match is None or any(node.has("unit.") for node in row[match.start : match.end]):
        return None
    if any(node.has("top.", "super.", "sort") for node in row):
        return None
    return replaced(row, match, Node(mark="per_row"))


def _by_label(row: tuple[Node, ...], position: int, scene: Scene) -> Match | None:
    """Match `average paid per claim` where `claim` names the rows as well as the column of their numbers."""
    match = match_at("by col=col", row, position)
    column = match["col"].column if match is not None else None
    if match is None or column is None or not match["col"].names("entity.rows"):
        return None
    averaged = any(node.has("agg.mean") for node in row)
    return match if averaged and is_row_label(scene.table, column) else None


def _ranked_by(
    row: tuple[Node, ...], position: int, scene: Scene, *, ranked: bool
) -> tuple[Node, ...] | None:
    """Read what groups or rows are ranked by: `by average price`, `by number of orders`, `by revenue`."""
    if not ranked:
        return None
    for pattern, build in _RANKINGS:
        match = match_at(pattern, row, position)
        measure = build(match, row, scene) if match is not None else None
        if match is not None and measure is not None:
            return replaced(row, match, Node(mark="by", measures=(measure,)))
    return None


def _by_function(match: Match, _row: Sequence[Node], _scene: Scene) -> Measure | None:
    sense = match["agg"].sense
    function = sense.family("agg.") if sense is not None else None
    return Measure(function=function, column=match["col"].column) if function is not None else None


def _by_rows(match: Match, _row: Sequence[Node], scene: Scene) -> Measure | None:
    return None if scene.holds_sums_of(match["noun"]) else Measure(function="count")


def _by_count(match: Match, row: Sequence[Node], _scene: Scene) -> Measure | None:
    named = match_at("in? distinct? col", row, match.end)
    return Measure(function="count") if named is None else None


def _by_count_of(match: Match, row: Sequence[Node], scene: Scene) -> Measure | None:
    column, distinct = match["col"].column, any(node.has("distinct") for node in row[match.start : match.end])
    if column is None or distinct or not column.kind.is_numeric or scene.is_identifier(column):
        return Measure(function="count_distinct", column=column)
    return Measure(function="sum", column=column) if scene.counts(column) else None


_RANKINGS: Final[tuple[tuple[str, Callable[[Match, Sequence[Node], Scene], Measure | None]], ...]] = (
    ("by agg=agg. in? col=col", _by_function),
    ("by count in? entity.|rows", lambda _match, _row, _scene: Measure(function="count")),
    ("by noun=entity.|rows", _by_rows),
    ("by count", _by_count),
    ("by count in? distinct? col=col", _by_count_of),
    (
        "by col=numcol",
        lambda match, _row, _scene: Measure(function="sum", column=match["col"].column, bare=True),
    ),
)


def _group(row: tuple[Node, ...], position: int, scene: Scene) -> tuple[Node, ...] | None:
    start = match_at("by each?", row, position) or match_at("in? each", row, position)
    if start is None:
        return None
    if start.end == position + 1 and row[position].has("all"):
        # `зарплата всех сотрудников` is about all of them together; `по всем отделам` makes groups.
        return None
    before = row[position - 1] if position else None
    if before is not None and before.has("agg.") and row[position].has("in") and _is_number(row, start.end):
        return None
    if row[position].has("per") and _is_ratio(row, start.end, scene):
        return None
    keys: list[Key] = []
    end = start.end
    while end < len(row):
        key = _key(row[end], scene)
        if key is None:
            break
        keys.append(replace(key, rated=_is_rate(row[position], row[end])))
        end += 1
        more = match_at("and|comma* by? each?", row, end)
        if more is None or more.end == end or more.end >= len(row) or _key(row[more.end], scene) is None:
            break
        end = more.end
    if not keys or (
        row[position].has("at") and start.end == position + 1 and _is_place(row[start.end], scene)
    ):
        return None
    whole = match_at("any*", row[:end], position)
    return replaced(row, whole, Node(keys=tuple(keys))) if whole is not None else None


def _is_rate(opening: Node, noun: Node) -> bool:
    """Tell whether a group was said as a rate: `per customer`, `на клієнта`; `за місяць`, but not `за місяцями`."""
    during = opening.has("per.time") and noun.has("unit.") and not noun.text.casefold().endswith("ми")
    return opening.has("per") or during


def _is_ratio(row: tuple[Node, ...], position: int, scene: Scene) -> bool:
    """Tell whether `per` stands before a quantity, which divides (`revenue per unit`), rather than makes groups."""
    match = match_at("col=numcol", row, position)
    column = match["col"].column if match is not None else None
    if column is None or scene.is_year(column) or scene.is_identifier(column):
        return False
    return scene.counts(column) or column in scene.meanings.get("quantity", ())


def _is_place(node: Node, scene: Scene) -> bool:
    """Tell whether a noun behind `на` says where something is: `на складе`, unlike `на сотрудника`."""
    return node.column is not None and bool(scene.located) and node.text.casefold().endswith(scene.located)


def _numbered(row: tuple[Node, ...], position: int, scene: Scene) -> tuple[Node, ...] | None:
    """Read `by number of rooms`, where the number is what the column holds."""
    match = match_at("by each? count in? col=numcol", row, position)
    column = match["col"].column if match is not None else None
    if match is None or column is None or scene.is_identifier(column) or not few_numbers(column, scene):
        return None
    return replaced(row, match, Node(keys=(Key(column=column),)))


def _is_number(row: tuple[Node, ...], position: int) -> bool:
    return match_at("numcol", row, position) is not None


def _key(node: Node, scene: Scene) -> Key | None:
    column = node.column
    if column is None:
        unit = node.sense.family("unit.") if node.sense is not None and node.has("unit.") else None
        return Key(unit=unit) if unit else None
    if node.sense is not None and node.sense.cost >= UNIT_ONLY:
        # `cost per kg` divides; kilograms are no groups.
        return None
    if scene.is_year(column) or not column.kind.is_numeric:
        return Key(column=column, unit=unit_of_name(column))
    if _is_one(node, column):
        # `cost per pallet` is a ratio, and no group for each number of pallets.
        return None
    return Key(column=column) if few_numbers(column, scene) else None


def _is_one(node: Node, column: ColumnFacts) -> bool:
    """Tell whether one of the things was said that a column counts: `pallet` of `pallets`."""
    if node.text.casefold() == column.name.casefold():
        return False
    said, headed = node.text.casefold().split()[-1:], column.words[-1]
    return bool(said) and said[0] != headed and said[0].isascii() and not said[0].endswith("s")


def unit_of_name(column: ColumnFacts) -> str | None:
    """Return the calendar unit that a date column is named after (`Year`), which is then what it is grouped by."""
    if not column.kind.is_temporal or len(column.words) != 1:
        return None
    unit = column.words[0]
    return unit if unit in {"year", "month", "week", "quarter"} else None


def few_numbers(column: ColumnFacts, scene: Scene) -> bool:
    """Tell whether a number column has so few different values that each makes a group."""
    return scene.table.spread(column).distinct <= _MOST_NUMBER_GROUPS and (
        column.kind in {ColumnKind.INTEGER, ColumnKind.NUMBER}
    )


def _unit_word(row: tuple[Node, ...], position: int) -> tuple[Node, ...] | None:
    match = match_at("word=every.", row, position)
    if match is None or (match["word"].has("change.daily") and _has_change(row)):
        return None
    unit = match["word"].sense.family("every.") if match["word"].sense else None
    return replaced(row, match, Node(keys=(Key(unit=unit, rated=True),))) if unit else None


def _has_change(row: Sequence[Node]) -> bool:
    return any(node.has("change.", "growth") for node in row)


def _wise(row: tuple[Node, ...], position: int) -> tuple[Node, ...] | None:
    match = match_at("col=col wise", row, position)
    if match is None or match["col"].column is None:
        return None
    return replaced(row, match, Node(keys=(Key(column=match["col"].column),)))
