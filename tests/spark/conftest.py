"""One Spark for all the tests of it, started as a person's is, and the engine that holds it against DuckDB."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tabchat.engine.backends.spark.java import find_java, wanted
from tabchat.engine.limits import Limits
from tests.spark import lake
from tests.spark.both import ComparingEngine
from tests.spark.server import ConnectServer

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of this folder first: of several workers one begins there, has them all, and starts one Spark.

    Of these the last ones leave tasks that run until Spark ends.
    """
    items.sort(key=lambda item: (HERE not in item.path.parents, item.path.name == "test_stopping.py"))


@pytest.fixture(scope="package")
def spark() -> Iterator[None]:
    """What a test needs that starts a Spark, in this process or another; skips it where there is none, and says why."""
    java = find_java()
    if find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed; try: make spark")
    if java is None or not java.will_do:
        pytest.skip(f"Spark needs Java {wanted()}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(HERE / "conf"))
        patch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        yield


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="package")
def engine(spark: None, folder: Path) -> Iterator[ComparingEngine]:
    opened = ComparingEngine(
        # Spark ends a task between two rows that it reads. One that joins everything with everything reads the next in
        # hours, so each that is stopped keeps its thread, as no session that is a guest here ends it.
        address="local[4]",
        most_rows=1_000_000,
        spill=folder / "spill",
        folders=[folder],
        limits=Limits(memory=2**30, threads=2),
    )
    yield opened
    opened.close()


@pytest.fixture(scope="package")
def server(spark: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConnectServer]:
    """A server of Spark Connect for all the tests that need one."""
    with ConnectServer(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="package")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    lake.delta(folder / "delta")
    lake.parts(folder / "texts", "csv")
    lake.parts(folder / "columns", "parquet")
    return folder
