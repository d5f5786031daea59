"""Measures in a question: functions over columns, counts, and bare number columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.catalog import is_row_label
from tabchat.planner.magnitudes import MAGNITUDES, SAID
from tabchat.planner.nodes import Measure, Node, match_at, replaced
from tabchat.planner.senses import Sense, SenseKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.nodes import Match
    from tabchat.planner.scene import Scene

_FUNCTIONS = frozenset({"sum", "mean", "median", "min", "max", "std", "var"})


def read_measures(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange functions with their columns, counts, and what is left of number columns, for measure nodes."""
    row = _averaged(tuple(nodes))
    for pattern, build in _RULES:
        position = 0
        while position < len(row):
            match = match_at(pattern, row, position)
            made = build(match, row, scene) if match is not None else None
            if match is not None and made is not None:
                row = replaced(row, match, *made)
            position += 1
    return row


def _averaged(row: tuple[Node, ...]) -> tuple[Node, ...]:
    """Put `on average`, which may stand last, before the column that it is about."""
    means = [place for place, node in enumerate(row) if node.has("agg.")]
    columns = [place for place, node in enumerate(row) if node.column and node.column.kind.is_numeric]
    if len(means) != 1 or len(columns) != 1 or columns[0] > means[0] or not row[means[0]].has("agg.mean"):
        return row
    column, mean = columns[0], means[0]
    return (*row[:column], row[mean], *row[column:mean], *row[mean + 1 :])


def _functions(match: Match, row: Sequence[Node], scene: Scene) -> tuple[Node, ...] | None:
    """Read `average and median capacity`, with filters between the function and its column."""
    column = match["col"].column
    part = row[match.start : match.end]
    names = [node.sense.family("agg.") for node in part if node.sense is not None and node.has("agg.")]
    if column is None or any(name not in _FUNCTIONS for name in names):
        return None
    counted = column.kind.is_numeric and not scene.is_identifier(column)
    if not counted and (
        (column.kind.is_numeric or column.kind.is_temporal) and not {*names} <= {"min", "max"}
    ):
        # Numbers that are names, and dates, have an order but no sum.
        return None
    if column.unit == "%" and "sum" in names:
        return None
    measures = tuple(Measure(function=name, column=column) for name in names if name)
    between = tuple(
        node for node in part if node.condition or node.period or node.keys or node.mark or node.bound
    )
    return (Node(measures=measures), *between)


def _of_numbers(match: Match, _row: Sequence[Node], scene: Scene) -> tuple[Node, ...] | None:
    """Read `average number of passengers`, where the number is what the column holds."""
    column, sense = match["col"].column, match["agg"].sense
    function = sense.family("agg.") if sense is not None else None
    if column is None or function is None or not scene.counts(column):
        return None
    return (Node(measures=(Measure(function=function, column=column),)),)


def _dates(match: Match, row: Sequence[Node], _scene: Scene) -> tuple[Node, ...] | None:
    """Read `earliest and latest order date`."""
    column = match["col"].column
    part = row[match.start : match.end]
    measures = tuple(
        Measure(function="min" if node.has("super.early") else "max", column=column)
        for node in part
        if node.has("super.early", "super.late")
    )
    return (Node(measures=measures),) if column is not None else None


def _count(match: Match, row: Sequence[Node], _scene: Scene) -> tuple[Node, ...] | None:
    between = tuple(
        node
        for node in row[match.start : match.end]
        if node.condition or node.period or node.keys or node.mark or node.bound
    )
    return (Node(measures=(Measure(function="count"),)), *between)


def _count_label(match: Match, row: Sequence[Node], scene: Scene) -> tuple[Node, ...] | None:
    """Read `number of employees` as rows when each row is another employee."""
    column = match["col"].column
    repeated = any(node.has("dup", "dup.more") for node in row)
    if (
        column is None
        or repeated
        or not (column.index in scene.namesakes or is_row_label(scene.table, column))
    ):
        return None
    if column.kind.is_numeric and not scene.is_identifier(column):
        return None
    return _count(match, row, scene)


def _percentile(match: Match, _row: Sequence[Node], _scene: Scene) -> tuple[Node, ...] | None:
    """Read `90th percentile of revenue`; filters cannot stand inside it."""
    sense = match["n"].sense
    number = sense.number if sense is not None else None
    if number is None or not 0 < number < 100 or match.end - match.start > 4:  # noqa: PLR2004 - percent; number, word, of, column
        return None
    return (
        Node(measures=(Measure(function="percentile", column=match["col"].column, parameter=number / 100),)),
    )


def _is_versus(node: Node) -> bool:
    compared = node.condition is not None and node.condition.link == "versus"
    return compared or (node.period is not None and node.period.versus)


def _how_much(match: Match, row: Sequence[Node], scene: Scene) -> tuple[Node, ...] | None:
    column = match["col"].column
    if row[match.start].has("byhowmuch") and any(_is_versus(node) for node in row):
        # `на скільки виручка A більша за B` asks for a difference.
        return None
    if column is None or scene.is_identifier(column):
        return None
    # «Скільки» also asks for a number of things, so it makes no sum of prices and marks.
    counts = match["how"].has("count")
    return (Node(measures=(Measure(function="sum", column=column, bare=counts),)),)


