"""The index of a results folder: entries as JSON text, frames as files, on diskcache."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from diskcache import Timeout

from tabchat.sealed import BrokenSealError, bears_stamp, file_stamp
from tabchat.store.entry import StoredResult
from tabchat.store.held import read_held
from tabchat.store.parquet_disk import ForeignKey, ForeignRowError, open_index

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tabchat.engine.result.result import Held
    from tabchat.sealed import Seal
    from tabchat.store.parquet_disk import IncomingFile

TOMBSTONE_LIVES: Final = 12
"""How many times longer than its rows an entry is kept, to compute them again or to say why not."""
BUSY_SECONDS: Final = 20.0
"""How long to wait for another process that writes."""

_ENTRY: Final = "entry:"
_FRAME: Final = "frame:"
_HELD: Final = "held:"
_KINDS: Final = (_ENTRY, _FRAME, _HELD)

INDEX_FAILURES: Final = (OSError, sqlite3.Error, Timeout)
"""What a full, read-only, damaged or busy disk raises."""


class DamagedEntryError(Exception):
    """What the index holds under a key is not an entry."""


class ForeignEntryError(DamagedEntryError):
    """An entry was made under another secret or key, or changed since; which of them, nobody can say."""


class ResultIndex:
    """Reads and writes the index; raises `INDEX_FAILURES`."""

    def __init__(self, directory: Path, *, seal: Seal, max_bytes: int, ttl: float) -> None:
        self.directory = directory
        self._seal = seal
        self._max_bytes = max_bytes
        self._ttl = ttl
        self._cache = open_index(directory, busy_seconds=BUSY_SECONDS, eviction_policy="none", cull_limit=0)

    def close(self) -> None:
        """Close this thread's connection."""
        self._cache.close()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nobody else write for a while, in this process or another."""
        with self._cache.transact():
            yield

    def entry_keys(self) -> tuple[str, ...]:
        """Return the key of every entry, expired ones included."""
        return tuple(key.removeprefix(_ENTRY) for key in self._cache if _is_text(key, _ENTRY))

    def frame_keys(self) -> tuple[str, ...]:
        """Return the key of every frame, expired ones included."""
        return tuple(key.removeprefix(_FRAME) for key in self._cache if _is_text(key, _FRAME))

    def strangers(self) -> tuple[Any, ...]:
        """Return the keys that a tabchat store never writes."""
        return tuple(key for key in self._cache if not any(_is_text(key, kind) for kind in _KINDS))

    def entry(self, key: str) -> StoredResult | None:
        """Return an entry with the present size of its rows; raises `DamagedEntryError`."""
        try:
            content = self._content(key)
            if content is None:
                return None
            entry = StoredResult.from_json(content["entry"])
            path = self._as_stamped(key, content["frame"])
        except BrokenSealError as error:
            raise ForeignEntryError(str(error)) from error
        except (ForeignRowError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise DamagedEntryError(str(error) or type(error).__name__) from error
        return replace(entry, frame_bytes=int(content["frame"]["size"]) if path else 0)

    def frame_path(self, key: str) -> Path | None:
        """Return the file of a frame, if it is there; raises `ForeignRowError`."""
        path: Path | None = self._cache.get(_FRAME + key)
        return path if path is not None and path.is_file() else None

    def kept_path(self, key: str) -> Path | None:
        """Return the file of a frame as it was kept, nothing when it is gone or another; raises `ForeignRowError`."""
        return self._as_stamped(key, self._stamp(key))

    def held(self, key: str) -> Held | None:
        """Return the rows that are kept beside their file; nothing where there are none, or none to believe."""
        with suppress(ValueError, TypeError, LookupError, ForeignRowError, RecursionError):
            text = self._cache.get(_HELD + key)
            return None if text is None else read_held(self._seal.opened(_rows_scope(key), str(text)))
        return None

    def _as_stamped(self, key: str, stamp: Mapping[str, Any] | None) -> Path | None:
        path = self.frame_path(key)
        # Another process can take the file away between two looks at it.
        with suppress(FileNotFoundError):
            return path if path is not None and stamp is not None and bears_stamp(path, stamp) else None
        return None

    def _content(self, key: str) -> dict[str, Any] | None:
        """Return what was sealed under `key`; raises `BrokenSealError`, which is a `ValueError`."""
        text = self._cache.get(_ENTRY + key)
        return None if text is None else dict(json.loads(self._seal.opened(_scope(key), str(text))))

    def _stamp(self, key: str) -> Mapping[str, Any] | None:
        with suppress(ValueError, TypeError, LookupError, ForeignRowError):
            content = self._content(key)
            return None if content is None else content["frame"]
        return None

    def record(
        self, entry: StoredResult, incoming: IncomingFile | None = None, held: str | None = None
    ) -> StoredResult:
        """Write an entry and, when there is one, take over the file of its rows, both or neither.

        `held` is what `held_text` says of these rows.
        """
        life = None if entry.pinned else self._ttl
        stamp = self._stamp(entry.key) if incoming is None else None
        with self._cache.transact():
            if incoming is not None:
                self._cache.set(_FRAME + entry.key, incoming, expire=self._lasting(_FRAME + entry.key, life))
                # Moving a file counts as a change of it, so it is stamped where it stays.
                stamp = file_stamp(incoming.path)
                self._cache.delete(_HELD + entry.key)
                if held is not None:
                    sealed = self._seal.sealed(_rows_scope(entry.key), held)
                    self._cache.set(_HELD + entry.key, sealed, expire=life)
            else:
                self._prolong(_FRAME + entry.key, life)
                self._prolong(_HELD + entry.key, life)
            text = json.dumps({"entry": entry.to_json(), "frame": stamp}, allow_nan=False)
            name = _ENTRY + entry.key
            sealed = self._seal.sealed(_scope(entry.key), text)
            self._cache.set(name, sealed, expire=self._lasting(name, _tombstone(life)))
        return entry

    def touch(self, entry: StoredResult) -> None:
        """Count a use: an entry and its rows live on from now."""
        if entry.pinned:
            return
        # A result can be read on a full disk, too; there it only does not live longer.
        with suppress(*INDEX_FAILURES), self._cache.transact():
            self._prolong(_FRAME + entry.key, self._ttl)
            self._prolong(_HELD + entry.key, self._ttl)
            self._prolong(_ENTRY + entry.key, _tombstone(self._ttl))

    def _prolong(self, name: str, life: float | None) -> None:
        self._cache.touch(name, expire=self._lasting(name, life))

    def _lasting(self, name: str, life: float | None) -> float | None:
        """Return a life in seconds that is no shorter than what is left: a clock that is set back takes none away."""
        until = None
        with suppress(ForeignRowError):
            until = self._cache.get(name, expire_time=True)[1]
        return life if life is None or until is None else max(life, until - time.time())

    def forget(self, key: str) -> None:
        """Delete an entry and its rows."""
        with self._cache.transact():
            self.forget_frame(key)
            self._cache.delete(_ENTRY + key)

    def forget_frame(self, key: str) -> None:
        """Delete the rows of an entry."""
        with self._cache.transact():
            self._cache.delete(_FRAME + key)
            self._cache.delete(_HELD + key)

    def forget_stranger(self, key: Any) -> None:
        """Delete a row that no tabchat store wrote, unread."""
        self._cache.delete(key)

    def volume(self) -> int:
        """Return the bytes that the index and the frames take."""
        return int(self._cache.volume())

    def expire(self) -> None:
        """Delete what has expired."""
        self._cache.expire()

    def make_room(self, *, spare: str) -> None:
        """Delete what has expired, then the rows used longest ago until the rest fits; `spare` stays."""
        self.expire()
        excess = self.volume() - self._max_bytes
        if excess <= 0:
            return
        for last_use, key in sorted(self._evictable(spare)):
            excess -= self._evict(key, last_use)
            if excess <= 0:
                return

    def _evictable(self, spare: str) -> list[tuple[float, str]]:
        # Every use moves the expiry by the same time, so its order is that of the last use.
        expiries = [
            (self._cache.get(_FRAME + key, expire_time=True)[1], key)
            for key in self.frame_keys()
            if key != spare
        ]
        return [(expiry, key) for expiry, key in expiries if expiry is not None]

    def _evict(self, key: str, expiry: float) -> int:
        with self._cache.transact():
            path, now = self._cache.get(_FRAME + key, expire_time=True)
            if path is None or now != expiry:
                return 0  # another process used it, or deleted it, meanwhile
            size = int(path.stat().st_size) if path.is_file() else 0
            self.forget_frame(key)
        return size


def _scope(key: str) -> str:
    return f"result {key}"


def _rows_scope(key: str) -> str:
    return f"rows of {key}"


def _is_text(key: Any, prefix: str) -> bool:
    return not isinstance(key, ForeignKey) and key.startswith(prefix)


def _tombstone(life: float | None) -> float | None:
    return None if life is None else life * TOMBSTONE_LIVES
