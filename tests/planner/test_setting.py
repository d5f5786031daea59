"""One part of a plan is changed by a few words, and the others stay; a plan taken apart is the plan."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tabchat.engine.plan import parse_plan
from tabchat.errors import NotUnderstoodError, UsageError
from tabchat.planner.parts import conjuncts, filter_of, parts_of
from tabchat.planner.setting import named_parts, with_limit, with_part, without_part
from tests.planner.gold import EXAMPLES, read_questions

if TYPE_CHECKING:
    from tabchat.planner.plans import Draft
    from tests.planner.asking import Asker


def changed(asker: Asker, question: str, *parts: str, file: str = "sales.csv") -> Draft:
    """Ask a question and set parts one after the other."""
    planner = asker.planner(EXAMPLES / file)
    (table,) = planner.tables.values()
    draft = planner.plan(question)
    for part in parts:
        name, _, text = part.partition(" ")
        if text == "none":
            draft = without_part(draft.arguments, name, table)
        elif name == "limit":
            draft = with_limit(draft.arguments, text, table)
        else:
            draft = with_part(draft.arguments, name, planner.heard(text))
    return draft


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
        (("period 2024",), "sum of revenue · by region · country = Germany · period 2024"),
        (("period last quarter",), "sum of revenue · by region · country = Germany · period last quarter"),
        (("sort revenue desc",), "sum of revenue · by region · country = Germany · sorted by sum_revenue desc"),
        (("limit 5",), "sum of revenue · by region · country = Germany · first 5"),
        (("limit 5", "sort revenue desc"), "sum of revenue · by region · country = Germany · sorted by sum_revenue desc · first 5"),
        (("by month", "by none"), "sum of revenue · country = Germany"),
        (("period 2024", "period none"), "sum of revenue · by region · country = Germany"),
    ],
)  # fmt: skip
def test_one_part_changes_and_the_others_stay(
    asker: Asker, parts: tuple[str, ...], interpretation: str
) -> None:
    assert changed(asker, "total revenue in Germany by region", *parts).interpretation == interpretation


def test_parts_are_set_in_the_language_of_the_words(asker: Asker) -> None:
    draft = changed(
        asker, "средняя зарплата по отделам", "by городам", "measure медиана зарплаты", "sort зарплата по убыванию",
        file="employees_ru.csv",
    )  # fmt: skip

    assert draft.interpretation == "median of Зарплата · by Город · sorted by median_Зарплата desc"


def test_rows_are_counted_when_they_are_grouped(asker: Asker) -> None:
    draft = changed(asker, "show orders over 3000 revenue", "by region")

    assert draft.interpretation == "number of rows · by region · revenue > 3000"


@pytest.mark.parametrize(
    "part,error",
    [
        ("foo 3", UsageError),
        ("limit x", UsageError),
        ("limit 0", UsageError),
        ("period banana", NotUnderstoodError),
        ("period by month", NotUnderstoodError),
        ("filter by month", NotUnderstoodError),
        ("by revenue over 100", NotUnderstoodError),
        ("measure revenue in France", NotUnderstoodError),
        ("sort country", NotUnderstoodError),
    ],
)
def test_words_that_are_not_of_the_part_are_refused(asker: Asker, part: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        changed(asker, "total revenue in Germany by region", part)


def test_every_part_is_shown(asker: Asker) -> None:
    draft = changed(
        asker, "total revenue in Germany by region", "period 2024", "sort revenue desc", "limit 5"
    )
    (table,) = asker.planner(EXAMPLES / "sales.csv").tables.values()

    assert named_parts(draft.arguments, table) == (
        ("measure", "sum of revenue"),
        ("filter", "country = Germany"),
        ("by", "region"),
        ("period", "2024"),
        ("sort", "sum_revenue desc"),
        ("limit", "5"),
    )


def test_a_plan_that_was_taken_apart_is_put_together_as_the_same_plan(asker: Asker) -> None:
    """Conditions that must all hold may gain brackets, and nothing else."""
    plans = []
    for question in read_questions("dev.jsonl"):
        try:
            draft = asker.planner(question.path).plan(question.question)
        except NotUnderstoodError:
            continue
        if draft.tool == "run_query":
            plans.append({name: value for name, value in draft.arguments.items() if name != "table"})

    assert len(plans) > 150
    for plan in plans:
        first, second = parse_plan(plan).to_json(), parts_of(plan).to_plan().to_json()
        assert parts_of(second) == parts_of(plan)
        assert _without_brackets(first) == _without_brackets(second)


def _without_brackets(plan: object) -> str:
    return json.dumps(plan).replace("(", "").replace(")", "")


@pytest.mark.parametrize(
    "text,parts",
    [
        ("country == 'a and b'", ("country == 'a and b'",)),
        ("(a == 'x') and (b in ['p', 'q'])", ("a == 'x'", "b in ['p', 'q']")),
        ("(5 <= x and x <= 10) and y > 3", ("5 <= x and x <= 10", "y > 3")),
        ("a == 'x' or b == 'y' and c", ("a == 'x' or b == 'y' and c",)),
        ("a between 1 and 3 and not b", ("a between 1 and 3", "not b")),
        ("a == 'it''s' and \"odd and name\" > 1", ("a == 'it''s'", '"odd and name" > 1')),
    ],
)
def test_conditions_are_parted_only_where_all_must_hold(text: str, parts: tuple[str, ...]) -> None:
    assert conjuncts(text) == parts


def test_a_filter_knows_its_columns() -> None:
    assert filter_of("lower(\"First Name\") == 'ann' or Age > 3").columns == {"first name", "age"}
