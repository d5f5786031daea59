"""Headers that are listed are columns to be shown, whatever their words say elsewhere in questions."""

import random
from pathlib import Path

import pytest

from tabchat.planner.intent import Condition, Operator, Order, Output
from tests.planner.asking import Asker
from tests.planner.tables import table_of

HEADER = "name,size,count,first,city,start date,fee"
ROWS = [
    f"{name},{kind},{count},{first},{city},2024-0{month}-11,{fee}"
    for name, kind, count, first, city, month, fee in zip(
        ["Ant", "Bee", "Cow", "Dog", "Elk", "Fox", "Gnu", "Hen"],
        ["big", "small", "big", "small", "big", "big", "small", "big"],
        (31, 7, 55, 60, 81, 2, 18, 44),
        (5, 3, 9, 1, 7, 8, 2, 6),
        ["Paris", "Rome", "Oslo", "Paris", "Rome", "Oslo", "Paris", "Rome"],
        (1, 2, 3, 4, 5, 6, 7, 8),
        (120.5, 80, 95, 300, 210.25, 66, 71, 150),
        strict=True,
    )
]
WORDS_OF_QUESTIONS = (
    *("name", "type", "first", "last", "file", "table", "list", "filter", "order", "group", "unit", "state"),
    *(
        "count",
        "total",
        "number",
        "sum",
        "average",
        "max",
        "min",
        "rank",
        "share",
        "missing",
        "median",
        "top",
    ),
)


@pytest.mark.parametrize(
    "question, columns",
    [
        ("select name, city", ("name", "city")),
        ("show name, city and fee", ("name", "city", "fee")),
        ("name, city, fee", ("name", "city", "fee")),
        ("list the size and the fee", ("size", "fee")),
        ("show names and fees", ("name", "fee")),
        ("show first and count", ("first", "count")),
        ("show columns name and city", ("name", "city")),
        ("show start date, name and size", ("start date", "name", "size")),
    ],
)
def test_listed_headers_are_shown_of_every_row(
    asker: Asker, tmp_path: Path, question: str, columns: tuple[str, ...]
) -> None:
    reading = asker.interpreter(table_of(tmp_path, "animals", HEADER, ROWS)).read(question)
    intent = reading.candidates[0].intent

    assert reading.certain
    assert (intent.output, intent.columns, intent.clauses) == (Output.ROWS, columns, ())


@pytest.mark.parametrize(
    "question, columns",
    [
        ("покажи назву, тип і ціну", ("назва", "тип", "ціна")),
        ("назва та місто", ("назва", "місто")),
        ("выведи название, тип и цену", ("назва", "тип", "ціна")),
    ],
)
def test_they_are_in_other_languages_and_cases(
    asker: Asker, tmp_path: Path, question: str, columns: tuple[str, ...]
) -> None:
    ukrainian = "покажи" in question or "місто" in question
    header = "назва,тип,місто,ціна" if ukrainian else "название,тип,город,цена"
    rows = ["Сир,а,Київ,210", "Хліб,б,Львів,25", "Сіль,а,Київ,31"]
    reading = asker.interpreter(table_of(tmp_path, f"goods_{ukrainian}", header, rows)).read(question)
    intent = reading.candidates[0].intent
    wanted = columns if ukrainian else ("название", "тип", "цена")

    assert (intent.output, intent.columns) == (Output.ROWS, wanted)


def test_what_else_is_said_of_the_rows_holds(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(table_of(tmp_path, "animals", HEADER, ROWS)).read
    filtered = read("show name and fee where fee over 100")
    ordered = read("name and fee sorted by fee")
    ranked = read("name and city of the 2 rows with the highest fee").candidates[0].intent

    assert (filtered.certain, ordered.certain) == (True, True)
    assert filtered.candidates[0].intent.clauses == (
        Condition(column="fee", operator=Operator.GT, values=(100,)),
    )
    assert filtered.candidates[0].intent.columns == ("name", "fee")
    assert ordered.candidates[0].intent.orders == (Order(column="fee", descending=False),)
    assert (ranked.columns, ranked.limit) == (("name", "city", "fee"), 2)


@pytest.mark.parametrize(
    "question, output",
    [
        ("city and number of rows", Output.GROUPS),
        ("average fee by city and size", Output.GROUPS),
        ("different cities", Output.VALUES),
        ("different city and size", Output.VALUES),
        ("unique combinations of city and size", Output.VALUES),
        ("max and min fee", Output.VALUE),
    ],
)
def test_a_list_of_other_things_is_none_of_columns(
    asker: Asker, tmp_path: Path, question: str, output: Output
) -> None:
    reading = asker.interpreter(table_of(tmp_path, "animals", HEADER, ROWS)).read(question)

    assert reading.candidates[0].intent.output == output


@pytest.mark.parametrize("header", WORDS_OF_QUESTIONS)
def test_no_header_of_a_list_is_lost(asker: Asker, tmp_path: Path, header: str) -> None:
    numbers = random.Random(header)  # noqa: S311 - which numbers they are does not matter
    rows = [
        f"{numbers.randint(1, 90)},{place},{numbers.randint(900, 2000)}"
        for place in ["Paris", "Rome", "Oslo", "Rome", "Paris", "Oslo"]
    ]
    read = asker.interpreter(table_of(tmp_path, f"of_{header}", f"{header},city,salary", rows)).read

    for question in (f"show {header} and city", f"select {header}, city", f"salary, {header}, city"):
        reading = read(question)
        assert not reading.certain or header in reading.candidates[0].intent.columns, question
        assert header in reading.candidates[0].intent.columns, question


@pytest.mark.parametrize("question", ["show name and", "show name,", "name, and", "name and city and"])
def test_a_list_may_be_cut_off(asker: Asker, tmp_path: Path, question: str) -> None:
    assert asker.interpreter(table_of(tmp_path, "animals", HEADER, ROWS)).read(question).candidates
