"""Commands against a server of Spark Connect: each of them answers there as it does with DuckDB."""

import json
from pathlib import Path

import pytest

from tests.command import Finished, tabchat
from tests.conftest import Example
from tests.spark.server import ConnectServer

PLAN = json.dumps({"group_by": "region", "select": ["sum(quantity)", "count()"]})
BY_CHANNEL = "SELECT channel, max(order_date) AS day FROM sales GROUP BY channel ORDER BY channel"
COMMANDS = {"sql": ["sql", "FILE", BY_CHANNEL], "analyze": ["analyze", "pareto", "FILE", "--by", "product"]}


def _run(*arguments: str | Path, engine: tuple[str, ...], stdin: str = "") -> Finished:
    return tabchat(*arguments, *engine, stdin=stdin, timeout=280)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_the_same(name: str, server: ConnectServer, example: Example) -> None:
    words = [example("sales.csv") if word == "FILE" else word for word in COMMANDS[name]]
    far = _run(*words, "--format", "csv", "-q", engine=("--engine", "spark", "--spark", server.address))
    near = _run(*words, "--format", "csv", "-q", engine=())
    assert (far.code, far.err) == (0, "")
    assert far.out == near.out


def test_rows_of_a_lake_are_exported_by_another_command(
    server: ConnectServer, lakes: Path, tmp_path: Path
) -> None:
    engine = ("--engine", "spark", "--spark", server.address, "--order-by", "order_id")
    answered = _run("query", lakes / "delta", PLAN, "--json", "-q", engine=engine)
    key = answered.json["data_key"]
    written = _run("export", key, "--source", "-o", tmp_path / "rows.csv", "-q", engine=engine)
    assert (written.code, written.err) == (0, "")
    lines = (tmp_path / "rows.csv").read_text("utf-8").splitlines()
    assert len(lines) == 5001
    assert lines[1].startswith("100002,")


def test_a_conversation_goes_on_with_one_session(server: ConnectServer, lakes: Path) -> None:
    asked = "average revenue by region\nhow many rows\n/profile\n/quit\n"
    finished = _run(
        "repl", lakes / "texts", "-q", stdin=asked, engine=("--engine", "spark", "--spark", server.address)
    )
    assert finished.code == 0
    assert "Oceania" in finished.out
    assert "5,000" in finished.out


@pytest.mark.parametrize("option", [("--spark", "local[1]"), ("--order-by", "order_id")])
def test_what_is_said_of_spark_is_refused_elsewhere(example: Example, option: tuple[str, str]) -> None:
    finished = _run("ask", example("sales.csv"), "how many rows", engine=option)
    assert finished.code == 2
    assert "the engine is duckdb" in finished.err
    assert "--engine spark" in finished.err
