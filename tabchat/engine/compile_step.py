"""One step of a plan, from the rows it reads to the rows it gives; every error is noted, none is raised."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.binding import Binder, Place, quoted
from tabchat.engine.compile_resample import resample
from tabchat.engine.compile_scope import Facts, ScopeError, period_condition, read_period, read_session
from tabchat.engine.expressions import (
    ExpressionError,
    Parsed,
    call_name,
    has_top_level_comma,
    parse_expression,
)
from tabchat.engine.functions import find_function
from tabchat.engine.layers import Layers
from tabchat.engine.nearest import nearest
from tabchat.engine.relation import Field, OrderKey, Relation, find_field
from tabchat.engine.result import ResultKind
from tabchat.engine.types import ROW, ColumnKind
from tabchat.errors import PlanIssue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.functions import Bound
    from tabchat.engine.layers import Names
    from tabchat.engine.plan import QueryPlan
    from tabchat.engine.relation import Order

SOURCE_ROWS: Final = "__source_rows"
"""Hidden column of an aggregation: how many rows went into all of it."""

_ASSUMED_LAST: Final = dt.date(2000, 12, 31)
"""Stands for the last date while a plan is only checked."""
_SORT: Final = re.compile(r"(?P<what>.*?)(?:\s+(?P<direction>asc|desc))?", re.IGNORECASE | re.DOTALL)


@dataclass(kw_only=True)
class Notes:
    """What a compilation finds out on its way."""

    issues: list[PlanIssue] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    session: str | None = None
    timeframe: str | None = None


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What surrounds the plan: named sessions, the calendar, what is known of the data."""

    sessions: Mapping[str, tuple[str, str]]
    week_start: str
    facts: Facts | None
    """None while the plan is only checked."""


@dataclass(frozen=True, kw_only=True)
class Aggregation:
    """A SELECT with aggregates, without its FROM, and what reads it afterwards."""

    columns: tuple[exp.Expr, ...]
    keys: tuple[exp.Expr, ...]
    helpers: tuple[exp.Expr, ...]
    """Aggregates that only `having` and `sort` use."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """A compiled step; `compile` turns the last one into the query and the others into layers."""

    kind: ResultKind
    rows: Layers
    """The rows before aggregation, their filter still waiting."""
    before: Relation
    """What those rows are, with every field that the step defined."""
    aggregation: Aggregation | None
    having: exp.Expr | None
    fields: tuple[Field, ...]
    """What the step gives, in display order."""
    order: Order
    """How the step's rows are sorted; empty for the order in which they are stored."""
    limit: int | None
    keys: tuple[str, ...]
    values: tuple[str, ...]
    """Names of the aggregates."""
    focus: tuple[str, ...]
    explicit: bool
    """True when `select` was given, so that source rows are kept."""
    windowed: bool
    """True when the rows are no longer in the order in which they are stored."""


