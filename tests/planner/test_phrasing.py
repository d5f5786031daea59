"""Sentences about results: the language's own numbers and plurals, and a trace for every figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.lexicon import shipped_languages
from tabchat.planner.phrasing import Sentence, phrase
from tests.planner.gold import EXAMPLES

if TYPE_CHECKING:
    from tests.planner.asking import Asker


def _said(asker: Asker, file: str, question: str) -> Sentence:
    draft = asker.planner(EXAMPLES / file).plan(question)
    words = shipped_languages().load(draft.language).phrasing
    return phrase(draft, asker.run(asker.tables[file], draft), words, "ds_x")


@pytest.mark.parametrize(
    "file,question,text",
    [
        ("sales.csv", "how many orders", "number of rows: 5,000."),
        ("sales.csv", "revenue by region", "5 groups. Highest: North America (611,714.5); lowest: Oceania (160,272.76)."),
        ("sales.csv", "what percentage of orders were returned", "percentage of number of rows where returned: 6.04%."),
        ("sales.csv", "list returned orders from New Zealand in 2024", "2 rows."),
        ("sales.csv", "orders with revenue above 100000", "No rows match: revenue > 100000."),
        ("sales.csv", "which region has the highest average revenue", None),
        ("prices.csv", "average volume by year", "3 groups. Highest: 2023 (3,541,167.5); lowest: 2024 (3,495,870.9364)."),
        (
            "messy.csv",
            "average qty by city in 2023",
            "5 groups. Highest: Lakeview (33.52); lowest: Ashford · Kingsport (25).",
        ),
        ("tovary_ua.csv", "скільки товарів", "number of rows: 400."),
        ("tovary_ua.csv", "список телевізорів, що надійшли у вересні 2024", None),
        ("employees_ru.csv", "средняя зарплата по отделам", None),
        ("sales.csv", "average and median revenue", "mean_revenue = 368.296, median_revenue = 145.24."),
    ],
)  # fmt: skip
def test_one_sentence_answers(asker: Asker, file: str, question: str, text: str | None) -> None:
    sentence = _said(asker, file, question)

    assert sentence.text.endswith(".")
    assert text is None or sentence.text == text


def test_every_figure_is_traced_to_its_cell(asker: Asker) -> None:
    sentence = _said(asker, "sales.csv", "revenue by region")

    assert [(claim.text, claim.evidence) for claim in sentence.claims] == [
        ("5", "ds_x.rows"),
        ("611,714.5", "ds_x[region=North America].sum_revenue"),
        ("160,272.76", "ds_x[region=Oceania].sum_revenue"),
    ]
    assert {claim.status for claim in sentence.claims} == {"verified"}
