"""The lines of a file, from either end, one in memory at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_BLOCK: Final = 64 * 1024
_END: Final = b"\n"


@record
class Line:
    """One line of a file."""

    content: bytes
    """Without the line end."""
    end: int
    """Offset after the line end."""


def forwards(file: BinaryIO, size: int) -> Iterator[Line]:
    """Yield the lines of the first `size` bytes of `file`."""
    file.seek(0)
    position = 0
    while position < size:
        text = file.readline(size - position)
        if not text:
            return
        position += len(text)
        yield Line(content=text.removesuffix(_END), end=position)


def backwards(file: BinaryIO, size: int) -> Iterator[Line]:
    """Yield the lines of the first `size` bytes of `file`, the last one first."""
    position, end, is_ended = size, size, False
    pieces: list[bytes] = []
    while position > 0:
        start = max(position - _BLOCK, 0)
        file.seek(start)
        *lines, piece = file.read(position - start).split(_END)
        position = start
        pieces.append(piece)
        while lines:
            content = b"".join(reversed(pieces))
            if is_ended or content:
                yield Line(content=content, end=end)
            end -= len(content) + is_ended
            is_ended = True
            pieces = [lines.pop()]
    content = b"".join(reversed(pieces))
    if is_ended or content:
        yield Line(content=content, end=end)
