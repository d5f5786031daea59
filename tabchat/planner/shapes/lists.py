"""Rows and values as they are: lists, projections, distinct values, groups that meet a condition, previews."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.filters import missing
from tabchat.planner.grouping import few_numbers, unit_of_name
from tabchat.planner.headers import HEAD
from tabchat.planner.nodes import Key, Measure, Node
from tabchat.planner.plans import Draft, Unreadable, grouping_of, query, scope_of, selected, time_column
from tabchat.planner.shapes.aggregates import check_countable, grouped_fields, is_filtered
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue


def _rows(question: Question, columns: Sequence[ColumnFacts] = ()) -> Draft | None:
    if not no_extras(question, "conditions", "periods", "order"):
        return None
    scope = scope_of(question.clauses, question.scene)
    fields: dict[str, JsonValue] = dict(scope.fields)
    order = _order(question)
    if order:
        fields["sort"] = order
    if columns:
        fields["columns"] = [column.name for column in columns]
    shown = ", ".join(column.name for column in columns) or "rows"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="list",
        read_as=(shown, *scope.read_as, f"sorted by {order}" if order else ""),
    )


def _order(question: Question) -> str | None:
    order = question.clauses.order
    if order is None:
        return None
    if order.measure is not None and not order.measure.bare:
        raise Unreadable("rows cannot be sorted by an aggregate")
    column = order.measure.column if order.measure is not None else order.column
    if order.by_time:
        column = time_column(question.scene)
    if column is None:
        raise Unreadable("what to sort by?")
    return f"{write.name(column.name)} {'desc' if order.descending else 'asc'}"


def _list_rows(question: Question) -> Draft | None:
    filtered = question.clauses.conditions or question.clauses.periods or question.clauses.order is not None
    if not filtered and not (question.has("L") and question.has("E")):
        return None
    return _rows(question)


def _bare_rows(question: Question) -> Draft | None:
    """Read `orders from Germany` as a list, whose sentence also says how many there are.

    `sales in Germany` could as well be a sum, and a noun with the name of one row asks for one of its cells.
    """
    compared = any(
        (
            node.condition is not None
            and node.condition.value is None
            and node.condition.column is not None
            and node.condition.column.kind.value != "boolean"
        )
        or (node.condition is not None and node.condition.column is None)
        for node in question.clauses.conditions
    )
    if not compared and question.clauses.order is None:
        if question.node("E").has("summed_noun"):
            raise Unreadable("show these rows, count them, or add something up?")
        check_countable(question)
    listed = _rows(question)
    return None if listed is None else replace(listed, details={**listed.details, "bare": "rows"})


def _bare_comparison(question: Question) -> Draft | None:
    """Read `humidity above 90%` and `French novels` as the rows that they leave."""
    found = [node.condition for node in question.clauses.conditions if node.condition is not None]
    compared = [
        item
        for item in found
        if item.value is None
        and item.column is not None
        and item.column.kind.is_numeric
        and not item.expr.endswith((" null", " not null"))
    ]
    named = len(found) > 1 and found[-1].noun and all(item.value for item in found)
    if not (compared or named) or question.clauses.order is not None or any(item.maps for item in found):
        return None
    listed = _rows(question)
    return None if listed is None else replace(listed, details={**listed.details, "bare": "rows"})


def _projection(question: Question) -> Draft | None:
    if any(node.names("entity.") and is_filtered(node, question) for node in question.nodes("D")):
        # `revenue without cancelled orders` asks for no orders.
        return None
    columns = [node.column for node in question.nodes("DCTB") if node.column is not None]
    if len(columns) == 1 and (not question.clauses.conditions or columns[0].kind.value == "text"):
        return None
    return _rows(question, columns)


def _shown_figures(question: Question) -> Draft | None:
    """Read `show the marks of Ann`: figures of which there is no sum are shown one by one, those that are there."""
    column = question.node("C").column
    if column is None or not question.clauses.conditions or question.additive(column):
        return None
    present = Node(condition=missing(column, present=True))
    clauses = replace(question.clauses, conditions=(*question.clauses.conditions, present))
    return _rows(replace(question, clauses=clauses), [column])


def _attribute_values(question: Question) -> Draft | None:
    """Read `list the categories of products`: the things behind only say what has the attribute."""
    first, second = question.nodes("D")
    things = (*question.scene.evidence.columns("product"), *question.scene.evidence.named())
    joined = any(first.place < joint < second.place for joint in question.clauses.joints)
    if joined or first.column is None or second.column is None or second.column not in things:
        return None
    table = question.scene.table
    if table.spread(first.column).distinct >= table.spread(second.column).distinct:
        return None
    core = tuple(node for node in question.clauses.core if node is not second)
    codes = question.codes[: question.codes.rindex("D")]
    return _distinct(replace(question, clauses=replace(question.clauses, core=core), codes=codes))


def _named_cells(question: Question) -> Draft | None:
    """Read `name and price of products with fewer than 3 units`: cells of the rows that the filters leave."""
    nodes = [node for node in question.nodes("DCTB") if node.column is not None]
    places = [node.place for node in nodes]
    joined = all(
        any(one < joint < two for joint in question.clauses.joints) for one, two in itertools.pairwise(places)
    )
    filtered = [node.place for node in question.clauses.conditions]
    first = nodes[0].column
    if not joined or not filtered or min(filtered) < max(places) or first is None or first.kind.is_numeric:
        return None
    return _rows(question, [node.column for node in nodes if node.column is not None])


def _picked_values(question: Question) -> Draft | None:
    """Read `cities that start with “N”`: the different values of the column that the text is sought in."""
    conditions = [node.condition for node in question.clauses.conditions if node.condition is not None]
    column = conditions[0].column if len(conditions) == 1 else None
    if column is None or conditions[0].value is not None or column.kind.value != "text":
        return None
    if not no_extras(question, "conditions"):
        return None
    if question.is_label(column):
        return _rows(question)
    scope = scope_of(question.clauses, question.scene)
    fields: dict[str, JsonValue] = {**scope.fields, "group_by": [column.name], "select": "count() as count"}
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="distinct",
        read_as=(f"different {column.name}", *scope.read_as),
        details={"key": column.name},
    )


def _distinct(question: Question) -> Draft | None:
    """Answer with the different values of a column."""
    node = question.node("D") if question.has("D") else question.node("T")
    column = node.column
    if column is None or not no_extras(question, "conditions", "periods", "order"):
        return None
    if not question.has("X") and not question.has("V") and question.is_label(column):
        return _rows(question)
    if column.kind.is_temporal:
        return None
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((Key(column=column),), question.clauses, question.scene)
    steps_first: dict[str, JsonValue] = {**scope.fields, "group_by": [column.name]}
    order = question.clauses.order
    if order is not None and order.column is not None and order.column != column:
        return None
    fields = dict(steps_first)
    present = f"{write.name(column.name)} is not null"
    fields["where"] = f"({fields['where']}) and {present}" if "where" in fields else present
    fields["select"] = "count() as count"
    if order is not None and order.descending:
        fields["sort"] = f"{write.name(column.name)} desc"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="distinct",
        read_as=(f"different {column.name}", groups.read_as and "", *scope.read_as),
        details={"key": column.name},
    )


def _distinct_where(question: Question) -> Draft | None:
    """Read `products with unit price over 500`: the values whose rows meet a comparison."""
    filtered = any(node.condition is not None for node in question.clauses.conditions)
    if not filtered and no_extras(question):
        raise Unreadable(f"list the values of {_name(question)}, or count something by them?")
    return _distinct(question) if filtered and question.plural(question.node("D")) else None


def _name(question: Question) -> str:
    column = question.node("D").column
    return column.name if column is not None else ""


def _dates_where(question: Question) -> Draft | None:
    """Read `years when gas was over 3`, when each row is a year of its own."""
    column = question.node("T").column
    if column is None or not question.clauses.conditions or not question.is_label(column):
        return None
    return _rows(question, [column])


def _cell_of_rows(question: Question) -> Draft | None:
    """Read `what is the name of the airport with code SFO`: a column of the rows that the filters leave."""
    return _distinct(question) if question.clauses.conditions else None


def _sorted_groups(question: Question) -> Draft | None:
    """Read `countries sorted by total revenue`."""
    order, column = question.clauses.order, question.node("D").column
    measure = order.measure if order is not None else None
    if order is None or column is None or not no_extras(question, "order", "conditions", "periods"):
        return None
    if measure is None and order.column is not None and order.column.kind.is_numeric:
        measure = question.summed(order.column)
    if measure is None or question.is_label(column):
        return None
    if measure.bare and measure.column is not None:
        measure = question.summed(measure.column)
    chosen = selected(measure)
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((Key(column=column),), question.clauses, question.scene)
    fields = grouped_fields(scope, groups, (chosen,))
    direction = "desc" if order.descending else "asc"
    fields["sort"] = f"{write.name(chosen.name)} {direction}"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="measure",
        read_as=(chosen.read_as, groups.read_as, *scope.read_as, f"sorted by {chosen.name} {direction}"),
        details={"measure": chosen.name},
    )


def _having(question: Question) -> Draft | None:
    """Answer with the groups that meet a condition on an aggregate."""
    node = next(question.node(code) for code in "DTCU" if question.has(code))
    if not no_extras(question, "conditions", "periods", "bounds") or len(question.clauses.bounds) != 1:
        return None
    bound = question.clauses.bounds[0]
    key = _grouped_key(question, node)
    if key is None:
        return None
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((key,), question.clauses, question.scene)
    chosen = selected(bound.measure)
    fields = grouped_fields(scope, groups, (chosen,))
    having = f"{write.name(chosen.name)} {bound.operator} {write.number(bound.number)}"
    if bound.high is not None:
        having += f" and {write.name(chosen.name)} <= {write.number(bound.high)}"
    name = groups.names[0]
    present = f" and {write.name(name)} is not null" if name not in groups.maps else ""
    fields["having"] = having + present
    shown = f"{chosen.read_as} {bound.operator} {write.number(bound.number)}"
    if bound.high is not None:
        shown = f"{chosen.read_as} {write.number(bound.number)}–{write.number(bound.high)}"
    if question.has("K"):
        step = {name: value for name, value in fields.items() if value not in ([], {})}
        counted: dict[str, JsonValue] = {"select": "count() as count"}
        return Draft(
            tool="run_query",
            arguments=query(question.table, {"steps": [step, counted]}),
            scope=scope.read_as,
            shape="count",
            read_as=(f"number of {groups.names[0]}", f"with {shown}", *scope.read_as),
        )
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="having",
        read_as=(groups.names[0], f"with {shown}", *scope.read_as),
        details={"key": groups.names[0], "measure": chosen.name},
    )


def _grouped_key(question: Question, node: Node) -> Key | None:
    """Return what groups a noun names: a column, its calendar unit, or a unit of the date column."""
    column = node.column
    if column is not None and column.kind.is_numeric and node.sense is not None and node.sense.cost >= HEAD:
        # `хто відвідав більше 50 разів` names no groups, although a column of numbers is called after the verb.
        return None
    if column is None:
        return Key(unit=node.sense.family("unit.") if node.sense else None)
    if (
        column.kind.is_numeric
        and not question.scene.is_year(column)
        and not few_numbers(column, question.scene)
    ):
        return None
    return Key(column=column, unit=unit_of_name(column))


def _repeated(question: Question) -> Draft | None:
    """Answer with the values that occur more than once."""
    node = question.node("D") if question.has("D") else question.node("C")
    if node.column is None or not no_extras(question, "conditions", "periods"):
        return None
    if question.has("C") and question.has("E"):
        # `loans renewed more than once` is about the number of renewals.
        return None
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((Key(column=node.column),), question.clauses, question.scene)
    fields = grouped_fields(scope, groups, (selected(Measure(function="count")),))
    fields["having"] = f"count > 1 and {write.name(node.column.name)} is not null"
    if question.has("K"):
        step = {name: value for name, value in fields.items() if value not in ([], {})}
        fields = {"steps": [step, {"select": "count() as count"}]}
    shown = f"{'number of ' if question.has('K') else ''}{node.column.name} that occur more than once"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="count" if question.has("K") else "having",
        read_as=(shown, *scope.read_as),
        details={"key": node.column.name, "measure": "count"},
    )


def _first_rows(question: Question) -> Draft | None:
    """Answer with the first rows of the file."""
    if not no_extras(question):
        return None
    last = question.has("F") and question.node("F").has("rel.last", "rel.past")
    if last or (question.has("h") and question.node("h").has("tail")):
        return None
    if question.has("E") and not question.node("E").has("rows") and time_column(question.scene) is not None:
        raise Unreadable("the first in the file, or the first by date?")
    number = question.number() or (1 if question.has("F") and not question.plural_rows() else 5)
    return Draft(
        tool="run_query",
        arguments=query(question.table, {"limit": number}),
        shape="preview",
        read_as=(f"first {number} rows of the file",),
    )


def _one_row(question: Question) -> Draft | None:
    """Read `what was the close on 2023-05-10`: the cells of the one row that a date or a name picks."""
    columns = [node.column for node in question.nodes("CTDB") if node.column is not None]
    labels = {
        node.condition.column.index: node.condition.column
        for node in question.clauses.conditions
        if node.condition is not None
        and node.condition.value
        and node.condition.column is not None
        and not node.condition.negated
        and not node.condition.link
    }
    days = [node.period for node in question.clauses.periods if node.period is not None]
    single = len(days) == 1 and days[0].start is not None and days[0].start == days[0].end
    dated = time_column(question.scene, days) if single else None
    if dated is not None:
        labels[dated.index] = dated
    picked = [column for column in labels.values() if question.is_label(column)]
    if not picked or picked[0] in columns:
        return None
    return _rows(question, [picked[0], *columns])


SINGLE: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*[CTDB]+", _one_row),
    (r"LC", _shown_figures),
    (r"[DCTB][DCTB]+E?", _named_cells),
)
"""Tried before sums, which over one row say the same with fewer words."""

SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]+Ee?|W?L[WL]*e?|P[WL]*E?e?", _list_rows),
    (r"E", _bare_rows),
    (r"W*", _picked_values),
    (r"[WL]+DD", _attribute_values),
    (r"", _bare_comparison),
    (r"[WL]+[DCTB]+|[WL]+[DCTB]{2,}E", _projection),
    (r"[WL]*X[DT]V?e?|[WL]+e?V?[DT]V?e?|DV", _distinct),
    (r"[WL]*DE", _cell_of_rows),
    (r"D", _distinct_where),
    (r"L?T", _dates_where),
    (r"[WL]*D", _sorted_groups),
    (r"[WLK]*[DTUC]e?|[WL]*DE", _having),
    (r"[WL]*K?E?[DC]e?r|KdD|[WL]*dD|K[DC]d", _repeated),
    (r"[WL]*FN?E?|hN?|L?hE?|L?NE|Nh?E", _first_rows),
)
