"""From a plan and a schema to the queries that answer it; refuses a plan with all of its errors at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile_step import SOURCE_ROWS, Notes, Setting, Step, StepCompiler
from tabchat.engine.functions.templates import fill
from tabchat.engine.layers import Names, ordering, with_layers
from tabchat.engine.relation import OrderKey, Relation, find_field, source_fields
from tabchat.engine.result import Chart, ResultKind
from tabchat.engine.types import ROW
from tabchat.errors import PlanIssue, PlanValidationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.compile_scope import Facts
    from tabchat.engine.functions import Label
    from tabchat.engine.plan import QueryPlan
    from tabchat.engine.relation import Field
    from tabchat.engine.types import Schema

_LABELS: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = MappingProxyType(
    {
        "weekday": (0, ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")),
        "month": (1, tuple(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])),
        "hour": (0, tuple(f"{hour:02d}:00" for hour in range(24))),
    }
)
"""Label → its first number and its words."""


@dataclass(frozen=True, kw_only=True)
class CompiledPlan:
    """The queries of a plan and how to read what they give."""

    kind: ResultKind
    query: exp.Select
    """The answer; for an aggregation with the hidden column `SOURCE_ROWS`."""
    columns: tuple[str, ...]
    """Visible columns of `query`, in order."""
    source: exp.Select | None
    """The rows behind an aggregation."""
    source_count: exp.Select | None
    """Counts them, for an empty result that cannot say."""
    display: exp.Select
    """The same question as SQL for people: no helper count, and row numbers made on the spot."""
    group_by: tuple[str, ...]
    chart: Chart | None
    focus: tuple[str, ...]
    units: Mapping[str, str]
    """Output or source column → unit."""
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
    sessions: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    week_start: str = "monday",
    facts: Facts | None = None,
) -> CompiledPlan:
    """Compile `plan` for the rows called `relation`, which have the columns `schema` and the hidden row number.

    Raises `PlanValidationError` with every error. Without `facts`, a relative period stands for some dates
    only: enough to check the plan, not to run it.
    """
    compiled, issues = check_plan(
        plan, schema, relation=relation, sessions=sessions, week_start=week_start, facts=facts
    )
    if issues or compiled is None:
        raise PlanValidationError(issues)
    return compiled


def check_plan(
    plan: QueryPlan,
    schema: Schema,
    *,
    relation: str,
    sessions: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    week_start: str = "monday",
    facts: Facts | None = None,
) -> tuple[CompiledPlan | None, tuple[PlanIssue, ...]]:
    """Compile `plan`, or say everything that is wrong with it."""
    setting = Setting(sessions=sessions, week_start=week_start, facts=facts)
    notes = Notes()
    names = Names([relation, *(column.name for column in schema), SOURCE_ROWS])
    steps = plan.steps or (plan,)
    rows = first_relation(relation, schema)
    ctes: list[tuple[str, exp.Select]] = []
    for number, step_plan in enumerate(steps):
        prefix = f"steps[{number}]." if plan.steps else ""
        compiler = StepCompiler(step_plan, rows, prefix=prefix, names=names, setting=setting, notes=notes)
        step = compiler.compile()
        if number < len(steps) - 1:
            rows = _handed_on(step, ctes, names)
    if notes.issues:
        return None, tuple(dict.fromkeys(notes.issues))
    return _compiled(step, ctes, notes, relation=relation, first=len(steps) == 1, names=names), ()


def first_relation(relation: str, schema: Schema) -> Relation:
    """Return the table's own rows: in file order, seen by row functions in the order of their dates."""
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


def _aggregated(step: Step, *, count: bool) -> exp.Select:
    """Return the SELECT of an aggregation, its FROM and WHERE included."""
    made = step.aggregation
    columns = [*made.columns, *made.helpers] if made is not None else []
    if count:
        counted = fill("SUM(COUNT(*)) OVER ()") if step.kind is ResultKind.GROUPED else fill("COUNT(*)")
        columns.append(exp.alias_(counted, SOURCE_ROWS, quoted=True))
    select = _from(exp.select(*(column.copy() for column in columns)), step)
    keys = made.keys if made is not None else ()
    return select.group_by(*(key.copy() for key in keys)) if keys else select


def _from(select: exp.Select, step: Step) -> exp.Select:
    if step.rows.condition is not None:
        select = select.where(step.rows.condition.copy())
    return select.from_(exp.table_(step.rows.current, quoted=True))


