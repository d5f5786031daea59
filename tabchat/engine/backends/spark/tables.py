"""Tables that only Spark reads: those of a catalogue, Delta tables, folders of CSV files, addresses of other stores.

Nobody numbers their rows. An order comes from columns that are named for it; without it, what needs one is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.backends.duckdb_types import column_kind
from tabchat.engine.backends.spark import INPUT_FORMAT
from tabchat.engine.backends.spark.delta import is_delta, read_delta
from tabchat.engine.backends.spark.errors import query_error
from tabchat.engine.backends.spark.fingerprint import FORMATS, State, state_of
from tabchat.engine.backends.spark.scans import FAR_PREFIX, FarRows
from tabchat.engine.backends.spark.sql.relations import path_for_spark
from tabchat.engine.backends.spark.sql.types import duckdb_type
from tabchat.engine.backends.spark.starting import as_no_client
from tabchat.engine.facts.sample import HEAD_ROWS, sample_facts
from tabchat.engine.reader.source.naming import table_name
from tabchat.engine.table import LoadNote, LoadReport, ReadOptions, Table, inferred_note, warning_note
from tabchat.engine.types import Column
from tabchat.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tabchat.engine.backends.spark.delta import DeltaTable
    from tabchat.engine.backends.spark.engine import SparkEngine

CATALOGUE: Final = "spark:"
"""How the name of a table of a catalogue begins: `spark:database.table`."""
_CSV: Final = {
    "header": True,
    "inferSchema": True,
    # A quote within quotes is doubled, and a record goes on behind a line's end there (RFC 4180).
    "escape": '"',
    "multiLine": True,
    # A record that does not fit, and a file with other columns than the first, are errors and not nulls.
    "mode": "FAILFAST",
    "enforceSchema": False,
}
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+://")
_FORMATS: Final = (*FORMATS, "delta")


def is_far(source: str) -> bool:
    """Return whether only Spark reads a source: not a file, nor a folder of Parquet files."""
    if source.startswith(CATALOGUE) or _ADDRESS.match(source):
        return True
    folder = Path(source)
    return folder.is_dir() and (is_delta(folder) or any(folder.glob("*.csv")) or any(folder.glob("*.csv.gz")))


def open_far(
    engine: SparkEngine,
    source: str,
    *,
    order_by: Sequence[str] = (),
    name: str | None = None,
    taken: Collection[str] = (),
    input_format: str | None = None,
) -> Table:
    """Open a source that only Spark reads as a table.

    Raises `InputError` when Spark cannot read it, and `UsageError` for an order that does not tell rows apart.
    """
    try:
        read, fixed = _reading(source, input_format)
        dtypes: list[tuple[str, str]] = read(engine.session).dtypes
        state = _state(engine, source, read) if not fixed else None
    except (InputError, UsageError):
        raise
    except Exception as error:  # Spark's own, of several libraries
        told = query_error(error, stopped=False)
        raise InputError(f"{source!r} cannot be read as a table: {told.message}", hint=told.hint) from error
    columns = [(column, found) for column, kind in dtypes if (found := duckdb_type(kind)) is not None]
    if not columns:
        raise InputError(f"{source!r} has no columns that can be read.", hint="Name another table.")
    # What cannot be known to be the same again gets another key each time.
    known = fixed or (state.was if state is not None else None)
    version = _version(source, dtypes, known or secrets.token_hex(16), order_by)
    chosen = name or table_name(
        Path(source.removeprefix(CATALOGUE).rstrip("/")).name.replace(".", "_"), taken
    )
    order = _order(columns, order_by)
    rows_there = FarRows(read=read, columns=columns, order=order, state=state)
    scan = engine.adopt(f"{FAR_PREFIX}{version}", rows_there)
    schema = tuple(Column(name=column, kind=column_kind(kind), sql_type=kind) for column, kind in columns)
    count = _count(engine, scan, order, source)
    cells = [exp.column(column.name, quoted=True) for column in schema]
    rows = engine.rows(exp.select(*cells).from_(scan.subquery("scanned")).limit(HEAD_ROWS))
    return Table(
        name=chosen,
        version=version,
        source=Path(source),
        scan=scan,
        stored=True,
        schema=schema,
        row_count=count,
        report=LoadReport(
            input_format=INPUT_FORMAT, notes=tuple(_notes(dtypes, order, is_known=known is not None))
        ),
        options=ReadOptions(input_format=input_format),
        is_numbered=False,
        sampled=sample_facts(rows, schema, name=chosen, path=source, row_count=count),
    )


def _reading(source: str, input_format: str | None) -> tuple[Callable[[Any], Any], str]:
    """Return how a session of Spark reads the rows of a source, and what fixes its version beside its files."""
    if source.startswith(CATALOGUE):
        return lambda session: session.read.table(source.removeprefix(CATALOGUE)), ""
    if _ADDRESS.match(source):
        chosen = input_format or "parquet"
        if chosen not in _FORMATS:
            raise UsageError(
                f"Spark does not read {chosen} at an address.", hint=f"Use {', '.join(_FORMATS)}."
            )
        options = _CSV if chosen == "csv" else {}
        return lambda session: session.read.options(**options).format(chosen).load(source), ""
    folder = Path(source).absolute()
    if is_delta(folder):
        found = read_delta(folder)
        return partial(_delta_rows, folder=folder, found=found), f"delta {found.version}"
    return lambda session: session.read.options(**_CSV).csv(path_for_spark(folder)), ""


def _delta_rows(session: Any, *, folder: Path, found: DeltaTable) -> Any:
    """Return the rows of the version that was found, whatever was committed since."""
    from pyspark.sql.types import StructType

    schema = StructType.fromJson(found.schema)
    if not found.files:
        return session.createDataFrame([], schema)
    with as_no_client():
        reader = session.read.schema(schema).option("basePath", path_for_spark(folder))
    return reader.parquet(*map(path_for_spark, found.files))


def _state(engine: SparkEngine, source: str, read: Callable[[Any], Any]) -> State:
    name = source.removeprefix(CATALOGUE) if source.startswith(CATALOGUE) else None
    return state_of(lambda: engine.session, read, catalogue=name)


def _version(source: str, *parts: object) -> str:
    told = json.dumps([source, *parts])
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _order(columns: Sequence[tuple[str, str]], wanted: Sequence[str]) -> tuple[str, ...]:
    known = {name.casefold(): name for name, _ in columns}
    missing = [name for name in wanted if name.casefold() not in known]
    if missing:
        message = f"--order-by names {missing[0]!r}, which is no column."
        raise UsageError(message, hint=f"Columns: {', '.join(known.values())}.")
    return tuple(known[name.casefold()] for name in wanted)


def _count(engine: SparkEngine, scan: exp.Select, order: Sequence[str], source: str) -> int:
    """Count the rows, and make sure that the order tells every two of them apart."""
    counts: list[exp.Expr] = [exp.Count(this=exp.Star())]
    if order:
        # A key of several columns is as many as its groups.
        keys = [exp.column(name, quoted=True) for name in order]
        groups = exp.select(*keys).distinct().from_(scan.copy().subquery("keys"))
        (found,) = engine.rows(exp.select(*counts).from_(groups.subquery("groups")))
    (whole,) = engine.rows(exp.select(*counts).from_(scan.copy().subquery("rows")))
    if order and found != whole:
        message = (
            f"Rows of {source!r} share a value of {', '.join(order)}: {whole[0]!s} rows, {found[0]!s} values."
        )
        raise UsageError(message, hint="Name more columns: --order-by a,b.")
    ((rows,),) = [whole]
    return rows if isinstance(rows, int) else 0


def _notes(dtypes: Sequence[tuple[str, str]], order: Sequence[str], *, is_known: bool) -> list[LoadNote]:
    left_out = [f"{name} ({kind})" for name, kind in dtypes if duckdb_type(kind) is None]
    notes = []
    if left_out:
        message = f"Columns of types that are not read were left out: {', '.join(left_out)}."
        notes.append(warning_note(message=message, count=len(left_out)))
    told = (
        f"Rows are in the order of {', '.join(order)}."
        if order
        else "Rows have no order; --order-by COLUMN gives one."
    )
    if not is_known:
        message = "Source unknown: nothing tells when this table changes, so its answers get a new key each time it is opened."
        notes.append(warning_note(message=message))
    notes.append(inferred_note(message=told, hint=None if order else "--order-by"))
    return notes
