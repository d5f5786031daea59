"""Small tables that tests write."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def table_of(folder: Path, name: str, header: str, rows: Sequence[str]) -> Path:
    """Write a CSV file of these lines; return its path."""
    file = folder / f"{name}.csv"
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    return file
