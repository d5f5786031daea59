"""What ends nobody knows where: pipes, and the content of compressed files, written to disk within bounds."""

from __future__ import annotations

import io
import shutil
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabchat.errors import InputError, OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from tabchat.engine.reader.source.files import Source

HEAD: Final = 65536
"""Bytes by which the content of a file is judged."""
MOST_TIMES: Final = 500
"""How many times its own size a compressed file may hold, once that is more than `SMALL`: tables reach a fifth of it."""
SMALL: Final = 1 << 30
RESERVE: Final = 1 << 30
"""Bytes that the disk of the cache keeps free; a twentieth of a small one."""
_CHUNK: Final = 1 << 20
_PACKED: Final = 1 << 12
"""Bytes of zstd that are unpacked at once: four of them can hold 128 KiB."""
_LOOK_EVERY: Final = 1 << 26
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


def compression_of(head: bytes) -> str | None:
    """Return `gzip` or `zstd` when a file that begins with `head` is compressed so."""
    return "gzip" if head.startswith(_GZIP) else "zstd" if head.startswith(_ZSTD) else None


def spool(stream: BinaryIO, target: Path) -> None:
    """Write a stream, such as standard input, to a file; raises `OutputError` before it has filled the disk."""
    for _ in _copied(stream, target):
        pass


def peek(path: Path, compression: str, name: str) -> bytes:
    """Return the first bytes inside a compressed file."""
    with _opened(path, compression) as stream, _decompressing(name, compression):
        return stream.read(HEAD)


def decompress(source: Source, target: Path, progress: Callable[[float], None] | None = None) -> None:
    """Unpack a compressed file; raise `InputError` when it is damaged or cut off, or holds far more than tables do."""
    name = source.path.name
    compression = source.compression or "gzip"
    most = max(SMALL, MOST_TIMES * source.size)
    with (
        source.path.open("rb") as raw,
        _opened(raw, compression) as stream,
        _decompressing(name, compression),
    ):
        for written in _copied(stream, target):
            if written > most:
                message = f"{name!r} holds more than {MOST_TIMES} times its own size, as no table does."
                raise InputError(message, hint="If it is one, unpack it yourself, and name the file inside.")
            if progress is not None:
                progress(raw.tell() / max(1, source.size))


def _copied(stream: BinaryIO, target: Path) -> Iterator[int]:
    """Write a stream to a file, and yield the bytes written so far; raises `OutputError` where the disk gets full."""
    written = looked = 0
    with target.open("wb") as out:
        while chunk := stream.read(_CHUNK):
            if written >= looked:
                _require_room(target)
                looked += _LOOK_EVERY
            out.write(chunk)
            written += len(chunk)
            yield written


def _require_room(target: Path) -> None:
    disk = shutil.disk_usage(target)
    if disk.free < min(RESERVE, disk.total // 20):
        message = "The cache folder's disk is nearly full. Nothing was kept of the half-read file."
        hint = "Free some space: tabchat cache clear, or set TABCHAT_CACHE_DIR. A pipe may also never end."
        raise OutputError(message, hint=hint)


def _opened(file: Path | BinaryIO, compression: str) -> BinaryIO:
    if compression == "gzip":
        import gzip

        return gzip.open(file, "rb")  # type: ignore[return-value]
    raw = file.open("rb") if isinstance(file, Path) else file
    return io.BufferedReader(_Frames(raw))


class _Frames(io.RawIOBase):
    """The content of a file of zstd frames; a last frame that is cut off is an error."""

    def __init__(self, raw: BinaryIO) -> None:
        import zstandard

        self._raw = raw
        self._start = zstandard.ZstdDecompressor().decompressobj
        self._frame = self._start()
        self._inside = False
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` with what comes next."""
        while not self._ready:
            chunk = self._packed or self._raw.read(_PACKED)
            self._packed = b""
            if not chunk:
                if self._inside:
                    raise EOFError("the last frame is incomplete")
                return 0
            self._ready = memoryview(self._frame.decompress(chunk))
            self._inside = not self._frame.eof
            if self._frame.eof:
                self._packed = self._frame.unused_data
                self._frame = self._start()
        taken = self._ready[: len(buffer)]
        buffer[: len(taken)] = taken
        self._ready = self._ready[len(taken) :]
        return len(taken)

    def close(self) -> None:
        """Close the file below."""
        self._raw.close()
        super().close()


class _decompressing:  # noqa: N801 - reads as a statement
    """Turn the errors of a damaged archive into one that names it."""

    def __init__(self, name: str, compression: str) -> None:
        self._name = name
        self._compression = compression

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        damaged: tuple[type[BaseException], ...] = (EOFError, zlib.error)
        if kind is None or error is None:
            return
        corrupt = isinstance(error, OSError) and error.errno is None
        if isinstance(error, damaged) or corrupt or kind.__name__ == "ZstdError":
            message = f"{self._name!r} is damaged or cut off: {self._compression} says {str(error) or kind.__name__}."
            raise InputError(message, hint="Copy or download it again.") from error
