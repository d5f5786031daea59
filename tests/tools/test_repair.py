"""A call that cannot run says everything that a model needs to mend it."""

from pathlib import Path

import pytest

from tabchat.chat.turn.memory import tool_text
from tabchat.chat.turn.messages import ToolCall, ToolMessage
from tabchat.errors import DataKeyError, OutputError, QueryFailedError
from tabchat.tools.error_text import error_text
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import MINIMAL
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace


@pytest.fixture
def executor(tmp_path: Path, example: Example) -> ToolExecutor:
    return make_executor(make_workspace(tmp_path, example("sales.csv")))


@pytest.mark.parametrize(
    "raw, said",
    [
        ('{"select": "count()"', "the text ends at character 21 of 20"),
        ('{"select": }', 'expecting value at character 12 of 12, here: {"select":⟨here⟩}'),
        ("{'select': 1}", "expecting property name enclosed in double quotes at character 2"),
        ('{"a": 1}{"b": 2}', "extra data at character 9 of 16"),
        ("count()", "expecting value at character 1"),
        ("[1, 2]", "they are a list"),
        ('"count()"', "they are a text"),
        ("null", "they are null"),
        ("7", "they are a number"),
        ("true", "they are a truth value"),
        ("", "they are empty"),
        ("[" * 100_000, "nested too deeply"),
        ('{"limit": 1, "limit": 2}', "a field is given twice: 'limit'"),
    ],
)
def test_arguments_that_are_no_json_object_say_where_they_break(
    executor: ToolExecutor, raw: str, said: str
) -> None:
    envelope = executor.refuse_malformed("run_query", raw).envelope
    assert envelope.error == "invalid_arguments"
    assert envelope.summary.startswith("The arguments of 'run_query' are not one JSON object: ")
    assert said in envelope.summary


def test_an_unknown_tool_is_told_the_known_ones(tmp_path: Path, example: Example) -> None:
    executor = make_executor(make_workspace(tmp_path, example("sales.csv")), MINIMAL)
    expected = "Tool 'run_\x1b' is not enabled".replace("\x1b", "")
    for outcome in (executor.run("run_\x1b", {}), executor.refuse_malformed("run_\x1b", "{")):
        assert (outcome.envelope.error, outcome.envelope.summary) == ("tool_not_enabled", expected)
        told = tool_text(
            ToolMessage(call=ToolCall(id="", name="run_", arguments={}), envelope=outcome.envelope)
        )
        assert told == f"Error: {expected}. Enabled: run_query, describe_table."


def test_every_issue_of_a_plan_stands_beside_its_hint(executor: ToolExecutor) -> None:
    plan = {"where": "regoin == 'Asia'", "select": "summ(quantity)", "sort": "nope desc"}
    said = executor.execute("run_query", plan).summary
    assert "where: There is no column `regoin`. Did you mean region?; " in said
    assert "select: There is no function `summ`. Did you mean sum()" in said


def test_an_unknown_column_in_sql_names_the_nearest(executor: ToolExecutor) -> None:
    said = executor.execute("run_sql", {"sql": "SELECT revenu FROM sales"}).summary
    assert said == "Error executing 'run_sql': There is no column 'revenu'. Did you mean revenue?"


def test_deep_nesting_is_an_error_like_any_other(executor: ToolExecutor) -> None:
    deep = "(" * 5_000 + "quantity" + ")" * 5_000
    for tool, arguments in (
        ("run_query", {"where": f"{deep} > 1"}),
        ("run_sql", {"sql": f"SELECT {deep} FROM sales"}),
    ):
        envelope = executor.execute(tool, arguments)
        assert not envelope.ok
        assert "deep" in envelope.summary


def test_files_and_folders_are_told_to_no_model() -> None:
    path = "/home/anna/salaries.csv"
    for error in (
        OutputError(f"The store {path} cannot be used."),
        DataKeyError(f"The source {path} has changed.", hint=f"tabchat ask {path}", code="source_changed"),
        DataKeyError("The rows have expired.", hint=f"tabchat ask {path}", code="key_expired"),
    ):
        assert path not in error_text(error)


def test_an_engine_error_keeps_what_helps(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("code\nsecret-1\n")
    executor = make_executor(make_workspace(tmp_path, path))
    said = executor.execute("run_sql", {"sql": "SELECT code::INT FROM t"}).summary
    assert said == (
        "Error executing 'run_sql': A value cannot be converted to INT32. "
        "Use try_cast(x AS type): it gives null where a value cannot be converted."
    )


def test_an_engine_message_that_is_no_text_is_told_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("word\nЖ\n")
    outcome = make_executor(make_workspace(tmp_path, path)).run(
        "run_sql", {"sql": "SELECT unhex(word) FROM t"}
    )
    assert isinstance(outcome.failure, QueryFailedError)
    assert outcome.envelope.summary == (
        "Error executing 'run_sql': The query failed on a value of the data. "
        "Change that part of the query, and run it again."
    )
