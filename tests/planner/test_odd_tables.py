"""Headers and tables as they stand on the web: units in brackets, abbreviations, totals as columns, flags of 0 and 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_TABLES = {
    "medals": "Rank,Nation,Gold,Silver,Total\n1,United States,46,37,83\n2,Great Britain,27,23,50\n3,China,26,18,44\n",
    "towers": "Name,Country,Height (m),Height (ft),Floors,Year completed\n"
    'Burj Khalifa,UAE,828,"2,717",163,2010\nShanghai Tower,China,632,"2,073",128,2015\n'
    'Ping An,China,599,"1,965",115,2017\nLotte,South Korea,555,"1,821",123,2017\n',
    "passengers": "PassengerId,Survived,Pclass,Sex,Age\n1,0,3,male,22\n2,1,1,female,38\n3,1,3,female,26\n4,0,3,male,35\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("odd")
    for name, text in _TABLES.items():
        (made / f"{name}.csv").write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize(
    "table,question,interpretation",
    [
        ("medals", "total gold", "sum of Gold"),
        ("medals", "gold of China", "Nation, Gold · Nation = China"),
        ("medals", "which nation has the highest total", "rows with the highest Total"),
        ("medals", "nations with more than 26 gold", "rows · Gold > 26"),
        ("towers", "average height in m", "mean of Height (m)"),
        ("towers", "how many towers were completed in 2017", "number of rows · period 2017"),
        ("towers", "total floors by country", "sum of Floors · by Country"),
        ("passengers", "how many passengers survived", "number of rows · Survived = 1"),
        ("passengers", "mean age of female passengers", "mean of Age · Sex = female"),
        ("passengers", "how many women survived", "number of rows · Sex = female · Survived = 1"),
        ("passengers", "percentage of passengers who survived", "percentage of number of rows where Survived = 1"),
    ],
)  # fmt: skip
def test_odd_headers_are_found(
    asker: Asker, folder: Path, table: str, question: str, interpretation: str
) -> None:
    assert asker.planner(folder / f"{table}.csv").plan(question).interpretation == interpretation


@pytest.mark.parametrize(
    "table,question",
    [
        ("medals", "number of medals for China"),
        ("medals", "best nation"),
        ("towers", "average height"),
        ("towers", "tallest tower"),
        ("passengers", "total rank"),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(
    asker: Asker, folder: Path, table: str, question: str
) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(folder / f"{table}.csv").plan(question)
