"""A value and a name are what the person typed, whole and to the letter, or the edit is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.errors import NotUnderstoodError
from tabchat.planner.edits import EditReader
from tests.effort import examples
from tests.planner.asking import Asker

Read = Callable[[str, str], Any]

_TABLES = {
    "grades": "name,grade,score\nAnn,B,1\nBob,C,2\nCy,,3\n",
    "cities": "city,n\nThe Hague,1\nHague,2\nOslo,3\n",
    "capitals": "city,n\nThe Hague,1\nOslo,3\nOslo,3\n",
    "letters": "a,x,total_a\n1,2,3\n4,5,6\n",
    "days": "day,n\n2024-01-01,1\n2024-01-02,2\n",
    "dated": "day,n\n2024-01-05,1\n2024-03-11,2\n2024-03-12,3\n,4\n",
    "twins": "a b,a-b,name\n1,2,Ann\n2,3,ann\n3,4,Bob\n",
    "poles": "pole,length,note\na,116.8 m,x\nb,20 m,y\nc,300 m,z\nd,45.5 m,x\ne,,y\n",
    "totals": "id,v\n" + "".join(f"{n},{n}\n" for n in range(1, 31)) + "Total,465\n",
    "codes": "code,qty,label\n001,3,a\n002,4,b\n4,5,c\n5,6,d\nx9,3,e\n",
    "bills": "bill,city,paid\n"
    + "".join(f"{n},{('Rome', 'Oslo')[n % 2]},{n % 3 % 2}\n" for n in range(11, 31)),
    "posts": "id,likes\n9007199254740992,1\n9007199254740993,2\n12345678901234567,3\n",
}


@pytest.fixture(scope="module")
def read(asker: Asker, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Return what a request says that it does, of a table of a few rows, or why it is refused."""
    folder: Path = tmp_path_factory.mktemp("typed")
    readers: dict[str, EditReader] = {}

    def found(table: str, request: str) -> Any:
        if table not in readers:
            path = folder / f"{table}.csv"
            path.write_text(_TABLES[table], encoding="utf-8")
            readers[table] = EditReader(asker.open(path))
        try:
            reading = readers[table].read(request)
        except NotUnderstoodError as refusal:
            return refusal
        # What is in no one language is no request.
        return NotUnderstoodError("no edit") if reading is None else reading.call.arguments

    return found


_WORDS = (
    *("the", "The", "a", "A", "an", "all", "All", "any", "every", "my", "these", "existing"),
    *("to", "into", "as", "with", "by", "using", "from", "in", "of", "for", "on", "at", "whose", "and", "or"),
    *("на", "в", "до", "к", "как", "и", "или", "для", "все", "каждый", "этот", "с", "из", "у", "по", "где"),
    *("всі", "кожен", "цей", "де", "з", "із", "та", "або", "й", "як"),
    *(
        "😀",
        "?",
        "...",
        "-",
        "+",
        "&",
        "#",
        "=",
        "=>",
        "→",
        ":",
        ";",
        "—",
        "x_in_Ann",
        "to_do",
        "the_y",
        "x.in.y",
    ),
    *("A?", "Inc.", "😀b", "a😀", "C++", "n/a", "Zq", "wub", "it", "row", "value", "7", "12%", "1.5"),
)
_TYPED = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3).map(" ".join)
"""Without what can only belong to the request: `please`, a comma at the end, `to be`, the names of columns."""
_relaxed = settings(
    deadline=None,
    max_examples=examples(150),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)


@_relaxed
@given(
    value=_TYPED,
    request_=st.sampled_from(
        (
            "set grade to {} where score = 2",
            "change grade to {} where score is 2",
            "встанови grade на {} де score = 2",
            "встанови grade у {} де score = 2",
            "установи grade на {} где score = 2",
            "установи grade в {} где score = 2",
        )
    ),
)
def test_a_new_value_is_what_was_typed_or_none(read: Read, value: str, request_: str) -> None:
    made = read("grades", request_.format(value))

    if not isinstance(made, NotUnderstoodError):
        assert (made["set"], made["where"]) == ({"grade": f"'{value}'"}, "score == 2")


