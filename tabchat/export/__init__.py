"""Results as files: every row of a frame in a format that other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.export.formats import ExportFormat, ExportReport

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path
    from typing import BinaryIO

    from tabchat.engine.result.result import Frame

__all__ = ["ExportFormat", "ExportReport", "export_frame"]


def export_frame(
    frame: Frame,
    target: Path | BinaryIO,
    fmt: ExportFormat | None = None,
    *,
    force: bool = False,
    guard_formulas: bool = False,
    title: str | None = None,
    protected: Collection[Path] = (),
) -> ExportReport:
    """Write every row of `frame` to a file or a binary stream, in chunks.

    The format follows from the file's name unless `fmt` is given (CSV for a
    stream); text formats are compressed when the name ends in `.gz` or `.zst`. A
    file appears whole or not at all: on a failure or an interruption nothing is
    left behind, and what stood there before still does. `protected` are files
    that are never written, not even with `force`.

    Raises `UsageError` for a name or a format that cannot be, `OutputExistsError`
    for a file that exists without `force`, `OutputError` for what the disk or the
    format refuses. A `BrokenPipeError` of a stream is passed on.
    """
    from tabchat.export.run import run_export

    return run_export(
        frame, target, fmt, force=force, guard_formulas=guard_formulas, title=title, protected=protected
    )
