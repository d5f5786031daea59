"""Finds and mends what is damaged in a results folder."""

from __future__ import annotations

import sqlite3
import stat
import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

from tabchat.private_files import PRIVATE_FILE, PRIVATE_FOLDER, sweep_work
from tabchat.store.index import DamagedEntryError, ForeignEntryError
from tabchat.store.parquet_disk import INDEX_FILE, ForeignRowError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabchat.store.index import ResultIndex

STALE_SECONDS: Final = 3600.0
"""Age after which a file that no entry knows cannot belong to a write that is still going on."""


def mend_index(directory: Path) -> tuple[str, ...]:
    """Remove an index that SQLite cannot read, so that a new one can be made; nobody has it open."""
    path = directory / INDEX_FILE
    if not path.exists():
        return ()
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict == "ok":
        return ()
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return (f"The index {path} was damaged ({verdict}); it was removed, and its results with it.",)


def mend_rows(index: ResultIndex) -> tuple[str, ...]:
    """Remove entries and frames that cannot be read; what another secret made is only told."""
    index.expire()
    return (
        *_mend_strangers(index),
        *(problem for key in index.entry_keys() for problem in _mend_entry(index, key)),
        *(problem for key in index.frame_keys() for problem in _mend_frame(index, key)),
    )


def _mend_strangers(index: ResultIndex) -> Iterator[str]:
    for key in index.strangers():
        index.forget_stranger(key)
        yield "A row that tabchat never wrote was removed from the index, unread."


def _mend_entry(index: ResultIndex, key: str) -> Iterator[str]:
    try:
        index.entry(key)
    except ForeignEntryError:
        yield f"{key} was made under another secret, or was changed, and cannot be used."
    except DamagedEntryError as error:
        index.forget(key)
        yield f"The entry of {key} was damaged and was removed: {error}."


def _mend_frame(index: ResultIndex, key: str) -> Iterator[str]:
    try:
        path = index.frame_path(key)
        entry = index.entry(key)
    except ForeignEntryError:
        return
    except (ForeignRowError, DamagedEntryError) as error:
        index.forget_frame(key)
        yield f"The rows of {key} were damaged and were removed: {error}."
        return
    if path is None:
        index.forget_frame(key)
        yield f"The rows of {key} were missing; they will be computed again when asked for."
    elif entry is None:
        index.forget_frame(key)
        yield f"The rows of {key} belonged to no entry and were removed."
    elif index.kept_path(key) is None:
        index.forget_frame(key)
        yield f"The rows of {key} were not as they were kept; they will be computed again when asked for."


def mend_files(index: ResultIndex) -> tuple[str, ...]:
    """Remove rows that no entry knows, and take away rights that others have."""
    return (*_mend_orphans(index), *_mend_rights(index.directory))


def _mend_orphans(index: ResultIndex) -> Iterator[str]:
    known = {index.frame_path(key) for key in index.frame_keys()}
    oldest = time.time() - STALE_SECONDS
    frames = [path for path in index.directory.glob("??/??/*.parquet") if path not in known]
    for path in sorted(frames):
        if path.stat().st_mtime <= oldest:
            path.unlink()
            yield f"{path} belonged to no result and was removed."
    sweep_work(index.directory)


def _mend_rights(directory: Path) -> Iterator[str]:
    for path in (directory, *sorted(directory.rglob("*"))):
        allowed = PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE
        if stat.S_IMODE(path.stat().st_mode) & ~allowed:
            path.chmod(allowed)
            yield f"{path} could be read by others; now it cannot."
