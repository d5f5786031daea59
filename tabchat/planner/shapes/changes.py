"""Row-to-row changes of a column by date: the biggest gain, the average daily change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.plans import Draft, Unreadable, query, scope_of, time_column
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue


def change_of(question: Question, column: ColumnFacts, *, percent: bool) -> tuple[str, str]:
    """Return name and formula of the change of a column against the row before."""
    dated = time_column(question.scene)
    if dated is None or not dated.kind.is_temporal or not question.is_label(dated):
        raise Unreadable("changes from row to row need one row for each date")
    shown = write.name(column.name)
    if percent:
        return f"{column.name}_change_pct", f"({shown} - prev({shown})) / prev({shown}) * 100"
    return f"{column.name}_change", f"{shown} - prev({shown})"


def _extreme(question: Question) -> Draft | None:
    """Read `which day had the biggest one-day percentage gain in close`."""
    if not no_extras(question):
        return None
    column, move = question.node("C").column, question.node("m")
    if column is None or not question.has("p") or move.has("change.any"):
        raise Unreadable("a change in percent, or in units?")
    name, formula = change_of(question, column, percent=True)
    biggest = question.node("S").has("super.max")
    down = move.has("change.down")
    direction = "asc" if biggest == down else "desc"
    dated = time_column(question.scene)
    assert dated is not None  # noqa: S101 - `change_of` has looked
    side = f"{write.name(name)} {'<' if down else '>'} 0"
    first: dict[str, JsonValue] = {"map": {name: formula}}
    second: dict[str, JsonValue] = {"where": f"{side}"}
    third: dict[str, JsonValue] = {
        "where": f"rank({write.name(name)}, '{direction}') == 1",
        "columns": [dated.name, name, column.name],
    }
    return Draft(
        tool="run_query",
        arguments=query(question.table, {"steps": [first, second, third]}),
        shape="argmax_row",
        read_as=(
            f"{dated.name} with the {'biggest' if biggest else 'smallest'} {'fall' if down else 'rise'} of {column.name} in percent",
        ),
        details={"measure": name, "key": dated.name},
    )


def _aggregate(question: Question) -> Draft | None:
    """Read `average absolute daily percent change of close`."""
    if not no_extras(question, "periods"):
        return None
    column = question.node("C").column
    function = next((node.sense.family("agg.") for node in question.nodes("fa") if node.sense), None)
    if column is None or function is None:
        return None
    percent = question.has("p") or any(node.has("growth") for node in question.nodes("G"))
    if not percent and not question.has("y"):
        return None
    name, formula = change_of(question, column, percent=percent)
    if question.has("b"):
        name, formula = f"abs_{name}", write.call("abs", formula)
    scope = scope_of(question.clauses, question.scene, whole_rows=True)
    fields: dict[str, JsonValue] = dict(scope.fields)
    fields["map"] = {name: formula}
    fields["select"] = f"{write.call(function, write.name(name))} as {write.name(f'{function}_{name}')}"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="measure",
        read_as=(
            f"{function} of {'absolute ' if question.has('b') else ''}change of {column.name}{' in percent' if percent else ''}",
            *scope.read_as,
        ),
        details={"measure": f"{function}_{name}"},
    )


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*[UE]?S(y|p)*m(y|p)*C", _extreme),
    (r"[WL]*[fa](b|y|p)*(Gm?|m)C", _aggregate),
)
