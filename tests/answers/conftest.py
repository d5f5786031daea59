from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    folder: Path = tmp_path_factory.mktemp("spill")
    made = DuckDBEngine(spill=folder, limits=Limits(threads=1))
    yield made
    made.close()
