"""New versions of tables: written as Parquet into the cache, under a fingerprint of the version they were made of.

A version's rows keep the numbers that they had, in the hidden column `__row__`, so that source rows still name
rows of the file; the numbers of deleted rows are never given again, and rows that are added go on from the last.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.edits.comparing import compare_versions
from tabchat.engine.edits.compiling import EditCompiler
from tabchat.engine.edits.filling import read_statistics, statistics_query
from tabchat.engine.edits.operations import FillMissing, edit_json
from tabchat.engine.edits.reading import read_edit_json
from tabchat.engine.edits.wording import describe_edit
from tabchat.engine.plan.relation import pinned
from tabchat.engine.reader.description import Loaded, numbered_scan
from tabchat.engine.types import ROW, whole
from tabchat.errors import PlanError, PlanValidationError, QueryFailedError, SumTooLargeError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from tabchat.engine.edits.drafting import CompiledEdit
    from tabchat.engine.edits.filling import Statistics
    from tabchat.engine.edits.mutation import MutationSummary
    from tabchat.engine.edits.operations import Edit
    from tabchat.engine.reader import TableCache
    from tabchat.engine.table import LoadNote, LoadReport, Table
    from tabchat.engine.types import Column, Engine, JsonValue, Schema

EDIT_FORMAT: Final = 1
"""Part of every fingerprint; raised when the same edit comes to give other rows."""

_LARGEST: Final = 2**63 - 1

FRAME: Final = "frame"
"""Operation of a version whose rows came from code: it cannot be made again from the version before."""


@record
class EditedTable:
    """A table and the version that an edit makes of it."""

    before: Table
    after: Table
    summary: MutationSummary
    edit: Mapping[str, JsonValue]
    """Canonical JSON of the edit."""
    is_new: bool
    """False when the version was already there: made by the same edit of the same version."""
    reads: frozenset[str]
    """Columns, by their old names, that new cells were computed from."""


def edit_for(mapping: object, schema: Schema, *, week_start: str = "monday") -> Edit:
    """Read an edit and check it against the columns of a table, before anything runs.

    Raises `PlanValidationError` with every error, of shape and of meaning.
    """
    edit, issues = read_edit_json(mapping)
    if edit is None:
        raise PlanValidationError(issues)
    compiler = EditCompiler(edit, schema, schema, "rows", week_start)
    compiled = compiler.compile({})
    if issues or compiler.issues:
        raise PlanValidationError([*issues, *compiler.issues])
    return compiled.edit


def edit_version(
    engine: Engine, cache: TableCache, table: Table, edit: Edit, *, week_start: str = "monday"
) -> EditedTable:
    """Make the version of `table` that `edit` describes; `table` is stored, and nothing of it changes.

    Where `table` keeps columns from its reader, the edit cannot name them, and they stay as they are.
    Raises `PlanValidationError` with every error before anything runs, `PlanError` for an edit that changes
    nothing or meets cells that it cannot use, and `QueryFailedError` or `OutputError` when the engine or the
    disk fails.
    """
    whole = table.whole_schema or table.schema
    compiler = EditCompiler(edit, table.schema, whole, table.name, week_start)
    compiled = compiler.compile(_statistics(engine, table, edit))
    if compiler.issues:
        raise PlanValidationError(compiler.issues)
    _check_cells(engine, table, compiled)
    said = edit_json(compiled.edit)
    base = whole_table(table)
    record_of_edit: dict[str, JsonValue] = {"edit": said, "week_start": week_start}
    if table.hidden:
        record_of_edit["hidden"] = list(table.hidden)
    version = next_version(base, record_of_edit)
    kept = cache.load(version, name=table.name)
    gone = {*compiled.renamed, *(name for name in base.by_name if name not in compiler.names)}
    try:
        after = kept or write_version(
            engine,
            cache,
            base,
            query=pinned(compiled.query, [base]),
            names=compiler.names,
            record_of_edit=record_of_edit,
            column_of=lambda column: _column(column, base, compiled),
            gone=gone,
        )
    except QueryFailedError as error:
        if not (isinstance(error, SumTooLargeError) or str(error).startswith("Overflow in ")):
            raise
        message = (
            f"A whole number is too large for a cell ({describe_edit(said)}): the largest is {_LARGEST:,}."
        )
        hint = "Make it one of fractions, with 1.0 * before it; a column of text keeps every digit."
        raise PlanError(message, hint=hint) from error
    summary = compare_versions(engine, base, after, renamed=compiled.renamed, written=compiled.written)
    if summary.changes_nothing:
        if kept is None:
            cache.discard(version)
        raise nothing_changes(said)
    return EditedTable(
        before=base, after=after, summary=summary, edit=said, is_new=kept is None, reads=compiled.reads
    )


def nothing_changes(edit: Mapping[str, JsonValue]) -> PlanError:
    """Return the error of an edit that leaves every cell as it is."""
    if edit.get("where") is not None:
        why = "no rows match, or their cells are so already"
        hint = "Ask for the rows first, to see what the condition finds."
    else:
        why, hint = "the table is so already", "Look at the rows first, to see what there is to change."
    return PlanError(f"Nothing changes ({describe_edit(edit)}): {why}.", hint=hint, code="nothing_changed")


def next_version(table: Table, record_of_edit: Mapping[str, JsonValue]) -> str:
    """Return the fingerprint of the version that an edit makes of `table`, as 40 hex digits."""
    text = json.dumps([EDIT_FORMAT, table.version, record_of_edit], sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=20).hexdigest()


def write_version(
    engine: Engine,
    cache: TableCache,
    base: Table,
    *,
    query: exp.Query,
    names: list[str],
    record_of_edit: Mapping[str, JsonValue],
    column_of: Callable[[Column], Column],
    gone: Collection[str],
) -> Table:
    """Write the rows of `query`, which are `__row__` and the columns called `names`, as the next version of `base`.

    `gone` are columns that the version has not, or not under that name: notes on how the file was read that
    mention them are left out.
    """
    with cache.workspace() as folder:
        path = folder / "table.parquet"
        engine.write_parquet(_storable(engine, query), path)
        scan = numbered_scan(path, names)
        _, *columns = engine.schema(scan)
        cells = [exp.Count(this=exp.Star()), exp.Max(this=exp.column(ROW, quoted=True))]
        count, last = engine.rows(exp.select(*cells).from_(scan.subquery("rows")))[0]
        loaded = Loaded(
            parquet=path,
            schema=tuple(map(column_of, columns)),
            row_count=whole(count),
            report=_still_true(base.report, gone, _left(engine, scan, base.report)),
            edits=(*base.edits, record_of_edit),
            last_row=max(base.last_row or base.row_count, whole(last or 0)),
        )
        version = next_version(base, record_of_edit)
        return cache.store(version, loaded, name=base.name, source=base.source, options=base.options)


def _storable(engine: Engine, query: exp.Query) -> exp.Query:
    """Return `query` with whole numbers of 128 bits, which Parquet would make doubles, in 64 bits."""
    schema = engine.schema(query)
    if not any(column.sql_type in {"HUGEINT", "UHUGEINT"} for column in schema):
        return query
    cells = [exp.column(column.name, quoted=True) for column in schema]
    fitted = [
        exp.alias_(exp.cast(cell, "BIGINT", dialect="duckdb"), column.name, quoted=True)
        if column.sql_type in {"HUGEINT", "UHUGEINT"}
        else cell
        for cell, column in zip(cells, schema, strict=True)
    ]
    return exp.select(*fitted).from_(query.subquery("rows"))


def _column(column: Column, base: Table, compiled: CompiledEdit) -> Column:
    """Return a column of the new version with what is known of it: a unit stays while the kind does."""
    old_names = {new: old for old, new in compiled.renamed.items()}
    before = base.by_name.get(old_names.get(column.name, column.name))
    if before is None or column.name in compiled.units:
        return replace(column, unit=compiled.units.get(column.name))
    return with_unit_of(before, column)


def with_unit_of(before: Column | None, column: Column) -> Column:
    """Return `column` with the unit of the column it was before, where both hold the same kind of values."""
    same_kind = before is not None and (
        before.kind is column.kind or (before.kind.is_numeric and column.kind.is_numeric)
    )
    return replace(column, unit=before.unit if before is not None and same_kind else None)


def _statistics(engine: Engine, table: Table, edit: Edit) -> Statistics:
    if not isinstance(edit, FillMissing):
        return {}
    from tabchat.engine.compile.step import lookup
    from tabchat.engine.plan.relation import source_fields

    fields = source_fields(table.schema)
    named = {found.name for name in edit.columns if (found := lookup(fields, name)) is not None}
    columns = [column for column in table.schema if column.name in named]
    query = statistics_query(edit, columns, table.name) if columns else None
    if query is None:
        return {}
    return read_statistics(columns, engine.rows(pinned(query, [table]))[0])


def _check_cells(engine: Engine, table: Table, compiled: CompiledEdit) -> None:
    """Raise `PlanError` for cells that the edit cannot be made of."""
    if compiled.checks is None:
        return
    found = engine.rows(pinned(compiled.checks, [table]))[0]
    for index, check in enumerate(compiled.warnings):
        count, row = found[2 * index], found[2 * index + 1]
        if count:
            message = check.message.format(count=f"{whole(count):,}", row=f"{whole(row):,}")
            raise PlanError(message, hint=check.hint, code="cells_refused")


def whole_table(table: Table) -> Table:
    """Return `table` with every column that it has, also those that are kept from the reader."""
    return replace(table, schema=table.whole_schema or table.schema, whole_schema=None)


def _left(engine: Engine, scan: exp.Query, report: LoadReport) -> set[int]:
    """Return the numbers of the records that sum up others and are still there."""
    totals = sorted({row for note in report.notes if note.totals for row in note.rows})
    number = exp.column(ROW, quoted=True)
    asked = exp.select(number).from_(scan.copy().subquery("rows")).where(number.isin(*totals))
    return {whole(row) for (row,) in engine.rows(asked)} if totals else set()


def _still_true(report: LoadReport, gone: Collection[str], left: set[int]) -> LoadReport:
    """Leave out the notes on how the file was read that mention a column, or are of totals, which are not there any more."""
    mention = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in gone) or r"(?!)")

    def stays(note: LoadNote) -> bool:
        if note.twins:
            return True  # whoever hides a header hides these columns, whatever became of the first
        if note.totals and not left & set(note.rows):
            return False
        if note.column is not None:
            return note.column not in gone
        return mention.search(f"{note.message} {note.hint or ''}") is None

    return replace(report, notes=tuple(filter(stays, report.notes)))
