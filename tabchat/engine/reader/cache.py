"""Tables on disk: for each version a JSON file, what is known of the rows, and the rows as Parquet, bounded.

A version whose rows are the person's own files has none here. The least recently used go first. The JSON file is written
last and makes the entry exist; it is signed with the person's secret. A version that any process has open holds a shared
lock and is never evicted. Nothing is touched but names of the cache's own form.

A file that nobody wrote to since it was stamped is believed without being read, so that opening a table does not cost
more the larger it is; any other is hashed again.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.limits import UNLIMITED
from tabchat.engine.reader.connection import translated
from tabchat.engine.reader.description import check_rows, described, table_of
from tabchat.errors import InputError
from tabchat.private_files import (
    PRIVATE_FILE,
    alone_in,
    cache_folder,
    open_private,
    read_regular,
    replace_private,
    sweep_work,
    work_folder,
)
from tabchat.record import record
from tabchat.sealed import bears_stamp, file_stamp, is_untouched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tabchat.engine.backends.duckdb_spare import SpareDatabase
    from tabchat.engine.limits import Limits
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.table import ReadOptions, Table
    from tabchat.sealed import Seal


@record
class Manifest:
    """A version that was found sound."""

    facts: dict[str, Any]
    is_fresh: bool
    """False when a file was moved or copied since, so that it had to be read; signing it again spares that."""


def signed(seal: Seal, version: str, facts: Mapping[str, Any], files: Mapping[str, Path]) -> str:
    """Return the text that says what `version` is: its `facts`, and each of its `files` by a name; raises `OSError`."""
    stamps = {name: file_stamp(path) for name, path in files.items()}
    return seal.sealed(_scope(version), json.dumps({"facts": facts, "files": stamps}))


def verified(
    seal: Seal, version: str, text: str, files_of: Callable[[Mapping[str, Any]], Mapping[str, Path]]
) -> Manifest:
    """Read what `signed` wrote of exactly the files that its facts call for.

    Raises `OSError`, and `ValueError`, `KeyError` or `TypeError` when the text or a file is not as it was signed.
    """
    content = json.loads(seal.opened(_scope(version), text))
    stamps, files = content["files"], files_of(content["facts"])
    if stamps.keys() != files.keys():
        raise ValueError("it has other files")
    fresh = all(is_untouched(path, stamps[name]) for name, path in files.items())
    for name, path in files.items():
        if not fresh and not bears_stamp(path, stamps[name]):
            raise ValueError(f"its file of {name} is not the one that was kept")
    return Manifest(facts=content["facts"], is_fresh=fresh)


def _scope(version: str) -> str:
    return f"table version {version}"


_FORMAT: Final = 4
_VERSION: Final = re.compile(r"[0-9a-f]{40}")
_MOST_DESCRIPTION: Final = 64 * 1024 * 1024
"""Bytes of a description; that of a table with 100,000 columns takes 8 million."""
_MOST_FACTS: Final = 4 * 1024 * 1024
"""Bytes of the facts of a table, with their mark."""


@record
class CacheInfo:
    """What the cache of tables holds; sizes in bytes."""

    directory: Path
    entries: int
    size: int
    limit: int


class TableCache:
    """Table versions in `directory`, at most `max_bytes` of them besides those in use; `seal` marks them as the person's.

    `limits` are what reading a file into it may take.
    """

    spare: SpareDatabase | None = None
    """Who is given the database that has read a file, where somebody needs one next."""
    meanwhile: Callable[[], None] | None = None
    """What is done on another thread while a file is written into the cache: loading what its first question needs."""
    copies_arrow: bool = False
    """Whether Arrow files are copied, for an engine that cannot be given their rows: Spark."""

    def __init__(self, directory: Path, max_bytes: int, *, seal: Seal, limits: Limits = UNLIMITED) -> None:
        self.directory = directory
        self.limits = limits
        self.max_bytes = max_bytes
        self._seal = seal
        self._locks: dict[str, int] = {}

    def load(self, version: str, *, name: str) -> Table | None:
        """Return a kept table under `name`, or None when it is absent or damaged."""
        _, description = self._paths(version)
        if not description.exists():
            return None
        try:
            self._check_folder()
            self._hold(version)
            table = self._verified(version, name)
        except (OSError, ValueError, KeyError, TypeError):
            table = None
        if table is not None and table.files is not None and table.files.is_arrow and self.copies_arrow:
            return None
        if table is None or (table.files is not None and table.files.changed() is not None):
            self.release(version)
            return None
        with contextlib.suppress(OSError):
            os.utime(description)
        return table

    def _verified(self, version: str, name: str) -> Table:
        """Return a kept table; raises `OSError`, `ValueError`, `KeyError` or `TypeError` when it is not sound."""
        parquet, description = self._paths(version)
        text = read_regular(description, _MOST_DESCRIPTION).decode()
        manifest = verified(self._seal, version, text, lambda facts: _files(facts, parquet))
        if manifest.facts["format"] != _FORMAT:
            raise ValueError("it was kept by another version of tabchat")
        if not manifest.is_fresh:
            with contextlib.suppress(OSError), alone_in(self.directory):
                self._sign(version, manifest.facts)
        return table_of(manifest.facts, version, name, parquet)

    def _sign(self, version: str, facts: Mapping[str, Any]) -> None:
        parquet, description = self._paths(version)
        text = signed(self._seal, version, facts, _files(facts, parquet))
        replace_private(description, text.encode())

    def store(self, version: str, loaded: Loaded, *, name: str, source: Path, options: ReadOptions) -> Table:
        """Keep a table that was just written, and make room for it."""
        parquet, _ = self._paths(version)
        facts = {"format": _FORMAT, **described(loaded, source, options)}
        with translated():
            self._prepare()
            self._hold(version)
            # What was known of an earlier file of that version may not be true of this one.
            self._facts(version).unlink(missing_ok=True)
            if loaded.parquet is not None:
                # The engine made the file by the person's umask.
                loaded.parquet.chmod(PRIVATE_FILE)
            # No other process may put its file of a version in the place of ours before it is signed.
            with alone_in(self.directory):
                if loaded.parquet is not None:
                    loaded.parquet.replace(parquet)
                # Moving a file counts as a change of it, so it is signed where it stays.
                self._sign(version, facts)
        self._evict(keep=version)
        return table_of(facts, version, name, parquet)

    def keep_facts(self, version: str, facts: bytes) -> None:
        """Keep what is known of a version that is open here beside it, under a MAC; raises `OSError`."""
        if version not in self._locks:
            return
        mark = self._seal.mac(f"facts/{version}", facts.decode())
        replace_private(self._facts(version), f"{mark}\n".encode() + facts)

    def facts(self, version: str) -> bytes | None:
        """Return what was kept of a version by this person's programs; None when there is nothing to believe."""
        from hmac import compare_digest

        try:
            mark, _, facts = read_regular(self._facts(version), _MOST_FACTS).partition(b"\n")
            known = self._seal.mac(f"facts/{version}", facts.decode())
        except (OSError, ValueError):
            return None
        return facts if compare_digest(mark, known.encode()) else None

    def discard(self, version: str) -> None:
        """Let go of a version that nobody came to want, and remove it unless some process has it open."""
        self.release(version)
        self._remove(version)

    def links(self, version: str) -> Path:
        """Return the folder of a version for links to the person's files whose own names the engine would misread."""
        return self.directory / f"{version}.links"

    @contextlib.contextmanager
    def workspace(self) -> Iterator[Path]:
        """Give a private folder on the same disk, removed afterwards whatever happens."""
        self._prepare()
        with contextlib.ExitStack() as stack:
            with translated():
                folder = stack.enter_context(work_folder(self.directory))
            yield folder

    def close(self) -> None:
        """Let go of the versions in use; from now on they may be evicted."""
        for version in list(self._locks):
            self.release(version)

    def info(self) -> CacheInfo:
        """Count what is kept."""
        sizes = [self._size(version) for version in self._versions()]
        return CacheInfo(directory=self.directory, entries=len(sizes), size=sum(sizes), limit=self.max_bytes)

    def check(self) -> tuple[str, ...]:
        """Read every kept table and return a sentence for each that is damaged."""
        from tabchat.engine.duckdb_core import core as duckdb

        problems = []
        for version in self._versions():
            try:
                check_rows(self._verified(version, "checked"))
            except (OSError, ValueError, KeyError, TypeError, duckdb.Error) as error:
                problems.append(f"Table version {version} is damaged: {error}")
        return tuple(problems)

    def clear(self) -> int:
        """Remove every kept table that nobody else has open; return how many."""
        self.close()
        return sum(self._remove(version) for version in self._versions())

    def _paths(self, version: str) -> tuple[Path, Path]:
        return self.directory / f"{version}.parquet", self.directory / f"{version}.json"

    def _facts(self, version: str) -> Path:
        return self.directory / f"{version}.facts"

    def _size(self, version: str) -> int:
        parquet, description = self._paths(version)
        # What describes the person's own files can be large as well: there may be a hundred thousand of them.
        return (_size(parquet) or _size(description)) + _size(self._facts(version))

    def _versions(self) -> list[str]:
        """Return the kept versions, least recently used first."""
        if self.directory.is_symlink():
            return []
        paths = [path for path in self.directory.glob("*.json") if _VERSION.fullmatch(path.stem)]
        return [path.stem for path in sorted(paths, key=lambda path: (path.lstat().st_mtime, path.stem))]

    def _prepare(self) -> None:
        try:
            cache_folder(self.directory)
        except OSError as error:
            message = f"The cache folder {self.directory} cannot be used: {error.strerror or error}."
            raise InputError(message, hint="Set TABCHAT_CACHE_DIR to a folder of your own.") from error

    def _check_folder(self) -> None:
        if self.directory.is_symlink():
            raise OSError(0, "it is a link")

    def _evict(self, *, keep: str) -> None:
        self._sweep()
        versions = self._versions()
        total = sum(map(self._size, versions))
        for version in versions:
            if total <= self.max_bytes:
                return
            size = self._size(version)
            if version != keep and version not in self._locks and self._remove(version):
                total -= size

    def _sweep(self) -> None:
        """Remove what processes that were killed left behind: nobody holds its lock."""
        with contextlib.suppress(OSError):
            sweep_work(self.directory)
        for path in self.directory.glob("*.parquet"):
            version = path.stem
            is_whole = path.with_suffix(".json").exists()
            if _VERSION.fullmatch(version) and not is_whole and version not in self._locks:
                self._remove(version)

    def _remove(self, version: str) -> bool:
        """Remove an entry unless some process has it open."""
        lock = open_private(self.directory / f"{version}.lock", os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        else:
            parquet, description = self._paths(version)
            for path in (description, parquet, self._facts(version), self.directory / f"{version}.lock"):
                path.unlink(missing_ok=True)
            shutil.rmtree(self.links(version), ignore_errors=True)
            return True
        finally:
            os.close(lock)

    def _hold(self, version: str) -> None:
        if version in self._locks:
            return
        path = self.directory / f"{version}.lock"
        while version not in self._locks:
            lock = open_private(path, os.O_RDWR | os.O_CREAT)
            fcntl.flock(lock, fcntl.LOCK_SH)
            # Whoever removed the version meanwhile removed the file that is locked here.
            if _is_at(lock, path):
                self._locks[version] = lock
            else:
                os.close(lock)

    def release(self, version: str) -> None:
        """Let go of a version: from now on it may be evicted."""
        if (lock := self._locks.pop(version, None)) is not None:
            os.close(lock)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def _files(facts: Mapping[str, Any], parquet: Path) -> dict[str, Path]:
    """Return the files that a version consists of in the cache: none where the person's own are read."""
    return {} if facts.get("files") is not None else {"rows": parquet}


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0
