"""Figures over rows, as one row or by group; rows of the file; and the order, limit and ties of what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import COUNT, Measure, Operator, Output
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.expressions import Unplannable, query
from tabchat.planner.plan.figures import aggregates, computed, key_columns, value_of
from tabchat.planner.plan.scope import compared, scope_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.intent import Having, Intent, Order
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.expressions import Fields, PlannedCall
    from tabchat.planner.plan.figures import Aggregate, KeyColumn

_SHARE: Final = Measure(share=True)
_HEAD: Final = 5
"""Rows of a look at the file that says no number."""


@record
class Sort:
    """One key of an order: a column of the rows at hand, or an aggregate of them."""

    what: str
    """As an expression writes it."""
    descending: bool = False
    name: str | None = None
    """The column of the rows at hand that an aggregate stands for; only the step that groups can sort by such a one."""

    @property
    def text(self) -> str:
        """The entry of `sort`."""
        return f"{self.what} {'desc' if self.descending else 'asc'}"


def _is_cut(intent: Intent) -> bool:
    """Tell whether a limit is meant at all."""
    return intent.limit is not None or bool(intent.offset)


def ranked(
    steps: Sequence[Fields],
    sorts: Sequence[Sort],
    intent: Intent,
    *,
    within: Sequence[Sort] = (),
    shown: Sequence[str] = (),
) -> list[Fields]:
    """Return steps that sort what the last one gives, and keep what lies within the limit.

    Where ties of the last place come too, or the limit holds in each group, another step ranks the rows; `within`
    are those groups, in their order, and `shown` the columns of grouped rows. Raises `Unplannable` for ties of no order.
    """
    is_plain = not (intent.limit and (intent.with_ties or intent.limit_keys)) and not intent.offset
    made = [dict(step) for step in steps]
    order = [*within, *sorts]
    # What is sorted early stays so: later steps keep the order of their rows.
    grouping = next((step for step in made if "group_by" in step), made[-1])
    (grouping if any(sort.name for sort in order) else made[-1])["sort"] = [sort.text for sort in order]
    if is_plain:
        made[-1]["limit"] = intent.limit
        return made
    columns = [*shown] if "group_by" in made[-1] else made[-1].pop("columns", None)
    if not (within or intent.with_ties or any(sort.name for sort in sorts)):
        # Sorted again, so that what the limit leaves out can be compared with the last row.
        beyond = f"row_number() > {intent.offset}"
        last: Fields = {
            "where": beyond,
            "sort": made[-1].get("sort"),
            "limit": intent.limit,
            "columns": columns,
        }
        return [*made, last]
    groups = [sort.name or sort.what for sort in within]
    return [*made, {"within": groups, "where": write.joined(_places(sorts, intent)), "columns": columns}]


def _places(sorts: Sequence[Sort], intent: Intent) -> list[str]:
    """Write which places are kept, of rows that an earlier step has sorted."""
    conditions = [f"row_number() > {intent.offset}"] if intent.offset else []
    if intent.limit is None:
        return conditions
    last = intent.offset + intent.limit
    if not intent.with_ties or (sorts and sorts[0].name):
        return [*conditions, f"row_number() <= {last}"]
    if not sorts:
        raise Unplannable("what would the ties be ties of?")
    direction = write.text("desc" if sorts[0].descending else "asc")
    return [*conditions, f"{write.call('rank', sorts[0].what, direction)} <= {last}"]


def value(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan figures over the rows in scope; with keys, the number, or the share, of groups that meet `having`."""
    if intent.keys:
        return _counted_groups(intent, columns)
    if any(measure.share for measure in intent.measures):
        raise Unplannable("a share of which total?")
    scope = scope_of(intent, columns)
    chosen = aggregates(intent.measures or (COUNT,), columns)
    # Whether there are rows is said before their number, which alone would not answer `are there any`.
    said = ["count() > 0 as exists"] if intent.output is Output.EXISTS else []
    select: Fields = {"select": [*said, *(item.select for item in chosen)]}
    if intent.limit is None:
        return query(columns.table, [{**scope.fields(), **select}])
    # Of the first rows of an order.
    names = [write.name(columns.find(str(order.column)).name) for order in intent.orders]
    sorts = [
        Sort(what=name, descending=order.descending) for name, order in zip(names, intent.orders, strict=True)
    ]
    present = [f"{name} is not null" for name in names]
    return query(columns.table, [*ranked([scope.fields(where=present)], sorts, intent), select])


