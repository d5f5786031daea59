"""What every store of results offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Engine, Row
    from tabchat.store.entry import StoredResult
    from tabchat.store.recipe import ResultRecipe


@record
class StoreInfo:
    """What a store holds."""

    entries: int
    """Results that can be named, with or without their rows."""
    pinned: int
    bytes: int
    """What the store takes; 0 for a store in memory."""
    limit: int | None
    """Bytes that it may take."""


class DataStore(Protocol):
    """Keeps results under keys that are derived from their recipes.

    Every method that takes a key raises `DataKeyError` for one that is malformed,
    unknown, or another person's. Every method raises `OutputError` when the store
    itself cannot be read or written; an answer can be shown all the same.
    """

    def key_for(self, recipe: ResultRecipe) -> str:
        """Return the key of a recipe, whether or not its result is kept."""

    def put(self, entry: StoredResult, frame: Frame, stats: Mapping[str, Row] | None = None) -> StoredResult:
        """Keep a result and its rows; returns the entry as kept. A pin set earlier stays, and so do words that it was asked in.

        `stats`, as of `Held`, may be kept with the rows.
        """

    def get(self, key: str) -> StoredResult:
        """Return a kept result; its rows may have been evicted since (`frame_bytes` is then 0)."""

    def frame(self, key: str, engine: Engine) -> Frame | None:
        """Return the kept rows, with their very types, as a frame in `engine`; nothing when evicted."""

    def frame_path(self, key: str) -> Path | None:
        """Return the Parquet file of the kept rows, if there is one."""

    def list(self) -> tuple[StoredResult, ...]:
        """Return every kept result, newest first."""

    def pin(self, key: str, *, on: bool) -> StoredResult:
        """Keep a result for good, or let it expire again."""

    def delete(self, key: str) -> None:
        """Forget a result and its rows."""

    def info(self) -> StoreInfo:
        """Return what the store holds."""

    def check(self) -> tuple[str, ...]:
        """Mend what is damaged; returns a sentence for each problem found."""

    def clear(self) -> int:
        """Forget every result that is not pinned; returns how many there were."""

    def release(self) -> None:
        """Let go of what the calling thread holds, before that thread ends."""

    def close(self) -> None:
        """Release the store; it is opened again on the next use."""
