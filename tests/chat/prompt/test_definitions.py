"""Whatever the compact tools admit, the executor accepts."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.chat.prompt import PromptContext, model_tools
from tabchat.engine.types import JsonValue
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import RECIPES
from tabchat.tools.schema import argument_problems
from tests.effort import examples
from tests.workspace import make_executor, make_workspace


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> ToolExecutor:
    folder: Path = tmp_path_factory.mktemp("tools")
    (folder / "events.csv").write_text(
        "at,till,kind\n2024-01-01 10:00:00,2024-01-02,a\n2024-01-03 11:30:00,2024-01-04,b\n", encoding="utf-8"
    )
    return make_executor(make_workspace(folder, folder / "events.csv"))


def tools_of(executor: ToolExecutor) -> dict[str, Any]:
    tables = executor.workspace.tables
    context = PromptContext(question="how many?", tables=tables, current=next(iter(tables)))
    return {str(tool["name"]): tool for tool in model_tools(executor, context)}


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    match schema["type"]:
        case "string":
            return st.text(max_size=5)
        case "integer":
            return st.integers(1, 50)
        case "array":
            return st.lists(values(schema["items"]), max_size=3)
        case "object":
            required = schema.get("required", ())
            known = schema.get("properties", {})
            if not known:
                more = schema.get("additionalProperties")
                inner = values(more) if isinstance(more, dict) else st.text(max_size=3)
                return st.dictionaries(st.text(max_size=3), inner, max_size=3)
            return st.fixed_dictionaries(
                {name: values(known[name]) for name in required},
                optional={name: values(rule) for name, rule in known.items() if name not in required},
            )
        case other:
            raise AssertionError(other)


@settings(deadline=None, max_examples=examples(60))
@given(picked=st.data())
def test_admitted_arguments_pass_the_executors_own_check(
    executor: ToolExecutor, picked: st.DataObject
) -> None:
    tools = tools_of(executor)
    tool = tools[picked.draw(st.sampled_from(sorted(tools)))]
    arguments: dict[str, JsonValue] = picked.draw(values(tool["parameters"]))
    assert argument_problems(executor.registry.tools[tool["name"]].parameters, arguments) == []


def test_every_enabled_tool_is_told_in_fewer_words(executor: ToolExecutor) -> None:
    tools = tools_of(executor)
    # Nothing is told again before there is an earlier result.
    left_out = {*RECIPES, "describe_result"}
    assert list(tools) == [tool.name for tool in executor.enabled() if tool.name not in left_out]
    compact = len(json.dumps(list(tools.values())))
    whole = [item for item in executor.get_tool_definitions() if item["name"] in tools]
    assert compact < 0.75 * len(json.dumps(whole, default=dict))


def test_fields_about_time_are_told_where_there_is_time(executor: ToolExecutor, tmp_path: Path) -> None:
    fields = set(tools_of(executor)["run_query"]["parameters"]["properties"])
    assert {"period", "time_column", "session", "resample"} <= fields
    (tmp_path / "plain.csv").write_text("a,b\n1,x\n", encoding="utf-8")
    plain = make_executor(make_workspace(tmp_path, tmp_path / "plain.csv"))
    assert fields - set(tools_of(plain)["run_query"]["parameters"]["properties"]) == {
        "period",
        "time_column",
        "session",
        "resample",
    }
