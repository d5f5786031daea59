"""What a result's own query says of its columns and rows: aggregates, filters, periods, literals."""

from __future__ import annotations

import re
from dataclasses import field
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from tabchat.chat.validator.periods import Period, day_of, days_of
from tabchat.chat.validator.scopes import held_period, held_to
from tabchat.record import record

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping

    from tabchat.engine.result import Result

_TEXT_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_HUNDRED: Final = 100
_ROLES: Final[tuple[tuple[type[exp.Expression], str], ...]] = (
    (exp.Sum, "sum"),
    (exp.Avg, "mean"),
    (exp.Median, "median"),
    (exp.Min, "min"),
    (exp.Max, "max"),
    (exp.Count, "count"),
    (exp.CountIf, "count"),
    (exp.First, "first"),
    (exp.Last, "last"),
)
_NAMED_ROLES: Final = {"FSUM": "sum", "FAVG": "mean"}
_WRAPPERS: Final = (exp.Alias, exp.Round, exp.Cast, exp.Paren, exp.Coalesce)


@record
class Origin:
    """How one column was computed."""

    role: str | None
    """sum, mean, median, min, max, count, first, last; none when it is no plain aggregate."""
    sources: tuple[str, ...]
    """Columns that the expression reads."""
    in_percent: bool
    """The expression multiplies by a hundred."""
    is_ratio: bool
    """The expression divides."""


@record
class Query:
    """The facts of one query."""

    origins: Mapping[str, Origin]
    """Column → how it was computed."""
    equal_to: Mapping[str, frozenset[str]]
    """Column → folded texts that a filter keeps."""
    period: Period | None
    """Days that a filter on dates keeps."""
    numbers: frozenset[Decimal]
    """Every number that the query or the plan writes."""
    dates: frozenset[dt.date]
    limit: int | None
    tables: frozenset[str] = frozenset()
    held_to: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Column → folded texts that every row behind the result has."""
    held_period: Period | None = None
    """Days that every row behind the result lies in."""


def read_query(result: Result) -> Query:
    """Read the query behind `result`; what cannot be read tells nothing."""
    try:
        tree = parse_one(result.sql, dialect="duckdb")
    except SqlglotError:
        return Query(origins={}, equal_to={}, period=None, numbers=frozenset(), dates=frozenset(), limit=None)
    limit = tree.args.get("limit")
    top = _number(limit.expression.name) if isinstance(limit, exp.Limit) else None
    return Query(
        origins=dict(_origins(tree)),
        equal_to=_equalities(tree),
        period=days_of(_ends(tree)),
        held_to=held_to(tree),
        held_period=held_period(tree),
        numbers=frozenset((*_literals(tree), *_plan_numbers(result))),
        dates=frozenset(_dates(tree)),
        limit=int(top) if top is not None else None,
        tables=frozenset(table.name for table in tree.find_all(exp.Table)),
    )


def _origins(tree: exp.Expr) -> Iterator[tuple[str, Origin]]:
    # Inner selects first, so that an outer one of the same name wins when it computes something.
    selects = list(tree.find_all(exp.Select))
    known: dict[str, Origin] = {}
    for select in reversed(selects):
        for projection in select.expressions:
            name = projection.alias_or_name
            if name and not isinstance(projection, exp.Column | exp.Star):
                known[name] = _origin(projection)
    yield from known.items()


def _origin(projection: exp.Expr) -> Origin:
    inner = projection
    while isinstance(inner, _WRAPPERS):
        inner = inner.this
    role = next((name for kind, name in _ROLES if isinstance(inner, kind)), None)
    if isinstance(inner, exp.Anonymous):
        role = _NAMED_ROLES.get(str(inner.this).upper())
    if isinstance(inner, exp.Filter):
        role = _origin(inner.this).role
    return Origin(
        role=role,
        # What only puts rows in order, as in `first(close order by date)`, is not measured.
        sources=tuple(
            dict.fromkeys(
                column.name
                for column in projection.find_all(exp.Column)
                if column.find_ancestor(exp.Order) is None
            )
        ),
        in_percent=any(
            literal.is_number and _number(literal.name) == _HUNDRED
            for literal in projection.find_all(exp.Literal)
        ),
        is_ratio=projection.find(exp.Div) is not None,
    )


def _equalities(tree: exp.Expr) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for where in tree.find_all(exp.Where):
        for node in where.find_all(exp.EQ, exp.In):
            options = node.expressions if isinstance(node, exp.In) else [node.expression]
            if not isinstance(node.this, exp.Column) or isinstance(node.parent, exp.Not):
                continue
            texts = {item.name.casefold() for item in options if isinstance(item, exp.Literal | exp.Boolean)}
            found.setdefault(node.this.name, set()).update(texts)
    return {column: frozenset(texts) for column, texts in found.items() if texts}


def _ends(tree: exp.Expr) -> Iterator[exp.Expr]:
    for where in tree.find_all(exp.Where):
        yield from where.find_all(exp.GTE, exp.GT, exp.LT, exp.LTE, exp.Between)


def _literals(tree: exp.Expr) -> Iterator[Decimal]:
    for literal in tree.find_all(exp.Literal):
        value = _number(literal.name) if literal.is_number else None
        if value is not None:
            yield value


def _plan_numbers(result: Result) -> Iterator[Decimal]:
    """Yield what the plan itself writes, such as a limit or the 30 of `last_30_days`."""
    for part, written in (result.plan or {}).items():
        if part in {"where", "having", "limit", "period", "steps"}:
            for found in _TEXT_NUMBER.findall(str(written).replace("_", " ")):
                yield Decimal(found)


def _dates(tree: exp.Expr) -> Iterator[dt.date]:
    for literal in tree.find_all(exp.Literal):
        day = day_of(literal)
        if day is not None:
            yield day


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
