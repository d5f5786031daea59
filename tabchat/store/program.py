"""Which program computes here: rows that another one computed are not taken for its own."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from typing import Final

_PARTS: Final = ("tabchat", "sqlglot", "_duckdb")
"""What a number depends on; another version of any of them lies elsewhere, or was written at another time."""


@cache
def this_program() -> str:
    """Return what tells this installation from others: where its parts are, and when they were written."""
    return "; ".join(map(_part, _PARTS))


def _part(name: str) -> str:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return name
    status = os.stat(spec.origin)  # noqa: PTH116 - at every question
    return f"{spec.origin} {status.st_size} {status.st_mtime_ns}"
