"""A query that a person or a model wrote → the intent that it computes, where it is a simple one.

Only what an intent can say is taken over: a query of several steps, of computed columns or of another table gives none.
The names that a query gives its results are not kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.plan.query_plan import parse_plan
from tabchat.errors import PlanValidationError
from tabchat.planner.intent import Intent, Key, Measure, Order, Output
from tabchat.planner.plan import plan_of
from tabchat.planner.plan.columns import Columns
from tabchat.planner.plan.expressions import Unplannable
from tabchat.planner.plan.figures import STEPS, key_columns
from tabchat.planner.plan.written import Unreadable, clauses_of, column_of, measure_of, period_of, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.chat.turn.messages import ToolCall
    from tabchat.engine.facts import TableFacts
    from tabchat.engine.plan.query_plan import QueryPlan

_UNITS: Final = (*sorted(STEPS), "month_name", "quarter_name", "weekday", "hour_of_day")
_BEYOND: Final = ("session", "resample", "within", "having", "steps")
"""Fields that no intent says, or not by themselves."""


def intent_of(call: ToolCall, facts: TableFacts) -> Intent | None:
    """Return what a call of `run_query` over the table of `facts` computes; None for all that is not simple."""
    if call.name != "run_query" or call.arguments.get("table", facts.name) != facts.name:
        return None
    fields = {name: value for name, value in call.arguments.items() if name not in {"table", "title"}}
    try:
        intent = _Query(parse_plan(fields), facts).intent()
        plan_of(intent, facts)
    except (PlanValidationError, Unreadable, Unplannable):
        return None
    return intent


class _Query:
    """One flat query over one table."""

    def __init__(self, plan: QueryPlan, facts: TableFacts) -> None:
        if any(getattr(plan, name) for name in _BEYOND):
            raise Unreadable
        self._plan = plan
        self._facts = facts
        self._date = None if plan.time_column is None else self._column(plan.time_column)
        self._keys = self._computed()

    def intent(self) -> Intent:
        plan = self._plan
        scope = Intent(
            output=Output.ROWS,
            clauses=() if plan.where is None else clauses_of(plan.where, self._facts),
            periods=() if plan.period is None else (period_of(plan.period, self._date),),
        )
        if not plan.select and not plan.group_by:
            return self._rows(scope)
        if plan.columns:
            raise Unreadable
        return self._figures(scope)

    def _rows(self, scope: Intent) -> Intent:
        plan = self._plan
        if self._keys:
            raise Unreadable
        orders = tuple(
            Order(column=self._column(name), descending=descending)
            for name, descending in map(_sorted, plan.sort)
        )
        columns = tuple(map(self._column, plan.columns))
        return replace(scope, output=Output.ROWS, columns=columns, orders=orders, limit=plan.limit)

    def _figures(self, scope: Intent) -> Intent:
        plan = self._plan
        parsed = [read(text) for text in plan.select]
        measures = tuple(measure_of(item, self._facts) for item in parsed) or (Measure(),)
        names = [item.alias or item.text for item in parsed] or ["count"]
        keys = tuple(self._key(name) for name in plan.group_by)
        if len(set(measures)) < len(measures) or set(self._keys) - set(plan.group_by):
            raise Unreadable
        if not keys:
            if plan.sort or plan.limit:
                raise Unreadable
            return replace(scope, output=Output.VALUE, measures=measures)
        orders = tuple(self._order(name, descending, names) for name, descending in map(_sorted, plan.sort))
        return replace(
            scope, output=Output.GROUPS, measures=measures, keys=keys, orders=orders, limit=plan.limit
        )

    def _order(self, name: str, descending: bool, names: list[str]) -> Order:  # noqa: FBT001 - one of two ends
        if name in names:
            return Order(measure=names.index(name), descending=descending)
        if name in self._plan.group_by:
            return Order(column=self._key(name).column, descending=descending)
        raise Unreadable(name)

    def _key(self, name: str) -> Key:
        return self._keys.get(name) or Key(column=self._column(name))

    def _computed(self) -> Mapping[str, Key]:
        """Return the computed columns, all of which must be calendar units of dates."""
        columns = Columns(self._facts)
        dates = [column.name for column in self._facts.columns if column.kind.is_temporal]
        known: dict[str, Key] = {}
        for date in dates:
            for unit in _UNITS:
                key = Key(column=date, unit=unit)
                try:
                    (written,) = key_columns([key], columns)
                except Unplannable:
                    continue
                known[_plain(str(written.formula))] = key
        found = {name: known.get(_plain(text)) for name, text in self._plan.map}
        if None in found.values():
            raise Unreadable
        return {name: key for name, key in found.items() if key is not None}

    def _column(self, name: str) -> str:
        return column_of(read(f'"{name.replace(chr(34), chr(34) * 2)}"').tree, self._facts).name


def _sorted(text: str) -> tuple[str, bool]:
    """Return the name and whether it falls: `revenue desc`."""
    name, _, direction = text.rpartition(" ")
    if direction.casefold() in {"asc", "desc"} and name:
        return name.strip().strip('"'), direction.casefold() == "desc"
    return text.strip().strip('"'), False


def _plain(text: str) -> str:
    return "".join(text.split()).replace('"', "").casefold()
