"""Texts such as `Mar 2024` are months to a question: of a year, of a period, in the order of the calendar."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.planner.asking import Asker

EN = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
UK = (
    *("січень", "лютий", "березень", "квітень", "травень", "червень"),
    *("липень", "серпень", "вересень", "жовтень", "листопад", "грудень"),
)
MONTHS: dict[str, Callable[[int, int], str]] = {
    "iso": lambda year, month: f"{year}-{month:02d}",
    "en": lambda year, month: f"{EN[month - 1]} {year}",
    "uk": lambda year, month: f"{UK[month - 1]} {year}",
}


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    made = Asker(tmp_path_factory.mktemp("asker"))
    yield made
    made.close()


def _table(folder: Path, style: str, more: str = "") -> Path:
    """Write two years of months, the later ones first; the revenue of a month is 100 times its year's place plus its own."""
    lines = [
        f"{MONTHS[style](year, month)},{region},{100 * (year - 2022) + month}"
        for year in (2024, 2023)
        for month in range(12, 0, -1)
        for region in ("North", "South")
    ]
    path = folder / f"monthly_{style}{len(more)}.csv"
    path.write_text("\n".join(["Month,Region,Revenue", *lines, more]).strip() + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("style", MONTHS)
@pytest.mark.parametrize(
    "question, rows",
    [
        ("total revenue in 2023", [(2 * (1200 + 78),)]),
        ("total revenue in March 2024", [(2 * 203,)]),
        ("total revenue in Q1 2024", [(2 * 606,)]),
        ("revenue by year", [(2023, 2 * 1278), (2024, 2 * 2478)]),
        ("revenue by region in 2023", [("North", 1278), ("South", 1278)]),
        ("сумарний Revenue за березень 2024", [(2 * 203,)]),
    ],
)
def test_a_time_is_the_texts_that_name_its_months(
    asker: Asker, tmp_path: Path, style: str, question: str, rows: list[tuple[object, ...]]
) -> None:
    path = _table(tmp_path, style)

    found = asker.interpreter(path).read(question)
    call = asker.call(path, found.candidates[0].intent)

    assert found.certain
    assert sorted(asker.answer(path, call).rows) == rows


@pytest.mark.parametrize("style", MONTHS)
def test_months_come_in_the_order_of_the_calendar(asker: Asker, tmp_path: Path, style: str) -> None:
    path = _table(tmp_path, style)

    found = asker.interpreter(path).read("revenue by month")
    call = asker.call(path, found.candidates[0].intent)

    wanted = [MONTHS[style](year, month) for year in (2023, 2024) for month in range(1, 13)]
    assert found.certain
    assert [row[0] for row in asker.answer(path, call).rows] == wanted


def test_rows_are_sorted_by_the_calendar(asker: Asker, tmp_path: Path) -> None:
    path = _table(tmp_path, "en")
    found = asker.interpreter(path).read("show rows sorted by Month, newest first")
    call = asker.call(path, found.candidates[0].intent)

    assert [row[0] for row in asker.answer(path, call).rows][:3] == ["Dec 2024", "Dec 2024", "Nov 2024"]


@pytest.mark.parametrize("question", ["growth of revenue by month", "revenue growth month over month"])
def test_growth_is_from_month_to_month(asker: Asker, tmp_path: Path, question: str) -> None:
    path = _table(tmp_path, "uk")
    found = asker.interpreter(path).read(question)
    call = asker.call(path, found.candidates[0].intent)
    first, second, *_ = asker.answer(path, call).rows

    assert first == ("січень 2023", 202, None)
    assert second[:2] == ("лютий 2023", 204)
    assert second[2] == pytest.approx(100 / 101)


@pytest.mark.parametrize(
    "question",
    [
        "total revenue on 5 March 2024",
        "average revenue on 12 April 2023",
        "total revenue since 10 May 2024",
        "total revenue in 2030",
    ],
)
def test_a_time_that_cuts_a_month_or_has_none_is_not_answered(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    assert not asker.interpreter(_table(tmp_path, "en")).read(question).certain


def test_a_month_of_quarters_is_not_answered(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "quarterly.csv"
    lines = [f"Q{quarter} {year},{quarter}" for year in (2023, 2024) for quarter in (1, 2, 3, 4)]
    path.write_text("\n".join(["Quarter,Revenue", *lines]) + "\n", encoding="utf-8")
    read = asker.interpreter(path).read

    assert read("total revenue in 2024").certain
    assert not read("total revenue in March 2024").certain
    assert not read("revenue by month").certain


def test_a_column_with_one_other_text_is_none_of_months(asker: Asker, tmp_path: Path) -> None:
    facts = asker.open(_table(tmp_path, "en", more="Forecast,North,5"))

    assert facts.columns[0].span is None
