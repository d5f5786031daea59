"""Aggregation: group keys, aggregates and the filter on groups."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.output import chosen_columns, rows_before, sort_keys
from tabchat.engine.compile.step import (
    HELPER,
    Aggregation,
    Step,
    as_list,
    lookup,
    split_list,
    suggestion,
    with_sql_name,
)
from tabchat.engine.functions import find_function
from tabchat.engine.functions.calendar import MONTH_TEXT, QUARTER_TEXT
from tabchat.engine.functions.templates import fill
from tabchat.engine.nearest import nearest
from tabchat.engine.plan.binding import Place
from tabchat.engine.plan.expressions import ExpressionError, call_name, has_top_level_comma, parse_expression
from tabchat.engine.plan.relation import Field, OrderKey
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tabchat.engine.compile.step import StepContext
    from tabchat.engine.functions import Bound
    from tabchat.engine.plan.binding import Binder, Reading
    from tabchat.engine.plan.expressions import Parsed

_NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    MONTH_TEXT: ("YEAR(:x)", "MONTH(:x)"),
    QUARTER_TEXT: ("YEAR(:x)", "QUARTER(:x)"),
}
"""Text of a period → the numbers that are the same in it and in no other."""


def counted_period(sql: exp.Expr | None) -> tuple[exp.Expr, tuple[exp.Expr, ...]] | None:
    """Return what names a group, and what it is grouped by, where `sql` writes the month or the quarter of a date; else None.

    A text made of each of ten million dates takes eight times as long as two numbers of it.
    """
    date = sql.find(exp.Column) if sql is not None else None
    if date is None:
        return None
    for text, numbers in _NUMBERS.items():
        if sql == fill(text, x=date):
            first = fill(text, x=exp.Min(this=date.copy()))
            # Dates without an end are in no year, as missing ones are, and have a name.
            return first, (*(fill(number, x=date) for number in numbers), date.is_(exp.null()))
    return None


def aggregate_step(context: StepContext) -> Step:
    """Finish a step that aggregates its rows."""
    keys = _group_keys(context)
    outputs, columns, used = _outputs(context, keys)
    helpers: dict[str, exp.Expr] = {}
    fields = tuple(with_sql_name(item) for item in (*keys, *outputs, *_failed(context, (*keys, *outputs))))
    binder = _hoisting_binder(context, fields, columns, helpers)
    having = _having(context, binder)
    order = sort_keys(context, fields, binder)
    ties = (OrderKey(sql_name=key.name) for key in keys)
    grouped = [_grouped(context, key) for key in keys]
    kind = ResultKind.GROUPED
    if not context.plan.group_by:
        kind = ResultKind.SCALAR if len(context.plan.select) == 1 else ResultKind.DICT
    sorted_names = {key.sql_name for key in order}
    return Step(
        kind=kind,
        rows=context.layers,
        before=rows_before(context),
        fields=chosen_columns(context, fields),
        order=(*order, *(key for key in ties if key.sql_name not in sorted_names)) if keys else (),
        sorted_by=order,
        limit=context.plan.limit,
        aggregation=Aggregation(
            columns=(
                *(named(shown.copy(), key.name) for key, (shown, _) in zip(keys, grouped, strict=True)),
                *(named(sql.copy(), name) for name, sql in columns.items()),
            ),
            keys=tuple(part for _, parts in grouped for part in parts),
            helpers=tuple(named(sql.copy(), name) for name, sql in helpers.items()),
            used=used,
        ),
        having=having,
        keys=tuple(key.name for key in keys),
        values=tuple(item.name for item in outputs),
        keeps_source=bool(context.plan.select),
    )


def named(sql: exp.Expr, name: str) -> exp.Expr:
    """Return `sql` itself under `name`."""
    if isinstance(sql, exp.Column) and sql.name == name:
        return sql
    return exp.alias_(sql, name, quoted=True, copy=False)


def _group_keys(context: StepContext) -> tuple[Field, ...]:
    keys: dict[str, Field] = {}
    for text in context.plan.group_by:
        found = lookup(context.fields, text)
        if found is not None:
            keys[found.name] = found
        else:
            _bad_group_key(context, text)
    return tuple(keys.values())


def _grouped(context: StepContext, key: Field) -> tuple[exp.Expr, tuple[exp.Expr, ...]]:
    """Return what shows a key, and what its groups are made by."""
    found = counted_period(context.layers.definition(key.sql_name))
    return found or (key.column(), (key.column(),))


def _failed(context: StepContext, made: tuple[Field, ...]) -> Iterator[Field]:
    """Yield the keys and aggregates that have errors under the names that they would have, to be reported once."""
    if not context.notes.issues:
        return
    names = list(context.plan.group_by)
    for text in context.plan.select:
        with contextlib.suppress(ExpressionError):
            parsed = parse_expression(text)
            names.append(parsed.alias or _output_name(parsed))
    for name in dict.fromkeys(names):
        if lookup(made, name) is None:
            yield Field(name=name, sql_name=name, kind=None)


def _bad_group_key(context: StepContext, text: str) -> None:
    if has_top_level_comma(text):
        hint = f"Use a list: {as_list(split_list(text))}."
        context.issue("group_by", text, "Several columns are given as one text.", hint)
        return
    try:
        call = call_name(parse_expression(text).tree)
    except ExpressionError:
        call = None
    bare = find_function(text) if not nearest(text, (item.name for item in context.fields)) else None
    if call is not None or bare is not None:
        name = (call or text).lower()
        written = as_list([text if call is not None else f"{text}()"])[1:-1]
        hint = f'Name it in `map`: {{"map": {{"{name}": {written}}}, "group_by": "{name}"}}.'
        context.issue("group_by", text, "`group_by` takes columns, not functions.", hint)
        return
    context.issue(
        "group_by", text, f"There is no column `{text}`.", suggestion(text, context.fields, "Columns")
    )


def _outputs(
    context: StepContext, keys: tuple[Field, ...]
) -> tuple[tuple[Field, ...], dict[str, exp.Expr], exp.Expr | None]:
    """Return the aggregates, their SQL by their names, and what holds of the rows that they use."""
    if not context.plan.select:
        name = "count_rows" if lookup(keys, "count") is not None else "count"
        made = Field(name=name, sql_name=name, kind=ColumnKind.INTEGER)
        return (made,), {name: fill("COUNT(*)")}, None
    binder = context.binder(Place.GROUP, keys)
    found = [
        item for text in context.plan.select if (item := _output(context, text, keys, binder)) is not None
    ]
    names = _output_names([parsed for parsed, _ in found], short=not context.plan.group_by)
    taken = Counter(name.casefold() for name in (*names, *(key.name for key in keys)))
    for (parsed, _), name in zip(found, names, strict=True):
        if taken[name.casefold()] > 1 or name.startswith("__"):
            problem = "would name two columns" if taken[name.casefold()] > 1 else "cannot name a column"
            context.issue("select", parsed.text, f"`{name}` {problem}.", "Give it another: sum(x) as total.")
    outputs = tuple(
        Field(name=name, sql_name=name, kind=bound.kind, unit=bound.unit, label=bound.label)
        for name, (_, bound) in zip(names, found, strict=True)
    )
    columns = {name: bound.sql for name, (_, bound) in zip(names, found, strict=True)}
    return outputs, columns, used_rows(binder.readings)


def _output(
    context: StepContext, text: str, keys: tuple[Field, ...], binder: Binder
) -> tuple[Parsed, Bound] | None:
    if lookup(keys, text) is not None:
        # A key is part of every grouped result, so naming it again changes nothing.
        if all(lookup(keys, other) is not None for other in context.plan.select):
            context.issue("select", text, "`select` has no aggregate.", "Leave it out to count the rows.")
        return None
    if has_top_level_comma(text):
        hint = f"Use a list: {as_list(split_list(text))}."
        context.issue("select", text, "Several aggregates are given as one text.", hint)
        return None
    found = context.bound("select", text, binder)
    if found is not None and not _has_aggregate(found[0]):
        hint = "Use `columns` to choose columns, or aggregate: mean(x), sum(x), count()."
        context.issue("select", text, "`select` takes aggregates.", hint)
        return None
    return found


def _has_aggregate(parsed: Parsed) -> bool:
    calls = (find_function(name) for node in parsed.tree.walk() if (name := call_name(node)) is not None)
    return any(function is not None and function.aggregate for function in calls)


def _hoisting_binder(
    context: StepContext,
    outputs: Sequence[Field],
    columns: Mapping[str, exp.Expr],
    helpers: dict[str, exp.Expr],
) -> Binder:
    """Return a binder of the aggregation's columns, whose aggregates become columns of it too."""
    binder = context.binder(Place.GROUP, outputs)

    def hoist(sql: exp.Expr) -> exp.Expr:
        for name, known in (*columns.items(), *helpers.items()):
            if known == sql:
                return exp.column(name, quoted=True)
        name = context.names.fresh(HELPER, "aggregate")
        helpers[name] = sql
        return exp.column(name, quoted=True)

    binder.hoist = hoist
    return binder


