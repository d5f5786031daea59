"""The formats that results are written in, and how a file's name chooses one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class ExportFormat(StrEnum):
    """A format that a result can be written in."""

    CSV = "csv"
    TSV = "tsv"
    JSON = "json"
    JSONL = "jsonl"
    PARQUET = "parquet"
    ARROW = "arrow"
    XLSX = "xlsx"
    MD = "md"
    HTML = "html"

    @property
    def is_text(self) -> bool:
        """True for formats that are plain text, which can be compressed."""
        return self not in {ExportFormat.PARQUET, ExportFormat.ARROW, ExportFormat.XLSX}

    @property
    def runs_formulas(self) -> bool:
        """True for formats that spreadsheets open, where a cell of text may be taken for a formula."""
        return self in {ExportFormat.CSV, ExportFormat.TSV, ExportFormat.XLSX}


class Compression(StrEnum):
    """How the text of a file is compressed."""

    GZIP = "gz"
    ZSTD = "zst"


@record
class ExportReport:
    """What was written."""

    format: ExportFormat
    rows: int
    bytes: int
    warnings: tuple[str, ...] = ()


_SUFFIXES: Final[Mapping[str, ExportFormat]] = {
    **{f".{item.value}": item for item in ExportFormat},
    ".tab": ExportFormat.TSV,
    ".ndjson": ExportFormat.JSONL,
    ".pq": ExportFormat.PARQUET,
    ".feather": ExportFormat.ARROW,
    ".markdown": ExportFormat.MD,
    ".htm": ExportFormat.HTML,
}


def choose_format(path: Path | None, fmt: ExportFormat | None) -> tuple[ExportFormat, Compression | None]:
    """Return the format and the compression of a file, or of a stream when `path` is absent.

    Raises `UsageError` when the name says nothing, or asks to compress a binary format.
    """
    if path is None:
        return fmt or ExportFormat.CSV, None
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    compression = next((item for item in Compression if suffixes and suffixes[-1] == f".{item}"), None)
    if compression is not None:
        suffixes.pop()
    chosen = fmt or (_SUFFIXES.get(suffixes[-1]) if suffixes else None)
    if chosen is None:
        known = ", ".join(item.value for item in ExportFormat)
        hint = f"End it in .csv, or in another of {known}; tabchat export takes --format, too."
        raise UsageError(f"The name {path.name!r} does not say in which format to write.", hint=hint)
    if compression is not None and not chosen.is_text:
        message = f"{chosen.value} is compressed already, so {path.name!r} cannot end in .{compression}."
        raise UsageError(message, hint=f"Leave out .{compression}.")
    return chosen, compression
