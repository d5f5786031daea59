"""The full result on stdout, in the formats that programs read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from tabchat.errors import UsageError
from tabchat.export import ExportFormat, export_frame

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import BinaryIO

    from tabchat.engine.result.result import Frame
    from tabchat.export import ExportReport

STDOUT_FORMATS: Final = ("table", "csv", "tsv", "json", "jsonl", "md")


def check_format(name: str, known: Sequence[str] = STDOUT_FORMATS) -> None:
    """Raise `UsageError` for a format that is not in `known`."""
    if name not in known:
        hint = f"Formats on stdout: {', '.join(STDOUT_FORMATS)}; others with -o FILE."
        raise UsageError(f"--format cannot be {name!r}.", hint=hint)


def check_one_form(name: str, *, json: bool, events: bool) -> None:
    """Raise `UsageError` for two forms of stdout: one would be left out in silence."""
    forms = [f"--format {name}"] * (name != "table") + ["--json"] * json + ["--events"] * events
    if len(forms) > 1:
        message = f"{forms[0]} and {forms[-1]} exclude each other: stdout has one form."
        raise UsageError(message, hint="Leave one out; -o FILE also writes the full result to a file.")


def check_output_file(path: Path) -> None:
    """Raise `UsageError` for `-`, which is where the answer goes anyway."""
    if str(path) == "-":
        message = "-o takes a file, and - is none."
        raise UsageError(message, hint="Leave -o out: --format csv puts the rows on stdout.")


def check_rows_as(name: str, *, in_json: bool) -> None:
    """Raise `UsageError` for a form of rows that there is not, or that nothing would be written in."""
    if name not in {"arrays", "objects"}:
        raise UsageError(f"--rows-as cannot be {name!r}.", hint="Use arrays or objects.")
    if name == "objects" and not in_json:
        message = "--rows-as objects is a form of JSON, and no JSON is asked for."
        raise UsageError(message, hint="Add --json, or write --format json for the rows alone.")


def write_frame(frame: Frame, name: str, *, target: BinaryIO | None = None) -> ExportReport:
    """Write every row of `frame` to stdout (or `target`) as csv, tsv, json, jsonl or md.

    On a terminal the export shows control characters as symbols; into a pipe or
    a file the bytes are exact.
    """
    check_format(name, STDOUT_FORMATS[1:])
    stream = target or sys.stdout.buffer
    report = export_frame(frame, stream, ExportFormat(name))
    stream.flush()
    return report
