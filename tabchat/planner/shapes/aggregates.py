"""Counts, aggregates and groups: `how many orders`, `average price by brand`."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.headers import HEAD
from tabchat.planner.lacking import kept_as_text
from tabchat.planner.nodes import Measure
from tabchat.planner.plans import Draft, Unreadable, grouping_of, query, scope_of, selected, time_column
from tabchat.planner.shapes.base import no_extras
from tabchat.planner.tokens import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.nodes import Key, Node
    from tabchat.planner.plans import Grouping, Scope, Selected
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue


_BEHIND: Final = 3
"""Words from a function to the noun behind its column: `average price of products`."""


def measured(question: Question, measures: Sequence[Measure], shape: str = "measure") -> Draft | None:
    """Answer with aggregates, over all rows or in groups."""
    if not no_extras(question, "keys", "order", "per_row", "conditions", "periods"):
        return None
    clauses = question.clauses
    if any(measure.function == "count" for measure in measures):
        check_countable(question)
    if clauses.per_row and any(measure.function not in {"mean", "median"} for measure in measures):
        return None
    if not measures or (clauses.order is not None and not clauses.keys):
        return None
    _check_lists(question, measures)
    _check_rates(question, measures)
    chosen = [selected(measure) for measure in measures]
    scope = scope_of(clauses, question.scene)
    groups = grouping_of(clauses.keys, clauses, question.scene)
    fields = grouped_fields(scope, groups, chosen)
    if clauses.order is not None:
        fields["sort"] = _sort(question, groups, chosen)
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape=shape,
        read_as=(", ".join(item.read_as for item in chosen), groups.read_as, *scope.read_as),
        details={"measure": chosen[0].name},
    )


def check_countable(question: Question) -> None:
    """Refuse to count what a name picks: `number of medals of Japan` is a cell of its one row."""
    for node in question.clauses.conditions:
        condition = node.condition
        picks = condition is not None and condition.value and not condition.negated and not condition.link
        if picks and condition is not None and condition.column and question.is_label(condition.column):
            raise Unreadable(f"{condition.value} is one row: count it, or show one of its cells?")


def _check_lists(question: Question, measures: Sequence[Measure]) -> None:
    """Refuse `average price of Asia and Europe`, which may be of both together or of each."""
    listed = [
        node.condition for node in question.clauses.conditions if node.condition and node.condition.link
    ]
    times = [node.period for node in question.clauses.periods if node.period is not None]
    apart = any(len(item.ends) > 1 and item.start is None for item in times) and not question.clauses.keys
    if question.compared or not (listed or apart):
        return
    together = all(measure.function in {"sum", "count", "min", "max"} for measure in measures)
    split = apart and not together
    if split or any(item.link == "versus" or (item.link == "and" and not together) for item in listed):
        raise Unreadable("the values together, or each of them?")


_OF_TOTALS: Final = frozenset({"mean", "median", "max", "min"})


def _check_rates(question: Question, measures: Sequence[Measure]) -> None:
    """Refuse `average monthly revenue`, `highest revenue per customer`, which may be of rows or of totals."""
    for key in question.clauses.keys:
        if key.rated and key.column is not None and question.is_label(key.column):
            raise Unreadable(f"the figure of each {key.column.name}, or what comes to one on average?")
    for measure in measures:
        column = measure.column
        if measure.function not in _OF_TOTALS or column is None or not question.additive(column):
            continue
        for key in question.clauses.keys:
            if key.rated and _has_totals(question, key):
                whole = key.unit or (key.column.name if key.column is not None else "")
                raise Unreadable(
                    f"{measure.function} of {column.name} over rows, or over totals of a {whole}?"
                )


def _has_totals(question: Question, key: Key) -> bool:
    """Tell whether a group is one that sums belong to: a time of several rows, or a person."""
    if key.unit is None:
        return key.column in question.scene.evidence.people()
    dated = time_column(question.scene)
    return key.unit != "day" or dated is None or not question.is_label(dated)


def grouped_fields(scope: Scope, groups: Grouping, chosen: Sequence[Selected]) -> dict[str, JsonValue]:
    """Put filters, groups and aggregates together."""
    fields: dict[str, JsonValue] = dict(scope.fields)
    maps = fields.get("map")
    both = {**(dict(maps) if isinstance(maps, dict) else {}), **groups.maps}
    fields["map"] = both
    fields["group_by"] = list(groups.names)
    fields["select"] = [item.select for item in chosen]
    if groups.sort:
        fields["sort"] = list(groups.sort)
    return fields


def _sort(question: Question, groups: Grouping, chosen: Sequence[Selected]) -> str:
    order = question.clauses.order
    assert order is not None  # noqa: S101 - the caller looked
    direction = "desc" if order.descending else "asc"
    if order.measure is not None:
        wanted = selected(order.measure)
        names = [item.name for item in chosen if item.expr == wanted.expr]
    elif order.column is not None:
        names = [name for name in groups.names if name == order.column.name]
        names += [item.name for item in chosen if item.name.endswith(f"_{order.column.name}")]
    elif order.by_time:
        names = [name for name in groups.names if name in groups.maps]
    else:
        names = [chosen[0].name]
    if len(names) != 1:
        raise Unreadable("what to sort by?")
    return f"{write.name(names[0])} {direction}"


def _of_text(question: Question) -> Draft | None:
    """Refuse `average viewers` of cells such as `9.41` and `TBA`, which are a text to the table."""
    column = question.node("D").column
    table = question.scene.table
    said = kept_as_text(table, column) if column is not None else None
    if said is not None:
        raise Unreadable(said)
    return None


def _count(question: Question) -> Draft | None:
    return measured(question, (Measure(function="count"),), "count")


def _count_filtered(question: Question) -> Draft | None:
    """Read `how many are pending`, `count by region`: about the rows because only filters or groups follow."""
    clauses = question.clauses
    grouped = clauses.keys and not question.node("K").has("howmuch")
    return _count(question) if clauses.conditions or clauses.periods or grouped else None


def _measures(question: Question) -> Draft | None:
    places = [node.place for node in question.nodes("MC")]
    joined = all(
        any(one < joint < two for joint in question.clauses.joints) for one, two in itertools.pairwise(places)
    )
    if not joined:
        # Two columns side by side are not a list: `total gold` in a table that has both.
        return None
    measures = question.measures()
    if any(_asked_itself(node) for node in question.nodes("E")) and _counts_nothing(measures):
        # `max price year` asks for the year of the highest price as well as for that price.
        return None
    return measured(question, measures)


def _of_things(question: Question) -> Draft | None:
    """Read `average price of products` where a product has several rows: the figure is of the rows."""
    node, measure = question.node("D"), question.nodes("M")[-1]
    column = node.column
    if column is None or column not in question.scene.evidence.columns("product"):
        return None
    as_headed = fold(node.text) == column.words[-1]
    behind = 0 < node.place - measure.place <= _BEHIND and measure.measures[0].function != "count"
    named = any(item.condition and item.condition.column == column for item in question.clauses.conditions)
    return measured(question, question.measures()) if behind and not as_headed and not named else None


def _asked_itself(node: Node) -> bool:
    """Tell whether a column that names the rows may be asked for, rather than stand for the rows (`of patients`)."""
    column = node.column
    if column is None:
        return False
    as_headed = fold(node.text) == column.words[-1] and not node.names("entity.")
    return column.kind.value != "text" or as_headed


def _counts_nothing(measures: Sequence[Measure]) -> bool:
    return all(measure.function != "count" for measure in measures)


def _shared_function(question: Question) -> Draft | None:
    """Read `total wounds and deaths`: one function of several columns that are joined."""
    first = question.node("M").measures
    nodes = question.nodes("MC")
    columns = [node.column for node in nodes[1:] if node.column is not None]
    joined = all(
        any(one.place < joint < two.place for joint in question.clauses.joints)
        for one, two in itertools.pairwise(nodes)
    )
    plain = len(first) == 1 and first[0].column is not None and first[0].parameter is None
    if not joined or not plain or any(column == first[0].column for column in columns):
        return None
    return measured(question, (*first, *(replace(first[0], column=column) for column in columns)))


def is_filtered(noun: Node, question: Question) -> bool:
    """Tell whether a noun stands right behind a filter, as that which it is of: `without cancelled orders`."""
    clauses = question.clauses
    before = [node for node in (*clauses.core, *clauses.conditions) if node.place < noun.place]
    last = max(before, key=lambda node: node.place, default=None)
    return last is not None and last.condition is not None


def _columns(question: Question) -> Draft | None:
    if any(node.column is not None and not is_filtered(node, question) for node in question.nodes("E")):
        # The column that names the rows is no word for them beside another column: `order id and revenue`.
        return None
    before = [node.place for node in question.nodes("E") if node.place < question.node("C").place - 1]
    if before:
        raise Unreadable("rows that have such a figure, or its sum?")
    compared = {
        node.condition.column.index
        for node in question.clauses.conditions
        if node.condition is not None and node.condition.column is not None and node.condition.value is None
    }
    if any(node.column is not None and node.column.index in compared for node in question.nodes("C")):
        # `which rides cost more than 25` asks for rides; nobody adds up what was only compared.
        return None
    return _measures(question)


def _count_distinct(question: Question) -> Draft | None:
    node = question.node("D") if question.has("D") else question.node("T")
    if node.column is None:
        return None
    if not question.has("X") and question.is_label(node.column):
        return _count(question)
    if not question.has("X") and node.sense is not None and node.sense.cost >= HEAD:
        # `active subscriptions` beside a column of subscription types: the rows, rather than the types.
        raise Unreadable(f"count the rows, or the different values of {node.column.name}?")
    return measured(question, (Measure(function="count_distinct", column=node.column),), "distinct_count")


def _count_dates(question: Question) -> Draft | None:
    """Read `how many months had losses`, when each row is a month of its own."""
    column = question.node("T").column
    return _count(question) if column is not None and question.is_label(column) else None


def _quantity(question: Question) -> Draft | None:
    """Read `how many units`, `number of nights`: the sum of a column of quantities."""
    column = question.node("C").column
    quantities = question.scene.meanings.get("quantity", ())
    if column is None or not (column in quantities or question.scene.counts(column)):
        return None
    return measured(question, (Measure(function="sum", column=column),))


def _extreme(question: Question) -> Draft | None:
    """Read `highest close`: an extreme of one column."""
    node, column = question.node("S"), question.node("C").column
    if column is None or (question.has("W") and question.codes.index("W") + 1 == question.codes.index("C")):
        return None
    if question.is_scaled(question.node("C")):
        return None
    function = "max" if node.has("super.max") else "min"
    return measured(question, (Measure(function=function, column=column),))


def _extreme_date(question: Question) -> Draft | None:
    column = question.node("T").column
    if column is None:
        return None
    return measured(question, (Measure(function=_end(question), column=column),))


def _end(question: Question) -> str:
    return (
        "max"
        if any(node.has("super.late", "rel.last", "rel.past") for node in question.nodes("AF"))
        else "min"
    )


def _when_extreme(question: Question) -> Draft | None:
    """Read `when was the first order`: the first date."""
    column = time_column(question.scene)
    if column is None:
        raise Unreadable("the table has no date column")
    return measured(question, (Measure(function=_end(question), column=column),))


def _total_count(question: Question) -> Draft | None:
    """Read `total number of rows`, where the total is the number."""
    measures = question.measures()
    return measured(question, measures, "count") if measures == (Measure(function="count"),) else None


def _mean_count(question: Question) -> Draft | None:
    """Read `average number of orders per customer`: the mean over the groups."""
    measures = question.measures()
    keys = question.clauses.keys
    mean = question.node("f").has("agg.mean")
    if not mean or measures != (Measure(function="count"),) or len(keys) != 1 or keys[0].unit is not None:
        return None
    if not no_extras(question, "keys", "conditions", "periods"):
        return None
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of(keys, question.clauses, question.scene)
    fields = grouped_fields(scope, groups, (selected(measures[0]),))
    fields["having"] = f"{write.name(groups.names[0])} is not null"
    step = {name: value for name, value in fields.items() if value not in ([], {})}
    mean_step: dict[str, JsonValue] = {"select": "mean(count) as mean_count"}
    return Draft(
        tool="run_query",
        arguments=query(question.table, {"steps": [step, mean_step]}),
        scope=scope.read_as,
        shape="measure",
        read_as=(f"mean number of rows per {groups.names[0]}", *scope.read_as),
        details={"measure": "mean_count"},
    )


def _named_rows(question: Question) -> Draft | None:
    """Read `failures by station`, `orders per channel`: rows, counted by group."""
    nouns = [
        node for node in question.clauses.conditions if node.condition is not None and node.condition.noun
    ]
    if not question.clauses.keys or question.clauses.order is not None:
        return None
    if not question.has("E") and not nouns:
        return None
    question.check_counted()
    return _count(question)


def _correlation(question: Question) -> Draft | None:
    columns = [node.column for node in question.nodes("C") if node.column is not None]
    if len(columns) != 2 or columns[0] == columns[1]:  # noqa: PLR2004 - a correlation has two sides
        return None
    if not no_extras(question, "conditions", "periods", "keys"):
        return None
    first, second = (column.name for column in columns)
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of(question.clauses.keys, question.clauses, question.scene)
    fields: dict[str, JsonValue] = dict(scope.fields)
    maps = fields.get("map")
    fields["map"] = {**(dict(maps) if isinstance(maps, dict) else {}), **groups.maps}
    fields["group_by"] = list(groups.names)
    fields["select"] = f"{write.call('correlation', write.name(first), write.name(second))} as correlation"
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="correlation",
        read_as=(f"correlation of {first} and {second}", groups.read_as, *scope.read_as),
        details={"measure": "correlation"},
    )


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*M+E?e?", _measures),
    (r"[WL]*MC+E?", _shared_function),
    (r"[WL]*MD", _of_things),
    (r"[WL]*(aM|Ma)", _total_count),
    (r"[WL]*E?C+E?", _columns),
    (r"[WL]*K[Ee]?|[WL]*EK", _count_filtered),
    (r"[WL]*K[XV]?DV?e?|[WL]*K[XV]TV?e?", _count_distinct),
    (r"[WL]*X?KD", _count_distinct),
    (r"[WL]*KT", _count_dates),
    (r"[WL]*[af]D", _of_text),
    (r"[WL]*KCE?", _quantity),
    (r"[WL]*SC", _extreme),
    (r"[WL]*[AF]T", _extreme_date),
    (r"Q[AF]E|[AF]EQ", _when_extreme),
    (r"[WL]*fM", _mean_count),
    (r"[WL]*E?", _named_rows),
    (r"[WLe]*ZC{2}|CZC|W?CCZ", _correlation),
)
"""Patterns over the whole core, and what answers them."""
