"""A query that a person or a model wrote → the intent that it computes, where it is a simple one.

Only what an intent can say is taken over: a query of several steps, of computed columns or of another table gives none.
The names that a query gives its results are not kept.
"""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.plan.expressions import CALL, ExpressionError, parse_expression
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.types import ColumnKind
from tabchat.errors import PlanValidationError
from tabchat.planner.intent import COUNT, MONTH_DAY, Condition, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.plan import plan_of
from tabchat.planner.plan.columns import Columns
from tabchat.planner.plan.expressions import UnknownPeriod, Unplannable, period_of
from tabchat.planner.plan.figures import OF_ANYTHING, OF_NUMBERS, STEPS, key_columns
from tabchat.planner.plan.scope import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.chat.turn.messages import ToolCall
    from tabchat.engine.facts import ColumnFacts, TableFacts
    from tabchat.engine.plan.expressions import Parsed
    from tabchat.engine.plan.query_plan import QueryPlan
    from tabchat.planner.intent import Scalar

_CALENDAR: Final = (*sorted(STEPS), "month_name", "quarter_name", "weekday", "hour_of_day")
_BEYOND: Final = ("session", "resample", "within", "having", "steps")
"""Fields that no intent says, or not by themselves."""
_FUNCTIONS: Final = (OF_NUMBERS | OF_ANYTHING) - {"percentile"}
_PARTS: Final = {function: part for part, function in PARTS.items()}
_SIGNS: Final[Mapping[type[exp.Expr], Operator]] = {
    exp.EQ: Operator.EQ,
    exp.NEQ: Operator.NE,
    exp.GT: Operator.GT,
    exp.GTE: Operator.GE,
    exp.LT: Operator.LT,
    exp.LTE: Operator.LE,
}
_OPPOSITE: Final = {
    Operator.EQ: Operator.NE,
    Operator.IN: Operator.NOT_IN,
    Operator.MISSING: Operator.PRESENT,
    Operator.BETWEEN: Operator.NOT_BETWEEN,
    Operator.CONTAINS: Operator.NOT_CONTAINS,
}
_TEXTS: Final[Mapping[ColumnKind, Callable[[str], Scalar]]] = {
    ColumnKind.DATE: dt.date.fromisoformat,
    ColumnKind.DATETIME: dt.datetime.fromisoformat,
    ColumnKind.TEXT: str,
}
"""What a text of a plan is in a column of each kind."""


class _Unreadable(Exception):  # noqa: N818 - says what a query is, not that the program failed
    """No intent says this."""


def intent_of(call: ToolCall, facts: TableFacts) -> Intent | None:
    """Return what a call of `run_query` over the table of `facts` computes; None for all that is not simple."""
    if call.name != "run_query" or call.arguments.get("table", facts.name) != facts.name:
        return None
    fields = {name: value for name, value in call.arguments.items() if name not in {"table", "title"}}
    try:
        intent = _Query(parse_plan(fields), facts).intent()
        plan_of(intent, facts)
    except (PlanValidationError, _Unreadable, UnknownPeriod, Unplannable):
        return None
    return intent


class _Query:
    """One flat query over one table."""

    def __init__(self, plan: QueryPlan, facts: TableFacts) -> None:
        if any(getattr(plan, name) for name in _BEYOND):
            raise _Unreadable
        self._plan = plan
        self._facts = facts
        self._keys = self._computed()
        self._sorts = [_sorted(text) for text in plan.sort]

    def intent(self) -> Intent:
        plan = self._plan
        where = () if plan.where is None else _parts(_read(plan.where).tree)
        date = None if plan.time_column is None else self._column(plan.time_column)
        scope = Intent(
            output=Output.ROWS,
            clauses=tuple(_condition(part, self._facts) for part in where),
            periods=() if plan.period is None else (period_of(plan.period, date),),
            limit=plan.limit,
        )
        if plan.select or plan.group_by:
            return self._figures(scope)
        if self._keys:
            raise _Unreadable
        orders = tuple(Order(column=self._column(name), descending=down) for name, down in self._sorts)
        return replace(scope, columns=tuple(map(self._column, plan.columns)), orders=orders)

    def _figures(self, scope: Intent) -> Intent:
        plan = self._plan
        parsed = [_read(text) for text in plan.select]
        measures = tuple(_measure(item, self._facts) for item in parsed) or (COUNT,)
        names = [item.alias or item.text for item in parsed] or ["count"]
        keys = tuple(map(self._key, plan.group_by))
        if plan.columns or len(set(measures)) < len(measures) or set(self._keys) - set(plan.group_by):
            raise _Unreadable
        if not keys:
            if plan.sort or plan.limit:
                raise _Unreadable
            return replace(scope, output=Output.VALUE, measures=measures)
        orders = tuple(replace(self._order(name, names), descending=down) for name, down in self._sorts)
        return replace(scope, output=Output.GROUPS, measures=measures, keys=keys, orders=orders)

    def _order(self, name: str, names: list[str]) -> Order:
        if name in names:
            return Order(measure=names.index(name))
        if name in self._plan.group_by:
            return Order(column=self._key(name).column)
        raise _Unreadable(name)

    def _key(self, name: str) -> Key:
        return self._keys.get(name) or Key(column=self._column(name))

    def _computed(self) -> Mapping[str, Key]:
        """Return the computed columns, all of which must be calendar units of dates."""
        columns = Columns(self._facts)
        dates = [column.name for column in self._facts.columns if column.kind.is_temporal]
        known: dict[str, Key] = {}
        for key in (Key(column=date, unit=unit) for date in dates for unit in _CALENDAR):
            with suppress(Unplannable):
                known[_plain(str(key_columns([key], columns)[0].formula))] = key
        try:
            return {name: known[_plain(text)] for name, text in self._plan.map}
        except KeyError as error:
            raise _Unreadable from error

    def _column(self, name: str) -> str:
        return _column(exp.column(name), self._facts).name


