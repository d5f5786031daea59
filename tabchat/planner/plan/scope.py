"""The rows that an intent is about: its conditions and periods as the first fields of a plan."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from tabchat.engine.months import span_of
from tabchat.engine.plan.periods import ScopeError, read_period
from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import (
    CLOCK_PARTS,
    MONTH_DAY,
    OWN_MEAN,
    AnyOf,
    Condition,
    Operator,
    told_columns,
)
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.columns import tells, without_notes
from tabchat.planner.plan.expressions import Unplannable, is_relative, written_period
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Clause, Intent, Period, Scalar
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.expressions import Fields

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
PARTS: Final = {
    **{part: part for part in ("year", "quarter", "month", "week", "day", "hour", "minute")},
    "weekday": "dayofweek",
}
"""Calendar part of an intent → function of a plan."""
_ACROSS: Final = {"change": "diff", "change_pct": "pct_change", "mean": "zscore"}
"""What is told of a number against the row before, by date, or against all rows: its sign is that of what lies above their mean."""
_BESIDE: Final = {"row_before": "prev", "row_after": "next"}
"""Which cell of the column is compared."""
_ENDS: Final = 2
_DAY: Final = dt.timedelta(days=1)


def written(clauses: Sequence[Clause], columns: Columns) -> list[str]:
    """Write clauses that all must hold, each by itself."""
    return [_clause(clause, columns) for clause in clauses]


def of_one_row(clauses: Sequence[Clause], columns: Columns) -> list[str]:
    """Write clauses inside of a figure; raises `Unplannable` for those that look at other rows, too."""
    if any(
        item.part in _ACROSS or item.part in _BESIDE for clause in clauses for item in _conditions(clause)
    ):
        raise Unplannable("a figure looks at its rows one by one")
    return written(clauses, columns)


def _conditions(clause: Clause) -> tuple[Condition, ...]:
    return clause.conditions if isinstance(clause, AnyOf) else (clause,)


def _clause(clause: Clause, columns: Columns) -> str:
    if not _conditions(clause):
        raise Unplannable("an alternative needs conditions")
    return write.any_of([_condition(item, columns) for item in _conditions(clause)])


def _condition(condition: Condition, columns: Columns) -> str:
    column, operator = columns.find(condition.column), condition.operator
    if operator in {Operator.MISSING, Operator.PRESENT}:
        return f"{write.name(column.name)} is {'not ' if operator is Operator.PRESENT else ''}null"
    subject = _part_of(column, condition.part, columns)
    if condition.other is not None:
        return _between_columns(condition, subject, columns)
    if operator in _TEXT_TESTS:
        return _text_test(condition, column, columns)
    texts = [write.text(value) for value in condition.values if isinstance(value, str)]
    if columns.inline and column.figures is not None and texts:
        # A cell beside the figures, as the file has it: `void`, `Total`.
        return compared(write.name(column.name), operator, texts)
    days = any(
        isinstance(value, dt.date) and not isinstance(value, dt.datetime) for value in condition.values
    )
    if days and column.kind is ColumnKind.DATETIME:
        subject = write.call("date", subject)
    return compared(
        subject, operator, [_value(value, condition, column, columns) for value in condition.values]
    )


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
    one, other = columns.find(condition.column), columns.find(str(condition.other))
    alike = (
        columns.is_number(one.name) == columns.is_number(other.name)
        and one.kind.is_temporal == other.kind.is_temporal
    )
    if condition.operator not in _SIGNS or not alike:
        raise Unplannable(f"{one.name} and {other.name} cannot be compared so")
    return compared(subject, condition.operator, [_part_of(other, condition.part, columns)])


def _part_of(column: ColumnFacts, part: str | None, columns: Columns) -> str:
    """Write a calendar part of a date, what a cell is beside others, or the cell itself."""
    name = columns.cell(column)
    if part is None or (column.years and part == "year"):
        return name
    if part in _BESIDE:
        return write.call(_BESIDE[part], name)
    if part in _ACROSS:
        if not column.kind.is_numeric:
            raise Unplannable(f"{column.name} is no number that changes")
        return write.call(_ACROSS[part], name)
    if part in PARTS and tells(column, part):
        return write.call(PARTS[part], write.call("month_start", name))
    if part == MONTH_DAY and column.kind.is_temporal:
        return f"{write.call('month', name)} * 100 + {write.call('day', name)}"
    clocked = column.kind in {ColumnKind.DATETIME, ColumnKind.TIME}
    if part not in PARTS or not (clocked if part in CLOCK_PARTS else column.kind.is_temporal):
        raise Unplannable(f"{column.name} has no {part}")
    return write.call(PARTS[part], name)


def _text_test(condition: Condition, column: ColumnFacts, columns: Columns) -> str:
    if column.kind is not ColumnKind.TEXT or len(condition.values) != 1:
        raise Unplannable(f"{column.name} is no text to look into")
    test, value = _TEXT_TESTS[condition.operator], str(condition.values[0])
    value = value.lower() if "lower" in test else value
    cell = columns.cell(column) if column.figures is None else write.name(column.name)
    return test.format(x=cell, v=write.text(value))


def _value(value: Scalar, condition: Condition, column: ColumnFacts, columns: Columns) -> str:
    """Write a value as the cells of its column are: a code that looks like a number is a text."""
    if condition.part is not None and condition.part not in _BESIDE:
        return write.literal(value)
    if columns.is_number(column.name) or column.kind is ColumnKind.BOOLEAN:
        if isinstance(value, str):
            raise Unplannable(f"{column.name} holds no texts such as {value}")
    elif column.kind is ColumnKind.TEXT:
        return write.text(without_notes(str(value)) if columns.is_noted(column) else str(value))
    return write.literal(value)


def period_condition(period: Period, columns: Columns) -> str:
    """Write a period as a condition; a relative one looks at all the rows, as `in_period` does."""
    column = columns.time(period.column)
    if column.span is not None:
        return _spelled(period, column)
    if not column.kind.is_temporal:
        raise Unplannable(f"{column.name} has years only, no months or days")
    text, name = written_period(period), write.name(column.name)
    if is_relative(period):
        return write.call("in_period", write.text(text), name)
    parts = [] if period.start is None else [f"{name} >= {write.literal(period.start)}"]
    if period.end is not None and period.end < dt.date.max:
        parts.append(f"{name} < {write.literal(period.end + _DAY)}")
    return " and ".join(parts) or f"{name} is not null"


def _spelled(period: Period, column: ColumnFacts) -> str:
    """Write a period as the texts that name its months or quarters, none of which it may cut."""
    if not column.complete:
        raise Unplannable(f"the texts of {column.name} are not all known")
    spans = {text: span for text in column.texts if (span := span_of(text)) is not None}
    try:
        said = read_period(written_period(period), max(end for _, end in spans.values()), "monday")
    except ScopeError as error:
        raise Unplannable(error.message) from error
    start, end = said.start or dt.date.min, said.end or dt.date.max
    within = {text: span for text, span in spans.items() if span[0] <= end and start <= span[1]}
    if not within:
        raise Unplannable(f"{column.name} names nothing of that period")
    if any(first < start or end < final for first, final in within.values()):
        raise Unplannable(f"{column.name} has whole {column.span}s only")
    texts = [write.text(text) for text in sorted(within, key=within.__getitem__)]
    return compared(write.name(column.name), Operator.EQ if len(texts) == 1 else Operator.IN, texts)


@record
class Scope:
    """Filters of a plan, and the columns that it reads anew before it computes with them."""

    maps: Mapping[str, str]
    where: tuple[str, ...] = ()
    """All of them hold."""
    period: str | None = None
    time_column: str | None = None

    def fields(self, *, maps: Mapping[str, str] | None = None, where: Sequence[str] = ()) -> Fields:
        """Return the fields of a step, with more computed columns and more conditions."""
        conditions = [*self.where, *where]
        return {
            "period": self.period,
            "time_column": self.time_column,
            "map": {**self.maps, **(maps or {})},
            "where": write.joined(conditions) if conditions else None,
        }

    @property
    def is_open(self) -> bool:
        """Whether all the rows are meant."""
        return not self.where and self.period is None


def scope_of(intent: Intent, columns: Columns) -> Scope:
    """Return the filters of an intent."""
    where = written([clause for clause in intent.clauses if not _is_own(clause)], columns)
    maps = columns.formulas(intent.used_columns, told_columns(intent))
    # Above the mean is above that of all rows, and not of those of the period alone.
    averaged = {one.part for clause in intent.clauses for one in _conditions(clause)} & {"mean", OWN_MEAN}
    if len(intent.periods) == 1 and not averaged:
        (period,) = intent.periods
        column = columns.time(period.column)
        if column.kind.is_temporal:
            date = _unless_first(column.name, columns)
            return Scope(maps=maps, where=tuple(where), period=written_period(period), time_column=date)
    where += period_conditions(intent.periods, columns)
    where += [
        _above_own_mean(clause, where, columns)
        for clause in intent.clauses
        if isinstance(clause, Condition) and _is_own(clause)
    ]
    return Scope(maps=maps, where=tuple(where), time_column=_row_order(intent, columns))


def _is_own(clause: Clause) -> bool:
    return isinstance(clause, Condition) and clause.part == OWN_MEAN


def _above_own_mean(condition: Condition, others: Sequence[str], columns: Columns) -> str:
    """Write what lies above or below the mean of the rows that meet all other conditions."""
    column = columns.find(condition.column)
    if not column.kind.is_numeric or not others:
        raise Unplannable(f"{column.name} has no mean of some rows")
    theirs = write.call("if", write.joined(others), columns.cell(column), "null")
    return compared(write.call("zscore", theirs), condition.operator, ["0"])


def period_conditions(periods: Sequence[Period], columns: Columns) -> list[str]:
    """Write periods as conditions that all must hold: one for each date column, which lies in any of its periods."""
    by_column: dict[str, list[str]] = {}
    for period in periods:
        name = columns.time(period.column).name
        by_column.setdefault(name, []).append(period_condition(period, columns))
    return [write.any_of(conditions) for conditions in by_column.values()]


def _row_order(intent: Intent, columns: Columns) -> str | None:
    """Return the date column that rows are ordered by, where the intent names another than the engine takes."""
    named = [key.column for key in intent.keys if key.unit is not None]
    named += [period.column for period in intent.periods]
    for name in named:
        if name is not None and columns.find(name).kind.is_temporal:
            return _unless_first(name, columns)
    return None


def _unless_first(name: str, columns: Columns) -> str | None:
    return name if columns.first_date is None or columns.first_date.name != name else None
