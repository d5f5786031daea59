"""From a plan and a schema to the queries that answer it; refuses a plan with all of its errors at once."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.group import aggregate_step, named
from tabchat.engine.compile.layers import Names, ordering, with_layers
from tabchat.engine.compile.output import table_step
from tabchat.engine.compile.queries import (
    Counts,
    aggregate_query,
    aggregation,
    count_query,
    ended,
    for_people,
    from_rows,
    source_query,
    table_query,
)
from tabchat.engine.compile.rows import compile_rows
from tabchat.engine.compile.step import BEHIND, HELPER, LAYER, Notes, Setting, StepContext, with_sql_name
from tabchat.engine.plan.relation import OrderKey, Relation, find_field, source_fields
from tabchat.engine.result.result import Chart, ResultKind
from tabchat.engine.types import ROW
from tabchat.errors import PlanValidationError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.compile.scope import Facts
    from tabchat.engine.compile.step import Step
    from tabchat.engine.plan.query_plan import QueryPlan
    from tabchat.engine.plan.relation import Order
    from tabchat.engine.types import Schema

_NO_SESSIONS: Mapping[str, tuple[str, str]] = MappingProxyType({})


_MOST_CUT: Final = 10_000
"""Rows of a limit beyond which nobody looks for the last one."""


@record
class Cut:
    """A limit of sorted rows."""

    limit: int
    columns: tuple[str, ...]
    """Visible columns that the rows are sorted by."""


@record
class CompiledPlan:
    """The queries of a plan and how to read what they give."""

    kind: ResultKind
    query: exp.Select
    """The answer, for an aggregation with the hidden columns of `counts`."""
    counts: Counts
    columns: tuple[str, ...]
    """Visible columns of `query`, in order."""
    source: exp.Select | None
    """The rows behind an aggregation, when they are kept."""
    source_count: exp.Select | None
    """Counts the rows behind an aggregation, for an empty result that cannot say."""
    display: exp.Select
    """The same question as SQL for people, over the table's visible columns only."""
    group_by: tuple[str, ...]
    gathers: bool
    """True when each row of the result may stand for several of the table, and `counts.behind` tells for how many."""
    chart: Chart | None
    focus: tuple[str, ...]
    units: Mapping[str, str]
    """Column of the result or of the source → unit."""
    cut: Cut | None
    """Where a limit may have left out rows that are equal to the last one."""
    bare: bool
    """True when the result is the table itself."""
    session: str | None
    timeframe: str | None
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


def compile_plan(
    plan: QueryPlan,
    schema: Schema,
    *,
    relation: str,
    sessions: Mapping[str, tuple[str, str]] = _NO_SESSIONS,
    week_start: str = "monday",
    facts: Facts | None = None,
    is_numbered: bool = True,
    whole: str = "BIGINT",
) -> CompiledPlan:
    """Compile `plan` for the rows called `relation`, which have the columns `schema` and the hidden row number.

    Raises `PlanValidationError` with every error. Without `facts`, a relative period stands for some dates
    only: enough to check the plan, not to run it. Source rows show their numbers where they are `is_numbered`.
    `whole` is the engine's type of sums of whole numbers.
    """
    setting = Setting(sessions=sessions, week_start=week_start, facts=facts, whole=whole)
    notes = Notes()
    names = Names([relation, *(column.name for column in schema)])
    layers: list[tuple[str, exp.Select]] = []
    rows = first_relation(relation, schema)
    *earlier, last = plan.steps or (plan,)
    for number, step_plan in enumerate(earlier):
        context = StepContext(
            step_plan, rows, prefix=f"steps[{number}].", names=names, setting=setting, notes=notes
        )
        rows = _hand_on(_compile_step(context), layers, names)
    prefix = f"steps[{len(earlier)}]." if plan.steps else ""
    step = _compile_step(StepContext(last, rows, prefix=prefix, names=names, setting=setting, notes=notes))
    if notes.issues:
        raise PlanValidationError(tuple(dict.fromkeys(notes.issues)))
    return _compiled(step, layers, notes, relation, names, is_numbered=is_numbered)


def first_relation(relation: str, schema: Schema) -> Relation:
    """Return the table's own rows: shown in file order, seen by row functions in the order of their dates."""
    fields = source_fields(schema)
    time = next((item for item in fields if item.kind is not None and item.kind.is_temporal), None)
    row = OrderKey(sql_name=ROW)
    return Relation(
        name=relation,
        fields=fields,
        order=(OrderKey(sql_name=time.sql_name), row) if time is not None else (row,),
        shown=(row,),
        has_row=True,
        time=time.name if time is not None else None,
    )


def _compile_step(context: StepContext) -> Step:
    compile_rows(context)
    if context.plan.group_by or context.plan.select:
        return aggregate_step(context)
    return table_step(context)


