"""Questions of stock, orders of several lines, accounts, leagues, months side by side: as SQL computes them, or offered."""

from pathlib import Path

import pytest

from tabchat.planner.intent import Having, Measure, Operator, all_conditions
from tests.planner.asking import Asker
from tests.planner.gold import GoldQuestion
from tests.planner.tables import table_of

_TABLES = {
    # Lines 0 to 3 of each order: those of an even number have one, two, one, and those of an odd one three.
    "sales": (
        "order_no,sold_on,customer,item,quantity,unit_price",
        [
            f"{500 + order},2024-{order % 4 + 1:02d}-{order % 27 + 1:02d},{('Acme', 'Bolt', 'Crane')[order % 3]},"
            f"{('Pen', 'Ink', 'Pad')[line]},{(order * 7 + line * 5) % 11 + 1},{(1.25, 3.5, 4.75)[line]}"
            for order in range(60)
            for line in range((1, 3, 2, 3)[order % 4])
        ],
    ),
    "bank": (
        "entry_no,booked,account,category,amount",
        [
            f"{700 + n},2024-{n % 4 + 1:02d}-{n % 27 + 1:02d},{('Checking', 'Savings', 'Card')[n % 3]},"
            f"{('Food', 'Rent', 'Salary')[n * 5 // 7 % 3]},{(n * 37 % 91) - 60 + 100 * (n % 3 == 1)}.5"
            for n in range(90)
        ],
    ),
    "league": (
        "team,division,wins,losses,points",
        [
            f"{team},{('North', 'South')[n % 2]},{n * 5 % 17 + 2},{n * 7 % 13 + 1},{n * 11 % 47 + 3}"
            for n, team in enumerate(
                ("Rovers", "United", "Athletic", "Albion", "County", "Orient", "Rangers")
            )
        ],
    ),
    "crops": (
        "product,region,Jan,Feb,Mar",
        [
            f"{crop},{('North', 'South')[n % 2]},{100 + n * 37 % 90},{200 + n * 53 % 90},{120 + n * 71 % 90}"
            for n, crop in enumerate(("Barley", "Wheat", "Oats", "Rye", "Maize", "Beans", "Peas", "Flax"))
        ],
    ),
    "inventory": (
        "sku,item,warehouse,on_hand,minimum,unit_price,last_counted",
        [
            f"S{n},{('Desk', 'Lamp')[n % 2]} {n},{('Mill', 'North')[n * 3 // 4 % 2]},{n * 41 % 97},{20 + n % 3 * 20},"
            f"{n * 13 % 83}.5,2024-0{n % 4 + 1}-15"
            for n in range(50)
        ],
    ),
    "survey": (
        "respondent_id,city,satisfaction,ease_of_use",
        [f"{n},{('Leeds', 'Derby', 'York')[n % 3]},{n * 7 % 5 + 1},{n * 11 // 3 % 5 + 1}" for n in range(90)],
    ),
    "hotels": (
        "hotel,city,price,wifi,parking",
        [
            f"{name} {city},{city},{50 + n * 37 % 120},{('yes', 'no')[n % 2]},{('yes', 'no', 'no')[n % 3]}"
            for n, (name, city) in enumerate(
                (name, city)
                for name in ("Astor", "Grand", "Kings", "Lotus")
                for city in ("Rome", "Oslo", "Paris")
            )
        ],
    ),
}


@pytest.mark.parametrize(
    "table, question, sql",
    [
        ("sales", "average number of lines per order", "select count(*) / count(distinct order_no) from t"),
        (
            "sales",
            "revenue by month",
            "select date_trunc('month', sold_on), sum(quantity * unit_price) from t group by 1",
        ),
        ("bank", "how many entries are negative", "select count(*) from t where amount < 0"),
        ("bank", "how many positive entries", "select count(*) from t where amount > 0"),
        (
            "bank",
            "what percentage of entries are negative",
            "select 100.0 * count(*) filter (amount < 0) / count(*) from t",
        ),
        ("bank", "entries with a negative amount", "select entry_no from t where amount < 0"),
        (
            "bank",
            "compare weekends with weekdays by total amount",
            (
                "select sum(amount) filter (dayofweek(booked) in (0, 6)), "
                "sum(amount) filter (dayofweek(booked) between 1 and 5) from t"
            ),
        ),
        (
            "league",
            "how many more wins than losses has Rovers",
            "select wins - losses from t where team = 'Rovers'",
        ),
        ("crops", "total in March", "select sum(Mar) from t"),
        ("crops", "products where March is higher than January", "select product from t where Mar > Jan"),
        ("crops", "how many products have more than 150 in March", "select count(*) from t where Mar > 150"),
        ("inventory", "total value of the stock", "select sum(on_hand * unit_price) from t"),
        (
            "inventory",
            "value of the stock by warehouse",
            "select warehouse, sum(on_hand * unit_price) from t group by 1",
        ),
        ("inventory", "how many items cost more than 50", "select count(*) from t where unit_price > 50"),
        (
            "inventory",
            "difference between on hand and minimum by warehouse",
            "select warehouse, sum(on_hand) - sum(minimum) from t group by 1",
        ),
    ],
)
def test_it_is_computed_as_sql_does(
    asker: Asker, tmp_path: Path, table: str, question: str, sql: str
) -> None:
    file = table_of(tmp_path, table, *_TABLES[table])
    asked = GoldQuestion(
        id=question,
        lang="en",
        file=str(file),
        question=question,
        shape="share" if question.startswith("what percentage") else "",
        answerable=True,
        sql=sql,
        ordered=False,
        notes="",
    )
    outcome = asker.ask(asked)

    assert outcome.answered
    assert outcome.right


