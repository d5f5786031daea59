"""What a plan asks, said back: the one-line `read as` of a plan that was put together from several questions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.expressions import call_name, parse_expression
from tabchat.planner.filters import SHOWN
from tabchat.planner.nodes import Measure
from tabchat.planner.parts import column_name, filter_of, name_of_entry, sorted_by
from tabchat.planner.plans import Draft, query, selected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.plan import QueryPlan
    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.parts import Filter, Parts

FUNCTIONS: Final = frozenset(
    {"sum", "mean", "median", "min", "max", "std", "var", "count_distinct", "percentile"}
)
_OPERATORS: Final = {exp.EQ: "==", exp.NEQ: "!=", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}

_PERCENT_OF_ROWS: Final = re.compile(r"pct\((.*)\) as percent")
_PERCENT_OF_SUM: Final = re.compile(r"sum\(if\((.*), (.*), 0\)\) / sum\(\2\) \* 100 as percent")
"""The two ways in which percentages are asked of the engine."""


def column_of(table: PlannerTable, name: str) -> ColumnFacts | None:
    """Return the table's column of that name."""
    found = [column for column in table.columns if column.name.casefold() == name.casefold()]
    return found[0] if found else None


def measure_of(entry: str, table: PlannerTable) -> Measure | None:
    """Return what an entry of `select` computes, when it is one function of one column or the count of rows."""
    tree = parse_expression(entry).tree
    name = call_name(tree)
    if name == "count" and not tree.expressions:
        return Measure(function="count")
    if name not in FUNCTIONS or not tree.expressions or not isinstance(tree.expressions[0], exp.Column):
        return None
    column = column_of(table, tree.expressions[0].name)
    if column is None:
        return None
    if name != "percentile":
        return Measure(function=name, column=column) if len(tree.expressions) == 1 else None
    share = tree.expressions[-1]
    number = float(share.this) if isinstance(share, exp.Literal) and not share.is_string else None
    return Measure(function=name, column=column, parameter=number) if number is not None else None


def measure_text(entry: str, table: PlannerTable) -> str:
    """Say what an entry of `select` computes."""
    measure = measure_of(entry, table)
    if measure is not None:
        return selected(measure).read_as
    parsed = parse_expression(entry)
    if call_name(parsed.tree) == "share":
        return "share"
    whole, part = _PERCENT_OF_ROWS.fullmatch(entry), _PERCENT_OF_SUM.fullmatch(entry)
    if whole is not None:
        return f"percentage of rows where {filter_text(filter_of(whole[1]))}"
    if part is not None:
        return f"percentage of sum of {column_name(part[2])} where {filter_text(filter_of(part[1]))}"
    return f"{parsed.alias}: {entry.rpartition(' as ')[0]}" if parsed.alias else entry


def filter_text(item: Filter) -> str:  # noqa: PLR0911 - one return for each kind of condition
    """Say a condition as a person reads it: `country = Germany`."""
    tree = parse_expression(item.expr).tree
    match tree:
        case exp.Not(this=exp.In() as listed):
            return f"{listed.this.name} not in {_listed(listed)}"
        case exp.In(this=exp.Column()):
            return f"{tree.this.name} in {_listed(tree)}"
        case exp.Not(this=exp.Is(this=exp.Column() as column)):
            return f"{column.name} is present"
        case exp.Is(this=exp.Column() as column):
            return f"{column.name} is missing"
        case exp.Not(this=exp.Column() as column):
            return f"not {column.name}"
        case exp.Column():
            return tree.name
        case exp.Binary(this=exp.Column() as left, expression=exp.Literal() as right):
            operator = _OPERATORS.get(type(tree))
            return f"{left.name} {SHOWN[operator]} {right.this}" if operator else item.expr
        case _:
            return item.expr


def _listed(tree: exp.In) -> str:
    return ", ".join(str(value.this) for value in tree.expressions)