class StepCompiler:
    """Compiles one step; its methods run in the order of the plan's fields."""

    def __init__(
        self,
        plan: QueryPlan,
        relation: Relation,
        *,
        prefix: str,
        names: Names,
        setting: Setting,
        notes: Notes,
    ) -> None:
        self._plan = plan
        self._prefix = prefix
        self._names = names
        self._setting = setting
        self._notes = notes
        self._relation = self._with_time(relation)
        self._layers = self._rows_of(self._relation)
        self._ctes: list[tuple[str, exp.Select]] = []
        self._resampled = False

    def compile(self) -> Step:
        """Return the step; look at the notes for its errors."""
        self._scope()
        self._resample()
        mapped = self._map()
        self._where()
        if self._plan.group_by or self._plan.select:
            return self._aggregate()
        if self._plan.having is not None:
            self._issue(
                "having", self._plan.having, "`having` filters groups, and there are none.", "Use `where`."
            )
        return self._table(mapped)

    # Rows

    def _with_time(self, relation: Relation) -> Relation:
        wanted = self._plan.time_column
        if wanted is None:
            return relation
        found = relation.find(_unquoted(wanted))
        if found is None:
            names = [item.name for item in relation.fields if item.kind is not None and item.kind.is_temporal]
            near = nearest(wanted, names) or tuple(names)
            hint = f"Date columns: {', '.join(near)}." if near else "The table has no date column."
            self._issue("time_column", wanted, f"There is no column `{wanted}`.", hint)
            return relation
        if found.kind is None or not found.kind.is_temporal:
            self._issue("time_column", wanted, f"Column `{found.name}` does not hold dates.")
            return relation
        others = tuple(key for key in relation.order if key.sql_name != found.sql_name)
        others = others if relation.time is None else tuple(k for k in others if k.sql_name != relation.time)
        return replace(relation, time=found.name, order=(OrderKey(sql_name=found.sql_name), *others))

    def _rows_of(self, relation: Relation) -> Layers:
        return Layers(
            source=relation.name,
            order=relation.order,
            fields=relation.fields,
            names=self._names,
            week_start=self._setting.week_start,
        )

    def _time(self, step: str, given: str) -> Field | None:
        found = self._relation.find(self._relation.time) if self._relation.time is not None else None
        if found is None:
            self._issue(
                step, given, f"`{step}` needs a date column, and there is none.", "Set `time_column`."
            )
        return found

    def _scope(self) -> None:
        facts = self._setting.facts or Facts(last=_ASSUMED_LAST)
        period = self._plan.period
        if period is not None and (time := self._time("period", period)) is not None:
            self._period(period, time, facts)
        if self._plan.session is not None:
            self._session(facts)

    def _period(self, period: str, time: Field, facts: Facts) -> None:
        try:
            span = read_period(period, facts.last or _ASSUMED_LAST, self._setting.week_start)
        except ScopeError as error:
            self._issue("period", period, error.message, error.hint)
            return
        self._layers.filter(period_condition(time, span))
        if period.strip().lower().startswith("last_"):
            self._notes.notes.append(
                f"Period {period}: {span.start} to {span.end} (the data ends on {facts.last})"
                if facts.last is not None
                else f"Period {period}: the data has no dates"
            )

    def _session(self, facts: Facts) -> None:
        session = self._plan.session
        given = session if isinstance(session, str) else str(session)
        try:
            window = read_session(session or "", self._setting.sessions)
        except ScopeError as error:
            self._issue("session", given, error.message, error.hint)
            return
        clock = self._clock(facts)
        if window is None:
            self._notes.warnings.append(f"Unknown session '{given}', using all data")
        elif clock is None:
            self._notes.notes.append(f"Session {window.name} skipped: the data has no time of day")
        else:
            self._layers.filter(window.condition(clock))
            self._notes.session = window.name
            self._notes.notes.append(f"Session {window.name}: {window}, the end not included")

    def _clock(self, facts: Facts) -> exp.Expr | None:
        time = self._relation.find(self._relation.time) if self._relation.time is not None else None
        if time is not None and time.kind is ColumnKind.DATETIME:
            return exp.cast(time.column(), "TIME", dialect="duckdb") if facts.has_clock else None
        clock = next((item for item in self._relation.fields if item.kind is ColumnKind.TIME), None)
        return clock.column() if clock is not None else None

    def _resample(self) -> None:
        timeframe = self._plan.resample
        if timeframe is None or (time := self._time("resample", timeframe)) is None:
            return
        made = resample(self._layers, time, timeframe)
        self._layers.filter(exp.Not(this=exp.Is(this=time.column(), expression=exp.Null())))
        self._layers.push(made.select)
        self._ctes += self._layers.ctes
        order = (OrderKey(sql_name=time.name),)
        self._relation = replace(
            self._relation,
            name=self._layers.current,
            fields=made.fields,
            order=order,
            shown=order,
            has_row=False,
            time=time.name,
        )
        self._layers = self._rows_of(self._relation)
        self._resampled = True
        self._notes.timeframe = made.timeframe
        self._notes.notes += made.notes
        self._notes.warnings += made.warnings

    # Expressions

    def _binder(self, place: Place, fields: Sequence[Field]) -> Binder:
        return Binder(
            place=place,
            layers=self._layers,
            fields=fields,
            rows=self._layers.fields,
            time=self._relation.time,
        )

    def _bound(self, step: str, text: str, binder: Binder) -> tuple[Parsed, Bound] | None:
        """Parse and bind `text`; notes its errors and returns None when it has any."""
        try:
            parsed = parse_expression(text)
        except ExpressionError as error:
            self._issue(step, text, error.message, error.hint)
            return None
        bound = binder.bind(parsed)
        for problem in dict.fromkeys(binder.problems):
            self._issue(step, text, problem.message, problem.hint)
        failed = bool(binder.problems)
        binder.problems.clear()
        return None if failed else (parsed, bound)

    def _map(self) -> tuple[str, ...]:
        for name, text in self._plan.map:
            found = self._bound(f"map.{name}", text, self._binder(Place.ROW, self._layers.fields))
            if found is None:
                self._layers.add_field(Field(name=name, sql_name=name, kind=None, computed=True))
                continue
            parsed, bound = found
            if parsed.alias is not None:
                self._issue(
                    f"map.{name}", text, "`as` has no place in `map`.", "The key is the column's name."
                )
            sql_name = self._layers.define(name, bound.sql, finite=bound.finite)
            self._layers.add_field(
                Field(
                    name=name,
                    sql_name=sql_name,
                    kind=bound.kind,
                    unit=bound.unit,
                    label=bound.label,
                    computed=True,
                )
            )
        self._layers.flush()
        return tuple(name for name, _ in self._plan.map)

    def _condition(self, step: str, text: str, binder: Binder) -> exp.Expr | None:
        found = self._bound(step, text, binder)
        if found is None:
            return None
        _, bound = found
        if bound.kind is not ColumnKind.BOOLEAN:
            what = "null" if bound.kind is None else f"a {bound.kind} value"
            hint = f"Compare it with something, such as {text} > 0."
            self._issue(step, text, f"`{step}` is not a condition: it gives {what}.", hint)
            return None
        return bound.sql

    def _where(self) -> None:
        if self._plan.where is None:
            return
        condition = self._condition("where", self._plan.where, self._binder(Place.ROW, self._layers.fields))
        if condition is not None:
            self._layers.flush([condition])
            self._layers.filter(condition)

    # Tables

    def _table(self, mapped: tuple[str, ...]) -> Step:
        fields = self._display_order(self._layers.fields)
        keys = self._sort_keys(fields, None)
        shown = self._columns(fields)
        windowed = self._resampled or any(select.find(exp.Window) for _, select in self._layers.ctes)
        named = [item.name for item in self._layers.fields if item.computed]
        sorted_by = [item.name for key in keys for item in fields if item.sql_name == key.sql_name]
        visible = {item.name for item in shown}
        focus = dict.fromkeys(
            [*(name for name in named if name in visible), *(s for s in sorted_by if s in visible)]
        )
        return Step(
            kind=ResultKind.TABLE,
            rows=self._finished(),
            before=self._before(),
            aggregation=None,
            having=None,
            fields=shown,
            order=(*keys, *self._relation.shown) if keys else (),
            limit=self._plan.limit,
            keys=(),
            values=mapped,
            focus=tuple(focus),
            explicit=False,
            windowed=windowed,
        )

    def _display_order(self, fields: Sequence[Field]) -> tuple[Field, ...]:
        """Put date, time of day and computed columns first when there is something computed to read beside them."""
        computed = [item for item in fields if item.computed]
        if not computed and not self._resampled:
            return tuple(fields)
        order = {name: place for place, (name, _) in enumerate(self._plan.map)}
        dates = [item for item in fields if item.name == self._relation.time]
        clocks = [item for item in fields if item.kind is ColumnKind.TIME and not item.computed]
        rest = sorted(computed, key=lambda item: order.get(item.name, -1))
        return tuple(dict.fromkeys([*dates, *clocks, *rest, *fields]))

    # Aggregation

    def _aggregate(self) -> Step:
        keys = self._group_keys()
        outputs, columns = self._outputs(keys)
        helpers: dict[str, exp.Expr] = {}
        having = self._having(outputs, columns, helpers)
        fields = (*keys, *outputs)
        named = tuple(replace(item, sql_name=item.name) for item in fields)
        order = self._sort_keys(named, self._hoisting_binder(named, columns, helpers))
        shown = self._columns(named)
        ties = tuple(OrderKey(sql_name=key.name) for key in keys)
        if self._plan.group_by:
            kind = ResultKind.GROUPED
        else:
            kind = ResultKind.SCALAR if len(outputs) == 1 else ResultKind.DICT
        return Step(
            kind=kind,
            rows=self._finished(),
            before=self._before(),
            aggregation=Aggregation(
                columns=(
                    *(exp.alias_(key.column(), key.name, quoted=True) for key in keys),
                    *(exp.alias_(sql.copy(), name, quoted=True) for name, sql in columns.items()),
                ),
                keys=tuple(key.column() for key in keys),
                helpers=tuple(exp.alias_(sql.copy(), name, quoted=True) for name, sql in helpers.items()),
            ),
            having=having,
            fields=shown,
            order=(*order, *ties) if kind is ResultKind.GROUPED else (),
            limit=self._plan.limit,
            keys=tuple(key.name for key in keys),
            values=tuple(item.name for item in outputs),
            focus=(),
            explicit=bool(self._plan.select),
            windowed=False,
        )

    def _group_keys(self) -> tuple[Field, ...]:
        keys: dict[str, Field] = {}
        for text in self._plan.group_by:
            found = find_field(self._layers.fields, text) or find_field(self._layers.fields, _unquoted(text))
            if found is not None:
                keys[found.name] = found
            else:
                self._bad_group_key(text)
        return tuple(keys.values())

    def _bad_group_key(self, text: str) -> None:
        names = [item.name for item in self._layers.fields]
        if has_top_level_comma(text):
            parts = [part.strip() for part in text.split(",")]
            self._issue(
                "group_by", text, "Several columns are given as one text.", f"Use a list: {_json(parts)}."
            )
            return
        try:
            call = call_name(parse_expression(text).tree)
        except ExpressionError:
            call = None
        if call is not None:
            name = call.lower()
            hint = f'Name it in `map`: {{"map": {{"{name}": {_json(text)}}}, "group_by": "{name}"}}.'
            self._issue("group_by", text, "`group_by` takes columns, not functions.", hint)
            return
        near = nearest(text, names)
        hint = (
            f"Did you mean {', '.join(quoted(name) for name in near)}?"
            if near
            else f"Columns: {_listed(names)}."
        )
        if find_function(text) is not None and not near:
            hint = f'Name it in `map`: {{"map": {{"{text}": "{text}()"}}, "group_by": "{text}"}}.'
        self._issue("group_by", text, f"There is no column `{text}`.", hint)

    def _outputs(self, keys: tuple[Field, ...]) -> tuple[tuple[Field, ...], dict[str, exp.Expr]]:
        if not self._plan.select:
            name = "count" if all(key.name.casefold() != "count" for key in keys) else "count_rows"
            return (Field(name=name, sql_name=name, kind=ColumnKind.INTEGER),), {
                name: exp.Count(this=exp.Star())
            }
        found = [item for text in self._plan.select if (item := self._output(text, keys)) is not None]
        names = _output_names([parsed for parsed, _ in found], short=not self._plan.group_by)
        taken = Counter(name.casefold() for name in (*names, *(key.name for key in keys)))
        for (parsed, _), name in zip(found, names, strict=True):
            if taken[name.casefold()] > 1:
                hint = "Give each its own name: sum(x) as total."
                self._issue("select", parsed.text, f"`{name}` would name two columns.", hint)
        outputs = tuple(
            Field(name=name, sql_name=name, kind=bound.kind, unit=bound.unit, label=bound.label)
            for name, (_, bound) in zip(names, found, strict=True)
        )
        return outputs, {name: bound.sql for name, (_, bound) in zip(names, found, strict=True)}

    def _output(self, text: str, keys: tuple[Field, ...]) -> tuple[Parsed, Bound] | None:
        if find_field(keys, _unquoted(text)) is not None:
            # A key is part of every grouped result, so naming it again changes nothing.
            if all(find_field(keys, _unquoted(other)) is not None for other in self._plan.select):
                self._issue("select", text, "`select` has no aggregate.", "Leave it out to count the rows.")
            return None
        if has_top_level_comma(text):
            parts = ", ".join(f'"{part}"' for part in _split_top_level(text))
            self._issue(
                "select", text, "Several aggregates are given as one text.", f"Use a list: [{parts}]."
            )
            return None
        found = self._bound("select", text, self._binder(Place.GROUP, keys))
        if found is None:
            return None
        if not any(
            (name := call_name(node)) and (function := find_function(name)) and function.aggregate
            for node in found[0].tree.walk()
        ):
            hint = "Use `columns` to choose columns, or aggregate: mean(x), sum(x), count()."
            self._issue("select", text, "`select` takes aggregates.", hint)
            return None
        return found

    def _hoisting_binder(
        self, outputs: Sequence[Field], columns: Mapping[str, exp.Expr], helpers: dict[str, exp.Expr]
    ) -> Binder:
        """Return a binder whose aggregates become columns of the aggregation."""
        binder = self._binder(Place.GROUP, outputs)

        def hoist(sql: exp.Expr) -> exp.Expr:
            text = sql.sql("duckdb")
            for name, known in (*columns.items(), *helpers.items()):
                if known.sql("duckdb") == text:
                    return exp.column(name, quoted=True)
            name = self._names.fresh("__{name}_{number}", "aggregate")
            helpers[name] = sql
            return exp.column(name, quoted=True)

        binder.hoist = hoist
        return binder

    def _having(
        self, outputs: Sequence[Field], columns: Mapping[str, exp.Expr], helpers: dict[str, exp.Expr]
    ) -> exp.Expr | None:
        text = self._plan.having
        if text is None:
            return None
        if not self._plan.group_by:
            self._issue(
                "having", text, "`having` filters groups, and there are none.", "Use `where`, or `group_by`."
            )
            return None
        keys = [replace(key, sql_name=key.name) for key in self._group_keys_again()]
        return self._condition("having", text, self._hoisting_binder((*keys, *outputs), columns, helpers))

    def _group_keys_again(self) -> Iterator[Field]:
        for text in self._plan.group_by:
            found = find_field(self._layers.fields, text) or find_field(self._layers.fields, _unquoted(text))
            if found is not None:
                yield found

    # Sorting and projection

    def _sort_keys(self, fields: Sequence[Field], binder: Binder | None) -> Order:
        keys = [key for text in self._plan.sort if (key := self._sort_key(text, fields, binder)) is not None]
        return tuple({key.sql_name: key for key in reversed(keys)}.values())[::-1]

    def _sort_key(self, text: str, fields: Sequence[Field], binder: Binder | None) -> OrderKey | None:
        match = _SORT.fullmatch(text.strip())
        what = match["what"].strip() if match else text
        descending = bool(match and (match["direction"] or "").lower() == "desc")
        found = find_field(fields, text) or find_field(fields, what) or find_field(fields, _unquoted(what))
        if found is not None:
            return OrderKey(sql_name=found.sql_name, descending=descending and found.name != text)
        if has_top_level_comma(text):
            hint = f"Use a list: {_json(_split_top_level(text))}."
            self._issue("sort", text, "Several columns are given as one text.", hint)
            return None
        try:
            call = call_name(parse_expression(what).tree)
        except ExpressionError:
            call = None
        function = find_function(call) if call is not None else None
        if function is not None and function.aggregate and binder is not None:
            bound = self._bound("sort", what, binder)
            sql = bound[1].sql if bound is not None else None
            return OrderKey(sql_name=sql.name, descending=descending) if isinstance(sql, exp.Column) else None
        self._unknown_sort(what, fields, is_call=call is not None)
        return None

    def _unknown_sort(self, what: str, fields: Sequence[Field], *, is_call: bool) -> None:
        names = [item.name for item in fields]
        near = nearest(what, names)
        if is_call:
            hint = "Name the expression in `map`, and sort by that name."
        elif near:
            hint = f"Did you mean {', '.join(quoted(name) for name in near)}?"
        else:
            hint = f"The result has: {_listed(names)}."
        aggregated = bool(self._plan.group_by or self._plan.select)
        if aggregated and not is_call and find_field(self._layers.fields, what) is not None:
            hint = f"{hint} To sort rows before aggregating them, use `steps`."
        self._issue("sort", what, f"There is no column `{what}` to sort by.", hint)

    def _columns(self, fields: Sequence[Field]) -> tuple[Field, ...]:
        if not self._plan.columns:
            return tuple(fields)
        chosen: dict[str, Field] = {}
        for text in self._plan.columns:
            found = find_field(fields, text) or find_field(fields, _unquoted(text))
            if found is not None:
                chosen[found.name] = found
                continue
            names = [item.name for item in fields]
            near = nearest(text, names)
            hint = (
                f"Did you mean {', '.join(quoted(n) for n in near)}?"
                if near
                else f"There are: {_listed(names)}."
            )
            if has_top_level_comma(text):
                hint = f"Use a list: {_json(_split_top_level(text))}."
            self._issue("columns", text, f"There is no column `{text}` in the result.", hint)
        return tuple(chosen.values())

    # Ends

    def _finished(self) -> Layers:
        self._layers.ctes[:0] = self._ctes
        self._ctes = []
        return self._layers

    def _before(self) -> Relation:
        return replace(
            self._relation, name=self._layers.current, fields=self._display_order(self._layers.fields)
        )

    def _issue(self, step: str, expression: str, message: str, hint: str | None = None) -> None:
        self._notes.issues.append(
            PlanIssue(step=self._prefix + step, expression=expression, message=message, hint=hint)
        )


