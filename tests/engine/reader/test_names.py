"""Names of tables and columns, and units in headers."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabchat.engine.reader import table_name
from tabchat.engine.reader.text.headers import column_names
from tabchat.engine.reader.text.units import header_unit
from tests.effort import examples


@pytest.mark.parametrize(
    "path, name",
    [
        ("jobs.csv", "jobs"),
        ("/data/2024 sales-final.csv.gz", "_2024_sales_final"),
        ("Дані продажу.xlsx", "Дані_продажу"),
        ("表.parquet", "表"),
        ("order.csv", "order_"),
        ("a.b.csv", "a_b"),
        ("---.csv", "table_1"),
        (".csv", "csv"),
        ("-", "stdin"),
        ("x.unknown", "x_unknown"),
    ],
)
def test_table_names(path: str, name: str) -> None:
    assert table_name(path) == name


def test_table_names_are_unique_whatever_their_case() -> None:
    assert table_name("Jobs.csv", {"jobs"}) == "Jobs_2"
    assert table_name("jobs.csv", {"jobs", "JOBS_2"}) == "jobs_3"
    assert table_name("order.csv", {"order_"}) == "order_2"


@settings(deadline=None, max_examples=examples(200))
@given(st.lists(st.text(max_size=12), min_size=1, max_size=12))
@example(["_", "_", "__2"])
def test_column_names_are_unique_printable_and_never_hidden(cells: list[str]) -> None:
    names, _ = column_names(cells)
    assert len(names) == len(cells)
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert name.strip() == name != ""
        assert not name.startswith("__")
        assert not any(ord(character) < 32 or character in "\x7f\u202e" for character in name)


def test_clean_names_are_left_alone() -> None:
    cells = ["a", "b c", "Ціна, грн", "x_2", 'q"']
    assert column_names(cells) == (tuple(cells), ())


def test_numbers_given_to_twins_do_not_meet_other_names() -> None:
    names, _ = column_names(["x", "x_2", "X", "", "column_4"])
    assert names == ("x", "x_2", "X_3", "column_4_2", "column_4")


@pytest.mark.parametrize(
    "header, unit",
    [
        ("Weight (kg)", "kg"),
        ("speed [km/h]", "km/h"),
        ("capacity_mw", "MW"),
        ("Price ($)", "$"),
        ("price_usd", "$"),
        ("Ціна, грн", "₴"),
        ("Цена (руб.)", "₽"),
        ("growth_pct", "%"),
        ("Share %", "%"),
        ("Weight_in_lbs", "lb"),
        ("Продажи, млн руб.", "млн ₽"),
        ("Виручка, тис. грн", "тис. ₴"),
        ("Выручка (тыс.руб)", "тыс. ₽"),
        ("Revenue, $m", "$m"),
        ("Sales ($ thousand)", "$ thousand"),
        ("Sales (thousands of USD)", "$ thousand"),
        ("Revenue EUR k", "€k"),
        ("Budget (M$)", "$m"),
        ("budget_musd", "MUSD"),
        ("Price per m, EUR", "€"),
        ("Курс USD", None),
        ("Курс, грн", "₴"),
        ("exchange_rate_usd", None),
        ("Count (old)", None),
        ("temp_c", None),
        ("temp_min", None),
        ("year", None),
        ("kg", None),
    ],
)
def test_units_of_headers(header: str, unit: str | None) -> None:
    assert header_unit(header) == unit
