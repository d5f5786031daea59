"""Headers that spell Cyrillic words in Latin letters are read as these words, and rates as what their header says they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tabchat.engine.facts.records import ColumnFacts, TableFacts
from tabchat.engine.types import ColumnKind
from tabchat.planner.links.foreign import spelled_words
from tabchat.planner.wording.reading import read_as
from tabchat.planner.words import shipped_languages
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.planner.asking import Asker

TABLES: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "zapchastyny": (
        "NAZVA,GRUPA,VYROBNYK,ZALYSHOK,ZAKUP_GRN,PRODAZH_GRN,POLYTSIA",
        [
            f"Деталь {n},{('гальма', 'фільтри', 'двигун')[n % 3]},{('Bosch', 'TRW')[n % 2]},{n * 7 % 13},{100 + n * 17 % 43},{150 + n * 19 % 71},A-{n % 9}"
            for n in range(60)
        ],
    ),
    "kadry": (
        "fio,otdel,dolzhnost,oklad,data_priema,data_uvoln",
        [
            f"Иванов{n} Иван,{('Склад', 'Продажи')[n % 2]},{('кладовщик', 'менеджер')[n % 2]},{50_000 + n * 37 % 41 * 100},"
            f"201{n % 9}-0{1 + n % 6}-1{n % 9},{f'2021-0{1 + n % 8}-11' if n % 4 == 0 else ''}"
            for n in range(60)
        ],
    ),
    "licences": (
        "Software,Dept,Seats,Cost p.a.,Purchased,Status",
        [
            f"App {n},{('Sales', 'Finance')[n % 2]},{1 + n % 9},{100 + n * 7},202{n % 4}-0{1 + n % 6}-1{n % 9},{('ACTIVE', 'EXPIRED')[n % 3 == 0]}"
            for n in range(60)
        ],
    ),
    "tools": (
        "Item,Day rate,Deposit,Date out",
        [f"Tool {n},{10 + n * 3 % 50},{100 + n},2024-0{1 + n % 6}-1{n % 9}" for n in range(60)],
    ),
}


def facts_of(headers: Sequence[str]) -> TableFacts:
    columns = tuple(ColumnFacts(name=name, kind=ColumnKind.TEXT) for name in headers)
    return TableFacts(name="t", row_count=None, columns=columns)


def read(asker: Asker, folder: Path, table: str, question: str) -> tuple[str, bool]:
    path = table_of(folder, table, *TABLES[table])
    facts = asker.interpreter(path).facts
    found, certain, _ = asker.read(path, question)
    return read_as(found[0].intent, facts, "en"), certain


@pytest.mark.parametrize(
    "headers, language, expected",
    [
        (("NAZVA", "ZALYSHOK", "PRODAZH_GRN"), "uk", {"nazva": "назва", "zalyshok": "залишок", "grn": "грн"}),
        (("fio", "otdel", "data_uvoln"), "ru", {"data": "дата", "uvoln": "увольнение", "otdel": "отдел"}),
        (("ZAKUP_GRN", "NAZVA"), "uk", {"zakup": "закупівля"}),
    ],
)
def test_latin_letters_are_heard_as_words(
    headers: Sequence[str], language: str, expected: dict[str, str]
) -> None:
    languages = shipped_languages()
    found = spelled_words(facts_of(headers), languages, [languages.load(language)])
    assert found.items() >= expected.items()


@pytest.mark.parametrize(
    "headers",
    [
        ("Plate", "Total", "Rate"),
        ("Дата", "Сума", "nazva"),
        ("order_id", "otdel", "revenue"),
        ("POL", "ETD", "ATA", "Vessel"),
        # A word or two of a third language is heard in ours as well.
        ("Kunde", "Menge", "Datum", "Preis", "Lieferung", "Summe"),
    ],
)
def test_english_headers_and_those_of_a_cyrillic_table_stay(headers: Sequence[str]) -> None:
    languages = shipped_languages()
    lexicons = [languages.load("uk"), languages.load("ru")]
    assert spelled_words(facts_of(headers), languages, lexicons) == {}
    assert spelled_words(facts_of(("NAZVA", "ZALYSHOK")), languages, [languages.load("en")]) == {}


@pytest.mark.parametrize(
    "table, question, reading",
    [
        (
            "zapchastyny",
            "5 найдорожчих запчастин за ціною продажу",
            "NAZVA, PRODAZH_GRN of the rows · top 5 by PRODAZH_GRN",
        ),
        ("zapchastyny", "середня закупівельна ціна гальм", "mean of ZAKUP_GRN · GRUPA = гальма"),
        (
            "zapchastyny",
            "середня ціна продажу по виробниках",
            "mean of PRODAZH_GRN · by VYROBNYK",
        ),
        ("kadry", "средний оклад по отделам", "mean of oklad · by otdel"),
        (
            "licences",
            "active licences: yearly cost per department",
            "sum of Cost p.a. · by Dept · Status = ACTIVE",
        ),
        ("licences", "total cost per year of the active licences", "sum of Cost p.a. · Status = ACTIVE"),
    ],
)
def test_what_a_header_says_is_asked_for_in_words(
    asker: Asker, tmp_path: Path, table: str, question: str, reading: str
) -> None:
    assert read(asker, tmp_path, table, question) == (reading, True)


@pytest.mark.parametrize(
    "table, question",
    [
        # Who left works no more, however many other dates there are.
        ("kadry", "у кого из работающих самый высокий оклад"),
        ("tools", "what does Tool 7 cost per day"),
    ],
)
def test_what_would_be_taken_for_another_is_offered(
    asker: Asker, tmp_path: Path, table: str, question: str
) -> None:
    reading, certain = read(asker, tmp_path, table, question)
    assert not certain or "Day rate" in reading


def test_a_goods_received_note_is_no_currency(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},PO{n % 9},{7000 + n * 17 % 90},{10 + n}" for n in range(40)]
    path = table_of(tmp_path, "deliveries", "line,order,po_grn,qty", rows)
    facts = asker.open(path).column("po_grn")
    assert facts is not None
    assert facts.unit is None


def test_years_that_are_asked_for_are_years(asker: Asker, tmp_path: Path) -> None:
    reading, _ = read(asker, tmp_path, "licences", "cost by year of purchase")
    assert "by year" in reading or "by Purchased" in reading
