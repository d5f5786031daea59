"""Replies of models on disk, as JSON text under diskcache.

They hold what a model said of the data, so the folder is the owner's alone. A
disk that cannot be used costs the saving, never the answer.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any, Final, Literal

from tabchat.chat.turn.messages import ToolCall
from tabchat.chat.turn.model import Reply
from tabchat.errors import OutputError
from tabchat.record import record
from tabchat.store.checkup import mend_index
from tabchat.store.index import INDEX_FAILURES
from tabchat.store.parquet_disk import INDEX_FILE, ForeignRowError, open_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabchat.engine.types import JsonValue
    from tabchat.sealed import Seal

RESPONSE_BYTES: Final = 256 * 1024 * 1024
"""Bytes that kept replies may take; the oldest make room."""
RESPONSE_SECONDS: Final = 30 * 24 * 3600.0
"""How long a reply is kept: models behind one name change over the months."""

_BUSY_SECONDS: Final = 2.0
"""How long to wait for another process that writes, before doing without."""
_FINISHES: Final[dict[str, Literal["stop", "tool_calls"]]] = {"stop": "stop", "tool_calls": "tool_calls"}
_UNREADABLE: Final = (ForeignRowError, LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What reading a damaged entry raises."""


@record
class ResponseInfo:
    """What the cache holds."""

    entries: int
    bytes: int
    limit: int


class ResponseCache:
    """Replies in one private folder, for all of a person's processes and threads at once."""

    def __init__(
        self, directory: Path, *, seal: Seal, max_bytes: int = RESPONSE_BYTES, ttl: float = RESPONSE_SECONDS
    ) -> None:
        self.directory = directory
        self._seal = seal
        self._max_bytes = max_bytes
        self._ttl = ttl

    def get(self, key: str) -> Reply | None:
        """Return the reply under `key`; nothing when there is none that can be read."""
        if not self._exists:
            return None
        try:
            with self._opened() as cache:
                text = cache.get(key)
            return None if text is None else self._reply(key, text)
        except (*INDEX_FAILURES, *_UNREADABLE):
            # `check` tells of it; the model can be asked.
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply, if the disk lets us."""
        # What has no JSON form is as little worth an error as a full disk is.
        with contextlib.suppress(*INDEX_FAILURES, *_UNREADABLE):
            text = json.dumps(_to_json(reply), allow_nan=False)
            with self._opened() as cache:
                cache.set(key, self._seal.sealed(_scope(key), text), expire=self._ttl)

    def info(self) -> ResponseInfo:
        """Return what is kept; raises `OutputError`."""
        if not self._exists:
            return ResponseInfo(entries=0, bytes=0, limit=self._max_bytes)
        with self._translated(), self._opened() as cache:
            return ResponseInfo(entries=len(cache), bytes=int(cache.volume()), limit=self._max_bytes)

    def check(self) -> tuple[str, ...]:
        """Remove what is damaged or has expired; returns a sentence for each problem, raises `OutputError`."""
        if not self._exists:
            return ()
        with self._translated():
            problems = mend_index(self.directory)
            with self._opened() as cache:
                cache.expire()
                damaged = [key for key in cache if not self._is_sound(cache, key)]
                for key in damaged:
                    cache.delete(key)
        plural = "y was" if len(damaged) == 1 else "ies were"
        told = (f"{len(damaged)} damaged repl{plural} removed from {self.directory}.",) if damaged else ()
        return (*problems, *told)

    def clear(self) -> int:
        """Forget every reply, and return how many there were; raises `OutputError`."""
        self.check()
        if not self._exists:
            return 0
        with self._translated(), self._opened() as cache:
            return int(cache.clear())

    @property
    def _exists(self) -> bool:
        return (self.directory / INDEX_FILE).exists()

    def _reply(self, key: str, text: object) -> Reply:
        """Return the reply that was kept; raises one of `_UNREADABLE` when it is none, or not of the person's."""
        return _from_json(json.loads(self._seal.opened(_scope(key), _text(text))))

    def _is_sound(self, cache: Any, key: Any) -> bool:
        try:
            return isinstance(key, str) and self._reply(key, cache[key]) is not None
        except _UNREADABLE:
            return False

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Any]:
        # One comes and at most two go: of a few large ones, not all at once.
        eviction = {
            "size_limit": self._max_bytes,
            "eviction_policy": "least-recently-stored",
            "cull_limit": 2,
        }
        with contextlib.closing(open_index(self.directory, busy_seconds=_BUSY_SECONDS, **eviction)) as cache:
            yield cache

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except INDEX_FAILURES as error:
            cause = getattr(error, "strerror", None) or str(error) or "another process is writing to it"
            message = f"The kept replies in {self.directory} cannot be used: {cause}."
            raise OutputError(message, hint="Free some space, or remove that folder.") from error


def _scope(key: str) -> str:
    return f"reply {key}"


def _to_json(reply: Reply) -> dict[str, JsonValue]:
    return {
        "text": reply.text,
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": dict(call.arguments)} for call in reply.tool_calls
        ],
        "interpretation": reply.interpretation,
        "finish": reply.finish,
        "extra": dict(reply.extra),
    }


def _from_json(value: Any) -> Reply:
    """Return the reply of an entry; raises one of `_UNREADABLE` when it is none."""
    return Reply(
        text=_text(value["text"]),
        tool_calls=tuple(
            ToolCall(id=_text(call["id"]), name=_text(call["name"]), arguments=dict(call["arguments"]))
            for call in value["tool_calls"]
        ),
        interpretation=None if value["interpretation"] is None else _text(value["interpretation"]),
        finish=_FINISHES[value["finish"]],
        extra=dict(value["extra"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} instead of text")
    return value
