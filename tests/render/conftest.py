"""A real engine for the frames that are rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[DuckDBEngine]:
    opened = DuckDBEngine(spill=tmp_path / "spill")
    yield opened
    opened.close()
