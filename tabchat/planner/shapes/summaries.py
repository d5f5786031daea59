"""Several figures of one column: its statistics, its range, and the distance of its extremes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.plans import Draft, grouping_of, query, scope_of
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue

_NUMBERS: Final = {
    "count": "count({c})",
    "min": "min({c})",
    "q1": "percentile({c}, 0.25)",
    "median": "median({c})",
    "q3": "percentile({c}, 0.75)",
    "max": "max({c})",
    "mean": "mean({c})",
    "std": "std({c})",
}
_DATES: Final = {
    "count": "count({c})",
    "different": "count_distinct({c})",
    "first": "min({c})",
    "last": "max({c})",
}
_TEXTS: Final = {"count": "count({c})", "different": "count_distinct({c})", "most_frequent": "mode({c})"}
_FLAGS: Final = {"count": "count({c})", "percent_true": "sum(if({c}, 1, 0)) / count({c}) * 100"}
_RANGE: Final = {"min": "min({c})", "max": "max({c})", "difference": "max({c}) - min({c})"}
_DISTANCE: Final = {"difference": "max({c}) - min({c})"}


def _statistics(question: Question) -> Draft | None:
    """Answer with what is usually asked of a column of its kind."""
    column = question.nodes("CDTB")[0].column
    if column is None:
        return None
    numbers = column.kind.is_numeric and not question.scene.is_identifier(column)
    if numbers and not question.scene.is_year(column):
        return _figures(question, column, _NUMBERS, "count, extremes, quartiles, mean and standard deviation")
    if column.kind.is_temporal or numbers:
        return _figures(question, column, _DATES, "count, different values, first and last")
    if column.kind.value == "boolean":
        return _figures(question, column, _FLAGS, "count and percentage of yes")
    return _figures(question, column, _TEXTS, "count, different values and the most frequent one")


def _range(question: Question) -> Draft | None:
    column = question.node("C").column
    return _figures(question, column, _RANGE, "minimum, maximum and their difference") if column else None


def _distance(question: Question) -> Draft | None:
    """Read `difference between the highest and the lowest price`."""
    ends = [node.has("super.max") for node in question.nodes("S")]
    columns = {node.column.index: node.column for node in question.nodes("C") if node.column is not None}
    for measure in question.measures() if question.has("M") else ():
        if measure.function not in {"min", "max"} or measure.column is None:
            return None
        ends.append(measure.function == "max")
        columns[measure.column.index] = measure.column
    if sorted(ends) != [False, True] or len(columns) != 1:
        return None
    return _figures(question, columns.popitem()[1], _DISTANCE, "difference of maximum and minimum")


def _figures(
    question: Question, column: ColumnFacts, figures: Mapping[str, str], read_as: str
) -> Draft | None:
    if not no_extras(question, "keys", "conditions", "periods"):
        return None
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of(question.clauses.keys, question.clauses, question.scene)
    maps = scope.fields.get("map")
    fields: dict[str, JsonValue] = dict(scope.fields)
    fields["map"] = {**(dict(maps) if isinstance(maps, dict) else {}), **groups.maps}
    fields["group_by"] = list(groups.names)
    fields["select"] = _selected(column, figures)
    if groups.sort:
        fields["sort"] = list(groups.sort)
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="measure",
        read_as=(f"{read_as} of {column.name}", groups.read_as, *scope.read_as),
        details={"measure": next(iter(figures))},
    )


def _selected(column: ColumnFacts, figures: Mapping[str, str]) -> Sequence[JsonValue]:
    return [f"{formula.format(c=write.name(column.name))} as {name}" for name, formula in figures.items()]


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*[ks]k?[CDTB]|[WL]*[CDTB]k", _statistics),
    (r"[WL]*lC|[WL]*Cl", _range),
    (r"[WL]*I(SSC|SCSC|MM?)", _distance),
)
"""Patterns over the whole core, and what answers them."""
