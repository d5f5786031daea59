"""Expressions and periods of a query that somebody else wrote → parts of an intent; `Unreadable` for what no intent says."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.plan.expressions import CALL, ExpressionError, parse_expression
from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import Condition, Measure, Operator, Period

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.engine.facts import ColumnFacts, TableFacts
    from tabchat.engine.plan.expressions import Parsed
    from tabchat.planner.intent import Clause, Scalar

_SIGNS: Final[Mapping[type[exp.Expr], Operator]] = {
    exp.EQ: Operator.EQ,
    exp.NEQ: Operator.NE,
    exp.GT: Operator.GT,
    exp.GTE: Operator.GE,
    exp.LT: Operator.LT,
    exp.LTE: Operator.LE,
}
_PARTS: Final = {
    **{name: name for name in ("year", "quarter", "month", "week", "day", "hour", "minute")},
    "dayofweek": "weekday",
}
"""Function of a plan → calendar part of an intent."""
_OF_COLUMN: Final = frozenset(
    {"count", "count_distinct", "sum", "mean", "median", "min", "max", "std", "var", "mode", "first", "last"}
)
_OPPOSITE: Final = {
    Operator.EQ: Operator.NE,
    Operator.IN: Operator.NOT_IN,
    Operator.MISSING: Operator.PRESENT,
    Operator.BETWEEN: Operator.NOT_BETWEEN,
    Operator.CONTAINS: Operator.NOT_CONTAINS,
}
_UNITS: Final = "year|quarter|month|week|day"
_LAST_DAYS: Final = re.compile(r"last_(?P<count>\d+)_(?P<unit>day)s")
_BACK: Final = re.compile(rf"previous_(?P<count>\d+)_(?P<unit>{_UNITS})s")
_AGO: Final = re.compile(rf"(\d+)_({_UNITS})s_ago")
_NEAR: Final = re.compile(rf"(this|last)_({_UNITS})")
_MONTH: Final = re.compile(r"(\d{4})-(\d{2})")
_YEAR: Final = re.compile(r"\d{4}")


class Unreadable(Exception):  # noqa: N818 - says what a query is, not that the program failed
    """No intent says this."""


def read(text: str) -> Parsed:
    """Parse an expression of a plan."""
    try:
        return parse_expression(text)
    except ExpressionError as error:
        raise Unreadable(text) from error


def column_of(tree: exp.Expr | None, facts: TableFacts) -> ColumnFacts:
    """Return the column that a bare name means, whatever its case."""
    if not isinstance(tree, exp.Column):
        raise Unreadable(str(tree))
    named = tree.name
    found = facts.column(named) or next(
        (column for column in facts.columns if column.name.casefold() == named.casefold()), None
    )
    if found is None:
        raise Unreadable(named)
    return found


def clauses_of(text: str, facts: TableFacts) -> tuple[Clause, ...]:
    """Return the conditions of a `where` that must all hold."""
    return tuple(_condition(part, facts) for part in _parts(read(text).tree))


def _parts(tree: exp.Expr) -> Iterator[exp.Expr]:
    match tree:
        case exp.Paren():
            yield from _parts(tree.this)
        case exp.And():
            yield from _parts(tree.this)
            yield from _parts(tree.expression)
        case _:
            yield tree


def _condition(tree: exp.Expr, facts: TableFacts) -> Condition:  # noqa: PLR0911 - a table of nodes
    match tree:
        case exp.Paren():
            return _condition(tree.this, facts)
        case exp.Not():
            return _denied(_condition(tree.this, facts))
        case exp.Column():
            column = column_of(tree, facts)
            if column.kind is not ColumnKind.BOOLEAN:
                raise Unreadable(column.name)
            return Condition(column=column.name, operator=Operator.EQ, values=(True,))
        case exp.Is() if isinstance(tree.expression, exp.Null):
            return Condition(column=column_of(tree.this, facts).name, operator=Operator.MISSING)
        case exp.In():
            return _compared(tree.this, Operator.IN, tree.expressions, facts)
        case exp.Between():
            return _compared(tree.this, Operator.BETWEEN, [tree.args["low"], tree.args["high"]], facts)
        case exp.Anonymous() if _function(tree) == "icontains":
            subject, value = tree.expressions
            return _compared(subject, Operator.CONTAINS, [value], facts)
        case _ if type(tree) in _SIGNS:
            return _compared(tree.this, _SIGNS[type(tree)], [tree.expression], facts)
        case _:
            raise Unreadable(str(tree))


def _denied(condition: Condition) -> Condition:
    if condition.operator not in _OPPOSITE:
        raise Unreadable(str(condition))
    if condition.values == (True,):
        return Condition(column=condition.column, operator=Operator.EQ, values=(False,))
    return Condition(
        column=condition.column,
        operator=_OPPOSITE[condition.operator],
        values=condition.values,
        part=condition.part,
    )


def _compared(subject: exp.Expr, operator: Operator, values: list[exp.Expr], facts: TableFacts) -> Condition:
    part = None
    if isinstance(subject, exp.Anonymous) and len(subject.expressions) == 1:
        part = _PARTS.get(_function(subject))
        if part is None:
            raise Unreadable(str(subject))
        (subject,) = subject.expressions
    column = column_of(subject, facts)
    return Condition(
        column=column.name,
        operator=operator,
        values=tuple(_value(value, column, part) for value in values),
        part=part,
    )


def _value(tree: exp.Expr, column: ColumnFacts, part: str | None) -> Scalar:
    match tree:
        case exp.Boolean():
            return bool(tree.this)
        case exp.Neg():
            value = _value(tree.this, column, part)
            if isinstance(value, int | float):
                return -value
        case exp.Literal() if not tree.is_string:
            number = float(tree.name)
            return int(number) if number.is_integer() and "." not in tree.name else number
        case exp.Literal() if part is None:
            return _text(tree.name, column)
    raise Unreadable(str(tree))


def _text(text: str, column: ColumnFacts) -> Scalar:
    try:
        match column.kind:
            case ColumnKind.DATE:
                return dt.date.fromisoformat(text)
            case ColumnKind.DATETIME:
                return dt.datetime.fromisoformat(text)
            case ColumnKind.TEXT:
                return text
    except ValueError as error:
        raise Unreadable(text) from error
    raise Unreadable(text)


def _function(tree: exp.Anonymous) -> str:
    return str(tree.this).removeprefix(CALL).casefold()


def measure_of(parsed: Parsed, facts: TableFacts) -> Measure:
    """Return the measure that an entry of `select` computes, its name aside."""
    tree = parsed.tree
    if not isinstance(tree, exp.Anonymous):
        raise Unreadable(parsed.text)
    function, arguments = _function(tree), tree.expressions
    if function == "count" and not arguments:
        return Measure()
    if function == "pct" and len(arguments) == 1:
        return Measure(part=tuple(_condition(part, facts) for part in _parts(arguments[0])))
    if function in _OF_COLUMN and len(arguments) == 1:
        return Measure(function=function, column=column_of(arguments[0], facts).name)
    raise Unreadable(parsed.text)


def period_of(text: str, column: str | None) -> Period:
    """Return the period of a plan."""
    if found := _BACK.fullmatch(text) or _LAST_DAYS.fullmatch(text):
        return Period(column=column, unit=found["unit"], count=int(found["count"]))
    if found := _AGO.fullmatch("1_days_ago" if text == "yesterday" else text):
        return Period(column=column, unit=found[2], ago=int(found[1]))
    if found := _NEAR.fullmatch(text):
        return Period(column=column, unit=found[2], ago=int(found[1] == "last"))
    start, colon, end = text.partition(":")
    if not colon:
        first, last, unit = _stretch(text)
        return Period(start=first, end=last, column=column, unit=unit)
    return Period(
        start=_stretch(start)[0] if start else None, end=_stretch(end)[1] if end else None, column=column
    )


def _stretch(text: str) -> tuple[dt.date, dt.date, str]:
    try:
        if _YEAR.fullmatch(text):
            return dt.date(int(text), 1, 1), dt.date(int(text), 12, 31), "year"
        if found := _MONTH.fullmatch(text):
            year, month = int(found[1]), int(found[2])
            return dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1]), "month"
        day = dt.date.fromisoformat(text)
    except ValueError as error:
        raise Unreadable(text) from error
    return day, day, "day"