@_relaxed
@given(
    value=_TYPED,
    request_=st.sampled_from(
        (
            "fill missing grade with {}",
            "заповни пропуски в grade значенням {}",
            "заполни пропуски в grade значением {}",
        )
    ),
)
def test_what_fills_gaps_is_what_was_typed_or_nothing(read: Read, value: str, request_: str) -> None:
    made = read("grades", request_.format(value))

    if not isinstance(made, NotUnderstoodError):
        assert made["value"] == value


@_relaxed
@given(
    name=_TYPED,
    request_=st.sampled_from(("rename score to {}", "перейменуй score на {}", "переименуй score в {}")),
)
def test_a_new_name_is_what_was_typed_or_none(read: Read, name: str, request_: str) -> None:
    made = read("grades", request_.format(name))

    if not isinstance(made, NotUnderstoodError):
        assert made["names"] == {"score": name}


@pytest.mark.parametrize(
    "value", ["A", "all", "The", "the", "to", "?", "...", "😀", "Inc.", "The Who", "A Smith"]
)
def test_an_article_a_preposition_and_a_sign_are_values(read: Read, value: str) -> None:
    made = read("grades", f"set grade to {value} where name is Ann")

    assert made["set"] == {"grade": f"'{value}'"}


@pytest.mark.parametrize("quotes", ["''", '""', "“”", "«»"])
@pytest.mark.parametrize(
    "request_",
    [
        "set grade to {} where score = 2",
        "set grade as {} where score = 2",
        "установи grade в {} где score = 2",
    ],
)
def test_empty_quotation_marks_are_an_empty_text(read: Read, quotes: str, request_: str) -> None:
    assert read("grades", request_.format(quotes))["set"] == {"grade": "''"}


def test_an_empty_text_is_a_missing_number(read: Read) -> None:
    assert read("grades", "set score to '' where name is Ann")["set"] == {"score": "null"}


@pytest.mark.parametrize(
    "request_,said,hint",
    [
        ("set grade to where score = 2", "there is no new value", "quotation marks"),
        ("set grade to", "there is no new value", "quotation marks"),
        ("fill missing grade with", "there is no new value", "quotation marks"),
        ("rename grade to", "there is no new name", "rename a to b"),
        ("set grade to it where score=2", "“it” is no clear value for grade", "quotation marks"),
        (
            "set grade to A for the where score=2",
            "“A for the” is no clear value for grade",
            "quotation marks",
        ),
        ("set name to Acme Inc.", "“Acme Inc.” is no clear value for name", "quotation marks"),
        ("rename grade to done?", "“done?” is no clear name for a column", "quotation marks"),
    ],
)
def test_what_is_no_value_is_named_with_what_to_type(read: Read, request_: str, said: str, hint: str) -> None:
    refusal = read("grades", request_)

    assert said in refusal.message
    assert hint in refusal.hint


def test_a_date_that_can_be_two_is_named_and_not_its_column(read: Read) -> None:
    refusal = read("days", "set day to 03/04/2024 where n = 1")

    assert "“03/04/2024” is no clear value for day" in refusal.message
    assert "2024-12-31" in refusal.hint


@pytest.mark.parametrize(
    "table,where,cell",
    [
        ("cities", "where city is The Hague", "The Hague"),
        ("cities", "where city is the hague", "The Hague"),
        ("cities", "where city is Hague", "Hague"),
        ("cities", "from The Hague", "The Hague"),
        ("capitals", "where city is The Hague", "The Hague"),
    ],
)
def test_a_cell_as_it_was_typed_wins_over_one_without_its_article(
    read: Read, table: str, where: str, cell: str
) -> None:
    assert read(table, f"delete rows {where}")["where"] == f"city == '{cell}'"
    assert read(table, f"set n to 5 {where}")["where"] == f"city == '{cell}'"