def _handed_on(step: Step, ctes: list[tuple[str, exp.Select]], names: Names) -> Relation:
    """Add the layers of a step to `ctes` and return what the next step reads."""
    ctes += step.rows.ctes
    source = step.rows.current
    condition = step.rows.condition
    if step.aggregation is not None:
        source = names.fresh("layer_{number}")
        ctes.append((source, _aggregated(step, count=False)))
        condition = step.having
    columns = [exp.alias_(item.column(), item.name, quoted=True) for item in step.fields]
    order, extra = _order_columns(step, names)
    has_row = step.aggregation is None and step.before.has_row
    columns += [exp.alias_(sql, name, quoted=True) for name, sql in extra]
    select = exp.select(*columns).from_(exp.table_(source, quoted=True))
    if condition is not None:
        select = select.where(condition)
    if step.limit is not None:
        keys = step.order or (step.before.shown if step.aggregation is None else ())
        select = select.order_by(*ordering(keys, source)) if keys else select
        select = select.limit(step.limit)
    name = names.fresh("layer_{number}")
    ctes.append((name, select))
    fields = tuple(replace(item, sql_name=item.name) for item in step.fields)
    time = step.before.time
    if time is None or find_field(fields, time) is None:
        time = next((item.name for item in fields if item.kind is not None and item.kind.is_temporal), None)
    return Relation(name=name, fields=fields, order=order[0], shown=order[1], has_row=has_row, time=time)


def _order_columns(
    step: Step, names: Names
) -> tuple[tuple[tuple[OrderKey, ...], tuple[OrderKey, ...]], list[tuple[str, exp.Expr]]]:
    """Return the row and display orders after a step, and the columns that carry them.

    Sorted and aggregated rows keep the order they were given; other rows keep the order they had.
    """
    extra: list[tuple[str, exp.Expr]] = []
    if step.aggregation is None and step.before.has_row:
        extra.append((ROW, exp.column(ROW, quoted=True)))
    if step.order or step.aggregation is not None:
        name = names.fresh("__{name}_{number}", "order")
        keys = [key.ordered() for key in step.order]
        order = exp.Order(expressions=keys) if keys else None
        extra.append((name, exp.Window(this=exp.RowNumber(), order=order)))
        key = OrderKey(sql_name=name)
        return ((key,), (key,)), extra
    carried: dict[str, OrderKey] = {ROW: OrderKey(sql_name=ROW)}
    for key in (*step.before.order, *step.before.shown):
        if key.sql_name not in carried:
            name = names.fresh("__{name}_{number}", "order")
            extra.append((name, exp.column(key.sql_name, quoted=True)))
            carried[key.sql_name] = OrderKey(sql_name=name, descending=key.descending)
    row_order = tuple(carried[key.sql_name] for key in step.before.order)
    return (row_order, tuple(carried[key.sql_name] for key in step.before.shown)), extra


def _compiled(
    step: Step,
    ctes: Sequence[tuple[str, exp.Select]],
    notes: Notes,
    *,
    relation: str,
    first: bool,
    names: Names,
) -> CompiledPlan:
    layers = [*ctes, *step.rows.ctes]
    natural = first and not step.windowed
    if step.aggregation is None:
        query = _table_query(step, natural=natural)
    else:
        query = _aggregate_query(step, layers, names)
    query = with_layers(query, layers)
    bare = first and natural and step.aggregation is None and not step.rows.ctes
    bare = bare and not step.order and step.limit is None and step.rows.condition is None
    source = None
    if step.aggregation is not None and step.explicit:
        source = with_layers(_source_query(step, natural=natural), [*ctes, *step.rows.ctes])
    count = _from(exp.select(exp.Count(this=exp.Star())), step) if step.aggregation is not None else None
    shown = {item.name for item in step.fields}
    return CompiledPlan(
        kind=step.kind,
        query=query,
        columns=tuple(item.name for item in step.fields),
        source=source,
        source_count=with_layers(count, [*ctes, *step.rows.ctes]) if count is not None else None,
        display=_for_people(query, relation, names),
        group_by=tuple(key for key in step.keys if key in shown),
        chart=_chart(step),
        focus=step.focus,
        units={
            item.name: item.unit
            for item in (*step.before.fields, *step.fields)
            if item.unit and not item.label
        },
        bare=bare,
        session=notes.session,
        timeframe=notes.timeframe,
        warnings=tuple(dict.fromkeys(notes.warnings)),
        notes=tuple(dict.fromkeys(notes.notes)),
    )


