"""Running a plan: check it, compile it, compute the answer once, and keep the way to the rows behind it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tabchat.engine.ast_core import exp
from tabchat.engine.compile import compile_plan, first_relation
from tabchat.engine.compile.queries import alone_rows
from tabchat.engine.compile.scope import Facts, fact_query
from tabchat.engine.compile.step import unquoted
from tabchat.engine.plan.query_plan import read_plan
from tabchat.engine.plan.relation import narrow, pinned
from tabchat.engine.result.result import Frame, Result, ResultKind, ResultMetadata
from tabchat.engine.types import ROW, whole
from tabchat.errors import PlanValidationError, SumTooLargeError
from tabchat.record import later, record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from tabchat.engine.compile import CompiledPlan, Cut
    from tabchat.engine.compile.queries import Counts
    from tabchat.engine.plan.query_plan import QueryPlan
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Schema, Value

_PLACES: Final = re.compile(
    r"(?:\(?row_number\(\) > (?P<passed>\d+)\)?)?(?: and )?(?:\(?row_number\(\) <= (?P<last>\d+)\)?)?",
    re.IGNORECASE,
)
_DIRECTION: Final = re.compile(r"\s+(?:asc|desc)$", re.IGNORECASE)
_PLACE: Final = "__place"
_LOOKED_THROUGH: Final = 1_000
"""Of places that are passed over, as many are looked at; where there are more, the last one is."""


@record
class Ties:
    """What a limit did to equal rows."""

    are_cut: bool = False
    """Whether it leaves out a row that is equal to the last one which it keeps."""
    share_places: bool = False
    """Whether rows are equal up to the first one that it keeps, where it passes over some."""


@record
class GroupCut:
    """A limit in each group of rows that were sorted before; all of them are one group where they are grouped by nothing."""

    passed: int
    """How many places are passed over first in each."""
    last: int
    """The last place that is kept in each."""
    columns: tuple[str, ...]
    """What the rows are grouped and sorted by."""

    def is_shown(self, names: Collection[str]) -> bool:
        """Tell whether columns of these `names` hold all that is to be compared."""
        shown = {name.casefold() for name in names}
        return all(column.casefold() in shown for column in self.columns)

    def within(self, rows: exp.Select) -> exp.Select:
        """Return those of `rows` that lie within the limit."""
        past = _place() > exp.Literal.number(self.passed)
        return (
            exp.select("*")
            .from_(rows.subquery("placed"))
            .where(past, _place() <= exp.Literal.number(self.last))
        )

    def ties(self, engine: Engine, rows: exp.Select) -> Ties:
        """Tell what the limit did to equals in any group."""
        shared = self.passed > 0 and self._has_equals(engine, rows, 1, self.passed + 1)
        return Ties(are_cut=self._has_equals(engine, rows, self.last, self.last + 1), share_places=shared)

    def _has_equals(self, engine: Engine, rows: exp.Select, first: int, last: int) -> bool:
        """Tell whether rows from one place to another are equal in any group."""
        columns = _columns(self.columns)
        between = exp.Between(this=_place(), low=exp.Literal.number(first), high=exp.Literal.number(last))
        several = exp.Count(this=exp.Star()) > exp.Literal.number(1)
        placed = exp.select(*columns).from_(rows.subquery("placed")).where(between)
        return bool(engine.rows(placed.group_by(*columns).having(several).limit(1)))


def widened(plan: QueryPlan) -> tuple[QueryPlan, GroupCut] | None:
    """Return a plan with the rows beside those that it keeps, and their places, where `plan` keeps some places of an order.

    These are the first places of each group, or those behind the first few of all.
    """
    *earlier, last = plan.steps or (plan,)
    places = _PLACES.fullmatch(last.where or "")
    order = last.sort or (earlier[-1].sort if earlier else ())
    if not earlier or not last.where or places is None or not order:
        return None
    passed = int(places["passed"] or 0)
    end = int(places["last"]) if places["last"] else last.limit and passed + last.limit
    if end is None or (last.limit and places["last"]):
        return None
    sorted_by = [_DIRECTION.sub("", key) for key in order]
    columns = tuple(dict.fromkeys(unquoted(name) for name in (*last.within, *sorted_by)))
    before = 0 if passed <= _LOOKED_THROUGH else passed - 1
    kept = f"row_number() > {before} and row_number() <= {end + 1}"
    shown = tuple(dict.fromkeys([*last.columns, *columns, _PLACE])) if last.columns else ()
    more = replace(last, where=kept, map=(*last.map, (_PLACE, "row_number()")), columns=shown, limit=None)
    return replace(plan, steps=(*earlier, more)), GroupCut(passed=passed, last=end, columns=columns)


def is_through_equals(engine: Engine, kept: exp.Select, cut: Cut) -> bool:
    """Tell whether the first row beyond a limit is equal to the last one within it."""
    ends = exp.select(*_columns(cut.columns)).from_(kept.subquery("kept"))
    around = engine.rows(ends.limit(2).offset(cut.limit - 1))
    return len(around) > 1 and around[0] == around[1]


def _place() -> exp.Column:
    return exp.column(_PLACE, quoted=True)


def _columns(names: Sequence[str]) -> list[exp.Column]:
    return [exp.column(name, quoted=True) for name in names]


NO_SESSIONS: Mapping[str, tuple[str, str]] = MappingProxyType({})


def plan_for(
    mapping: object,
    schema: Schema,
    *,
    sessions: Mapping[str, tuple[str, str]] = NO_SESSIONS,
) -> QueryPlan:
    """Read a plan and check it against the columns of a table, before anything runs.

    Raises `PlanValidationError` with every error, of shape and of meaning.
    """
    plan, issues = read_plan(mapping)
    try:
        compile_plan(plan, schema, relation="rows", sessions=sessions)
    except PlanValidationError as error:
        raise PlanValidationError([*issues, *error.issues]) from None
    if issues:
        raise PlanValidationError(issues)
    return plan


def run_plan(
    engine: Engine,
    table: Table,
    plan: QueryPlan,
    *,
    sessions: Mapping[str, tuple[str, str]] = NO_SESSIONS,
    week_start: str = "monday",
) -> Result:
    """Run `plan` over `table`, which is attached to `engine` under its name.

    Sums of whole numbers are 64 bits wide, as other programs know them, and where one does not fit, 128. Raises
    `PlanValidationError` with every error before anything runs, and `QueryFailedError` when the engine fails
    (an overflow, no space to spill).
    """
    compiled = partial(
        compile_plan,
        schema=table.schema,
        relation=table.name,
        sessions=sessions,
        week_start=week_start,
        is_numbered=table.is_numbered,
    )
    checked = compiled(plan)
    facts = plan_facts(engine, table, plan)
    if facts is not None:
        checked = compiled(plan, facts=facts)
    try:
        return _result(engine, table, plan, checked, partial(compiled, facts=facts))
    except SumTooLargeError:
        wide = partial(compiled, facts=facts, whole="HUGEINT")
        if wide(plan).query == checked.query:
            raise
        return _result(engine, table, plan, wide(plan), wide)


def _narrowed(compiled: CompiledPlan, table: Table) -> CompiledPlan:
    """Return the plan's queries over the visible columns alone, where the table has others.

    Its layers carry whole rows along, so that a computed column could else meet a hidden one of its name.
    """
    if not table.hidden:
        return compiled

    def narrowed(query: exp.Select) -> exp.Select:
        return narrow(query, table, ROW)

    return replace(
        compiled,
        query=narrowed(compiled.query),
        source=narrowed(compiled.source) if compiled.source is not None else None,
        source_count=narrowed(compiled.source_count) if compiled.source_count is not None else None,
    )


def plan_facts(engine: Engine, table: Table, plan: QueryPlan) -> Facts | None:
    """Look up what the scope of `plan` needs to know of the data, nothing when it needs nothing."""
    first = plan.steps[0] if plan.steps else plan
    relation = first_relation(table.name, table.schema)
    wanted = first.time_column or relation.time
    time = relation.find(wanted.strip('"`')) if wanted is not None else None
    query = fact_query(first, table.name, time)
    if query is None:
        return None
    last, has_clock = engine.rows(query)[0]
    return Facts(last=last, has_clock=bool(has_clock))  # type: ignore[arg-type] # the query casts it to a date


def _result(
    engine: Engine,
    table: Table,
    plan: QueryPlan,
    checked: CompiledPlan,
    compile_as: Callable[..., CompiledPlan],
) -> Result:
    """Run what `plan` was compiled to; `compile_as` compiles others alike."""
    compiled = _narrowed(checked, table)
    if compiled.bare:
        rows = pinned(compiled.query, [table])
        frame, counted, seen = _frame(engine, compiled, rows, rows=table.row_count), None, _Seen()
    else:
        frame, counted, seen = _computed(engine, compiled, _wide(table, plan, compile_as))
    source_rows = counted.rows if counted is not None else None
    values: tuple[Value, ...] = ()
    if compiled.kind in {ResultKind.SCALAR, ResultKind.DICT} and frame.row_count:
        values = frame.rows()[0]
    return Result(
        kind=compiled.kind,
        frame=frame,
        value=values[0] if compiled.kind is ResultKind.SCALAR and values else None,
        values=dict(zip(frame.columns, values, strict=False)) if compiled.kind is ResultKind.DICT else {},
        source=later(lambda: _source(engine, table, compiled, source_rows)),
        source_row_count=source_rows,
        chart=compiled.chart,
        group_by=compiled.group_by,
        focus=compiled.focus,
        metadata=ResultMetadata(
            rows=frame.row_count,
            session=compiled.session,
            timeframe=compiled.timeframe,
            warnings=compiled.warnings,
            notes=compiled.notes,
            used_rows=counted.used if counted is not None else None,
            groups=counted.groups if counted is not None and compiled.kind is ResultKind.GROUPED else None,
            cuts_ties=seen.ties.are_cut,
            shares_places=seen.ties.share_places,
            alone=seen.alone,
        ),
        plan=plan.to_json(),
        sql=compiled.display.sql(engine.dialect, pretty=True, identify=True),
    )


def _source(engine: Engine, table: Table, compiled: CompiledPlan, rows: int | None) -> Frame | None:
    if compiled.source is None or rows is None:
        return None
    behind = pinned(compiled.source, [table])
    schema = _with_units(engine.schema(behind), compiled)
    return Frame(engine=engine, query=behind, schema=schema, row_count=rows)


@record
class _Counted:
    """What went into an aggregation."""

    rows: int
    used: int
    """Rows that an aggregate read a value of."""
    groups: int | None
    """Groups before any were filtered or cut; not known where none is left."""


@record
class _Seen:
    """What was seen of the rows of a result."""

    ties: Ties = Ties()
    alone: int | None = None
    """Rows that stand for no more than one row of the source each."""


def _wide(
    table: Table, plan: QueryPlan, compile_as: Callable[..., CompiledPlan]
) -> tuple[CompiledPlan, GroupCut] | None:
    """Return the plan with one row more of each group, where it keeps the first ones of each."""
    found = widened(plan)
    if found is None:
        return None
    plan, groups = found
    try:
        more = _narrowed(compile_as(plan), table)
    except PlanValidationError:
        # Sorted by what its rows do not show, they cannot be compared.
        return None
    return (more, groups) if groups.is_shown(more.columns) else None


def _computed(
    engine: Engine, compiled: CompiledPlan, wide: tuple[CompiledPlan, GroupCut] | None
) -> tuple[Frame, _Counted | None, _Seen]:
    """Run the query once; returns its frame, what was counted on the way, and what was seen of its rows."""
    kept, ties, counts = _kept(engine, compiled, wide)
    names = counts.of_all if compiled.source_count is not None else ()
    extra: list[exp.Expr] = [exp.func("MAX", exp.column(name, quoted=True)) for name in names]
    behind = [alone_rows(counts.behind)] if compiled.gathers else []
    asked = exp.select(exp.Count(this=exp.Star()), *extra, *behind).from_(kept.subquery("kept"))
    facts = engine.rows(asked)[0]
    visible = exp.select(*(exp.column(name, quoted=True) for name in compiled.columns))
    query = visible.from_(kept.subquery("told")) if compiled.gathers or wide is not None else kept
    frame = _frame(engine, compiled, query, rows=whole(facts[0]))
    seen = _Seen(ties=ties, alone=whole(facts[-1]) if behind else None)
    if compiled.source_count is None:
        return frame, None, seen
    if facts[1] is None:
        rows = whole(engine.rows(compiled.source_count)[0][0])
        return frame, _Counted(rows=rows, used=rows, groups=None), seen
    rows, used, groups = map(whole, facts[1:4])
    return frame, _Counted(rows=rows, used=used, groups=groups), seen


def _kept(
    engine: Engine, compiled: CompiledPlan, wide: tuple[CompiledPlan, GroupCut] | None
) -> tuple[exp.Select, Ties, Counts]:
    """Run the query once; returns its rows, what a limit did to equals, and the hidden columns.

    To see the latter, one row more is kept and looked at, and none of the file a second time.
    """
    # Another engine than our own promises no order of kept rows.
    looks_beyond = engine.dialect == "duckdb"
    if looks_beyond and wide is not None:
        more, groups = wide
        rows = engine.materialise(more.query)
        return groups.within(rows), groups.ties(engine, rows), more.counts
    cut = compiled.cut if looks_beyond else None
    if cut is not None:
        rows = engine.materialise(compiled.query.limit(cut.limit + 1))
        return rows.limit(cut.limit), Ties(are_cut=is_through_equals(engine, rows, cut)), compiled.counts
    return engine.materialise(compiled.query), Ties(), compiled.counts


def _frame(engine: Engine, compiled: CompiledPlan, query: exp.Select, *, rows: int) -> Frame:
    schema = _with_units(engine.schema(query), compiled)
    return Frame(engine=engine, query=query, schema=schema, row_count=rows)


def _with_units(schema: Schema, compiled: CompiledPlan) -> Schema:
    return tuple(replace(column, unit=compiled.units.get(column.name)) for column in schema)
