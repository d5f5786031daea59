"""A plan taken apart into what a person would change of it: measures, filters, time, groups, order, limit.

Plans are written by rules, by models and by people, so everything is read from the plan alone. What cannot be
told apart for certain stays one piece, word for word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.expressions import ExpressionError, call_name, parse_expression
from tabchat.engine.plan import QueryPlan, parse_plan
from tabchat.planner.plans import Unreadable, joined
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.values import JsonValue

_CALENDAR: Final = frozenset({"month", "quarter", "dayofweek", "hour"})
"""Functions whose equality with a number picks a part of every year, month or week."""


@record
class Filter:
    """One condition that rows must meet."""

    expr: str
    columns: frozenset[str] = frozenset()
    """Case-folded names of the columns that it looks at."""


@record
class Parts:
    """One plan over rows of the table, and what is done with its result."""

    period: str | None = None
    time_column: str | None = None
    map: tuple[tuple[str, str], ...] = ()
    filters: tuple[Filter, ...] = ()
    keys: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    """Conditions on groups, all of which must hold."""
    sort: tuple[str, ...] = ()
    limit: int | None = None
    columns: tuple[str, ...] = ()
    after: tuple[QueryPlan, ...] = ()
    """The steps that read the result of this one."""

    @property
    def lists_rows(self) -> bool:
        """True for a plan that gives rows of the table as they are."""
        return not (self.select or self.keys or self.having)

    @property
    def formulas(self) -> dict[str, str]:
        """Computed columns by name."""
        return dict(self.map)

    def to_plan(self) -> QueryPlan:
        """Put the plan together again."""
        first = QueryPlan(
            period=self.period,
            time_column=self.time_column,
            map=self.map,
            where=joined([item.expr for item in self.filters]) if self.filters else None,
            group_by=self.keys,
            select=self.select,
            having=joined(self.having) if self.having else None,
            sort=self.sort,
            limit=self.limit,
            columns=self.columns,
        )
        return QueryPlan(steps=(first, *self.after)) if self.after else first

    def to_arguments(self) -> dict[str, JsonValue]:
        """Return the plan as arguments of `run_query`, without its table."""
        return self.to_plan().to_json()


def parts_of(plan: Mapping[str, JsonValue]) -> Parts:
    """Take a plan apart; raises `Unreadable` for one that other rows than the table's were made for."""
    read = parse_plan({name: value for name, value in plan.items() if name != "table"})
    first, *after = read.steps or (read,)
    if first.resample is not None or first.session is not None:
        raise Unreadable("the last result is of hours or bars, not of the rows of the table")
    return Parts(
        period=first.period,
        time_column=first.time_column,
        map=first.map,
        filters=tuple(filter_of(text) for text in conjuncts(first.where)),
        keys=first.group_by,
        select=first.select,
        having=conjuncts(first.having),
        sort=first.sort,
        limit=first.limit,
        columns=first.columns,
        after=tuple(after),
    )


def filter_of(text: str) -> Filter:
    """Return a condition with the columns that it looks at."""
    tree = parse_expression(text).tree
    return Filter(
        expr=text, columns=frozenset(column.name.casefold() for column in tree.find_all(exp.Column))
    )


def conjuncts(text: str | None) -> tuple[str, ...]:
    """Split a condition at the `and`s that stand outside brackets and quotes."""
    if text is None:
        return ()
    wanted = len(_leaves(parse_expression(text).tree))
    parts: list[str] = []
    begun = ""
    for piece in _split(text):
        begun = f"{begun} and {piece}" if begun else piece
        if _is_whole(begun):
            parts.append(_bare(begun))
            begun = ""
    return tuple(parts) if len(parts) == wanted and not begun else (text,)


def _is_whole(text: str) -> bool:
    """Tell whether a text is an expression; `x between 1` is not one yet."""
    try:
        parse_expression(text)
    except ExpressionError:
        return False
    return True


def _leaves(tree: exp.Expr) -> list[exp.Expr]:
    if isinstance(tree, exp.And):
        return [*_leaves(tree.this), *_leaves(tree.expression)]
    return [tree]


def _split(text: str) -> list[str]:
    parts, depth, quote, begun = [], 0, "", 0
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"`":
            quote = sign
        elif sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif not depth and text[place : place + 5].casefold() == " and ":
            parts.append(text[begun:place])
            begun = place + 5
    return [*parts, text[begun:]]


def _bare(text: str) -> str:
    """Leave out brackets around the whole of a condition."""
    inner = text.strip()
    while (
        inner.startswith("(") and inner.endswith(")") and isinstance(parse_expression(inner).tree, exp.Paren)
    ):
        inner = inner[1:-1].strip()
    return inner


def calendar_part(item: Filter) -> str | None:
    """Return the calendar function that a filter compares, such as `month`."""
    names = functions_of(item)
    name = next(iter(names)) if len(names) == 1 else None
    return name if name in _CALENDAR else None


def functions_of(item: Filter) -> frozenset[str]:
    """Return the functions that a filter calls."""
    tree = parse_expression(item.expr).tree
    return frozenset(name for node in tree.find_all(exp.Anonymous) if (name := call_name(node)) is not None)


def name_of_entry(entry: str) -> str:
    """Return the name of the result column that an entry of `select` or `sort` makes."""
    parsed = parse_expression(entry)
    if parsed.alias is not None:
        return parsed.alias
    return parsed.tree.name if isinstance(parsed.tree, exp.Column) else entry


def sorted_by(entry: str) -> tuple[str, bool]:
    """Split an entry of `sort` into (expression, descending)."""
    text, _, direction = entry.rpartition(" ")
    if direction.casefold() in {"asc", "desc"} and text:
        return text, direction.casefold() == "desc"
    return entry, False


def column_name(text: str) -> str:
    """Return the column that an expression is, as it is named; the text itself when it is no column."""
    tree = parse_expression(text).tree
    return tree.name if isinstance(tree, exp.Column) else text
