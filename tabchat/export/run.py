"""The course of an export: choose the format, open the target, write, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.export.columnar import write_arrow, write_parquet
from tabchat.export.delimited import write_csv, write_tsv
from tabchat.export.formats import ExportFormat, ExportReport, choose_format
from tabchat.export.formulas import FormulaCells
from tabchat.export.job import ExportJob
from tabchat.export.json_text import write_json, write_jsonl
from tabchat.export.markup import write_html, write_markdown
from tabchat.export.target import open_output
from tabchat.export.text import open_text
from tabchat.export.workbook import write_workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import BinaryIO

    from tabchat.engine.result import Frame
    from tabchat.export.formats import Compression
    from tabchat.export.target import Output
    from tabchat.export.text import TextOutput

_TEXT_WRITERS: Final[Mapping[ExportFormat, Callable[[ExportJob, TextOutput], int]]] = {
    ExportFormat.CSV: write_csv,
    ExportFormat.TSV: write_tsv,
    ExportFormat.JSON: write_json,
    ExportFormat.JSONL: write_jsonl,
    ExportFormat.MD: write_markdown,
    ExportFormat.HTML: write_html,
}
_BINARY_WRITERS: Final[Mapping[ExportFormat, Callable[[ExportJob, BinaryIO], int]]] = {
    ExportFormat.PARQUET: write_parquet,
    ExportFormat.ARROW: write_arrow,
    ExportFormat.XLSX: write_workbook,
}


def run_export(
    frame: Frame,
    target: Path | BinaryIO,
    fmt: ExportFormat | None,
    *,
    force: bool,
    guard_formulas: bool,
    title: str | None,
    protected: Collection[Path],
) -> ExportReport:
    """Do what `export_frame` says."""
    chosen, compression = choose_format(target if isinstance(target, Path) else None, fmt)
    job = ExportJob(frame=frame, title=title, formulas=FormulaCells(guard=guard_formulas))
    with open_output(target, force=force, protected=protected) as output:
        if chosen in _TEXT_WRITERS:
            rows, warnings = _write_text(job, output, chosen, compression)
        else:
            with output.file() as file:
                rows, warnings = _BINARY_WRITERS[chosen](job, file), ()
        size = output.size
    if chosen.runs_formulas:
        warnings += job.formulas.warnings()
    if rows != frame.row_count:
        warnings += (f"{rows:,} rows were written; the result had {frame.row_count:,} when it was computed.",)
    return ExportReport(format=chosen, rows=rows, bytes=size, warnings=warnings)


def _write_text(
    job: ExportJob, output: Output, fmt: ExportFormat, compression: Compression | None
) -> tuple[int, tuple[str, ...]]:
    with open_text(output, compression) as out:
        rows = _TEXT_WRITERS[fmt](job, out)
    return rows, out.warnings()
