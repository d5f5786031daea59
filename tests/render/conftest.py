"""A real engine for the frames that are rendered."""

from collections.abc import Iterator

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits


@pytest.fixture(scope="package")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    opened = DuckDBEngine(spill=tmp_path_factory.mktemp("render") / "spill", limits=Limits(threads=1))
    yield opened
    opened.close()