def _how_much_of(match: Match, row: Sequence[Node], scene: Scene) -> tuple[Node, ...] | None:
    """Read `скільки пшениці зібрано`: a cell stands between the question word and the column."""
    made = _how_much(match, row, scene)
    between = tuple(node for node in row[match.start : match.end] if node.condition or node.period)
    valued = any(node.condition is not None and node.condition.value is not None for node in between)
    return (*made, *between) if made is not None and valued else None


def read_scales(nodes: Sequence[Node], scene: Scene) -> tuple[Node, ...]:
    """Exchange superlatives that are about one column (`cheapest`, `most expensive`) for extreme and column."""
    row = _magnitudes(tuple(nodes))
    for pattern in _SUPERLATIVES:
        position = 0
        while position < len(row):
            match = match_at(pattern, row, position)
            made = _scaled(match, row, scene) if match is not None else None
            if match is not None and made is not None:
                row = replaced(row, match, *made)
            position += 1
    return row


def _magnitudes(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read `2 million` as a number, and both ends of `between 2 and 3 million` in millions."""
    row, position = nodes, 0
    while position < len(row):
        match = match_at(
            "between|from low=num and|to|until|sign.dash high=num scale=scale.k|scale.m|scale.b",
            row,
            position,
        )
        low, high = (match[name].sense for name in ("low", "high")) if match is not None else (None, None)
        if (
            match is not None
            and low is not None
            and high is not None
            and (low.number or 0) < (high.number or 0)
        ):
            place = row.index(match["low"]) + 1
            row = (*row[:place], match["scale"], *row[place:])
        position += 1
    position = 0
    while position < len(row):
        match = match_at("n=num scale=scale.k|scale.m|scale.b", row, position)
        sense = match["n"].sense if match is not None else None
        if match is not None and sense is not None and sense.number is not None:
            name = match["scale"].sense.family("scale.") if match["scale"].sense else None
            number = sense.number * MAGNITUDES.get(name or "", 1)
            said = Sense(kind=SenseKind.NUMBER, number=number, concepts=frozenset({SAID}))
            row = replaced(row, match, Node(sense=said))
        position += 1
    return row


_SUPERLATIVES = (
    "word=scale.most.",
    "turn=super.max|super.min word=scale.plain.",
    "turn=fewer|more word=scale.most.",
    "verb=verb. turn=super.max|super.min",
)


def _scaled(match: Match, row: Sequence[Node], scene: Scene) -> tuple[Node, ...] | None:
    if match.get("verb") is not None:
        return _most_of_verb(match, row, scene)
    sense = match["word"].sense
    names = [name for name in sense.concepts if name.startswith("scale.")] if sense is not None else []
    lasting = [column for column in scene.table.columns if column.index in scene.spans]
    found = [(name, column) for name in names if (column := scene.meant(name.rpartition(".")[2])) is not None]
    if not found and len(lasting) == 1 and match_at("col|entity.|rows|val", row, match.end) is not None:
        found = [(name, lasting[0]) for name in names if name.endswith(".duration")]
    if len(found) != 1:
        return None
    name, column = found[0]
    turn = match.get("turn")
    up = (".max." in name) == (turn is None or turn.has("super.max", "more"))
    extreme = Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"super.max" if up else "super.min"}))
    return (
        Node(sense=extreme),
        Node(sense=Sense(kind=SenseKind.COLUMN, column=column, concepts=frozenset({"scaled"}))),
    )


def _most_of_verb(match: Match, row: Sequence[Node], scene: Scene) -> tuple[Node, ...] | None:
    """Read `who spent the most`, where nothing after it says the most of what."""
    if match_at("in? col|entity.|val|scale.", row, match.end) is not None:
        return None
    sense = match["verb"].sense
    columns = [scene.meant(name) for name in sense.starting("verb.")] if sense is not None else []
    found = [column for column in columns if column is not None]
    if len(found) != 1:
        return None
    return (match["turn"], Node(sense=Sense(kind=SenseKind.COLUMN, column=found[0])))


_BETWEEN = "in|pred|from|<cond>|<period>*"

_RULES: tuple[tuple[str, Callable[[Match, Sequence[Node], Scene], tuple[Node, ...] | None]], ...] = (
    ("super.early|super.late and|comma* super.early|super.late* col=datecol", _dates),
    (f"agg. and|comma|agg.* {_BETWEEN} col=numcol|datecol", _functions),
    ("agg=agg.mean|agg.median|agg.max|agg.min count in? col=numcol", _of_numbers),
    (f"n=num agg.percentile {_BETWEEN} col=numcol", _percentile),
    (f"agg.percentile n=num {_BETWEEN} col=numcol", _percentile),
    ("how=howmuch in? col=numcol", _how_much),
    ("how=howmuch in|<cond>|<period>* col=numcol", _how_much_of),
    (f"count {_BETWEEN} entity.|rows", _count),
    (f"count {_BETWEEN} event.", _count),
    (f"count {_BETWEEN} col=textcol|numcol", _count_label),
    ("entity.|rows count", _count),
)
