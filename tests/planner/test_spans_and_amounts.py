"""Lengths of time in other units than a column's, mass nouns, bare noun phrases, and what is said of text columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_CALLS = "call_id,agent,duration_sec,wait_min,result\n1,Ann,700,2,sold\n2,Bob,90,8,lost\n3,Ann,650,1,lost\n"
_TABLES = {
    "calls": _CALLS,
    "timings": "call_id,agent,duration_sec\n1,Ann,700\n2,Bob,90\n",
    "продажи": "Дата,Товар,Количество,Цена\n2024-01-01,Гречка,2,100\n2024-01-02,Кофе,1,300\n2024-01-02,Гречка,5,100\n",
    "firms": 'Rank,Company,Revenue,Founded\n1,Alfa,$2.8bn,1990\n2,Beta,"~450m",2001\n3,Gamma,$1.1bn[a],1975\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("spans")
    for name, text in _TABLES.items():
        (made / f"{name}.csv").write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize(
    "table,question,interpretation",
    [
        ("calls", "calls with duration over 10 minutes", "rows · duration_sec > 600"),
        ("calls", "how many calls have a wait under 90 seconds", "number of rows · wait_min < 1.5"),
        ("calls", "calls with duration between 1 and 2 minutes", "rows · duration_sec 60–120"),
        ("calls", "how many calls with duration over 0.5 hours", "number of rows · duration_sec > 1800"),
        ("calls", "звонки с duration больше 10 минут", "строки · duration_sec > 600"),
        ("timings", "calls over 10 minutes", "rows · duration_sec > 600"),
        ("calls", "calls where result is lost", "rows · result = lost"),
        ("продажи", "сколько товара продали", "сумма «Количество»"),
        ("продажи", "сколько гречки продано", "сумма «Количество» · Товар = Гречка"),
        ("продажи", "сколько разных товаров", "разные «Товар»"),
    ],
)  # fmt: skip
def test_amounts_and_lengths_of_time_are_brought_to_the_column(
    asker: Asker, folder: Path, table: str, question: str, interpretation: str
) -> None:
    assert asker.planner(folder / f"{table}.csv").plan(question).interpretation == interpretation


@pytest.mark.parametrize(
    "question", ["calls over 10 minutes", "calls over 10 minutes by agent", "agents with over 3 weeks"]
)
def test_a_length_of_time_that_two_columns_could_hold_is_refused(
    asker: Asker, folder: Path, question: str
) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(folder / "calls.csv").plan(question)


@pytest.mark.parametrize(
    "question", ["average revenue", "total revenue", "top 3 by revenue", "highest revenue"]
)
def test_a_column_of_figures_with_marks_is_named_with_an_example(
    asker: Asker, folder: Path, question: str
) -> None:
    with pytest.raises(NotUnderstoodError, match=r"Revenue is kept as text, such as “.*”") as refusal:
        asker.planner(folder / "firms.csv").plan(question)

    assert "earlier question" not in refusal.value.message
