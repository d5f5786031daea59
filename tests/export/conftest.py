from collections.abc import Iterator

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    """A locked engine that may touch no file at all."""
    opened = DuckDBEngine(spill=tmp_path_factory.mktemp("export") / "spill", limits=Limits(threads=1))
    yield opened
    opened.close()
