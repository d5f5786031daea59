"""Answers on stdout in the formats that programs read."""

from __future__ import annotations

import codecs
import json
import re
import sys
from typing import TYPE_CHECKING, Final, cast

from tabchat.errors import UsageError
from tabchat.export import ExportFormat, export_frame
from tabchat.render.text import INERT

if TYPE_CHECKING:
    from typing import BinaryIO

    from tabchat.engine.result import Frame
    from tabchat.engine.types import JsonValue
    from tabchat.export import ExportReport

STDOUT_FORMATS: Final = ("table", "csv", "tsv", "json", "jsonl", "md")


def write_frame(frame: Frame, name: str, *, target: BinaryIO | None = None) -> ExportReport:
    """Write every row of `frame` to stdout (or `target`) as csv, tsv, json, jsonl or md.

    On a terminal, control characters in cells come out inert; into a pipe or a
    file the bytes are exact. Raises `UsageError` for another format.
    """
    if name not in STDOUT_FORMATS[1:]:
        message = f"--format cannot be {name!r}."
        raise UsageError(message, hint=f"Formats on stdout: {', '.join(STDOUT_FORMATS)}.")
    stream = target or sys.stdout.buffer
    if stream.isatty():
        stream = cast("BinaryIO", InertStream(stream))
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


_UNSAFE: Final = re.compile(rf"\r(?!\n)|(?![\n\t\r]){INERT.pattern}")


class InertStream:
    """A byte stream to a terminal that writes controls as escapes; line ends and tabs pass."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._held = ""

    def write(self, data: bytes) -> int:
        """Write `data`, whose characters may be split between calls."""
        text = self._held + self._decode(data)
        # Only the next write tells whether this is half of a line end.
        self._held = "\r" if text.endswith("\r") else ""
        self._put(text.removesuffix("\r"))
        return len(data)

    def flush(self) -> None:
        """Write what was held back, and flush the terminal."""
        self._put(self._held)
        self._held = ""
        self._stream.flush()

    def isatty(self) -> bool:
        """Return whether this is a terminal: it is."""
        return True

    def writable(self) -> bool:
        """Return whether this can be written to: it can."""
        return True

    def _put(self, text: str) -> None:
        self._stream.write(_UNSAFE.sub(_text_escape, text).encode("utf-8"))


def _text_escape(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")
