"""Small tables and results made by hand, over a real locked engine and real Parquet files."""

from collections.abc import Mapping
from pathlib import Path

import duckdb
from sqlglot import exp, parse_one

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.result.result import Chart, Frame, Result, ResultKind, ResultMetadata
from tabchat.engine.table import LoadReport, Table
from tabchat.engine.types import ROW, Engine, Value


def make_engine(folder: Path) -> DuckDBEngine:
    """Return a locked engine that may touch `folder`/tables and `folder`/results only."""
    for name in ("tables", "results"):
        (folder / name).mkdir(exist_ok=True)
    return DuckDBEngine(
        spill=folder / "spill",
        folders=(folder / "tables", folder / "results"),
        limits=Limits(memory=2**30, threads=1),
    )


def make_table(folder: Path, engine: Engine, name: str, select: str) -> Table:
    """Store the rows of `select` as a Parquet version, in order, and attach it to `engine` under `name`."""
    path = folder / "tables" / f"{name}.parquet"
    path.parent.mkdir(exist_ok=True)
    duckdb.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
    scanned = parse_one(
        f"SELECT file_row_number + 1 AS {ROW}, * EXCLUDE (file_row_number) "
        f"FROM read_parquet('{path}', file_row_number = true)",
        dialect="duckdb",
    )
    assert isinstance(scanned, exp.Query)
    engine.attach(name, scanned)
    schema = tuple(column for column in engine.schema(scanned) if column.name != ROW)
    ((row_count,),) = engine.rows(exp.select(exp.Count(this=exp.Star())).from_(scanned.subquery("t")))
    assert isinstance(row_count, int)
    return Table(
        name=name,
        version=name,
        source=path,
        scan=scanned,
        stored=True,
        schema=schema,
        row_count=row_count,
        report=LoadReport(input_format="parquet"),
    )


def make_frame(engine: Engine, sql: str) -> Frame:
    """Return the rows of `sql`, kept in order."""
    query = parse_one(sql, dialect="duckdb")
    assert isinstance(query, exp.Query)
    kept = engine.materialise(query)
    ((row_count,),) = engine.rows(exp.select(exp.Count(this=exp.Star())).from_(kept.subquery("t")))
    assert isinstance(row_count, int)
    return Frame(engine=engine, query=kept, schema=engine.schema(kept), row_count=row_count)


def make_result(
    engine: Engine,
    sql: str,
    *,
    kind: ResultKind = ResultKind.TABLE,
    value: Value = None,
    values: Mapping[str, Value] | None = None,
    source_row_count: int | None = None,
    chart: Chart | None = None,
    group_by: tuple[str, ...] = (),
    focus: tuple[str, ...] = (),
) -> Result:
    """Return a result whose frame holds the rows of `sql`."""
    frame = make_frame(engine, sql)
    return Result(
        kind=kind,
        frame=frame,
        value=value,
        values=values or {},
        source_row_count=source_row_count,
        chart=chart,
        group_by=group_by,
        focus=focus,
        metadata=ResultMetadata(rows=frame.row_count),
        sql=sql,
    )
