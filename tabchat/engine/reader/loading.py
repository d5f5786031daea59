"""Reading a file of any format into the cache, or preparing to scan it where it lies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.ast_core import exp
from tabchat.engine.facts.asking import keep_facts
from tabchat.engine.facts.gather import gather_facts
from tabchat.engine.facts.source import Source as FactsSource
from tabchat.engine.reader import nodes
from tabchat.engine.reader.connection import PROGRESS_BYTES, Connection, MalformedError, translated
from tabchat.engine.reader.description import stored_scan
from tabchat.engine.reader.source.files import Source, engine_path, inspect
from tabchat.engine.reader.text import conversion, delimited, report
from tabchat.engine.reader.text.overall import is_open
from tabchat.engine.source_files import arrow_failure, stamp_of
from tabchat.engine.table import LoadNote, LoadReport, Table, warning_note
from tabchat.engine.types import ROW
from tabchat.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.reader.cache import TableCache
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.reader.opening import Progress
    from tabchat.engine.reader.source.places import Place
    from tabchat.engine.source_files import Stamp
    from tabchat.engine.table import ReadOptions

DIRECT_BYTES: Final = 50_000_000
"""Delimited files over this size may be scanned where they lie for a first question."""


def read_file(
    path: Path,
    shown: Path,
    version: str,
    options: ReadOptions,
    cache: TableCache,
    name: str,
    progress: Progress | None,
    *,
    direct: bool = False,
) -> Table:
    """Read `path`, which is told to the person as `shown`, into the cache, or prepare to scan it directly."""
    stamp = stamp_of(path.stat())
    with cache.workspace() as workspace:
        source = inspect(path, options.input_format, shown=str(shown))
        if direct and (table := _direct(source, version, options, name, workspace)) is not None:
            return table
        share = _shares(source, progress)
        connection = Connection(workspace, shown.name, cache.limits, cache.spare, cache.meanwhile)
        try:
            loaded = _load(source, options, connection, share)
            if not _is_still(path, stamp):
                told = replace(loaded.report, notes=(_written_to(), *loaded.report.notes))
                loaded = replace(loaded, report=told)
            facts = _facts(loaded, connection, name, shown)
            if cache.spare is not None:
                connection.leave_to(cache.spare)
        except MalformedError as error:
            cause = error.told
            known = arrow_failure(shown.name, cause)
            message = known or f"{shown.name!r} cannot be read as {source.format}: {cause}"
            hint = "If that is not its format, say which: --input-format csv."
            raise InputError(message, hint=hint) from error
        finally:
            connection.close()
        table = cache.store(version, loaded, name=name, source=shown, options=options)
        keep_facts(cache, version, facts)
        return table


def _is_still(path: Path, stamp: Stamp) -> bool:
    try:
        return stamp_of(path.stat()) == stamp
    except OSError:
        return False


def _written_to() -> LoadNote:
    message = "The file was changed while it was read: records may be missing, or be of two states of it."
    return warning_note(
        message=message,
        told="the file was changed while it was read",
        hint="Ask again when nothing writes to it, or ask a copy: cp FILE COPY.",
        skews=True,
    )


def _load(
    source: Source, options: ReadOptions, connection: Connection, share: Callable[[float], None] | None
) -> Loaded:
    workspace = connection.workspace
    path = source.path
    # What reads other formats than a file's own is not loaded for it.
    if source.compression is not None:
        from tabchat.engine.reader.source.streams import decompress

        path = workspace / "unpacked"
        with translated():
            decompress(source, path, share)
    match source.format:
        case "parquet":
            from tabchat.engine.reader.columnar import load_parquet

            return load_parquet(path, connection, share)
        case "arrow":
            from tabchat.engine.reader.arrow import load_arrow

            return load_arrow(path, connection, share)
        case "xlsx":
            from tabchat.engine.reader.workbook import load_workbook

            return load_workbook(path, options, connection)
        case "json" | "jsonl":
            from tabchat.engine.reader.records import load_json

            return load_json(path, options, connection, input_format=source.format, progress=share)
        case _:
            text = delimited.as_text(
                path,
                options.encoding,
                workspace,
                shown=connection.shown,
                original=path == source.path,
                progress=share,
            )
            return delimited.load_text(text, options, connection, input_format=source.format, progress=share)


def _facts(loaded: Loaded, connection: Connection, name: str, shown: Path) -> TableFacts:
    """Look at a table that was just written, while the system still holds its file in memory."""
    if loaded.parquet is None:
        raise RuntimeError("a table that was read into the cache has no rows there")
    scan = stored_scan(loaded.parquet, [column.name for column in loaded.schema])
    source = FactsSource(run=connection.rows, scan=scan, schema=loaded.schema, row_count=loaded.row_count)
    return gather_facts(source, name=name, path=str(shown))


def _shares(source: Source, progress: Progress | None) -> Callable[[float], None] | None:
    if progress is None or source.size < PROGRESS_BYTES:
        return None
    label = f"Reading {source.path.name}"
    return lambda share: progress(share, label)


def read_lying(
    place: Place, version: str, options: ReadOptions, cache: TableCache, name: str, input_format: str
) -> Table:
    """Return the Parquet files of `place`, or its Arrow file, as a table that is read where they lie."""
    with cache.workspace() as workspace:
        connection = Connection(workspace, place.source.name, cache.limits)
        try:
            if input_format == "arrow":
                from tabchat.engine.reader.arrow import lying_arrow

                loaded, facts = lying_arrow(place, version, connection, name=name)
            else:
                from tabchat.engine.reader.parquet import lying_table
                from tabchat.engine.reader.source.links import readable

                reads = readable(place, cache.links(version))
                loaded, facts = lying_table(place, reads, version, connection, name=name)
            if cache.spare is not None:
                connection.leave_to(cache.spare)
        except MalformedError as error:
            cause = error.told
            known = arrow_failure(place.listing.paths[0], cause)
            message = known or f"{str(place.source)!r} cannot be read as {input_format}: {cause}"
            hint = "Copy or write it again; other formats: --input-format."
            raise InputError(message, hint=hint) from error
        finally:
            connection.close()
        if loaded.files is not None:
            # What was read is what the version stands for.
            loaded.files.require_unchanged()
        table = cache.store(version, loaded, name=name, source=place.source, options=options)
        keep_facts(cache, version, facts)
        return table


def _direct(source: Source, version: str, options: ReadOptions, name: str, workspace: Path) -> Table | None:
    """Return a table over the person's own file, or None when it has to be read into the cache first."""
    plain = source.format in {"csv", "tsv"} and source.compression is None and source.size > DIRECT_BYTES
    # Cells that a type set by a person rejects are counted, for which the whole file has to be read first.
    if not plain or options.types or engine_path(source.path, workspace) != source.path:
        return None
    text = delimited.as_text(source.path, options.encoding, workspace, shown=source.path.name, original=True)
    if not text.original:
        return None
    judged = delimited.judge(text, options, workspace, tabs=source.format == "tsv")
    if not judged.fast or is_open(text, judged):
        return None
    from tabchat.engine.facts.sample import sample_facts
    from tabchat.engine.reader.text.sampling import sample_rows

    plans = [guess.plan for guess in judged.guesses]
    columns = [
        nodes.named(conversion.strict(plan, nodes.column(f"c{i}"), nodes.column(f"v{i}"), column), column)
        for i, (plan, column) in enumerate(zip(plans, judged.names, strict=True))
    ]
    number = nodes.named(exp.Window(this=nodes.call("row_number"), over="OVER"), ROW)
    notes = [
        *report.layout_notes(judged.layout, judged.dialect, judged.names, -1),
        *judged.notes,
        *report.judgement_notes(judged.guesses, judged.names),
    ]
    schema = report.schema(judged.guesses, judged.names)
    rows = sample_rows(judged, workspace, source.path.name)
    return Table(
        name=name,
        version=version,
        source=source.path,
        scan=exp.Select(expressions=[number, *columns]).from_(
            conversion.converted(plans, judged.relation.source())
        ),
        stored=False,
        schema=schema,
        row_count=-1,
        report=LoadReport(
            input_format=source.format,
            encoding=text.encoding,
            delimiter=judged.dialect.delimiter,
            decimal=report.decimal_of(judged.guesses),
            notes=tuple(notes),
        ),
        options=options,
        sampled=None if rows is None else sample_facts(rows, schema, name=name, path=str(source.path)),
    )
