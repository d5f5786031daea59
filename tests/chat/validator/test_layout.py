"""A text is read as statements, each under its headings."""

from __future__ import annotations

from tabchat.chat.validator.layout import Statement, statements


def shown(text: str) -> list[str]:
    return [text[item.start : item.end].strip() for item in statements(text)]


def above(text: str, statement: Statement) -> list[str]:
    return [text[low:high].strip(" *#") for low, high in statement.under]


def test_sentences_end_where_they_do_and_not_after_abbreviations() -> None:
    assert shown("Asia made 1.5. Europe made approx. 2. Why?") == [
        "Asia made 1.5.",
        "Europe made approx. 2.",
        "Why?",
    ]
    assert shown("Маємо 2,5 млн. грн. Далі 3 тис. шт.") == ["Маємо 2,5 млн. грн.", "Далі 3 тис. шт."]


def test_items_stand_under_their_parents_and_lead_lines() -> None:
    text = "## Sales\n\nBy region:\n- Asia\n  - online: 5\n- Europe: 7\n\nAfter."
    found = {text[item.start : item.end]: above(text, item) for item in statements(text)}
    assert found["online: 5"] == ["Asia", "By region:", "Sales"]
    assert found["Europe: 7"] == ["By region:", "Sales"]
    assert found["After."] == ["Sales"]


def test_rows_know_their_headers() -> None:
    text = "| Region | Revenue |\n|---|---:|\n| Asia | 5 |"
    header, row = statements(text)
    assert header.headers == ()
    assert [text[low:high].strip() for low, high in row.cells] == ["Asia", "5"]
    assert [text[low:high].strip() for low, high in row.headers] == ["Region", "Revenue"]


def test_code_blocks_are_left_out() -> None:
    assert shown("One.\n```\nselect 5\n```\nTwo.") == ["One.", "Two."]
