from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    folder: Path = tmp_path_factory.mktemp("spill")
    made = DuckDBEngine(spill=folder, limits=Limits(threads=1))
    yield made
    made.close()
