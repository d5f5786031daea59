"""Reads a worker's reply within its time and its size, and tells how the worker ended."""

from __future__ import annotations

import mmap
import os
import select
import time
from typing import Final

from tabchat.record import record
from tabchat.sandbox.reply.wire import HEADER_LIMIT, MAGIC, PREFIX

_CHUNK: Final = 1 << 20


class BrokenReplyError(Exception):
    """The bytes are not a reply that the worker writes."""


@record
class Reply:
    """A reply as it was framed; neither part of it has been looked at."""

    header: memoryview
    body: memoryview


def read_reply(pipe: int, deadline: float, body_limit: int) -> Reply | None:
    """Return the whole reply up to the end of `pipe`, None when it ends before one is whole.

    Raises `TimeoutError` at `deadline` (of `time.monotonic`), and
    `BrokenReplyError` for a wrong frame, one over its limits, or bytes after it.
    """
    prefix = _exactly(pipe, bytearray(PREFIX.size), deadline)
    if prefix is None:
        return None
    magic, header_size, body_size = PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise BrokenReplyError("it does not begin like one")
    if header_size > HEADER_LIMIT:
        raise BrokenReplyError("its header is too long")
    if body_size > body_limit:
        raise BrokenReplyError(f"it is longer than {body_limit >> 20:,} MB")
    header = _exactly(pipe, bytearray(header_size), deadline)
    body = _exactly(pipe, _room(body_size), deadline)
    if header is None or body is None:
        return None
    if _some(pipe, memoryview(bytearray(1)), deadline):
        raise BrokenReplyError("more follows after its end")
    return Reply(header=header, body=body)


def _room(size: int) -> bytearray | mmap.mmap:
    """Return room for a body; its pages exist from when they are written, so that a mere claim costs nothing."""
    if not size:
        return bytearray()
    try:
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise BrokenReplyError("it is larger than the memory of this machine") from error


def _exactly(pipe: int, room: bytearray | mmap.mmap, deadline: float) -> memoryview | None:
    whole = memoryview(room)
    filled = 0
    while filled < len(whole):
        count = _some(pipe, whole[filled : filled + _CHUNK], deadline)
        if not count:
            return None
        filled += count
    return whole.toreadonly()


def _some(pipe: int, room: memoryview, deadline: float) -> int:
    if not readable(pipe, deadline):
        raise TimeoutError
    return os.readv(pipe, [room])


def readable(descriptor: int, deadline: float) -> bool:
    """Wait until there is something to read, or an end; False when that is not before `deadline`."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        return False
    watched = select.poll()
    watched.register(descriptor, select.POLLIN)
    return bool(watched.poll(seconds * 1000))