def test_the_cell_that_is_replaced_is_the_one_that_was_typed(read: Read) -> None:
    assert read("cities", "replace The Hague with The X")["values"] == [{"from": "The Hague", "to": "The X"}]


def test_a_symbol_is_a_part_of_the_cell_that_is_asked_for(read: Read) -> None:
    assert isinstance(read("cities", "delete rows where city is Hague😀"), NotUnderstoodError)


@pytest.mark.parametrize(
    "request_,arguments",
    [
        ("rename x to the_y", {"names": {"x": "the_y"}}),
        ("rename total_a to a_total", {"names": {"total_a": "a_total"}}),
        ("rename x to all_items", {"names": {"x": "all_items"}}),
        ("rename x to The Y", {"names": {"x": "The Y"}}),
        ("rename a to k", {"names": {"a": "k"}}),
        ("drop the column a", {"columns": ["a"]}),
        ("set a to 5 where a > 1", {"set": {"a": "5"}, "where": "a > 1"}),
        ("add a column q = a + 1", {"name": "q", "expression": "a + 1"}),
        ("add column an_item = total_a * 2", {"name": "an_item", "expression": "total_a * 2"}),
        ("add a total column equal to total_a * 2", {"name": "total", "expression": "total_a * 2"}),
    ],
)
def test_a_header_and_a_name_keep_what_looks_like_an_article(
    read: Read, request_: str, arguments: dict[str, Any]
) -> None:
    made = read("letters", request_)

    assert {name: made[name] for name in arguments} == arguments


def test_an_article_before_a_cell_may_be_a_part_of_the_value(read: Read) -> None:
    refusal = read("grades", "set grade to the B")

    assert [reading.interpretation for reading in refusal.readings] == [
        "edit: set grade = 'the B'",
        "edit: set grade = 'B'",
    ]


@pytest.mark.parametrize(
    "request_,arguments",
    [
        ("delete rows where id = 9007199254740993", {"where": "id == 9007199254740993"}),
        ("видали рядки, де id 12345678901234567", {"where": "id == 12345678901234567"}),
        ("set likes to 9007199254740993 where likes = 1", {"set": {"likes": "9007199254740993"}}),
        ("set likes to -9,007,199,254,740,993", {"set": {"likes": "-9007199254740993"}}),
        ("replace 9007199254740993 with 7 in id", {"values": [{"from": 9007199254740993, "to": 7}]}),
        ("increase likes by 9007199254740993", {"set": {"likes": "likes + 9007199254740993"}}),
        ("add column x = 9007199254740993", {"expression": "9007199254740993"}),
    ],
)
def test_a_long_whole_number_is_the_one_that_was_typed(
    read: Read, request_: str, arguments: dict[str, Any]
) -> None:
    made = read("posts", request_)

    assert {name: made[name] for name in arguments} == arguments


@pytest.mark.parametrize(
    "where,expected",
    [
        ("a-b > 1", '"a-b" > 1'),
        ("a b > 1", '"a b" > 1'),
        ('"a-b" is 2', '"a-b" == 2'),
        ('"a-b" > 1 and "a b" > 2', '"a-b" > 1 and "a b" > 2'),
        ('name is "ann"', "name == 'ann'"),
        ("name = 'Ann'", "name == 'Ann'"),
        ('name is "Ann" and a-b > 1', "(name == 'Ann') and (\"a-b\" > 1)"),
    ],
)
def test_of_columns_and_cells_of_the_same_words_the_one_is_meant_that_was_typed(
    read: Read, where: str, expected: str
) -> None:
    assert read("twins", f"delete rows where {where}")["where"] == expected


