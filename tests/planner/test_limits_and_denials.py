"""Small words that turn a filter round: `up to`, `from`, `not`, `no`, and the beginnings of `inactive`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_TABLES = {
    "members": "Order No.,member,is active,plan type,fee,nights,paid_on\n"
    "1001,Ann,yes,pro,10,3,2024-01-05\n1002,Bob,no,free,4,1,\n1003,Cid,yes,pro,12,2,2024-02-05\n"
    "1004,Dee,no,team,40,5,2024-02-09\n1005,Eve,yes,free,4,4,\n1006,Fay,yes,free,4,4,\n",
    "kvartyry": "Адреса,Кімнат,Ціна грн,Активне\nСадова 1,1,8500,так\nСадова 2,2,12000,ні\n"
    "Франка 3,3,15500,так\nФранка 4,2,21000,так\nФранка 5,2,21000,ні\n",
    "serial": "Season,Episodes,Viewers\n1,13,9.4\n2,22,10.3\n3,24,8.9\n4,24,7.9\n5,12,6.1\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("limits")
    for name, text in _TABLES.items():
        (made / f"{name}.csv").write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize(
    "table,question,interpretation",
    [
        ("members", "how many where is active is no", "number of rows · not is active"),
        ("members", "how many where is active is yes", "number of rows · is active"),
        ("members", "how many inactive", "number of rows · not is active"),
        ("members", "how many members with a fee up to 10", "number of rows · fee ≤ 10"),
        ("members", "how many rows with fee from 10", "number of rows · fee ≥ 10"),
        ("members", "number of nights by plan type", "sum of nights · by plan type"),
        ("members", "how many rows are not paid yet", "number of rows · paid_on is missing"),
        ("kvartyry", "скільки рядків з ціною до 12000", "кількість рядків · Ціна грн ≤ 12000"),
        ("kvartyry", "скільки рядків від 12000 грн", "кількість рядків · Ціна грн ≥ 12000"),
        ("kvartyry", "скільки рядків до 2 кімнат", "кількість рядків · Кімнат ≤ 2"),
        ("kvartyry", "скільки неактивних", "кількість рядків · не «Активне»"),
        ("serial", "total number of episodes", "sum of Episodes"),
        ("serial", "seasons with fewer than 13 episodes", "rows · Episodes < 13"),
    ],
)  # fmt: skip
def test_small_words_are_heard(
    asker: Asker, folder: Path, table: str, question: str, interpretation: str
) -> None:
    assert asker.planner(folder / f"{table}.csv").plan(question).interpretation == interpretation


@pytest.mark.parametrize(
    "table,question",
    [("serial", "total season"), ("members", "how many active plans"), ("members", "average order number")],
)
def test_numbers_of_rows_and_parts_of_names_are_not_computed_with(
    asker: Asker, folder: Path, table: str, question: str
) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(folder / f"{table}.csv").plan(question)
