"""A table version as it is described beside its rows: plain JSON from which the table is built again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabchat.engine.source_files import SourceFiles
from tabchat.engine.table import LoadNote, LoadReport, ReadOptions, Table
from tabchat.engine.types import FILE_ROW, ROW, Column, ColumnKind
from tabchat.record import later, record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlglot import exp

    from tabchat.engine.types import JsonValue, Schema


@record
class Loaded:
    """A table that was just read: its rows in a Parquet file that was written, or in the person's own files."""

    schema: Schema
    row_count: int
    report: LoadReport
    parquet: Path | None = None
    files: SourceFiles | None = None
    """The person's files, where they are read where they lie."""
    edits: tuple[Mapping[str, JsonValue], ...] = ()
    """Edits that led here from the file; the Parquet file of an edited version has a column of row numbers."""
    last_row: int | None = None
    """The greatest row number that was ever given, where edits led here."""


def described(loaded: Loaded, source: Path, options: ReadOptions) -> dict[str, Any]:
    """Return what `table_of` builds the table from."""
    return {
        "source": os.fspath(source),
        "schema": [[c.name, c.kind.value, c.sql_type, c.unit] for c in loaded.schema],
        "row_count": loaded.row_count,
        "report": loaded.report.to_json(),
        "options": options.to_json(),
        "edits": [dict(edit) for edit in loaded.edits],
        "last_row": loaded.last_row,
        "files": loaded.files.to_json() if loaded.files is not None else None,
    }


def stored_scan(parquet: Path, names: Sequence[str]) -> exp.Select:
    """Return the query over a stored version: the row number, then the visible columns."""
    from sqlglot import exp

    from tabchat.engine.reader import nodes

    number = exp.Add(this=exp.column(FILE_ROW), expression=exp.Literal.number(1))
    columns = [nodes.named(number, ROW), *map(nodes.column, names)]
    source = nodes.table_function(
        "read_parquet", str(parquet), {FILE_ROW: exp.true(), "hive_partitioning": exp.false()}
    )
    return exp.Select(expressions=columns).from_(source)


def numbered_scan(parquet: Path, names: Sequence[str]) -> exp.Select:
    """Return the query over an edited version, whose rows bring the numbers that they have in their file."""
    from sqlglot import exp

    from tabchat.engine.reader import nodes

    source = nodes.table_function("read_parquet", str(parquet), {"hive_partitioning": exp.false()})
    return exp.Select(expressions=[nodes.column(ROW), *map(nodes.column, names)]).from_(source)


def table_of(facts: dict[str, Any], version: str, name: str, parquet: Path) -> Table:
    """Return the table that was described; raises `KeyError`, `TypeError` or `ValueError` when it was not."""
    schema = tuple(
        Column(name=column, kind=ColumnKind(kind), sql_type=sql_type, unit=unit)
        for column, kind, sql_type, unit in facts["schema"]
    )
    report = dict(facts["report"])
    notes = tuple(
        LoadNote(**note | {name: tuple(note[name]) for name in ("rows", "totals") if name in note})
        for note in report.pop("notes")
    )
    edits = tuple(facts.get("edits", ()))
    names = [column.name for column in schema]
    lying = facts.get("files")
    files = SourceFiles.from_json(version, lying) if lying is not None else None
    scan = numbered_scan if edits else stored_scan
    return Table(
        name=name,
        version=version,
        source=Path(facts["source"]),
        scan=later(lambda: files.scan(names) if files is not None else scan(parquet, names)),
        stored=True,
        schema=schema,
        row_count=facts["row_count"],
        report=LoadReport(**report, notes=notes),
        options=ReadOptions.from_json(facts["options"]),
        edits=edits,
        last_row=facts.get("last_row"),
        files=files,
    )


def check_rows(table: Table) -> None:
    """Raise when a kept table does not have the rows that its description says; the person's own files are not read."""
    from sqlglot import exp

    from tabchat.engine.duckdb_core import open_database
    from tabchat.engine.reader import nodes

    if table.files is not None:
        return

    # Every column is read, so that damage anywhere in the file shows.
    counts = [nodes.call("count", nodes.column(column.name)) for column in table.schema]
    query = exp.Select(expressions=[exp.Count(this=exp.Star()), *counts]).from_(table.scan.subquery("kept"))
    with open_database() as connection:
        found = connection.execute(query.sql("duckdb", identify=True)).fetchone()
    if found is None or found[0] != table.row_count:
        raise ValueError("its row count is wrong")
