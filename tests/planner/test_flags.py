"""What is so or not is read alike, however the cells say it: yes and no, 1 and 0, an x or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.planner.asking import Asker

CITIES: Final = ("Rome", "Oslo", "Kyiv")
ROWS: Final = [(CITIES[n % 3], 10 + n * 7 % 45, n % 5 in {0, 1, 3}) for n in range(90)]
FORMS: Final[Mapping[str, tuple[str, str]]] = {
    "words": ("yes", "no"),
    "figures": ("1", "0"),
    "fractions": ("1.0", "0.0"),
    "marks": ("x", ""),
    "yes": ("yes", ""),
}
PAID: Final = sum(paid for _, _, paid in ROWS)
IN_ROME: Final = [paid for city, _, paid in ROWS if city == "Rome"]
QUESTIONS: Final[Mapping[str, list[tuple[object, ...]]]] = {
    "how many orders are paid": [(PAID,)],
    "how many orders are not paid": [(len(ROWS) - PAID,)],
    "how many unpaid orders": [(len(ROWS) - PAID,)],
    "what percentage of orders are paid": [(100 * PAID / len(ROWS),)],
    "what percentage of orders are paid in Rome": [(100 * sum(IN_ROME) / len(IN_ROME),)],
    "total fee of paid orders": [(sum(fee for _, fee, paid in ROWS if paid),)],
    "how many paid orders with fee over 30": [(sum(paid and fee > 30 for _, fee, paid in ROWS),)],
}


def _file(folder: Path, form: str) -> Path:
    yes, no = FORMS[form]
    rows = [f"{100 + n},{city},{fee},{yes if paid else no}" for n, (city, fee, paid) in enumerate(ROWS)]
    return table_of(folder, f"orders_{form}", "order_id,city,fee,paid", rows)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("form", FORMS)
def test_what_is_so_is_counted(asker: Asker, tmp_path: Path, form: str, question: str) -> None:
    file = _file(tmp_path, form)
    candidates, certain, _ = asker.read(file, question)
    # Whether an empty cell says no is not certain beside cells that say yes.
    assert certain or form == "yes"
    (row,) = asker.answer(file, asker.call(file, candidates[0].intent)).rows
    assert row[-1:] == pytest.approx(QUESTIONS[question][0])


@pytest.mark.parametrize("form", FORMS)
def test_whether_there_are_any_is_told(asker: Asker, tmp_path: Path, form: str) -> None:
    file = _file(tmp_path, form)
    candidates, certain, _ = asker.read(file, "are there unpaid orders")
    assert certain
    assert asker.answer(file, asker.call(file, candidates[0].intent)).rows == ((True, len(ROWS) - PAID),)


@pytest.mark.parametrize("question", ["orders where paid = 0", "orders where paid is 0", "unpaid orders"])
def test_a_nought_is_what_is_not_so(asker: Asker, tmp_path: Path, question: str) -> None:
    file = _file(tmp_path, "figures")
    candidates, certain, _ = asker.read(file, question)
    assert certain
    assert len(asker.answer(file, asker.call(file, candidates[0].intent)).rows) == len(ROWS) - PAID


@pytest.mark.parametrize("form", FORMS)
def test_what_was_paid_is_no_flag(asker: Asker, tmp_path: Path, form: str) -> None:
    assert not asker.read(_file(tmp_path, form), "orders that paid over 1")[1]


def test_ones_and_noughts_are_added_up_where_that_is_asked(asker: Asker, tmp_path: Path) -> None:
    file = _file(tmp_path, "figures")
    for question, figure in {"sum of paid": PAID, "average paid": PAID / len(ROWS)}.items():
        candidates, _, _ = asker.read(file, question)
        assert asker.answer(file, asker.call(file, candidates[0].intent)).rows[0][-1] == pytest.approx(figure)


def test_what_is_counted_is_no_flag(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{name},{n % 2},{n % 2}" for n, name in enumerate(("Ash", "Elm", "Fir", "Oak", "Yew", "Box"))]
    file = table_of(tmp_path, "league_players", "player,goals,fouls", rows)
    candidates, _, _ = asker.read(file, "how many goals")
    assert candidates[0].intent.measures[0].function == "sum"
    assert not any(column.flag for column in asker.interpreter(file).lattice("goals").vocabulary.columns)
