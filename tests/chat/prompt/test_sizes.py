"""Budgets of the prompt, counted with litellm's tokenizer for GPT-4o."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.chat.prompt import PromptContext, model_tools, system_prompt
from tabchat.chat.prompt.token_estimate import estimate_tokens
from tabchat.chat.provider.litellm_model import load
from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.turn.model import ModelRequest
from tabchat.config import PrivacyLevel
from tabchat.engine.profile.sketch import sketch_table
from tests.chat.prompt.sizes import MODEL, Sizes, counter, measure, no_code, opened, write_table
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace

FIRST = 1_200
"""Tokens that the first request over a 9-column table may take."""
GROUPED = 300
"""Tokens that a grouped result of 12 rows may add."""
WHOLE = 3_000
"""Tokens that all requests of a one-query question over it may take together."""
WIDE = 3_000
"""Tokens that the first request over a table of any width may take."""
QUESTIONS = {
    "sales.csv": "Which region grew most in 2023 compared with the year before?",
    "tovary_ua.csv": "Скільки товарів у кожній категорії та яка їхня середня ціна?",
    "employees_ru.csv": "Какая средняя зарплата по отделам?",
    "prices.csv": "longest streak of rising closes with an RSI above 70",
    "stations.csv": "pass rate by station",
    "installations.csv": "capacity by country",
}


def sizes_of(folder: Path, rows: int, columns: int) -> Sizes:
    path = folder / f"measures_{rows}_{columns}.parquet"
    write_table(path, rows, columns)
    with opened(path, folder / "spill") as workspace:
        return measure(workspace, counter(folder))


@pytest.mark.parametrize("columns, first, whole", [(9, FIRST, WHOLE), (50, 1_800, 4_000), (400, WIDE, 6_500)])
def test_a_question_costs_the_same_over_a_thousand_and_a_hundred_thousand_rows(
    tmp_path: Path, columns: int, first: int, whole: int
) -> None:
    small, large = (sizes_of(tmp_path, rows, columns) for rows in (1_000, 100_000))
    assert small.first <= first
    assert small.grouped <= GROUPED
    assert small.whole <= whole
    assert large.first == pytest.approx(small.first, rel=0.02)
    assert large.whole == pytest.approx(small.whole, rel=0.02)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_first_request_keeps_to_its_budget_and_no_estimate_is_far_too_low(
    tmp_path: Path, example: Example, name: str
) -> None:
    question = QUESTIONS[name]
    for level, budget in (
        (PrivacyLevel.STRICT, FIRST),
        (PrivacyLevel.SUMMARY, FIRST),
        (PrivacyLevel.PREVIEW, FIRST + 350),
    ):
        workspace = replace(make_workspace(tmp_path, example(name), privacy=level), run_code=no_code)
        context = PromptContext(
            question=question,
            tables=workspace.tables,
            current=next(iter(workspace.tables)),
            privacy=level,
            sketch_of=lambda table, engine=workspace.engine: sketch_table(engine, table),  # type: ignore[misc]
        )
        system, tools = system_prompt(context), model_tools(make_executor(workspace), context)
        request = ModelRequest(messages=(UserMessage(text=question),), system=system, tools=tools)
        assert counter(tmp_path).count_tokens(request) <= budget
        for text in (system, json.dumps(tools)):
            assert estimate_tokens(text) >= 0.97 * load().token_counter(model=MODEL, text=text)


@pytest.mark.parametrize(
    "text",
    [
        "The average revenue per region was 12,345.67 dollars; most was sold in Asia.",
        "Середній дохід за регіонами становить 12 345,67 грн, найбільше продали в Азії.",
        "Средняя выручка по регионам составила 12 345,67 руб., больше всего в Азии.",
        "各地区的平均收入是多少？亚洲的销售额最高，退货率低于百分之三。",
        '{"key":"ds_eo7wi472uxm6jrz4k7oo","rows":[["Köln",12.5],["São Paulo",null]]}',
        "🎉🚀📈✅ 100%",
    ],
)
def test_an_estimate_is_never_more_than_a_few_percent_too_low(text: str) -> None:
    assert estimate_tokens(text) >= 0.95 * load().token_counter(model=MODEL, text=text)
    assert estimate_tokens(text * 50) <= 2 * load().token_counter(model=MODEL, text=text * 50)
