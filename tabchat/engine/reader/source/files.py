"""The file that a person names: can it be read, what is in it, and is it compressed."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from tabchat.engine.reader.source.streams import HEAD, compression_of, peek
from tabchat.errors import InputError
from tabchat.inert import is_text
from tabchat.record import record

if TYPE_CHECKING:
    from typing import BinaryIO

_ADDRESS: Final = re.compile(r"(?:^|/)(?P<scheme>https?|ftp|s3|gs|abfss?|hdfs):/+(?P<place>.*)")

SUFFIXES: Final = {
    ".csv": "csv",
    ".txt": "csv",
    ".dat": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xlsb": "xlsx",
    ".xls": "xlsx",
    ".ods": "xlsx",
}
"""Format by suffix of the file's name."""
FORMATS: Final = ("csv", "tsv", "json", "jsonl", "parquet", "arrow", "xlsx")
TEXT_FORMATS: Final = frozenset({"csv", "tsv", "json", "jsonl"})
_MAGIC: Final = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "arrow"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xlsx"),
)
_TEXT_STRANGERS: Final = (
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML document"),
    (b"%pdf", "a PDF document"),
)
_STRANGERS: Final = (
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x7fELF", "a program"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"ORC", "an ORC file"),
    (b"Obj\x01", "an Avro file"),
    (b"\x89HDF", "an HDF5 file"),
)
_CONTROL: Final = bytes(b for b in range(32) if b not in b"\t\n\r\f\x1b\x1f")
_MOSTLY: Final = 0.05
_FEW: Final = 4
_SAFE: Final = frozenset("*?[]")


@record
class Source:
    """A readable file and what it holds."""

    path: Path
    """Absolute path, as the person named it."""
    size: int
    format: str
    compression: str | None = None
    """`gzip` or `zstd`."""


