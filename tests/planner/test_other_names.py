"""Decades, other words for cells, names of rows in their labels and in Latin letters, and headers cut off by a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError
from tabchat.planner.romanized import names_in_latin

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_TABLES = {
    "coasters": "Name,Country,Year,Inv.,Height (m),Result\n"
    "Hawk,United Kingdom,1991,0,30,Won\nComet,United States,1999,3,40,Lost\nViper,Japan,2003,0,50,Won\n"
    "Titan,Japan,1987,5,60,Lost\nFury,Germany,1995,1,70,Won\n",
    "zamki": "Назва,Рік,Площа\nОлеський замок,1485,2.5\nЗолочівський замок,1634,3.5\nСвірзький замок,1530,1.5\n"
    "Паланок,1540,7.5\nЛуцький замок,1340,4.5\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("names")
    for name, text in (*_TABLES.items(), ("log_of_readings", _READINGS)):
        (made / f"{name}.csv").write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize(
    "table,question,interpretation",
    [
        ("coasters", "how many coasters in the 1990s", "number of rows · period 1990–1999"),
        ("coasters", "coasters from the 90s", "rows · period 1990–1999"),
        ("coasters", "number of coasters by decade", "number of rows · by decade"),
        ("coasters", "british coasters", "rows · Country = United Kingdom"),
        ("coasters", "how many coasters in the US", "number of rows · Country = United States"),
        ("coasters", "wins by country", "number of rows · by Country · Result = Won"),
        ("coasters", "how many coasters have no inversions", "number of rows · Inv. = 0"),
        ("coasters", "coasters over 45 m tall", "rows · Height (m) > 45"),
        ("zamki", "скільки замків", "кількість рядків"),
        ("zamki", "скільки замків у 1530-х", "кількість рядків · період 1530–1539"),
    ],
)
def test_words_find_what_they_mean(
    asker: Asker, folder: Path, table: str, question: str, interpretation: str
) -> None:
    assert asker.planner(folder / f"{table}.csv").plan(question).interpretation == interpretation


@pytest.mark.parametrize(
    "question", ["how many french coasters", "coasters from the 20s", "how many coasters show us"]
)
def test_what_no_cell_holds_is_not_understood(asker: Asker, folder: Path, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(folder / "coasters.csv").plan(question)


@pytest.mark.parametrize(
    "stem,name,fits",
    [("замк", "zamky", True), ("рек", "reki", True), ("озер", "ozera", True), ("рек", "rekord", False), ("ліс", "zamky", False)],
)  # fmt: skip
def test_a_file_in_latin_letters_names_its_rows(stem: str, name: str, *, fits: bool) -> None:
    assert names_in_latin([stem], [name]) is fits


_READINGS = (
    "timestamp,node,T_air (°C),RH (%),Soil moist.,Battery,Pb (µg/L),Commissioned,Chimney height\n"
    "2024-05-01 10:00,A,20.5,60,30.0%,3.2 V,0.5,1970,50 m\n2024-05-01 11:00,B,21.5,70,40.0%,3.4 V,1.5,1985,70 m\n"
    "2024-05-02 10:00,A,22.5,95,50.0%,3.6 V,2.5,1990,90 m\n"
)


@pytest.mark.parametrize(
    "question,interpretation",
    [
        ("mean air temp by node", "mean of T_air (°C) · by node"),
        ("highest temperature", "maximum of T_air (°C)"),
        ("average soil moisture", "mean of Soil moist."),
        ("lowest battery voltage", "minimum of Battery · Battery as numbers"),
        ("max lead concentration", "maximum of Pb (µg/L)"),
        ("how many readings with humidity above 90%", "number of rows · RH (%) > 90"),
        ("humidity above 90%", "rows · RH (%) > 90"),
        ("how many were commissioned in the 1980s", "number of rows · period 1980–1989"),
    ],
)
def test_symbols_units_and_neighbours_name_one_column(
    asker: Asker, folder: Path, question: str, interpretation: str
) -> None:
    path = folder / "log_of_readings.csv"

    assert asker.planner(path).plan(question).interpretation == interpretation


def test_what_cannot_be_added_up_is_not(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "log_of_sums.csv"
    path.write_text(_READINGS, encoding="utf-8")

    with pytest.raises(NotUnderstoodError):
        asker.planner(path).plan("node with the lowest battery")


def test_a_year_is_not_that_of_another_event(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "list_of_books.csv"
    path.write_text("Book,First published,Sales\nA,1990,5\nB,2001,7\nC,2010,9\n", encoding="utf-8")
    planner = asker.planner(path)

    assert planner.plan("books published after 2000").interpretation == "rows · period after 2000"
    with pytest.raises(NotUnderstoodError):
        planner.plan("books sold in 2010")
