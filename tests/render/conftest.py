"""A real engine for the frames that are rendered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[DuckDBEngine]:
    opened = DuckDBEngine(spill=tmp_path / "spill")
    yield opened
    opened.close()
