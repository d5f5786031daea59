"""A store that lives as long as its process, for use as a library."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.errors import DataKeyError
from tabchat.store.keys import SECRET_BYTES, derive_key, require_key
from tabchat.store.protocol import StoreInfo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Engine, Row
    from tabchat.store.entry import StoredResult
    from tabchat.store.recipe import ResultRecipe


class InMemoryDataStore:
    """Keeps results by reference: their rows stay in the engine that computed them.

    Keys hold only within this store unless `secret` is given. Beyond
    `max_results`, the results used least recently are forgotten, pinned ones never.
    """

    def __init__(self, *, secret: bytes | None = None, max_results: int | None = None) -> None:
        self._secret = secret or os.urandom(SECRET_BYTES)
        self._max_results = max_results
        self._kept: dict[str, tuple[StoredResult, Frame]] = {}
        self._lock = threading.Lock()

    def key_for(self, recipe: ResultRecipe) -> str:
        """Return the key of a recipe, whether or not its result is kept."""
        return derive_key(self._secret, recipe)

    def put(
        self,
        entry: StoredResult,
        frame: Frame,
        stats: Mapping[str, Row] | None = None,  # noqa: ARG002 - the protocol's signature
    ) -> StoredResult:
        """Keep a result; raises `ValueError` when its key is not the recipe's own."""
        if entry.key != self.key_for(entry.recipe):
            raise ValueError(f"{entry.key} is not the key of its recipe")
        with self._lock:
            before = self._kept.pop(entry.key, None)
            kept = entry.continued(before[0]) if before is not None else entry
            self._kept[entry.key] = (kept, frame)
            self._forget_unused()
        return kept

    def get(self, key: str) -> StoredResult:
        """Return a kept result; raises `DataKeyError`."""
        return self._use(key)[0]

    def frame(self, key: str, engine: Engine) -> Frame | None:  # noqa: ARG002 - the protocol's signature
        """Return the frame that was kept, in the engine that computed it; raises `DataKeyError`."""
        return self._use(key)[1]

    def frame_path(self, key: str) -> Path | None:
        """Return nothing, for no rows are kept as files; raises `DataKeyError`."""
        self._use(key)
        return None

    def list(self) -> tuple[StoredResult, ...]:
        """Return every kept result, newest first."""
        with self._lock:
            entries = [entry for entry, _ in self._kept.values()]
        return tuple(sorted(entries, key=lambda entry: entry.created_at, reverse=True))

    def pin(self, key: str, *, on: bool) -> StoredResult:
        """Keep a result for good, or let it be forgotten again; raises `DataKeyError`."""
        entry, frame = self._use(key)
        pinned = replace(entry, pinned=on)
        with self._lock:
            self._kept[key] = (pinned, frame)
        return pinned

    def delete(self, key: str) -> None:
        """Forget a result; raises `DataKeyError`."""
        self._use(key)
        with self._lock:
            self._kept.pop(key, None)

    def info(self) -> StoreInfo:
        """Return what the store holds; the engine knows what the rows take."""
        entries = self.list()
        return StoreInfo(
            entries=len(entries),
            pinned=sum(entry.pinned for entry in entries),
            bytes=0,
            limit=None,
        )

    def check(self) -> tuple[str, ...]:
        """Return nothing: there is nothing on disk to be damaged."""
        return ()

    def clear(self) -> int:
        """Forget every result that is not pinned; returns how many there were."""
        with self._lock:
            unpinned = [key for key, (entry, _) in self._kept.items() if not entry.pinned]
            for key in unpinned:
                del self._kept[key]
        return len(unpinned)

    def release(self) -> None:
        """Do nothing: no thread holds anything."""

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

    def _use(self, key: str) -> tuple[StoredResult, Frame]:
        require_key(key)
        with self._lock:
            if key not in self._kept:
                raise DataKeyError(f"There is no result {key}.", hint="Ask the question again.")
            self._kept[key] = kept = self._kept.pop(key)
        return kept

    def _forget_unused(self) -> None:
        unpinned = [key for key, (entry, _) in self._kept.items() if not entry.pinned]
        excess = len(self._kept) - (self._max_results or len(self._kept))
        for key in unpinned[: max(excess, 0)]:
            del self._kept[key]
