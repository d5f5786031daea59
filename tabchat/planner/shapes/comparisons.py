"""Groups and times side by side: comparisons, differences, growth."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.nodes import Key, Measure
from tabchat.planner.plans import (
    Draft,
    Unreadable,
    day_range,
    grouping_of,
    query,
    scope_of,
    selected,
    time_column,
)
from tabchat.planner.shapes.aggregates import grouped_fields, measured
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.grammar import Clauses
    from tabchat.planner.nodes import Node, Period
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue

_MONTHS: Final = 12
_UNITS: Final = {"yoy": "year", "mom": "month", "qoq": "quarter"}


def _measure(question: Question) -> Measure | None:
    found = question.measures()
    if not found and any(question.has(code) for code in "KE"):
        return Measure(function="count")
    return found[0] if len(found) == 1 else None


def _listed(question: Question) -> Node | None:
    """Return the filter that lists the values to compare."""
    found = [
        node
        for node in question.clauses.conditions
        if node.condition is not None and "\0" in (node.condition.value or "")
    ]
    return found[0] if len(found) == 1 else None


def _pair(question: Question) -> tuple[Node, Period, Period] | None:
    """Return the two times to compare, and the node that holds them."""
    for node in question.clauses.periods:
        if node.period is not None and len(node.period.ends) == 2:  # noqa: PLR2004 - two sides
            return node, node.period.ends[0], node.period.ends[1]
    return None


def _check_one_year(question: Question, side: Period) -> None:
    """Refuse to compare months of no said year where the data has more than one of each."""
    if side.recurring is None:
        return
    column = time_column(question.scene, [item.period for item in question.clauses.periods if item.period])
    low, high = question.scene.table.extremes(column) if column is not None else (None, None)
    if not isinstance(low, dt.date) or not isinstance(high, dt.date):
        raise Unreadable("the table has no date column")
    if (high.year - low.year) * _MONTHS + high.month - low.month >= _MONTHS:
        raise Unreadable("the months of which year?")


def _in_time(node: Node, first: Period, second: Period) -> bool:
    """Tell whether the first of two times is the earlier; of months of no year, `against` stands before the earlier."""
    if first.start is not None and second.start is not None:
        return first.start <= second.start
    return node.period is None or not node.period.versus


def _compare(question: Question) -> Draft | None:
    """Answer with one row for each of the values or times that are compared."""
    if question.clauses.keys:
        return measured(question, question.measures() or (Measure(function="count"),))
    measure = _measure(question)
    listed, pair = _listed(question), _pair(question)
    if measure is None or (listed is None) == (pair is None):
        return None
    if listed is not None and listed.condition is not None:
        key = Key(column=listed.condition.column)
        clauses = question.clauses
    else:
        assert pair is not None  # noqa: S101 - one of the two is there
        node, first, second = pair
        _check_one_year(question, first)
        if first.level != second.level:
            return None
        key = Key(unit=first.level)
        both = replace(node, period=replace(node.period, start=None, end=None)) if node.period else node
        clauses = replace(
            question.clauses,
            periods=tuple(both if item is node else item for item in question.clauses.periods),
        )
    return measured(replace(question, clauses=replace(clauses, keys=(key,)), compared=True), (measure,))


def _versus(question: Question) -> Draft | None:
    """Read `Europe vs Asia average revenue`, where the word between the values asks for the comparison."""
    listed, pair = _listed(question), _pair(question)
    values = listed is not None and listed.condition is not None and listed.condition.link == "versus"
    times = pair is not None and pair[0].period is not None and pair[0].period.versus
    return _compare(question) if values or times else None


def _difference(question: Question) -> Draft | None:
    """Answer with the first side minus the second."""
    if question.clauses.keys or not no_extras(question, "conditions", "periods"):
        return None
    measure = _measure(question)
    sides = _sides(question)
    if measure is None or sides is None:
        return None
    rest, (first, first_text), (second, second_text) = sides
    minuend, subtrahend = _restricted(measure, first), _restricted(measure, second)
    scope = scope_of(rest, question.scene)
    fields = {**scope.fields, "select": f"{minuend} - {subtrahend} as difference"}
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="difference",
        read_as=(
            f"difference of {selected(measure).read_as}: {first_text} minus {second_text}",
            *scope.read_as,
        ),
        details={"measure": "difference"},
    )


def _risen(question: Question) -> Draft | None:
    """Read `by how much did revenue grow in March against February`: the later time minus the earlier."""
    pair, measure = _pair(question), _measure(question)
    fell = any(node.has("shrink", "change.down") for node in question.nodes("G"))
    if pair is None or measure is None or fell or not no_extras(question, "conditions", "periods"):
        return None
    sides = _sides(question)
    if sides is None:
        return None
    rest, (second, second_text), (first, first_text) = _in_order(question, sides)
    minuend, subtrahend = _restricted(measure, first), _restricted(measure, second)
    scope = scope_of(rest, question.scene)
    fields = {**scope.fields, "select": f"{minuend} - {subtrahend} as difference"}
    text = f"difference of {selected(measure).read_as}: {first_text} minus {second_text}"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="difference",
        read_as=(text, *scope.read_as),
        details={"measure": "difference"},
    )


def _times(question: Question) -> Draft | None:
    """Answer with the first side divided by the second: `how many times more`."""
    if question.clauses.keys or not no_extras(question, "conditions", "periods"):
        return None
    measure, sides = _measure(question), _sides(question)
    if measure is None or sides is None:
        return None
    rest, (first, first_text), (second, second_text) = sides
    scope = scope_of(rest, question.scene)
    ratio = f"{_restricted(measure, first)} / {_restricted(measure, second)} as times"
    return Draft(
        tool="run_query",
        arguments=query(question.table, {**scope.fields, "select": ratio}),
        scope=scope.read_as,
        shape="measure",
        read_as=(
            f"ratio of {selected(measure).read_as}: {first_text} to {second_text}",
            *scope.read_as,
        ),
        details={"measure": "times"},
    )


def _sides(question: Question) -> tuple[Clauses, tuple[str, str], tuple[str, str]] | None:
    """Return the clauses without the sides, and each side as (condition, text)."""
    listed, pair = _listed(question), _pair(question)
    clauses = question.clauses
    if listed is not None and pair is None and listed.condition is not None and listed.condition.column:
        values = (listed.condition.value or "").split("\0")
        if len(values) != 2:  # noqa: PLR2004 - two sides
            return None
        name = write.name(listed.condition.column.name)
        rest = replace(clauses, conditions=tuple(node for node in clauses.conditions if node is not listed))
        first, second = ((f"{name} == {write.text(value)}", value) for value in values)
        return rest, first, second
    if pair is not None and listed is None:
        node, before, after = pair
        _check_one_year(question, before)
        column = time_column(question.scene, [before, after])
        if column is None:
            raise Unreadable("the table has no date column")
        rest = replace(clauses, periods=tuple(item for item in clauses.periods if item is not node))
        return rest, (day_range(before, column), before.text), (day_range(after, column), after.text)
    return None


def _in_order(
    question: Question, sides: tuple[Clauses, tuple[str, str], tuple[str, str]]
) -> tuple[Clauses, tuple[str, str], tuple[str, str]]:
    """Put the time that another one is compared with first: `growth in June compared with May`."""
    pair = _pair(question)
    rest, first, second = sides
    return sides if pair is None or _in_time(*pair) else (rest, second, first)


def _restricted(measure: Measure, condition: str) -> str:
    if measure.column is None:
        return f"count_if({condition})"
    return write.call(measure.function, f"if({condition}, {write.name(measure.column.name)})")


def _growth(question: Question) -> Draft | None:
    """Answer with the change against the calendar unit before, in percent."""
    if not no_extras(question, "keys", "conditions", "periods"):
        return None
    measure = _measure(question)
    units = {_UNITS[name] for node in question.nodes("Y") for name in _UNITS if node.has(name)}
    units |= {
        key.unit or "year"
        for key in question.clauses.keys
        if key.column is None or question.scene.is_year(key.column)
    }
    others = [
        key for key in question.clauses.keys if key.unit is None and not question.scene.is_year(key.column)
    ]
    if measure is None or others or len(units) > 1 or any(node.has("shrink") for node in question.nodes("G")):
        return None
    if not units:
        return _growth_between(question, measure)
    if not question.has("Y") and not question.has("p") and _only_changed(question):
        raise Unreadable("the change in percent, or in units?")
    chosen = selected(measure)
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((Key(unit=units.pop()),), question.clauses, question.scene)
    fields = grouped_fields(scope, groups, (chosen,))
    present = f"{write.name(groups.names[0])} is not null"
    fields["having"] = present
    step = {name: value for name, value in fields.items() if value not in ([], {})}
    change: dict[str, JsonValue] = {"map": {"growth_pct": write.call("pct_change", write.name(chosen.name))}}
    return Draft(
        tool="run_query",
        arguments=query(question.table, {"steps": [step, change]}),
        scope=scope.read_as,
        shape="growth",
        read_as=(f"growth of {chosen.read_as} in percent", groups.read_as, *scope.read_as),
        details={"measure": "growth_pct", "key": groups.names[0]},
    )


def _only_changed(question: Question) -> bool:
    """Tell whether no more was said than that something changed."""
    return all(node.has("change.any") and not node.has("growth", "change.up") for node in question.nodes("G"))


def _growth_between(question: Question, measure: Measure) -> Draft | None:
    """Answer with the change in percent from one time to another."""
    sides = _sides(question)
    if (
        sides is None
        or _listed(question) is not None
        or any(node.has("shrink") for node in question.nodes("G"))
    ):
        return None
    rest, (first, first_text), (second, second_text) = _in_order(question, sides)
    before, after = _restricted(measure, first), _restricted(measure, second)
    scope = scope_of(rest, question.scene)
    fields = {**scope.fields, "select": f"({after} - {before}) / {before} * 100 as growth_pct"}
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="percent",
        read_as=(
            f"growth of {selected(measure).read_as} in percent: {first_text} to {second_text}",
            *scope.read_as,
        ),
        details={"measure": "growth_pct"},
    )


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*J(M|C|KE?|E)E?|(M|C)J", _compare),
    (r"[WL]*(M|C|KE?|E)E?", _versus),
    (r"[WL]*I(M|C|KE?|E)E?|(M|C)I", _difference),
    (r"[WL]*I(G(M|C|KE?)|(M|C|KE?)G)E?", _risen),
    (r"x(M|C|KE?|E)E?", _times),
    (r"[WL]*(?=.*[YG])Y?p?G?Y?(M|C|KE?)p?G?Y?E?|%(M|C|KE?)G|%G(M|C|KE?|E)", _growth),
)
