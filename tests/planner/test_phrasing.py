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
    planner = asker.planner(EXAMPLES / file)
    draft, table = planner.plan(question), asker.tables[file]
    words = shipped_languages().load(draft.language).phrasing
    return phrase(draft, asker.run(table, draft), words, "ds_x", planner.tables[table.name])


@pytest.mark.parametrize(
    "file,question,text",
    [
        ("sales.csv", "how many orders", "The table has 5,000 rows."),
        ("sales.csv", "how many orders from Germany", "636 rows match: country = Germany."),
        ("sales.csv", "average revenue in 2024", "The mean of revenue is 374.2576 (period 2024)."),
        ("installations.csv", "average capacity", "The mean of capacity_mw is 136.7143 MW."),
        ("sales.csv", "revenue by region", "5 groups. Highest: North America (611,714.5); lowest: Oceania (160,272.76)."),
        ("sales.csv", "what percentage of orders were returned", "6.04% of the rows match: returned."),
        ("sales.csv", "list returned orders from New Zealand in 2024", "2 rows match: returned · country = New Zealand · period 2024."),
        ("sales.csv", "orders with revenue above 100000", "No rows match: revenue > 100000."),
        ("sales.csv", "which region has the highest average revenue", "Region with the highest mean of revenue: North America (385.4534)."),
        ("sales.csv", "how many different customers", "140 different values of customer."),
        ("sales.csv", "Could you list all the regions?", "5 different values of region: Asia, Europe, North America, Oceania, South America."),
        ("sales.csv", "missing values per column", "Missing cells: discount (149)."),
        (
            "sales.csv",
            "difference in total revenue between 2024 and 2023",
            "Difference of sum of revenue: 2024 minus 2023 = 41,519.13.",
        ),
        (
            "sales.csv",
            "top 5 products by revenue",
            "Highest 5 by product, sum of revenue: Corner Sofa (358,927.92), Walnut Table (127,854.1), Oak Desk (107,376.18) and 2 more.",
        ),
        ("prices.csv", "average volume by year", "3 groups. Highest: 2023 (3,541,167.5); lowest: 2024 (3,495,870.9364)."),
        (
            "messy.csv",
            "average qty by city in 2023",
            "5 groups. Highest: Lakeview (33.52); lowest: Ashford · Kingsport (25).",
        ),
        ("tovary_ua.csv", "скільки товарів", "У таблиці 400 рядків."),
        ("tovary_ua.csv", "скільки ноутбуків", "74 рядки відповідають умовам: Категорія = Ноутбуки."),
        ("tovary_ua.csv", "Який бренд має найвищу середню ціну?", "«Бренд», де найбільше: середнє «Ціна» — Обрій (18\u00a0162,6739)."),
        ("employees_ru.csv", "сколько инженеров", "102 строки отвечают условиям: Должность = Инженер."),
        ("employees_ru.csv", "Какой процент сотрудников работает удаленно?", "30,6% строк отвечают условию: Удалённо."),
        ("sales.csv", "average and median revenue", "Mean of revenue: 368.296, median of revenue: 145.24."),
    ],
)  # fmt: skip
def test_one_sentence_answers(asker: Asker, file: str, question: str, text: str) -> None:
    assert _said(asker, file, question).text == text


@pytest.mark.parametrize(
    "file,question,why",
    [
        (
            "sales.csv",
            "orders from Germany in 2023 with revenue above 1000000",
            "No row at all has: revenue > 1000000; the other conditions leave 215 rows.",
        ),
        (
            "sales.csv",
            "how many orders from Germany with revenue over 4000 in channel partner",
            "Each condition alone leaves rows (country = Germany: 636 rows, revenue > 4000: 39 rows, channel = partner: 698 rows), but not all of them together.",
        ),
        (
            "tovary_ua.csv",
            "скільки ноутбуків дорожчі за 1000000",
            "Жоден рядок таблиці не має: Ціна > 1000000; інші умови залишають 74 рядки.",
        ),
    ],
)  # fmt: skip
def test_an_empty_answer_says_which_filter_left_nothing(
    asker: Asker, file: str, question: str, why: str
) -> None:
    sentence = _said(asker, file, question)

    assert sentence.text.endswith(why)
    assert {claim.text for claim in sentence.receipts if claim.value} <= {*why.replace(";", " ").split()}


@pytest.mark.parametrize(
    "file,question,read_as",
    [
        ("tovary_ua.csv", "середня ціна за категоріями для бренду Верба", "середнє «Ціна» · за «Категорія» · Бренд = Верба"),
        ("tovary_ua.csv", "скільки товарів надійшло торік", "кількість рядків · минулий рік"),
        ("prices.csv", "коли був найвищий close", "рядки з найбільшим «close»"),
        ("prices.csv", "сколько дней close падал более чем на 3%", "число строк · падение «close» > 3%"),
        ("employees_ru.csv", "минимальная и максимальная зарплата", "минимум «Зарплата», максимум «Зарплата»"),
        ("employees_ru.csv", "города, где больше 70 сотрудников", "Город · где число строк > 70"),
    ],
)  # fmt: skip
def test_the_reading_is_said_in_the_language_of_the_question(
    asker: Asker, file: str, question: str, read_as: str
) -> None:
    assert asker.planner(EXAMPLES / file).plan(question).interpretation == read_as


def test_every_figure_is_traced_to_its_cell(asker: Asker) -> None:
    sentence = _said(asker, "sales.csv", "revenue by region")

    assert [(claim.text, claim.evidence) for claim in sentence.receipts] == [
        ("5", "ds_x.rows"),
        ("611,714.5", "ds_x[region=North America].sum_revenue"),
        ("160,272.76", "ds_x[region=Oceania].sum_revenue"),
    ]
    assert {claim.status for claim in sentence.receipts} == {"verified"}