def draft_of(parts: Parts, table: PlannerTable) -> Draft:
    """Return a reading for a plan that was changed, with everything in it said."""
    period = f"period {parts.period.replace('_', ' ')}" if parts.period else ""
    scope = (*(filter_text(item) for item in parts.filters), *((period,) if period else ()))
    shape, details = _shape(parts, table)
    return Draft(
        tool="run_query",
        arguments=query(table.name, parts.to_arguments()),
        shape=shape,
        read_as=(*_subject(parts, table), *scope, *_order(parts)),
        scope=scope,
        details=details,
    )


def groups_text(parts: Parts) -> str:
    """Say what rows are grouped by."""
    # A unit whose name is also a column's has a mark behind it, which is no part of what it is.
    shown = (name.rstrip("_") if name in parts.formulas else name for name in parts.keys)
    return f"by {', '.join(shown)}" if parts.keys else ""


def _subject(parts: Parts, table: PlannerTable) -> tuple[str, ...]:
    if parts.lists_rows:
        best = _best(parts.after[0]) if parts.after else None
        ranked = _shape(parts, table)[1].get("measure", "")
        shown = ", ".join(parts.columns) or "rows"
        return (f"{shown} with the {best} {ranked}" if best else shown,)
    measured = ", ".join(measure_text(entry, table) for entry in parts.select) or "number of rows"
    best = _best(parts.after[0]) if parts.after else None
    if best is not None:
        return (f"{', '.join(parts.keys)} with the {best} {measured}",)
    having = tuple(f"with {text}" for text in parts.having if not text.endswith(" is not null"))
    return (measured, groups_text(parts), *having)


def _order(parts: Parts) -> tuple[str, ...]:
    said = [_sorted_text(parts), f"first {parts.limit}" if parts.limit else ""]
    for step in parts.after:
        said += [f"{name}: {formula}" for name, formula in step.map]
        said += [f"where {step.where}" if step.where and _best(step) is None else ""]
        said += ["how many there are" if step.select == ("count() as count",) else ", ".join(step.select)]
        said += [f"sorted by {order_text(step.sort)}" if step.sort else ""]
        said += [f"first {step.limit}" if step.limit else ""]
    return tuple(text for text in said if text)


def _best(step: QueryPlan) -> str | None:
    """Return which end of a ranking a step keeps."""
    if step.where is None or "rank(" not in step.where:
        return None
    return "highest" if "'desc'" in step.where else "lowest"


def _sorted_text(parts: Parts) -> str:
    shown = tuple(entry for entry in parts.sort if not entry.startswith("min("))
    return f"sorted by {order_text(shown)}" if shown else ""


def order_text(sort: Sequence[str]) -> str:
    """Say an order of rows or groups."""
    found = [sorted_by(entry) for entry in sort]
    return ", ".join(f"{column_name(text)} {'desc' if down else 'asc'}" for text, down in found)


def _shape(parts: Parts, table: PlannerTable) -> tuple[str, dict[str, str]]:
    """Return the kind of sentence and what it needs: names of the measure and the key."""
    measure = name_of_entry(parts.select[0]) if parts.select else ""
    key = parts.keys[0] if parts.keys else ""
    first = parts.after[0].where if parts.after else None
    if first is not None and "rank(" in first:
        ranked = parse_expression(first).tree.find(exp.Anonymous)
        ranked_by = ranked.expressions[0].name if ranked is not None and ranked.expressions else ""
        label = key or next(iter(parts.after[0].columns), "")
        shape = "argmax" if parts.keys else "argmax_row"
        return shape, {"measure": measure or ranked_by, "key": label}
    if parts.lists_rows:
        return "list", {}
    if parts.keys:
        share = next((name_of_entry(entry) for entry in parts.select if "share(" in entry), measure)
        return "measure", {"measure": share, "key": key}
    if measure == "percent":
        return "percent", {"measure": measure}
    whole = measure_of(parts.select[0], table) == Measure(function="count") if parts.select else False
    return ("count" if whole else "measure"), {"measure": measure}
