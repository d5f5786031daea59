"""Forms in which the engine itself writes the rows of a query, so that no cell becomes a Python object."""

from __future__ import annotations

from typing import Final

from tabchat.record import record

_VECTOR: Final = 2048
"""Rows that the engine works on at once."""
_GROUP_ROWS: Final = 122_880
"""Rows of a group in the Parquet files that the engine writes, unless it is told otherwise."""
_GROUP_CELLS: Final = 20_000_000


@record
class Lines:
    """Lines of text below a header; a missing cell is empty."""

    header: str
    """Written first, as it is, with its line feed."""
    delimiter: str
    quotes: bool
    """Whether cells are quoted that hold the delimiter, a quote or a line break, are empty or begin with `#`; else none is."""


@record
class Packed:
    """A Parquet file."""

    columns: int


def group_rows(columns: int) -> int | None:
    """Return how many rows a group of a Parquet file may have; None for as many as the engine makes by itself.

    It holds a group of rows for each thread while it writes, so the groups of wide tables are shorter.
    """
    rows = _GROUP_CELLS // columns // _VECTOR * _VECTOR
    return max(_VECTOR, rows) if rows < _GROUP_ROWS else None
