"""Arrow tables as engine tables: stored as Parquet and attached to a real, locked engine."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from sqlglot import exp, parse_one

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.table import LoadReport, Table
from tabchat.engine.types import ROW, Schema

EXAMPLES = Path(__file__).parents[2] / "examples" / "data"


def open_engine(folder: Path) -> DuckDBEngine:
    """Return an engine that can read the Parquet files in `folder`."""
    return DuckDBEngine(spill=folder / "spill", folders=[folder], limits=Limits(memory=2**30, threads=1))


def scan_of(path: Path, columns: tuple[str, ...]) -> exp.Select:
    """Return the query that reads a stored version, in the form that the reader gives it."""
    scan = exp.select(
        exp.alias_(parse_one("file_row_number + 1"), ROW, quoted=True),
        *(exp.column(name, quoted=True) for name in columns),
    )
    flag = exp.EQ(this=exp.to_identifier("file_row_number"), expression=exp.true())
    return scan.from_(exp.func("READ_PARQUET", exp.Literal.string(str(path)), flag, dialect="duckdb"))


def store(engine: DuckDBEngine, folder: Path, rows: pa.Table, name: str = "t") -> Table:
    """Store `rows` in `folder` and attach them to `engine` under `name`, replacing an earlier table."""
    path = folder / f"{name}.parquet"
    pq.write_table(rows, path)
    scan = scan_of(path, tuple(rows.column_names))
    engine.attach(name, scan)
    schema: Schema = tuple(column for column in engine.schema(scan) if column.name != ROW)
    return Table(
        name=name,
        version=name,
        source=path,
        scan=scan,
        stored=True,
        schema=schema,
        row_count=rows.num_rows,
        report=LoadReport(input_format="parquet"),
    )


def read_example(name: str) -> pa.Table:
    """Return one of the example files as Arrow's own CSV reader sees it."""
    from pyarrow import csv

    return csv.read_csv(EXAMPLES / name)
