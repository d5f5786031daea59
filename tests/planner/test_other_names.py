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
    for name, text in _TABLES.items():
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
