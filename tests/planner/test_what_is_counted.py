"""What is counted, ranked or asked after is what the words name: kinds of rows, rows that share a name, each group, all that is joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.choice.doubts import is_doubtful
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Output
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_ASKED = {"member": "A. Vance", "bill": "Housing", "vote": "aye"}


def test_most_of_a_kind_are_rows_of_it_and_no_sum(asker: Asker, tmp_path: Path) -> None:
    rows = [f"INC-{n},P{1 + n % 4},{('Maya', 'Oleg', 'Sam')[n % 3]},{40 * n}" for n in range(90)]
    incidents = table_of(tmp_path, "incidents", "ticket,sev,on_call,customers_affected", rows)
    found = asker.interpreter(incidents).read("who was on call for most P1s")

    assert not found.certain
    assert Measure() in [measure for one in found.offered for measure in one.intent.measures]


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many fires were there in 2022", False),
        ("how many different fire names are there", True),
        ("how many wildfires were there in 2022", True),
        ("top 5 fires by acres", False),
    ],
)
def test_fires_that_share_a_name_are_several(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [
        f"{('Bear', 'Cedar', 'Rock')[n % 3]} {('Creek', 'Flat', 'Peak', 'Ridge')[n % 4]},"
        f"{('Butte', 'Lake')[n % 2]},202{1 + n % 3}-0{1 + n % 9}-{1 + n % 27:02d},{10 + 13 * n}"
        for n in range(60)
    ]
    fires = table_of(tmp_path, "wildfires", "fire_name,county,discovered,acres", rows)

    assert asker.interpreter(fires).read(question).certain == certain


def test_a_bin_that_is_empty_is_none_without_a_number(asker: Asker, tmp_path: Path) -> None:
    rows = [f"A-{n:03d},{('cold', 'dry')[n % 2]},{n % 7},2024-05-{1 + n % 27:02d}" for n in range(60)]
    bins = table_of(tmp_path, "warehouse_bins", "bin,zone,qty_on_hand,last_counted", rows)

    for question in ("percentage of bins that are empty", "how many bins are empty"):
        assert not asker.interpreter(bins).read(question).certain


def test_whether_somebody_voted_for_it_is_not_whether_there_is_a_row(asker: Asker, tmp_path: Path) -> None:
    bills, members = ("Housing", "Water", "Pensions"), ("A. Vance", "B. Okoro", "C. Lindt", "D. Marsh")
    pairs = [(bill, member) for bill in bills for member in members]
    rows = [f"{bill},{member},{('aye', 'no', 'abstain')[n % 3]}" for n, (bill, member) in enumerate(pairs)]
    votes = table_of(tmp_path, "division_votes", "bill,member,vote", rows)
    reader = asker.interpreter(votes)
    asked = [Condition(column=name, operator=Operator.EQ, values=(text,)) for name, text in _ASKED.items()]

    for clauses, doubtful in ((asked[:2], True), (asked, False)):
        exists = Intent(output=Output.EXISTS, clauses=tuple(clauses))
        assert is_doubtful(reader.lattice("did A. Vance vote for Housing"), exists) == doubtful


def test_the_top_of_each_group_is_no_group(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"GR{n:03d},{('Biology', 'History', 'Climate', 'Robotics')[n % 4]},{500 * (1 + 7 * n % 41)}"
        for n in range(80)
    ]
    grants = table_of(tmp_path, "grants", "app_no,field,amount_awarded", rows)

    found = asker.interpreter(grants).read("top 3 awards per field")
    best = found.candidates[0].intent

    assert found.certain
    assert (best.output, best.limit, best.limit_keys) == (Output.ROWS, 3, (Key(column="field"),))


def test_both_of_two_amounts_are_told_or_none_is_certain(asker: Asker, tmp_path: Path) -> None:
    rows = [f"E{n},Ann Lee {n},{('Sales', 'Law')[n % 2]},{30000 + 500 * n},{100 * n}" for n in range(60)]
    staff = table_of(tmp_path, "payroll", "emp_id,full_name,dept,base_salary,bonus", rows)
    reader = asker.interpreter(staff)

    assert not reader.read("total cost of salary and bonus").certain
    best = reader.read("total salary and bonus").candidates[0]
    assert asker.call(staff, best.intent).arguments["select"] == [
        "sum(base_salary) as sum_base_salary",
        "sum(bonus) as sum_bonus",
    ]


def test_a_median_when_there_was_any_is_none_of_all_days(asker: Asker, tmp_path: Path) -> None:
    rows = [f"2024-01-{1 + n % 28:02d},{('Alpha', 'Bravo')[n % 2]},{n % 3 * n}" for n in range(56)]
    lifts = table_of(tmp_path, "lift_ops", "op_date,lift,downtime_min", rows)

    assert not asker.interpreter(lifts).read("median downtime when there was any").certain
    assert asker.interpreter(lifts).read("median downtime").certain


def test_pieces_are_no_money(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"A-{n:03d},{('shelf', 'pallet')[n % 2]},{n % 90},{100 + 50 * (n % 3)},{2 + n % 7}.50"
        for n in range(90)
    ]
    bins = table_of(tmp_path, "warehouse_bins", "bin,bin_type,qty_on_hand,max_qty,unit_cost", rows)
    offered = asker.interpreter(bins).read("pieces per bin type").candidates

    told = {one.column for candidate in offered for one in candidate.intent.measures}
    assert told.isdisjoint({"unit_cost", "qty_on_hand × unit_cost"})


@pytest.mark.parametrize(
    "header, question",
    [
        ("Номер справи,Суддя,Закрито", "скільки справ за суддями"),
        ("Case number,Judge,Closed", "cases by judge"),
    ],
)
def test_numbers_with_a_stroke_are_names_and_never_added_up(
    asker: Asker, tmp_path: Path, header: str, question: str
) -> None:
    rows = [f"{n}/24,{('Чен', 'Бах')[n % 2]},{('', '2024-05-01')[n % 3 > 0]}" for n in range(1, 30)]
    cases = table_of(tmp_path, f"cases_{header[:4].strip()}", header, rows)
    assert {one.column for found in asker.offers(cases, question)[0] for one in found.measures} == {None}
