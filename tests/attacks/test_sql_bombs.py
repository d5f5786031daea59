"""No SELECT and no plan, whoever wrote it, takes more time or memory than it may, and the session goes on after it.

What ends a query is a kill at its deadline or the limit of its process's address space. That each ends within
half as much again as its limit is measured in benchmarks/bounded_sql.py.
"""

import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabchat.config import MIB, load_settings
from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.bounded.worker import HEADROOM
from tabchat.engine.limits import Limits
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.sql.query import run_sql
from tabchat.engine.table import ReadOptions, Table
from tabchat.errors import QueryFailedError, QueryTimeoutError, TabchatError
from tabchat.session import Session
from tests.attacks.sql_bombs import BOMBS
from tests.command import tabchat
from tests.fake_provider import FAKE_ENV, FakeProvider, call, say
from tests.seals import SEAL

LIMIT = 256 * MIB
SECONDS = 0.4
TIME = "The query ran longer than"
MEMORY = "The query needs more memory than it may use."
LEVENSHTEIN = BOMBS["levenshtein"]

Scene = tuple[BoundedDuckDBEngine, dict[str, "Table"]]


def write_table(folder: Path) -> Path:
    path = folder / "t.csv"
    path.write_text("n,name\n" + "".join(f"{n},name {n}\n" for n in range(1000)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    root = tmp_path_factory.mktemp("bombs")
    cache = TableCache(root / "tables", max_bytes=10**9, seal=SEAL)
    table = open_table(write_table(root), options=ReadOptions(), cache=cache)
    engine = BoundedDuckDBEngine(
        spill=root / "spill", folders=(root / "tables",), limits=Limits(memory=LIMIT, threads=2)
    )
    engine.attach("t", table.scan)
    yield engine, {"t": table}
    engine.close()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_table(tmp_path)


def peak() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_within_its_bounds(scene: Scene, name: str) -> None:
    engine, tables = scene
    before = peak()
    with pytest.raises((QueryFailedError, QueryTimeoutError)) as raised:
        run_sql(engine, tables, BOMBS[name], written=engine.for_sql(SECONDS))
    error = raised.value
    assert error.message.startswith(TIME) or error.message == MEMORY
    assert error.hint is not None
    assert ("--timeout" in error.hint) == isinstance(error, QueryTimeoutError)
    assert peak() - before <= HEADROOM


def test_the_session_goes_on_after_a_bomb(scene: Scene) -> None:
    engine, tables = scene
    for name in ("levenshtein", "list_resize"):
        with pytest.raises(TabchatError):
            run_sql(engine, tables, BOMBS[name], written=engine.for_sql(SECONDS))
        assert run_sql(engine, tables, "SELECT sum(n) FROM t", written=engine.for_sql()).value == 499_500
        assert run_sql(engine, tables, "SELECT sum(n) FROM t").value == 499_500


def test_the_command_line_says_what_ended_a_query(source: Path) -> None:
    late = tabchat("sql", source, LEVENSHTEIN, "--timeout", "1")
    assert (late.code, late.out) == (124, "")
    assert "ran longer than 1 s" in late.err
    assert "--timeout" in late.err
    large = tabchat("sql", source, BOMBS["range_list"], env={"TABCHAT_MEMORY_LIMIT": str(LIMIT)})
    assert (large.code, large.out) == (9, "")
    assert MEMORY in large.err
    assert "TABCHAT_MEMORY_LIMIT" in large.err


def test_sql_of_a_model_has_a_time_limit_of_its_own(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FAKE_ENV.items():
        monkeypatch.setenv(name, value)
    script = [call("run_sql", {"sql": LEVENSHTEIN}), say("It takes too long.")]
    with FakeProvider(script) as provider:
        flags: dict[str, Any] = {
            "model": "openai/fake",
            "api_base": provider.base_url,
            "planner": "llm",
            "code_timeout": SECONDS,
        }
        with Session.open([source], settings=load_settings(flags)) as session:
            answer = session.answer("how far apart are they?")
        told = json.loads(provider.requests[-1].body)["messages"][-1]["content"]
    assert TIME in told
    assert answer.text == "It takes too long."


def test_rows_that_are_computed_again_are_bounded_like_the_first_time(source: Path) -> None:
    # The count needs no column of the subquery; whoever looks at the rows behind it does.
    env = {"TABCHAT_MEMORY_LIMIT": str(LIMIT)}
    counted = tabchat(
        "sql",
        source,
        "SELECT count(*) FROM (SELECT repeat(name, 100000000) AS big FROM t)",
        "--json",
        env=env,
    )
    assert counted.json["value"] == 1000
    key = counted.json["data_key"]
    shown = tabchat("show", key, "--source", env=env)
    assert (shown.code, MEMORY in shown.err) == (9, True)
    exported = tabchat("export", key, "--source", "-o", source.parent / "out.csv", env=env)
    assert (exported.code, MEMORY in exported.err) == (9, True)
    assert not (source.parent / "out.csv").exists()


DOUBLED = {
    "text_0": "name",
    **{f"text_{step + 1}": f"concat(text_{step}, text_{step})" for step in range(30)},
}
NESTED = "name"
for _ in range(6):
    NESTED = f"replace({NESTED}, 'n', '{'n' * 100}')"


@pytest.mark.parametrize(
    "tool, arguments",
    [
        ("run_query", {"map": DOUBLED, "columns": ["text_30"]}),
        ("run_query", {"map": DOUBLED | {"long": "length(text_30)"}, "select": "sum(long)"}),
        ("run_query", {"where": f"length({NESTED}) > 3", "select": "count()"}),
        ("measurement_statistics", {"value": "n", "where": f"length({NESTED}) > 3"}),
    ],
)
def test_texts_of_a_plan_grow_no_further_than_memory(
    source: Path, tool: str, arguments: dict[str, Any]
) -> None:
    settings = load_settings({"memory_limit": LIMIT, "timeout": 60.0})
    with Session.open([source], settings=settings) as session:
        before = peak()
        with pytest.raises(QueryFailedError) as raised:
            session._compute(tool, {"table": "t", **arguments})
        assert raised.value.message == MEMORY
        assert peak() - before <= HEADROOM
        assert session.query({"select": "count()"}).block is not None


def test_an_edit_grows_no_further_than_memory(source: Path) -> None:
    settings = load_settings({"memory_limit": LIMIT, "timeout": 60.0})
    with Session.open([source], settings=settings) as session:
        with pytest.raises(QueryFailedError) as raised:
            session.preview_edit({"operation": "add_column", "name": "long", "expression": NESTED})
        assert raised.value.message == MEMORY
