"""What a result was held to: the groups and the days that every row behind it belongs to.

Only conditions that hold for every row count: those joined by AND in each select that reads a table itself.
A text that names another group of such a column, or another period, speaks of something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.chat.validator.periods import days_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.validator.periods import Period

_ENDS: Final = (exp.GTE, exp.GT, exp.LT, exp.LTE, exp.Between)


def base_selects(tree: exp.Expr) -> list[exp.Select]:
    """Return the selects that read a table itself, not another select."""
    named = {item.alias_or_name for item in tree.find_all(exp.CTE)}
    return [select for select in tree.find_all(exp.Select) if _is_base(select, named)]


def _is_base(select: exp.Select, named: set[str]) -> bool:
    source = select.args.get("from_")
    table = source.this if source is not None else None
    return isinstance(table, exp.Table) and table.name not in named


def held_to(tree: exp.Expr) -> dict[str, frozenset[str]]:
    """Return column → folded texts, for columns that are held to some values in every select."""
    found: list[dict[str, frozenset[str]]] = [dict(_equal(select)) for select in base_selects(tree)]
    if not found:
        return {}
    shared = set.intersection(*(set(each) for each in found))
    return {column: frozenset().union(*(each[column] for each in found)) for column in shared}


def held_period(tree: exp.Expr) -> Period | None:
    """Return the days that every row lies in; none when the selects differ or one is not held to any."""
    periods = {days_of(_dated(select)) for select in base_selects(tree)}
    held = periods.pop() if len(periods) == 1 else None
    return held if held is not None and held[0] <= held[1] else None


def _conditions(select: exp.Select) -> Iterator[exp.Expr]:
    where = select.args.get("where")
    if where is not None:
        whole = where.this.unnest()
        parts = whole.flatten() if isinstance(whole, exp.And) else [whole]
        yield from (part.unnest() for part in parts)


def _equal(select: exp.Select) -> Iterator[tuple[str, frozenset[str]]]:
    for part in _conditions(select):
        if not isinstance(part, exp.EQ | exp.In) or not isinstance(part.this, exp.Column):
            continue
        options = part.expressions if isinstance(part, exp.In) else [part.expression]
        texts = {item.name.casefold() for item in options if isinstance(item, exp.Literal) and item.is_string}
        if texts and len(texts) == len(options):
            yield part.this.name, frozenset(texts)


def _dated(select: exp.Select) -> list[exp.Expr]:
    return [part for part in _conditions(select) if isinstance(part, _ENDS)]
