"""Coarser bars: rows gathered by the calendar or the clock, each column by its own rule."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.calendar import week_start_of
from tabchat.engine.functions.rows import whole_sum
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.relation import Field
from tabchat.engine.types import ColumnKind
from tabchat.record import record
from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.compile.layers import Layers

_BARS: Final[Mapping[str, str]] = MappingProxyType(
    {"open": "first", "high": "max", "low": "min", "close": "last", "adj close": "last", "volume": "sum"}
)
_SUMMED: Final = word_set(
    """
    count counts number qty quantity quantities volume vol units items orders trades ticks visits clicks
    total amount revenue sales turnover income profit cost costs expense expenses
    """
)
_AVERAGED: Final = frozenset(
    ["price", "rate", "ratio", "share", "pct", "percent", "mean", "avg", "average", "median", "per"]
)
_CLOCK: Final[Mapping[str, str]] = MappingProxyType(
    {
        "1m": "1 minute",
        "5m": "5 minutes",
        "15m": "15 minutes",
        "30m": "30 minutes",
        "1h": "1 hour",
        "2h": "2 hours",
        "4h": "4 hours",
    }
)
_CALENDAR: Final[Mapping[str, str]] = MappingProxyType(
    {"monthly": "month", "quarterly": "quarter", "yearly": "year"}
)
_SHAPES: Final[Mapping[str, str]] = MappingProxyType(
    {"max": "MAX(:x)", "min": "MIN(:x)", "mean": "AVG(:x)", "sum": "SUM(:x)"}
)


@record
class Resampled:
    """A resampling: its SELECT without the FROM, the fields it gives, and what to tell about it."""

    select: exp.Select
    fields: tuple[Field, ...]
    timeframe: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def resample(layers: Layers, time: Field, timeframe: str) -> Resampled:
    """Gather the rows of `layers` into one per bucket of `timeframe`; rows without a time are left out."""
    warnings: tuple[str, ...] = ()
    if timeframe in _CLOCK and time.kind is ColumnKind.DATE:
        warnings = (f"`{time.name}` has no time of day, so `{timeframe}` is read as daily",)
        timeframe = "daily"
    bucket = _bucket(layers, time, timeframe)
    rules = {field.name: _rule(field) for field in layers.fields if field.name != time.name}
    kept = [field for field in layers.fields if rules.get(field.name)]
    columns = [
        exp.alias_(_aggregate(layers, field, rules[field.name] or ""), field.name, quoted=True)
        for field in kept
    ]
    select = exp.select(exp.alias_(bucket, time.name, quoted=True), *columns).group_by(bucket.copy())
    kind = ColumnKind.DATETIME if timeframe in _CLOCK else ColumnKind.DATE
    fields = (
        Field(name=time.name, sql_name=time.name, kind=kind),
        *(
            Field(
                name=field.name,
                sql_name=field.name,
                kind=ColumnKind.NUMBER if rules[field.name] == "mean" else field.kind,
                unit=field.unit,
            )
            for field in kept
        ),
    )
    return Resampled(
        select=select,
        fields=fields,
        timeframe=timeframe,
        notes=(_note(time, timeframe, rules),),
        warnings=warnings,
    )


def _bucket(layers: Layers, time: Field, timeframe: str) -> exp.Expr:
    x = time.column()
    if timeframe in _CLOCK:
        amount, unit = _CLOCK[timeframe].split()
        width = exp.Interval(this=exp.Literal.string(amount), unit=exp.var(unit.upper()))
        return fill("TIME_BUCKET(:width, :x)", width=width, x=x)
    if timeframe == "daily":
        return fill("CAST(:x AS DATE)", x=x)
    if timeframe == "weekly":
        return week_start_of(layers, x)
    return fill(f"CAST(DATE_TRUNC('{_CALENDAR[timeframe]}', :x) AS DATE)", x=x)


def _rule(field: Field) -> str | None:
    if field.kind is None or not field.kind.is_numeric:
        return None
    name = field.name.strip().casefold()
    if name in _BARS:
        return _BARS[name]
    words = set(re.split(r"[\W_]+", name))
    return "sum" if words & _SUMMED and not words & _AVERAGED else "mean"


def _aggregate(layers: Layers, field: Field, rule: str) -> exp.Expr:
    x = field.column()
    if rule in {"first", "last"}:
        order = [
            exp.Ordered(this=key.this.copy(), desc=rule == "last", nulls_first=rule == "last")
            for key in layers.row_order()
        ]
        return fill("FIRST(:x) FILTER (WHERE NOT :y IS NULL)", x=exp.Order(this=x, expressions=order), y=x)
    found = fill(_SHAPES[rule], x=x)
    return whole_sum(layers, field, found) if rule == "sum" else found


def _note(time: Field, timeframe: str, rules: Mapping[str, str | None]) -> str:
    used = "; ".join(f"{name} {rule}" for name, rule in rules.items() if rule)
    left_out = ", ".join(name for name, rule in rules.items() if rule is None)
    note = f"Resampled to {timeframe} by {time.name}: {used or 'no numeric columns'}"
    return f"{note}; left out: {left_out}" if left_out else note
