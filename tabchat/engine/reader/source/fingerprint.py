"""The version of a table: a hash of the file's place, size, times, content samples and the read options.

The times are that of the last write, which anybody can set, and that of the last change (ctime), which only the kernel
sets: a file that was written to has another one, whatever was put back. So has one whose rights changed; that costs a
second reading.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.source.places import checked_status
from tabchat.engine.source_files import stamp_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.reader.source.places import Listing
    from tabchat.engine.source_files import Stamp
    from tabchat.engine.table import ReadOptions

READER_VERSION: Final = 9
"""Raised whenever reading gives other values for the same bytes, so that cached versions are read again."""
_SAMPLE: Final = 65536


def fingerprint(path: str | Path, options: ReadOptions) -> str:
    """Return the version of the table in the file at `path`, as 40 hex digits.

    Raises `OSError` when the file cannot be read.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    with absolute.open("rb") as file:
        status = os.fstat(file.fileno())
        times = (status.st_mtime_ns, status.st_ctime_ns)
        digest = _start(options, str(absolute), status.st_size, times)
        for offset in sorted({0, max(0, status.st_size // 2), max(0, status.st_size - _SAMPLE)}):
            file.seek(offset)
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


def set_fingerprint(source: Path, listing: Listing, options: ReadOptions) -> tuple[str, tuple[Stamp, ...]]:
    """Return the version of the table in many Parquet files, by all of them and the ends of their footers, and what they are.

    Raises `InputError` that names a file which cannot be read or is not a whole Parquet file.
    """
    digest = _start(options, str(source), len(listing.paths), ())
    stamps = []
    for path in listing.paths:
        status, tail = checked_status(path)
        stamps.append(stamp_of(status))
        digest.update(json.dumps([path, status.st_size, status.st_mtime_ns, status.st_ctime_ns]).encode())
        digest.update(tail)
    return digest.hexdigest(), tuple(stamps)


def content_fingerprint(path: Path, options: ReadOptions) -> str:
    """Return the version of a table that came without a place, by its whole content."""
    digest = _start(options, "-", path.stat().st_size, ())
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _start(options: ReadOptions, place: str, size: int, times: Sequence[int]) -> hashlib.blake2b:
    facts = [READER_VERSION, place, size, times, options.to_json()]
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=20)
