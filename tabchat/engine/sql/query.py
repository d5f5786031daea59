"""Read-only SQL over the open tables: checked, run once, with the rows behind an aggregate.

| outermost SELECT                    | kind      | source rows                         |
|-------------------------------------|-----------|-------------------------------------|
| GROUP BY                            | `grouped` | rows after WHERE, before the groups |
| aggregates, no groups, one column   | `scalar`  | rows after WHERE                    |
| aggregates, no groups, more columns | `dict`    | rows after WHERE                    |
| anything else of one row and column | `scalar`  | none                                |
| anything else                       | `table`   | none                                |
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.queries import alone_rows
from tabchat.engine.nearest import nearest
from tabchat.engine.plan.relation import pinned
from tabchat.engine.result.result import Chart, Frame, Result, ResultKind, ResultMetadata
from tabchat.engine.sql.binding import CheckedSql, bind_tables, read_sql
from tabchat.engine.sql.gathered import GROUP_ROWS, with_group_rows
from tabchat.engine.sql.joined import joins_told
from tabchat.engine.sql.policy import check_sql, names_a_cte
from tabchat.engine.sql.shape import SOURCE_ROWS, Block, inline_aliases, sorted_by, unrepeatable
from tabchat.engine.types import ROW, whole
from tabchat.errors import QueryFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Schema

__all__ = ["CheckedSql", "check_sql", "read_sql", "run_checked", "run_sql"]

_UNIT_KEEPING: Final = (exp.Avg, exp.First, exp.Last, exp.Max, exp.Median, exp.Min, exp.Sum)


def run_sql(
    engine: Engine, tables: Mapping[str, Table], sql: str, *, written: Engine | None = None
) -> Result:
    """Run one SELECT over `tables`, which are attached to `engine` under their names.

    Raises `SqlRefusedError` for SQL that is not accepted and `QueryFailedError`
    for SQL that the engine cannot run, such as one with an unknown column.
    """
    return run_checked(engine, read_sql(sql, tables), written=written)


def run_checked(engine: Engine, checked: CheckedSql, *, written: Engine | None = None) -> Result:
    """Run a checked SELECT; raises `QueryFailedError`.

    What is made of the text of the SQL runs on `written`, which keeps its rows in the database of `engine`
    and bounds what a query may take; the rows that it gave are then read by `engine`.
    """
    written = written or engine
    query, tables = checked.query, checked.tables
    bound = bind_tables(query, tables)
    block = Block(bound) if isinstance(bound, exp.Select) else None
    try:
        frame, source_rows, alone = _frame(engine, written, tables, query, bound, block)
        source, warnings = _source(written, tables, query, block, source_rows)
    except QueryFailedError as error:
        raise _with_nearest(error, bound, tables) from error
    told, notes = joins_told(written, tables, query)
    warnings += told
    columns = frame.columns
    kind = _kind(block, frame)
    cells = frame.rows(1)[0] if kind in {ResultKind.SCALAR, ResultKind.DICT} else ()
    keys = tuple(columns[index] for index in block.keys) if block and kind is ResultKind.GROUPED else ()
    shaky = unrepeatable([query])
    if shaky:
        warnings += (f"Another run may give other values: the query uses {', '.join(shaky)}.",)
    return Result(
        kind=kind,
        frame=frame,
        value=cells[0] if kind is ResultKind.SCALAR else None,
        values=dict(zip(columns, cells, strict=True)) if kind is ResultKind.DICT else {},
        source=source,
        source_row_count=source.row_count if source else source_rows,
        chart=_chart(keys, frame.schema) if kind is ResultKind.GROUPED else None,
        group_by=keys,
        focus=block.focus(columns) if block else _sorted_columns(query, columns),
        metadata=ResultMetadata(rows=frame.row_count, warnings=warnings, notes=notes, alone=alone),
        sql=query.sql(engine.dialect, pretty=True),
    )


def _frame(
    engine: Engine,
    written: Engine,
    tables: Mapping[str, Table],
    query: exp.Query,
    bound: exp.Query,
    block: Block | None,
) -> tuple[Frame, int | None, int | None]:
    """Run the query; returns its frame and, when the same scan counted them, its source rows and rows that stand for one."""
    if isinstance(query, exp.Select) and Block(query).is_bare:
        table = tables[query.args["from_"].this.name]
        schema = _with_units(engine.schema(bound), block, tables)
        rows = pinned(bound, [table])
        return Frame(engine=engine, query=rows, schema=schema, row_count=table.row_count), None, None
    counted = block is not None and block.is_aggregate and block.counts_source_in_scan
    gathered = with_group_rows(bound)
    whole_block = Block(gathered) if gathered is not None else block
    kept = written.materialise(_prepared(gathered or bound, whole_block, counted=counted))
    hidden = {SOURCE_ROWS, GROUP_ROWS}
    names = [column.name for column in engine.schema(kept) if column.name not in hidden]
    counts: list[exp.Expr] = [exp.Count(this=exp.Star())]
    counts += [exp.Max(this=exp.column(SOURCE_ROWS, quoted=True))] if counted else []
    counts += [alone_rows(GROUP_ROWS)] if gathered is not None else []
    if len(counts) > 1:
        visible = exp.select(*(exp.column(name, quoted=True) for name in names))
        shown = visible.from_(kept.copy().subquery("kept"))
    else:
        shown = kept
    ((row_count, *more),) = engine.rows(exp.select(*counts).from_(kept.subquery("kept")))
    alone = whole(more.pop()) if gathered is not None else None
    source_rows = whole(more[0]) if more and more[0] is not None else None
    schema = _with_units(engine.schema(shown), block, tables)
    frame = Frame(engine=engine, query=shown, schema=schema, row_count=whole(row_count))
    return frame, source_rows, alone


def _prepared(bound: exp.Query, block: Block | None, *, counted: bool) -> exp.Query:
    """Return the query that is run: with a hidden count, and with groups in the order of their keys."""
    if block is None or not block.is_aggregate:
        return bound
    select = block.select.copy()
    for projection in select.expressions:
        if isinstance(projection, exp.Count) and isinstance(projection.this, (exp.Star, type(None))):
            projection.replace(exp.alias_(projection.copy(), "count", quoted=True))
    if block.is_grouped and not select.args.get("order"):
        select.set("order", exp.Order(expressions=[_position(index) for index in block.keys]))
    if counted:
        count: exp.Expr = exp.Count(this=exp.Star())
        if block.select.args.get("group") is not None:
            count = exp.Window(this=exp.Sum(this=count))
        select = select.select(exp.alias_(count, SOURCE_ROWS, quoted=True))
    return select


def _position(index: int) -> exp.Ordered:
    return exp.Ordered(this=exp.Literal.number(index + 1), nulls_first=False)


def _source(
    engine: Engine,
    tables: Mapping[str, Table],
    query: exp.Query,
    block: Block | None,
    counted: int | None,
) -> tuple[Frame | None, tuple[str, ...]]:
    """Return the rows that the outermost aggregate was computed from, when they are one query's rows."""
    if block is None or not block.is_aggregate or not block.select.args.get("from_"):
        return None, ()
    inputs = [block.select.args[name] for name in ("with_", "from_", "where") if block.select.args.get(name)]
    if unrepeatable([*inputs, *(block.select.args.get("joins") or ())]):
        return None, ()
    try:
        rows = _source_query(engine, tables, query, block.select)
        schema = engine.schema(rows)
    except QueryFailedError as error:
        reason = error.plain or error.message
        return None, (f"The source rows of this query cannot be listed: {reason}",)
    if counted is None:
        ((cell,),) = engine.rows(exp.select(exp.Count(this=exp.Star())).from_(rows.copy().subquery("source")))
        counted = whole(cell)
    schema = _table_units(schema, tables)
    rows = pinned(rows, tables.values())
    return Frame(engine=engine, query=rows, schema=schema, row_count=counted), ()


