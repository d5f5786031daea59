"""Everything about one unit: its rows by a key, the rows below it in the same table, and those of a second table."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.recipes.columns import alias, free_names, quoted
from tabchat.engine.recipes.outcome import Shape, result_of
from tabchat.engine.recipes.request import Request, refusal
from tabchat.engine.recipes.rows import KEYS, RecipeRows, Wanted
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import ROW, ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.plan.relation import Field
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Column

DEEPEST: Final = 64
"""Levels of children that are followed; a key that is its own ancestor ends there, too."""

_TREE, _KEY, _LEVEL, _PLACE = "__tree", "__key", "__level", "__place"
_YES: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@record
class _Part:
    """The rows that one table has of the unit."""

    table: str
    query: exp.Select
    schema: tuple[Column, ...]


def describe_unit(request: Request) -> Result:
    """Return every row of the unit, in file order.

    Arguments: `key` and `value`; `parent`, a column with the key of a row's parent, to follow the rows below;
    `children_key`, the column of the second table that holds the key. With a second table, the rows of both
    stand below each other, with a column `table` and the columns of one name and kind as one column. Raises
    `PlanValidationError` for a value that the key column cannot hold.
    """
    key, parent = request.text("key") or "", request.text("parent")
    wanted = [Wanted(argument="key", text=key, accepts=KEYS)]
    wanted += [Wanted(argument="parent", text=parent, accepts=KEYS)] if parent else []
    rows = RecipeRows(request, wanted)
    field = rows.field("key", key)
    value = _literal(request, field)
    if parent:
        keys = _tree(rows, field, rows.field("parent", parent), value)
        rows.keep(exp.In(this=field.column(), query=exp.select(quoted(_KEY)).from_(keys).subquery()))
    else:
        rows.keep(fill(":x = :value", x=field.column(), value=value))
    own = _Part(table=request.table.name, query=_all_columns(rows), schema=request.table.schema)
    parts = [own]
    if request.children is not None:
        parts.append(_children(rows, request, field, key))
    return _united(rows, parts)


def _literal(request: Request, field: Field) -> exp.Expr:
    """Return the value as a literal of the column's own kind."""
    text = request.text("value") or ""
    readers: Mapping[ColumnKind, Callable[[str], exp.Expr]] = {
        ColumnKind.INTEGER: lambda given: exp.Literal.number(_whole(given)),
        ColumnKind.NUMBER: lambda given: double(float(given)),
        ColumnKind.BOOLEAN: lambda given: exp.convert(_YES[given.casefold()]),
        ColumnKind.DATE: lambda given: exp.cast(
            exp.Literal.string(dt.date.fromisoformat(given).isoformat()), "DATE", dialect="duckdb"
        ),
        ColumnKind.DATETIME: lambda given: exp.cast(
            exp.Literal.string(dt.datetime.fromisoformat(given).isoformat(sep=" ")),
            "TIMESTAMP",
            dialect="duckdb",
        ),
        ColumnKind.TIME: lambda given: exp.cast(
            exp.Literal.string(dt.time.fromisoformat(given).isoformat()), "TIME", dialect="duckdb"
        ),
    }
    read = readers.get(field.kind) if field.kind is not None else None
    if read is None:
        return exp.Literal.string(text)
    try:
        return read(text.strip())
    except (ValueError, KeyError, OverflowError):
        message = f"`{field.name}` holds {field.kind} values, and the value given is none."
        raise refusal("value", text, message, "Write it as the column does.") from None


def _whole(text: str) -> str:
    number = float(text) if "." in text or "e" in text.lower() else int(text)
    if number != int(number):
        raise ValueError(text)
    return str(int(number))


def _tree(rows: RecipeRows, key: Field, parent: Field, value: exp.Expr) -> exp.Expr:
    """Name the keys of the unit and of everything below it."""
    edges = rows.layer(rows.select(alias(key.column(), _KEY), alias(parent.column(), "__parent")))
    start = exp.select(alias(value.copy(), _KEY), alias(exp.Literal.number(0), _LEVEL))
    below = (
        exp.select(
            exp.column(_KEY, table="e", quoted=True),
            fill(":l + 1", l=exp.column(_LEVEL, table="t", quoted=True)),
        )
        .from_(exp.alias_(edges, "e", table=True))
        .join(
            exp.alias_(exp.table_(_TREE, quoted=True), "t", table=True),
            on=fill(
                ":p = :k",
                p=exp.column("__parent", table="e", quoted=True),
                k=exp.column(_KEY, table="t", quoted=True),
            ),
        )
        .where(fill(":l < :deepest", l=exp.column(_LEVEL, table="t", quoted=True), deepest=DEEPEST))
    )
    rows.recursive(_TREE, exp.union(start, below, distinct=True))
    return exp.table_(_TREE, quoted=True)


