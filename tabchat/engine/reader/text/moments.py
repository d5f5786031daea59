"""The query nodes that turn text cells into dates and times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.named_months import named_day
from tabchat.engine.reader.text.zones import ANY, ZONE
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.reader.text.dates import DateShape
    from tabchat.engine.reader.text.plans import ColumnPlan


def moments(plan: ColumnPlan, content: exp.Expression) -> list[tuple[exp.Expression, exp.Expression]]:
    """Return a condition and a value for each spelling of the dates and times of a column."""
    return [
        (nodes.call("regexp_full_match", content, shape.cell_pattern), _of_kind(plan, shape, content))
        for shape in plan.shapes
    ]


def _of_kind(plan: ColumnPlan, shape: DateShape, content: exp.Expression) -> exp.Expression:
    """Return the date, or the time of day, of a datetime in a column that a person made that."""
    moment = _moment(plan, shape, content)
    is_datetime = bool(shape.pattern and shape.clock)
    return (
        moment if plan.kind is ColumnKind.DATETIME or not is_datetime else nodes.cast(moment, plan.sql_type)
    )


def _moment(plan: ColumnPlan, shape: DateShape, content: exp.Expression) -> exp.Expression:
    if not shape.pattern:
        return _clock(shape, content)
    if shape.zone == ANY:
        return _utc(plan, shape, content)
    # A cell that is nothing but the date needs no part of it found.
    is_whole = shape.cell_pattern == shape.pattern and not shape.named
    text = content if is_whole else nodes.call("regexp_extract", content, f"^{shape.pattern}")
    parsed = nodes.cast(nodes.call("try_strptime", text, shape.date_format), "DATE")
    day = named_day(text) if shape.named else parsed
    if not shape.clock:
        return nodes.cast(day, plan.sql_type)
    return exp.Add(this=day, expression=_clock(shape, content))


def _utc(plan: ColumnPlan, shape: DateShape, content: exp.Expression) -> exp.Expression:
    """Return the moment in UTC; the engine reads offsets behind dates that begin with the year alone."""
    written = content
    if not shape.date_format.startswith("%Y"):
        local = nodes.call(
            "strftime", _moment(plan, replace(shape, zone=""), content), "%Y-%m-%d %H:%M:%S.%f"
        )
        written = nodes.call("concat", local, nodes.call("regexp_extract", content, f"({ZONE})$"))
    return nodes.call("timezone", "UTC", nodes.try_cast(written, "TIMESTAMPTZ"))


def _clock(shape: DateShape, content: exp.Expression) -> exp.Expression:
    text = nodes.call("regexp_extract", content, shape.clock_pattern)
    if shape.clock == "12":
        short = nodes.call("try_strptime", text, "%I:%M %p")
        long = nodes.call("try_strptime", text, "%I:%M:%S %p")
        return nodes.cast(nodes.call("coalesce", short, long), "TIME")
    return nodes.try_cast(text, "TIME")
