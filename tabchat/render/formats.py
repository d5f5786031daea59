"""Answers on stdout in the formats that programs read."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

from tabchat.errors import UsageError
from tabchat.export import ExportFormat, export_frame
from tabchat.render.text import INERT

if TYPE_CHECKING:
    import re
    from typing import BinaryIO

    from tabchat.engine.result import Frame
    from tabchat.engine.types import JsonValue
    from tabchat.export import ExportReport

STDOUT_FORMATS: Final = ("table", "csv", "tsv", "json", "jsonl", "md")


def write_frame(frame: Frame, name: str, *, target: BinaryIO | None = None) -> ExportReport:
    """Write every row of `frame` to stdout (or `target`) as csv, tsv, json, jsonl or md.

    Raises `UsageError` for another format.
    """
    if name not in STDOUT_FORMATS[1:]:
        message = f"--format cannot be {name!r}."
        raise UsageError(message, hint=f"Formats on stdout: {', '.join(STDOUT_FORMATS)}.")
    stream = target or sys.stdout.buffer
    report = export_frame(frame, stream, ExportFormat(name))
    stream.flush()
    return report


def json_line(value: JsonValue) -> str:
    """Return `value` as one line of JSON that is safe on a terminal: the same document, invisible characters escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return INERT.sub(_json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
