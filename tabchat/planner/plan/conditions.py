"""Conditions of an intent → conditions of a plan."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import AnyOf, Condition, Operator
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable
from tabchat.planner.plan.columns import tells, without_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Clause, Scalar
    from tabchat.planner.plan.columns import Columns

_SIGNS: Final = {
    Operator.EQ: "==",
    Operator.NE: "!=",
    Operator.GT: ">",
    Operator.GE: ">=",
    Operator.LT: "<",
    Operator.LE: "<=",
}
_TEXT_TESTS: Final = {
    Operator.CONTAINS: "icontains({x}, {v})",
    Operator.NOT_CONTAINS: "not icontains({x}, {v})",
    Operator.STARTS: "starts_with(lower({x}), {v})",
    Operator.ENDS: "ends_with(lower({x}), {v})",
}
_PARTS: Final = {
    "year": "year",
    "quarter": "quarter",
    "month": "month",
    "week": "week",
    "weekday": "dayofweek",
    "day": "day",
    "hour": "hour",
    "minute": "minute",
}
"""Calendar part of an intent → function of a plan."""
_CHANGES: Final = {"change": "diff", "change_pct": "pct_change", "mean": "zscore"}
_BESIDE: Final = {"row_before": "prev", "row_after": "next"}
"""Which cell of the column is compared."""
"""What is told of a number against the row before, by date, or against all rows: its sign is that of what lies above their mean."""
_CLOCK_PARTS: Final = frozenset({"hour", "minute"})
_ENDS: Final = 2


def written(clauses: Sequence[Clause], columns: Columns) -> list[str]:
    """Write clauses that all must hold, each by itself."""
    return [clause_text(clause, columns) for clause in clauses]


def of_one_row(clauses: Sequence[Clause], columns: Columns) -> list[str]:
    """Write clauses inside of a figure; raises `Unplannable` for those that look at other rows, too."""
    flat = [
        item for clause in clauses for item in (clause.conditions if isinstance(clause, AnyOf) else (clause,))
    ]
    if any(item.part in _CHANGES or item.part in _BESIDE for item in flat):
        raise Unplannable("a figure looks at its rows one by one")
    return written(clauses, columns)


def clause_text(clause: Clause, columns: Columns) -> str:
    """Write one clause."""
    if isinstance(clause, AnyOf):
        if not clause.conditions:
            raise Unplannable("an alternative needs conditions")
        return write.any_of([_condition(item, columns) for item in clause.conditions])
    return _condition(clause, columns)


def _condition(condition: Condition, columns: Columns) -> str:
    column, operator = columns.find(condition.column), condition.operator
    if operator is Operator.MISSING:
        return f"{write.name(column.name)} is null"
    if operator is Operator.PRESENT:
        return f"{write.name(column.name)} is not null"
    subject = _subject(condition, column)
    if condition.other is not None:
        return _between_columns(condition, subject, columns)
    if operator in _TEXT_TESTS:
        return _text_test(condition, column)
    if any(_is_day(value) for value in condition.values) and column.kind is ColumnKind.DATETIME:
        subject = write.call("date", subject)
    values = [_value(value, condition, column, columns) for value in condition.values]
    return compared(subject, operator, values)


def compared(subject: str, operator: Operator, values: Sequence[str]) -> str:
    """Write a comparison of a cell or a figure with written values."""
    match operator:
        case Operator.IN | Operator.NOT_IN if values:
            negated = "not " if operator is Operator.NOT_IN else ""
            return f"{subject} {negated}in [{', '.join(values)}]"
        case Operator.BETWEEN | Operator.NOT_BETWEEN if len(values) == _ENDS:
            low, high = values
            if operator is Operator.BETWEEN:
                return f"{subject} >= {low} and {subject} <= {high}"
            return f"{subject} < {low} or {subject} > {high}"
        case _ if operator in _SIGNS and len(values) == 1:
            return f"{subject} {_SIGNS[operator]} {values[0]}"
        case _:
            raise Unplannable(f"{operator} of {subject} takes another number of values")


def _between_columns(condition: Condition, subject: str, columns: Columns) -> str:
    other = columns.find(str(condition.other))
    one = columns.find(condition.column)
    alike = (
        columns.is_number(one.name) == columns.is_number(other.name)
        and one.kind.is_temporal == other.kind.is_temporal
    )
    if condition.operator not in _SIGNS or not alike:
        raise Unplannable(f"{one.name} and {other.name} cannot be compared so")
    return f"{subject} {_SIGNS[condition.operator]} {part_of(other, condition.part)}"


def _subject(condition: Condition, column: ColumnFacts) -> str:
    return part_of(column, condition.part)


def part_of(column: ColumnFacts, part: str | None) -> str:
    """Write a calendar part of a date, or the cell itself."""
    name = write.name(column.name)
    if part is None:
        return name
    if column.years and part == "year":
        return name
    if part in _BESIDE:
        return write.call(_BESIDE[part], name)
    if part in _CHANGES:
        if not column.kind.is_numeric:
            raise Unplannable(f"{column.name} is no number that changes")
        return write.call(_CHANGES[part], name)
    clocked = column.kind in {ColumnKind.DATETIME, ColumnKind.TIME}
    if part in _PARTS and tells(column, part):
        return write.call(_PARTS[part], write.call("month_start", name))
    if part not in _PARTS or not (clocked if part in _CLOCK_PARTS else column.kind.is_temporal):
        raise Unplannable(f"{column.name} has no {part}")
    return write.call(_PARTS[part], name)


def _text_test(condition: Condition, column: ColumnFacts) -> str:
    if column.kind is not ColumnKind.TEXT or len(condition.values) != 1:
        raise Unplannable(f"{column.name} is no text to look into")
    value = str(condition.values[0])
    lowered = condition.operator in {Operator.STARTS, Operator.ENDS}
    return _TEXT_TESTS[condition.operator].format(
        x=write.name(column.name), v=write.text(value.lower() if lowered else value)
    )


def _value(value: Scalar, condition: Condition, column: ColumnFacts, columns: Columns) -> str:
    """Write a value as the cells of its column are: a code that looks like a number is a text."""
    if condition.part is not None and condition.part not in _BESIDE:
        return write.literal(value)
    if columns.is_number(column.name) or column.kind is ColumnKind.BOOLEAN:
        if isinstance(value, str):
            raise Unplannable(f"{column.name} holds no texts such as {value}")
        return write.literal(value)
    if column.kind is ColumnKind.TEXT:
        text = str(value)
        return write.text(without_notes(text) if columns.is_noted(column) else text)
    return write.literal(value)


def _is_day(value: Scalar) -> bool:
    return isinstance(value, dt.date) and not isinstance(value, dt.datetime)