@pytest.mark.parametrize("question", ["average order value", "average quantity per order"])
def test_the_mean_of_what_has_several_rows_is_offered_as_that_of_wholes(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    reading = asker.interpreter(table_of(tmp_path, "sales", *_TABLES["sales"])).read(question)
    divided = [measure for one in reading.candidates[:3] for measure in one.intent.measures if measure.per]

    assert not reading.certain
    assert [(one.function, one.per, one.each) for one in divided] == [("sum", "order_no", True)]


def test_the_words_of_a_header_are_neither_a_state_nor_a_comparison(asker: Asker, tmp_path: Path) -> None:
    parts = [f"P{n},{n * 37 % 60},{20 + n % 3 * 10}" for n in range(40)]
    stock = asker.interpreter(table_of(tmp_path, "parts", "part,in_stock,reorder_level", parts)).read
    terms = [f"L{n},{'AB'[n % 2]},2023-01-{n % 27 + 1:02d},2023-0{n % 5 + 3}-11,{n}" for n in range(40)]
    header = "licence,product,valid_from,valid_to,cost"
    dated = asker.interpreter(table_of(tmp_path, "licences", header, terms)).read

    below = stock("parts where in stock is less than reorder level").candidates[0].intent
    spans = (
        dated("average time from valid from to valid to by product with a cost over 20").candidates[0].intent
    )
    assert [(one.column, one.operator, one.other) for one in all_conditions(below)] == [
        ("in_stock", Operator.LT, "reorder_level")
    ]
    assert [one.column for one in all_conditions(spans)] == ["cost"]


def test_the_last_time_is_of_each(asker: Asker, tmp_path: Path) -> None:
    parts = [f"P{n},{('Leeds', 'Derby')[n % 2]},2024-0{n % 5 + 1}-11,{n}" for n in range(40)]
    read = asker.interpreter(table_of(tmp_path, "parts", "part,store,counted_on,price", parts)).read

    assert not read("parts last counted in March 2024 where store is Leeds or Derby").certain


def test_a_number_is_of_the_column_right_behind_it(asker: Asker, tmp_path: Path) -> None:
    reading = asker.interpreter(table_of(tmp_path, "league", *_TABLES["league"])).read(
        "with more than 5 losses, average points by division"
    )
    bounded = [one.measure.column for one in reading.candidates[0].intent.having]

    assert not reading.certain or bounded in ([], ["losses"])


def test_no_text_is_negative(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(table_of(tmp_path, "bank", *_TABLES["bank"])).read
    first = read("in March 2024, accounts with a negative total amount").candidates[0].intent

    assert first.having == (
        Having(measure=Measure(function="sum", column="amount"), operator=Operator.LT, values=(0,)),
    )
    assert [*all_conditions(first)] == []


def test_the_most_common_number_is_told_with_what_ties_with_it(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{cell}" for n, cell in enumerate((3, 3, 5, 5, 1))]
    file = table_of(tmp_path, "marks", "pupil_no,mark", rows)
    found = asker.interpreter(file).read("most common mark").candidates[0].intent

    assert {row[0] for row in asker.answer(file, asker.call(file, found)).rows} == {3, 5}


def test_a_number_is_of_the_column_that_has_none_of_its_own(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(table_of(tmp_path, "survey", *_TABLES["survey"])).read
    found = read("cities with an average satisfaction over 3 with ease of use of at least 4")
    intent = found.candidates[0].intent

    assert [(one.column, one.operator, one.values) for one in all_conditions(intent)] == [
        ("ease_of_use", Operator.GE, (4,))
    ]
    assert [(one.measure.column, one.operator, one.values) for one in intent.having] == [
        ("satisfaction", Operator.GT, (3,))
    ]


def test_rows_that_are_named_stand_beside_their_names(asker: Asker, tmp_path: Path) -> None:
    file = table_of(tmp_path, "league", *_TABLES["league"])
    first = asker.interpreter(file).read("wins and losses of Rovers and Athletic").candidates[0].intent

    assert first.columns == ("team", "wins", "losses")


def test_a_yes_or_no_without_gaps_is_not_missing(asker: Asker, tmp_path: Path) -> None:
    found = asker.interpreter(table_of(tmp_path, "hotels", *_TABLES["hotels"])).read(
        "hotels with wifi but no parking"
    )

    assert all(
        clause.operator is not Operator.MISSING
        for one in found.candidates
        for clause in all_conditions(one.intent)
    )
