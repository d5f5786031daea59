"""Shares and percentages: `share of revenue by region`, `what percentage of orders were returned`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.nodes import Measure
from tabchat.planner.plans import Draft, Unreadable, grouping_of, joined, query, scope_of, selected
from tabchat.planner.shapes.base import no_extras
from tabchat.planner.shapes.wholes import asked_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.nodes import Node
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue


_AMOUNTS: Final = ("revenue", "amount")
"""Meanings of columns whose share may be meant as well as that of the rows."""


def _one_measure(question: Question) -> Measure | None:
    found = question.measures()
    scene = question.scene
    if not found and question.clauses.keys and not any(question.has(code) for code in "EKR"):
        amounts = [column for name in _AMOUNTS if (column := scene.meant(name)) is not None]
        if amounts and not question.clauses.conditions:
            raise Unreadable(f"share of the rows, or of {amounts[0].name}?")
    if not found and (
        question.clauses.keys or question.clauses.conditions or any(question.has(code) for code in "EKR")
    ):
        if question.clauses.keys:
            question.check_counted()
        return Measure(function="count")
    if len(found) != 1 or found[0].function not in {"sum", "count"}:
        return None
    return found[0]


def _by_group(question: Question) -> Draft | None:
    """Answer with each group's share of the whole."""
    if not question.clauses.keys or not no_extras(question, "keys", "conditions", "periods", "order"):
        return None
    measure = _one_measure(question)
    if measure is None:
        return None
    chosen = selected(measure)
    subject = write.name(measure.column.name) if measure.column is not None else ""
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of(question.clauses.keys, question.clauses, question.scene)
    maps = scope.fields.get("map")
    fields: dict[str, JsonValue] = dict(scope.fields)
    fields["map"] = {**(dict(maps) if isinstance(maps, dict) else {}), **groups.maps}
    fields["group_by"] = list(groups.names)
    fields["select"] = [chosen.select, f"{write.call('share', subject)} as share"]
    order = question.clauses.order
    if order is not None:
        fields["sort"] = f"share {'desc' if order.descending else 'asc'}"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="share",
        read_as=(f"share of {chosen.read_as}", groups.read_as, *scope.read_as),
        details={"measure": "share", "key": groups.names[0]},
    )


def _of_rows(question: Question) -> Draft | None:
    """Answer with the percentage of rows, or of a sum, that meets the part of the filters that is asked about."""
    if not no_extras(question, "conditions", "periods"):
        return None
    measure = _one_measure(question)
    asked, scope_nodes = asked_of(question)
    if measure is None or not asked:
        return None
    scope = scope_of(replace(question.clauses, conditions=tuple(scope_nodes)), question.scene)
    conditions = [node.condition for node in asked if node.condition is not None]
    if any(condition.maps for condition in conditions):
        return None
    expression = joined([condition.expr for condition in conditions])
    if measure.column is None:
        select = f"pct({expression}) as percent"
    else:
        subject = write.name(measure.column.name)
        select = f"sum(if({expression}, {subject}, 0)) / sum({subject}) * 100 as percent"
    shown = " and ".join(condition.text for condition in conditions)
    fields = {**scope.fields, "select": select}
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="percent",
        read_as=(f"percentage of {selected(measure).read_as} where {shown}", *scope.read_as),
        details={"measure": "percent", "condition": shown},
    )


def _of_named_things(question: Question) -> Draft | None:
    """Read `share of imported products in revenue`, where the noun behind the filter only says what it is about."""
    noun, conditions = question.node("D"), question.clauses.conditions
    if len(conditions) != 1 or noun.place != conditions[0].place + 1:
        return None
    core = tuple(node for node in question.clauses.core if node is not noun)
    clauses = replace(question.clauses, core=core)
    return _of_rows(replace(question, clauses=clauses, codes=question.codes.replace("D", "", 1)))


def _rate(question: Question) -> Draft | None:
    """Read `pass rate for PN-2002`: the percentage of rows with the value before `rate`."""
    rate = question.node("R").place
    asked = [node for node in question.clauses.conditions if node.place < rate]
    if not asked:
        return None
    rows = replace(question, clauses=question.clauses)
    return _of_rows(rows) if not question.clauses.keys else _rate_by_group(question, asked)


def _rate_by_group(question: Question, asked: list[Node]) -> Draft | None:
    if len(asked) != 1 or not no_extras(question, "keys", "conditions", "periods"):
        return None
    condition = asked[0].condition
    if condition is None:
        return None
    others = tuple(node for node in question.clauses.conditions if node is not asked[0])
    scope = scope_of(replace(question.clauses, conditions=others), question.scene)
    groups = grouping_of(question.clauses.keys, question.clauses, question.scene)
    maps = scope.fields.get("map")
    fields: dict[str, JsonValue] = dict(scope.fields)
    fields["map"] = {**(dict(maps) if isinstance(maps, dict) else {}), **groups.maps}
    fields["group_by"] = list(groups.names)
    fields["select"] = f"pct({condition.expr}) as percent"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="share",
        read_as=(f"percentage of rows where {condition.text}", groups.read_as, *scope.read_as),
        details={"measure": "percent", "key": groups.names[0]},
    )


def _percent_by_group(question: Question) -> Draft | None:
    """Read `percentage of orders returned by channel`: within each group, when there is a filter to ask about."""
    bare = not any(question.has(code) for code in "CM")
    if len(question.clauses.conditions) == 1 and question.clauses.keys and bare:
        raise Unreadable("share of all rows, or percentage within each group?")
    return _by_group(question)


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*(Hp?a?[MC]|[MC]H|HE|HKE?|HM|EH|Hp?a?)", _percent_by_group),
    (r"[WL]*H[EMC]?|[WL]*HaC|[WL]*HKE?", _of_rows),
    (r"[WL]*HD[MC]", _of_named_things),
    (r"[WL]*R|[WL]*RE", _rate),
)
