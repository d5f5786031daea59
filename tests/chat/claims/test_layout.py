"""Where sentences and clauses end."""

from __future__ import annotations

import pytest

from tabchat.chat.claims import extract_claims


def _sentences(text: str) -> list[str]:
    return list(dict.fromkeys(text[slice(*claim.sentence)] for claim in extract_claims(text)))


def _clauses(text: str) -> list[str]:
    return [text[slice(*claim.clause)] for claim in extract_claims(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The mean is 12.5 in all.",
        "We use e.g. 5 or i.e. 6 rows.",
        "Asia vs. Europe is 5.",
        "Approx. 5 are left.",
        "Виручка 5 тис. грн. за день.",
        "Виручка 5 млн. грн у Києві.",
        "У 2024 р. Азія мала 5.",
        "В 2024 г. Азия имела 5.",
        "В 2024 г. было 5.",
        "Это т. е. 5 строк.",
        "It grew... then fell to 5.",
        "It grew… then fell to 5.",
        "The value of Acme Inc. 5 is low.",
        "The sum, which is the sum of all the regions in\nthe table, is 5.",
        "The sum of revenue over all the regions and years is\n500 in the table.",
    ],
)
def test_a_sentence_goes_on_after_abbreviations_and_decimal_points(text: str) -> None:
    assert _sentences(text) == [text]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Asia had 5.", "Europe had 6."],
        ["Asia had 5!", "Europe had 6?", "Africa 7."],
        ["Asia had 5.", "6 are left."],
        ["It was in 2024.", "Europe had 6."],
        ["**Asia had 5.**", "Europe had 6."],
        ["(Asia had 5.)", "Europe had 6."],
        ["Азія мала 5 млн грн.", "Європа мала 6."],
        ["Азія мала 5 у 2024 р.", "Європа мала 6."],
        ["Азия имела 5 тыс. руб.", "Европа — 6."],
        ["It grew by 5…", "Then it fell by 6."],
        ["We ship to Asia etc.", "Europe had 6."],
    ],
)
def test_a_sentence_ends_where_the_next_begins(sentences: list[str]) -> None:
    kept = [sentence for sentence in sentences if any(map(str.isdigit, sentence))]

    assert _sentences(" ".join(sentences)) == kept


@pytest.mark.parametrize(
    "lines",
    [
        ["# Sales 5", "Asia had 6"],
        ["- Asia: 5", "- Europe: 6"],
        ["* Asia: 5", "* Europe: 6"],
        ["1. Asia: 5", "2. Europe: 6"],
        ["• Азія: 5", "• Європа: 6"],
        ["| Asia | 5 |", "| Europe | 6 |"],
        ["> Asia: 5", "> Europe: 6"],
        ["asia: 5", "europe: 6"],
        ["Total: 5", "Mean: 6"],
    ],
)
def test_every_bullet_heading_and_row_is_a_sentence(lines: list[str]) -> None:
    assert _sentences("\n".join(lines)) == lines
    assert _sentences("\r\n".join(lines)) == lines


@pytest.mark.parametrize(
    "text, clauses",
    [
        ("Asia had 89.5 and Europe 77.1.", ["Asia had 89.5", "and Europe 77.1."]),
        ("Asia 89.5, Europe 77.1, Africa 60.", ["Asia 89.5,", "Europe 77.1,", "Africa 60."]),
        ("Asia had 5, while Europe had 6.", ["Asia had 5,", "while Europe had 6."]),
        ("Asia had 5; Europe had 6.", ["Asia had 5;", "Europe had 6."]),
        ("Asia had 5, but Europe 6.", ["Asia had 5,", "but Europe 6."]),
        ("Asia had 5 whereas Europe 6.", ["Asia had 5", "whereas Europe 6."]),
        ("Asia (5) and Europe (6).", ["Asia (5)", "and Europe (6)."]),
        ("Asia's 5 is higher than Europe's 6.", ["Asia's 5 is higher", "than Europe's 6."]),
        ("Азія мала 5, а Європа 6.", ["Азія мала 5,", "а Європа 6."]),
        ("Азія має 5, тоді як Європа 6.", ["Азія має 5,", "тоді як Європа 6."]),
        ("Азія — 5, Європа — 6.", ["Азія — 5,", "Європа — 6."]),
        ("Азия 5, тогда как Европа 6.", ["Азия 5,", "тогда как Европа 6."]),
        ("В Азии 5 и в Европе 6.", ["В Азии 5", "и в Европе 6."]),
        ("В Азии 5, но в Европе 6.", ["В Азии 5,", "но в Европе 6."]),
    ],
)
def test_a_clause_holds_the_figure_and_its_group(text: str, clauses: list[str]) -> None:
    assert _clauses(text) == clauses


@pytest.mark.parametrize(
    "text",
    [
        "Asia and Europe had 5.",
        "Asia and Europe had 5 and 6 respectively.",
        "Азія та Європа мали 5 та 6 відповідно.",
        "Sales rose 3% to 120 in Asia, up from 117.",
        "In March 2024, Asia had 5.",
        "In 2023 and 2024 Asia had 5.",
        "Asia has between 5 and 7 rows.",
        "Asia (5, or 6% of all) is first.",
        "Asia has more than 5 rows, or more than 6%.",
        "Asia grew from 5 to 7, i.e., by 2.",
        "Азія на 5-й позиції з 7 балами.",
    ],
)
def test_one_thing_said_is_one_clause(text: str) -> None:
    assert set(_clauses(text)) == {text}