def _all_columns(rows: RecipeRows) -> exp.Select:
    fields = [column.name for column in rows.request.table.schema]
    return rows.select(alias(exp.column(ROW, quoted=True), _PLACE), *(quoted(name) for name in fields))


def _children(rows: RecipeRows, request: Request, field: Field, key: str) -> _Part:
    table = request.children
    if table is None:
        raise AssertionError
    name = request.text("children_key") or key
    second = RecipeRows(
        Request(engine=request.engine, table=table, arguments={}, week_start=request.week_start),
        [Wanted(argument="children_key", text=name, accepts=KEYS)],
    )
    other = second.field("children_key", name)
    if other.kind != field.kind and not (
        other.kind and field.kind and other.kind.is_numeric and field.kind.is_numeric
    ):
        message = f"`{name}` of {table.name} holds {other.kind} values, and `{key}` {field.kind} values."
        raise refusal("children_key", name, message, "Name the column that holds the same key.")
    keys = rows.layer(rows.select(alias(field.column(), _KEY)))
    second.keep(exp.In(this=other.column(), query=exp.select(quoted(_KEY)).from_(keys).subquery()))
    return _Part(table=table.name, query=_all_columns(second), schema=table.schema)


def _united(rows: RecipeRows, parts: Sequence[_Part]) -> Result:
    columns: dict[tuple[str, ColumnKind | str], Column] = {}
    for part in parts:
        for column in part.schema:
            columns.setdefault(_identity(column), column)
    several = len(parts) > 1
    taken = ["table"] if several else []
    titles: dict[tuple[str, ColumnKind | str], str] = {}
    for identity, column in columns.items():
        titles[identity] = free_names([*taken, *titles.values()], column.name)[column.name]
    selects = [
        _aligned(rows, number, part, columns, titles, several=several) for number, part in enumerate(parts)
    ]
    united: exp.Query = selects[0]
    for select in selects[1:]:
        united = exp.union(united, select, distinct=False)
    names = [*taken, *titles.values()]
    source = rows.layer(united)
    query = (
        exp.select(*(quoted(name) for name in names)).from_(source).order_by(quoted("__part"), quoted(_PLACE))
    )
    result = result_of(
        rows,
        (rows.runnable(query), query),
        Shape(
            kind=ResultKind.TABLE,
            source_rows=None,
            focus=tuple(titles.values()),
            units={titles[identity]: column.unit for identity, column in columns.items()},
        ),
    )
    return _with_counts(result, parts, several=several)


def _identity(column: Column) -> tuple[str, ColumnKind | str]:
    return column.name.casefold(), "number" if column.kind.is_numeric else column.kind


def _aligned(
    rows: RecipeRows,
    number: int,
    part: _Part,
    columns: Mapping[tuple[str, ColumnKind | str], Column],
    titles: Mapping[tuple[str, ColumnKind | str], str],
    *,
    several: bool,
) -> exp.Select:
    """Return the rows of a part with the columns of all parts; those that it lacks are null."""
    own = {_identity(column): column.name for column in part.schema}
    layer = rows.layer(part.query)
    cells = [
        alias(
            quoted(own[identity])
            if identity in own
            else exp.cast(exp.Null(), column.sql_type, dialect="duckdb"),
            titles[identity],
        )
        for identity, column in columns.items()
    ]
    named = [alias(exp.Literal.string(part.table), "table")] if several else []
    return exp.select(*named, *cells, alias(exp.Literal.number(number), "__part"), quoted(_PLACE)).from_(
        layer
    )


def _with_counts(result: Result, parts: Sequence[_Part], *, several: bool) -> Result:
    """Add the rows of each table; those of one alone are the rows of the result."""
    from dataclasses import replace

    if not several:
        return result
    query = exp.select(
        *(fill("COUNT(*) FILTER (WHERE :x = :name)", x=quoted("table"), name=part.table) for part in parts)
    ).from_(result.frame.query.subquery("frame"))
    ((*counts,),) = result.frame.engine.rows(query)
    return replace(result, values=dict(zip((part.table for part in parts), counts, strict=True)))
