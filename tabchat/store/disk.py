"""The store on disk: one person's results, shared by all of that person's processes."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.errors import DataKeyError, OutputError, QueryFailedError
from tabchat.private_files import sweep_work, work_folder
from tabchat.sealed import Seal
from tabchat.store.keys import derive_key, load_secret, require_key
from tabchat.store.protocol import StoreInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Engine, Row
    from tabchat.store.entry import StoredResult
    from tabchat.store.index import ResultIndex
    from tabchat.store.parquet_disk import IncomingFile
    from tabchat.store.recipe import ResultRecipe


class DiskStore:
    """Keeps entries and Parquet files in one private folder, under diskcache.

    Rows expire `ttl` seconds after their last use, and those used longest ago
    make room beyond `max_bytes`; pinned ones stay. Nothing is opened before the
    first use. Every method raises `OutputError` on a full, read-only, damaged or
    busy disk; what was kept before is still kept then.
    """

    def __init__(self, directory: Path, *, secret_path: Path, max_bytes: int, ttl: float) -> None:
        self.directory = directory
        self._secret_path = secret_path
        self._max_bytes = max_bytes
        self._ttl = ttl
        self._secret: bytes | None = None
        self._index: ResultIndex | None = None
        self._lock = threading.Lock()

    def key_for(self, recipe: ResultRecipe) -> str:
        """Return the key of a recipe; raises `OutputError` when there can be no secret."""
        return derive_key(self._own_secret(), recipe)

    def put(self, entry: StoredResult, frame: Frame, stats: Mapping[str, Row] | None = None) -> StoredResult:
        """Keep a result; raises `ValueError` when its key is not the recipe's own.

        Rows that are kept under the key already are the same rows, and are not
        written again. Rows larger than the whole limit are not kept: their key
        computes them anew.
        """
        from tabchat.store.held import held_text

        if entry.key != self.key_for(entry.recipe):
            raise ValueError(f"{entry.key} is not the key of its recipe")
        with self._opened() as index:
            kept = _kept_before(index, entry)
            if kept is not None:
                return kept
            with self._written(frame) as incoming, index.alone():
                # Another process may have kept the same rows by now, and somebody may be reading them.
                kept = _kept_before(index, entry)
                if kept is not None:
                    return kept
                entry = _continued(index, entry)
                size = incoming.path.stat().st_size
                if size > self._max_bytes and not entry.pinned:
                    return index.record(replace(entry, frame_bytes=0))
                kept = index.record(replace(entry, frame_bytes=size), incoming, held_text(frame, stats or {}))
            index.make_room(spare=entry.key)
            return kept

    def get(self, key: str) -> StoredResult:
        """Return a kept result, and count that as a use; raises `DataKeyError`."""
        with self._opened() as index:
            entry = self._entry(index, key)
            index.touch(entry)
            return entry

    def frame(self, key: str, engine: Engine) -> Frame | None:
        """Return the kept rows as a frame in `engine`, which must be able to read the store's folder."""
        from tabchat.store.rows import kept_frame

        with self._opened() as index:
            entry = self._entry(index, key)
            index.touch(entry)
            path = index.kept_path(key)
            held = index.held(key)
        return kept_frame(engine, path, entry.schema, entry.row_count, held) if path is not None else None

    def frame_path(self, key: str) -> Path | None:
        """Return the Parquet file of the kept rows, if there is one, and count that as a use."""
        with self._opened() as index:
            index.touch(self._entry(index, key))
            return index.kept_path(key)

    def list(self) -> tuple[StoredResult, ...]:
        """Return every result that can be named, newest first; damaged ones are left to `check`."""
        with self._opened() as index:
            entries = [entry for key in index.entry_keys() if (entry := _sound(index, key)) is not None]
        return tuple(sorted(entries, key=lambda entry: (-entry.created_at, entry.key)))

    def pin(self, key: str, *, on: bool) -> StoredResult:
        """Keep a result for good, or let it expire again; raises `DataKeyError`, also when its rows are gone."""
        with self._opened() as index:
            entry = self._entry(index, key)
            if on and not entry.frame_bytes:
                message = f"The rows of {key} are not kept any more, so they cannot be pinned."
                raise DataKeyError(message, hint="Ask its question again, then pin it.", code="key_expired")
            return index.record(replace(entry, pinned=on))

    def delete(self, key: str) -> None:
        """Forget a result and its rows; raises `DataKeyError`."""
        with self._opened() as index:
            self._entry(index, key)
            index.forget(key)

    def info(self) -> StoreInfo:
        """Return what the store holds, and what it takes on disk."""
        entries = self.list()
        with self._opened() as index:
            volume = index.volume()
        return StoreInfo(
            entries=len(entries),
            pinned=sum(entry.pinned for entry in entries),
            bytes=volume,
            limit=self._max_bytes,
        )

    def check(self) -> tuple[str, ...]:
        """Find and mend what is damaged; returns a sentence for each problem."""
        from tabchat.store.checkup import mend_files, mend_index, mend_rows

        self.close()
        with self._translated():
            problems = mend_index(self.directory)
        with self._opened() as index:
            return (*problems, *mend_rows(index), *mend_files(index))

    def clear(self) -> int:
        """Forget every result that is not pinned, with whatever in the folder cannot be read."""
        self.check()
        with self._opened() as index:
            entries = {key: _sound(index, key) for key in index.entry_keys()}
            unpinned = [key for key, entry in entries.items() if entry is None or not entry.pinned]
            for key in unpinned:
                index.forget(key)
        return len(unpinned)

    def close(self) -> None:
        """Release the index; it is opened again on the next use."""
        with self._lock:
            index, self._index = self._index, None
        if index is not None:
            index.close()

    def release(self) -> None:
        """Let go of what this thread holds, before it ends; other threads go on."""
        with self._lock:
            index = self._index
        if index is not None:
            index.close()

    def _own_secret(self) -> bytes:
        if self._secret is None:
            self._secret = load_secret(self._secret_path)
        return self._secret

    def _entry(self, index: ResultIndex, key: str) -> StoredResult:
        from tabchat.store.index import DamagedEntryError, ForeignEntryError

        require_key(key)
        try:
            entry = index.entry(key)
        except ForeignEntryError:
            entry = None
        except DamagedEntryError as error:
            message = f"The entry of {key} is damaged: {error}."
            raise DataKeyError(message, hint="Remove what is damaged with: tabchat cache check") from error
        # The same words for a key that nobody has and for one of somebody else.
        if entry is None:
            message = f"There is no result {key}."
            raise DataKeyError(message, hint="List the kept results with: tabchat results")
        return entry

    @contextlib.contextmanager
    def _opened(self) -> Iterator[ResultIndex]:
        from tabchat.store.index import ResultIndex

        seal = Seal(secret=self._own_secret())
        with self._translated():
            with self._lock:
                if self._index is None:
                    self._index = ResultIndex(
                        self.directory, seal=seal, max_bytes=self._max_bytes, ttl=self._ttl
                    )
                index = self._index
            yield index

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        from tabchat.store.index import INDEX_FAILURES

        try:
            yield
        except INDEX_FAILURES as error:
            cause = getattr(error, "strerror", None) or str(error) or "another process is writing to it"
            message = f"The result store {self.directory} cannot be used: {cause}."
            hint = "Free some space, mend it with tabchat cache check, or do without it: --no-cache"
            raise OutputError(message, hint=hint) from error

    @contextlib.contextmanager
    def _written(self, frame: Frame) -> Iterator[IncomingFile]:
        """Write the rows of `frame` into a folder of their own; what the store does not take over is removed."""
        from tabchat.store.parquet_disk import IncomingFile
        from tabchat.store.rows import storable

        sweep_work(self.directory)
        with work_folder(self.directory) as folder:
            incoming = IncomingFile(folder / "frame.parquet")
            try:
                try:
                    frame.engine.write_parquet(storable(frame), incoming.path)
                except (QueryFailedError, OutputError) as error:
                    message = f"The rows could not be written to {self.directory}: {error.message}"
                    raise OutputError(message, hint="Free some space, or use another folder.") from error
                yield incoming
            except BaseException:
                incoming.discard()
                raise


def _sound(index: ResultIndex, key: str) -> StoredResult | None:
    """Return an entry, or nothing when it is missing or damaged."""
    from tabchat.store.index import DamagedEntryError

    try:
        return index.entry(key)
    except DamagedEntryError:
        return None


def _kept_before(index: ResultIndex, entry: StoredResult) -> StoredResult | None:
    """Record an entry whose rows are kept already, and return it; nothing when they are not, or are others."""
    before = _sound(index, entry.key)
    if before is None or not before.frame_bytes or not _alike(before, entry) or not _is_own(index, before):
        return None
    return index.record(_continued(index, replace(entry, frame_bytes=before.frame_bytes)))


def _continued(index: ResultIndex, entry: StoredResult) -> StoredResult:
    """Return an entry as the next one of its key."""
    before = _sound(index, entry.key)
    return entry.continued(before) if before is not None else entry


def _is_own(index: ResultIndex, before: StoredResult) -> bool:
    """Return whether this program computed the kept rows, as far as that is known."""
    from tabchat.store.program import this_program

    held = index.held(before.key)
    return held is None or held.by == this_program()


def _alike(before: StoredResult, entry: StoredResult) -> bool:
    return before.row_count == entry.row_count and before.schema == entry.schema