def _source_query(
    engine: Engine, tables: Mapping[str, Table], query: exp.Query, select: exp.Select
) -> exp.Select:
    """Return the rows of FROM and WHERE; those of a single table with their number in the file."""
    rows = exp.select("*")
    for clause in ("with_", "from_", "joins", "laterals"):
        if part := select.args.get(clause):
            rows.set(clause, [item.copy() for item in part] if isinstance(part, list) else part.copy())
    where = select.args.get("where")
    if where is not None:
        columns = [column.name for column in engine.schema(rows)]
        rows.set("where", exp.Where(this=inline_aliases(where.this, select, columns)))
    table = _single_table(query, tables)
    if table is not None:
        _show_row_numbers(rows, table)
        return rows
    # Columns of the same name are told apart by the engine one level up.
    return exp.select("*").from_(rows.subquery("source"))


def _single_table(query: exp.Query, tables: Mapping[str, Table]) -> Table | None:
    """Return the table when FROM is one stored table with numbered rows and nothing else."""
    from_ = query.args["from_"].this
    alone = isinstance(from_, exp.Table) and not any(query.args.get(name) for name in ("joins", "laterals"))
    if not alone or {name for name, value in from_.args.items() if value} - {"this", "alias"}:
        return None
    if names_a_cte(from_) or isinstance(from_.this, exp.Func) or from_.alias_column_names:
        return None
    table = tables[from_.name]
    return table if table.stored and table.is_numbered else None


