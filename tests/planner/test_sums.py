"""A sum of what is no amount, a row where a sum may be meant, and rows where a column counts things are offered, never answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.choice.doubts import is_doubtful
from tabchat.planner.choice.sums import SUMS
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Order, Output

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


def _table(folder: Path, name: str, header: str, rows: list[str]) -> Path:
    file = folder / f"{name}.csv"
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    return file


def test_rooms_are_not_added_up(asker: Asker, tmp_path: Path) -> None:
    stays = _table(tmp_path, "stays", "guest,room,visitors", [f"G{n},{n % 9 + 1},{n % 4}" for n in range(40)])
    for question, column, doubtful in (
        ("how many rooms", "room", True),
        ("how many visitors", "visitors", False),
        ("sum of rooms", "room", False),
    ):
        total = Intent(output=Output.VALUE, measures=(Measure(function="sum", column=column),))
        lattice = asker.interpreter(stays).lattice(question)
        assert any(doubt(lattice, total) for doubt in SUMS) == doubtful, question


def test_a_row_of_many_is_no_sum_of_them(asker: Asker, tmp_path: Path) -> None:
    rows = [f"2024-{n % 12 + 1:02d},{('Web', 'Ops')[n % 2]},{n * 3}" for n in range(48)]
    costs = _table(tmp_path, "bills", "month,team,cost", rows)
    cheapest = Intent(
        output=Output.ROWS,
        columns=("team", "cost"),
        orders=(Order(column="cost", descending=False),),
        limit=1,
    )

    assert is_doubtful(asker.interpreter(costs).lattice("cheapest team"), cheapest)


def test_the_heaviest_of_several_visits_is_not_the_one_with_the_most_of_them(
    asker: Asker, tmp_path: Path
) -> None:
    rows = [f"V{n},{('Rex', 'Tom', 'Max')[n % 3]},{5 + n % 11}" for n in range(40)]
    visits = _table(tmp_path, "visits", "visit,pet,weight", rows)
    summed = Intent(
        output=Output.GROUPS,
        measures=(Measure(function="sum", column="weight"),),
        keys=(Key(column="pet"),),
        orders=(Order(),),
        limit=1,
    )

    assert is_doubtful(asker.interpreter(visits).lattice("which pet was the heaviest"), summed)
    assert not is_doubtful(asker.interpreter(visits).lattice("which pet has the most total weight"), summed)


def test_birds_are_counted_by_the_column_that_counts_them(asker: Asker, tmp_path: Path) -> None:
    rows = [f"W{n},{('robin', 'wren', 'crow')[n % 3]},{n % 6}" for n in range(40)]
    walks = _table(tmp_path, "walks", "walk,bird,quantity", rows)
    robins = Condition(column="bird", operator=Operator.EQ, values=("robin",))
    counted = Intent(output=Output.VALUE, measures=(Measure(),), clauses=(robins,))

    assert is_doubtful(asker.interpreter(walks).lattice("how many robins"), counted)
    assert not is_doubtful(asker.interpreter(walks).lattice("how many walks with robins"), counted)


def test_what_happened_to_some_rows_is_told_by_the_table_or_not_at_all(asker: Asker, tmp_path: Path) -> None:
    rows = [f"R{n},{('cash', 'card')[n % 2]},{n}" for n in range(40)]
    rides = _table(tmp_path, "rides", "ride,payment,km", rows)
    card = Condition(column="payment", operator=Operator.EQ, values=("card",))
    counted = Intent(output=Output.VALUE, measures=(Measure(),), clauses=(card,))

    assert is_doubtful(asker.interpreter(rides).lattice("how many rides by card were cancelled"), counted)
    assert not is_doubtful(asker.interpreter(rides).lattice("how many rides by card"), counted)


def test_the_last_of_a_file_are_not_the_latest(asker: Asker, tmp_path: Path) -> None:
    days = [f"2024-01-{n:02d}" for n in range(1, 29)]
    last = Intent(output=Output.HEAD, orders=(Order(),), limit=5)
    for name, dates, doubtful in (("falling", days[::-1], True), ("rising", days, False)):
        log = _table(tmp_path, name, "day,kg", [f"{day},{place}" for place, day in enumerate(dates)])
        assert is_doubtful(asker.interpreter(log).lattice("last 5 records"), last) == doubtful
