"""The rows of a step: its dates and hours, its timeframe, its groups, its computed columns and its filter."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.queries import rows_behind
from tabchat.engine.compile.scope import (
    Facts,
    ScopeError,
    is_relative,
    period_condition,
    read_period,
    read_session,
)
from tabchat.engine.compile.step import BEHIND, HELPER, as_list, lookup, split_list, suggestion, unquoted
from tabchat.engine.plan.binding import Place
from tabchat.engine.plan.expressions import has_top_level_comma
from tabchat.engine.plan.relation import Field, OrderKey
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.compile.step import StepContext

_ASSUMED_LAST: Final = dt.date(2000, 12, 31)
"""Stands for the last date while a plan is only checked."""


def compile_rows(context: StepContext) -> None:
    """Compile period, session, resample, within, map and where; `context` then holds the rows that are left."""
    _time_column(context)
    facts = context.setting.facts or Facts(last=_ASSUMED_LAST)
    _period(context, facts)
    _session(context, facts)
    _resample(context)
    _within(context)
    _map(context)
    _where(context)


def _time_column(context: StepContext) -> None:
    wanted = context.plan.time_column
    if wanted is None:
        return
    dates = [item for item in context.fields if item.kind is not None and item.kind.is_temporal]
    found = lookup(context.fields, wanted)
    if found is None or found not in dates:
        problem = (
            f"There is no column `{wanted}`." if found is None else f"Column `{found.name}` holds no dates."
        )
        hint = suggestion(wanted, dates, "Date columns") if dates else "The table has no date column."
        context.issue("time_column", wanted, problem, hint)
        return
    relation = context.relation
    replaced = {found.sql_name, relation.time}
    ties = tuple(key for key in relation.order if key.sql_name not in replaced)
    order = (OrderKey(sql_name=found.sql_name), *ties)
    context.read(replace(relation, time=found.name, order=order))


def _needed_time(context: StepContext, step: str, given: str) -> Field | None:
    if context.time is None:
        context.issue(step, given, f"`{step}` needs a date column, and there is none.", "Leave it out.")
    return context.time


def _period(context: StepContext, facts: Facts) -> None:
    period = context.plan.period
    if period is None or (time := _needed_time(context, "period", period)) is None:
        return
    try:
        span = read_period(period, facts.last or _ASSUMED_LAST, context.setting.week_start)
    except ScopeError as error:
        context.issue("period", period, error.message, error.hint)
        return
    context.layers.filter(period_condition(time, span))
    if is_relative(period):
        ends = f"the data ends on {facts.last}" if facts.last is not None else "the data has no dates"
        context.notes.notes.append(f"Period {period}: {span.start} to {span.end} ({ends})")


def _session(context: StepContext, facts: Facts) -> None:
    session = context.plan.session
    if session is None:
        return
    given = session if isinstance(session, str) else f"{session[0]}-{session[1]}"
    try:
        window = read_session(session, context.setting.sessions)
    except ScopeError as error:
        context.issue("session", given, error.message, error.hint)
        return
    clock = _clock(context, facts)
    if window is None:
        context.notes.warnings.append(f"Unknown session '{given}', using all data")
    elif clock is None:
        context.notes.notes.append(f"Session {window.name} skipped: the data has no time of day")
    else:
        context.layers.filter(window.condition(clock))
        context.notes.session = window.name
        context.notes.notes.append(f"Session {window.name}: from {window}, the end not included")


def _clock(context: StepContext, facts: Facts) -> exp.Expr | None:
    """Return the time of day of a row, if it has one."""
    time = context.time
    if time is not None and time.kind is ColumnKind.DATETIME:
        return exp.cast(time.column(), "TIME", dialect="duckdb") if facts.has_clock else None
    clock = next((item for item in context.fields if item.kind is ColumnKind.TIME), None)
    return clock.column() if clock is not None else None


def _resample(context: StepContext) -> None:
    timeframe = context.plan.resample
    if timeframe is None or (time := _needed_time(context, "resample", timeframe)) is None:
        return
    from tabchat.engine.compile.resample import resample

    made = resample(context.layers, time, timeframe)
    behind = context.relation.behind or context.names.fresh(HELPER, BEHIND)
    count = exp.alias_(rows_behind(context.relation), behind, quoted=True)
    context.layers.filter(exp.Not(this=exp.Is(this=time.column(), expression=exp.Null())))
    context.layers.push(made.select.select(count))
    ctes = context.layers.ctes
    order = (OrderKey(sql_name=time.name),)
    context.read(
        replace(
            context.relation,
            name=context.layers.current,
            fields=made.fields,
            order=order,
            shown=order,
            has_row=False,
            time=time.name,
            behind=behind,
        )
    )
    context.layers.ctes += ctes
    context.notes.timeframe = made.timeframe
    context.notes.notes += made.notes
    context.notes.warnings += made.warnings


def _within(context: StepContext) -> None:
    groups = []
    for text in context.plan.within:
        found = lookup(context.fields, text)
        if found is not None:
            groups.append(found.column())
            continue
        hint = suggestion(text, context.fields, "Columns")
        if has_top_level_comma(text):
            hint = f"Use a list: {as_list(split_list(text))}."
        elif any(unquoted(text).casefold() == name.casefold() for name, _ in context.plan.map):
            hint = f"`{text}` is computed in this step; compute it in an earlier one of `steps`."
        context.issue("within", text, f"There is no column `{text}`.", hint)
    context.layers.within = tuple(groups)


def _map(context: StepContext) -> None:
    layers = context.layers
    for name, text in context.plan.map:
        found = context.bound(f"map.{name}", text, context.binder(Place.ROW, context.fields))
        if found is None:
            layers.add_field(Field(name=name, sql_name=name, kind=None, computed=True))
            continue
        parsed, bound = found
        if parsed.alias is not None:
            context.issue(f"map.{name}", text, "`as` has no place in `map`.", "The key is the column's name.")
        sql_name = layers.define(name, bound.sql, finite=bound.finite or bound.kind is not ColumnKind.NUMBER)
        made = Field(
            name=name, sql_name=sql_name, kind=bound.kind, unit=bound.unit, label=bound.label, computed=True
        )
        layers.add_field(made)
    layers.flush()


def _where(context: StepContext) -> None:
    text = context.plan.where
    if text is None:
        return
    condition = context.condition("where", text, context.binder(Place.ROW, context.fields))
    if condition is not None:
        context.layers.flush([condition])
        context.layers.filter(condition)
