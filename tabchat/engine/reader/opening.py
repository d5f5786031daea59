"""Opening a file as a table: from the cache, by reading it into the cache, or by scanning it where it lies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.engine.reader.connection import translated
from tabchat.engine.reader.files import check, inspect, spool
from tabchat.engine.reader.fingerprint import content_fingerprint, fingerprint
from tabchat.engine.reader.naming import table_name
from tabchat.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import BinaryIO

    from tabchat.engine.reader.cache import TableCache
    from tabchat.engine.reader.progress import Progress
    from tabchat.engine.table import Direct, ReadOptions, Table


def open_table(
    source: str | Path,
    *,
    options: ReadOptions,
    cache: TableCache,
    name: str | None = None,
    taken: Collection[str] = (),
    progress: Progress | None = None,
    direct: Direct = False,
) -> Table:
    """Open the file at `source` (`-`: standard input) as a table called `name`, else after the file.

    With `direct`, a large plain CSV that was never read is scanned where it lies: the
    table has `stored=False`, `row_count=-1` and fails at query time on a cell that does
    not fit its column. With `direct="parquet"`, a large Parquet file is, and nothing
    else; its rows are counted. Raises `InputError` when the file cannot be read,
    `OutputError` when the cache cannot be written, `InterruptedByUserError` on Ctrl-C.
    """
    with translated():
        if str(source) == "-":
            return _open_stream(
                sys.stdin.buffer, Path("-"), options, cache, name or table_name("-", taken), progress
            )
        path = check(Path(source))
        chosen = name or table_name(path, taken)
        if not path.is_file():
            with path.open("rb") as stream:
                return _open_stream(stream, path, options, cache, chosen, progress)
        version = fingerprint(path, options)
        if (kept := cache.load(version, name=chosen)) is not None:
            return kept
        # What reads files is loaded only when there is something to read.
        from tabchat.engine.reader.loading import read_file

        return read_file(path, path, version, options, cache, chosen, progress, direct=direct)


def _open_stream(
    stream: BinaryIO,
    shown: Path,
    options: ReadOptions,
    cache: TableCache,
    name: str,
    progress: Progress | None,
) -> Table:
    """Read what can be read only once: standard input, a pipe."""
    with cache.workspace() as workspace:
        spooled = workspace / "stream"
        spool(stream, spooled)
        if not spooled.stat().st_size:
            what = "Standard input" if str(shown) == "-" else repr(str(shown))
            raise InputError(f"{what} is empty.", hint="Pipe a table into it: tabchat ask - … < sales.csv")
        version = content_fingerprint(spooled, options)
        if (kept := cache.load(version, name=name)) is not None:
            return kept
        from tabchat.engine.reader.loading import read_file

        return read_file(spooled, shown, version, options, cache, name, progress, direct=False)


def list_sheets(path: str | Path) -> tuple[str, ...]:
    """Return the names of a workbook's sheets, in order; none for other files."""
    from tabchat.engine.reader.workbook import open_workbook

    absolute = check(Path(os.fspath(path)))
    if inspect(absolute, None).format != "xlsx":
        return ()
    return tuple(open_workbook(absolute).sheet_names)
