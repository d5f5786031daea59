"""The bytes between a session and its query process: short frames, JSON for what is asked, Arrow for rows.

Both sides import this module; it uses the standard library only. A frame is one byte of kind, four of
length, and at most `FRAME_LIMIT` bytes; rows are an Arrow IPC stream cut into frames and ended by one.
"""

from __future__ import annotations

import io
import json
import struct
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

_T = TypeVar("_T")
_Error = TypeVar("_Error", OSError, EOFError, "BrokenFrameError")

FRAME_LIMIT: Final = 16 << 20
"""Bytes of one frame; the longest hold the scans of tables with thousands of columns."""
CHUNK: Final = 1 << 20
"""Bytes of rows that are sent in one frame."""
OUT_OF_MEMORY: Final = 12
"""Exit code of a process that held more memory than it may."""

OPEN: Final = b"O"
READY: Final = b"R"
QUERY: Final = b"Q"
HOLD: Final = b"H"
TYPES: Final = b"T"
DATA: Final = b"D"
END: Final = b"E"
FAILED: Final = b"F"
_KINDS: Final = frozenset({OPEN, READY, QUERY, HOLD, TYPES, DATA, END, FAILED})

_HEAD: Final = struct.Struct("<cI")


class BrokenFrameError(OSError):
    """The bytes are none that the other side writes."""


class Channel:
    """One end of the connection; its waits add up to at most `seconds`, then they raise `TimeoutError`."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._left: float | None = None
        self.trouble: OSError | EOFError | None = None
        """What the connection failed of; libraries in between keep only words of an error."""

    def allow(self, seconds: float | None) -> None:
        """Let the waits from now on take so long altogether; without an end when None."""
        self._left = seconds

    def say(self, kind: bytes, content: dict[str, Any] | None = None) -> None:
        """Send one frame of JSON."""
        self.send(kind, b"" if content is None else json.dumps(content).encode())

    def send(self, kind: bytes, payload: bytes | memoryview) -> None:
        """Send one frame."""
        if len(payload) > FRAME_LIMIT:
            raise BrokenFrameError(f"{len(payload):,} bytes are more than a frame may hold")
        self._timed(partial(self._connection.sendall, _HEAD.pack(kind, len(payload))))
        self._timed(partial(self._connection.sendall, payload))

    def receive(self) -> tuple[bytes, bytearray]:
        """Wait for the next frame; raises `EOFError` when the other side is gone."""
        kind, size = _HEAD.unpack(self._exactly(_HEAD.size))
        if kind not in _KINDS or size > FRAME_LIMIT:
            raise self.failed(BrokenFrameError("a frame of no known kind or size"))
        return kind, self._exactly(size)

    def _exactly(self, size: int) -> bytearray:
        room = bytearray(size)
        view = memoryview(room)
        while view:
            count = self._timed(partial(self._connection.recv_into, view))
            if not count:
                raise self.failed(EOFError("the other side is gone"))
            view = view[count:]
        return room

    def _timed(self, wait: Callable[[], _T]) -> _T:
        started = time.monotonic()
        try:
            if self._left is not None and self._left <= 0:
                raise TimeoutError
            self._connection.settimeout(self._left)
            return wait()
        except OSError as error:
            raise self.failed(error) from error
        finally:
            if self._left is not None:
                self._left -= time.monotonic() - started

    def failed(self, error: _Error) -> _Error:
        """Remember the first error, and return this one."""
        self.trouble = self.trouble or error
        return error


class RowWriter(io.RawIOBase):
    """A file whose bytes leave as frames of rows."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._waiting = bytearray()

    def writable(self) -> bool:
        """Return true."""
        return True

    def write(self, data: Any) -> int:
        """Take bytes, and send what fills a frame."""
        view = memoryview(data).cast("B")
        self._waiting += view
        if len(self._waiting) >= CHUNK:
            self._send()
        return len(view)

    def finish(self) -> None:
        """Send what is left, and the frame that ends the rows."""
        self._send()
        self._channel.say(END)

    def _send(self) -> None:
        waiting, self._waiting = memoryview(self._waiting), bytearray()
        for start in range(0, len(waiting), CHUNK):
            self._channel.send(DATA, waiting[start : start + CHUNK])


class RowReader(io.RawIOBase):
    """A file made of frames of rows; `read` raises `BrokenFrameError` at any frame that is none."""

    def __init__(self, channel: Channel, *, limit: int) -> None:
        self._channel = channel
        self._limit = limit
        self._frame = memoryview(b"")
        self.ended = False
        """Whether the other side has said its last word."""
        self.failure: bytes | None = None
        """What the other side said instead of more rows."""

    def readable(self) -> bool:
        """Return true."""
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Return `size` bytes, fewer only at the end of the rows."""
        if not 0 <= size <= self._limit:
            message = f"{size:,} bytes of rows at once are more than there can be"
            raise self._channel.failed(BrokenFrameError(message))
        parts: list[memoryview] = []
        while size and (self._frame or self._next()):
            part, self._frame = self._frame[:size], self._frame[size:]
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def finish(self) -> None:
        """Take the end, which follows the last row."""
        if self._frame or self._next():
            raise self._channel.failed(BrokenFrameError("more follows after the last row"))

    def _next(self) -> bool:
        while not self.ended:
            kind, payload = self._channel.receive()
            if kind == DATA and payload:
                self._frame = memoryview(payload)
                return True
            self.ended = kind != DATA
            if kind == FAILED:
                self.failure = bytes(payload)
                raise BrokenFrameError("the query failed")
            if kind not in {DATA, END}:
                raise self._channel.failed(BrokenFrameError("a frame that does not belong to rows"))
        return False
