"""Opening a file as a table: from the cache, by reading it into the cache, or by scanning it where it lies."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tabchat.engine.reader.connection import translated
from tabchat.engine.reader.source.files import check, check_stdin
from tabchat.engine.reader.source.fingerprint import content_fingerprint, fingerprint, set_fingerprint
from tabchat.engine.reader.source.naming import table_name
from tabchat.engine.reader.source.places import Place, is_set, listed, lying_format, place_of
from tabchat.engine.reader.source.streams import spool
from tabchat.engine.source_files import stamp_of
from tabchat.errors import CopyNeededError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import BinaryIO

    from tabchat.engine.reader.cache import TableCache
    from tabchat.engine.table import ReadOptions, Table

Progress: TypeAlias = "Callable[[float, str], None]"
"""Told the share of the work that is done, 0…1, and what is being done."""


def open_table(
    source: str | Path,
    *,
    options: ReadOptions,
    cache: TableCache,
    name: str | None = None,
    taken: Collection[str] = (),
    progress: Progress | None = None,
    direct: bool = False,
) -> Table:
    """Open the file at `source` (`-`: standard input) as a table called `name`, else after the file.

    A Parquet or an Arrow file is read where it lies, and so are all Parquet files of a folder or behind a pattern, which
    are one table.
    With `direct`, a large plain CSV that was never read is scanned where it lies: the
    table has `stored=False`, `row_count=-1` and fails at query time on a cell that does
    not fit its column. Raises `InputError` when the file cannot be read,
    `OutputError` when the cache cannot be written, `InterruptedByUserError` on Ctrl-C.
    """
    with translated():
        if str(source) == "-":
            check_stdin(sys.stdin.buffer)
            return _open_stream(
                sys.stdin.buffer, Path("-"), options, cache, name or table_name("-", taken), progress
            )
        if is_set(source):
            absolute = Path(os.path.abspath(source))  # noqa: PTH100 - resolve() would follow links
            return _open_set(absolute, options, cache, name or table_name(absolute, taken))
        path = check(Path(source))
        chosen = name or table_name(path, taken)
        if not path.is_file():
            with path.open("rb") as stream:
                return _open_stream(stream, path, options, cache, chosen, progress)
        # Before the version, so that no other file can come to stand for it.
        stamp = stamp_of(path.stat())
        version = fingerprint(path, options)
        if (kept := cache.load(version, name=chosen)) is not None:
            return kept
        if cache.spare is not None:
            cache.spare.begin()
        # What reads files is loaded only when there is something to read.
        from tabchat.engine.reader.loading import read_file, read_lying

        lies_as = lying_format(path, options.input_format)
        if lies_as is not None and not (lies_as == "arrow" and cache.copies_arrow):
            with contextlib.suppress(CopyNeededError):
                return read_lying(place_of(path, stamp), version, options, cache, chosen, lies_as)
        return read_file(path, path, version, options, cache, chosen, progress, direct=direct)


def readable_files(source: str | Path, *, direct: bool = False) -> tuple[Path, ...]:
    """Return the files that the engine itself opens for queries over `source`; what is wrong with them is told by `open_table`."""
    if str(source) == "-":
        return ()
    try:
        if is_set(source):
            return tuple(map(Path, listed(source).paths))
        path = Path(os.path.abspath(source))  # noqa: PTH100 - resolve() would follow links
        lies = path.is_file() and (direct or lying_format(path, None) == "parquet")
    except (OSError, ValueError, InputError):
        return ()
    return (path,) if lies else ()


def _open_set(source: Path, options: ReadOptions, cache: TableCache, name: str) -> Table:
    """Open the Parquet files of a folder or behind a pattern, which are one table."""
    listing = listed(source)
    version, stamps = set_fingerprint(source, listing, options)
    if (kept := cache.load(version, name=name)) is not None:
        return kept
    from tabchat.engine.reader.loading import read_lying

    place = Place(source=source, listing=listing, stamps=stamps, is_set=True)
    return read_lying(place, version, options, cache, name, "parquet")


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

        return read_file(spooled, shown, version, options, cache, name, progress)
