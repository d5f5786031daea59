"""How diskcache lays results out on disk: text in the index, Parquet files beside it, and never a pickle."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

from diskcache import UNKNOWN, Cache, Disk
from diskcache.core import MODE_BINARY, MODE_RAW

from tabchat.private_files import PRIVATE_FILE, cache_folder, private_database, private_folder
from tabchat.record import record

INDEX_FILE: Final = "cache.db"

_INT64: Final = 1 << 63
_FRAME_FILE: Final = re.compile(r"[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{28}\.parquet")


class ForeignRowError(Exception):
    """The index holds something that a tabchat store never writes; it was not decoded."""


@record
class ForeignKey:
    """A key in a form that is never written; its bytes are carried about, never decoded."""

    stored: Any


class IncomingFile:
    """A finished file that the store takes over by renaming it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def discard(self) -> None:
        """Remove the file, wherever it is by now."""
        self.path.unlink(missing_ok=True)


class ParquetDisk(Disk):  # type: ignore[misc]  # diskcache has no types
    """Stores text and numbers in the index, `IncomingFile`s as files; refuses everything else."""

    def __init__(self, directory: str, min_file_size: int = 0, pickle_protocol: int = 0) -> None:
        super().__init__(directory, min_file_size=min_file_size, pickle_protocol=pickle_protocol)

    def put(self, key: Any) -> tuple[Any, bool]:
        """Return the stored form of a key."""
        if isinstance(key, ForeignKey):
            return key.stored, False
        if not isinstance(key, str):
            raise ForeignRowError(f"keys are text, not {type(key).__name__}")
        return key, True

    def get(self, key: Any, raw: bool) -> Any:  # noqa: FBT001 - diskcache's signature
        """Return a key from its stored form; one that is not plain text stays opaque."""
        return key if raw and isinstance(key, str) else ForeignKey(stored=key)

    def store(
        self,
        value: Any,
        read: bool,  # noqa: FBT001 - diskcache's signature
        key: Any = UNKNOWN,
    ) -> tuple[int, int, str | None, Any]:
        """Return `(size, mode, filename, value)` of a value to keep."""
        if isinstance(value, IncomingFile) and not read:
            return self._take_over(value, key)
        if isinstance(value, str | float) or (isinstance(value, int) and -_INT64 <= value < _INT64):
            return 0, MODE_RAW, None, value
        raise ForeignRowError(f"a {type(value).__name__} would have to be pickled")

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:  # noqa: FBT001 - diskcache's signature
        """Return a kept value: text, a number, or the path of a file."""
        if mode == MODE_RAW and isinstance(value, str | int | float):
            return value
        if mode == MODE_BINARY and not read and filename and _FRAME_FILE.fullmatch(filename):
            return Path(self._directory) / filename
        raise ForeignRowError("it is in a form that tabchat never writes, such as a pickle, and was not read")

    def filename(self, key: Any = UNKNOWN, value: Any = UNKNOWN) -> tuple[str, str]:  # noqa: ARG002 - diskcache's signature
        """Return a fresh file name, relative and absolute."""
        name = os.urandom(16).hex()
        relative = f"{name[:2]}/{name[2:4]}/{name[4:]}.parquet"
        return relative, str(Path(self._directory) / relative)

    def remove(self, file_path: str) -> None:
        """Remove a file of the store; a path that the store never made is left alone."""
        if _FRAME_FILE.fullmatch(file_path):
            super().remove(file_path)

    def _take_over(self, incoming: IncomingFile, key: Any) -> tuple[int, int, str | None, Any]:
        filename, full = self.filename(key)
        target = Path(full)
        private_folder(target.parent)
        incoming.path.chmod(PRIVATE_FILE)
        size = incoming.path.stat().st_size
        incoming.path.replace(target)
        incoming.path = target
        return size, MODE_BINARY, filename, None


def open_index(directory: Path, *, busy_seconds: float, **eviction: Any) -> Cache:
    """Open the index of a folder that only its owner can read; both are made when they are not there.

    `busy_seconds` is how long to wait for another process that writes, `eviction`
    what diskcache is told of making room. Raises `OSError` and `sqlite3.Error`.
    """
    cache_folder(directory)
    # SQLite gives the files beside the database the rights of the database.
    private_database(directory / INDEX_FILE)
    cache = Cache(
        str(directory),
        timeout=busy_seconds,
        disk=ParquetDisk,
        statistics=0,
        tag_index=0,
        disk_min_file_size=0,
        disk_pickle_protocol=0,
        **eviction,
    )
    if cache.directory != str(directory):
        cache.close()
        raise OSError(0, "the name of its folder cannot hold a variable or start with ~")
    return cache
