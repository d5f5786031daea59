"""The engine of a module of tests, over a folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tests.engine.tables import open_engine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def engine(folder: Path) -> Iterator[DuckDBEngine]:
    opened = open_engine(folder)
    yield opened
    opened.close()
