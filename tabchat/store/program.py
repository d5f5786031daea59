"""Which program computes here: rows that another one computed are not taken for its own."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_OWN: Final = Path(__file__).parent.parent / "engine"
_LIBRARIES: Final = ("sqlglot", "_duckdb")


@cache
def this_program() -> str:
    """Return what tells this installation from others: what its files that numbers depend on are, as of now.

    A millisecond; the versions of packages would take ten times that, and do not change with a working copy.
    """
    try:
        stats = [*_sources(str(_OWN)), *(os.stat(_file_of(name)) for name in _LIBRARIES)]  # noqa: PTH116 - quickly
    except OSError:
        # Of what is in no files of its own nothing can be told: it is like no other.
        return os.urandom(16).hex()
    sums = (sum(each.st_size for each in stats), sum(each.st_mtime_ns for each in stats))
    return " ".join(map(str, (len(stats), *sums)))


def _sources(folder: str) -> Iterator[os.stat_result]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir() and entry.name != "__pycache__":
                yield from _sources(entry.path)
            elif entry.name.endswith(".py"):
                yield entry.stat()


def _file_of(library: str) -> str:
    spec = find_spec(library)
    return (spec.origin if spec is not None else None) or ""