def _unquoted(name: str) -> str:
    text = name.strip()
    for mark in '"`':
        if len(text) > 1 and text[0] == text[-1] == mark:
            return text[1:-1].replace(mark * 2, mark)
    return text


def _output_names(items: Sequence[Parsed], *, short: bool) -> list[str]:
    """Name the aggregates; the bare function names do when they cannot be confused (`count`, `mean`, `max`)."""
    calls = [(call_name(item.tree) or "").lower() for item in items]
    columns = [[node.name for node in item.tree.find_all(exp.Column)] for item in items]
    plain = all(
        call
        and not item.alias
        and all(isinstance(node, exp.Column | exp.Star) for node in item.tree.expressions)
        for call, item in zip(calls, items, strict=True)
    )
    one_column = len({name for names in columns for name in names}) <= 1
    if short and len(items) > 1 and plain and one_column and len(set(calls)) == len(calls):
        return calls
    return [item.alias or _output_name(item) for item in items]


def _output_name(item: Parsed) -> str:
    call = call_name(item.tree)
    arguments = [node for node in item.tree.expressions if not isinstance(node, exp.Star)] if call else []
    if call is None or not all(isinstance(node, exp.Column | exp.Literal) for node in arguments):
        return " ".join(item.text.split())
    return "_".join([call.lower(), *(str(node.name) for node in arguments)])


def _split_top_level(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _listed(names: Sequence[str], most: int = 20) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quoted(name) for name in names[:most]) + more


__all__ = ["ROW", "SOURCE_ROWS", "Aggregation", "Notes", "Setting", "Step", "StepCompiler"]