def _having(context: StepContext, binder: Binder) -> exp.Expr | None:
    text = context.plan.having
    if text is None:
        return None
    if not context.plan.group_by:
        hint = "Use `where` to filter rows, or add `group_by`."
        context.issue("having", text, "`having` filters groups, and there are none.", hint)
        return None
    return context.condition("having", text, binder)


def _output_names(items: Sequence[Parsed], *, short: bool) -> list[str]:
    """Name the aggregates; the bare function names do when they cannot be confused (`count`, `mean`, `max`)."""
    calls = [(call_name(item.tree) or "").lower() for item in items]
    columns = {node.name for item in items for node in item.tree.find_all(exp.Column)}
    plain = all(
        call
        and not item.alias
        and all(isinstance(node, exp.Column | exp.Star) for node in item.tree.expressions)
        for call, item in zip(calls, items, strict=True)
    )
    if short and len(items) > 1 and plain and len(columns) <= 1 and len(set(calls)) == len(calls):
        return calls
    return [item.alias or _output_name(item) for item in items]


def _output_name(item: Parsed) -> str:
    call = call_name(item.tree)
    arguments = [node for node in item.tree.expressions if not isinstance(node, exp.Star)] if call else []
    if call is None or not all(isinstance(node, exp.Column | exp.Literal) for node in arguments):
        return " ".join(item.text.split())
    return "_".join([call.lower(), *(str(node.name) for node in arguments)])


def used_rows(readings: Iterable[Reading]) -> exp.Expr | None:
    """Return the condition of the rows that any of the aggregates uses; nothing where one uses all.

    A value that an expression makes of a row, such as a quotient, is what must be there, not the cells that it is
    made of. A condition is looked at in every row, also where it does not hold.
    """
    used: list[exp.Expr] = []
    for function, arguments in readings:
        accepts = {parameter.name: parameter.accepts for parameter in function.parameters}
        cells = [value.sql for value in arguments.values() if value.literal is None]
        if not cells or any(accepts.get(name) == "condition" for name in arguments):
            return None
        used.append(exp.and_(*(cell.copy().is_(exp.null()).not_() for cell in cells)))
    return exp.or_(*dict.fromkeys(used)) if used else None
