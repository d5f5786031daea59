"""Requests to change a table are read as the edit that was asked for, or refused; questions never are edits."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tabchat.engine.edits.versions import edit_for
from tabchat.errors import NotUnderstoodError
from tabchat.planner.edits import is_edit, read_edit
from tabchat.planner.shortcuts import catalogue
from tests.planner.gold import DATA, EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.planner.edits import EditReader
    from tests.planner.asking import Asker

    Readers = Callable[[str], EditReader]

_HERE = Path(__file__).parent
_CASES = [
    json.loads(line) for line in _HERE.joinpath("requests.jsonl").read_text(encoding="utf-8").splitlines()
]
_REFUSED = "refused"


def _outcome(reader: EditReader, request: str) -> Any:
    try:
        reading = reader.read(request)
    except NotUnderstoodError:
        return _REFUSED
    if reading is None:
        return None
    arguments = {name: value for name, value in reading.call.arguments.items() if name != "table"}
    return arguments if reading.call.name == "edit_table" else reading.call.name


@pytest.mark.parametrize("case", _CASES, ids=[case["request"] for case in _CASES])
def test_a_request_is_read_as_the_edit_that_it_asks_for(reader_of: Readers, case: dict[str, Any]) -> None:
    assert _outcome(reader_of(case["file"]), case["request"]) == case["expected"]


def test_the_engine_takes_every_edit_that_is_read(reader_of: Readers, asker: Asker) -> None:
    for case in _CASES:
        if isinstance(case["expected"], dict):
            reader_of(case["file"])
            edit_for(case["expected"], asker.tables[case["file"]].schema)


@pytest.mark.parametrize("file", ["dev.jsonl", "public.jsonl", "shortcuts.jsonl", "follow_ups.jsonl"])
def test_no_question_of_the_project_is_an_edit(reader_of: Readers, file: str) -> None:
    asked = [question for question in _questions(file) if is_edit(question)]
    read = [question for question in asked if _outcome(reader_of("sales.csv"), question) != _REFUSED]

    assert read == []
    # What begins with a verb of edits there is what the questions list as not to be answered.
    assert {question.split()[0] for question in asked} <= {"delete", "remove", "видали", "удали"}


def _questions(file: str) -> Iterator[str]:
    for line in DATA.joinpath(file).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        turns = record.get("turns", [record])
        yield from (turn["question"] for turn in turns)


def test_no_question_about_changes_or_with_a_verb_for_a_noun_is_an_edit() -> None:
    questions = _HERE.joinpath("not_edits.txt").read_text(encoding="utf-8").splitlines()

    assert [question for question in questions if is_edit(question)] == []
    assert len(questions) > 100


def test_no_shortcut_begins_as_an_edit() -> None:
    path = Path(catalogue.__file__).with_suffix(".toml")

    assert [text for text in _texts(tomllib.loads(path.read_text(encoding="utf-8"))) if is_edit(text)] == []


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield from (part for part in data.replace("\n", ", ").split(", ") if " " in part)
    elif isinstance(data, dict):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)


@pytest.mark.parametrize(
    "request_,words",
    [
        ("delete rows where profit < 0", ("profit",)),
        ("drop column profit", ("profit",)),
        ("видали стовпець прибуток", ("прибуток",)),
        ("удали строки, где прибыль меньше 0", ("прибыль",)),
    ],
)
def test_unknown_words_of_an_edit_are_named(
    reader_of: Readers, request_: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        reader_of("sales.csv").read(request_)

    assert refusal.value.words == words


@pytest.mark.parametrize(
    "file,request_,nearest",
    [
        ("sales.csv", "replace Germny with DE in country", "Germany"),
        ("sales.csv", "change channel from 'onlin' to 'web'", "online"),
        ("employees_ru.csv", "замени «Масква» на «Moscow» в городе", "Москва"),
    ],
)
def test_a_cell_that_is_not_there_is_not_replaced(
    reader_of: Readers, file: str, request_: str, nearest: str
) -> None:
    with pytest.raises(NotUnderstoodError, match="there is no cell") as refusal:
        reader_of(file).read(request_)

    assert nearest in (refusal.value.hint or "")


def test_several_columns_that_fit_are_listed_and_each_can_be_chosen(reader_of: Readers) -> None:
    reader = reader_of("stations.csv")
    with pytest.raises(NotUnderstoodError) as refusal:
        reader.read("drop column limit")

    assert refusal.value.code == "ambiguous"
    assert refusal.value.readings == (
        "edit: delete columns limit_low",
        "edit: delete columns limit_high",
    )
    chosen = reader.read(refusal.value.readings[1])
    assert chosen is not None
    assert chosen.call.arguments == {
        "table": "stations",
        "operation": "drop_columns",
        "columns": ["limit_high"],
    }


@pytest.mark.parametrize(
    "request_,readings",
    [
        ("change channel to way", ("edit: rename channel → way", "edit: set channel = 'way'")),
        ("remove order column", ("edit: delete columns order_id", "edit: delete columns order_date")),
    ],
)
def test_what_may_be_meant_in_two_ways_is_not_chosen_between(
    reader_of: Readers, request_: str, readings: tuple[str, ...]
) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        reader_of("sales.csv").read(request_)

    assert refusal.value.readings == readings


@pytest.mark.parametrize(
    "request_",
    [
        "fill country with region",
        "delete rows where revenue",
        "delete orders from Germany and online orders",
        "remove discount from orders",
        "remove Germany from country",
        "delete rows where revenue < 10 then drop column discount",
        "drop column revenue and add column x = 1",
        "delete orders where revenue is less than average",
        "remove returned",
        "delete Germany",
        "delete all rows",
        "fill missing values with 0",
        "rename revenue to Revenue in USD",
        "set quantity to ten percent",
    ],
)
def test_half_an_edit_is_not_made(reader_of: Readers, request_: str) -> None:
    with pytest.raises(NotUnderstoodError):
        reader_of("sales.csv").read(request_)


@pytest.mark.parametrize(
    "file,request_,said",
    [
        ("sales.csv", "delete rows where region is Asia", "edit: delete rows where region = Asia"),
        (
            "sales.csv",
            "increase prices by 10% for Germany",
            "edit: set unit_price = unit_price * 1.1 where country = Germany",
        ),
        (
            "tovary_ua.csv",
            "видали рядки, де постачальник порожній",
            "правка: видалити рядки, де «Постачальник» порожнє",
        ),
        (
            "employees_ru.csv",
            "заполни пропуски в возрасте медианой",
            "правка: заполнить пустые Возраст: медиана",
        ),
        ("employees_ru.csv", "округли зарплату", 'правка: установить Зарплата = round("Зарплата")'),
    ],
)  # fmt: skip
def test_an_edit_is_read_back_in_the_language_of_the_request(
    reader_of: Readers, file: str, request_: str, said: str
) -> None:
    reading = reader_of(file).read(request_)

    assert reading is not None
    assert reading.interpretation == said


def test_a_question_that_asks_for_an_edit_is_sent_to_where_edits_are_made(asker: Asker) -> None:
    planner = asker.planner(EXAMPLES / "sales.csv")
    with pytest.raises(NotUnderstoodError) as refusal:
        planner.plan("change channel from online to web")

    assert refusal.value.words == ("change",)
    assert "tabchat edit" in (refusal.value.hint or "")


def test_one_request_can_be_read_without_keeping_a_reader(asker: Asker) -> None:
    (table,) = asker.planner(EXAMPLES / "sales.csv").tables.values()
    reading = read_edit("rename channel to way", table=table)

    assert reading is not None
    assert reading.call.arguments["names"] == {"channel": "way"}
    assert read_edit("total revenue by region", table=table) is None


def test_a_long_text_is_no_request(reader_of: Readers) -> None:
    with pytest.raises(NotUnderstoodError, match="longer than 600"):
        reader_of("sales.csv").read("delete rows " * 100)
