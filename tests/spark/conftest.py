"""One Spark for all the tests of it, started as a person's is, and the engine that holds it against DuckDB."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tabchat.engine.limits import Limits
from tests.spark import lake
from tests.spark.both import ComparingEngine
from tests.spark.server import ConnectServer

if TYPE_CHECKING:
    from collections.abc import Iterator

os.environ["SPARK_CONF_DIR"] = str(Path(__file__).parent / "conf")
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="session")
def engine(folder: Path) -> Iterator[ComparingEngine]:
    opened = ComparingEngine(
        address="local[2]",
        most_rows=1_000_000,
        spill=folder / "spill",
        folders=[folder],
        limits=Limits(memory=2**30, threads=2),
    )
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConnectServer]:
    """A server of Spark Connect for all the tests that need one."""
    with ConnectServer(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    lake.delta(folder / "delta")
    lake.parts(folder / "texts", "csv")
    lake.parts(folder / "columns", "parquet")
    return folder
