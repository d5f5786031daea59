"""A question is told of the recipes that its words call for, and of no others."""

from pathlib import Path

import pytest

from tabchat.chat.prompt import PromptContext, model_tools, system_prompt
from tabchat.chat.prompt.definitions import TOLD, called_recipes
from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.turn.model import ModelRequest
from tabchat.engine.profile.sketch import sketch_table
from tests.chat.prompt.sizes import counter
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace


@pytest.mark.parametrize(
    "question,recipes",
    [
        ("What is the yield by station?", {"analyze_ratio"}),
        ("частка браку за станціями", {"analyze_ratio"}),
        ("процент возвратов по каналам", {"analyze_ratio"}),
        ("Pareto of failures", {"analyze_pareto"}),
        ("головні причини відмов", {"analyze_pareto"}),
        ("percentiles of measurement by step", {"measurement_statistics"}),
        ("is the process out of control?", {"control_chart"}),
        ("контрольна карта для leakage", {"control_chart"}),
        ("Cpk of leakage against its limits", {"process_capability"}),
        ("Why did revenue fall in May?", {"explain_change"}),
        ("чому впав дохід у травні", {"explain_change"}),
        ("почему упала выручка", {"explain_change"}),
        ("history of unit SN40015", {"describe_unit"}),
        ("average revenue by region", set()),
        ("середній дохід за регіонами", set()),
        ("top 5 products by price, with their happiness", set()),
    ],
)
def test_words_call_for_recipes(question: str, recipes: set[str]) -> None:
    assert set(called_recipes(question)) == recipes


def test_no_question_is_told_of_many() -> None:
    question = "why did the yield of the pareto percentiles fall, with cpk and control chart history of"
    assert len(called_recipes(question)) == TOLD


def test_a_question_with_recipes_keeps_to_the_budget(tmp_path: Path, example: Example) -> None:
    workspace = make_workspace(tmp_path, example("sales.csv"))
    for question in (
        "why did returns rise, with a pareto of causes?",
        "control chart with cpk",
        "yield and percentiles",
    ):
        context = PromptContext(
            question=question,
            tables=workspace.tables,
            current="sales",
            sketch_of=lambda table: sketch_table(workspace.engine, table),
        )
        system, tools = system_prompt(context), model_tools(make_executor(workspace), context)
        request = ModelRequest(messages=(UserMessage(text=question),), system=system, tools=tools)
        assert len(tools) == 7
        assert counter(tmp_path).count_tokens(request) <= 1_200
