"""What rows are called: by the name of the file, and by the columns that number its things."""

import pytest

from tabchat.engine.facts.nouns import row_nouns, singular


@pytest.mark.parametrize(
    "source, keys, nouns",
    [
        ("/data/flights.csv", ["flight_no"], ("flight",)),
        ("online_sales_2024.csv.gz", ["order_id"], ("sale", "order")),
        ("export (1).xlsx", ["Customer ID"], ("customer",)),
        ("data.csv", ["id"], ()),
        ("-", ["EmployeeNumber"], ("employee",)),
        ("companies.parquet", ["company"], ("company",)),
        ("people.v2.csv", [], ("person",)),
        ("замовлення.csv", ["номер замовлення"], ("замовлення",)),
        ("Товары ЁЛКИ.csv", [], ("товары",)),
        ("sales_by_region.csv", [], ("sale",)),
        ("walk_in_customers.csv", [], ("customer",)),
        ("list of visits.csv", [], ("visit",)),
        ("аварії_водогону.csv", [], ("аварії",)),
        ("квартири_на_продаж.csv", [], ("квартири",)),
        ("народні_пісні.csv", [], ("пісні", "народні")),
        ("гнізда_лелек.csv", [], ("гнізда", "лелек")),
        ("журнал_відвідувань.csv", [], ("відвідувань",)),
        ("2023-05.csv", ["№ рахунку"], ("рахунку",)),
    ],
)
def test_rows_are_called_after_their_file_and_their_keys(
    source: str, keys: list[str], nouns: tuple[str, ...]
) -> None:
    assert row_nouns(source, keys) == nouns


@pytest.mark.parametrize(
    "plural, one",
    [
        ("cities", "city"),
        ("boxes", "box"),
        ("matches", "match"),
        ("classes", "class"),
        ("houses", "house"),
        ("movies", "movie"),
        ("series", "series"),
        ("glass", "glass"),
        ("analysis", "analysis"),
        ("children", "child"),
        ("міста", "міста"),
    ],
)
def test_an_english_ending_tells_the_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