def _table_query(step: Step, *, natural: bool) -> exp.Select:
    table = step.rows.current
    query = _from(exp.select(*_projection(step.fields)), step)
    keys = step.order or (() if natural else step.before.shown)
    return _ended(query, ordering(keys, table), step.limit)


def _aggregate_query(step: Step, layers: list[tuple[str, exp.Select]], names: Names) -> exp.Select:
    inner = _aggregated(step, count=True)
    made = step.aggregation
    plain = step.having is None and made is not None and not made.helpers
    same = plain and not any(item.label for item in step.fields)
    if (
        same
        and made is not None
        and [item.name for item in step.fields] == [column.alias for column in made.columns]
    ):
        return _ended(inner, [key.ordered() for key in step.order], step.limit)
    name = names.fresh("layer_{number}")
    layers.append((name, inner))
    columns = [*_projection(step.fields), exp.column(SOURCE_ROWS, quoted=True)]
    query = exp.select(*columns).from_(exp.table_(name, quoted=True))
    if step.having is not None:
        query = query.where(step.having.copy())
    return _ended(query, ordering(step.order, name), step.limit)


def _source_query(step: Step, *, natural: bool) -> exp.Select:
    columns: list[exp.Expr] = list(_projection(step.before.fields))
    if step.before.has_row:
        taken = find_field(step.before.fields, "row") is not None
        columns.insert(
            0, exp.alias_(exp.column(ROW, quoted=True), "file_row" if taken else "row", quoted=True)
        )
    query = _from(exp.select(*columns), step)
    keys = () if natural and not step.rows.ctes else step.before.shown
    return _ended(query, ordering(keys, step.rows.current), None)


def _ended(query: exp.Select, order: Sequence[exp.Ordered], limit: int | None) -> exp.Select:
    query = query.order_by(*order) if order else query
    return query.limit(limit) if limit is not None else query


def _projection(fields: Iterable[Field]) -> list[exp.Expr]:
    columns: list[exp.Expr] = []
    for item in fields:
        shown = _labelled(item.column(), item.label) if item.label is not None else item.column()
        same = item.label is None and item.sql_name == item.name
        columns.append(shown if same else exp.alias_(shown, item.name, quoted=True))
    return columns


def _labelled(column: exp.Expr, label: Label) -> exp.Expr:
    first, words = _LABELS[label]
    branches = [
        exp.If(this=exp.Literal.number(first + place), true=exp.Literal.string(word))
        for place, word in enumerate(words)
    ]
    return exp.Case(this=column, ifs=branches)


def _chart(step: Step) -> Chart | None:
    shown = {item.name for item in step.fields}
    if step.kind is not ResultKind.GROUPED or not step.keys or step.keys[0] not in shown:
        return None
    numeric = [item.name for item in step.fields if item.kind is not None and item.kind.is_numeric]
    value = next((name for name in step.values if name in numeric), None)
    return Chart(category=step.keys[0], value=value) if value is not None else None


def _for_people(query: exp.Select, relation: str, names: Names) -> exp.Select:
    """Return the query without the helper count, its row numbers made from the table's own order."""
    shown = query.copy()
    for select in shown.find_all(exp.Select):
        kept = [column for column in select.expressions if column.alias_or_name != SOURCE_ROWS]
        select.set("expressions", kept)
    if not any(column.name == ROW for column in shown.find_all(exp.Column)):
        return shown
    numbered = names.fresh("rows_{number}")
    for table in shown.find_all(exp.Table):
        if table.name == relation:
            table.set("this", exp.to_identifier(numbered, quoted=True))
    number = exp.alias_(exp.Window(this=exp.RowNumber()), ROW, quoted=True)
    rows = exp.select(exp.Star(), number).from_(exp.table_(relation, quoted=True))
    others = list(shown.args["with_"].expressions) if shown.args.get("with_") else []
    shown.set("with_", None)
    shown = shown.with_(exp.to_identifier(numbered, quoted=True), as_=rows, copy=False)
    shown.args["with_"].set("expressions", [*shown.args["with_"].expressions, *others])
    return shown
