"""Sentences about results: the language's own numbers and plurals, ties, nothing at all, and a trace for every figure."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa
import pytest

from tabchat.chat.turn.model import Reply
from tabchat.planner.intent import (
    Condition,
    Having,
    Intent,
    Key,
    Measure,
    Operator,
    Order,
    Output,
    Period,
    Side,
)
from tabchat.planner.plan import plan_of
from tabchat.planner.wording import sentence
from tests.planner.plan.tables import Workbench

REVENUE = Measure(function="sum", column="revenue")
MEAN = Measure(function="mean", column="revenue")
BY_REGION = (Key(column="region"),)
FIRST = (Order(),)
YEAR = Period(start=dt.date(2023, 1, 1), end=dt.date(2023, 12, 31))
RETURNED = Condition(column="returned", operator=Operator.EQ, values=(True,))


def _where(column: str, value: str | float, operator: Operator = Operator.EQ) -> Condition:
    return Condition(column=column, operator=operator, values=(value,))


GERMANY = _where("country", "Germany")
ONLINE, STORE = (Side(label=name, clauses=(_where("channel", name),)) for name in ("online", "store"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    made = Workbench(tmp_path_factory.mktemp("sentences"))
    yield made
    made.close()


def _said(bench: Workbench, intent: Intent, table: str = "sales", language: str = "en") -> Reply:
    facts = bench.facts(table)
    call = plan_of(intent, facts)
    return sentence(intent, call, bench.run(call), facts, language, key="ds_x", run=bench.run)


@pytest.mark.parametrize(
    "intent,text",
    [
        (Intent(output=Output.VALUE, measures=(Measure(),)), "The table has 5,000 rows."),
        (Intent(output=Output.VALUE, clauses=(GERMANY,)), "636 rows match: country = Germany."),
        (Intent(output=Output.VALUE, measures=(MEAN,), periods=(YEAR,)), "The mean of revenue is 367.3525 (2023)."),
        (Intent(output=Output.VALUE, measures=(MEAN, Measure(function="median", column="revenue"))), "Mean of revenue: 368.296, median of revenue: 145.24."),
        (Intent(output=Output.VALUE, measures=(Measure(part=(RETURNED,)),)), "6.04% of the rows match: returned = yes."),
        (Intent(output=Output.VALUE, measures=(Measure(function="count_distinct", column="customer"),)), "140 different values of customer."),
        (Intent(output=Output.VALUE, measures=(MEAN,), clauses=(_where("country", "Atlantis"),)), "Mean of revenue (country = Atlantis): no rows to compute it from."),
        (Intent(output=Output.EXISTS, clauses=(GERMANY,)), "Yes, 636 rows (country = Germany)."),
        (Intent(output=Output.EXISTS, clauses=(_where("country", "Atlantis"),)), "No (country = Atlantis)."),
        (Intent(output=Output.GROUPS, measures=(REVENUE,), keys=BY_REGION), "5 groups. Highest: North America (611,714.5); lowest: Oceania (160,272.76)."),
        (Intent(output=Output.GROUPS, measures=(MEAN,), keys=BY_REGION, orders=FIRST, limit=1, with_ties=True), "Region with the highest mean of revenue: North America (385.4534)."),
        (Intent(output=Output.CHANGE, measures=(REVENUE,), keys=(Key(unit="year"),), change="percent", against="previous", orders=FIRST, limit=1, with_ties=True), "Year with the highest change of the sum of revenue in percent: 2023 (20.3906%)."),
        (Intent(output=Output.GROUPS, measures=(REVENUE,), keys=(Key(column="product"),), orders=FIRST, limit=5), "Sum of revenue, by product, top 5: Corner Sofa (358,927.92), Walnut Table (127,854.1), Oak Desk (107,376.18) and 2 more."),
        (Intent(output=Output.ROWS, columns=("product",), orders=(Order(column="revenue"),), limit=1, with_ties=True), "Product with the highest revenue: Corner Sofa (14,508.59)."),
        (Intent(output=Output.ROWS, clauses=(_where("revenue", 100000, Operator.GT),)), "No rows match: revenue > 100000."),
        (Intent(output=Output.GROUPS, measures=(Measure(),), keys=BY_REGION, having=(Having(measure=Measure(), operator=Operator.GT, values=(1e6,)),)), "No rows match: with number of rows > 1000000."),
        (Intent(output=Output.VALUES, columns=("region",)), "5 different values of region: Asia, Europe, North America, Oceania, South America."),
        (Intent(output=Output.MISSING, columns=("discount",)), "Missing cells of discount: 149."),
        (Intent(output=Output.COMPARISON, measures=(REVENUE,), sides=(ONLINE, STORE), comparison="difference"), "Online: 878,535.07, store: 512,636.77, difference: 365,898.3."),
        (Intent(output=Output.COMPARISON, measures=(REVENUE,), sides=(ONLINE, STORE), comparison="which"), "Online (online: 878,535.07, store: 512,636.77)."),
        (Intent(output=Output.GROUPS, measures=(Measure(function="min", column="quantity"),), keys=BY_REGION), "5 groups, each at 1."),
        (Intent(output=Output.DISTRIBUTION, keys=BY_REGION), "5 groups. Highest: North America (1,587); lowest: Oceania (419). Each value."),
        (Intent(output=Output.CHANGE, measures=(REVENUE,), keys=(Key(unit="year"),), change="percent"), "3 groups. Highest: 2023 (20.3906%); lowest: 2024 (6.5293%)."),
        (Intent(output=Output.HEAD, limit=3), "3 rows."),
    ],
)  # fmt: skip
def test_one_sentence_answers(bench: Workbench, intent: Intent, text: str) -> None:
    assert _said(bench, intent).text == text


@pytest.mark.parametrize(
    "language,text",
    [
        ("uk", "7 груп. Найбільше: вівторок (309\u00a0981,6); найменше: неділя (213\u00a0095,78)."),
        (
            "ru",
            "7 групп. Больше всего: вторник (309\u00a0981,6); меньше всего: воскресенье (213\u00a0095,78).",
        ),
    ],
)
def test_numbers_plurals_and_days_are_those_of_the_language(
    bench: Workbench, language: str, text: str
) -> None:
    intent = Intent(output=Output.GROUPS, measures=(REVENUE,), keys=(Key(unit="weekday"),))
    said = _said(bench, intent, language=language)

    assert said.text == text
    assert said.receipts[1].evidence == "ds_x[weekday=Tuesday].sum_revenue"


@pytest.mark.parametrize(
    "clauses,periods,why",
    [
        (
            (GERMANY, _where("revenue", 1_000_000, Operator.GT)),
            (YEAR,),
            "No row at all has: revenue > 1000000; the other conditions leave 215 rows.",
        ),
        (
            (GERMANY, _where("revenue", 4000, Operator.GT), _where("channel", "partner")),
            (),
            "Each condition alone leaves rows (country = Germany: 636 rows, revenue > 4000: 39 rows, channel = partner: 698 rows), but not all of them together.",
        ),
        ((GERMANY,), (Period(start=dt.date(1990, 1, 1), end=dt.date(1990, 12, 31)),), "No row at all has: 1990; the other conditions leave 636 rows."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("output", [Output.ROWS, Output.VALUE, Output.EXISTS])
def test_an_empty_answer_says_which_filter_left_nothing(
    bench: Workbench, output: Output, clauses: tuple[Condition, ...], periods: tuple[Period, ...], why: str
) -> None:
    said = _said(bench, Intent(output=output, clauses=clauses, periods=periods))

    assert said.text.endswith(why)
    assert {claim.text for claim in said.receipts if claim.value} <= {*why.replace(";", " ").split()}


def test_a_tie_is_told(bench: Workbench) -> None:
    bench.add(pa.table({"team": ["a", "b", "c"], "points": [3, 3, 1]}), "league")
    best = Intent(
        output=Output.GROUPS,
        measures=(Measure(function="sum", column="points"),),
        keys=(Key(column="team"),),
        orders=FIRST,
        limit=1,
        with_ties=True,
    )

    assert _said(bench, best, "league").text == "Team with the highest sum of points, equal: a (3), b (3)."


def test_every_figure_is_traced_to_its_cell(bench: Workbench) -> None:
    said = _said(bench, Intent(output=Output.GROUPS, measures=(REVENUE,), keys=BY_REGION))

    assert [(claim.text, claim.evidence) for claim in said.receipts] == [
        ("5", "ds_x.rows"),
        ("611,714.5", "ds_x[region=North America].sum_revenue"),
        ("160,272.76", "ds_x[region=Oceania].sum_revenue"),
    ]
    assert {claim.status for claim in said.receipts} == {"verified"}


@pytest.mark.parametrize(
    "language,text",
    [
        ("en", "March: $21,564,228.50, April: $20, difference: $21,564,208.50."),
        ("uk", "Березень: 21\u00a0564\u00a0228,50\u00a0$, квітень: 20\u00a0$, різниця: 21\u00a0564\u00a0208,50\u00a0$."),
        ("ru", "Март: 21\u00a0564\u00a0228,50\u00a0$, апрель: 20\u00a0$, разница: 21\u00a0564\u00a0208,50\u00a0$."),
    ],
)  # fmt: skip
def test_sides_and_money_are_told_in_the_language(bench: Workbench, language: str, text: str) -> None:
    days = [dt.date(2024, 3, 1), dt.date(2024, 4, 1), dt.date(2024, 4, 2)]
    bench.add(pa.table({"day": days, "fee_usd": [21_564_228.5, 12.0, 8.0]}), "fees")
    sides = tuple(
        Side(
            label=f"month {month}",
            clauses=(Condition(column="day", operator=Operator.EQ, values=(month,), part="month"),),
        )
        for month in (3, 4)
    )
    fees = Measure(function="sum", column="fee_usd")
    intent = Intent(output=Output.COMPARISON, measures=(fees,), sides=sides, comparison="difference")
    facts = bench.facts("fees")
    named = replace(
        facts,
        columns=tuple(replace(one, unit="$") if one.name == "fee_usd" else one for one in facts.columns),
    )
    call = plan_of(intent, named)
    said = sentence(intent, call, bench.run(call), named, language)

    assert said.text == text
    assert {claim.value for claim in said.receipts} == {21_564_228.5, 20, 21_564_208.5}


@pytest.mark.parametrize("value", [dt.time(10, 10), "300-", "1h 30m"])
def test_a_time_of_day_and_a_text_with_digits_are_figures(bench: Workbench, value: object) -> None:
    bench.add(pa.table({"slot": [value, None], "no": [1, 2]}), "slots")
    said = _said(
        bench, Intent(output=Output.VALUE, measures=(Measure(function="max", column="slot"),)), "slots"
    )

    assert said.text == f"The maximum of slot is {value}."
    assert [claim.text for claim in said.receipts] == [str(value)]


@pytest.mark.parametrize(
    "clause,language,text",
    [
        (_where("unit", "шт."), "uk", "1 рядок відповідає умовам: «unit» = шт."),
        (_where("unit", "м"), "uk", "1 рядок відповідає умовам: «unit» = м."),
    ],
)
def test_one_point_ends_a_sentence(bench: Workbench, clause: Condition, language: str, text: str) -> None:
    bench.add(pa.table({"unit": ["шт.", "м"]}), "units")

    assert _said(bench, Intent(output=Output.VALUE, clauses=(clause,)), "units", language).text == text


@pytest.mark.parametrize(
    "unit,en,ru",
    [
        ("млн ₽", "12.3 млн ₽", "12,3 млн ₽"),
        ("$m", "$12.3m", "12,3\u00a0m\u00a0$"),
        ("$ thousand", "$12.3 thousand", "12,3\u00a0thousand\u00a0$"),
        ("₽", "₽12.30", "12,30\u00a0₽"),
    ],
)
def test_amounts_in_thousands_are_told_as_such(bench: Workbench, unit: str, en: str, ru: str) -> None:
    bench.add(pa.table({"cost": [12.3]}), "costs")
    intent = Intent(output=Output.VALUE, measures=(Measure(function="sum", column="cost"),))
    known = bench.facts("costs")
    facts = replace(known, columns=tuple(replace(one, unit=unit) for one in known.columns))
    call = plan_of(intent, facts)

    for language, told in (("en", f"is {en}."), ("ru", f": {ru}.")):
        assert sentence(intent, call, bench.run(call), facts, language).text.endswith(told)


def test_what_cannot_be_computed_of_missing_cells_vouches_for_the_numbers_of_its_conditions(
    bench: Workbench,
) -> None:
    missing = Condition(column="discount", operator=Operator.MISSING)
    intent = Intent(
        output=Output.VALUE,
        measures=(Measure(function="mean", column="discount"),),
        clauses=(missing, _where("quantity", 1, Operator.GE)),
    )
    said = _said(bench, intent)

    assert said.text == "Mean of discount (discount is missing, quantity ≥ 1): no rows to compute it from."
    assert [(claim.text, claim.status, claim.evidence) for claim in said.receipts] == [
        ("0", "verified", "ds_x.used_rows")
    ]
