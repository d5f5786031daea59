"""The rows of a query, written by the engine itself into a file that is open already."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.engine.backends.duckdb_lock import literal
from tabchat.engine.backends.duckdb_running import attempt
from tabchat.engine.copying import Lines, Packed, group_rows
from tabchat.engine.duckdb_core import core as duckdb
from tabchat.errors import QueryFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tabchat.engine.backends.duckdb_running import Prepared

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def copy_to(sql: str, path: Path, options: str) -> str:
    """Return the statement that writes the rows of `sql` to a path as it is, not beside it."""
    return f"COPY ({sql}) TO {literal(path)} ({options}, USE_TMP_FILE false)"


def line_options(lines: Lines) -> str:
    """Return how lines of text are written, without their header."""
    mark = literal('"' if lines.quotes else "")
    return f"FORMAT csv, HEADER false, DELIMITER {literal(lines.delimiter)}, QUOTE {mark}, ESCAPE {mark}, NULL ''"


def write_into(prepared: Prepared, folder: Path, file: BinaryIO, form: Lines | Packed) -> int | None:
    """Write the rows into `file`, from its beginning, and go to its end; returns how many rows they were.

    The engine opens the file anew, by a link in `folder`, where it may write. One that has a name elsewhere it refuses.
    Raises `OSError` where the file takes no more. Returns None, with nothing written, where it opens none.
    """
    with _linked(folder, file) as path:
        if path is None:
            return None
        options = _packed(form) if isinstance(form, Packed) else _text(form)
        sql = copy_to(prepared.sql, path, options)
        try:
            ((rows,),) = attempt(prepared, lambda: prepared.cursor.execute(sql).fetchall())
        except QueryFailedError as error:
            if path.name not in error.message:
                raise
            if isinstance(error.__cause__, duckdb.PermissionException):
                return None
            raise _failure(error) from error
    if isinstance(form, Lines) and not rows:
        file.truncate(len(_header(form)))
    file.seek(0, os.SEEK_END)
    return int(rows)


def _text(lines: Lines) -> str:
    # The engine parts lines by line feeds, ends the last one with the suffix, and would quote a header by its own rule.
    return f"{line_options(lines)}, PREFIX {literal(_header(lines).decode())}, SUFFIX {literal(chr(10))}"


def _header(lines: Lines) -> bytes:
    return lines.header.encode("utf-8", "replace")


def _packed(form: Packed) -> str:
    options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1"
    rows = group_rows(form.columns)
    return f"{options}, ROW_GROUP_SIZE {rows}" if rows else options


@contextlib.contextmanager
def _linked(folder: Path, file: BinaryIO) -> Iterator[Path | None]:
    """Give a path in `folder` that stands for an open file; None where the system knows no such thing."""
    path = folder / f".{secrets.token_hex(8)}.copy"
    try:
        opened = Path(f"/proc/self/fd/{file.fileno()}")
        found = os.path.samestat(opened.stat(), os.fstat(file.fileno())) and os.access(opened, os.W_OK)
        path.symlink_to(opened)
    except OSError:
        yield None
        return
    try:
        yield path if found else None
    finally:
        path.unlink(missing_ok=True)


def _failure(error: QueryFailedError) -> OSError:
    """Return the system's own error, of which the engine tells in words only."""
    told = error.message.casefold()
    known = (number for number in _NO_ROOM if os.strerror(number).casefold() in told)
    number = next(known, errno.EIO)
    return OSError(number, os.strerror(number))
