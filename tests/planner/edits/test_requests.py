"""Requests to change a table are read as the edit that was asked for, or refused; questions never are edits."""

import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabchat import planner
from tabchat.engine.edits.versions import edit_for, edit_version
from tabchat.errors import NotUnderstoodError, PlanError
from tabchat.planner.edits import EditReader, is_edit
from tabchat.planner.edits.heads import refuse_edit
from tests.planner.asking import Asker
from tests.planner.gold import DATA, EXAMPLES, TABLES

Readers = Callable[[str], EditReader]

_HERE = Path(__file__).parent
_REFUSED = "refused"
_UNCERTAIN = {
    "видали співробітників з Києва",
    "видали рядки за 2022 рік",
    "удали списания",
    "удали строки, где линия остановлена",
    "установи статус закрыт для договоров из Пскова",
}
"""Everyday requests that may be refused, or of which several readings are offered, although people would know."""
_WRONG = {"убери договоры дешевле 200"}
"""Everyday requests that are read, although one may well ask what is meant."""


def _cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _HERE.joinpath(name).read_text(encoding="utf-8").splitlines()]


_CASES = _cases("requests.jsonl")
_EVERYDAY = _cases("everyday.jsonl")


def _outcome(reader: EditReader, request: str) -> Any:
    try:
        reading = reader.read(request)
    except NotUnderstoodError:
        return _REFUSED
    if reading is None:
        return None
    arguments = {name: value for name, value in reading.call.arguments.items() if name != "table"}
    return arguments if reading.call.name == "edit_table" else reading.call.name


def _applied(asker: Asker, file: str, arguments: dict[str, Any]) -> Any:
    """Return the table that an edit makes: names, kinds and rows; why it makes none."""
    path = EXAMPLES / file if (EXAMPLES / file).exists() else TABLES / file
    table = asker.tables[path]
    try:
        edit = edit_for(arguments, table.schema)
        made = edit_version(asker.engine, asker.cache, table, edit).after
    except PlanError as error:
        return "nothing changes" if "Nothing changes" in str(error) else str(error)
    return [(column.name, column.kind) for column in made.schema], asker.engine.rows(made.scan.copy())


def _is_same_edit(asker: Asker, case: dict[str, Any], read: Any) -> bool:
    """Tell whether what was read is what was expected, or in other words makes the very table that it makes."""
    expected = case["expected"]
    if read == expected or not isinstance(read, dict) or not isinstance(expected, dict):
        return bool(read == expected)
    return bool(_applied(asker, case["file"], read) == _applied(asker, case["file"], expected))


@pytest.mark.parametrize("case", _CASES, ids=[case["request"] for case in _CASES])
def test_a_request_makes_the_edit_that_it_asks_for(
    reader_of: Readers, asker: Asker, case: dict[str, Any]
) -> None:
    read = _outcome(reader_of(case["file"]), case["request"])
    assert _is_same_edit(asker, case, read), read


@pytest.mark.parametrize("case", _EVERYDAY, ids=[case["request"] for case in _EVERYDAY])
def test_an_everyday_request_makes_its_edit_or_none(
    reader_of: Readers, asker: Asker, case: dict[str, Any]
) -> None:
    read = _outcome(reader_of(case["file"]), case["request"])
    if case["request"] in _UNCERTAIN and read == _REFUSED:
        return
    if case["request"] not in _WRONG or (isinstance(read, dict) and isinstance(case["expected"], dict)):
        assert _is_same_edit(asker, case, read), read


def test_no_query_runs_while_a_request_is_read(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = EditReader(facts=asker.open(EXAMPLES / "sales.csv"))

    def refused(*_: object, **__: object) -> None:
        pytest.fail("a query ran")

    monkeypatch.setattr(type(asker.engine), "rows", refused)
    monkeypatch.setattr(type(asker.engine), "execute", refused, raising=False)

    assert reader.read("delete orders from Germany where the discount is missing") is not None


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
    path = Path(planner.__file__).parent / "shortcuts" / "catalogue.toml"

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
        ("delete rows where region is Nowhere", ("Nowhere",)),
        ("remove the rows for children", ("children",)),
        ("видали рядки, де region Ніде", ("Ніде",)),
        ("удали строки, где region Нигде", ("Нигде",)),
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
    offered = [reading.interpretation for reading in refusal.value.readings]
    assert offered == ["edit: delete columns limit_low", "edit: delete columns limit_high"]
    chosen = reader.read(offered[1])
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
        ("fill missing values with 0", ("edit: fill missing discount with 0",)),
        (
            "combine region and country into place",
            (
                "edit: add column place = concat(region, ' ', country)",
                "edit: add column place = concat(region, country)",
            ),
        ),
    ],
)
def test_what_may_be_meant_in_two_ways_is_not_chosen_between(
    reader_of: Readers, request_: str, readings: tuple[str, ...]
) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        reader_of("sales.csv").read(request_)

    assert tuple(reading.interpretation for reading in refusal.value.readings) == readings


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


def test_a_condition_on_the_mean_of_all_rows_is_named(reader_of: Readers) -> None:
    with pytest.raises(NotUnderstoodError, match="not at the mean of revenue") as refusal:
        reader_of("sales.csv").read("delete rows where revenue is above the average")

    assert "average revenue" in str(refusal.value.hint)


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


def test_a_question_that_asks_for_an_edit_is_sent_to_where_edits_are_made() -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        refuse_edit("change channel from online to web")

    assert refusal.value.words == ("change",)
    assert "tabchat edit" in (refusal.value.hint or "")
    refuse_edit("total revenue by channel")


def test_a_text_in_quotes_is_a_cell_of_a_column_with_too_many_to_list(asker: Asker) -> None:
    facts = asker.open(EXAMPLES / "sales.csv")
    columns = tuple(
        replace(column, complete=False, texts=column.texts[:2]) if column.name == "customer" else column
        for column in facts.columns
    )
    reading = EditReader(replace(facts, columns=columns)).read("delete orders where customer is 'Nobody Ltd'")

    assert reading is not None
    assert reading.call.arguments["where"] == "customer == 'Nobody Ltd'"


def test_a_long_text_is_no_request(reader_of: Readers) -> None:
    with pytest.raises(NotUnderstoodError, match="longer than 600"):
        reader_of("sales.csv").read("delete rows " * 100)


@pytest.mark.parametrize(
    "request_,said",
    [
        ("drop column a_2", "edit: delete columns a_2"),
        ("drop columns a_2 and col_1", "edit: delete columns a_2, col_1"),
        ("add column total = a_2 + col_1", "edit: add column total = a_2 + col_1"),
        ("set a_2 to 5 where col_1 > 7", "edit: set a_2 = 5 where col_1 > 7"),
        ("rename COL_1 to z_9", "edit: rename col_1 → z_9"),
        ("delete rows where a_2 is 4", "edit: delete rows where a_2 = 4"),
    ],
)
def test_a_header_that_is_spelt_as_in_the_file_is_its_column(
    asker: Asker, tmp_path_factory: pytest.TempPathFactory, request_: str, said: str
) -> None:
    path = tmp_path_factory.mktemp("literal") / "codes.csv"
    path.write_text("a_2,col,col_1,in_Total,Top_3\n1,5,7,2,9\n4,6,8,3,9\n", encoding="utf-8")

    reading = EditReader(asker.open(path)).read(request_)

    assert reading is not None
    assert reading.interpretation == said
