"""What a step gives: its columns, their order, and the order of its rows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.step import Step, as_list, lookup, split_list, suggestion
from tabchat.engine.functions import find_function
from tabchat.engine.plan.expressions import ExpressionError, call_name, has_top_level_comma, parse_expression
from tabchat.engine.plan.relation import OrderKey
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.compile.step import StepContext
    from tabchat.engine.plan.binding import Binder
    from tabchat.engine.plan.relation import Field, Order, Relation

_SORT: Final = re.compile(r"(?P<what>.*?)(?:\s+(?P<direction>asc|desc))?", re.IGNORECASE | re.DOTALL)


def table_step(context: StepContext) -> Step:
    """Finish a step that keeps its rows."""
    if context.plan.having is not None:
        hint = "Use `where`."
        context.issue("having", context.plan.having, "`having` filters groups, and there are none.", hint)
    before = rows_before(context)
    keys = sort_keys(context, before.fields, None)
    shown = chosen_columns(context, before.fields)
    by_sql_name = {item.sql_name: item.name for item in before.fields}
    computed = [item.name for item in before.fields if item.computed]
    focus = dict.fromkeys([*computed, *(by_sql_name[key.sql_name] for key in keys)])
    visible = {item.name for item in shown}
    return Step(
        kind=ResultKind.TABLE,
        rows=context.layers,
        before=before,
        fields=shown,
        order=_distinct_keys((*keys, *context.relation.shown)) if keys else (),
        sorted_by=keys,
        limit=context.plan.limit,
        focus=tuple(name for name in focus if name in visible),
    )


def rows_before(context: StepContext) -> Relation:
    """Return the rows as they stand, with their columns in display order."""
    return replace(context.relation, name=context.layers.current, fields=_display_order(context))


def _display_order(context: StepContext) -> tuple[Field, ...]:
    """Put date, time of day and computed columns first; with nothing computed, the file's own order is best."""
    fields = context.fields
    computed = [item for item in fields if item.computed]
    if not computed:
        return fields
    dates = [item for item in fields if item.name == context.relation.time]
    clocks = [item for item in fields if item.kind is ColumnKind.TIME and not item.computed]
    return tuple(dict.fromkeys([*dates, *clocks, *computed, *fields]))


def chosen_columns(context: StepContext, fields: Sequence[Field]) -> tuple[Field, ...]:
    """Return the columns that `columns` names, or all of them."""
    if not context.plan.columns:
        return tuple(fields)
    chosen: dict[str, Field] = {}
    for text in context.plan.columns:
        found = lookup(fields, text)
        if found is not None:
            chosen[found.name] = found
            continue
        hint = suggestion(text, fields, "The result has")
        if has_top_level_comma(text):
            hint = f"Use a list: {as_list(split_list(text))}."
        context.issue("columns", text, f"There is no column `{text}` in the result.", hint)
    return tuple(chosen.values())


def sort_keys(context: StepContext, fields: Sequence[Field], binder: Binder | None) -> Order:
    """Return the keys of `sort`; `binder` reads aggregates, where there are any."""
    keys = [
        key for text in context.plan.sort if (key := _sort_key(context, text, fields, binder)) is not None
    ]
    return _distinct_keys(keys)


def _distinct_keys(keys: Sequence[OrderKey]) -> Order:
    """Drop keys on a column that an earlier key has sorted by."""
    return tuple({key.sql_name: key for key in reversed(keys)}.values())[::-1]


def _sort_key(
    context: StepContext, text: str, fields: Sequence[Field], binder: Binder | None
) -> OrderKey | None:
    match = _SORT.fullmatch(text.strip())
    what = match["what"].strip() if match else text
    descending = bool(match and (match["direction"] or "").lower() == "desc")
    whole = lookup(fields, text)
    found = whole or lookup(fields, what)
    if found is not None:
        return OrderKey(sql_name=found.sql_name, descending=descending and whole is None)
    if has_top_level_comma(text):
        hint = f"Use a list: {as_list(split_list(text))}."
        context.issue("sort", text, "Several columns are given as one text.", hint)
        return None
    tree = _tree_of(what)
    call = call_name(tree) if tree is not None else None
    function = find_function(call) if call is not None else None
    if function is None or not function.aggregate or binder is None:
        composed = tree is not None and not isinstance(tree, exp.Column)
        _unknown_sort(context, what, fields, composed=composed)
        return None
    bound = context.bound("sort", what, binder)
    column = bound[1].sql if bound is not None else None
    return OrderKey(sql_name=column.name, descending=descending) if isinstance(column, exp.Column) else None


def _tree_of(text: str) -> exp.Expr | None:
    try:
        return parse_expression(text).tree
    except ExpressionError:
        return None


def _unknown_sort(context: StepContext, what: str, fields: Sequence[Field], *, composed: bool) -> None:
    hint = suggestion(what, fields, "The result has")
    if composed:
        hint = "Name the expression in `map`, and sort by that name."
    elif (context.plan.group_by or context.plan.select) and lookup(context.fields, what) is not None:
        hint = f"{hint} To sort rows before aggregating them, use `steps`."
    context.issue("sort", what, f"There is no column `{what}` to sort by.", hint)