def _sorted(text: str) -> tuple[str, bool]:
    """Return the name and whether it falls: `revenue desc`."""
    name, _, direction = text.rpartition(" ")
    if direction.casefold() in {"asc", "desc"} and name:
        return name.strip().strip('"'), direction.casefold() == "desc"
    return text.strip().strip('"'), False


def _plain(text: str) -> str:
    return "".join(text.split()).replace('"', "").casefold()


def _read(text: str) -> Parsed:
    try:
        return parse_expression(text)
    except ExpressionError as error:
        raise _Unreadable(text) from error


def _column(tree: exp.Expr, facts: TableFacts) -> ColumnFacts:
    """Return the column that a bare name means, whatever its case."""
    if not isinstance(tree, exp.Column):
        raise _Unreadable(str(tree))
    folded = tree.name.casefold()
    found = facts.column(tree.name) or next(
        (column for column in facts.columns if column.name.casefold() == folded), None
    )
    if found is None:
        raise _Unreadable(tree.name)
    return found


def _parts(tree: exp.Expr) -> list[exp.Expr]:
    """Return the conditions that must all hold."""
    tree = tree.unnest()
    return [*_parts(tree.this), *_parts(tree.expression)] if isinstance(tree, exp.And) else [tree]


def _condition(tree: exp.Expr, facts: TableFacts) -> Condition:  # noqa: PLR0911 - a table of nodes
    tree = tree.unnest()
    match tree:
        case exp.Not():
            return _denied(_condition(tree.this, facts))
        case exp.Column() if (column := _column(tree, facts)).kind is ColumnKind.BOOLEAN:
            return Condition(column=column.name, operator=Operator.EQ, values=(True,))
        case exp.Is() if isinstance(tree.expression, exp.Null):
            return Condition(column=_column(tree.this, facts).name, operator=Operator.MISSING)
        case exp.In():
            return _compared(tree.this, Operator.IN, tree.expressions, facts)
        case exp.Between():
            return _compared(tree.this, Operator.BETWEEN, [tree.args["low"], tree.args["high"]], facts)
        case exp.Anonymous() if _function(tree) == "icontains":
            subject, value = tree.expressions
            return _compared(subject, Operator.CONTAINS, [value], facts)
        case _ if type(tree) in _SIGNS:
            return _compared(tree.this, _SIGNS[type(tree)], [tree.expression], facts)
    raise _Unreadable(str(tree))


def _denied(condition: Condition) -> Condition:
    if condition.operator not in _OPPOSITE:
        raise _Unreadable(str(condition))
    if condition.values and condition.values[0] is True:
        return replace(condition, values=(False,))
    return replace(condition, operator=_OPPOSITE[condition.operator])


def _compared(
    subject: exp.Expr, operator: Operator, values: Sequence[exp.Expr], facts: TableFacts
) -> Condition:
    part, subject = _calendar_part(subject)
    column = _column(subject, facts)
    read = tuple(_value(value, column, part) for value in values)
    return Condition(column=column.name, operator=operator, values=read, part=part)


def _calendar_part(subject: exp.Expr) -> tuple[str | None, exp.Expr]:
    """Return the part of a date that is compared, and the date; raises `_Unreadable` for other figures."""
    match subject:
        case exp.Add(this=exp.Mul(this=exp.Anonymous() as month), expression=exp.Anonymous() as day) if (
            str(subject.this.expression) == "100"
            and (_function(month), _function(day)) == ("month", "day")
            and month.expressions == day.expressions
        ):
            return MONTH_DAY, day.expressions[0]
        case exp.Anonymous(expressions=[date]):
            if _function(subject) not in _PARTS:
                raise _Unreadable(str(subject))
            return _PARTS[_function(subject)], date
    return None, subject


def _value(tree: exp.Expr, column: ColumnFacts, part: str | None) -> Scalar:
    match tree:
        case exp.Boolean():
            return bool(tree.this)
        case exp.Neg():
            value = _value(tree.this, column, part)
            if isinstance(value, int | float):
                return -value
        case exp.Literal() if not tree.is_string:
            if tree.name.isdecimal():
                return int(tree.name)
            number = float(tree.name)
            return int(number) if number.is_integer() and "." not in tree.name else number
        case exp.Literal() if part is None and column.kind in _TEXTS:
            with suppress(ValueError):
                return _TEXTS[column.kind](tree.name)
    raise _Unreadable(str(tree))


def _function(tree: exp.Anonymous) -> str:
    return str(tree.this).removeprefix(CALL).casefold()


def _measure(parsed: Parsed, facts: TableFacts) -> Measure:
    """Return the measure that an entry of `select` computes, its name aside."""
    tree = parsed.tree
    if isinstance(tree, exp.Anonymous):
        match _function(tree), tree.expressions:
            case "count", []:
                return COUNT
            case "pct", [part]:
                return Measure(part=tuple(_condition(item, facts) for item in _parts(part)))
            case function, [column] if function in _FUNCTIONS:
                return Measure(function=function, column=_column(column, facts).name)
    raise _Unreadable(parsed.text)
