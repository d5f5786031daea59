"""The ledger's folder: the current file, older parts beside it, and the head that knows where the chain ends.

The head is also what is locked: it stays while files are renamed around it.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import os
import re
from typing import TYPE_CHECKING, Final

from tabchat.private_files import open_private
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

CURRENT: Final = "egress.jsonl"
HEAD: Final = "egress.head"

_PART: Final = re.compile(r"egress-(\d{6,})-\d{8}\.jsonl")
_HEAD: Final = re.compile(rb"([0-9a-f]{64}) (\d{20})\n")
_HEAD_BYTES: Final = 64 + 1 + 20 + 1


@record
class Head:
    """The end of the chain, as it was after the last request."""

    hash: str
    """Of the last line."""
    size: int
    """Bytes of the current file."""


@record
class Snapshot:
    """The ledger at one moment; what is written later is not seen."""

    parts: tuple[Path, ...]
    """Older files, oldest first; they do not change any more."""
    current: BinaryIO | None
    size: int
    """Bytes of the current file that belong to the snapshot."""
    head: Head | None


@record
class OpenFile:
    """One file of a snapshot."""

    name: str
    stream: BinaryIO
    size: int


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[int]:
    """Hold the ledger against every other writer, thread or process, and yield the descriptor of its head."""
    descriptor = open_private(folder / HEAD, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        # Closing lets go of the lock.
        os.close(descriptor)


@contextlib.contextmanager
def snapshot(folder: Path) -> Iterator[Snapshot]:
    """Yield the ledger as it is between two requests; a folder that is not there is an empty ledger."""
    with contextlib.ExitStack() as stack:
        head: Head | None = None
        lock: int | None = None
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(folder / HEAD, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if lock is not None:
            stack.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_SH)
            head = read_head(lock)
        parts, current, size = parts_of(folder), None, 0
        with contextlib.suppress(FileNotFoundError):
            current = stack.enter_context((folder / CURRENT).open("rb"))
            size = os.fstat(current.fileno()).st_size
        if lock is not None:
            fcntl.flock(lock, fcntl.LOCK_UN)
        yield Snapshot(parts=parts, current=current, size=size, head=head)


def opened(seen: Snapshot, *, newest_first: bool = False) -> Iterator[OpenFile]:
    """Yield the files of a snapshot, one open at a time."""
    current = [] if seen.current is None else [OpenFile(name=CURRENT, stream=seen.current, size=seen.size)]
    if newest_first:
        yield from current
    for path in reversed(seen.parts) if newest_first else seen.parts:
        with path.open("rb") as stream:
            yield OpenFile(name=path.name, stream=stream, size=os.fstat(stream.fileno()).st_size)
    if not newest_first:
        yield from current


def parts_of(folder: Path) -> tuple[Path, ...]:
    """Return the older files, oldest first."""
    numbered = [
        (int(match.group(1)), path)
        for path in folder.glob("egress-*.jsonl")
        if (match := _PART.fullmatch(path.name))
    ]
    return tuple(path for _, path in sorted(numbered))


def rotate(folder: Path) -> Path:
    """Make the current file the newest of the older parts, and return its path; the ledger is locked."""
    parts = parts_of(folder)
    last = _PART.fullmatch(parts[-1].name) if parts else None
    number = int(last.group(1)) + 1 if last else 1
    target = folder / f"egress-{number:06}-{dt.datetime.now(dt.UTC):%Y%m%d}.jsonl"
    (folder / CURRENT).rename(target)
    return target


def read_head(descriptor: int) -> Head | None:
    """Return the head, or nothing when there is none yet or it is damaged."""
    match = _HEAD.fullmatch(os.pread(descriptor, _HEAD_BYTES + 1, 0))
    return Head(hash=match.group(1).decode("ascii"), size=int(match.group(2))) if match else None


def write_head(descriptor: int, head: Head) -> None:
    """Write the head in one piece, over the one before it."""
    text = f"{head.hash} {head.size:020}\n".encode("ascii")
    if os.pwrite(descriptor, text, 0) != len(text):
        raise OSError(0, "the head could not be written whole")
