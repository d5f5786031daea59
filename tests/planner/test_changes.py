"""What changes over time, and what is compared with what: moving figures, growth, sides; each as it is said, or offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_ROWS = (
    *("2023-12-30,N,paid,Ann,10,1", "2024-01-05,N,open,Ann,20,2", "2024-01-09,S,paid,Bob,50,5"),
    *("2024-02-03,S,open,Cid,30,1", "2024-02-10,N,paid,Bob,5,4", "2024-04-02,N,paid,Cid,40,9"),
    "2024-04-03,S,open,Ann,60,1",
)


@pytest.fixture
def days(tmp_path: Path) -> Path:
    """Return a table of one number a day, each twice the one before."""
    return table_of(tmp_path, "daybook", "day,v", [f"2024-01-0{n},{2 ** (n - 1)}" for n in range(1, 10)])


@pytest.fixture
def takings(tmp_path: Path) -> Path:
    return table_of(tmp_path, "takings", "day,region,status,customer,revenue,qty", _ROWS)


def _answer(asker: Asker, path: Path, question: str) -> list[tuple[Any, ...]]:
    """Return the rows of an answer, which is certain."""
    found = asker.interpreter(path).read(question)
    assert found.certain, found.candidates[:1]
    return [*asker.answer(path, asker.call(path, found.candidates[0].intent)).rows]


@pytest.mark.parametrize(
    "question, last",
    [
        ("3 day moving average of v", 448 / 3),
        ("5-day moving average of v", 99.2),
        ("moving average of v over 3 days", 448 / 3),
        ("3 day rolling sum of v", 448),
        ("rolling 4 day total of v", 480),
        ("скользящее среднее v за 5 дней", 99.2),
        ("скользящая сумма v за 3 дня", 448),
        ("ковзне середнє v за 3 дні", 448 / 3),
        ("3-денне ковзне середнє v", 448 / 3),
        ("ковзна сума v за 4 дні", 480),
    ],
)
def test_a_moving_figure_is_of_as_many_as_are_said(
    asker: Asker, days: Path, question: str, last: float
) -> None:
    assert _answer(asker, days, question)[-1][-1] == pytest.approx(last)


@pytest.mark.parametrize(
    "question",
    [
        "moving average of v",
        "rolling sum of v",
        "скользящая сумма v",
        "rolling average of v over the last 4 days",
    ],
)
def test_a_moving_figure_of_nobody_says_how_many_is_offered(asker: Asker, days: Path, question: str) -> None:
    assert not asker.interpreter(days).read(question).certain


@pytest.mark.parametrize(
    "question",
    [
        "3 month moving average of revenue",
        "rolling maximum of revenue by month",
        "cumulative average of revenue by month",
        "cumulative median of revenue by month",
        "накопительное среднее revenue по месяцам",
        "накопичувальне середнє revenue за місяцями",
    ],
)
def test_means_are_not_added_up_nor_averaged_without_a_doubt(
    asker: Asker, takings: Path, question: str
) -> None:
    assert not asker.interpreter(takings).read(question).certain


@pytest.mark.parametrize(
    "question, figure",
    [
        ("by what percent is S revenue higher than N", 260 / 3),
        ("how many percent more revenue does N have than S", -325 / 7),
        ("на сколько процентов revenue у S выше, чем у N", 260 / 3),
        ("на скільки відсотків revenue S більше ніж N", 260 / 3),
        ("by what percent was revenue higher in 2024 than in 2023", 1950),
        ("by what percent was revenue lower in 2023 than in 2024", -3900 / 41),
        ("by what percent did revenue grow from 2023 to 2024", 1950),
        ("by what percent did total revenue change from 2023 to 2024", 1950),
        ("percent change in revenue from 2023 to 2024", 1950),
        ("percentage growth in revenue from 2023 to 2024", 1950),
        ("revenue change from 2023 to 2024", 195),
        ("did revenue grow from 2023 to 2024", 195),
        ("ratio of 2024 to 2023 revenue", 20.5),
        ("ratio of 2023 to 2024 revenue", 2 / 41),
        ("ratio of S to N revenue", 28 / 15),
        ("by how much was revenue higher in 2024 than in 2023", 195),
        ("revenue on the last day", 60),
        ("revenue за последний день", 60),
        ("revenue за останній день", 60),
        ("revenue yesterday", 40),
    ],
)
def test_sides_are_compared_and_days_are_counted_as_they_are_said(
    asker: Asker, takings: Path, question: str, figure: float
) -> None:
    assert _answer(asker, takings, question)[-1][-1] == pytest.approx(figure)


@pytest.mark.parametrize("question", ["revenue on the first and last day", "відношення revenue 2024 до 2023"])
def test_one_end_of_two_and_all_until_a_time_are_offered(asker: Asker, takings: Path, question: str) -> None:
    assert not asker.interpreter(takings).read(question).certain


@pytest.mark.parametrize(
    "question, rows",
    [
        ("biggest drop in revenue month over month", [("2024-02", 35, -50)]),
        ("highest growth of revenue by month", [("2024-01", 70, 600)]),
        ("maximum monthly growth of revenue", [("2024-01", 70, 600)]),
        ("which month had the highest growth of revenue", [("2024-01", 70, 600)]),
        ("самый большой рост revenue по месяцам", [("2024-01", 70, 600)]),
        ("самое большое падение revenue по месяцам", [("2024-02", 35, -35)]),
        ("найбільше зростання revenue за місяцями", [("2024-01", 70, 600)]),
        ("найбільше падіння revenue за місяцями", [("2024-02", 35, -35)]),
        (
            "revenue growth by month",
            [("2023-12", 10, None), ("2024-01", 70, 600), ("2024-02", 35, -50), ("2024-04", 100, None)],
        ),
        ("revenue growth by year", [("2023", 10, None), ("2024", 205, 1950)]),
    ],
)
def test_growth_is_ranked_and_is_that_since_the_unit_before(
    asker: Asker, takings: Path, question: str, rows: list[tuple[Any, ...]]
) -> None:
    found = [(str(key), *rest) for key, *rest in _answer(asker, takings, question)]

    assert found == [(key, *map(pytest.approx, rest)) for key, *rest in rows]


def test_growth_keeps_groups_apart(asker: Asker, takings: Path) -> None:
    assert ("2024-02", "S", 30, pytest.approx(-40)) in _answer(
        asker, takings, "monthly revenue growth by region"
    )


@pytest.mark.parametrize(
    "question",
    [
        "average monthly growth of revenue",
        "average revenue growth by month",
        "средний рост revenue по месяцам",
    ],
)
def test_the_mean_of_changes_is_no_change_of_a_mean_without_a_doubt(
    asker: Asker, takings: Path, question: str
) -> None:
    assert not asker.interpreter(takings).read(question).certain


def test_no_percentage_is_of_what_is_not_positive(asker: Asker, tmp_path: Path) -> None:
    rows = ["2024-01-05,5", "2024-02-05,-10", "2024-03-05,20", "2024-04-05,30"]
    flows = table_of(tmp_path, "flows", "day,amount", rows)

    assert [row[-1] for row in _answer(asker, flows, "amount growth by month")] == [None, -300, None, 50]


@pytest.mark.parametrize(
    "question",
    ["revenue last month vs the month before", "revenue in the previous month vs the month before"],
)
def test_the_month_before_is_before_the_other_one(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = ["2024-01-05,1", "2024-02-05,20", "2024-03-05,300", "2024-04-05,4000"]
    shops = table_of(tmp_path, "tills", "day,revenue", rows)

    assert sorted(_answer(asker, shops, question)[0]) == [20, 300]


@pytest.mark.parametrize(
    "name, header, rows, question",
    [
        ("weekly", "week,visitors", ["2024-W08,80", "2024-W01,62", "2024-W03,5"], "last 2 weeks"),
        ("shops", "month,region,sold", [f"2024-0{m},{r},{m}" for m in (1, 2, 3) for r in "ab"], "sold in the first 2 months"),
        ("probes", "at,temperature", [f"2024-01-0{d} 0{h}:00:00,{d + h}" for d in (1, 2) for h in (1, 2, 3)], "average temperature per hour"),
        ("probes", "at,temperature", [f"2024-01-0{d} 0{h}:00:00,{d + h}" for d in (1, 2) for h in (1, 2, 3)], "hourly temperature"),
        ("takings", "day,region,status,customer,revenue,qty", _ROWS, "month over month growth of N"),
        ("takings", "day,region,status,customer,revenue,qty", _ROWS, "compare this month with last month"),
        ("shifts", "worker,date,start_time", ["Ann,2024-03-01,09:00", "Bob,2024-03-02,06:00", "Cid,2024-03-02,11:00"], "latest start"),
    ],
)  # fmt: skip
def test_rows_hours_and_counts_are_not_taken_for_what_may_be_meant(
    asker: Asker, tmp_path: Path, name: str, header: str, rows: list[str], question: str
) -> None:
    assert not asker.interpreter(table_of(tmp_path, name, header, rows)).read(question).certain


@pytest.mark.parametrize("question", ["first 3 days", "v in the last 2 days"])
def test_days_of_one_row_each_are_rows(asker: Asker, days: Path, question: str) -> None:
    assert len(_answer(asker, days, question)) in {1, 3}


def test_what_is_compared_may_be_an_amount_that_no_word_names(asker: Asker, takings: Path) -> None:
    offered = asker.interpreter(takings).read("compare this month with last month").offered

    assert {(one.function, one.column) for found in offered for one in found.intent.measures} >= {
        ("sum", "revenue"),
        ("count", None),
    }


def test_a_change_of_nothing_that_is_named_is_offered(asker: Asker, tmp_path: Path) -> None:
    rows = [f"2023-0{1 + n % 9}-11,Task {n},{('open', 'done')[n % 2]}" for n in range(30)]
    rows += [f"2024-0{1 + n % 9}-12,Job {n},{('open', 'done')[n % 2]}" for n in range(40)]
    tasks = table_of(tmp_path, "todo", "created,task,state", rows)

    assert not asker.interpreter(tasks).read("percent change from 2023 to 2024").certain


@pytest.mark.parametrize(
    "question", ["revenue growth from 2024 to 2023", "percent change in revenue from 2024 to 2023"]
)
def test_a_change_back_in_time_is_offered(asker: Asker, takings: Path, question: str) -> None:
    """What is computed goes from the earlier one to the later one."""
    assert not asker.interpreter(takings).read(question).certain