def _show_row_numbers(rows: exp.Select, table: Table) -> None:
    taken = {column.name.casefold() for column in table.schema}
    name = next(name for name in ("row", "file_row", ROW) if name not in taken)
    number = exp.alias_(exp.column(ROW, quoted=True), name, quoted=True)
    inner = rows.args["from_"].this.this
    inner.set("expressions", [number, *inner.expressions])


def _kind(block: Block | None, frame: Frame) -> ResultKind:
    if block is not None and block.is_grouped:
        return ResultKind.GROUPED
    if frame.row_count == 1 and len(frame.schema) == 1:
        return ResultKind.SCALAR
    if frame.row_count == 1 and block is not None and block.gives_one_row:
        return ResultKind.DICT
    return ResultKind.TABLE


def _chart(keys: tuple[str, ...], schema: Schema) -> Chart | None:
    value = next(
        (column.name for column in schema if column.kind.is_numeric and column.name not in keys), None
    )
    return Chart(category=keys[0], value=value) if value is not None else None


def _with_units(schema: Schema, block: Block | None, tables: Mapping[str, Table]) -> Schema:
    """Give output columns that are a table's column, or an average or extreme of one, its unit.

    Where a struct is unnested there are more columns than the query lists, and none is given one.
    """
    if block is None or block.has_star:
        return _table_units(schema, tables)
    units, measured = _units(tables), tuple(_measured(block))
    if len(measured) != len(schema):
        return schema
    return tuple(
        replace(column, unit=units.get(name) if name is not None else None)
        for column, name in zip(schema, measured, strict=True)
    )


def _measured(block: Block) -> Iterator[str | None]:
    for projection in block.select.expressions:
        value = projection.unalias()
        inner = value.this if isinstance(value, _UNIT_KEEPING) else value
        yield inner.name if isinstance(inner, exp.Column) else None


def _table_units(schema: Schema, tables: Mapping[str, Table]) -> Schema:
    units = _units(tables)
    return tuple(replace(column, unit=units.get(column.name)) for column in schema)


def _units(tables: Mapping[str, Table]) -> dict[str, str]:
    """Return the unit of every column name that means the same in all tables that have it."""
    found: dict[str, set[str | None]] = {}
    for table in tables.values():
        for column in table.schema:
            found.setdefault(column.name, set()).add(column.unit)
    return {name: unit for name, (unit, *others) in found.items() if unit is not None and not others}


def _with_nearest(error: QueryFailedError, bound: exp.Query, tables: Mapping[str, Table]) -> QueryFailedError:
    """Name the nearest columns when the query uses an unknown one and the engine has no better idea."""
    names = [column.name for table in tables.values() for column in table.schema]
    known = {name.casefold() for name in (*names, *(node.alias for node in bound.find_all(exp.Alias)))}
    unknown = [column.name for column in bound.find_all(exp.Column) if column.name.casefold() not in known]
    near = [found for name in unknown for found in nearest(name, names, 1)]
    is_unknown = error.message.startswith("There is no column ")
    if not near or not is_unknown or (error.hint or "").startswith("Did you mean "):
        return error
    hint = f"Did you mean {' or '.join(dict.fromkeys(near))}?"
    return QueryFailedError(error.message, hint=hint, plain=error.plain)


def _sorted_columns(query: exp.Query, columns: Sequence[str]) -> tuple[str, ...]:
    wanted = {name.casefold() for name in sorted_by(query, columns)}
    return tuple(name for name in columns if name.casefold() in wanted)
