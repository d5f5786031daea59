"""Appending to a file so that what is there is whole, and on the disk."""

from __future__ import annotations

import contextlib
import os


def append_whole(descriptor: int, size: int, text: bytes) -> int:
    """Append `text` to a file of `size` bytes that is open for appending, and wait until the disk has it.

    On failure the piece that was written is taken back, if the disk lets us, and
    `OSError` is raised. Returns the length of `text`.
    """
    left = memoryview(text)
    try:
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise
    return len(text)
