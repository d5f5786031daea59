"""Figures over rows, as one row or by group; and the order, limit and ties of what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Measure, Operator, Output
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, query
from tabchat.planner.plan.conditions import compared
from tabchat.planner.plan.figures import aggregates, computed, key_columns, value_of
from tabchat.planner.plan.scope import scope_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Having, Intent, Order
    from tabchat.planner.plan.call import Fields, PlannedCall
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.figures import Aggregate, KeyColumn


@record
class Sort:
    """One key of an order: a column of the rows at hand, or an aggregate of them."""

    what: str
    """As an expression writes it."""
    descending: bool = False
    grouped: bool = False
    """True for an aggregate, which only the step that groups can sort by."""
    name: str | None = None
    """The column of the rows at hand that an aggregate stands for."""

    @property
    def text(self) -> str:
        """The entry of `sort`."""
        return f"{self.what} {'desc' if self.descending else 'asc'}"


def is_plain(intent: Intent) -> bool:
    """Tell whether a sort and a limit say it all."""
    return not (intent.limit and (intent.with_ties or intent.limit_keys)) and not intent.offset


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
    made = [dict(step) for step in steps]
    if "group_by" in made[-1]:
        made[-1]["columns"] = None if is_plain(intent) else [*shown]
    order = [sort.text for sort in (*within, *sorts)]
    # What is sorted early stays so: later steps keep the order of their rows.
    early = next((step for step in made if "group_by" in step), made[-1])
    (early if any(sort.grouped for sort in (*within, *sorts)) else made[-1])["sort"] = order
    if is_plain(intent):
        made[-1]["limit"] = intent.limit
        return made
    columns = made[-1].pop("columns", None)
    groups = [sort.name or sort.what for sort in within]
    return [*made, {"within": groups, "where": write.joined(_places(sorts, intent)), "columns": columns}]


def _places(sorts: Sequence[Sort], intent: Intent) -> list[str]:
    """Write which places are kept, of rows that an earlier step has sorted."""
    conditions = [f"row_number() > {intent.offset}"] if intent.offset else []
    if intent.limit is None:
        return conditions or ["row_number() > 0"]
    last = intent.offset + intent.limit
    if not intent.with_ties or (sorts and sorts[0].grouped):
        return [*conditions, f"row_number() <= {last}"]
    if not sorts:
        raise Unplannable("what would the ties be ties of?")
    direction = write.text("desc" if sorts[0].descending else "asc")
    return [*conditions, f"{write.call('rank', sorts[0].what, direction)} <= {last}"]


COUNT: Final = Measure(function="count")


def value(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan figures over the rows in scope; with keys, the number of groups that meet `having`."""
    if intent.keys:
        return _counted_groups(intent, columns)
    if any(measure.share for measure in intent.measures):
        raise Unplannable("a share of which total?")
    scope = scope_of(intent, columns)
    chosen = aggregates(intent.measures or (COUNT,), columns)
    # Whether there are rows is said before their number, which alone would not answer `are there any`.
    said = ["count() > 0 as exists"] if intent.output is Output.EXISTS else []
    step = {**scope.fields(), "select": [*said, *(item.select for item in chosen)]}
    return query(columns.table, [step])


def _counted_groups(intent: Intent, columns: Columns) -> PlannedCall:
    if intent.measures not in ((), (COUNT,)):
        raise Unplannable("a figure of the rows, or one for each group?")
    scope = scope_of(intent, columns)
    keys = key_columns(intent.keys, columns)
    step: Fields = {
        **scope.fields(maps=computed(keys)),
        "group_by": [key.name for key in keys],
        "select": [f"count() as {write.name(columns.fresh('count'))}"],
        "having": write.joined([*(key.present for key in keys), *having_texts(intent.having, columns)]),
    }
    return query(columns.table, [step, {"select": ["count() as count"]}])


def groups(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan figures for each group of the keys."""
    if not intent.keys:
        raise Unplannable("which groups?")
    keys = key_columns(intent.keys, columns)
    chosen = aggregates(intent.measures or (COUNT,), columns, [key.name for key in keys])
    sorts = order_of_groups(intent, keys, chosen)
    step = grouped_step(intent, keys, chosen, columns)
    ranking = intent.limit is not None or bool(intent.offset)
    if intent.having or ranking:
        # What is listed for meeting a condition, or for its place, has a name.
        present = [*(key.present for key in keys), *(_ranked_present(intent, chosen) if ranking else ())]
        step["having"] = write.joined([*having_texts(intent.having, columns), *present])
    shown = [*(key.name for key in keys), *(item.name for item in chosen)]
    within = _limits(intent, keys) if ranking else ()
    return query(columns.table, ranked([step], sorts, intent, within=within, shown=shown))


def grouped_step(
    intent: Intent, keys: Sequence[KeyColumn], chosen: Sequence[Aggregate], columns: Columns
) -> Fields:
    """Return the step that groups."""
    having = having_texts(intent.having, columns)
    return {
        **scope_of(intent, columns).fields(maps=computed(keys)),
        "group_by": [key.name for key in keys],
        "select": [item.select for item in chosen],
        "having": write.joined(having) if having else None,
    }


def having_texts(bounds: Sequence[Having], columns: Columns) -> list[str]:
    """Write conditions on groups."""
    return [bound_text(value_of(bound.measure, columns), bound) for bound in bounds]


def bound_text(subject: str, bound: Having) -> str:
    """Write a condition on a figure."""
    spaced = f"({subject})" if " " in subject else subject
    if bound.operator in {Operator.MISSING, Operator.PRESENT}:
        return f"{spaced} is {'not ' if bound.operator is Operator.PRESENT else ''}null"
    return compared(spaced, bound.operator, [write.number(item) for item in bound.values])


def order_of_groups(intent: Intent, keys: Sequence[KeyColumn], chosen: Sequence[Aggregate]) -> list[Sort]:
    """Return the order of groups: that of the intent, else that of the calendar where the names have another."""
    if intent.orders:
        return [_sort(order, keys, chosen) for order in intent.orders]
    if not any(key.rank is not None for key in keys):
        return []
    return [by_key(key) for key in keys]


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
    return Sort(what=write.call("min", key.rank), descending=descending, grouped=True, name=name)


def _ranked_present(intent: Intent, chosen: Sequence[Aggregate]) -> list[str]:
    """Write that the figures that groups are ranked by are there."""
    names = [chosen[order.measure].name for order in intent.orders if order.column is None]
    return [f"{write.name(name)} is not null" for name in dict.fromkeys(names)]


def _limits(intent: Intent, keys: Sequence[KeyColumn]) -> list[Sort]:
    """Return the groups that the limit holds in, in their order."""
    known = {item.key: item for item in keys}
    if not known.keys() >= set(intent.limit_keys):
        raise Unplannable("the limit holds in each group of what?")
    return [by_key(known[key]) for key in dict.fromkeys(intent.limit_keys)]
