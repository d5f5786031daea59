"""Conditions on one column, typed by a person or taken from a cell."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.types import FROM_ISO, Column, ColumnKind
from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tabchat.engine.types import Value


class Operator(StrEnum):
    """How a cell is compared."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    HOLDS = "~"
    """The cell's text holds this text, whatever the case."""
    EMPTY = "is empty"
    NOT_EMPTY = "is not empty"


_TYPED: Final = ("<=", ">=", "!=", "<>", "==", "<", ">", "=", "~")
"""Operators as they are typed, the longer ones first."""
_SAME: Final = {"<>": "!=", "==": "="}
_SHAPES: Final[Mapping[Operator, str]] = {
    Operator.EQUAL: ":cell IS NOT DISTINCT FROM :value",
    Operator.UNEQUAL: ":cell IS DISTINCT FROM :value",
    Operator.LESS: ":cell < :value",
    Operator.AT_MOST: ":cell <= :value",
    Operator.MORE: ":cell > :value",
    Operator.AT_LEAST: ":cell >= :value",
    Operator.EMPTY: ":cell IS NULL",
    Operator.NOT_EMPTY: "NOT :cell IS NULL",
}
_EXAMPLES: Final = {
    ColumnKind.INTEGER: "> 100, <= 5, = 7",
    ColumnKind.NUMBER: "> 100, <= 5.5, = 7",
    ColumnKind.BOOLEAN: "true, false, empty",
    ColumnKind.DATE: ">= 2024-01-31, = 2024-01-31",
    ColumnKind.DATETIME: ">= 2024-01-31, < 2024-01-31 12:30",
    ColumnKind.TIME: ">= 09:30",
    ColumnKind.TEXT: "part of the text, = the whole text, empty, not empty",
    ColumnKind.OTHER: "part of the text, empty, not empty",
}


@record
class Filter:
    """One condition; several hold together."""

    column: Column
    operator: Operator
    value: Value = None

    @property
    def text(self) -> str:
        """The condition as a person reads it; a cell in it is not inert yet."""
        if self.operator in {Operator.EMPTY, Operator.NOT_EMPTY}:
            return f"{self.column.name} {self.operator.value}"
        return f"{self.column.name} {self.operator.value} {self.value!s}"

    def condition(self) -> exp.Expr:
        """Return the condition over the column's name."""
        cell = exp.column(self.column.name, quoted=True)
        if self.operator is Operator.HOLDS:
            return holds(self.column.name, str(self.value))
        if self.operator in {Operator.EMPTY, Operator.NOT_EMPTY}:
            return fill(_SHAPES[self.operator], cell=cell)
        return fill(_SHAPES[self.operator], cell=cell, value=_literal(self.value, self.column))


def holds(name: str, text: str) -> exp.Expr:
    """Return the condition that the text of a column holds `text`, whatever the case."""
    cell = exp.cast(exp.column(name, quoted=True), "VARCHAR", dialect="duckdb")
    # The engine folds both: it has other small letters for some than Python.
    sought = exp.Lower(this=exp.Literal.string(text))
    return exp.func("contains", exp.Lower(this=cell), sought, dialect="duckdb")


def all_of(filters: Iterable[Filter]) -> exp.Expr | None:
    """Return the condition that all filters hold; None for none."""
    conditions = [item.condition() for item in filters]
    return exp.and_(*conditions) if conditions else None


def same_as(column: Column, value: Value) -> Filter:
    """Return the condition that a cell is like this one; raises `UsageError` for a value that is no plain one."""
    if value is None:
        return Filter(column=column, operator=Operator.EMPTY)
    if isinstance(value, (list, dict, bytes, dt.timedelta)):
        message = f"Cells of {column.name!r} cannot be compared: they are {column.sql_type}."
        raise UsageError(message, hint="f filters by a part of their text.")
    return Filter(column=column, operator=Operator.EQUAL, value=value)


def parse_filter(column: Column, typed: str) -> Filter:
    """Read a condition as it is typed: `> 100`, `= Asia`, `part of a text`, `empty`; raises `UsageError`."""
    text = typed.strip()
    if text.lower() in {"empty", "null", "= empty"}:
        return Filter(column=column, operator=Operator.EMPTY)
    if text.lower() in {"not empty", "not null", "!= empty"}:
        return Filter(column=column, operator=Operator.NOT_EMPTY)
    sign = next((sign for sign in _TYPED if text.startswith(sign)), "")
    text = text.removeprefix(sign).strip()
    if not text:
        raise _unreadable(column, typed)
    is_text = column.kind in {ColumnKind.TEXT, ColumnKind.OTHER}
    operator = Operator(_SAME.get(sign, sign) or (Operator.HOLDS if is_text else Operator.EQUAL))
    if operator is Operator.HOLDS:
        return Filter(column=column, operator=operator, value=text)
    if column.kind is ColumnKind.OTHER:
        raise _unreadable(column, typed)
    try:
        return Filter(column=column, operator=operator, value=_value(column.kind, text))
    except (ValueError, InvalidOperation) as error:
        raise _unreadable(column, typed) from error


def _unreadable(column: Column, typed: str) -> UsageError:
    message = f"{typed.strip()!r} is no condition on {column.name!r}, whose cells are {column.kind.value}."
    return UsageError(message, hint=f"Such as {_EXAMPLES[column.kind]}.")


def _value(kind: ColumnKind, text: str) -> Value:
    match kind:
        case ColumnKind.INTEGER | ColumnKind.NUMBER:
            number = Decimal(text.replace(",", "").replace("_", ""))
            if not number.is_finite():
                raise ValueError(text)
            return number
        case ColumnKind.BOOLEAN:
            return _truth(text)
        case _ if kind in FROM_ISO:
            return FROM_ISO[kind](text)
        case _:
            return text


def _truth(text: str) -> bool:
    if text.lower() not in {"true", "yes", "false", "no"}:
        raise ValueError(text)
    return text.lower() in {"true", "yes"}


def _literal(value: Value, column: Column) -> exp.Expr:
    match value:
        case bool():
            return exp.true() if value else exp.false()
        case Decimal() | int() if column.sql_type not in {"DOUBLE", "FLOAT"}:
            # A number of another scale than the column's is compared as it is, not rounded to the column's.
            number = exp.Literal.number(f"{abs(value):f}")
            return number if value >= 0 else exp.Neg(this=number)
        case dt.datetime():
            text = value.isoformat(sep=" ")
        case dt.date() | dt.time():
            text = value.isoformat()
        case _:
            text = str(value)
    return exp.cast(exp.Literal.string(text), column.sql_type, dialect="duckdb")