def _counted_groups(intent: Intent, columns: Columns) -> PlannedCall:
    if intent.measures not in ((), (COUNT,), (_SHARE,)):
        raise Unplannable("a figure of the rows, or one for each group?")
    scope = scope_of(intent, columns)
    keys = key_columns(intent.keys, columns)
    present, bounds = [key.present for key in keys], _having(intent.having, columns)
    step: Fields = {
        **scope.fields(maps=computed(keys)),
        "group_by": [key.name for key in keys],
        "select": [f"count() as {write.name(columns.fresh('count'))}"],
        "having": write.joined([*present, *bounds]),
    }
    if _SHARE not in intent.measures:
        return query(columns.table, [step, {"select": ["count() as count"]}])
    meets = columns.fresh("meets")
    step |= {"select": [f"{write.joined(bounds)} as {write.name(meets)}"], "having": write.joined(present)}
    return query(columns.table, [step, {"select": [f"{write.call('pct', write.name(meets))} as percent"]}])


def groups(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan figures for each group of the keys."""
    if not intent.keys:
        raise Unplannable("which groups?")
    keys = key_columns(intent.keys, columns)
    chosen = aggregates(intent.measures or (COUNT,), columns, [key.name for key in keys])
    sorts = [_sort(order, keys, chosen) for order in intent.orders]
    if not sorts and any(key.rank is not None for key in keys):
        sorts = [by_key(key) for key in keys]
    present: list[str] = []
    if intent.having or _is_cut(intent):
        # What is listed for meeting a condition, or for its place, has a name.
        present += [key.present for key in keys]
    if _is_cut(intent):
        ranks = [chosen[order.measure].name for order in intent.orders if order.column is None]
        present += [f"{write.name(name)} is not null" for name in dict.fromkeys(ranks)]
    step = grouped_step(intent, keys, chosen, columns, present)
    shown = [*(key.name for key in keys), *(item.name for item in chosen)]
    within = _limits(intent, keys) if _is_cut(intent) else ()
    return query(columns.table, ranked([step], sorts, intent, within=within, shown=shown))


def grouped_step(
    intent: Intent,
    keys: Sequence[KeyColumn],
    chosen: Sequence[Aggregate],
    columns: Columns,
    present: Iterable[str] = (),
) -> Fields:
    """Return the step that groups, and keeps the groups that meet `having` and are `present`."""
    having = [*_having(intent.having, columns), *present]
    return {
        **scope_of(intent, columns).fields(maps=computed(keys)),
        "group_by": [key.name for key in keys],
        "select": [item.select for item in chosen],
        "having": write.joined(having) if having else None,
    }


def _having(bounds: Sequence[Having], columns: Columns) -> list[str]:
    """Write conditions on groups."""
    found = []
    for bound in bounds:
        subject = value_of(bound.measure, columns)
        subject = f"({subject})" if " " in subject else subject
        if bound.operator in {Operator.MISSING, Operator.PRESENT}:
            found.append(f"{subject} is {'not ' if bound.operator is Operator.PRESENT else ''}null")
        else:
            found.append(compared(subject, bound.operator, [write.number(item) for item in bound.values]))
    return found


def _sort(order: Order, keys: Sequence[KeyColumn], chosen: Sequence[Aggregate]) -> Sort:
    if order.column is None:
        if not 0 <= order.measure < len(chosen):
            raise Unplannable("what to sort by?")
        return Sort(what=write.name(chosen[order.measure].name), descending=order.descending)
    for key in keys:
        if order.column in {key.name, key.key.column}:
            return by_key(key, descending=order.descending)
    raise Unplannable(f"groups have no {order.column} to sort by")


def by_key(key: KeyColumn, *, descending: bool = False) -> Sort:
    """Return the order of groups by one key: that of the calendar where its names have another."""
    name = write.name(key.name)
    if key.rank is None:
        return Sort(what=name, descending=descending)
    return Sort(what=write.call("min", key.rank), descending=descending, name=name)


def _limits(intent: Intent, keys: Sequence[KeyColumn]) -> list[Sort]:
    """Return the groups that the limit holds in, in their order."""
    known = {item.key: item for item in keys}
    if not known.keys() >= set(intent.limit_keys):
        raise Unplannable("the limit holds in each group of what?")
    return [by_key(known[key]) for key in dict.fromkeys(intent.limit_keys)]


def rows(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan rows of the file; those without a cell to rank them by are in no ranking."""
    scope = scope_of(intent, columns)
    if any(order.column is None for order in intent.orders):
        raise Unplannable("rows are sorted by a column")
    if any(key.column is None or key.unit for key in intent.limit_keys):
        raise Unplannable("the limit holds in each group of a column")
    ordered = [columns.find(str(order.column)) for order in intent.orders]
    groups = [columns.find(str(key.column)).name for key in intent.limit_keys]
    # Texts that name months are sorted by their days.
    starts = {item.name: columns.fresh(f"{item.name}_start") for item in ordered if item.span is not None}
    maps = {starts[item.name]: columns.moment(item) for item in ordered if item.name in starts}
    sorts = [
        Sort(what=write.name(starts.get(item.name, item.name)), descending=order.descending)
        for item, order in zip(ordered, intent.orders, strict=True)
    ]
    within = [Sort(what=write.name(name)) for name in groups]
    present = [f"{sort.what} is not null" for sort in (*(sorts if _is_cut(intent) else ()), *within)]
    step = scope.fields(maps=maps, where=present)
    # Of a computed column that ranks rows, their figures are shown as well.
    told = (columns.find(name).name for name in intent.columns) if intent.columns else columns.names
    shown = [*dict.fromkeys((*(groups if intent.columns else ()), *told, *(item.name for item in ordered)))]
    steps: list[Fields] = [step]
    if maps and groups:
        # Row functions of a step see the columns that it starts with.
        steps.append({"columns": shown})
    elif intent.columns or scope.maps or maps:
        step["columns"] = shown
    return query(columns.table, ranked(steps, sorts, intent, within=within))


def values(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the different values of columns, with how many rows have each; a missing cell is no value."""
    if not intent.columns:
        raise Unplannable("the values of which column?")
    if intent.orders:
        raise Unplannable("values come in their own order")
    names = [columns.find(name).name for name in intent.columns]
    present = write.any_of([f"{write.name(name)} is not null" for name in names])
    count = columns.fresh("count")
    step = {
        **scope_of(intent, columns).fields(where=[present]),
        "group_by": [*dict.fromkeys(names)],
        "select": [f"count() as {write.name(count)}"],
    }
    return query(columns.table, ranked([step], (), intent, shown=[*names, count]))


def head(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the first rows of the file, or of those in scope, or the last ones; both in its order."""
    limit, row = intent.limit or _HEAD, columns.fresh("row")
    shown = [columns.find(name).name for name in intent.columns]
    scope = scope_of(intent, columns)
    if not (intent.orders and intent.orders[0].descending):
        if intent.offset and not scope.is_open:
            raise Unplannable("the second one of some rows of the file")
        beyond = [f"file_row() > {intent.offset}"] if intent.offset else []
        return query(columns.table, [{**scope.fields(where=beyond), "limit": limit, "columns": shown}])
    numbered: Fields = {"map": {row: "file_row()"}, "sort": f"{write.name(row)} desc", "limit": limit}
    last: Fields = {**scope.fields(), **numbered}
    back: Fields = {"sort": f"{write.name(row)} asc", "columns": shown or [*columns.names]}
    return query(columns.table, [last, back])