def _compiled(
    step: Step,
    earlier: Sequence[tuple[str, exp.Select]],
    notes: Notes,
    relation: str,
    names: Names,
    *,
    is_numbered: bool,
) -> CompiledPlan:
    layers = [*earlier, *step.rows.ctes]
    # Rows keep the order they are stored in unless a window, an aggregation or an earlier step came between.
    stored_order = not earlier and not any(select.find(exp.Window, exp.Group) for _, select in layers)
    counts = Counts(
        rows=names.fresh(HELPER, "source_rows"),
        used=names.fresh(HELPER, "used_rows"),
        groups=names.fresh(HELPER, "groups"),
        behind=step.before.behind or names.fresh(HELPER, BEHIND),
    )
    source = count = None
    if step.aggregation is None:
        query = with_layers(table_query(step, stored_order=stored_order), layers)
    else:
        if step.keeps_source:
            rows = source_query(step, stored_order=stored_order, is_numbered=is_numbered)
            source = with_layers(rows, layers)
        count = with_layers(count_query(step), layers)
        answer = aggregate_query(step, layers, names, counts)
        query = with_layers(answer, layers)
    unfiltered = step.rows.condition is None and step.limit is None and not step.order
    named_units = (item for item in (*step.before.fields, *step.fields) if item.label is None)
    return CompiledPlan(
        kind=step.kind,
        query=query,
        counts=counts,
        columns=tuple(item.name for item in step.fields),
        source=source,
        source_count=count,
        display=for_people(query, relation, names, counts.names),
        group_by=tuple(key for key in step.keys if key in {item.name for item in step.fields}),
        gathers=step.aggregation is not None or step.before.behind is not None,
        chart=_chart(step),
        focus=step.focus,
        units={item.name: item.unit for item in named_units if item.unit},
        cut=_cut(step),
        bare=step.aggregation is None and not layers and unfiltered,
        session=notes.session,
        timeframe=notes.timeframe,
        warnings=tuple(dict.fromkeys(notes.warnings)),
        notes=tuple(dict.fromkeys(notes.notes)),
    )


def _cut(step: Step) -> Cut | None:
    """Return the limit of a step, where what it is sorted by can be seen in its rows."""
    names = {item.sql_name: item.name for item in step.fields}
    keys = [names.get(key.sql_name) for key in step.sorted_by]
    if not step.limit or step.limit > _MOST_CUT or not keys or None in keys:
        return None
    return Cut(limit=step.limit, columns=tuple(key for key in keys if key is not None))


def _chart(step: Step) -> Chart | None:
    numeric = {item.name for item in step.fields if item.kind is not None and item.kind.is_numeric}
    value = next((name for name in step.values if name in numeric), None)
    if value is None or not step.keys or step.keys[0] not in {item.name for item in step.fields}:
        return None
    return Chart(category=step.keys[0], value=value)


__all__ = ["CompiledPlan", "compile_plan", "first_relation"]


def _hand_on(step: Step, layers: list[tuple[str, exp.Select]], names: Names) -> Relation:
    """Add the layers of a step to `layers` and return its rows as the next step reads them.

    Sorted and aggregated rows are in the order that they were given; other rows keep the order they had,
    for display and for row functions alike.
    """
    layers += step.rows.ctes
    source, condition, behind = step.rows.current, step.rows.condition, step.before.behind
    if step.aggregation is not None:
        source, condition = names.fresh(LAYER), step.having
        behind = behind or names.fresh(HELPER, BEHIND)
        layers.append((source, aggregation(step, behind)))
    order, shown, carried = _carried_order(step, names)
    if behind is not None:
        carried.append(exp.column(behind, quoted=True))
    columns = [named(item.column(), item.name) for item in step.fields]
    keys = step.order or (step.before.shown if step.aggregation is None else ())
    rows = from_rows([*columns, *carried], source, condition)
    select = rows if step.limit is None else ended(rows, ordering(keys, source), step.limit)
    name = names.fresh(LAYER)
    layers.append((name, select))
    fields = tuple(with_sql_name(item) for item in step.fields)
    time = step.before.time
    if time is None or find_field(fields, time) is None:
        time = next((item.name for item in fields if item.kind is not None and item.kind.is_temporal), None)
    has_row = step.aggregation is None and step.before.has_row
    return Relation(
        name=name, fields=fields, order=order, shown=shown, has_row=has_row, time=time, behind=behind
    )


def _carried_order(step: Step, names: Names) -> tuple[Order, Order, list[exp.Expr]]:
    """Return the orders for row functions and for display after a step, and the columns that carry them."""
    row = exp.column(ROW, quoted=True)
    carried: list[exp.Expr] = [row] if step.aggregation is None and step.before.has_row else []
    if step.order or step.aggregation is not None:
        name = names.fresh(HELPER, "order")
        keys = [key.ordered() for key in step.order]
        number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=keys) if keys else None)
        key = OrderKey(sql_name=name)
        return (key,), (key,), [*carried, named(number, name)]
    known = {ROW: ROW}
    for key in (*step.before.order, *step.before.shown):
        if key.sql_name not in known:
            known[key.sql_name] = names.fresh(HELPER, "order")
            carried.append(named(exp.column(key.sql_name, quoted=True), known[key.sql_name]))
    order, shown = (
        tuple(OrderKey(sql_name=known[key.sql_name], descending=key.descending) for key in keys)
        for keys in (step.before.order, step.before.shown)
    )
    return order, shown, carried