def check(path: Path) -> Path:
    """Return the absolute path of a pipe, a terminal or a readable, non-empty file.

    Raises `InputError` that says what is wrong with it.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    try:
        kind = absolute.stat().st_mode
        if stat.S_ISFIFO(kind):
            # It can be read only once.
            return absolute
        if stat.S_ISSOCK(kind):
            raise _stranger(path, "a socket")
        # Nothing that is no file may keep the opening waiting.
        with os.fdopen(
            os.open(absolute, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC), "rb"
        ) as file:
            _refuse_device(path, file)
            empty = stat.S_ISREG(kind) and not file.read(1)
            unsized = stat.S_ISREG(kind) and not empty and not absolute.stat().st_size
    except FileNotFoundError as error:
        refuse_address(path)
        raise InputError(f"There is no file {str(path)!r}.", hint=_neighbours(absolute)) from error
    except PermissionError as error:
        message = f"The file {str(path)!r} cannot be read: permission denied."
        raise InputError(message, hint=f"Allow reading it: chmod u+r {str(path)!r}") from error
    except BlockingIOError:
        empty, unsized = False, True
    except (OSError, ValueError) as error:
        raise InputError(
            f"The file {str(path)!r} cannot be read: {error}.", hint="Check the path."
        ) from error
    if empty:
        raise InputError(
            f"The file {str(path)!r} is empty (0 bytes).", hint="Check how it was written or copied."
        )
    if unsized:
        message = f"The file {str(path)!r} has no size: the system makes it while it is read."
        raise InputError(message, hint="Copy it to a file first, and name that.")
    return absolute


def check_stdin(stream: BinaryIO) -> None:
    """Raise `InputError` for a device in the place of standard input, such as one that never ends."""
    with contextlib.suppress(io.UnsupportedOperation):
        _refuse_device("standard input", stream)


def _refuse_device(shown: str | Path, file: IO[Any]) -> None:
    """Refuse what is read without an end or is a whole disk; a terminal is typed at, and nothing is empty."""
    status = os.fstat(file.fileno())
    if stat.S_ISBLK(status.st_mode):
        raise _stranger(shown, "a device")
    is_nothing = stat.S_ISCHR(status.st_mode) and status.st_rdev == os.stat(os.devnull).st_rdev  # noqa: PTH116
    if stat.S_ISCHR(status.st_mode) and not is_nothing and not file.isatty():
        raise _stranger(shown, "a device")


def _stranger(shown: str | Path, what: str) -> InputError:
    named = shown if shown == "standard input" else repr(str(shown))
    return InputError(
        f"{named[0].upper()}{named[1:]} is {what}, not a file.",
        hint="Name a file, or pipe a table in: tabchat ask - …",
    )


def refuse_address(path: str | Path) -> None:
    """Raise `InputError` for a name that is an address: a path has lost one of its two slashes."""
    if (found := _ADDRESS.search(str(path))) is not None:
        message = (
            f"'{found['scheme']}://{found['place']}' is an address, and only files of this machine are read."
        )
        raise InputError(message, hint="Download it first, such as with curl -LO, and name the file.")


def _neighbours(path: Path) -> str:
    import difflib

    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return f"The folder {str(path.parent)!r} does not exist."
    close = difflib.get_close_matches(path.name, names, n=3)
    return f"Did you mean {' or '.join(map(repr, close))}?" if close else "Check the path with ls."


def inspect(path: Path, input_format: str | None, *, shown: str | None = None) -> Source:
    """Judge the format of a file by what a person said, its first bytes and its name.

    Raises `InputError` for content that no reader here understands.
    """
    if input_format is not None and input_format not in FORMATS:
        raise InputError(f"Unknown input format {input_format!r}.", hint=f"Formats: {', '.join(FORMATS)}.")
    with path.open("rb") as file:
        head = file.read(HEAD)
    name = path if shown is None else Path(shown)
    compression = compression_of(head)
    promised = SUFFIXES.get(name.suffix.lower())
    if compression is not None:
        promised = SUFFIXES.get(Path(name.stem).suffix.lower())
        head = peek(path, compression, name.name)
    found = input_format or _by_content(head, name.name, promised)
    return Source(path=path, size=path.stat().st_size, format=found, compression=compression)


def _by_content(head: bytes, name: str, promised: str | None) -> str:
    found = next((format_name for magic, format_name in _MAGIC if head.startswith(magic)), None)
    if found is not None:
        return found
    if head.startswith(b"PK\x03\x04"):
        return _zip_content(name, promised)
    stranger = any(head.startswith(magic) for magic, _ in _STRANGERS)
    if stranger or not _is_text(head):
        if promised in FORMATS and promised not in TEXT_FORMATS:
            return promised
        what = next((what for magic, what in _STRANGERS if head.startswith(magic)), "binary data")
        raise InputError(f"{name!r} is {what}, not a table.", hint=_readable())
    return _text_format(head, name, promised)


def _text_format(head: bytes, name: str, promised: str | None) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    stranger = next((what for magic, what in _TEXT_STRANGERS if start.startswith(magic)), None)
    if stranger is not None:
        message = f"{name!r} is {stranger}, not a table."
        raise InputError(message, hint="Download the data itself, or export it as CSV.")
    if promised in TEXT_FORMATS:
        return promised
    return {b"[": "json", b"{": "jsonl"}.get(start[:1], "csv")


def _zip_content(name: str, promised: str | None) -> str:
    if promised == "xlsx":
        return "xlsx"
    raise InputError(f"{name!r} is a zip archive.", hint="Unpack it first: unzip, then name the file inside.")


def _readable() -> str:
    return f"Tables can be: {', '.join(FORMATS)}. Say which with --input-format if the name misleads."


def _is_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    # UTF-16 without a mark has a zero byte in nearly every pair; other binary data does not.
    zeros = max(head[::2].count(0), head[1::2].count(0)) / max(1, len(head) // 2)
    lone = min(head[::2].count(0), head[1::2].count(0)) / max(1, len(head) // 2)
    if zeros > 0.3 and lone < _MOSTLY:  # noqa: PLR2004 - a clear majority of pairs
        return True
    controls = len(head) - len(head.translate(None, _CONTROL))
    return controls <= max(_FEW, _MOSTLY * len(head))


def engine_path(path: Path, workspace: Path) -> Path:
    """Return a path by which the engine reads this very file.

    The engine takes `*`, `?` and `[` for patterns and only knows UTF-8, so such
    names are reached through a link with a plain name.
    """
    text = os.fspath(path)
    if not _SAFE & set(text) and text.isprintable() and is_text(text):
        return path
    link = workspace / "source"
    if not link.is_symlink():
        link.symlink_to(path)
    return link
