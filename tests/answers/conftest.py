from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabchat.answers.check import AnswerContext
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tests.answers.tables import result_of


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    folder: Path = tmp_path_factory.mktemp("spill")
    made = DuckDBEngine(spill=folder, limits=Limits(threads=1))
    yield made
    made.close()


@pytest.fixture(scope="module")
def context(engine: DuckDBEngine) -> AnswerContext:
    """Return what an answer is checked against: the revenue of three regions."""
    columns: dict[str, list[Any]] = {
        "region": ["Asia", "Europe", "Oceania"],
        "revenue": [345222.26, 543120.29, 160272.76],
    }
    return AnswerContext(results=[result_of(engine, columns, keys=["region"])])
