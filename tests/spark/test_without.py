"""What a person is told where Spark, its Java or its server is not there."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tabchat.engine.backends.spark.starting import stays_here, suit_reader
from tests.command import Finished, tabchat
from tests.conftest import Example


def _ask(example: Example, *options: str, env: dict[str, str] | None = None) -> Finished:
    asked = ["how many rows", "-q", "--engine", "spark", *options]
    return tabchat("ask", example("sales.csv"), *asked, env=env, timeout=280)


@pytest.mark.usefixtures("spark")
def test_no_java_is_told_with_the_versions_that_will_do(example: Example, tmp_path: Path) -> None:
    finished = _ask(example, env={"JAVA_HOME": str(tmp_path)})
    assert finished.code == 1
    assert "Java 17 or 21" in finished.err
    told = tabchat("doctor", env={"JAVA_HOME": str(tmp_path), "TABCHAT_ENGINE": "spark"})
    assert told.code == 1
    assert "BAD   java: Spark needs Java 17 or 21, and there is none" in told.out


@pytest.mark.parametrize(
    "version, words", [("11.0.2", "is version 11"), ("25.0.1", "is version 25"), ("17.0.15", "for Spark")]
)
def test_the_version_of_java_is_read(tmp_path: Path, version: str, words: str) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-01-01' >&2\n")
    java.chmod(0o755)
    told = tabchat("doctor", env={"JAVA_HOME": str(tmp_path), "TABCHAT_ENGINE": "spark"})
    (line,) = (line for line in told.out.splitlines() if " java: " in line)
    assert words in line


@pytest.mark.usefixtures("spark")
def test_a_server_that_does_not_answer_is_named(example: Example) -> None:
    finished = _ask(example, "--spark", "sc://127.0.0.1:9")
    assert finished.code == 1
    assert "No Spark Connect server answers at sc://127.0.0.1:9" in finished.err


def test_offline_forbids_spark_also_on_this_machine(example: Example) -> None:
    finished = _ask(example, "--offline")
    assert finished.code == 8
    assert "Spark is reached through one" in finished.err


@pytest.mark.parametrize(
    "address, here",
    [
        ("local", True),
        ("local[*]", True),
        ("sc://localhost:15002", True),
        ("sc://127.0.0.1/;token=x", True),
        ("sc://[::1]:15002", True),
        ("sc://localhost.example:15002", False),
        ("sc://spark.example", False),
        ("spark://127.0.0.1:7077", False),
        ("localhost", False),
        ("yarn", False),
    ],
)
def test_what_stays_on_this_machine(address: str, here: bool) -> None:
    assert stays_here(address) is here


@pytest.mark.parametrize(
    "version, by_rows", [("4.1.0", True), ("4.2.1-SNAPSHOT", True), ("4.3.0", False), ("5.0.0", False)]
)
def test_an_older_spark_reads_kept_tables_by_rows(version: str, *, by_rows: bool) -> None:
    settings: dict[str, str] = {}
    session = SimpleNamespace(version=version, conf=SimpleNamespace(set=settings.__setitem__))
    suit_reader(session)
    assert (settings.get("spark.sql.parquet.enableVectorizedReader") == "false") is by_rows
