"""One part of the last intent is changed by a few words, and the others stay."""

import pytest

from tabchat.errors import NotUnderstoodError, UsageError
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Output
from tabchat.planner.setting import named_parts, with_part
from tabchat.planner.wording import read_as
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES

BY_REGION = Intent(
    output=Output.GROUPS,
    measures=(Measure(function="sum", column="revenue"),),
    keys=(Key(column="region"),),
    clauses=(Condition(column="country", operator=Operator.EQ, values=("Germany",)),),
)


def changed(asker: Asker, intent: Intent, *parts: str, file: str = "sales.csv") -> Intent:
    """Set parts one after the other."""
    interpreter = asker.planner(EXAMPLES / file).interpreter()
    for part in parts:
        name, _, text = part.partition(" ")
        intent = with_part(intent, name, text, interpreter)
    return intent


@pytest.mark.parametrize(
    "parts,interpretation",
    [
        (("by month",), "sum of revenue · by month · country = Germany"),
        (("by region, channel",), "sum of revenue · by region, channel · country = Germany"),
        (("measure median unit price",), "median of unit_price · by region · country = Germany"),
        (("measure mean",), "mean of revenue · by region · country = Germany"),
        (("measure count",), "number of rows · by region · country = Germany"),
        (("measure none",), "rows · country = Germany"),
        (("filter country = France",), "sum of revenue · by region · country = France"),
        (("filter channel online",), "sum of revenue · by region · country = Germany · channel = online"),
        (("filter none",), "sum of revenue · by region"),
        (("period 2024",), "sum of revenue · by region · country = Germany · 2024"),
        (("period last quarter",), "sum of revenue · by region · country = Germany · last quarter"),
        (("sort revenue desc",), "sum of revenue · by region · country = Germany · sorted by sum of revenue, highest first"),
        (("limit 5",), "sum of revenue · by region · country = Germany · first 5"),
        (("limit 5", "sort revenue desc"), "sum of revenue · by region · country = Germany · top 5"),
        (("by month", "by none"), "sum of revenue · country = Germany"),
        (("period 2024", "period none"), "sum of revenue · by region · country = Germany"),
        (("measure none", "by region"), "number of rows · by region · country = Germany"),
    ],
)  # fmt: skip
def test_one_part_changes_and_the_others_stay(
    asker: Asker, parts: tuple[str, ...], interpretation: str
) -> None:
    intent = changed(asker, BY_REGION, *parts)

    assert read_as(intent, asker.open(EXAMPLES / "sales.csv"), "en") == interpretation


def test_a_change_without_its_months_is_the_sum(asker: Asker) -> None:
    growth = asker.planner(EXAMPLES / "sales.csv").plan("revenue growth by month").intent
    assert growth is not None
    assert growth.output is Output.CHANGE

    intent = changed(asker, growth, "by none")

    assert read_as(intent, asker.open(EXAMPLES / "sales.csv"), "en") == "sum of revenue"


def test_parts_are_set_in_any_language(asker: Asker) -> None:
    mean = Intent(
        output=Output.GROUPS,
        measures=(Measure(function="mean", column="Зарплата"),),
        keys=(Key(column="Отдел"),),
    )
    words = ("by городам", "measure медиана зарплаты", "sort зарплата по убыванию")

    intent = changed(asker, mean, *words, file="employees_ru.csv")

    facts = asker.open(EXAMPLES / "employees_ru.csv")
    assert read_as(intent, facts, "en") == (
        "median of Зарплата · by Город · sorted by median of Зарплата, highest first"
    )


@pytest.mark.parametrize(
    "part,error",
    [
        ("foo 3", UsageError),
        ("limit x", UsageError),
        ("limit 0", UsageError),
        ("by", UsageError),
        ("period banana", NotUnderstoodError),
        ("period by month", NotUnderstoodError),
        ("filter by month", NotUnderstoodError),
        ("filter planet Mars", NotUnderstoodError),
        ("by revenue over 100", NotUnderstoodError),
        ("measure revenue in France", NotUnderstoodError),
        ("sort country", NotUnderstoodError),
    ],
)
def test_words_that_are_not_of_the_part_are_refused(asker: Asker, part: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        changed(asker, BY_REGION, part)


def test_every_part_is_shown(asker: Asker) -> None:
    intent = changed(asker, BY_REGION, "period 2024", "sort revenue desc", "limit 5")

    assert named_parts(intent, asker.open(EXAMPLES / "sales.csv")) == (
        ("measure", "sum of revenue"),
        ("filter", "country = Germany"),
        ("by", "region"),
        ("period", "2024"),
        ("sort", "sorted by sum of revenue, highest first"),
        ("limit", "5"),
    )
