"""The course of an export: choose the format, open the target, write, report."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.result.units import units_told
from tabchat.export.formats import ExportFormat, ExportReport, choose_format
from tabchat.export.formulas import FormulaCells
from tabchat.export.job import ExportJob
from tabchat.export.target import open_output
from tabchat.export.text import open_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import BinaryIO

    from tabchat.engine.result.result import Frame
    from tabchat.export.formats import Compression
    from tabchat.export.target import Output
    from tabchat.export.text import TextOutput

_TEXT_WRITERS: Final[Mapping[ExportFormat, tuple[str, str]]] = {
    ExportFormat.CSV: ("delimited", "write_csv"),
    ExportFormat.TSV: ("delimited", "write_tsv"),
    ExportFormat.JSON: ("json_text", "write_json"),
    ExportFormat.JSONL: ("json_text", "write_jsonl"),
    ExportFormat.MD: ("markup", "write_markdown"),
    ExportFormat.HTML: ("markup", "write_html"),
}
_BINARY_WRITERS: Final[Mapping[ExportFormat, tuple[str, str]]] = {
    ExportFormat.PARQUET: ("columnar", "write_parquet"),
    ExportFormat.ARROW: ("columnar", "write_arrow"),
    ExportFormat.XLSX: ("workbook", "write_workbook"),
}
"""The module and the function of each format: no other is loaded."""


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
            write: Callable[[ExportJob, BinaryIO], int] = _writer(*_BINARY_WRITERS[chosen])
            with output.file() as file:
                rows, warnings = write(job, file), ()
        size = output.size
    if units := units_told(frame.schema):
        warnings += (f"Figures are written without their units: {', '.join(units)}.",)
    if chosen.runs_formulas:
        warnings += job.formulas.warnings()
    if rows != frame.row_count:
        warnings += (f"{rows:,} rows were written; the result had {frame.row_count:,} when it was computed.",)
    return ExportReport(format=chosen, rows=rows, bytes=size, warnings=warnings)


def _write_text(
    job: ExportJob, output: Output, fmt: ExportFormat, compression: Compression | None
) -> tuple[int, tuple[str, ...]]:
    write: Callable[[ExportJob, TextOutput], int] = _writer(*_TEXT_WRITERS[fmt])
    with open_text(output, compression) as out:
        rows = write(job, out)
    return rows, out.warnings()


def _writer(module: str, name: str) -> Any:
    return getattr(import_module(f"tabchat.export.{module}"), name)
