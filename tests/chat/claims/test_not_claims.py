"""What holds digits and yet asserts no figure."""

from __future__ import annotations

import pytest

from tabchat.chat.claims import extract_claims
from tests.chat.claims.asserted import numbers


@pytest.mark.parametrize(
    "text",
    [
        "Asia is group A4, and H2 and Q1 are slow.",
        "It runs v1.2, version 2.1.0 and v10.",
        "Item #5, № 7 and No. 9 are gone.",
        "COVID-19, ISO-8601, UTF-8, SHA-256 and PM2.5.",
        "It is on 192.168.0.1 and 10.0.0.255:8080.",
        "Write to me2@site24.com.",
        "See https://example.com/2024/03?id=55 and www.site7.org/8.",
        "Support is there 24/7.",
        "The key is ds_1a2b3c4d5e6f or ds_42.",
        "The file sales_2024.csv and 2024.csv.",
        "It is {{ds_5.value}} and {{ds_x.max.r2}}.",
        "See Table 3, Fig. 2 and step 4; рис. 5, табл. 6, Крок 7.",
        "As said before [1], [12] and [^3].",
        "A 3D plot on 5G.",
        "See [the report](files/report_7.html).",
        "<h2>Title</h2>",
        "The 25th percentile at 95% confidence, 95-й перцентиль.",
        "Rounded to 2 decimal places, до 2 знаків після коми, до 2 знаков после запятой.",
    ],
)
def test_names_versions_keys_and_addresses_are_no_figures(text: str) -> None:
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "1. Asia\n2. Europe\n3. Africa",
        "1) Asia\n2) Europe",
        "  1. Asia\n  2. Europe",
        "**1.** Asia\n**2.** Europe",
        "## 1. Asia\n## 2. Europe",
        "We (1) filter, (2) group and (3) sort.",
        "1️⃣ Asia\n2️⃣ Europe",
        "| # | Region |\n|---|---|\n| 1 | Asia |\n| 2 | Europe |",
        "| № | Регіон |\n|:-:|---|\n| 1 | Азія |\n| 2 | Європа |",
    ],
)
def test_numbers_of_items_are_no_figures(text: str) -> None:
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    "text, figures",
    [
        ("80. That is the mean.", ["80"]),
        ("5) is a figure here.", ["5"]),
        ("It fell (3) again.", ["3"]),
        ("- 5 rows", ["5"]),
        ("* 5 rows", ["5"]),
        ("- -5 is the change", ["-5"]),
        ("| Month | Sales |\n|---|---|\n| 1 | 500 |", ["1", "500"]),
        ("У таблиці 80 рядків.", ["80"]),
        ("Table 3 000 rows", ["3 000"]),
        ("USD5 and грн5", ["USD5", "грн5"]),
        ("top-5 and топ-7", ["5", "7"]),
    ],
)
def test_figures_in_the_same_places_are_claims(text: str, figures: list[str]) -> None:
    assert [claim.text for claim in numbers(text)] == figures


@pytest.mark.parametrize(
    "text",
    [
        "Run `SELECT 5 FROM t1` and `x > 10`.",
        "Run ``a `5` b``.",
        "```sql\nSELECT 5;\n```",
        "```python\nx = 12\n```\n",
        "~~~\nLIMIT = 10\n~~~",
        "```sql\nSELECT 5",
        "> ```json\n> 5\n> ```",
    ],
)
def test_code_is_no_claim(text: str) -> None:
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    "text, figures",
    [
        ("The mean is `1,234.5`.", ["1,234.5"]),
        ("It fell by `12` rows.", ["12"]),
        ("It is `12.5 %`.", ["12.5 %"]),
        ("```\nAsia  500\nEurope 300\n```", ["500", "300"]),
        ("```text\nAsia  500\n```", ["500"]),
        ("An open ` tick and 5.", ["5"]),
        ("```sql\nSELECT 5;\n```\nIt is 7.", ["7"]),
    ],
)
def test_a_figure_set_in_code_type_is_a_claim(text: str, figures: list[str]) -> None:
    assert [claim.text for claim in numbers(text)] == figures


def test_names_of_columns_hide_their_digits() -> None:
    text = "The mean of sales 2024 is 5, of q1_total 6, of 2023 is 7, of Sales 2024z is 8."

    found = [claim.text for claim in numbers(text, names=("sales 2024", "q1_total", "2023", "region"))]

    assert found == ["5", "6", "2023", "7", "8"]


@pytest.mark.parametrize(
    "text",
    ["It is **12.5**% now.", "It is **12.5%** now.", "It is *12.5* percent now.", r"It is 12.5\% now."],
)
def test_emphasis_does_not_hide_the_unit(text: str) -> None:
    (claim,) = numbers(text)

    assert (claim.kind, claim.unit) == ("percent", "%")
    assert "*" not in claim.text or claim.text.startswith("12.5* ")


def test_a_figure_in_a_table_knows_its_heading() -> None:
    text = "| Region | Revenue | **Share, %** |\n|:--|--:|:-:|\n| Asia | 1,234 | 45.2 |\n| Europe | 987 | |\n\nIn all 5."

    assert [(claim.text, claim.heading, claim.kind) for claim in numbers(text)] == [
        ("1,234", "Revenue", "number"),
        ("45.2", "Share, %", "percent"),
        ("987", "Revenue", "number"),
        ("5", None, "number"),
    ]


@pytest.mark.parametrize("text", ["Rated 4.5 out of 5 here.", "Rated 4.5/5 here.", "Оцінка 4,5 з 5."])
def test_the_scale_of_a_rating_is_no_finding(text: str) -> None:
    assert [str(claim.value) for claim in numbers(text)] == ["4.5"]


def test_lists_of_digits_are_several_figures() -> None:
    assert [claim.text for claim in numbers("10,20,30 and 3,4,5 and 1, 2, 3")] == [
        *("10", "20", "30"),
        *("3", "4", "5"),
        *("1", "2", "3"),
    ]