@pytest.mark.parametrize(
    "where,expected",
    [
        ("day > 11.03.2024", "day >= '2024-03-12'"),
        ("day > 2024-03-11", "day >= '2024-03-12'"),
        ("day >= 2024-03-11", "day >= '2024-03-11'"),
        ("day < 2024-03-11 and n > 1", "(n > 1) and (day < '2024-03-11')"),
        ("day <= 11.03.2024", "day < '2024-03-12'"),
        ("day != 2024-03-11", "day != '2024-03-11'"),
    ],
)
def test_a_date_is_compared_as_the_sign_before_it_says(read: Read, where: str, expected: str) -> None:
    assert read("dated", f"delete rows where {where}")["where"] == expected


@pytest.mark.parametrize("where", ["day > March 2024", "day not in March 2024", "day is not 11.03.2024"])
def test_no_sign_and_no_denial_before_a_time_is_passed_over(read: Read, where: str) -> None:
    assert isinstance(read("dated", f"delete rows where {where}"), NotUnderstoodError)


@pytest.mark.parametrize("where", ["a_b > 1", "a-b > 1 and a b > 2", "a-b > a b"])
def test_of_columns_of_the_same_words_none_is_guessed(read: Read, where: str) -> None:
    refusal = read("twins", f"delete rows where {where}")

    assert "is a b or a-b meant?" in refusal.message
    assert '"a b" > 0' in refusal.hint


def test_without_quotation_marks_all_cells_of_the_same_words_are_offered_too(read: Read) -> None:
    refusal = read("twins", "delete rows where name is ann")

    assert [reading.interpretation for reading in refusal.readings] == [
        "edit: delete rows where name = ann",
        "edit: delete rows where name is one of Ann, ann",
    ]


@pytest.mark.parametrize(
    "table,where,expected",
    [
        ("poles", "length > 50", "figure(length) * magnitude(length) > 50"),
        ("poles", "length is 20", "figure(length) * magnitude(length) == 20"),
        ("poles", 'length is "20 m"', "length == '20 m'"),
        ("poles", "length is missing", "length is null"),
        ("totals", '"id" is "Total"', "id == 'Total'"),
        ("totals", "id = 'Total'", "id == 'Total'"),
        ("totals", "id > 28", "figure(id) * magnitude(id) > 28"),
    ],
)
def test_a_condition_may_look_at_figures_with_units(
    read: Read, table: str, where: str, expected: str
) -> None:
    assert read(table, f"delete rows where {where}")["where"] == expected


@pytest.mark.parametrize("request_", ["round length", "increase length by 10%", "convert length to number"])
def test_how_to_get_the_numbers_of_figures_is_said_and_can_be_done(read: Read, request_: str) -> None:
    hint = str(read("poles", request_).hint)

    made = read("poles", hint.partition(": ")[2])
    assert (made["name"], made["expression"]) == ("length number", "figure(length) * magnitude(length)")


@pytest.mark.parametrize(
    "request_,offered",
    [
        ("delete row 5", "code = “5”"),
        ("delete rows 2 to 3", "qty from 2 to 3"),
        ("delete rows where qty = 3, 4 or 5", "qty = 3 and code is one of “4”, “5”"),
    ],
)
def test_numbers_of_no_column_that_is_named_are_offered(read: Read, request_: str, offered: str) -> None:
    refusal = read("codes", request_)

    assert [reading.interpretation for reading in refusal.readings] == [f"edit: delete rows where {offered}"]


@pytest.mark.parametrize(
    "request_", ["Rename grade to mark.", "can you rename grade to mark?", "rename grade to mark, please."]
)
def test_what_ends_a_sentence_is_no_part_of_a_name(read: Read, request_: str) -> None:
    assert read("grades", request_)["names"] == {"grade": "mark"}


@pytest.mark.parametrize("word,cell", [("yes", 1), ("true", 1), ("1", 1), ("no", 0), ("0", 0)])
def test_yes_is_1_among_ones_and_noughts(read: Read, word: str, cell: int) -> None:
    assert read("bills", f"set paid to {word} where city is Rome")["set"] == {"paid": f"{cell}"}


def test_unpaid_rows_are_those_with_a_nought(read: Read) -> None:
    assert read("bills", "delete unpaid bills")["where"] == "paid == 0"
