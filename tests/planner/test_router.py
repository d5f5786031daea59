"""A question is accounted for word by word, or refused with the words or the readings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.chat.turn.messages import ToolMessage, UserMessage
from tabchat.chat.turn.model import ModelRequest, Reply
from tabchat.errors import NotUnderstoodError
from tabchat.planner import OfflinePlanner
from tabchat.tools.envelope import ToolResultEnvelope
from tests.planner.gold import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.engine.result import Result
    from tabchat.planner.plans import Draft
    from tests.planner.asking import Asker

    Planned = Callable[[str, str], Draft]


@pytest.mark.parametrize(
    "question,interpretation",
    [
        ("total revenue by region", "sum of revenue · by region"),
        ("how many orders were not from Germany", "number of rows · country ≠ Germany"),
        ("revenue excluding Germany and France", "sum of revenue · country not in Germany, France"),
        ("average revenue per order in Q3 2023", "mean of revenue · period 2023-Q3"),
        ("90th percentile of revenue", "90th percentile of revenue"),
        ("which customer spent the most", "customer with the highest sum of revenue"),
        ("what percentage of returned orders were from Germany", "percentage of number of rows where country = Germany · returned"),
        ("average number of orders per customer", "mean number of rows per customer"),
        ("revenue of Germany vs France in 2023", "sum of revenue · by country · country in Germany, France · period 2023"),
    ],
)  # fmt: skip
def test_the_reading_is_said_in_one_line(plan: Planned, question: str, interpretation: str) -> None:
    assert plan("sales.csv", question).interpretation == interpretation


@pytest.mark.parametrize(
    "file,question,words",
    [
        ("sales.csv", "total profit by region", ("profit",)),
        ("sales.csv", "orders from Spain", ("Spain",)),
        ("sales.csv", "why did revenue drop", ("why",)),
        ("sales.csv", "delete returned orders", ("delete",)),
        ("sales.csv", "show large orders", ("large",)),
        ("sales.csv", "revenue per square meter", ("square", "meter")),
        ("messy.csv", "who paid late", ("late",)),
        ("tovary_ua.csv", "скільки планшетів", ("планшетів",)),
        ("employees_ru.csv", "сколько сотрудников в Сочи", ("Сочи",)),
        ("employees_ru.csv", "средняя зарплата женщин", ("женщин",)),
    ],
)
def test_unknown_words_are_named(plan: Planned, file: str, question: str, words: tuple[str, ...]) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        plan(file, question)

    assert refusal.value.words == words
    assert refusal.value.exit_code == 4


@pytest.mark.parametrize(
    "file,question",
    [
        ("messy.csv", "total amount"),
        ("sales.csv", "sales by region"),
        ("tovary_ua.csv", "кількість товарів за постачальниками"),
    ],
)
def test_two_readings_with_different_results_are_listed(plan: Planned, file: str, question: str) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        plan(file, question)

    assert refusal.value.code == "ambiguous"
    assert len(refusal.value.readings) == 2


@pytest.mark.parametrize(
    "question",
    [
        "average revenue of orders from Germany and France",
        "how many orders had no discount",
        "percentage of returned orders by region",
        "which region is the best",
        "top customers by revenue",
        "5 most expensive orders",
        "total revenue for orders over 100",
        "revenue in 2030",
        "what happened in March 2023",
        "total revenue above 100",
        "top 5 customers",
    ],
)
def test_what_lacks_a_detail_is_refused_not_guessed(plan: Planned, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        plan("sales.csv", question)


def test_a_turn_calls_a_tool_and_then_says_what_came_back(asker: Asker) -> None:
    planner = asker.planner(EXAMPLES / "sales.csv")
    (reply,) = planner.respond(ModelRequest(messages=(UserMessage(text="total revenue"),), table="sales"))
    assert isinstance(reply, Reply)
    (call,) = reply.tool_calls
    assert (call.name, dict(call.arguments)) == (
        "run_query",
        {"table": "sales", "select": ["sum(revenue) as sum_revenue"]},
    )
    result = asker.run(asker.tables["sales.csv"], planner.plan("total revenue"))
    speaking = OfflinePlanner(tables=planner.tables, results=_one_result(result))
    (again,) = speaking.respond(ModelRequest(messages=(UserMessage(text="total revenue"),), table="sales"))
    assert isinstance(again, Reply)
    envelope = ToolResultEnvelope(ok=True, summary="Result", data_key="ds_x")
    message = ToolMessage(call=again.tool_calls[0], envelope=envelope)
    (answer,) = speaking.respond(
        ModelRequest(messages=(UserMessage(text="total revenue"), message), table="sales")
    )

    assert isinstance(answer, Reply)
    assert answer.text == "The sum of revenue is 1,841,479.99."
    assert [(claim.text, claim.evidence) for claim in answer.receipts] == [("1,841,479.99", "ds_x.value")]


def _one_result(result: Result) -> Callable[[str], Result]:
    return lambda _key: result


def test_a_long_text_is_not_a_question(plan: Planned) -> None:
    with pytest.raises(NotUnderstoodError, match="longer than 600"):
        plan("sales.csv", "revenue " * 100)


@pytest.mark.parametrize(
    "file,question,language",
    [
        ("employees_ru.csv", "число сотрудников по отделам", "ru"),
        ("employees_ru.csv", "средняя зарплата по городам", "ru"),
        ("employees_ru.csv", "середня зарплата за відділами", "uk"),
        ("tovary_ua.csv", "скільки товарів по брендах", "uk"),
        ("sales.csv", "total revenue by region", "en"),
    ],
)
def test_the_answer_comes_in_the_language_of_the_question(
    plan: Planned, file: str, question: str, language: str
) -> None:
    assert plan(file, question).language == language
